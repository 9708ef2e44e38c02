//! Writing better versions of a prompt.

mod anatomy;
mod courtesy;
pub mod examples;
mod facts;
mod layout;
mod local;
pub(super) mod material;
mod report;

use self::facts::Facts;
use self::layout::{Additions, Layout};
use super::visual::rewrite::{self as visual, Picture};
use super::wording::{Tongue, Voice};
use super::{analyze, outline::Outline};
use crate::changes::{self, Edits};
use crate::{
    AnalyzedOptimization, Change, EngineError, Finding, Integrity, Mode, Optimization,
    OptimizedVersion, PromptBrief, Severity, Technique, Variable, VersionLabel, integrity, tokens,
    variables,
};
use patterns::pattern;

pub(super) use self::local::correct;

/// Writes one or two better versions of a prompt, which keep everything that it says.
///
/// # Errors
///
/// [`EngineError::Rejected`] for a prompt without visible text, [`EngineError::Unusable`] if no version
/// keeps what the prompt has.
pub fn optimize(brief: &PromptBrief) -> Result<Optimization, EngineError> {
    if !brief.prompt.chars().any(|c| !c.is_whitespace() && !c.is_control()) {
        return Err(EngineError::Rejected { reason: "the prompt has no visible text".to_owned() });
    }
    let work = Work::of(brief, analyze::findings_in(&brief.prompt, brief));
    let checked = work.versions()?;
    let is_open = checked
        .last()
        .is_some_and(|last| last.left.iter().any(|finding| finding.severity >= Severity::Medium));
    let versions: Vec<_> = checked.into_iter().map(|checked| checked.version).collect();
    Ok(Optimization {
        original_prompt: brief.prompt.clone(),
        implementation_advice: report::advice(&versions, brief, is_open, &work.voice),
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
    let versions = Work::of(brief, analysis.findings.clone()).versions()?;
    let (resolved, open) = analysis.findings.iter().partition::<Vec<_>, _>(|finding| {
        !versions.iter().any(|checked| remains(finding, &checked.left))
    });
    let ids = |list: Vec<&Finding>| list.into_iter().map(|finding| finding.id.clone()).collect();
    Ok(AnalyzedOptimization {
        resolved_finding_ids: ids(resolved),
        open_finding_ids: ids(open),
        versions: versions.into_iter().map(|checked| checked.version).collect(),
        analysis,
        engine: super::identity(),
    })
}

/// Whether the same rule still finds fault with the same words.
fn remains(finding: &Finding, left: &[Finding]) -> bool {
    left.iter().any(|other| other.rule_id == finding.rule_id && other.quote == finding.quote)
}

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
struct Checked {
    version: OptimizedVersion,
    left: Vec<Finding>,
}

/// What is known about a request.
struct Work<'a> {
    brief: &'a PromptBrief,
    voice: Voice,
    tongue: Tongue,
    facts: Facts,
    mode: Option<Mode>,
    before: Vec<Finding>,
    /// The prompt without lines that only fill it.
    distinct: String,
}

impl<'a> Work<'a> {
    /// Begins to work on a prompt in which the rules found `before`.
    fn of(brief: &'a PromptBrief, before: Vec<Finding>) -> Self {
        let distinct = local::distinct(&brief.prompt);
        let mut facts = Facts::of(&brief.context, &brief.prompt);
        // What the prompt points to and does not have is what came with it.
        let points = |findings: &[Finding]| {
            findings.iter().any(|finding| {
                matches!(finding.rule_id.as_str(), "missing_material" | "unresolved_reference")
            })
        };
        let alone = || {
            let brief = PromptBrief { context: String::new(), ..brief.clone() };
            analyze::findings_in(&brief.prompt, &brief)
        };
        if !facts.sentences.is_empty() && (points(&before) || points(&alone())) {
            facts.keep_whole();
        }
        Self {
            voice: Voice::of(&brief.language),
            tongue: Tongue::of(&distinct),
            facts,
            mode: visual::mode_of(brief.target_model),
            before,
            distinct,
            brief,
        }
    }

    fn versions(&self) -> Result<Vec<Checked>, EngineError> {
        let edits = correct(&self.brief.prompt, self.tongue, &self.voice);
        let conservative = || self.first(self.conservative(&edits));
        let restructured = || self.first(self.restructured(&edits));
        if self.brief.variations >= 2 {
            let careful = conservative()?;
            // What cannot be laid out anew, or is so already, has one version.
            let careful_one = &careful.version;
            let differs = |Checked { version: bold, .. }: &Checked| {
                (&bold.prompt, &bold.negative_prompt, &bold.parameters)
                    != (&careful_one.prompt, &careful_one.negative_prompt, &careful_one.parameters)
            };
            let bold = restructured().ok().filter(differs);
            return Ok([Some(careful), bold].into_iter().flatten().collect());
        }
        Ok(vec![match restructured() {
            Ok(version) => version,
            Err(_) => conservative()?,
        }])
    }

    /// The first candidate that loses nothing and scores no less than the original.
    fn first(&self, candidates: impl Iterator<Item = Candidate>) -> Result<Checked, EngineError> {
        for candidate in candidates {
            let picture = &candidate.picture;
            let beside = if self.mode.is_some() { picture.beside() } else { String::new() };
            // The context may be in another language and must not stand in for what is lost.
            let own = match self.facts.text(self.tongue) {
                facts if facts.is_empty() => picture.prompt.clone(),
                facts => picture.prompt.replacen(&facts, "", 1),
            };
            let integrity =
                integrity::check_beside(&self.distinct, &own, &beside, &picture.waived());
            if !integrity.passed || self.is_too_long(&candidate.picture.prompt) {
                continue;
            }
            let left = if candidate.picture.prompt == self.brief.prompt {
                self.before.clone()
            } else {
                analyze::findings_in(&candidate.picture.prompt, self.brief)
            };
            if analyze::score(&left) >= analyze::score(&self.before) {
                return Ok(Checked { version: self.finish(candidate, integrity, &left), left });
            }
        }
        Err(EngineError::Unusable { reason: "no version kept everything".to_owned() })
    }

    /// Whether a version breaks the model's limit that the original kept, or is mostly padding.
    fn is_too_long(&self, prompt: &str) -> bool {
        let most = self.brief.target_model.model().max_prompt_chars;
        let (length, given) = (prompt.chars().count(), self.brief.prompt.chars().count());
        length > most && given <= most
            || length > given + self.brief.context.chars().count() + MOST_ADDED
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
                let (facts, before) = (&self.facts, &self.before);
                report::supplement(&mut edits, self.brief, facts, before, self.tongue, &self.voice)
                    .then(|| self.plain(self.bare(edits.result()), &edits))
            }
            // Another model's parameters never stay as they are.
            (1, Some(mode)) if visual::has_foreign_parameters(self.brief) => {
                let picture = visual::recomposed(&self.brief.prompt, self.brief, mode)?;
                Some(self.plain(Picture { techniques: Vec::new(), ..picture }, edits))
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
            Some(mode) => visual::settings(&prompt, self.brief, mode),
            None => self.brief.target_model.model().parameters.clone(),
        };
        Picture { prompt, parameters, ..Picture::default() }
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
            layout: None,
        }
    }

    /// Laid out anew, with and without additions.
    fn restructured<'e>(&'e self, edits: &'e Edits<'_>) -> impl Iterator<Item = Candidate> + 'e {
        let corrected = edits.result();
        let original = &self.brief.prompt;
        let lay = move |text: &str, additions: Additions| {
            layout::lay_out(text, self.brief.target_model, &self.facts, self.tongue, additions)
        };
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
                    Some(self.laid(picture, techniques, None))
                }
                None => {
                    // Words that only filled it do not make a prompt long enough for parts.
                    let lays = step < 2 || lay(&corrected, Additions::None).is_some();
                    let layout = lay(text, additions).filter(|_| lays)?;
                    Some(self.of_layout(layout))
                }
            }
        })
    }

    /// The language of a prompt that is too short for statistics, where its words tell it.
    fn spoken(&self) -> Option<&'static str> {
        let english = || {
            let words = pattern!(r"(?i)\b{optimize_language.frequent_en}\b");
            let mut lines = self.distinct.lines();
            words.is_match(&self.distinct) || lines.any(super::imperative::starts_work)
        };
        (self.tongue.tag != "en" || english()).then_some(self.tongue.tag)
    }

    fn of_layout(&self, layout: Layout) -> Candidate {
        let techniques = report::techniques(&layout, self.brief.target_model, &self.voice);
        self.laid(self.bare(layout.prompt.clone()), techniques, Some(layout))
    }

    fn laid(
        &self,
        picture: Picture,
        techniques: Vec<Technique>,
        layout: Option<Layout>,
    ) -> Candidate {
        let reason = self.voice.say(report::LAID_OUT, &[self.brief.target_model.as_str()]);
        Candidate {
            label: VersionLabel::Restructured,
            changes: changes::between(&self.brief.prompt, &picture.prompt, &reason),
            picture,
            techniques,
            layout,
        }
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
            score_before: analyze::score(&self.before),
            score_after: analyze::score(left),
            integrity,
            variables: list_variables(&picture.prompt),
            token_estimate: tokens::estimate(&picture.prompt, target),
            prompt: picture.prompt,
        }
    }
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
