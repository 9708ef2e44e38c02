use acceptance::{Account, World, account::fresh_key};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

async fn generate(account: &Account, body: Value) -> Value {
    account.generate(&fresh_key(), &body).await.data(200).clone()
}

fn text<'a>(data: &'a Value, field: &str) -> &'a str {
    data[field].as_str().unwrap_or_else(|| panic!("{field} in {data}"))
}

#[tokio::test]
async fn a_goal_becomes_a_prompt_with_all_its_parts() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let goal = "Write a cold email that offers our payroll software to dental clinics";
    let data = generate(&account, json!({"message": goal})).await;
    let fields: Vec<_> = data.as_object().expect("an object").keys().map(String::as_str).collect();
    for field in [
        "operationId",
        "generationId",
        "versionId",
        "targetModel",
        "title",
        "mode",
        "outputMode",
        "prompt",
        "systemPrompt",
        "negativePrompt",
        "parameters",
        "sections",
        "variables",
        "assumptions",
        "clarifyingQuestions",
        "techniques",
        "usageGuide",
        "tokenEstimate",
        "language",
        "engine",
    ] {
        assert!(fields.contains(&field), "{field} in {fields:?}");
    }
    assert!(text(&data, "operationId").starts_with("op_"));
    assert!(text(&data, "generationId").starts_with("gen_"));
    assert!(text(&data, "versionId").starts_with("ver_"));
    assert_eq!(data["targetModel"], "Universal");
    assert_eq!(data["language"], "en");
    assert_eq!(data["outputMode"], "ready_to_use");
    assert_eq!(data["mode"], "writing");
    assert_eq!(data["engine"], json!({"name": "rules", "kind": "rules", "model": null}));
    let prompt = text(&data, "prompt");
    assert!(prompt.chars().count() > 2 * goal.len(), "{prompt}");
    assert!(prompt.contains("dental clinics") && prompt.contains("payroll software"), "{prompt}");
    assert!(data["tokenEstimate"]["input"].as_u64().is_some_and(|tokens| tokens > 50));
    for section in data["sections"].as_array().expect("sections") {
        assert!(prompt.contains(text(section, "text")), "{section}");
    }
}

#[tokio::test]
async fn each_mode_is_honoured_and_told() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let mut prompts = std::collections::BTreeSet::new();
    for mode in ["general", "research", "planning", "agent", "code", "automation"] {
        let body = json!({"message": "Customer onboarding for a fitness app", "mode": mode});
        let data = generate(&account, body).await;
        assert_eq!(data["mode"], mode);
        assert_eq!(data["systemPrompt"].is_string(), mode == "agent", "{data}");
        let whole = format!("{}{}", data["systemPrompt"], data["prompt"]);
        assert!(prompts.insert(whole), "{mode} gives what another mode gave");
    }
}

#[tokio::test]
async fn reusable_prompts_keep_variables_and_ready_ones_have_none() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let message = "Write a blog post about our [product]";
    let ready = generate(&account, json!({"message": message})).await;
    assert!(!text(&ready, "prompt").contains("{{"));
    assert_eq!(ready["variables"], json!([]));
    let body = json!({"message": message, "outputMode": "reusable"});
    let reusable = generate(&account, body).await;
    let variables = reusable["variables"].as_array().expect("a list");
    assert!(!variables.is_empty());
    for variable in variables {
        let marker = format!("{{{{{}}}}}", text(variable, "name"));
        let found = text(&reusable, "prompt").matches(&marker).count() as u64;
        assert_eq!(variable["occurrences"].as_u64(), Some(found), "{variable}");
        assert!(found > 0, "{variable}");
    }
}

