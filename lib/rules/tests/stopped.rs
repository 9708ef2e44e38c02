//! Work that a budget stops. A program of its own, so that nothing is made before.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

use budget::Budget;
use domain::Timestamp;
use engine::{Beside, Engine, PromptBrief, RefineBrief, TargetModel};
use futures::FutureExt;
use rules::Rules;

#[test]
fn what_is_made_at_its_first_use_is_made_though_the_work_is_stopped() {
    let until = Timestamp::from_millis(0);
    let (language, target_model) = ("en".to_owned(), TargetModel::default());
    let prompt = PromptBrief {
        prompt: "Write at most 300 words about tea for beginners, in a friendly tone.".to_owned(),
        context: "The shop sells \"Sencha\" for 20 EUR.".to_owned(),
        language: language.clone(),
        target_model,
        variations: 2,
        images: Vec::new(),
    };
    let feedback = "Make it shorter and more formal, in German.".to_owned();
    let refinement = RefineBrief {
        beside: Beside::default(),
        prompt: prompt.prompt.clone(),
        feedback,
        language,
        target_model,
        images: Vec::new(),
    };
    let work = || {
        let made = Rules.analyze_and_optimize(&prompt, until).now_or_never().unwrap().unwrap();
        let refined = Rules.refine(&refinement, until).now_or_never().unwrap().unwrap();
        (made.versions.len(), refined.changes.len())
    };
    let mut stopped = 0;
    let done = (0..)
        .find_map(|round| {
            let done = Budget::of(100 << round).pay(work).ok();
            stopped += u32::from(done.is_none());
            done
        })
        .unwrap();
    assert!(stopped > 5, "{stopped} rounds were stopped");
    assert_eq!(done, work());
}
