//! What a rewritten prompt must not lose.
#![allow(clippy::expect_used)]

use engine::Integrity;
use engine::integrity::{self, Asked};

fn check(original: &str, rewritten: &str, remark: &str) -> engine::Integrity {
    integrity::check(
        original,
        rewritten,
        "",
        &Asked::by(remark, if original.contains("Sätze") { "de" } else { "en" }).taking(""),
    )
}

fn passed(original: &str, rewritten: &str) -> bool {
    check(original, rewritten, "").passed
}

fn lost(original: &str, rewritten: &str) -> Vec<String> {
    let Integrity { variables, numbers_lost, quoted_literals_lost, urls_lost, .. } =
        check(original, rewritten, "");
    [variables.lost, numbers_lost, quoted_literals_lost, urls_lost].concat()
}

#[test]
fn every_prompt_keeps_what_it_has() {
    for prompt in [
        "",
        "Write.",
        "{{a}} {{ b }} {{a}}",
        "```\nfn x() {}\n```",
        "it's 5 o'clock, don't say 'hi'",
        "„Guten Tag“ und »Hallo«",
        "「こんにちは」と言って",
        "see https://a.b/c(d). Mail x.y@z.org!",
        "5\" x 7\" frame at 6'2\"",
        "```\nnever closed",
        "“open",
        "{{broken",
        "١٢٣ और ४५",
        "rock 'n' roll, the dogs' toys",
    ] {
        let result = check(prompt, prompt, "");
        assert!(result.passed, "{prompt:?}: {result:?}");
        assert_eq!(result.language_in, result.language_out);
    }
}

#[test]
fn a_variable_is_kept_whatever_the_space_around_its_name() {
    let result = check("Greet {{ name }} in {{city}}.", "Greet {{name}} of {{country}}.", "");
    assert_eq!(result.variables.kept, ["name"]);
    assert_eq!(result.variables.lost, ["city"]);
    assert_eq!(result.variables.added, ["country"]);
    assert!(!result.passed);
    assert!(!passed("For {{user name}}", "For {{user_name}}"));
    assert!(!passed("For {{name}}", "For {name}"));
}

#[test]
fn code_is_kept_character_for_character() {
    let original = "Fix this:\n```py\nif a:\n    b()\n```\nand `x = 1`.";
    assert!(passed(original, "Code: `x = 1`\n\n```py\nif a:\n    b()\n```\nFix it."));
    let result = check(original, "```py\nif a:\n  b()\n```\n`x = 1`", "");
    assert_eq!((result.code_blocks.kept, result.code_blocks.lost), (1, 1));
    assert!(!result.passed);
    assert!(!passed("use `foo_bar`", "use `foobar`"));
    // Inside a longer fence it stands all the same.
    assert!(passed("```\na\n```", "````\n```\na\n```\n````"));
    assert!(passed("~~~\na ``` b\n~~~", "~~~\na ``` b\n~~~"));
}

#[test]
fn numbers_are_compared_by_value_where_it_is_certain() {
    for (old, new) in [
        ("1,000 users", "1000 users"),
        ("1.000 Nutzer", "1000 Nutzer"),
        ("12'000 Franken", "12000 Franken"),
        ("1\u{202f}500 mots", "1500 mots"),
        ("2,50 €", "2.50 €"),
        ("2.50", "2.5"),
        ("5kg", "5 kg"),
        ("50%", "50 percent"),
        ("-5 °C", "at -5 °C"),
        ("the MP3 file", "an mp3"),
        ("from 10-20", "10 to 20"),
        ("1,234.50", "1.234,50"),
    ] {
        assert!(passed(old, new), "{old} | {new} | {:?}", lost(old, new));
    }
    for (old, new, missing) in [
        ("3 files", "13 files", "3"),
        ("3 files", "MP3 files", "3"),
        ("3 files", "three files", "3"),
        ("1.000 Euro", "1 Euro", "1.000"),
        ("-5 °C", "5 °C", "-5"),
        ("007", "7", "007"),
        ("version 2.10", "version 2.11", "2.10"),
        ("H2O", "water", "H2O"),
        ("25%", "24%", "25"),
        ("3,500 words", "3.5 words", "3,500"),
    ] {
        assert_eq!(lost(old, new), [missing], "{old} | {new}");
    }
}

#[test]
fn list_markers_are_no_numbers() {
    assert!(passed("1. Read it\n2) Sum up\n- 3. Stop", "- Read it\n- Sum up\n- Stop"));
    assert_eq!(lost("1. Name 4 reasons", "- Name reasons"), ["4"]);
    assert_eq!(lost("1.5 litres", "litres"), ["1.5"]);
    assert_eq!(lost("2024 was good", "It was good"), ["2024"]);
}