#[tokio::test]
async fn the_target_model_sets_the_dialect() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let prompt_for = async |model: &str, message: &str| {
        generate(&account, json!({"message": message, "targetModel": model})).await
    };
    let goal = "Compare three heat pumps for a small house";
    let claude = prompt_for("Claude Opus 5.5", goal).await;
    assert!(text(&claude, "prompt").contains("</"), "XML tags: {claude}");
    let image = "A lighthouse on a cliff at dawn, wide format, without people";
    let midjourney = prompt_for("Midjourney V8.1", image).await;
    assert!(text(&midjourney, "prompt").contains("--ar "), "{midjourney}");
    assert!(midjourney["parameters"].as_object().is_some_and(|given| !given.is_empty()));
    let diffusion = prompt_for("Stable Diffusion 3.5", image).await;
    assert!(diffusion["negativePrompt"].is_string(), "{diffusion}");
    let flux = prompt_for("FLUX.2", image).await;
    assert!(flux["negativePrompt"].is_null(), "{flux}");
    let veo = prompt_for("Veo 3.1", "A barista pours latte art in a quiet cafe").await;
    assert_eq!(veo["mode"], "video");
    assert!(text(&veo, "prompt").contains("barista"), "{veo}");
}

#[tokio::test]
async fn the_language_is_the_prompts() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let message = "Write a thank-you note to a teacher";
    let english = generate(&account, json!({"message": message})).await;
    let german = generate(&account, json!({"message": message, "language": "de"})).await;
    assert_eq!(german["language"], "de");
    assert_ne!(english["prompt"], german["prompt"]);
    assert!(
        text(&german, "prompt").contains("Deutsch") || text(&german, "prompt").contains("Aufgabe"),
        "{german}"
    );
}

#[tokio::test]
async fn a_current_prompt_is_changed_and_loses_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let current = "Summarize {{article}} in 5 bullet points.\n```json\n{\"max\": 42}\n```\nCite https://example.com/style and use \"plain words\".";
    let body = json!({"message": "Make it friendlier for teenagers", "currentPrompt": current});
    let data = generate(&account, body).await;
    let prompt = text(&data, "prompt");
    for kept in [
        "{{article}}",
        "5 bullet points",
        "{\"max\": 42}",
        "https://example.com/style",
        "\"plain words\"",
    ] {
        assert!(prompt.contains(kept), "{kept} in {prompt}");
    }
    assert!(prompt.to_lowercase().contains("teenager"), "{prompt}");
}

#[tokio::test]
async fn what_was_said_before_counts() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let body = json!({
        "message": "Write the announcement",
        "conversation": [
            {"role": "user", "content": "We launch our bookkeeping app Ledgerly on 14 May for freelance designers"},
            {"role": "assistant", "content": "Which channel is it for?"},
            {"role": "user", "content": "LinkedIn, at most 120 words"},
        ],
    });
    let data = generate(&account, body).await;
    let prompt = text(&data, "prompt");
    for fact in ["Ledgerly", "14 May", "LinkedIn", "120 words"] {
        assert!(prompt.contains(fact), "{fact} in {prompt}");
    }
}

#[tokio::test]
async fn attachments_are_unknown_references_until_uploads_exist() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let body = json!({"message": "Describe this", "attachmentIds": ["upl_a", "upl_b"], "generationId": "gen_x"});
    let answer = account.generate("k", &body).await;
    answer.is_error(400, "invalid_reference");
    assert_eq!(answer.problem_paths(), ["/generationId", "/attachmentIds/0", "/attachmentIds/1"]);
    let usage = account.usage().await;
    assert_eq!(usage["credits"]["held"], 0);
    assert_eq!(usage["credits"]["used"], 0);
}

