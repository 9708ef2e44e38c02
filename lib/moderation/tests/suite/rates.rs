//! The error rates of the rules on a labelled set, and that the library's own items pass.
//!
//! `labelled.jsonl`: `tune` was used while the rules were written; `held_out` was written
//! afterwards. Secrets, people and numbers in it are made up; formats that scanners search for are
//! escaped.

use moderation::{RULE_IDS, Reason, Verdict, check};
use serde::Deserialize;

#[derive(Deserialize)]
struct Item {
    part: String,
    label: String,
    category: String,
    title: String,
    text: String,
}

fn items() -> Vec<Item> {
    include_str!("labelled.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an item a line"))
        .collect()
}

fn verdict(item: &Item) -> Verdict {
    check(&item.title, &[("promptText", &item.text)])
}

/// Share of a part's items with a label that get another verdict, in percent, with their titles.
fn mistakes(part: &str, label: &str) -> (f64, Vec<String>) {
    let items: Vec<Item> =
        items().into_iter().filter(|item| item.part == part && item.label == label).collect();
    let wrong: Vec<String> = items
        .iter()
        .filter(|item| (verdict(item) == Verdict::Approved) == (label == "blocked"))
        .map(|item| format!("{}: {}", item.category, item.title))
        .collect();
    (100.0 * wrong.len() as f64 / items.len() as f64, wrong)
}

#[test]
fn the_labelled_set_is_large_and_has_no_doubles() {
    let items = items();
    let count = |label: &str| items.iter().filter(|item| item.label == label).count();
    assert!(count("blocked") >= 110 && count("harmless") >= 150);
    let mut texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), items.len());
}

#[test]
fn hardly_anything_is_missed_or_wrongly_blocked() {
    for (part, missed, alarms) in [("tune", 3.0, 1.0), ("held_out", 10.0, 5.0)] {
        let (share, which) = mistakes(part, "blocked");
        assert!(share <= missed, "{part}: {share:.1} % missed: {which:#?}");
        let (share, which) = mistakes(part, "harmless");
        assert!(share <= alarms, "{part}: {share:.1} % wrongly blocked: {which:#?}");
    }
}

#[test]
fn what_is_blocked_is_blocked_for_its_own_reason() {
    let rules = |category: &str| -> &[&str] {
        match category {
            "secrets" => &["secret"],
            "payment" => &["payment_card", "bank_account"],
            "personal" => &["personal_data"],
            "minors" => &["sexual_minors"],
            "weapons" => &["weapons"],
            "malware" => &["malware"],
            "phishing" => &["phishing"],
            "drugs" => &["illegal_goods"],
            "self_harm" => &["self_harm"],
            "violence" => &["violence"],
            "harassment" => &["harassment"],
            "hate" => &["violence_against_group", "slur"],
            "injection" => &["injection", "hidden_text", "hidden_instructions"],
            "spam" => &["spam"],
            "noise" => &["unreadable"],
            other => panic!("no rules for {other}"),
        }
    };
    let (mut right, mut all) = (0, 0);
    for item in items().iter().filter(|item| item.label == "blocked") {
        if let Verdict::Blocked { reasons } = verdict(item) {
            let expected = rules(&item.category);
            right += i32::from(reasons.iter().any(|r| expected.contains(&r.rule_id.as_str())));
            all += 1;
        }
    }
    assert!(right * 100 >= all * 97, "{right} of {all}");
}

#[test]
fn every_rule_finds_something_and_points_at_it() {
    let mut seen: Vec<String> = Vec::new();
    for item in items() {
        let Verdict::Blocked { reasons } = verdict(&item) else { continue };
        for Reason { rule_id, field, start, end, message } in reasons {
            let text = if field == "title" { &item.title } else { &item.text };
            assert!(start < end && end <= text.chars().count(), "{rule_id} in {}", item.title);
            assert!(RULE_IDS.contains(&rule_id.as_str()) && !message.is_empty());
            seen.push(rule_id);
        }
    }
    for rule in RULE_IDS {
        assert!(seen.iter().any(|id| id == rule), "{rule} never found anything");
    }
}

#[test]
fn the_items_of_the_library_may_be_published() {
    let official = include_str!("../../../../infra/library/official.json");
    let items: Vec<serde_json::Value> = serde_json::from_str(official).expect("items");
    for item in items {
        let text = |name: &str| item[name].as_str().unwrap_or_default();
        let fields = ["description", "whatThisPromptDoes", "tipsForThisPrompt", "howToUsePrompt"];
        let mut texts: Vec<(&str, &str)> = fields.iter().map(|name| (*name, text(name))).collect();
        texts.extend([("promptText", text("promptText")), ("exampleText", text("exampleText"))]);
        assert_eq!(check(text("title"), &texts), Verdict::Approved, "{}", text("title"));
    }
}
