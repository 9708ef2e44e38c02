//! What strangers' checks and answers may cost.
//!
//! Work is counted in steps: the same texts always take the same.

use checks::{Check, Evidence, Outcome, Reason, Verdict};
use engine::ConstraintKind as Kind;
use serde_json::{Value, json};

use crate::common::{check, count, of_every_kind, quoted, run, verdict};

/// The steps that holding answers against checks takes.
fn steps(checks: &[Check], prompt: Option<&str>, outputs: &[String]) -> u64 {
    let outputs = outputs.iter().map(String::as_str);
    budget::measured(|| checks::run(checks, prompt, outputs, None)).1
}

/// A piece as often as it takes for so many characters.
fn repeated(piece: &str, length: usize) -> String {
    piece.chars().cycle().take(length).collect()
}

fn schema_check(schema: &Value) -> Check {
    check(Kind::JsonSchema, &json!({"value": schema.to_string()}))
}

fn too_large(verdict: &Verdict) {
    let expected = (Outcome::Undecided, Some(Reason::TooLarge));
    assert_eq!((verdict.verdict, verdict.reason), expected, "{verdict:?}");
}

#[test]
fn work_grows_with_the_length_of_answers() {
    let every = of_every_kind();
    for piece in [
        "*",
        "*a ",
        "[",
        "<<a ",
        "{\"a\":",
        "a. ",
        "a\n\n",
        "|-|\n",
        "\"",
        "雨",
        "a",
        "- a\n",
        "P.",
        "7/10 ",
        "1 ",
        "```\n",
        "#a ",
        "“a.” ",
        " ",
        "\\begin{a}",
        "<a>",
        "<a b=\"\" c=\"\">",
        "<h1",
        "a: b\n",
        "[a], ",
        "1.1",
        "a,b\n",
        "a | b\n-|-\n",
        "<!-- ' -->",
        "<!--<a>",
        "<![<a>",
        "<a \"'",
        "tea ",
        "&a ",
        "Title: ",
    ] {
        for check in &every {
            let steps =
                |length| steps(std::slice::from_ref(check), None, &[repeated(piece, length)]);
            let (short, long) = (steps(5_000), steps(20_000));
            assert!(
                5 * long <= 22 * short.max(20_000),
                "{piece:?} {:?}: {short}, {long}",
                check.kind
            );
        }
    }
}

#[test]
fn work_grows_with_the_length_of_prompts() {
    for piece in [
        "At most 7 words each. ",
        "Answer with yes or no. ",
        "Use the word \"tea\". ",
        "Start with \"Ö\". ",
        "You must stop. ",
        "Do not use the words \"tea\", \"rum\" or \"gin\". ",
        "Use no words tea, rum and ",
        "Text: 5 words ",
    ] {
        let steps = |length| budget::measured(|| checks::of(&repeated(piece, length), "en")).1;
        let (short, long) = (steps(10_000), steps(40_000));
        assert!(5 * long <= 22 * short, "{piece:?}: {short}, {long}");
    }
}

#[test]
fn what_a_check_says_is_read_once_for_all_answers() {
    let quote =
        format!("Answer with \"yes\" or \"no\". {}", repeated("Use \"tea\" or gin. ", 20_000));
    let words: Vec<String> = (0..100).map(|at| format!("w{at}")).collect();
    let mut checks = vec![
        quoted(Kind::ExcludeWords, &json!({"words": words}), &quote),
        schema_check(&json!({"properties": {"a": {"pattern": "^[a-z]{1,20}$"}}})),
    ];
    for check in &mut checks {
        let steps = |outputs: usize| {
            let outputs = vec!["a short answer".to_owned(); outputs];
            steps(std::slice::from_ref(check), Some(&quote), &outputs)
        };
        let (one, many) = (steps(1), steps(20));
        assert!(many < 2 * one, "{:?}: {one}, {many}", check.kind);
    }
}

#[test]
fn many_words_take_little_more_than_one() {
    let words =
        |number: usize| -> Vec<String> { (0..number).map(|at| format!("w{at}x")).collect() };
    let answer = [repeated("w1 w2 walking on, w3x! ", 200_000)];
    for kind in [Kind::IncludeWords, Kind::ExcludeWords] {
        let steps = |number| {
            let check = quoted(kind, &json!({"words": words(number)}), "the words");
            steps(&[check], None, &answer)
        };
        let (one, many) = (steps(1), steps(200));
        assert!(2 * many < 3 * one, "{kind:?}: {one}, {many}");
    }
    // Words that begin alike are found at the same places, which are more than the characters.
    let nested: Vec<String> = (1..=200).map(|length| "a".repeat(length)).collect();
    let check = check(Kind::IncludeWords, &json!({"words": nested}));
    assert_eq!(verdict(&check, &"a".repeat(200)).verdict, Outcome::Failed);
    let all: Vec<&str> = nested.iter().map(String::as_str).collect();
    assert_eq!(verdict(&check, &all.join(" ")).verdict, Outcome::Passed);
}

