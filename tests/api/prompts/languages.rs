//! The language of a request: any text of 2 to 20 characters.

use acceptance::{Account, World, account::fresh_key};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

async fn in_language(account: &Account, path: &str, mut body: Value, language: &str) -> Value {
    body["language"] = language.into();
    account.post(path, &fresh_key(), &body).await.data(200).clone()
}

/// The language that history has for a generation.
async fn kept(account: &Account, result: &Value) -> String {
    let id = result["generationId"].as_str().expect("an id");
    let item = account.get(&format!("/history/generation/{id}")).await.data(200).clone();
    item["input"]["language"].as_str().expect("a text").to_owned()
}

fn goal() -> Value {
    json!({"message": "Write a thank-you note to a teacher"})
}

#[tokio::test]
async fn a_language_is_given_by_a_tag_or_by_a_name_in_english_or_in_itself_with_a_region() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (given, tag) in [
        ("en", "en"),
        ("pt-BR", "pt-BR"),
        ("zh-Hant-TW", "zh-Hant-TW"),
        ("German", "de"),
        ("GERMAN", "de"),
        (" Deutsch ", "de"),
        ("Deutsch (Österreich)", "de-AT"),
        ("German, Switzerland", "de-CH"),
        ("English (US)", "en-US"),
        ("UK English", "en-GB"),
        ("Español (México)", "es-MX"),
        ("Français (Canada)", "fr-CA"),
        ("Português (Brasil)", "pt-BR"),
        ("Italiano", "it"),
        ("日本語", "ja"),
        ("日本語（日本）", "ja"),
        ("한국어", "ko"),
        ("中文", "zh"),
        ("繁體中文", "zh-TW"),
        ("Русский", "ru"),
        ("العربية", "ar"),
        ("हिन्दी", "hi"),
        ("Ελληνικά", "el"),
        ("tiếng Việt", "vi"),
        ("Kiswahili", "sw"),
        // A region that is not known leaves the language.
        ("German (Namibia)", "de"),
        ("Chinese (Cantonese)", "yue"),
    ] {
        let result = in_language(&account, "/prompts/generate", goal(), given).await;
        assert_eq!(kept(&account, &result).await, tag, "{given}");
        let is_spoken = ["en", "de", "es", "fr", "it", "pt"].contains(&&tag[..2]);
        assert_eq!(result["language"], tag, "{given}");
        let says_so = result.to_string().contains("in English, because there are no");
        assert_eq!(says_so, !is_spoken, "{given}: {result}");
    }
    let german = in_language(&account, "/prompts/generate", goal(), "Deutsch").await;
    assert!(german["prompt"].as_str().is_some_and(|text| text.contains("Aufgabe")), "{german}");
}

#[tokio::test]
async fn an_unknown_language_stays_the_users_word_and_every_result_says_that_it_is_not_spoken() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let prompt = json!({"prompt": "Write something about our new running shoes, in 120 words."});
    let refined = json!({"prompt": "Write about {{product}}.", "feedback": "At most 90 words"});
    let reversed = json!({"type": "text", "content": "Our shoes are light. They last for years."});
    for (path, body) in [
        ("/prompts/generate", goal()),
        ("/prompts/analyze", prompt.clone()),
        ("/prompts/optimize", prompt.clone()),
        ("/prompts/analyze-and-optimize", prompt),
        ("/prompts/refine", refined),
        ("/reverse-prompts", reversed),
    ] {
        for language in
            ["Klingon", " Klingon ", "Old English", "tlh", "x-y", "🙂🙂", "!?", "  ", "a\nb"]
        {
            let result = in_language(&account, path, body.clone(), language).await;
            assert_eq!(result["language"], language, "{path}");
            if path == "/prompts/generate" {
                assert_eq!(kept(&account, &result).await, language);
            }
            let says_so = result.to_string().contains("in English, because there are no");
            assert!(says_so, "{path}, {language}: {result}");
        }
    }
    for (language, problem) in [
        ("e".to_owned(), "must have at least 2 characters"),
        ("é".repeat(21), "must have at most 20 characters"),
    ] {
        let body = json!({"message": "A haiku", "language": language});
        let refused = account.generate(&fresh_key(), &body).await;
        let error = refused.is_error(400, "invalid_request");
        assert_eq!(error["details"], json!([{"path": "/language", "message": problem}]));
    }
}
