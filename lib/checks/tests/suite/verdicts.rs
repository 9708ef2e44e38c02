//! What verdicts rest on.

use checks::{Outcome, Reason};
use engine::ConstraintKind as Kind;
use serde_json::json;

use crate::builders::LANGUAGES;
use crate::common::{check, count, judged, of_kind, outcome, quoted, run, verdict};

#[test]
fn too_much_is_shown_where_it_begins() {
    let check = check(Kind::WordCount, &count("at_most", 3, None, None));
    let evidence = verdict(&check, "Größe ist über alles gut.").evidence.expect("evidence");
    assert_eq!((evidence.wanted.as_str(), evidence.found.as_deref()), ("≤ 3", Some("5")));
    assert_eq!((evidence.start, evidence.end), (Some(15), Some(24)));
    assert_eq!(evidence.quote.as_deref(), Some("alles gut"));
}

#[test]
fn a_forbidden_word_is_shown() {
    let check = quoted(Kind::ExcludeWords, &json!({"words": ["Tee"]}), "the words");
    let evidence = verdict(&check, "Früh: tee, bitte.").evidence.expect("evidence");
    assert_eq!(
        (evidence.start, evidence.end, evidence.quote.as_deref()),
        (Some(6), Some(9), Some("tee"))
    );
}

#[test]
fn endings_count_for_what_is_required_and_not_for_what_is_forbidden() {
    for language in &LANGUAGES {
        let Some((word, form)) = language.forms else { continue };
        let text = language.text.replace("xx", form) + " " + form;
        let required = check(Kind::IncludeWords, &json!({"words": [word]}));
        let forbidden = quoted(Kind::ExcludeWords, &json!({"words": [word]}), "the words");
        assert_eq!(outcome(&required, &text), Outcome::Passed, "{form}");
        assert_eq!(outcome(&forbidden, &text), Outcome::Passed, "{form}");
        for (check, inflections) in [(required, false), (forbidden, true)] {
            let verdict = &checks::run(&[check], None, [&*text], Some(inflections))[0][0];
            assert_eq!(verdict.verdict, Outcome::Failed, "{form}");
        }
    }
}

#[test]
fn a_word_is_a_whole_word() {
    for (word, text, found) in [
        ("rock", "a rocket", false),
        ("rock", "bedrock", false),
        ("rock", "Rock!", true),
        ("make", "making", true),
        ("plan", "planned", true),
        ("plan", "planet", false),
        ("car", "care", false),
        ("car", "cars", true),
        ("C++", "in C++ only", true),
        ("#tea", "say #tea", true),
        ("green tea", "GREEN TEA", true),
        ("茶", "绿茶好", true),
        ("dog", "the dog's bone", true),
        ("İstanbul", "İstanbul", true),
    ] {
        let check = check(Kind::IncludeWords, &json!({"words": [word]}));
        assert_eq!(outcome(&check, text) == Outcome::Passed, found, "{word} in {text}");
    }
}

#[test]
fn what_is_too_little_to_tell_is_undecided() {
    let german = check(Kind::Language, &json!({"value": "German"}));
    assert_eq!(verdict(&german, "Ja.").reason, Some(Reason::TooShort));
    let swahili = check(Kind::Language, &json!({"value": "Swahili"}));
    assert_eq!(verdict(&swahili, LANGUAGES[5].text).verdict, Outcome::Undecided);
    let tone = check(Kind::Tone, &json!({"value": "formal"}));
    assert_eq!(verdict(&tone, "text").reason, Some(Reason::NotExecutable));
    let sections = check(Kind::SectionCount, &count("exactly", 3, None, None));
    assert_eq!(verdict(&sections, "All in one.").reason, Some(Reason::Unmarked));
    let small = check(Kind::Lowercase, &json!({}));
    assert_eq!(verdict(&small, "雨が降る。").reason, Some(Reason::Unmarked));
}

#[test]
fn an_empty_answer_obeys_nothing() {
    for check in [
        check(Kind::WordCount, &count("at_most", 3, None, None)),
        check(Kind::Lowercase, &json!({})),
        check(Kind::Format, &json!({"value": "json"})),
    ] {
        assert_eq!(outcome(&check, " \n"), Outcome::Failed, "{check:?}");
    }
}

#[test]
fn sentences_end_where_readers_see_them_end() {
    for (text, number) in [
        ("Dr. Ortiz came at 3.30 p.m. on Monday. He left.", 2),
        ("Visit https://example.com/a.b.c today. Then rest.", 2),
        ("\"Stop!\" She ran. He said 'Why?' The dog barked.", 4),
        ("# A heading\n\nOne sentence. Another one!", 2),
        ("Roses are red\nviolets are blue.", 1),
        ("Er kam am 3. Mai. Es regnete.", 2),
        ("今日は雨です。明日は晴れ！本当？", 3),
        ("Wait... what? Yes.", 2),
        ("- one point\n- another point\n\nThe end.", 1),
        ("Le prix est de 3,5 €. C'est cher !", 2),
        ("```\na. b. c.\n```\nDone.", 1),
        ("Sono stanco. Ci vediamo lunedì! 😴", 2),
    ] {
        let check = check(Kind::SentenceCount, &count("exactly", number, None, None));
        let verdict = verdict(&check, text);
        assert_eq!(verdict.verdict, Outcome::Passed, "{text} {verdict:?}");
    }
}

