//! The versions of a prompt: what they may be, and which of them can be given out.

use super::layout::{self, Additions, Layout};
use super::{report, scaffold};
use crate::analyze::{self, Review, UNSTATED};
use crate::dialect::Part;
use crate::facts::Facts;
use crate::outline::Outline;
use crate::visual::rewrite::{self as visual, Picture};
use crate::wording::{Tongue, Voice};
use crate::{imperative, repeated};
use engine::changes::{self, Edits};
use engine::{
    Change, EngineError, Finding, Integrity, Mode, OptimizedVersion, PromptBrief, Technique,
    VersionLabel, Violation,
    integrity::{self, Asked},
    tokens,
};
use patterns::pattern;

/// A version has at most so many characters more than the prompt and its context.
const MOST_ADDED: usize = 2000;

/// A version before it is known whether it can be given out.
struct Candidate {
    label: VersionLabel,
    picture: Picture,
    changes: Vec<Change>,
    techniques: Vec<Technique>,
    layout: Option<Layout>,
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
    tongue: Tongue,
    facts: &'a Facts,
    mode: Option<Mode>,
    before: Vec<Finding>,
    mends: Edits<'a>,
    /// The prompt without lines that only fill it.
    distinct: String,
}

impl<'a> Work<'a> {
    /// Begins to work on a prompt in which the rules found `before`.
    pub fn of(brief: &'a PromptBrief, review: &'a Review<'a>, before: Vec<Finding>) -> Self {
        let distinct = repeated::without(&brief.prompt);
        Self {
            voice: Voice::of(&brief.language),
            tongue: Tongue::of(&distinct),
            facts: &review.facts,
            mode: visual::mode_of(brief.target_model),
            before,
            mends: review.mends(),
            distinct,
            brief,
        }
    }

    /// One or two versions, the conservative one first.
    ///
    /// # Errors
    ///
    /// [`EngineError::Unusable`] if none keeps what the prompt has.
    pub fn versions(&self) -> Result<Vec<Checked>, EngineError> {
        let conservative = || self.first(self.conservative());
        let restructured = || self.first(self.restructured());
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
    fn first(&self, candidates: impl Iterator<Item = Candidate>) -> Option<Checked> {
        let mut worse: Option<String> = None;
        for candidate in candidates {
            let prompt = &candidate.picture.prompt;
            let known = worse.as_ref() == Some(prompt);
            let integrity = self.keeps_everything(&candidate.picture);
            let Some(integrity) = integrity.filter(|_| !known) else { continue };
            let left = if *prompt == self.brief.prompt {
                self.before.clone()
            } else {
                Review::of(prompt, self.brief).findings()
            };
            if analyze::score(&left) >= analyze::score(&self.before) {
                return Some(Checked { version: self.finish(candidate, integrity, &left), left });
            }
            worse = Some(candidate.picture.prompt);
        }
        None
    }

    /// What is to be said about a version that has all that must stay, and no more length than it may.
    fn keeps_everything(&self, picture: &Picture) -> Option<Integrity> {
        let beside = if self.mode.is_some() { picture.beside() } else { String::new() };
        // The context may be in another language and must not stand in for what is lost.
        let own = match self.facts.text(self.tongue) {
            facts if facts.is_empty() => picture.prompt.clone(),
            facts => picture.prompt.replacen(&facts, "", 1),
        };
        let taken = picture.waived();
        let asked = Asked::by("", &self.brief.language).taking(&taken);
        let integrity = integrity::check(&self.distinct, &own, &beside, &asked);
        (integrity.passed && !self.is_too_long(&picture.prompt)).then_some(integrity)
    }

    /// Whether a version breaks the model's limit that the original kept, or is mostly padding.
    fn is_too_long(&self, prompt: &str) -> bool {
        let most = self.brief.target_model.model().max_prompt_chars;
        let (length, given) = (prompt.chars().count(), self.brief.prompt.chars().count());
        length > most && given <= most
            || length > given + self.brief.context.chars().count() + MOST_ADDED
    }

    /// Mended in place, with all mends and with none.
    fn conservative(&self) -> impl Iterator<Item = Candidate> + '_ {
        let original = &self.brief.prompt;
        (0..4).filter_map(move |step| match (step, self.mode) {
            (0, Some(mode)) => {
                let mut picture = visual::settled(&self.mends.result(), self.brief, mode);
                picture.techniques.clear();
                Some(self.mended(picture))
            }
            // Another model's parameters never stay as they are.
            (1, Some(mode)) if visual::has_foreign_parameters(self.brief) => {
                let picture = visual::recomposed(original, self.brief, mode)?;
                Some(self.mended(Picture { techniques: Vec::new(), ..picture }))
            }
            (2, _) => Some(self.mended(self.bare(self.mends.result()))),
            (3, _) => Some(self.mended(self.bare(original.clone()))),
            _ => None,
        })
    }

