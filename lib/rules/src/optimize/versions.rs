//! The versions of a prompt: what they may be, and which of them can be given out.

use super::{layout, report};
use crate::analyze::{self, Review};
use crate::draft::Omitted;
use crate::visual::{
    family,
    picture::{self, Picture},
};
use crate::wording::Voice;
use engine::changes::{self, Edits};
use engine::{
    Change, EngineError, Finding, Integrity, Mode, OptimizedVersion, PromptBrief, Technique,
    VersionLabel, Violation,
    integrity::{self, Asked},
    tokens,
};

/// A version has at most so many characters more than the prompt.
const MOST_ADDED: usize = 2000;

/// A version before it is known whether it can be given out.
struct Candidate {
    label: VersionLabel,
    picture: Picture,
    changes: Vec<Change>,
    techniques: Vec<Technique>,
}

/// A version that can be given out, and what the rules still find in it.
pub struct Checked {
    /// The version.
    pub version: OptimizedVersion,
    /// What is found in it.
    pub left: Vec<Finding>,
}

/// What is known about a request.
pub struct Work<'a> {
    brief: &'a PromptBrief,
    /// The language of what is said about it.
    pub voice: Voice,
    mode: Option<Mode>,
    before: Vec<Finding>,
    mends: Edits<'a>,
}

impl<'a> Work<'a> {
    /// Begins to work on a prompt in which the rules found `before`.
    pub fn of(brief: &'a PromptBrief, review: &'a Review<'a>, before: Vec<Finding>) -> Self {
        let (voice, mode) =
            (Voice::of(&brief.language), family::mode_of(brief.target_model.model()));
        Self { voice, mode, before, mends: review.mends(), brief }
    }

    /// One or two versions, the conservative one first.
    ///
    /// # Errors
    ///
    /// [`EngineError::Unusable`] if none keeps what the prompt has.
    pub fn versions(&self) -> Result<Vec<Checked>, EngineError> {
        let conservative = || self.first(self.conservative());
        let restructured = || self.first(self.restructured().into_iter());
        if self.brief.variations < 2 {
            return Ok(vec![match restructured() {
                Some(version) => version,
                None => conservative().ok_or_else(unusable)?,
            }]);
        }
        let careful = conservative().ok_or_else(unusable)?;
        // What cannot be laid out anew, or is so already, has one version.
        let differs = |bold: &Checked| {
            let (bold, careful) = (&bold.version, &careful.version);
            bold.prompt != careful.prompt
                || bold.negative_prompt != careful.negative_prompt
                || bold.parameters != careful.parameters
        };
        let bold = restructured().filter(differs);
        Ok([Some(careful), bold].into_iter().flatten().collect())
    }

    /// The first candidate that loses nothing and scores no less than the original.
    fn first(&self, mut candidates: impl Iterator<Item = Candidate>) -> Option<Checked> {
        candidates.find_map(|candidate| {
            let integrity = self.keeps_everything(&candidate.picture)?;
            let prompt = &candidate.picture.prompt;
            let left = if *prompt == self.brief.prompt {
                self.before.clone()
            } else {
                Review::of(prompt, self.brief).findings()
            };
            (analyze::score(&left) >= analyze::score(&self.before))
                .then(|| Checked { version: self.finish(candidate, integrity, &left), left })
        })
    }

    /// What is to be said about a version that has all that must stay, breaks no limit of the model that the original
    /// kept, and is not mostly padding.
    fn keeps_everything(&self, picture: &Picture) -> Option<Integrity> {
        let beside = if self.mode.is_some() { picture.beside() } else { String::new() };
        // What the model has no parameter for is said; what it has no place for in the picture stays, or is reported.
        let parameters = picture.omitted.iter().filter(|one| matches!(one, Omitted::Parameters(_)));
        let words: Vec<String> = parameters.map(Omitted::words).collect();
        let taken = format!("{}\n{}", words.join("\n"), picture.superseded);
        let asked = Asked::by("", &self.brief.language).taking(&taken);
        let integrity = integrity::check(&self.brief.prompt, &picture.prompt, &beside, &asked);
        let most = self.brief.target_model.model().max_prompt_chars;
        let [length, given] = [&picture.prompt, &self.brief.prompt].map(|it| it.chars().count());
        let fits = length <= most.max(given) && length <= given + MOST_ADDED;
        (integrity.passed && fits).then_some(integrity)
    }

