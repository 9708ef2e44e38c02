//! Losses that are easy to miss, and false alarms that are easy to raise.
#![allow(clippy::expect_used)]

use engine::integrity::{self, Asked};

fn check(original: &str, rewritten: &str, remark: &str) -> engine::Integrity {
    integrity::check(original, rewritten, "", &Asked::by(remark, "en").taking(""))
}

#[test]
fn rewrites_that_keep_everything_raise_no_alarm() {
    for (original, rewritten) in [
        ("Spend 1,000 USD.", "Budget: 1000 USD."),
        ("Spend 1.000,50 €.", "Budget: 1000.50 €"),
        ("Es kostet 2,5 kg.", "Gewicht: 2.5 kg."),
        ("1. one\n2. two\n3) three", "- one\n- two\n- three"),
        ("Say \"hello\" now.", "Now say “hello”."),
        ("Sag „Hallo“.", "Sag \"Hallo\"."),
        ("Dis « oui ».", "Dis «oui»."),
        (
            "It's the dogs' toys, don't touch '90s stuff.",
            "Don't touch the dogs' toys or '90s stuff.",
        ),
        ("See https://a.b/c.", "- Source: https://a.b/c"),
        ("Mail (x@y.org)!", "Mail x@y.org."),
        ("Hi {{ name }}", "Hello {{name}}"),
        ("Compare `x = 1` with `x = 1`.", "Compare `x = 1`."),
        ("A 5'10\" man", "A man of 5'10\""),
        ("We saw three lines.", "We saw lines."),
        ("Version MP3 and H2O", "MP3, H2O version"),
        ("It costs $5 or 5%.", "5% or $5 it costs."),
        ("Use {{a}} and {{a}}", "Use {{a}}"),
        ("From 9:30 to 17:00", "Hours: 9:30–17:00"),
        ("```py\nx\n```", "Code:\n\n```py\nx\n```\n\nEnd"),
        ("{{#if x}}Hi{{/if}}", "{{#if x}}Hello{{/if}}"),
    ] {
        let result = check(original, rewritten, "");
        assert!(result.passed, "{original:?} → {rewritten:?}: {result:?}");
    }
}

#[test]
fn losses_are_noticed() {
    for (original, rewritten) in [
        ("Use 3 images.", "Use 30 images."),
        ("Use 3 images.", "Use mp3 images."),
        ("Pay 1,000.", "Pay 1,0000."),
        ("Pay 1.5 EUR.", "Pay 15 EUR."),
        ("From -5 to 5", "From 5 to 10"),
        ("Hi {{name}}", "Hi {{names}}"),
        ("Hi {{first name}}", "Hi {{first}} {{name}}"),
        ("Say \"hello there\".", "Say hello there."),
        ("Say 「こんにちは」", "Say 「さようなら」"),
        ("Sag ‚nein‘ dazu.", "Sag ‚ja‘ dazu."),
        ("See https://a.b/c?d=1", "See https://a.b/c?d=2"),
        ("See https://a.b/c and https://a.b/cd", "See https://a.b/cd"),
        ("Mail x@y.org", "Mail x@y.com"),
        ("Run `a b`.", "Run `a  b`."),
        ("```\na\n\nb\n```", "```\na\nb\n```"),
        ("~~~\ntilde\n~~~", "```\ntilda\n```"),
        ("٣ أمثلة", "أمثلة"),
        ("Am 3. Mai um 17 Uhr", "Am Mai um 17 Uhr"),
    ] {
        let result = check(original, rewritten, "");
        assert!(!result.passed, "{original:?} → {rewritten:?}");
    }
}

#[test]
fn only_what_the_remark_names_may_go() {
    let original = "Pay 50 EUR to {{name}}, say \"thanks\", see https://a.b/c.";
    let rewritten = "Pay to somebody.";
    let result = check(original, rewritten, "Drop the 50 EUR and {{name}}");
    assert!(result.numbers_lost.is_empty() && result.variables.lost.is_empty());
    assert!(!result.quoted_literals_lost.is_empty() && !result.urls_lost.is_empty());
    assert!(check(original, rewritten, "remove 50, name, \"thanks\" and https://a.b/c").passed);
    // A number of the remark waives that number, not those that contain it.
    assert!(!check("Pay 500 EUR.", "Pay.", "not 50").passed);
}
