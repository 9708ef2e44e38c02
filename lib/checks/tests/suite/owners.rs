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
fn of_several_numbers_the_one_that_names_the_answer_is_its_limit() {
    for (prompt, own) in [
        (
            "Die Einleitung hat maximal 3 Sätze. Insgesamt höchstens 600 Wörter.",
            "höchstens 600 Wörter",
        ),
        ("Summarize the text (about four pages) in at most 120 words.", "at most 120 words"),
        ("Keep your whole answer under 90 words. Caption: max 8 words.", "under 90 words"),
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