    /// Mended in place, with all mends and with none.
    fn conservative(&self) -> impl Iterator<Item = Candidate> + '_ {
        let (original, mended) = (&self.brief.prompt, self.mends.result());
        let target = self.brief.target_model;
        let made = self.mode.map(|mode| picture::of(&mended, mode, target, false));
        let plain = [self.bare(mended), self.bare(original.clone())];
        made.into_iter().chain(plain).map(|picture| self.mended(picture))
    }

    fn bare(&self, prompt: String) -> Picture {
        let target = self.brief.target_model;
        match self.mode {
            Some(mode) => picture::unchanged(&prompt, mode, target),
            None => {
                let parameters = target.model().parameters.clone();
                Picture { prompt, parameters, ..Picture::default() }
            }
        }
    }

    /// A version with the mends, and what else may have been done to it.
    fn mended(&self, picture: Picture) -> Candidate {
        let changes = if self.mends.result() == picture.prompt {
            self.mends.changes()
        } else {
            let reason = self.voice.say(report::SETTLED, &[self.brief.target_model.as_str()]);
            changes::between(&self.brief.prompt, &picture.prompt, &reason)
        };
        let technique = (!changes.is_empty()).then(|| self.voice.technique(report::MINIMAL, &[]));
        let techniques = technique.into_iter().collect();
        Candidate { label: VersionLabel::Conservative, techniques, picture, changes }
    }

    /// In the form that the target model's vendor advises.
    fn restructured(&self) -> Option<Candidate> {
        let corrected = self.mends.result();
        let target = self.brief.target_model;
        let (picture, says) = match self.mode {
            Some(mode) => (picture::of(&corrected, mode, target, true), report::SETTINGS),
            None if analyze::is_container(&corrected) => return None,
            None => (self.bare(layout::tagged(&corrected, target)?), report::TAGS),
        };
        let techniques = vec![self.voice.technique(says, &[target.as_str()])];
        let reason = self.voice.say(report::LAID_OUT, &[target.as_str()]);
        let changes = changes::between(&self.brief.prompt, &picture.prompt, &reason);
        Some(Candidate { label: VersionLabel::Restructured, picture, changes, techniques })
    }

    fn finish(
        &self,
        candidate: Candidate,
        integrity: Integrity,
        left: &[Finding],
    ) -> OptimizedVersion {
        let Candidate { label, picture, changes, techniques } = candidate;
        let target = self.brief.target_model;
        let [mut rationale, expected_impact, best_for] =
            report::summary(label, self.mode, &changes, left, target, &self.voice);
        for omitted in &picture.omitted {
            rationale = format!("{rationale} {}", omitted.told(target.as_str(), &self.voice));
        }
        OptimizedVersion {
            label,
            system_prompt: None,
            negative_prompt: picture.negative,
            parameters: picture.parameters,
            changes,
            techniques,
            rationale,
            expected_impact,
            best_for,
            score_before: analyze::score(&self.before),
            score_after: analyze::score(left),
            integrity,
            open_finding_ids: None,
            variables: analyze::variables_of(&picture.prompt),
            token_estimate: tokens::estimate(&picture.prompt, target),
            prompt: picture.prompt,
        }
    }
}

fn unusable() -> EngineError {
    let violation = Violation::new("integrity", "/versions", "no version kept everything");
    EngineError::Unusable { violations: vec![violation] }
}
