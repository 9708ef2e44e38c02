//! Writing better versions of a prompt.

mod anatomy;
mod facts;
mod layout;
mod local;
pub(super) mod material;
mod report;
mod visual;

use self::facts::Facts;
use self::layout::{Additions, Layout};
use self::visual::Picture;
use super::wording::{Tongue, Voice};
use super::{analyze, outline::Outline};
use crate::changes::{self, Edits};
use crate::{
    AnalyzedOptimization, Change, EngineError, Finding, Integrity, Mode, Optimization,
    OptimizedVersion, PromptBrief, Technique, Variable, VersionLabel, integrity, tokens, variables,
};

pub(super) use self::local::correct;
pub(super) use self::visual::LONGEST as LONGEST_DESCRIPTION;

/// Writes one or two better versions of a prompt, which keep everything that it says.
///
/// # Errors
///
/// [`EngineError::Rejected`] for a prompt without visible text, [`EngineError::Unusable`] if no version
/// keeps what the prompt has.
pub fn optimize(brief: &PromptBrief) -> Result<Optimization, EngineError> {
    let work = Work::of(brief)?;
    let versions = work.versions()?;
    Ok(Optimization {
        original_prompt: brief.prompt.clone(),
        implementation_advice: report::advice(&versions, brief.target_model, &work.voice),
        versions,
        language: work.voice.tag().to_owned(),
        engine: super::identity(),
    })
}

/// Both analyses and optimizes. A finding is resolved if no version has it any more.
///
/// # Errors
///
/// Those of [`optimize`] and of analyzing.
pub fn analyze_and_optimize(brief: &PromptBrief) -> Result<AnalyzedOptimization, EngineError> {
    let analysis = analyze::analyze(brief)?;
    let result = optimize(brief)?;
    let after: Vec<Vec<Finding>> = result
        .versions
        .iter()
        .map(|version| analyze::findings_in(&version.prompt, brief))
        .collect();
    let (resolved, open) = analysis
        .findings
        .iter()
        .partition::<Vec<_>, _>(|finding| !after.iter().any(|left| remains(finding, left)));
    let ids = |list: Vec<&Finding>| list.into_iter().map(|finding| finding.id.clone()).collect();
    Ok(AnalyzedOptimization {
        resolved_finding_ids: ids(resolved),
        open_finding_ids: ids(open),
        versions: result.versions,
        analysis,
        engine: result.engine,
    })
}

/// Whether the same rule still finds fault with the same words.
fn remains(finding: &Finding, left: &[Finding]) -> bool {
    left.iter().any(|other| other.rule_id == finding.rule_id && other.quote == finding.quote)
}

/// A version before it is known whether it can be given out.
struct Candidate {
    label: VersionLabel,
    picture: Picture,
    changes: Vec<Change>,
    techniques: Vec<Technique>,
    parts: Vec<String>,
}

/// What is known about a request.
struct Work<'a> {
    brief: &'a PromptBrief,
    voice: Voice,
    tongue: Tongue,
    facts: Facts,
    mode: Option<Mode>,
    before: u8,
}

impl<'a> Work<'a> {
    fn of(brief: &'a PromptBrief) -> Result<Self, EngineError> {
        if !brief.prompt.chars().any(|c| !c.is_whitespace() && !c.is_control()) {
            return Err(EngineError::Rejected {
                reason: "the prompt has no visible text".to_owned(),
            });
        }
        Ok(Self {
            voice: Voice::of(&brief.language),
            tongue: Tongue::of(&brief.prompt),
            facts: Facts::of(&brief.context, &brief.prompt),
            mode: visual::mode_of(brief.target_model),
            before: score(&brief.prompt, brief),
            brief,
        })
    }

    fn versions(&self) -> Result<Vec<OptimizedVersion>, EngineError> {
        let edits = correct(&self.brief.prompt, self.tongue, &self.voice);
        let conservative = || self.first(self.conservative(&edits));
        let restructured = || self.first(self.restructured(&edits));
        if self.brief.variations >= 2 {
            let careful = conservative()?;
            let bold = match restructured() {
                Ok(version) => version,
                // What cannot be laid out anew is still given in its corrected form.
                Err(_) => self.as_restructured(careful.clone()),
            };
            return Ok(vec![careful, bold]);
        }
        Ok(vec![match restructured() {
            Ok(version) => version,
            Err(_) => conservative()?,
        }])
    }

    /// The first candidate that loses nothing and scores no less than the original.
    fn first(
        &self,
        candidates: impl Iterator<Item = Candidate>,
    ) -> Result<OptimizedVersion, EngineError> {
        for candidate in candidates {
            let picture = &candidate.picture;
            let beside = if self.mode.is_some() { picture.beside() } else { String::new() };
            let integrity =
                integrity::check_beside(&self.brief.prompt, &picture.prompt, &beside, "");
            if !integrity.passed || self.is_too_long(&candidate.picture.prompt) {
                continue;
            }
            let after = score(&candidate.picture.prompt, self.brief);
            if after >= self.before {
                return Ok(self.finish(candidate, integrity, after));
            }
        }
        Err(EngineError::Unusable { reason: "no version kept everything".to_owned() })
    }