    fn bare(&self, prompt: String) -> Picture {
        let parameters = match self.mode {
            Some(mode) => visual::settings(&prompt, self.brief, mode),
            None => self.brief.target_model.model().parameters.clone(),
        };
        Picture { prompt, parameters, ..Picture::default() }
    }

    /// A version with the mends, and what else may have been done to it.
    fn mended(&self, picture: Picture) -> Candidate {
        let changes = if self.mends.result() == picture.prompt {
            self.mends.changes()
        } else {
            let reason = self.voice.say(report::SETTLED, &[self.brief.target_model.as_str()]);
            changes::between(&self.brief.prompt, &picture.prompt, &reason)
        };
        self.plain(picture, changes)
    }

    fn plain(&self, picture: Picture, changes: Vec<Change>) -> Candidate {
        Candidate {
            label: VersionLabel::Conservative,
            techniques: report::conservative(&changes, &self.voice),
            picture,
            changes,
            layout: None,
        }
    }

    /// Laid out anew, with and without additions.
    fn restructured(&self) -> impl Iterator<Item = Candidate> + '_ {
        // What the context says has its own place in a layout.
        let corrected = self.mends.clone().without(UNSTATED).result();
        let target = self.brief.target_model;
        let reason = self.voice.say(report::LAID_OUT, &[target.as_str()]);
        [Additions::Scaffold, Additions::None].into_iter().filter_map(move |additions| {
            let (picture, techniques, layout) = match self.mode {
                Some(mode) => {
                    let picture = visual::recomposed(&corrected, self.brief, mode)?;
                    let techniques = report::voiced(picture.techniques.clone(), self.voice.tag());
                    (picture, techniques, None)
                }
                None => {
                    let layout =
                        layout::lay_out(&corrected, target, self.facts, self.tongue, additions)?;
                    let techniques = report::techniques(&layout, target, &self.voice);
                    (self.bare(layout.prompt.clone()), techniques, Some(layout))
                }
            };
            let changes = changes::between(&self.brief.prompt, &picture.prompt, &reason);
            let label = VersionLabel::Restructured;
            Some(Candidate { label, picture, changes, techniques, layout })
        })
    }

    /// The language of a prompt that is too short for statistics, where its words tell it.
    fn spoken(&self) -> Option<&'static str> {
        let english = || {
            let words = pattern!(r"(?i)\b{optimize_language.frequent_en}\b");
            let mut lines = self.distinct.lines();
            words.is_match(&self.distinct) || lines.any(imperative::starts_work)
        };
        (self.tongue.tag != "en" || english()).then_some(self.tongue.tag)
    }

    fn finish(
        &self,
        candidate: Candidate,
        mut integrity: Integrity,
        left: &[Finding],
    ) -> OptimizedVersion {
        let Candidate { label, picture, changes, techniques, layout } = candidate;
        if integrity.language_in == "und"
            && integrity.language_out == "und"
            && let Some(tag) = self.spoken()
        {
            tag.clone_into(&mut integrity.language_in);
            tag.clone_into(&mut integrity.language_out);
        }
        let target = self.brief.target_model;
        let made = report::Made { label, mode: self.mode, changes: &changes, layout, left };
        let mut says = report::summary(&made, target, &self.voice);
        for omitted in &picture.omitted {
            let remark = self.voice.say(omitted.remark(), &[target.as_str(), &omitted.words()]);
            says.rationale = format!("{} {remark}", says.rationale);
        }
        let agent = self.mode.is_none()
            && target.model().system_prompt
            && Outline::of(&picture.prompt).text(Part::Role).is_some()
            && scaffold::goal_of(&self.brief.prompt).task.mode == Mode::Agent;
        OptimizedVersion {
            label,
            system_prompt: agent.then(|| picture.prompt.clone()),
            negative_prompt: picture.negative,
            parameters: picture.parameters,
            changes,
            techniques,
            rationale: says.rationale,
            expected_impact: says.impact,
            best_for: says.best_for,
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
