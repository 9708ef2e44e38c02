//! What is found of the constraints that prompts state.

use crate::measure::{measure, own_labels};
use engine::constraints::{Statement, extract, of};
use engine::prompt::Mask;
use engine::{Constraint, ConstraintKind as Kind, Relation};
use serde_json::json;

const LABELLED: &str = include_str!("constraints.jsonl");

fn prompts() -> Vec<String> {
    let prompt = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        row["prompt"].as_str().expect("a prompt").to_owned()
    };
    LABELLED.lines().map(prompt).collect()
}

/// The only constraint of a kind in a prompt.
fn only(prompt: &str, kind: Kind) -> Statement {
    let all = extract(prompt);
    let mut of_kind = all.iter().filter(|one| one.kind == kind);
    let first = of_kind.next().unwrap_or_else(|| panic!("{prompt}: no {kind:?} in {all:?}"));
    assert_eq!(of_kind.next(), None, "{prompt}: {all:?}");
    first.clone()
}

#[test]
fn the_labelled_prompts_are_read_as_well_as_measured() {
    let score = measure(LABELLED, own_labels).expect("labels");
    assert!(score.prompts >= 360, "{}", score.prompts);
    let total = score.total();
    assert!(total.f1() >= TOTAL, "{total}");
    for (kind, floor) in FLOORS {
        let tally = score.kinds[kind];
        assert!(tally.f1() >= floor, "{kind} {tally}");
    }
}

#[test]
fn every_kind_is_labelled_and_many_prompts_state_nothing() {
    for kind in Kind::ALL {
        let label = format!("\"kind\": \"{}\"", kind.as_str());
        assert!(LABELLED.contains(&label), "{label}");
    }
    assert!(LABELLED.matches("\"constraints\": []").count() >= 60);
}

#[test]
fn numbers_are_read_as_they_are_meant() {
    use Relation::{About, AtLeast, AtMost, Between, Exactly};
    for (prompt, kind, relation, number, upper) in [
        ("Write an essay of 600 to 800 words.", Kind::WordCount, Between, 600, Some(800)),
        ("Use 800-600 words.", Kind::WordCount, Between, 600, Some(800)),
        ("Write less than 1,200 words.", Kind::WordCount, AtMost, 1_199, None),
        ("Write more than 5 sentences.", Kind::SentenceCount, AtLeast, 6, None),
        ("It must not be longer than five sentences.", Kind::SentenceCount, AtMost, 5, None),
        ("Use no fewer than 3 paragraphs.", Kind::ParagraphCount, AtLeast, 3, None),
        ("Describe it in about 40 words.", Kind::WordCount, About, 40, None),
        ("Limit the summary to 90 words.", Kind::WordCount, AtMost, 90, None),
        ("Give me seven reasons to walk.", Kind::ItemCount, Exactly, 7, None),
        ("Use exactly 4 bullet points.", Kind::ItemCount, Exactly, 4, None),
        ("The caption must be 140 characters at most.", Kind::CharacterCount, AtMost, 140, None),
        ("Write a report with 3 sections.", Kind::SectionCount, Exactly, 3, None),
        ("Give two different answers.", Kind::ItemCount, Exactly, 2, None),
        ("Schreibe höchstens 80 Wörter.", Kind::WordCount, AtMost, 80, None),
        ("Résume en trois phrases.", Kind::SentenceCount, Exactly, 3, None),
        ("不超过200字。", Kind::CharacterCount, AtMost, 200, None),
        ("Не более 100 слов.", Kind::WordCount, AtMost, 100, None),
    ] {
        let one = only(prompt, kind);
        let read = one.parameters.count().map(|count| (count.relation, count.number, count.upper));
        assert_eq!(read, Some((relation, number, upper)), "{prompt}");
    }
}

