//! Rewriting many planted prompts, and counting.

use std::fmt;

use domain::Timestamp;
use engine::{Beside, Engine, EngineError, PromptBrief, RefineBrief, changes};
use futures::FutureExt;
use rules::Rules;

use super::planting::{Planted, Planter, missing};

/// Seed of all prompts.
const SEED: u64 = 20_260_101;
/// Losses that a report shows.
const SHOWN: usize = 12;

/// What rewriting many prompts came to.
#[derive(Default)]
pub struct Report {
    /// Prompts.
    pub prompts: usize,
    /// Literals planted in them.
    pub literals: usize,
    /// One line for each kind of rewrite.
    pub rewrites: Vec<Tally>,
}

/// What one kind of rewrite came to.
#[derive(Default)]
pub struct Tally {
    /// The kind.
    pub name: &'static str,
    /// Rewrites that were given back.
    pub made: usize,
    /// Those that kept every planted literal.
    pub whole: usize,
    /// Those that the engine's own check passes.
    pub passed: usize,
    /// Those whose changes, applied to the original, give exactly the rewrite.
    pub exact: usize,
    /// Those that differ from the original.
    pub changed: usize,
    /// Requests without a result.
    pub failed: usize,
    /// Descriptions of what went wrong.
    pub faults: Vec<String>,
}

/// A rewrite, whatever made it.
#[derive(Clone)]
struct Rewrite {
    prompt: String,
    /// The prompt with everything else that is handed over together with it.
    whole: String,
    changes: Vec<engine::Change>,
    passed: bool,
}

/// Rewrites the first `count` prompts.
pub fn run(count: usize) -> Report {
    let mut planter = Planter::new(SEED);
    let mut report = Report {
        prompts: count,
        rewrites: ["optimize, 1 version", "conservative", "restructured", "refine"]
            .map(|name| Tally { name, ..Tally::default() })
            .into(),
        ..Report::default()
    };
    for _ in 0..count {
        let planted = planter.plant();
        report.literals += [
            &planted.variables,
            &planted.code,
            &planted.numbers,
            &planted.quotations,
            &planted.addresses,
        ]
        .map(Vec::len)
        .iter()
        .sum::<usize>();
        report.rewrites[0].count(&planted, optimized(&planted, 1).map(|mut list| list.remove(0)));
        match optimized(&planted, 2) {
            Ok(mut list) => {
                // A prompt that has no other layout is its own second version.
                if let [only] = &list[..] {
                    list.push(only.clone());
                }
                for (tally, rewrite) in report.rewrites[1..3].iter_mut().zip(list) {
                    tally.count(&planted, Ok(rewrite));
                }
            }
            Err(error) => report.rewrites[1].count(&planted, Err(error)),
        }
        report.rewrites[3].count(&planted, refined(&planted));
    }
    report
}

fn optimized(planted: &Planted, variations: u8) -> Result<Vec<Rewrite>, EngineError> {
    let brief = PromptBrief {
        prompt: planted.prompt.clone(),
        context: planted.context.clone(),
        language: "en".to_owned(),
        target_model: planted.target,
        variations,
        images: Vec::new(),
    };
    let result =
        Rules.optimize(&brief, Timestamp::from_millis(0)).now_or_never().expect("at once")?;
    assert!((1..=usize::from(variations)).contains(&result.versions.len()));
    let rewrites = result.versions.into_iter().map(|version| {
        let negative = version.negative_prompt.unwrap_or_default();
        let settings = serde_json::to_string(&version.parameters).expect("JSON");
        Rewrite {
            whole: format!("{}\n{negative}\n{settings}", version.prompt),
            prompt: version.prompt,
            changes: version.changes,
            passed: version.integrity.passed,
        }
    });
    Ok(rewrites.collect())
}

fn refined(planted: &Planted) -> Result<Rewrite, EngineError> {
    let brief = RefineBrief {
        beside: Beside::default(),
        prompt: planted.prompt.clone(),
        feedback: planted.remark.clone(),
        language: "en".to_owned(),
        target_model: planted.target,
        images: Vec::new(),
    };
    let result =
        Rules.refine(&brief, Timestamp::from_millis(0)).now_or_never().expect("at once")?;
    Ok(Rewrite {
        whole: result.prompt.clone(),
        prompt: result.prompt,
        changes: result.changes,
        passed: result.integrity.passed,
    })
}

impl Tally {
    fn count(&mut self, planted: &Planted, rewrite: Result<Rewrite, EngineError>) {
        let rewrite = match rewrite {
            Ok(rewrite) => rewrite,
            Err(error) => {
                self.failed += 1;
                self.faults.push(format!("{error}\n{}", planted.prompt));
                return;
            }
        };
        let lost = missing(planted, &rewrite.whole);
        let applied = changes::apply(&planted.prompt, &rewrite.changes);
        let exact = applied.as_deref() == Some(rewrite.prompt.as_str());
        self.made += 1;
        self.whole += usize::from(lost.is_empty());
        self.passed += usize::from(rewrite.passed);
        self.exact += usize::from(exact);
        self.changed += usize::from(rewrite.prompt != planted.prompt);
        if !lost.is_empty() || !rewrite.passed || !exact {
            self.faults.push(format!(
                "lost {}; passed {}; exact {exact}; {}\n--- was\n{}\n--- is\n{}\n",
                lost.join(", "),
                rewrite.passed,
                planted.target.as_str(),
                planted.prompt,
                rewrite.whole
            ));
        }
    }

    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }
}

impl Report {
    /// Whether nothing went wrong with any rewrite.
    pub fn is_clean(&self) -> bool {
        self.rewrites.iter().all(Tally::is_clean)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} prompts, {} planted literals", self.prompts, self.literals)?;
        writeln!(
            f,
            "{:<20} {:>6} {:>9} {:>8} {:>8} {:>8} {:>7}",
            "", "made", "kept all", "passed", "exact", "changed", "failed"
        )?;
        for tally in &self.rewrites {
            let Tally { name, made, whole, passed, exact, changed, failed, .. } = tally;
            writeln!(
                f,
                "{name:<20} {made:>6} {whole:>9} {passed:>8} {exact:>8} {changed:>8} {failed:>7}"
            )?;
        }
        for tally in &self.rewrites {
            for fault in tally.faults.iter().take(SHOWN) {
                writeln!(f, "\n{}: {fault}", tally.name)?;
            }
        }
        Ok(())
    }
}