#[test]
fn evidence_is_short() {
    let words: Vec<String> = (0..200).map(|at| format!("{at}{}", "w".repeat(190))).collect();
    let column = "c".repeat(150_000);
    for (check, prompt, output) in [
        (check(Kind::IncludeWords, &json!({"words": words})), None, words.join(" ")),
        (
            check(Kind::TableColumns, &json!({"words": words})),
            None,
            format!("| {column} |\n|---|\n"),
        ),
        (
            schema_check(&json!({"additionalProperties": false})),
            None,
            format!("{{\"{column}\": 1}}"),
        ),
        (
            schema_check(&json!({"additionalProperties": {"type": "null"}})),
            None,
            format!("{{\"{column}\": 1}}"),
        ),
        (check(Kind::Format, &json!({"value": "xml"})), None, format!("<a></{column}>")),
    ] {
        let verdict = run(&[check], prompt, &output).remove(0);
        assert_ne!(verdict.verdict, Outcome::Undecided);
        let Evidence { wanted, found, quote, .. } = verdict.evidence.expect("evidence");
        for text in [Some(wanted), found, quote].into_iter().flatten() {
            assert!(text.chars().count() <= 200, "{text}");
        }
    }
}

#[test]
fn an_answer_that_takes_too_much_work_is_undecided_and_others_are_not() {
    let xml = check(Kind::Format, &json!({"value": "xml"}));
    let words = check(Kind::WordCount, &count("at_least", 1, None, None));
    let attributes: String = (0..20_000).map(|at| format!(" a{at}=\"\"")).collect();
    let heavy = format!("<a{attributes}/>");
    let outputs = ["<a/>", &*heavy, "<b/>"];
    let verdicts = checks::run(&[xml, words], None, outputs, None);
    too_large(&verdicts[1][0]);
    for passed in [&verdicts[0][0], &verdicts[2][0], &verdicts[1][1]] {
        assert_eq!(passed.verdict, Outcome::Passed, "{passed:?}");
    }
}

#[test]
fn what_elements_of_xml_declare_is_bounded_and_not_how_many_they_are() {
    let xml = check(Kind::Format, &json!({"value": "xml"}));
    let names = |from: usize, number: usize| -> String {
        (from..from + number).map(|at| format!(" xmlns:n{at}=\"u\"")).collect()
    };
    let nested: String = (0..100).map(|at| format!("<a{}>", names(at * 100, 100))).collect();
    too_large(&verdict(&xml, &format!("{nested}{}", "</a>".repeat(100))));
    let children = "<b xmlns:m=\"u\"/>".repeat(10_000);
    too_large(&verdict(&xml, &format!("<a{}>{children}</a>", names(0, 500))));
    // An apostrophe in a remark hides nothing.
    let attributes: String = (0..20_000).map(|at| format!(" a{at}=\"\"")).collect();
    too_large(&verdict(&xml, &format!("<a><!-- it's --><!--> ' --><b{attributes}/></a>")));
    for passes in [
        format!("<a>{}</a>", "<b xmlns=\"u\" c=\"1\"><c/></b>".repeat(5_000)),
        format!("<a><![CDATA[{}]]><!-- {} --></a>", "<b>".repeat(5_000), "<b ".repeat(5_000)),
        format!("<a{}>{}</a>", names(0, 20), "<n1:b n2:c=\"a > b\"/>".repeat(5_000)),
        format!("{}{}", "<a>".repeat(100), "</a>".repeat(100)),
    ] {
        assert_eq!(verdict(&xml, &passes).verdict, Outcome::Passed, "{passes:.80}");
    }
    let deep = format!("{}{}", "<a>".repeat(20_000), "</a>".repeat(20_000));
    assert_eq!(verdict(&xml, &deep).verdict, Outcome::Failed);
}

#[test]
fn a_prefix_of_yaml_that_is_used_often_counts() {
    let yaml = check(Kind::Format, &json!({"value": "yaml"}));
    let document = |length: usize, uses: usize| {
        format!("%TAG !e! {}\n---\n{}", "a".repeat(length), "- !e!x a\n".repeat(uses))
    };
    assert_eq!(verdict(&yaml, &document(20, 1_000)).verdict, Outcome::Passed);
    let short = steps(std::slice::from_ref(&yaml), None, &[document(1, 5_000)]);
    let long = steps(std::slice::from_ref(&yaml), None, &[document(40_000, 5_000)]);
    assert!(long > short + 5_000 * 40_000 / 20, "{short}, {long}");
}
