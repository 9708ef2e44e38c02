//! Whose the demands of a prompt are, and how their numbers are meant.

use checks::of;
use engine::ConstraintKind as Kind;
use serde_json::json;

use crate::common::of_kind;

/// The statements that became checks.
fn checked(prompt: &str) -> Vec<String> {
    of(prompt, "en").checks.into_iter().map(|check| check.quote).collect()
}

#[test]
fn the_limit_of_a_part_is_none_of_the_answer() {
    for prompt in [
        "Write a job ad.\n\nTitle\nMax 60 characters\n\nIntro\n2 sentences\n\nTasks\n5 bullets",
        "Create a landing page.\n1. Headline – 8 words\n2. Body – 120 words",
        "Product descriptions:\n- short version: 50 words\n- long version: 200 words",
        "Output:\n- one paragraph\n- 3 bullets",
        "Write the LinkedIn headline in max 120 characters and the about section in 3 paragraphs.",
        "Classify the ticket. Explain in at most two sentences.",
        "Draft the memo. Write a summary for the reviewer. Max 150 words.",
        "## How to answer\n1. The short answer in one or two sentences.\n2. The rule.",
        "* Write a story with 3 variants\n* No default exports",
        "Schreibe eine E-Mail. Betreff: max. 50 Zeichen. Text: höchstens 120 Wörter.",
        "Rédige un e-mail : objet (50 caractères max), corps (120 mots max).",
        "Escribe un correo. Asunto: máximo 50 caracteres. Cuerpo: 100 palabras.",
        "Scrivi una scheda prodotto: titolo di 60 caratteri, descrizione di 100 parole.",
        "Crie títulos. Até 60 caracteres cada.",
        "The title must not contain the word \"best\".",
        "Summarize it.\nHEADLINE: up to 8 words\nTEXT: 40-50 words\nTAGS: 4",
        "Output:\n**Text**: 40-50 words\n**Tags**: 4",
        "| Part | Length |\n|---|---|\n| Text | at most 50 words |\n| Title | at most 8 words |",
        "Answer: at most 50 words\nReason: at most 10 words",
        "Text (50 words), image prompt (20 words)",
        "Text 100 words, title 8 words.",
        "The reply must be under 100 words, the subject under 8.",
        "Write a report. Results: at most 150 words.",
        "Write 3 emails. Emails under 100 words.",
        "The e-mail body should be 80 to 100 words.",
        "Every post has at most 280 characters.",
        "Resume la noticia.\n\nTITULAR: hasta 8 palabras\nTEXTO: entre 40 y 50 palabras",
        "Riassumi.\nTITOLO: massimo 8 parole\nTESTO: da 40 a 50 parole",
        "Carta: 200 palabras\nPosdata: 20 palabras",
        "O corpo não pode passar de 100 palavras.",
        "Write a video script of 60 seconds with a hook in the first 3 seconds.",
        "Create a system prompt for a bot that answers in at most 3 sentences.",
        "Rate the urgency as low, medium or high and explain in one sentence.",
        "写一篇文章：标题不超过20字，正文500字。",
        "記事を書いてください。タイトルは30文字以内、本文は500文字程度。",
    ] {
        assert_eq!(checked(prompt), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn a_length_that_the_next_sentence_excepts_from_is_none_of_every_answer() {
    for prompt in [
        "Answer guests. At most 80 words. Exception: an instruction in steps may have 160.",
        "Write a mail of 90 to 120 words. The subject line and the greeting do not count.",
        "Antworte in höchstens 80 Wörtern. Ausnahme: Anleitungen dürfen länger sein.",
    ] {
        assert_eq!(checked(prompt), Vec::<String>::new(), "{prompt}");
    }
    assert_eq!(checked("Answer guests. At most 80 words. Offer a call."), ["At most 80 words"]);
}

#[test]
fn of_several_numbers_the_one_that_names_the_answer_is_its_limit() {
    for (prompt, own) in [
        (
            "Die Einleitung hat maximal 3 Sätze. Insgesamt höchstens 600 Wörter.",
            "höchstens 600 Wörter",
        ),
        ("Summarize the text (about four pages) in at most 120 words.", "at most 120 words"),
        ("Keep your whole answer under 90 words. Caption: max 8 words.", "under 90 words"),
        ("Write the section on risks, 3 items, 200-250 words in total.", "200-250 words"),
        ("Length: 200 words\nTone: friendly", "200 words"),
        ("Max. 60 words per answer.", "Max. 60 words"),
        ("Draft it for my boss. Two lines in total.", "Two lines"),
        ("Máximo 60 palabras por respuesta.", "Máximo 60 palabras"),
    ] {
        assert_eq!(checked(prompt), [own], "{prompt}");
    }
    assert_eq!(checked("Max. 300 words. Intro (100 words), conclusion (80 words)."), [""; 0]);
    assert_eq!(checked("Reply in English. Reply in German."), [""; 0]);
}

#[test]
fn what_is_told_of_the_material_is_no_demand() {
    for prompt in [
        "The customer writes emails of about 200 words. Draft a reply.",
        "Here's a table with columns Name, Age, City. Sort it by age.",
        "The reviews are in French, 3-5 sentences each.",
        "Here is a customer review in Italian: {{review}}.",
        "The article is about 500 words. Write a reply.",
        "Exclude users whose domain is in table `staff`.",
        "Prepare a 10-minute talk.",
        "Give me 30 seconds.",
        "Mention up to 3 offers.",
        "Output JSON lines.",
        "End with the sentence from step 2.",
        "Translate it into English and then decide if it is spam.",
        "用通俗的语言解释，不要用英文词。",
        "Nenne mir 10 deutsche Wörter mit drei Vokalen.",
    ] {
        assert_eq!(checked(prompt), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn amounts_are_meant_alike_in_every_language() {
    for (language, relation, wordings) in [
        ("en", "at_most", "max 80 words|80 words or less|80 words tops|80 or fewer words"),
        (
            "en",
            "at_most",
            "do not exceed 80 words|don't go past 80 words|never write more than 80 words",
        ),
        ("pt", "at_most", "não passe de 80 palavras|a resposta não pode passar de 80 palavras"),
        (
            "pt",
            "at_most",
            "não use mais de 80 palavras|a resposta não deve ultrapassar 80 palavras",
        ),
        ("pt", "at_least", "a resposta não pode ter menos de 80 palavras"),
        ("es", "at_most", "no uses más de 80 palabras|la respuesta no debe pasar de 80 palabras"),
        ("fr", "at_most", "la réponse ne doit pas dépasser 80 mots|n'utilise pas plus de 80 mots"),
        ("it", "at_most", "non usare più di 80 parole|la risposta non può superare 80 parole"),
        ("de", "at_most", "die Antwort darf 80 Wörter nicht überschreiten"),
        ("en", "at_least", "80+ words|no fewer than 80 words|80 words minimum"),
        ("de", "at_most", "höchstens 80 Wörter|80 Wörter oder weniger|nicht mehr als 80 Wörter"),
        ("de", "at_least", "mind. 80 Wörter|nicht weniger als 80 Wörter|80 Wörter oder mehr"),
        ("fr", "at_most", "80 mots ou moins|pas plus de 80 mots|ne pas dépasser 80 mots"),
        ("fr", "at_least", "pas moins de 80 mots|80 mots au moins|80 mots ou plus"),
        ("es", "at_most", "80 palabras máximo|80 palabras o menos|sin superar las 80 palabras"),
        ("es", "at_least", "no menos de 80 palabras|80 palabras como mínimo"),
        ("it", "at_most", "80 parole massimo|80 parole o meno|non oltre 80 parole"),
        ("it", "at_least", "non meno di 80 parole|80 parole come minimo"),
        ("pt", "at_most", "80 palavras no máximo|80 palavras ou menos|não mais que 80 palavras"),
        ("pt", "at_least", "80 palavras no mínimo|não menos de 80 palavras"),
        ("pt", "about", "umas 80 palavras|mais ou menos 80 palavras|cerca de 80 palavras"),
        ("de", "between", "von 80 bis 100 Wörter|80-100 Wörter|zwischen 80 und 100 Wörter"),
        ("it", "between", "da 80 a 100 parole|tra 80 e 100 parole"),
    ] {
        let lead = match language {
            "de" => "Erkläre die Gezeiten bitte.",
            "fr" => "Explique les marées à mon fils.",
            "es" => "Explica las mareas a mi hijo.",
            "it" => "Spiega le maree a mio figlio.",
            "pt" => "Explique as marés para o meu filho.",
            _ => "Explain the tides to my son.",
        };
        for wording in wordings.split('|') {
            let parameters = of_kind(&format!("{lead} {wording}."), Kind::WordCount).parameters;
            let parameters = serde_json::to_value(parameters).unwrap();
            let meant = (&parameters["relation"], &parameters["number"]);
            assert_eq!(meant, (&json!(relation), &json!(80)), "{wording}");
        }
    }
}

#[test]
fn an_answer_that_may_be_another_one_has_no_format() {
    for prompt in [
        "Return JSON {\"a\": 1}.\nIf the source language equals {{target}}, return the plain string SAME.",
        "Return valid JSON. If the text is already translated, answer only SAME.",
        "Output JSON. If nothing is found: NONE.",
        "Return JSON. On errors, reply with the word ERROR.",
        "Answer in German. If the user writes French, answer in French.",
        "Start with \"Hi\". If you know the name, start with \"Hi Ana\".",
        "Gib JSON aus. Wenn der Text schon übersetzt ist, antworte nur mit GLEICH.",
        "Devuelve JSON. Si el texto ya está traducido, responde solo IGUAL.",
        "Restituisci JSON. Se il testo è già tradotto, restituisci: UGUALE",
    ] {
        assert_eq!(checked(prompt), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn what_is_said_twice_is_checked_once() {
    let reading = of("Return JSON with a title. Always return valid JSON.", "en");
    assert_eq!(reading.checks.len(), 1);
    assert_eq!(reading.coverage.covered, 2);
}

#[test]
fn beginnings_and_ends_are_read_in_six_languages() {
    for (prompt, kind) in [
        ("Your reply should end with a question mark.", Kind::EndsWith),
        ("Termina siempre con una pregunta.", Kind::EndsWith),
        ("Termine sempre com uma pergunta.", Kind::EndsWith),
        ("Beende deine Antwort mit einer Frage.", Kind::EndsWith),
        ("Termine par une question.", Kind::EndsWith),
        ("Termina con una domanda.", Kind::EndsWith),
        ("Finish with the exact words \"Over and out\".", Kind::EndsWith),
        ("Start with the exact words \"Dear Sir\".", Kind::StartsWith),
        ("Beginne mit den Worten „Liebe Ana“.", Kind::StartsWith),
        ("Empieza con las palabras \"Hola Ana\".", Kind::StartsWith),
        ("Commence par les mots « Bonjour Ana ».", Kind::StartsWith),
        ("Inizia con le parole \"Ciao Ana\".", Kind::StartsWith),
        ("Comece com as palavras \"Olá Ana\".", Kind::StartsWith),
    ] {
        assert_eq!(of_kind(prompt, kind).kind, kind, "{prompt}");
    }
    let continued = "Termine com \"Abraços,\" e, na linha seguinte, o nome.";
    assert_eq!(checked(continued), Vec::<String>::new());
}

#[test]
fn words_that_are_not_quoted_and_name_no_class_are_no_check() {
    for prompt in ["Do not use the words cheap, fast or free.", "Senza usare parole italiane."] {
        assert_eq!(checked(prompt), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn what_the_prompt_contradicts_is_no_check() {
    for prompt in [
        "Return JSON with a title. Return plain text only.",
        "Write a post. No hashtags. Add hashtags at the end.",
        "Answer in English. Answer in the language of the user.",
        "Sum it up in a single paragraph. Use bullet points throughout.",
        "Your reply has three sections:\n**One**\n**Two**\n**Three**\n**Four**",
        "Answer with a JSON object. Before the JSON, explain what you did.",
        "Gib JSON aus. Schreibe nach dem JSON einen Satz zur Begründung.",
        "Write a profile of at most 200 words. Every section has at least 80 words.",
        "Schreibe höchstens 100 Wörter. Der Hauptteil hat mindestens 150 Wörter.",
        "Write a post of at most 200 characters with a quote of about 80 words.",
        "Write a tweet (max 280 characters) with a quote of at least 50 words.",
        "Write a text:\n- Paragraph 1: what it is (60 words)\n- Paragraph 2: care (60 words)\n\nThe total must be at most 100 words.",
        "Answer in plain text. Use headings for each part.",
        "Keep answers between 50 and 120 words. If somebody is hurt, start with \"Call 999\".",
        "Include at least three lines of dialogue.",
    ] {
        assert_eq!(checked(prompt), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn what_the_examples_of_a_prompt_fail_is_no_check() {
    let labelled = |label: &str| {
        format!(
            "Label the mail with one of these: bug, question, praise\n\n\
             Mail: It hangs.\nLabel: bug\n\nMail: Add a dark mode.\nLabel: {label}\n\nMail: {{{{mail}}}}\nLabel:"
        )
    };
    assert_eq!(checked(&labelled("wish")), Vec::<String>::new());
    assert_eq!(checked(&labelled("question")).len(), 1);
}

#[test]
fn what_forbids_a_text_that_is_demanded_is_no_check() {
    for (prompt, own) in [
        ("No exclamation marks. End with \"See you soon!\"", "End with \"See you soon!\""),
        ("Write everything in lowercase. Start with \"Dear Anna\".", "Start with \"Dear Anna\""),
        (
            "Do not use the word \"free\". It must contain the phrase \"free shipping\".",
            "contain the phrase \"free shipping\"",
        ),
        (
            "No exclamation marks. End with \"See you soon.\"",
            "No exclamation marks|End with \"See you soon.\"",
        ),
    ] {
        assert_eq!(checked(prompt).join("|"), own, "{prompt}");
    }
}

#[test]
fn a_length_beside_several_things_or_a_wish_is_no_check() {
    for (prompt, own) in [
        ("Generate 10 questions. Max 20 words.", "10 questions"),
        ("Generate 10 questions. Max 200 words in total.", "10 questions|Max 200 words"),
        ("Choose one of the plans. Explain in one sentence.", ""),
        ("Write a reply, ideally under 100 words.", ""),
        ("Write a reply of 50 to 90 words, not counting the signature.", ""),
        ("Escribe una respuesta de 50 a 90 palabras, sin contar la firma.", ""),
        ("Write a commit message. Subject line in imperative mood, max 50 characters.", ""),
    ] {
        assert_eq!(checked(prompt).join("|"), own, "{prompt}");
    }
}
