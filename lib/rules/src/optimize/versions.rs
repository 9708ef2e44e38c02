//! The versions of a prompt: what they may be, and which of them can be given out.

use super::{layout, report};
use crate::analyze::{self, Review};
use crate::visual::{
    family,
    picture::{self, Picture},
};
use crate::wording::Voice;
use engine::changes::{self, Edits};
use engine::{
    EngineError, Finding, Integrity, Mode, OptimizedVersion, PromptBrief, VersionLabel, Violation,
    integrity::{self, Asked},
    tokens,
};

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
        let (mended, target) = (self.mends.result(), self.brief.target_model);
        let made = |asked| self.mode.map(|mode| picture::of(&mended, mode, target, asked));
        let laid_out = || layout::tagged(&mended, target).map(|text| self.bare(&text));
        let bold = self.first(VersionLabel::Restructured, made(true).or_else(laid_out));
        if let (Some(_), 0 | 1) = (&bold, self.brief.variations) {
            return Ok(bold.into_iter().collect());
        }
        let bare = [&mended, &self.brief.prompt].map(|prompt| self.bare(prompt));
        let careful = made(false).into_iter().chain(bare);
        let careful = self.first(VersionLabel::Conservative, careful).ok_or_else(|| {
            let said = Violation::new("integrity", "/versions", "no version kept everything");
            EngineError::Unusable { violations: vec![said] }
        })?;
        // What is so already has one version.
        let differs = |bold: &Checked| {
            let (bold, careful) = (&bold.version, &careful.version);
            bold.prompt != careful.prompt || bold.beside() != careful.beside()
        };
        let bold = bold.filter(differs);
        Ok([Some(careful), bold].into_iter().flatten().collect())
    }

    /// The first of some pictures and prompts that loses nothing and scores no less than the original.
    fn first(
        &self,
        label: VersionLabel,
        made: impl IntoIterator<Item = Picture>,
    ) -> Option<Checked> {
        made.into_iter().find_map(|picture| {
            let integrity = self.keeps_everything(&picture)?;
            let left = if picture.prompt == self.brief.prompt {
                self.before.clone()
            } else {
                Review::of(&picture.prompt, self.brief).findings()
            };
            (analyze::score(&left) >= analyze::score(&self.before))
                .then(|| Checked { version: self.finish(label, picture, integrity, &left), left })
        })
    }

    /// What is to be said about a version that has all that must stay, and breaks no limit of the model that the original
    /// kept.
    fn keeps_everything(&self, picture: &Picture) -> Option<Integrity> {
        let beside = if self.mode.is_some() { picture.beside.text() } else { String::new() };
        // What the model has no parameter for is said; what it has no place for in the picture stays, or is reported.
        let taken = format!("{}\n{}", picture.omitted.join("\n"), picture.superseded);
        let asked = Asked::by("", &self.brief.language).taking(&taken);
        let integrity = integrity::check(&self.brief.prompt, &picture.prompt, &beside, &asked);
        let most = self.brief.target_model.model().max_prompt_chars;
        let [length, given] = [&picture.prompt, &self.brief.prompt].map(|it| it.chars().count());
        (integrity.passed && length <= most.max(given)).then_some(integrity)
    }

    /// A prompt whose words stay, with its parameters.
    fn bare(&self, prompt: &str) -> Picture {
        let target = self.brief.target_model;
        match self.mode {
            Some(mode) => picture::unchanged(prompt, mode, target),
            None => Picture::with(prompt, target.model().parameters.clone()),
        }
    }

    fn finish(
        &self,
        label: VersionLabel,
        picture: Picture,
        integrity: Integrity,
        left: &[Finding],
    ) -> OptimizedVersion {
        let (target, voice) = (self.brief.target_model, &self.voice);
        let changes = if self.mends.result() == picture.prompt {
            self.mends.changes()
        } else {
            let reason = match (label, self.mode) {
                (VersionLabel::Conservative, _) => report::SETTLED,
                (VersionLabel::Restructured, Some(_)) => report::SEEN,
                (VersionLabel::Restructured, None) => report::LAID_OUT,
            };
            let reason = voice.say(reason, &[target.as_str()]);
            changes::between(&self.brief.prompt, &picture.prompt, &reason)
        };
        let technique = match label {
            VersionLabel::Restructured => {
                Some(self.mode.map_or(report::TAGS, |_| report::SETTINGS))
            }
            VersionLabel::Conservative => (!changes.is_empty()).then_some(report::MINIMAL),
        };
        let [mut rationale, expected_impact, best_for] =
            report::summary(label, self.mode.is_some(), &changes, left, target, voice);
        if let Some(left_out) = picture.left_out(target, voice) {
            rationale = format!("{rationale} {left_out}");
        }
        let told = technique.map(|technique| voice.technique(technique, &[target.as_str()]));
        OptimizedVersion {
            label,
            system_prompt: None,
            negative_prompt: picture.beside.negative_prompt,
            parameters: picture.beside.parameters,
            changes,
            techniques: told.into_iter().collect(),
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