    /// Whether a version breaks the model's limit that the original kept.
    fn is_too_long(&self, prompt: &str) -> bool {
        let most = self.brief.target_model.model().max_prompt_chars;
        prompt.chars().count() > most && self.brief.prompt.chars().count() <= most
    }

    /// Corrected in place, from the most help to none.
    fn conservative<'e>(&'e self, edits: &'e Edits<'_>) -> impl Iterator<Item = Candidate> + 'e {
        (0..4).filter_map(move |step| match (step, self.mode) {
            (0, Some(mode)) => {
                let mut picture = visual::settled(&edits.result(), self.brief, mode);
                picture.techniques.clear();
                Some(self.plain(picture, edits))
            }
            (0, None) => {
                let mut edits = edits.clone();
                report::supplement(&mut edits, self.brief, &self.facts, self.tongue, &self.voice)
                    .then(|| self.plain(self.bare(edits.result()), &edits))
            }
            (1, _) => Some(self.plain(self.bare(edits.result()), edits)),
            (2, _) => {
                let none = Edits::new(&self.brief.prompt);
                Some(self.plain(self.bare(self.brief.prompt.clone()), &none))
            }
            _ => None,
        })
    }

    fn bare(&self, prompt: String) -> Picture {
        let parameters = match self.mode {
            Some(mode) => visual::settled(&prompt, self.brief, mode).parameters,
            None => self.brief.target_model.model().parameters.clone(),
        };
        Picture { prompt, negative: None, parameters, techniques: Vec::new() }
    }

    fn plain(&self, picture: Picture, edits: &Edits<'_>) -> Candidate {
        let changes = if edits.result() == picture.prompt {
            edits.changes()
        } else {
            let reason = self.voice.say(report::SETTLED, &[self.brief.target_model.as_str()]);
            changes::between(&self.brief.prompt, &picture.prompt, &reason)
        };
        Candidate {
            label: VersionLabel::Conservative,
            techniques: report::conservative(&changes, &self.voice),
            picture,
            changes,
            parts: Vec::new(),
        }
    }

    /// Laid out anew, with and without additions.
    fn restructured<'e>(&'e self, edits: &'e Edits<'_>) -> impl Iterator<Item = Candidate> + 'e {
        let corrected = edits.result();
        let original = &self.brief.prompt;
        (0..3).filter_map(move |step| {
            let (text, additions) = match step {
                0 => (corrected.as_str(), Additions::Scaffold),
                1 => (corrected.as_str(), Additions::None),
                _ => (original.as_str(), Additions::None),
            };
            match self.mode {
                Some(mode) => {
                    let picture = visual::recomposed(text, self.brief, mode)?;
                    let techniques = report::voiced(picture.techniques.clone(), self.voice.tag());
                    Some(self.laid(picture, techniques, Vec::new()))
                }
                None => {
                    let layout = layout::lay_out(
                        text,
                        self.brief.target_model,
                        &self.facts,
                        self.tongue,
                        additions,
                    )?;
                    Some(self.of_layout(layout))
                }
            }
        })
    }

    fn of_layout(&self, layout: Layout) -> Candidate {
        let techniques = report::techniques(&layout, self.brief.target_model, &self.voice);
        let headings: Vec<String> = Outline::of(&layout.prompt)
            .sections()
            .into_iter()
            .map(|section| section.heading)
            .collect();
        self.laid(self.bare(layout.prompt), techniques, headings)
    }

    fn laid(&self, picture: Picture, techniques: Vec<Technique>, parts: Vec<String>) -> Candidate {
        let reason = self.voice.say(report::LAID_OUT, &[self.brief.target_model.as_str()]);
        Candidate {
            label: VersionLabel::Restructured,
            changes: changes::between(&self.brief.prompt, &picture.prompt, &reason),
            picture,
            techniques,
            parts,
        }
    }

    /// A corrected version that stands in for a restructured one.
    fn as_restructured(&self, version: OptimizedVersion) -> OptimizedVersion {
        OptimizedVersion {
            label: VersionLabel::Restructured,
            rationale: self.voice.say(report::NOTHING_TO_LAY_OUT, &[]),
            ..version
        }
    }

    fn finish(&self, candidate: Candidate, integrity: Integrity, after: u8) -> OptimizedVersion {
        let Candidate { label, picture, changes, techniques, parts } = candidate;
        let target = self.brief.target_model;
        let says = report::summary(label, self.mode, &changes, &parts, target, &self.voice);
        let agent = self.mode.is_none()
            && target.model().system_prompt
            && Outline::of(&picture.prompt).text(super::dialect::Part::Role).is_some()
            && layout::goal_of(&self.brief.prompt).task.mode == Mode::Agent;
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
            score_before: self.before,
            score_after: after,
            integrity,
            variables: list_variables(&picture.prompt),
            token_estimate: tokens::estimate(&picture.prompt, target),
            prompt: picture.prompt,
        }
    }
}

fn score(prompt: &str, brief: &PromptBrief) -> u8 {
    analyze::score(&analyze::findings_in(prompt, brief))
}

/// The variables of a prompt; what to fill in is not known.
pub(super) fn list_variables(prompt: &str) -> Vec<Variable> {
    variables::find(prompt)
        .into_iter()
        .map(|variable| Variable {
            name: variable.name.to_owned(),
            description: None,
            default_value: None,
            occurrences: variable.occurrences,
        })
        .collect()
}
