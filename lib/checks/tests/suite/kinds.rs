//! For every kind and language: what is built to pass passes, what is built to fail fails.

use checks::{Check, Outcome};
use engine::ConstraintKind as Kind;
use serde_json::{Value, json};

use crate::builders::{LANGUAGES, Language};
use crate::common::{Chance, check, count, quoted, run, verdict};

/// How often a kind is tried in each language.
const ROUNDS: u64 = 12;

/// A bound by chance, a number that it allows, and one that it does not.
fn bound(chance: &mut Chance, of: Option<&str>) -> (Value, usize, usize) {
    let number = chance.within(3, 9);
    match chance.below(5) {
        0 => (count("exactly", number, None, of), number, number + chance.within(1, 3)),
        1 => (count("at_least", number, None, of), number + chance.below(4), number - 1),
        2 => (count("at_most", number, None, of), chance.within(1, number), number + 1),
        3 => {
            let upper = number + 3;
            (count("between", number, Some(upper), of), chance.within(number, upper), upper + 1)
        }
        // A fifth more or less of 50.
        _ => (count("about", 50, None, of), chance.within(40, 60), 61 + chance.below(9)),
    }
}

/// Tries a kind that counts: `build` makes an answer with so many.
fn counts(kind: Kind, of: Option<&str>, build: impl Fn(&Language, usize, &mut Chance) -> String) {
    for language in &LANGUAGES {
        for seed in 0..ROUNDS {
            let chance = &mut Chance::of(seed + 1);
            let (parameters, allowed, forbidden) = bound(chance, of);
            let check = check(kind, &parameters);
            for (number, wanted) in [(allowed, Outcome::Passed), (forbidden, Outcome::Failed)] {
                let output = build(language, number, chance);
                let verdict = verdict(&check, &output);
                let told =
                    format!("{} seed {seed}: {parameters} {verdict:?}\n{output}", language.tag);
                assert_eq!(verdict.verdict, wanted, "{told}");
                let evidence = verdict.evidence.expect("evidence");
                assert_eq!(evidence.found, Some(number.to_string()), "{told}");
            }
        }
    }
}

/// Tries an answer that passes and one that fails in each language.
fn decides(kind: Kind, build: impl Fn(&Language, &mut Chance) -> Option<(Value, String, String)>) {
    for language in &LANGUAGES {
        for seed in 0..ROUNDS {
            let chance = &mut Chance::of(seed + 100);
            let Some((parameters, passing, failing)) = build(language, chance) else { continue };
            let check = check(kind, &parameters);
            both(&check, &passing, &failing, language.tag);
        }
    }
}

fn both(check: &Check, passing: &str, failing: &str, tag: &str) {
    let parameters = &check.parameters;
    for (output, wanted) in [(passing, Outcome::Passed), (failing, Outcome::Failed)] {
        let verdict = verdict(check, output);
        assert_eq!(verdict.verdict, wanted, "{tag} {parameters:?} {verdict:?}\n{output}");
    }
}

#[test]
fn words_are_counted() {
    counts(Kind::WordCount, None, |language, number, chance| {
        language.words(number, chance) + language.stop
    });
}

#[test]
fn sentences_are_counted() {
    counts(Kind::SentenceCount, None, Language::sentences);
}

#[test]
fn paragraphs_are_counted() {
    counts(Kind::ParagraphCount, None, |language, number, chance| {
        format!("# {}\n\n{}", language.words(3, chance), language.paragraphs(number, chance))
    });
}

#[test]
fn characters_are_counted() {
    counts(Kind::CharacterCount, None, |language, number, _| {
        let letter = language.words[0].chars().next().unwrap();
        format!("\n{}\n", letter.to_string().repeat(number))
    });
}

#[test]
fn items_of_lists_are_counted() {
    counts(Kind::ItemCount, Some("tips"), |language, number, chance| {
        language.lines(number, chance, |at| format!("{at}. "))
    });
    counts(Kind::ItemCount, Some("bullet points"), |language, number, chance| {
        let sign = *chance.pick(&["- ", "* ", "• "]);
        language.lines(number, chance, |_| sign.to_owned())
    });
}

#[test]
fn sections_are_counted() {
    counts(Kind::SectionCount, None, |language, number, chance| {
        language.lines(number, chance, |_| "\n## ".to_owned()).replace("\n\n", "\n\ntext\n\n")
    });
    counts(Kind::SectionCount, Some("section"), |language, number, chance| {
        language.lines(number, chance, |at| format!("\n**Section {at}**\n"))
    });
}