#[test]
fn values_are_what_the_prompt_names() {
    let cases: [(&str, Kind, &[&str]); 16] = [
        (
            "Include the keywords \"flour\", \"dawn\" and \"debt\".",
            Kind::IncludeWords,
            &["flour", "dawn", "debt"],
        ),
        (
            "Don't forget to include the keywords solar and roof.",
            Kind::IncludeWords,
            &["solar", "roof"],
        ),
        ("The words 'brake' and 'free' must appear.", Kind::IncludeWords, &["brake", "free"]),
        ("Do not use the words “cheap” or “fast”.", Kind::ExcludeWords, &["cheap", "fast"]),
        ("Have 40 sentences, and not contain the word \"rich\".", Kind::ExcludeWords, &["rich"]),
        ("Ohne das Wort „Blatt“ zu verwenden.", Kind::ExcludeWords, &["Blatt"]),
        ("Décris Paris sans utiliser le mot « tour ».", Kind::ExcludeWords, &["tour"]),
        ("Answer in German.", Kind::Language, &["German"]),
        ("请用中文写一篇短文。", Kind::Language, &["Chinese"]),
        ("Return it as JSON.", Kind::Format, &["json"]),
        ("Erstelle eine Tabelle der Seen.", Kind::Format, &["table"]),
        ("Start with the phrase \"Once upon a time\".", Kind::StartsWith, &["Once upon a time"]),
        ("The last sentence must be \"The end.\"", Kind::EndsWith, &["The end."]),
        ("Use a formal tone.", Kind::Tone, &["formal"]),
        ("Explain it to beginners.", Kind::Audience, &["beginners"]),
        (
            "Make a table with the columns: story, probability (1–5, as a guess) and \"Next step\".",
            Kind::TableColumns,
            &["story", "probability", "Next step"],
        ),
    ];
    for (prompt, kind, values) in cases {
        assert_eq!(only(prompt, kind).parameters.texts(), values, "{prompt}");
    }
}

#[test]
fn material_states_nothing() {
    for prompt in [
        "Fix this.\n```\n// at most 50 words, no commas\n```",
        "Which rules contradict?\n> Never use the word \"utilize\".\n> Write 20 words.",
        "Why is it ignored?\n\"\"\"\nWrite 4 paragraphs in lowercase.\n\"\"\"",
        "Translate: \"Please write at least 100 words and use no commas at all.\"",
        "My essay has 5 paragraphs. Is that too long?",
    ] {
        assert_eq!(extract(prompt), [], "{prompt}");
    }
}

#[test]
fn statements_are_parts_of_the_prompt_in_their_order() {
    for prompt in prompts() {
        let found = extract(&prompt);
        for one in &found {
            assert!(one.start < one.end, "{prompt}: {one:?}");
            let statement = prompt.get(one.start..one.end);
            assert!(statement.is_some_and(|text| !text.trim().is_empty()), "{prompt}: {one:?}");
        }
        assert!(found.is_sorted_by_key(|one| one.start), "{prompt}: {found:?}");
    }
    let prompt = "Für Anfänger: écris «ça», then use at most 80 words. 你好。";
    let one = only(prompt, Kind::WordCount);
    assert_eq!(&prompt[one.start..one.end], "at most 80 words");
}

#[test]
fn results_list_statements_with_their_bounds_and_places_in_code_points() {
    for prompt in prompts() {
        let points: Vec<char> = prompt.chars().collect();
        let listed = of(&prompt);
        assert_eq!(listed.len(), extract(&prompt).len(), "{prompt}");
        for (number, one) in listed.iter().enumerate() {
            assert_eq!(one.id, format!("c{}", number + 1), "{prompt}");
            let quote: String = points[one.start..one.end].iter().collect();
            assert_eq!(quote, one.quote, "{prompt}");
            assert_eq!(quote, quote.trim(), "{prompt}");
            let read = serde_json::to_value(one).expect("JSON");
            assert_eq!(read["kind"], one.kind.as_str());
            assert_eq!(serde_json::from_value::<Constraint>(read).expect("a constraint"), *one);
        }
    }
}

#[test]
fn the_form_of_a_bound_follows_from_its_kind() {
    for (prompt, kind, parameters) in [
        (
            "Gib fünf Gründe für Überstunden, 600-800 Wörter.",
            "word_count",
            json!({"relation": "between", "number": 600, "upper": 800, "of": null}),
        ),
        (
            "Use exactly 4 bullet points.",
            "item_count",
            json!({"relation": "exactly", "number": 4, "upper": null, "of": "bullet points"}),
        ),
        (
            "Do not use the words \"cheap\" or \"fast\".",
            "exclude_words",
            json!({"words": ["cheap", "fast"]}),
        ),
        ("The last sentence must be \"The end.\"", "ends_with", json!({"text": "The end."})),
        ("Return it as JSON.", "format", json!({"value": "json"})),
        ("Write in lowercase letters only.", "lowercase", json!({})),
    ] {
        let listed = of(prompt);
        let one = listed.iter().find(|one| one.kind.as_str() == kind);
        let one = one.unwrap_or_else(|| panic!("{prompt}: {listed:?}"));
        assert_eq!(serde_json::to_value(&one.parameters).expect("JSON"), parameters, "{prompt}");
    }
}

