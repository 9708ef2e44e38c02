//! Rewrites of prompts whose literals are known lose none of them.
#![allow(dead_code)]

#[path = "../../examples/integrity/planting.rs"]
mod planting;
#[path = "../../examples/integrity/sweep.rs"]
mod sweep;

/// The first of the 2,000 prompts that `examples/integrity` rewrites: all 37 targets twice.
const COUNT: usize = 74;

#[test]
fn no_rewrite_loses_a_planted_literal() {
    rewrite_planted(COUNT);
}

#[test]
#[ignore = "takes most of a minute"]
fn no_rewrite_loses_a_planted_literal_in_many_prompts() {
    rewrite_planted(300);
}

fn rewrite_planted(count: usize) {
    let report = sweep::run(count);
    assert!(report.literals > 6 * count, "{report}");
    assert!(report.is_clean(), "{report}");
    for tally in &report.rewrites {
        assert_eq!(tally.made, count, "{report}");
    }
}

#[test]
fn the_independent_check_notices_each_kind_of_loss() {
    let mut planter = planting::Planter::new(5);
    let mut noticed = std::collections::HashMap::new();
    for _ in 0..200 {
        let planted = planter.plant();
        assert!(planting::missing(&planted, &planted.prompt).is_empty(), "{}", planted.prompt);
        let literals = [
            ("variable", &planted.variables),
            ("code", &planted.code),
            ("number", &planted.numbers),
            ("quotation", &planted.quotations),
            ("address", &planted.addresses),
        ];
        for (kind, list) in literals {
            for literal in list {
                let without = planted.prompt.replace(literal.as_str(), "");
                let lost = planting::missing(&planted, &without);
                assert!(lost.contains(&format!("{kind} {literal:?}")), "{literal:?} in {without}");
                *noticed.entry(kind).or_insert(0) += 1;
            }
        }
    }
    assert!(noticed.len() == 5 && noticed.values().all(|count| *count > 20), "{noticed:?}");
}