#[tokio::test]
async fn a_prompt_of_any_allowed_size_survives() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    // Random text does not compress, so that this input and its result outgrow what an item holds.
    let mut seed = 1_u64;
    let mut noise = |count: usize| -> String {
        (0..count)
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                char::from_u32(0x4E00 + (seed >> 40) as u32 % 20_000).expect("a Han character")
            })
            .collect()
    };
    let turns: Vec<_> = (0..50).map(|_| json!({"role": "user", "content": noise(4_000)})).collect();
    let body = json!({"message": "Summarize what I said", "currentPrompt": noise(20_000), "conversation": turns});
    let key = fresh_key();
    let accepted = account.generate_async(&key, &body).await;
    let id = text(accepted.data(202), "id").to_owned();
    world.process().await;
    let operation = account.get(&format!("/operations/{id}")).await;
    let data = operation.data(200);
    assert_eq!(data["status"], "SUCCEEDED", "{}", data["error"]);
    let current = body["currentPrompt"].as_str().expect("text");
    assert!(text(&data["result"], "prompt").contains(current));
}

#[tokio::test]
async fn a_message_without_visible_text_is_rejected_before_anything_is_started() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    for message in [" ", "\n\t ", "\u{0}"] {
        let body = json!({"message": message});
        account.generate("k", &body).await.is_error(400, "content_rejected");
        account.generate_async("k", &body).await.is_error(400, "content_rejected");
    }
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
    account.generate("k", &json!({"message": "A haiku"})).await.data(200);
}

#[tokio::test]
async fn a_language_is_any_text_and_is_known_by_its_tag_and_by_its_names() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    for (language, tag) in [
        ("en", "en"),
        ("pt-BR", "pt-BR"),
        ("de_DE", "de-DE"),
        ("German", "de"),
        ("Deutsch", "de"),
        ("FRANÇAIS", "fr"),
        ("English (US)", "en-US"),
        ("Portuguese (Brazil)", "pt-BR"),
        ("Brazilian Portuguese", "pt-BR"),
        ("UK English", "en-GB"),
        ("en (US)", "en-US"),
        ("German (LI)", "de-LI"),
        ("Deutsch (Schweiz)", "de-CH"),
        ("alemán", "de"),
        ("allemand", "de"),
        ("Tedesco", "de"),
        ("alemão", "de"),
        ("Englisch (USA)", "en-US"),
        ("inglês", "en"),
        ("Französisch", "fr"),
        ("spagnolo", "es"),
        ("portugués (Brasil)", "pt-BR"),
    ] {
        let body = json!({"message": "Write a haiku about rain", "language": language});
        let generated = generate(&account, body).await;
        assert_eq!(generated["language"], tag, "{language}");
    }
    for (language, name) in [
        ("日本語", "Japanese"),
        ("zh-Hant-TW", "Chinese (Traditional, Taiwan)"),
        ("Klingon", "Klingon"),
        ("Old English", "Old English"),
        ("!Xóõ", "Xóõ"),
    ] {
        let body = json!({"message": "Write a haiku about rain", "language": language});
        let generated = generate(&account, body).await;
        assert!(["ja", language].contains(&generated["language"].as_str().unwrap_or_default()));
        let assumptions = generated["assumptions"].to_string();
        assert!(assumptions.contains(name), "{language}: {assumptions}");
    }
    for language in ["", "e", "abcdefghijklmnopqrstu"] {
        let body = json!({"message": "A haiku", "language": language});
        let answer = account.generate(&fresh_key(), &body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["/language"], "{language:?}");
    }
}

#[tokio::test]
async fn a_named_language_is_spoken_and_an_unknown_one_is_said_to_be_unknown() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let analyzed = async |language: &str| {
        let body = json!({"prompt": "Write something nice, maybe short", "language": language});
        let answer = account.post("/prompts/analyze", &fresh_key(), &body).await;
        answer.data(200).clone()
    };
    let (by_tag, by_name) = (analyzed("de").await, analyzed("Deutsch").await);
    assert_eq!(by_tag["findings"], by_name["findings"]);
    assert_eq!(by_name["language"], "de");
    let unknown = analyzed("Klingon").await;
    let notes = unknown["modelFit"]["notes"].to_string();
    assert!(notes.contains("Klingon"), "{notes}");
}
