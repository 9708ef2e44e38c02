//! What good, middling and poor prompts score, what is hardly a prompt, and which wishes exclude each other.

use crate::analysis;

use std::time::Duration;

use cpu_time::ThreadTime;

use analysis::{analyze, assert_exact, brief, rules_of, run};
use engine::{Analysis, PromptBrief, Rating, Severity};

fn rows(table: &'static str) -> impl Iterator<Item = Vec<String>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').map(|field| field.replace("\\n", "\n")).collect())
}

fn has(analysis: &Analysis, rule: &str) -> bool {
    analysis.findings.iter().any(|finding| finding.rule_id == rule)
}

#[test]
fn scores_lie_in_the_bands_that_a_reader_expects() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("analyzing_bands.tsv")) {
        let [band, prompt] = &row[..] else { panic!("two fields: {row:?}") };
        let analysis = analyze(prompt);
        let fits = match band.as_str() {
            "good" => analysis.overall_score > 75,
            "middling" => (45..=85).contains(&analysis.overall_score),
            "poor" => analysis.overall_score < 55,
            other => panic!("no band {other}"),
        };
        if !fits {
            let score = analysis.overall_score;
            wrong.push(format!("{band}: {score} {:?} {prompt:?}", rules_of(&analysis)));
        }
        assert_exact(prompt, &analysis);
        assert_eq!(analysis, analyze(prompt));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wishes_that_exclude_each_other_are_found_and_others_are_not() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("analyzing_conflicts.tsv")) {
        let [fires, rule, prompt] = &row[..] else { panic!("three fields: {row:?}") };
        let analysis = analyze(prompt);
        let found = match fires.as_str() {
            "yes" => has(&analysis, rule),
            _ => analysis.findings.iter().any(|finding| finding.rule_id.starts_with("conflicting")),
        };
        if found != (fires == "yes") {
            wrong.push(format!("{fires} {rule}: {:?} {prompt}", rules_of(&analysis)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_hardly_a_prompt_is_named_and_scores_low() {
    let jobs = "Write a poem about the sea. Translate my CV into French. Debug this Python function. Plan a trip to Rome for two. Explain black holes. Draft a rental contract. Suggest names for a cat.";
    let sound =
        "Write a report of 300 words about the history of the harbour for the city council.";
    for (prompt, rule, most) in [
        (format!("{sound} ").repeat(200), "repetitive_text", 55),
        ("la ".repeat(100), "repetitive_text", 55),
        ("请写一篇关于秋天的作文。".repeat(200), "repetitive_text", 55),
        ("a".repeat(5000), "repetitive_text", 40),
        (jobs.to_owned(), "unrelated_tasks", 55),
        (format!("x{}", "\n".repeat(49_999)), "blank_space", 40),
        (format!("{sound}{}", "\n".repeat(49_000)), "blank_space", 60),
        ("marketing".to_owned(), "underspecified", 40),
        ("Summarize".to_owned(), "underspecified", 55),
        (sound.to_uppercase(), "all_capitals", 70),
        ("asdkjfh aslkdjfh qwoieur zxmcnv".to_owned(), "unreadable_text", 30),
        ("x7$kQ!pZ9@ 3k#fm2! ppp0o9i8u".to_owned(), "unreadable_text", 30),
        ("жщцъфкгждй ξψθφδλκ קרעטכ 漢あ가 ابتثجحخ ไทยกขฃ".to_owned(), "unreadable_text", 30),
        ("{{a}} {{b}} {{c}}".to_owned(), "only_variables", 50),
        ("{{x}}".repeat(10_000), "only_variables", 50),
    ] {
        let analysis = analyze(&prompt);
        let shown: String = prompt.chars().take(60).collect();
        assert!(has(&analysis, rule), "{rule} in {shown}: {:?}", rules_of(&analysis));
        assert!(analysis.overall_score <= most, "{} for {shown}", analysis.overall_score);
        assert_exact(&prompt, &analysis);
    }
    for prompt in [
        "Erkläre die Rechtschreibung von Angstschweiß und Schlittschuh in 50 Wörtern.",
        "Explain git rebase --onto abc123f and kubectl -n kube-system.",
        "What does XJZ-4432-QQ mean?",
        "Przetłumacz zdanie: Wszystkiego najlepszego, bezwzględnie chrząszcz brzmi w trzcinie.",
    ] {
        let analysis = analyze(prompt);
        assert!(!has(&analysis, "unreadable_text"), "{prompt}: {:?}", rules_of(&analysis));
    }
    let once = analyze(sound);
    assert!(once.overall_score >= 85, "{:?}", rules_of(&once));
}

#[test]
fn a_list_of_rules_for_one_result_is_no_list_of_unrelated_tasks() {
    for prompt in [
        "Write a blog post about tides for sailors. Include a table of tide times. Add three sources. Give two examples. Explain spring tides. Keep it under 500 words.",
        "Review the code below.\n1. List the bugs.\n2. Explain each bug.\n3. Suggest a fix for every bug.\n4. Rewrite the function.\n5. Write a test for it.",
        "Summarize the report. Translate the summary into German. Extract the figures as a table. Draft an email with the results.",
    ] {
        let analysis = analyze(prompt);
        assert!(!has(&analysis, "unrelated_tasks"), "{prompt}: {:?}", rules_of(&analysis));
    }
}

#[test]
fn the_limits_of_the_analysis_are_said_in_languages_without_word_lists() {
    for (tag, prompt) in rows(include_str!("analyzing_languages.tsv"))
        .map(|row| (row[0].clone(), row[2].clone()))
        .filter(|(tag, _)| !["en", "de", "es", "fr", "it", "pt"].contains(&tag.as_str()))
    {
        let analysis = analyze(&prompt);
        assert!(has(&analysis, "unjudged_language"), "{tag}");
        assert!(analysis.summary.contains(&format!("({tag})")), "{tag}: {}", analysis.summary);
        assert!(analysis.summary.contains("not judged"), "{}", analysis.summary);
        assert!(analysis.metrics.clarity.reason.contains("not judged"));
        assert_eq!(analysis.rating, Rating::Good, "{tag} {}", analysis.overall_score);
        // What holds in all languages counts all the same.
        let worse = analyze(&format!("{prompt} {{{{имя AKIAIOSFODNN7EXAMPLE\n```"));
        assert!(worse.overall_score + 10 < analysis.overall_score, "{tag}");
    }
    for (language, words) in [
        ("de", "nicht beurteilt"),
        ("es", "No se ha valorado"),
        ("fr", "n'a pas été jugée"),
        ("it", "non è stata valutata"),
        ("pt", "não foi avaliada"),
    ] {
        let brief = PromptBrief {
            language: language.to_owned(),
            ..brief("请写一封信给房东，说明暖气坏了。")
        };
        let summary = run(&brief).expect("a result").summary;
        assert!(summary.contains(words), "{summary}");
    }
}

#[test]
fn a_task_is_found_in_tags_objects_slips_and_courtesies() {
    for prompt in [
        "<task>Summarize the report for the board in five bullet points.</task>\n<report>{{report}}</report>",
        "<instructions>\nTranslate the letter into French.\n</instructions>\n<letter>Dear Sir, it is late.</letter>",
        "<prompt><goal>List ten rivers in Peru.</goal></prompt>",
        "{\"task\": \"Summarize the plot of Hamlet in three sentences\", \"audience\": \"students\"}",
        "{\n  \"role\": \"editor\",\n  \"instruction\": \"Rewrite the sentence in plain English.\",\n  \"text\": \"Pursuant to the aforementioned clause\"\n}",
        "[{\"goal\": \"Explain tides to a child\", \"words\": 100}]",
        "sumarize the plot of Hamlet in three sentences",
        "anaylze the causes of the French Revolution in 200 words for students",
        "wirte a haiku about rain",
        "plese transalte \"good morning\" into German",
        "Expalin photosynthesis to pupils in 80 words",
        "I was wondering whether you might be able to explain tides to a child in 100 words",
        "Would it be possible to get a list of ten rivers in Peru",
        "Any chance you know the capital of Peru",
        "It would be great if you described the water cycle in 100 words for pupils",
        "Schriebe einen Brief über 80 Wörter an meinen Vermieter wegen der Heizung",
        "Es wäre nett, wenn ich eine Liste der Flüsse in Peru bekäme",
        "Würden Sie mir die Gezeiten in 100 Wörtern erläutern",
        "J'aimerais une liste des fleuves du Pérou",
        "Me gustaría una lista de los ríos del Perú",
        "Vorrei un elenco dei fiumi del Perù",
        "Gostaria de uma lista dos rios do Peru",
    ] {
        let analysis = analyze(prompt);
        assert!(!has(&analysis, "missing_task"), "{prompt}: {:?}", rules_of(&analysis));
        assert!(!has(&analysis, "underspecified"), "{prompt}: {:?}", rules_of(&analysis));
    }
    for prompt in [
        "White cats in the garden of our neighbours",
        "<report>Sales fell by 12 percent.</report>",
        "{\"name\": \"Ann\", \"city\": \"Oslo\"}",
        "{\"city\": \"Oslo\", \"list\": \"guests\", \"test\": \"none\"}",
        "Planes and trains of the last century",
    ] {
        let analysis = analyze(prompt);
        assert!(has(&analysis, "missing_task"), "{prompt}: {:?}", rules_of(&analysis));
    }
}

#[test]
fn worked_examples_show_task_and_format() {
    for prompt in [
        "Input: 2+2\nOutput: 4\nInput: 3+5\nOutput: 8\nInput: 7+6\nOutput:",
        "Q: What is the capital of France?\nA: Paris\nQ: What is the capital of Peru?\nA:",
        "Text: I love this phone\nSentiment: positive\nText: The battery died\nSentiment: negative\nText: It is okay\nSentiment:",
        "Classify the sentiment.\n\nText: I love this phone\nSentiment: positive\n\nText: The battery died\nSentiment: negative\n\nText: {{text}}\nSentiment:",
        "Extract the names.\n\nExample 1\nInput: Ann met Bob.\nOutput: Ann, Bob\n\nExample 2\nInput: Cy left.\nOutput: Cy\n\nInput: {{text}}\nOutput:",
        "Classify each ticket.\n\nticket: no light -> power\nticket: no page -> network\nticket: {{ticket}} ->",
        "Ordne die Sätze ein.\n\nSatz: Das ist toll.\nStimmung: positiv\n\nSatz: Das ist schlecht.\nStimmung: negativ\n\nSatz: {{satz}}\nStimmung:",
    ] {
        let analysis = analyze(prompt);
        for rule in
            ["missing_task", "missing_examples", "missing_output_format", "missing_categories"]
        {
            assert!(!has(&analysis, rule), "{rule} in {prompt}: {:?}", rules_of(&analysis));
        }
    }
    let bare = analyze("Classify the sentiment of the reviews.");
    assert!(has(&bare, "missing_examples") && has(&bare, "missing_output_format"));
}

#[test]
fn open_results_cost_and_plain_ones_do_not() {
    for prompt in [
        "write something about dogs",
        "make it good",
        "Write a text about dogs",
        "help me with marketing",
        "create some content about coffee",
        "Schreibe etwas über Hunde",
        "Schreib mir einen Text über Hunde.",
        "Écris quelque chose sur les chiens",
        "Escribe algo sobre perros",
        "Scrivi qualcosa sui cani",
        "Escreva algo sobre cães",
    ] {
        let analysis = analyze(prompt);
        let score = analysis.overall_score;
        assert!((30..=65).contains(&score), "{score} {prompt}: {:?}", rules_of(&analysis));
    }
    for prompt in [
        "Translate 'Good morning' into French.",
        "What is the capital of Peru?",
        "Summarize the following text in three sentences: {{text}}",
        "Is there something like a tax on dogs in Vienna?",
        "Write a text of 80 words about dogs for a shelter's website.",
    ] {
        let analysis = analyze(prompt);
        let high = analysis.findings.iter().any(|finding| finding.severity == Severity::High);
        let score = analysis.overall_score;
        assert!(score >= 85 && !high, "{score} {prompt}: {:?}", rules_of(&analysis));
    }
}

#[test]
fn what_the_context_brings_is_not_missing() {
    let article = "Article: Sales of bicycles fell by 12 percent in 2024 because of the weather.";
    for (prompt, context) in [
        ("Summarize this article in two sentences.", article),
        ("Summarize this article in two sentences.", "The article is provided by the user."),
        ("Translate this text into Polish.", "\"Good night, and see you tomorrow\""),
        ("Improve my essay for clarity.", "<essay>\nThe sea is wide.\n</essay>"),
        ("Fasse diesen Artikel in zwei Sätzen zusammen.", "Der Artikel liegt bei."),
    ] {
        let explained = PromptBrief { context: context.to_owned(), ..brief(prompt) };
        let analysis = run(&explained).expect("a result");
        assert!(!has(&analysis, "missing_material"), "{prompt}: {:?}", rules_of(&analysis));
        assert!(has(&analyze(prompt), "missing_material"), "{prompt}");
    }
    // A remark about the use brings nothing.
    let remark = PromptBrief {
        context: "For our website.".to_owned(),
        ..brief("Summarize this article in two sentences.")
    };
    assert!(has(&run(&remark).expect("a result"), "missing_material"));
}

#[test]
fn nasty_input_takes_no_second() {
    analyze("Write {{x}} in 5 words, {y}, card 1234 5678, mit Emojis");
    for piece in [
        "\n",
        "{{a}}",
        "a",
        "SHOUT THIS NOW ",
        "Wirte a poem. ",
        "Input: a\nOutput: b\n",
        "\"task\": \"write\", ",
        "with emojis, no emojis, ",
        "<task>write</task>",
        "x7$kQ!pZ9 ",
        "Antworte auf Deutsch. ",
        " ",
    ] {
        let prompt: String =
            std::iter::once('x').chain(piece.chars().cycle()).take(50_000).collect();
        let taken = (0..3).map(|_| {
            let start = ThreadTime::now();
            assert!(analyze(&prompt).overall_score < 80, "{piece:?}");
            start.elapsed()
        });
        let fastest = taken.min().unwrap_or_default();
        assert!(fastest < Duration::from_secs(1), "{piece:?}: {fastest:?}");
    }
}

/// Of how many pairs of a file the better prompt scores higher, the same and lower.
fn order(pairs: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    for line in pairs.lines() {
        let pair: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let text = |name: &str| pair[name].as_str().expect("a text");
        let target = match text("target") {
            "image" => "FLUX.2",
            "video" => "Veo 3.1",
            _ => "Universal",
        };
        let score = |name: &str| analysis::for_target(text(name), target).overall_score;
        counts[2 - (score("better").cmp(&score("worse")) as i8 + 1) as usize] += 1;
    }
    counts
}

#[test]
fn the_better_prompt_of_a_pair_scores_higher() {
    let [higher, _, lower] = order(include_str!("analyzing_pairs_training.jsonl"));
    assert!(higher >= 198 && lower <= 4, "tuned on: {higher} higher, {lower} lower");
    let [higher, _, lower] = order(include_str!("analyzing_pairs.jsonl"));
    assert!(higher >= 76 && lower <= 9, "never tuned on: {higher} higher, {lower} lower");
}

#[test]
fn short_and_long_at_once_is_a_conflict_in_every_language() {
    for prompt in [
        "Write about tides. Keep it short and long, maybe.",
        "Schreibe über Gezeiten. Halte es kurz und lang.",
        "Écris sur les marées. Sois court et long.",
        "Escribe sobre las mareas. Que sea corto y largo.",
        "Scrivi sulle maree. Deve essere breve e lungo.",
        "Escreva sobre as marés. Que seja curto e longo.",
    ] {
        let analysis = analyze(prompt);
        assert!(has(&analysis, "conflicting_detail"), "{prompt}: {:?}", rules_of(&analysis));
    }
}

#[test]
fn a_prompt_about_something_lacks_its_subject() {
    for prompt in [
        "Write about something. Keep it short and long, maybe.",
        "Write a text about something.",
        "Schreibe einen Text über irgendwas.",
        "Écris un texte sur quelque chose.",
        "Escribe un texto sobre algo.",
        "Scrivi un testo su qualcosa.",
        "Escreva um texto sobre algo.",
    ] {
        let analysis = analyze(prompt);
        assert!(has(&analysis, "missing_subject"), "{prompt}: {:?}", rules_of(&analysis));
        assert!(analysis.overall_score <= 50, "{} {prompt}", analysis.overall_score);
        assert_ne!(analysis.suggested_use_cases[0], "Condensing long texts to what matters");
    }
    assert!(analyze("Write a text of 80 words about tides for sailors.").overall_score >= 90);
}