#[test]
fn long_repetitive_texts_are_read_to_the_end() {
    let end = "\n\nUse at most 80 words.";
    for piece in ["not ", "word ", "“", "\"a\" ", "7 ", "use the word \"a\" ", "no more than "] {
        let mut text: String = piece.chars().cycle().take(200_000).collect();
        text.push_str(end);
        let found = extract(&text);
        let last = found.last().unwrap_or_else(|| panic!("{piece:?}"));
        let number = last.parameters.count().map(|count| count.number);
        assert_eq!((last.kind, number), (Kind::WordCount, Some(80)), "{piece:?}");
    }
}

#[test]
fn any_text_is_read() {
    // Numerical Recipes' linear congruential generator.
    let mut state = 20_u32;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from(state >> 8).unwrap_or(0) % bound
    };
    let prompts = prompts();
    for _ in 0..300 {
        let mut text: Vec<char> = prompts[next(prompts.len())].chars().collect();
        for _ in 0..next(12) {
            let code = u32::try_from(next(0x11_0000)).unwrap_or(0);
            let strange = char::from_u32(code).unwrap_or('\u{202e}');
            text.insert(next(text.len() + 1), strange);
            let mark = [
                "\"", "“", "«", "*", "`", "İ", "ß", "\u{301}", "\0", "\n", "\r\n", "\u{3000}",
                "<b>", "</b>", "<i>", "</i>", "Data:\n{", "\n> x\n",
            ][next(18)];
            let at = next(text.len() + 1);
            text.splice(at..at, mark.chars());
        }
        let text: String = text.into_iter().collect();
        assert_eq!(of(&text).len(), extract(&text).len());
        for one in extract(&text) {
            assert!(text.get(one.start..one.end).is_some(), "{text}: {one:?}");
        }
    }
}

#[test]
fn parts_of_a_prompt_do_not_overlap() {
    for prompt in [
        "Fix this: <b><i>hello</b></i>",
        "Email:\n[paste here]\n> hello\n\nReply politely.",
        "Data:\n{\nnotes:\n{ }\n\nbye",
    ] {
        let mask = Mask::of(prompt);
        assert!(mask.parts.windows(2).all(|two| two[0].0.end <= two[1].0.start), "{prompt}");
        assert_eq!(mask.blank(prompt).len(), prompt.len());
    }
}

#[test]
fn rules_are_no_material() {
    for (prompt, kind) in [
        ("Write about tea in <em>at most 100 words</em>.", Kind::WordCount),
        ("Rewrite the email using these rules:\n- max 100 words", Kind::WordCount),
        ("Write a text on tea. Here are our rules:\n- At most 100 words", Kind::WordCount),
        ("private tutoring ad, max 50 words, friendly tone", Kind::WordCount),
        ("Reply to the customer: write at most 80 words.", Kind::WordCount),
        ("写一篇文章。\r\n500字以内", Kind::CharacterCount),
    ] {
        assert!(of(prompt).iter().any(|one| one.kind == kind), "{prompt}: {:?}", of(prompt));
    }
    for prompt in ["Sum it up:\n\n>At least 500 words, he said.", "Sum up <Draft>50 words</draft>"]
    {
        assert!(of(prompt).is_empty(), "{prompt}: {:?}", of(prompt));
    }
}

/// Micro F1 over all labels.
const TOTAL: f64 = 0.96;

/// F1 of the kinds with 15 labels or more.
const FLOORS: [(&str, f64); 9] = [
    ("audience", 0.85),
    ("exclude_words", 0.96),
    ("format", 0.97),
    ("item_count", 0.92),
    ("language", 0.95),
    ("paragraph_count", 0.95),
    ("sentence_count", 0.87),
    ("tone", 0.85),
    ("word_count", 0.9),
];