#[test]
fn words_are_required_and_forbidden() {
    decides(Kind::IncludeWords, |language, chance| {
        let (wanted, other) = (language.words[0], language.words[2]);
        let before = language.words[3..].to_vec();
        let around = chance.pick(&before);
        let join = language.space;
        let passing =
            format!("{around}{join}{}{join}{around}{join}{other}.", wanted.to_uppercase());
        let failing = format!("{around}{join}{other}.");
        Some((json!({"words": [wanted, other]}), passing, failing))
    });
    for language in &LANGUAGES {
        let word = language.words[1];
        let quote = format!("do not use the word \"{word}\"");
        let check = quoted(Kind::ExcludeWords, &json!({"words": [word]}), &quote);
        let other = language.words[2];
        let join = language.space;
        both(&check, other, &format!("{other}{join}{word}{join}{other}"), language.tag);
    }
}

#[test]
fn case_is_bounded() {
    decides(Kind::Lowercase, |language, chance| {
        let text = language.words(9, chance);
        language.is_cased().then(|| (json!({}), text.clone(), format!("{text} É")))
    });
    decides(Kind::Uppercase, |language, chance| {
        let text = language.words(9, chance).to_uppercase();
        language.is_cased().then(|| (json!({}), text.clone(), format!("{text} é")))
    });
}

#[test]
fn languages_are_told() {
    decides(Kind::Language, |language, chance| {
        let others: Vec<&Language> =
            LANGUAGES.iter().filter(|one| one.tag != language.tag).collect();
        let other = chance.pick(&others);
        Some((json!({"value": language.name}), language.text.to_owned(), other.text.to_owned()))
    });
}

#[test]
fn beginnings_and_ends_are_compared() {
    decides(Kind::StartsWith, |language, chance| {
        let (start, rest) = (language.sentence(chance), language.sentences(2, chance));
        let start = format!("Q{}", start.trim_end_matches(language.stop));
        let parameters = json!({"text": start});
        Some((parameters, format!("**{start}** {rest}"), format!("{rest} {start}")))
    });
    decides(Kind::EndsWith, |language, chance| {
        let (end, rest) = (language.sentence(chance), language.sentences(2, chance));
        let parameters = json!({"text": format!("Q {end}")});
        Some((parameters, format!("{rest} q {end}\n"), format!("Q {end} {rest} x")))
    });
}

#[test]
fn headings_are_no_items_where_there_is_a_list() {
    let items = |count: usize| (0..count).map(|at| format!("{at}. Tip\n")).collect::<String>();
    let at_most = check(Kind::ItemCount, &count("at_most", 3, None, Some("tips")));
    assert_eq!(verdict(&at_most, &format!("# Tips\n{}", items(10))).verdict, Outcome::Failed);
    assert_eq!(verdict(&at_most, &format!("# Tips\n{}", items(3))).verdict, Outcome::Passed);
    assert_eq!(verdict(&at_most, "# One\nDo.\n# Two\nDo.").verdict, Outcome::Passed);
}

#[test]
fn a_number_with_a_comma_or_another_bound_is_not_taken_for_a_small_one() {
    let rated = check(Kind::NumberRange, &count("between", 1, Some(10), Some("score")));
    for (answer, outcome) in [
        ("Score: 8", Outcome::Passed),
        ("8/10", Outcome::Passed),
        ("Score: 8,5", Outcome::Passed),
        ("Score: 1,000", Outcome::Undecided),
        ("Score: 1,000,000", Outcome::Failed),
        ("Score: 8/100", Outcome::Failed),
        ("Score: 12", Outcome::Failed),
    ] {
        assert_eq!(verdict(&rated, answer).verdict, outcome, "{answer}");
    }
}

#[test]
fn one_of_the_given_answers_is_chosen() {
    for (prompt, passing, failing) in [
        ("Is it safe? Answer with yes or no.", "Yes.", "Perhaps"),
        ("Antworte mit einem von „heiß“, „warm“ oder „kalt“.", "warm", "lau"),
        ("Classify the review as positive, negative or neutral.", "Sentiment: negative", "great"),
        (
            "Answer with one of the following options: \"My answer is yes.\", \"My answer is no.\"",
            "My answer is no. It is cold.",
            "I do not know",
        ),
        ("Choose one of the following:\n- red wine\n- white wine\n- beer\n", "White wine", "tea"),
        (
            "Is it safe? Answer with one of the following phrases:\nIt is.\nIt is not.\n\nThink first.",
            "I thought about it. It is.",
            "Perhaps",
        ),
        ("Pick one of these: red, green, blue.", "green", "yellow"),
    ] {
        let reading = checks::of(prompt, "en");
        let check = reading.checks.iter().find(|one| one.kind == Kind::Choice);
        let check = check.unwrap_or_else(|| panic!("no choice is read: {prompt}"));
        let verdict =
            |output: &str| run(std::slice::from_ref(check), Some(prompt), output)[0].clone();
        assert_eq!(verdict(passing).verdict, Outcome::Passed, "{prompt} {:?}", verdict(passing));
        assert_eq!(verdict(failing).verdict, Outcome::Failed, "{prompt} {:?}", verdict(failing));
    }
}