#[test]
fn quotations_may_change_their_marks_but_not_their_words() {
    for (old, new) in [
        ("Say \"good night\" now", "Say “good night” now"),
        ("Sag „Guten Tag“ zu ihm", "Sag »Guten Tag« zu ihm"),
        ("Dis « bonjour » vite", "Dis \"bonjour\" vite"),
        ("「さようなら」と書く", "『さようなら』と書く"),
        ("Translate 'Good morning'.", "Translate \"Good morning\"."),
        ("the word \"it's\" here", "write \"it's\""),
    ] {
        assert!(passed(old, new), "{old} | {new} | {:?}", lost(old, new));
    }
    for (old, new) in [
        ("Say \"good night\"", "Say \"good evening\""),
        ("Say \"good night\"", "Say good night"),
        ("Translate 'Good morning'.", "Translate it."),
        ("Sag „Guten Tag“", "Sag Guten Tag"),
        ("‘plain’ words", "words"),
    ] {
        assert_eq!(lost(old, new).len(), 1, "{old} | {new}");
    }
}

#[test]
fn apostrophes_inches_and_feet_are_no_quotations() {
    for (old, new) in [
        ("don't use the users' data, it's theirs", "never use data of users"),
        ("rock 'n' roll is the writers' thing", "music for writers"),
        ("l'été d'une vie", "une vie"),
        ("ca. 5\" long, made in '90s style", "5 long, style of 90s"),
    ] {
        assert!(check(old, new, "").quoted_literals_lost.is_empty(), "{old}: {:?}", lost(old, new));
    }
}

#[test]
fn addresses_are_compared_without_the_punctuation_around_them() {
    let old =
        "Read (https://example.org/a_(b)), https://example.org/x?y=1. Write to me@example.org!";
    assert!(passed(old, "me@example.org https://example.org/x?y=1 <https://example.org/a_(b)>"));
    let new = "Read https://example.org/a_(b) and https://example.org/x?y=2, me@example.org";
    assert_eq!(lost(old, new), ["https://example.org/x?y=1"]);
    assert!(passed("https://例え.jp/道。次", "次 https://例え.jp/道"));
    assert!(!passed("https://a.example/long", "https://a.example/longer"));
}

#[test]
fn what_the_remark_names_is_not_missed() {
    let old = "Write 300 words about \"Acme\" for {{name}}. See https://a.example/x and `code`.";
    let new = "Write about it.";
    assert_eq!(lost(old, new).len(), 4);
    let remark = "Drop 300, the name variable, \"Acme\", https://a.example/x and `code`";
    assert!(check(old, new, remark).passed, "{:?}", check(old, new, remark));
    assert!(check("See https://a.example", "See", "remove all links").passed);
    assert!(!check("See https://a.example, {{x}}", "See", "remove all links").passed);
    assert!(!check("Take 3", "Take", "use the 13 rules").passed);
}

#[test]
fn a_translation_is_noticed_unless_it_was_asked_for() {
    let english = "Write a friendly message to all customers that tells them about the new opening hours of the shop.";
    let german = "Schreibe eine freundliche Nachricht an alle Kunden, die sie über die neuen Öffnungszeiten des Ladens informiert.";
    let result = check(english, german, "");
    assert_eq!((result.language_in.as_str(), result.language_out.as_str()), ("en", "de"));
    assert!(!result.passed);
    assert!(check(english, german, "please in German").passed);
    assert!(
        !check("请把下面的文章总结成三句话,并保持语气友好。谢谢你的帮助,请尽快完成。", english, "")
            .passed
    );
    assert_eq!(check("Hi", "Hallo", "").language_in, "und");
    assert!(passed("Short one", "Kurz und gut"));
}

/// How many constraints are kept, tightened, loosened and lost, and whether that is allowed.
fn fates(original: &str, rewritten: &str, remark: &str) -> ([usize; 4], bool) {
    let result = check(original, rewritten, remark);
    let all = result.constraints;
    ([all.kept, all.tightened, all.loosened, all.lost].map(|list| list.len()), result.passed)
}

