//! Writing better versions of a prompt.
//!
//! The conservative version is what the rules' own mends make of the prompt; the restructured one has the form that the
//! target model's vendor advises. A version is given out only if nothing that must stay is lost and the rules find no
//! more fault with it.

mod layout;
mod report;
mod versions;

use self::versions::Work;
use super::analyze;
use engine::{
    AnalyzedOptimization, EngineError, EngineIdentity, Finding, Optimization, PromptBrief,
};

/// Writes one or two better versions of a prompt, which keep everything that it says.
///
/// # Errors
///
/// [`EngineError::Rejected`] for a prompt without visible text, [`EngineError::Unusable`] if no version
/// keeps what the prompt has.
pub fn optimize(brief: &PromptBrief) -> Result<Optimization, EngineError> {
    let review = analyze::review(brief)?;
    let work = Work::of(brief, &review, review.findings());
    let checked = work.versions()?;
    let versions: Vec<_> = checked.into_iter().map(|checked| checked.version).collect();
    Ok(Optimization {
        original_prompt: brief.prompt.clone(),
        implementation_advice: report::advice(&versions, brief, &work.voice),
        versions,
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
    })
}

/// Both analyses and optimizes. A finding is resolved if no version has it any more.
///
/// # Errors
///
/// Those of [`optimize`] and of analyzing.
pub fn analyze_and_optimize(brief: &PromptBrief) -> Result<AnalyzedOptimization, EngineError> {
    let review = analyze::review(brief)?;
    let analysis = analyze::report(&review, brief);
    let mut versions = Work::of(brief, &review, analysis.findings.clone()).versions()?;
    for checked in &mut versions {
        let open = analysis.findings.iter().filter(|finding| remains(finding, &checked.left));
        checked.version.open_finding_ids = Some(open.map(|finding| finding.id.clone()).collect());
    }
    let (resolved, open) = analysis.findings.iter().partition::<Vec<_>, _>(|finding| {
        !versions.iter().any(|checked| remains(finding, &checked.left))
    });
    let ids = |list: Vec<&Finding>| list.into_iter().map(|finding| finding.id.clone()).collect();
    Ok(AnalyzedOptimization {
        resolved_finding_ids: ids(resolved),
        open_finding_ids: ids(open),
        versions: versions.into_iter().map(|checked| checked.version).collect(),
        analysis,
        engine: EngineIdentity::rules(),
    })
}

/// Whether the same rule still finds fault with the same words.
fn remains(finding: &Finding, left: &[Finding]) -> bool {
    left.iter().any(|other| other.rule_id == finding.rule_id && other.quote == finding.quote)
}
