//! Formats and structures of answers.

use checks::{Outcome, Reason};
use engine::ConstraintKind as Kind;
use serde_json::json;

use crate::common::{check, judged, of_kind, outcome, verdict};

#[test]
fn formats_are_told_from_others() {
    for (format, passing, failing) in [
        ("json", "```json\n{\"a\": [1, null]}\n```", "Here it is:\n{\"a\": 1}"),
        ("json", "[1, 2]", "{\"a\": 1,}"),
        ("json", "{\"a\": 1}\n{\"a\": 2}", "{\"a\": 1} {\"a\": 2}"),
        ("yaml", "a: 1\nb:\n  - x\n  - y", "just words"),
        ("yaml", "```yaml\n- a\n- b: c\n```", "a: [1, 2\nb: 3"),
        ("xml", "<a><b x=\"1\">t</b></a>", "<a><b></a></b>"),
        ("csv", "name,price\ntea,\"3,5\"\nmilk,2", "name,price\ntea,3,5"),
        ("csv", "name;price\ntea;3,5", "one\ntwo"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n1 | 2"),
        ("markdown", "# Title\n\ntext", "text without marks."),
        ("plain_text", "text without marks.", "text with **marks**."),
        ("numbered_list", "1. one\n2. two", "- one\n- two"),
        ("bullet_list", "- one\n- two", "1. one\n2. two"),
        ("code_block", "See:\n```\nx = 1\n```", "x = 1"),
    ] {
        let check = check(Kind::Format, &json!({"value": format}));
        let passed = verdict(&check, passing);
        assert_eq!(passed.verdict, Outcome::Passed, "{passing} {passed:?}");
        let failed = verdict(&check, failing);
        assert_eq!(failed.verdict, Outcome::Failed, "{failing} {failed:?}");
    }
}

#[test]
fn a_parser_says_where_a_document_breaks() {
    let broken = [
        ("json", "{\"a\": 1,\n \"b\": x}", "line 2 column 7"),
        ("xml", "<a>\n<b></c></a>", "2:4"),
        ("csv", "a,b\n1,2,3", "line: 2"),
    ];
    for (format, text, place) in broken {
        let check = check(Kind::Format, &json!({"value": format}));
        let found = verdict(&check, text).evidence.expect("evidence").found.expect("a problem");
        assert!(found.contains(place), "{found}");
    }
}

const SCHEMA: &str = r##"{"type": "object", "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}}}, "required": ["name"], "$defs": {"tag": {"type": "string", "pattern": "^[a-z]+$"}}}"##;

#[test]
fn an_answer_is_held_to_the_schema_of_its_prompt() {
    let prompt = format!("Return JSON that matches this schema:\n```json\n{SCHEMA}\n```");
    let check = of_kind(&prompt, Kind::JsonSchema);
    assert!(check.executable);
    assert_eq!(outcome(&check, r#"{"name": "Ana", "tags": ["x"]}"#), Outcome::Passed);
    assert_eq!(outcome(&check, "```json\n{\"name\": \"Ana\"}\n```"), Outcome::Passed);
    for (output, pointer) in [
        (r#"{"name": 3}"#, "/name"),
        (r#"{"tags": []}"#, "/"),
        (r#"{"name": "Ana", "tags": ["a", "B"]}"#, "/tags/1"),
    ] {
        let failed = verdict(&check, output);
        assert_eq!(failed.verdict, Outcome::Failed, "{output}");
        assert_eq!(failed.evidence.expect("evidence").found.as_deref(), Some(pointer));
    }
    assert_eq!(outcome(&check, "Ana"), Outcome::Failed);
}

#[test]
fn a_schema_that_has_no_end_decides_nothing() {
    for schema in [
        r##"{"type": "object", "properties": {"a": {"$ref": "#"}}}"##,
        r##"{"type": "object", "properties": {}, "allOf": [{"$ref": "#"}]}"##,
        r#"{"type": "object", "properties": {"a": {"$ref": "https://example.com/schema.json"}}}"#,
        r#"{"type": "nothing", "properties": {}}"#,
    ] {
        let check = check(Kind::JsonSchema, &json!({"value": schema}));
        assert!(!check.executable, "{schema}");
        assert_eq!(verdict(&check, "{}").reason, Some(Reason::NotExecutable), "{schema}");
    }
}

#[test]
fn tables_have_the_columns_of_their_prompts() {
    for (prompt, head, other) in [
        (
            "Compare them in a table with the columns Name, Price and Storage.",
            "Name | Price (EUR) | Storage",
            "Name | Cost | Storage",
        ),
        (
            "Erstelle eine Tabelle mit den Spalten Name, Preis und Gewicht.",
            "Gewicht | Name | **Preis**",
            "Name | Preis",
        ),
        (
            "Fais un tableau avec les colonnes Nom, Prix et Poids.",
            "Nom | Prix | Poids",
            "Nom | Prix | Poids | Note",
        ),
        (
            "Haz una tabla con las columnas Nombre, Precio y Peso.",
            "Nombre | Precio | Peso",
            "Nombre | Coste | Peso",
        ),
        (
            "Crea una tabella con le colonne Nome, Prezzo e Peso.",
            "Nome | Prezzo | Peso",
            "Nome | Costo | Peso",
        ),
        (
            "Crie uma tabela com as colunas Nome, Preço e Peso.",
            "Nome | Preço | Peso",
            "Nome | Custo | Peso",
        ),
    ] {
        let table = |head: &str| format!("Text.\n\n| {head} |\n|---|---|---|\n| a | b | c |\n");
        assert_eq!(judged(prompt, Kind::TableColumns, &table(head)), Outcome::Passed, "{prompt}");
        assert_eq!(judged(prompt, Kind::TableColumns, &table(other)), Outcome::Failed, "{prompt}");
        assert_eq!(judged(prompt, Kind::TableColumns, "no table"), Outcome::Failed, "{prompt}");
    }
}

#[test]
fn numbers_lie_within_their_range() {
    for prompt in [
        "Read the review below and give it a score from 1 to 10.",
        "Lies die Rezension und vergib eine Note von 1 bis 10.",
        "Lis l'avis et attribue une note de 1 à 10.",
        "Lee la reseña y asigna una puntuación del 1 al 10.",
        "Leggi la recensione e assegna un voto da 1 a 10.",
        "Leia a crítica e atribua uma nota de 1 a 10.",
    ] {
        let judged = |output: &str| judged(prompt, Kind::NumberRange, output);
        assert_eq!(judged("8"), Outcome::Passed, "{prompt}");
        assert_eq!(judged("In 2024 I read it twice: 7.5/10"), Outcome::Passed, "{prompt}");
        assert_eq!(judged("12"), Outcome::Failed, "{prompt}");
        assert_eq!(judged("14/10"), Outcome::Failed, "{prompt}");
        assert_eq!(judged("good"), Outcome::Failed, "{prompt}");
        assert_eq!(judged("In 2024 it had 3 parts."), Outcome::Undecided, "{prompt}");
    }
}