#[test]
fn a_constraint_may_become_stricter_but_not_looser() {
    // The number may change as the constraint does.
    for (old, new) in [
        ("Use at most 100 words.", "Use no more than 100 words."),
        ("Schreibe höchstens 80 Wörter.", "Maximal 80 Wörter."),
        (
            "Do not use the words \"cheap\" and \"fast\".",
            "Never use \"cheap\". Never use \"fast\".",
        ),
        ("Return it as JSON.", "Output format: JSON"),
        ("Avoid emojis.", "Do not use emojis."),
    ] {
        assert_eq!(fates(old, new, "").0, [1, 0, 0, 0], "{old} | {new}");
    }
    for (old, new) in [
        ("Use at most 100 words.", "Use 80 words at most, please."),
        ("Use at most 100 words.", "Use 90-100 words."),
        ("Use about 100 words.", "Use exactly 100 words."),
        ("Use a formal tone.", "Write in formal and polite language."),
        ("Do not use the word \"cheap\".", "Do not use the words \"cheap\" and \"fast\"."),
    ] {
        assert_eq!(fates(old, new, "").0, [0, 1, 0, 0], "{old} | {new}");
    }
    for (old, new) in [
        ("Use at most 100 words.", "Use about 100 words."),
        ("Use exactly 100 words.", "Use 100 words or more."),
        ("Nenne fünf Gründe.", "Nenne drei bis fünf Gründe."),
        ("Answer in German.", "Answer in French."),
        ("Return it as JSON.", "Return it as a table."),
        (r#"Reply with either "yes" or "no"."#, r#"Reply with either "yes" or "maybe"."#),
    ] {
        assert_eq!(fates(old, new, ""), ([0, 0, 1, 0], false), "{old} | {new}");
    }
    for (old, new) in [
        ("Name a few lakes, five sentences at most.", "Name a few lakes."),
        ("Describe it. Answer in German.", "Describe it."),
        ("Describe it without emojis.", "Describe it."),
    ] {
        assert_eq!(fates(old, new, ""), ([0, 0, 0, 1], false), "{old} | {new}");
    }
}

#[test]
fn a_constraint_that_the_remark_speaks_of_may_be_loosened_or_lost() {
    for (old, new, remark) in [
        ("Name lakes in at most five sentences.", "Name lakes in ten sentences.", "make it longer"),
        ("Use a formal tone.", "Use a playful tone.", "more playful"),
        ("Answer in German.", "Answer in French.", "French instead"),
        (
            r#"Reply with either "yes" or "no"."#,
            r#"Reply with either "yes" or "maybe"."#,
            "replace \"no\" by \"maybe\"",
        ),
    ] {
        assert_eq!(fates(old, new, remark), ([0, 0, 1, 0], true), "{old} | {new}");
        assert!(check(old, new, remark).constraints.loosened[0].requested);
    }
    let columns = |last: &str| format!("Make a table with the columns Name and {last}.");
    assert_eq!(fates(&columns("Price"), &columns("Age"), ""), ([1, 0, 1, 0], false));
    let remark = "replace Price by Age";
    assert_eq!(fates(&columns("Price"), &columns("Age"), remark), ([1, 0, 1, 0], true));
    for (old, new, remark) in [
        ("Name lakes in at most five sentences.", "Name lakes.", "no limit, please"),
        ("Nenne Seen, höchstens fünf Sätze.", "Nenne Seen.", "ruhig ausführlicher"),
        ("Return it as JSON.", "Return it.", "drop the JSON"),
    ] {
        assert_eq!(fates(old, new, remark), ([0, 0, 0, 1], true), "{old} | {new}");
    }
    let old = "Return it as JSON, in at most five sentences.";
    assert_eq!(fates(old, "Return it.", "drop the JSON"), ([0, 0, 0, 2], false));
    let lost = check(old, "Return it.", "drop the JSON").constraints.lost;
    assert_eq!(lost.iter().map(|one| one.requested).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn each_list_of_words_is_compared_with_the_one_that_has_its_words() {
    let prompt = r#"Do not use "luxury". Do not use "cheap"."#;
    let quotes = |new: &str| {
        let kept = check(prompt, new, "").constraints.kept;
        kept.into_iter().map(|one| one.new_quote.unwrap()).collect::<Vec<_>>()
    };
    let unchanged = [r#"Do not use "luxury""#, r#"Do not use "cheap""#];
    assert_eq!(quotes(prompt), unchanged);
    assert_eq!(quotes(&format!(r#"Do not use "fast". {prompt}"#)), unchanged);
}

#[test]
fn long_lists_of_prohibitions_are_compared_in_time_by_their_length() {
    let timed = |count: usize| {
        let prompt: String = (0..count).map(|at| format!("Do not use \"w{at}\". ")).collect();
        let started = std::time::Instant::now();
        assert_eq!(check(&prompt, &prompt, "").constraints.kept.len(), count);
        started.elapsed()
    };
    let (short, long) = (timed(250), timed(2_000));
    assert!(long < short * 16 + std::time::Duration::from_millis(150), "{short:?}, {long:?}");
}

#[test]
fn constraints_are_named_as_an_analysis_names_them() {
    let (old, new) =
        ("Größe egal, at most 90 words, in German.", "In German, no more than 90 words.");
    let result = check(old, new, "").constraints;
    let listed = engine::constraints::of(old);
    let kept: Vec<_> =
        result.kept.iter().map(|one| (one.id.as_str(), one.kind, one.quote.as_str())).collect();
    let named: Vec<_> =
        listed.iter().map(|one| (one.id.as_str(), one.kind, one.quote.as_str())).collect();
    assert_eq!(kept, named);
    assert_eq!(result.kept[0].new_quote.as_deref(), Some("no more than 90 words"));
}

#[test]
fn a_long_prompt_is_checked_at_once() {
    for piece in [
        "“a ",
        "\"a ",
        "```\na\n```\n",
        "{{v}} ",
        "1,000 ",
        "'x' ",
        "https://a.b/( ",
        "`a",
        "日本「語」",
        "« «",
        "At most 7 words. ",
    ] {
        let prompt: String = piece.chars().cycle().take(50_000).collect();
        assert!(passed(&prompt, &prompt), "{piece}");
        // Everything is lost at once, which takes the longest way through the comparison.
        let result = check(&prompt, "", "");
        assert!(result.numbers_lost.len() <= prompt.len());
    }
    let many: String = (0..6000).map(|n| format!("{{{{v{n}}}}} ")).collect();
    assert_eq!(check(&many, &many, "").variables.kept.len(), 6000);
}