#[test]
fn what_a_prompt_forbids_by_a_name_is_looked_for() {
    for (prompt, output, passes) in [
        ("Avoid using emojis.", "Hi 👍🏽", false),
        ("Avoid using emojis.", "Hi :) ✓", true),
        ("Avoid using hashtags.", "Hi #tea", false),
        ("Avoid using exclamation marks.", "Hi!", false),
        ("Avoid using exclamation marks.", "Hi.", true),
        ("Avoid using links.", "See https://example.com", false),
        ("Avoid using headings.", "# Hi", false),
        ("Avoid using markdown.", "**Hi**", false),
        ("Avoid using markdown.", "Hi", true),
    ] {
        let wanted = if passes { Outcome::Passed } else { Outcome::Failed };
        assert_eq!(judged(prompt, Kind::ExcludeWords, output), wanted, "{prompt} {output}");
    }
}

#[test]
fn a_described_end_is_told_by_its_sign() {
    let check = of_kind("End with a question.", Kind::EndsWith);
    assert_eq!(outcome(&check, "It rains. Shall we go?"), Outcome::Passed);
    assert_eq!(outcome(&check, "Shall we go? It rains."), Outcome::Failed);
}

#[test]
fn things_that_are_counted_may_stand_without_a_list() {
    let tips = check(Kind::ItemCount, &count("exactly", 3, None, Some("tips")));
    assert_eq!(outcome(&tips, "1. a\n   - b\n2. c\n3. d"), Outcome::Passed);
    assert_eq!(outcome(&tips, "Eat well\nSleep well\nWalk"), Outcome::Passed);
    assert_eq!(outcome(&tips, "1. a\n2. b"), Outcome::Failed);
    assert_eq!(outcome(&tips, "Eat well, sleep well and walk."), Outcome::Undecided);
    let questions = check(Kind::ItemCount, &count("exactly", 2, None, Some("questions")));
    assert_eq!(outcome(&questions, "1. Why?\n2. When?"), Outcome::Passed);
    assert_eq!(outcome(&questions, "### Why?\n\nSo.\n\n### When?\n\nNow."), Outcome::Passed);
    let columns = check(Kind::ItemCount, &count("exactly", 2, None, Some("columns")));
    assert_eq!(outcome(&columns, "| a | b |\n|---|---|\n| 1 | 2 |"), Outcome::Passed);
    let bullets = check(Kind::ItemCount, &count("exactly", 2, None, Some("bullet points")));
    assert_eq!(outcome(&bullets, "```markdown\n- a\n- b\n```"), Outcome::Passed);
}

/// Prompts that people wrote, an answer that obeys them or does not, and what must not become of it.
#[test]
fn answers_are_judged_as_their_prompts_mean_it() {
    let tea = |number: usize| vec!["tea"; number].join(" ") + ".";
    let sections = format!("# SUMMARY\n{}\n\n# DETAILS\n{}", tea(25), tea(60));
    for (prompt, output) in [
        ("Write a 15-word sentence about tea.", tea(15)),
        (
            "In a section called SUMMARY, give a 25-word summary. In a section called DETAILS, explain the steps.",
            sections,
        ),
        (
            "Review the talk. Conclude with a \"Recommendation\" section that says whether to accept it.",
            "The talk is fine.\n\n## Recommendation\n\nAccept it.".to_owned(),
        ),
        (
            "Output Markdown, but do not use bold because asterisks are hard to read in plain text.",
            "# Title\n\n- a point".to_owned(),
        ),
        (
            "Explain how to make an omelet using the French technique.",
            "Beat three eggs, heat the butter, and fold the omelet gently before it browns."
                .to_owned(),
        ),
        (
            "Do not use jargon or marketing language.",
            "Marketing has its own words; we leave them out.".to_owned(),
        ),
        ("Here is a 200-word article. Summarize it in 20 words.", tea(20)),
        (
            "Your answer must have 3 sections. Mark the beginning of each section with SECTION X, such as: SECTION 1",
            "SECTION I\na\nSECTION II\nb\nSECTION III\nc".to_owned(),
        ),
        (
            "Give me 3 plans.",
            "## One\n- a\n- b\n\n## Two\n- c\n- d\n\n## Three\n- e\n- f".to_owned(),
        ),
        (
            "Draft an outline with exactly 2 slides.",
            "Slide 1: tea\n- a\n- b\n\nSlide 2: rum\n- c\n- d".to_owned(),
        ),
    ] {
        let reading = checks::of(prompt, "en");
        let verdicts = run(&reading.checks, Some(prompt), &output);
        assert!(
            verdicts.iter().all(|one| one.verdict != Outcome::Failed),
            "{prompt}: {verdicts:?}"
        );
    }
    assert_eq!(
        judged("Give me 3 tips.", Kind::ItemCount, "Here:\n- a\n- b\nDone."),
        Outcome::Failed
    );
}
