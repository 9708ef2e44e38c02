//! AI operations of every kind: at once, deferred, repeated.

use acceptance::{
    account::fresh_key,
    kinds::{self, PROMPT, is_deferrable},
};
use domain::Kind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::host;

/// A result without what differs from run to run.
fn lasting(result: &Value) -> Value {
    let mut result = result.clone();
    result.as_object_mut().expect("a result").retain(|field, _| !field.ends_with("Id"));
    for version in result["versions"].as_array_mut().into_iter().flatten() {
        version.as_object_mut().expect("a version").remove("versionId");
    }
    result
}

#[tokio::test]
async fn at_once_and_deferred_give_the_same_result() {
    let host = host().await;
    let account = host.account().await;
    for kind in Kind::ALL.into_iter().filter(|kind| is_deferrable(*kind)) {
        let call = kinds::call(&account, kind).await;
        let made = account.made(&call.path, &call.body).await;
        let accepted = account.post_async(&call.path, &fresh_key(), &call.body).await;
        host.assert_documented(kind.as_str(), &accepted).await;
        let operation = accepted.data(202);
        assert_eq!(
            (&operation["kind"], &operation["status"]),
            (&json!(kind.as_str()), &json!("PENDING"))
        );
        assert_eq!(accepted.header("preference-applied"), Some("respond-async"));
        let id = operation["id"].as_str().expect("an id");
        let address = format!("{}/operations/{id}", host.base_url);
        assert_eq!(accepted.header("location"), Some(address.as_str()));
        let ended = account.ended(id).await;
        assert_eq!(ended["status"], "SUCCEEDED", "{ended}");
        assert_eq!(ended["creditsUsed"], kind.credits());
        assert_eq!(lasting(&ended["result"]), lasting(&made), "{kind:?}");
        let operation = made["operationId"].as_str().expect("an id");
        let kept = account.get(&format!("/operations/{operation}")).await.data(200).clone();
        assert_eq!(kept["result"], made, "what was answered is what is kept");
    }
}

#[tokio::test]
async fn a_repeated_key_is_answered_as_before_and_costs_nothing() {
    let host = host().await;
    let account = host.account().await;
    for kind in Kind::ALL {
        let call = kinds::call(&account, kind).await;
        let before = account.usage().await["credits"]["used"].as_u64().expect("a number");
        let key = fresh_key();
        let first = account.post(&call.path, &key, &call.body).await;
        let again = account.post(&call.path, &key, &call.body).await;
        assert_eq!(again.data(200), first.data(200));
        assert_ne!(again.body["requestId"], first.body["requestId"]);
        assert_eq!(first.header("idempotent-replayed"), None);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        let mut other = call.body.clone();
        other["language"] = "de".into();
        let reused = account.post(&call.path, &key, &other).await;
        reused.is_error(409, "idempotency_key_reused");
        host.assert_documented(kind.as_str(), &reused).await;
        let used = account.usage().await["credits"]["used"].as_u64().expect("a number");
        assert_eq!(used - before, u64::from(kind.credits()), "{kind:?}");
    }
}

#[tokio::test]
async fn a_deferred_operation_answers_the_same_202_whatever_became_of_it() {
    let host = host().await;
    let account = host.account().await;
    let (key, goal) = (fresh_key(), json!({"message": "Plan a trip to Lisbon"}));
    let first = account.generate_async(&key, &goal).await;
    account.ended(first.data(202)["id"].as_str().expect("an id")).await;
    for again in [account.generate_async(&key, &goal).await, account.generate(&key, &goal).await] {
        assert_eq!(again.data(202), first.data(202));
        assert_eq!(again.header("location"), first.header("location"));
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
    }
}

#[tokio::test]
async fn headers_of_ai_operations_are_checked() {
    let host = host().await;
    let account = host.account().await;
    let goal = json!({"message": "A haiku"});
    let keyless = account.send(Method::POST, "/prompts/generate", &goal).await;
    keyless.is_error(400, "idempotency_key_missing");
    let long = account.generate(&"x".repeat(256), &goal).await;
    long.is_error(400, "invalid_request");
    assert_eq!(long.problem_paths(), ["header.Idempotency-Key"]);
    let preferring = account.generate_request(&fresh_key(), &goal).header("Prefer", "wait=10");
    let refused = acceptance::Answer::to(preferring).await;
    assert_eq!(refused.is_error(400, "invalid_request")["details"][0]["path"], "header.Prefer");
    let call = kinds::call(&account, Kind::RefineOptimizedPrompt).await;
    let deferred = account.post_async(&call.path, &fresh_key(), &call.body).await;
    deferred.is_error(400, "invalid_request");
}

#[tokio::test]
async fn many_callers_with_one_key_run_it_once() {
    let host = host().await;
    let account = host.account().await;
    let (key, body) = (fresh_key(), json!({"prompt": PROMPT}));
    let before = account.usage().await["credits"]["used"].as_u64().expect("a number");
    let calls = (0..8).map(|_| account.post("/prompts/analyze", &key, &body));
    let answers = futures::future::join_all(calls).await;
    let made: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(!made.is_empty());
    for answer in &answers {
        match answer.status.as_u16() {
            200 => assert_eq!(answer.body["data"], made[0].body["data"]),
            _ => drop(answer.is_error(409, "idempotency_in_progress")),
        }
    }
    let fresh = made.iter().filter(|answer| answer.header("idempotent-replayed").is_none());
    assert_eq!(fresh.count(), 1);
    assert_eq!(account.usage().await["credits"]["used"], before + 1);
}

#[tokio::test]
async fn results_are_about_what_was_asked() {
    let host = host().await;
    let account = host.account().await;
    let goal = json!({"message": "Write a cold email that offers our payroll software to dental clinics",
        "targetModel": "Claude Opus 5.5"});
    let made = account.made("/prompts/generate", &goal).await;
    let prompt = made["prompt"].as_str().expect("a prompt");
    assert!(prompt.contains("payroll") && prompt.contains("dental"), "{prompt}");
    assert_eq!(
        (&made["targetModel"], &made["engine"]["kind"]),
        (&json!("Claude Opus 5.5"), &json!("rules"))
    );
    let optimized =
        account.made("/prompts/optimize", &json!({"prompt": kinds::DIVIDED, "variationCount": 2, "targetModel": "Claude Opus 5.5"})).await;
    let versions = optimized["versions"].as_array().expect("versions");
    assert_eq!(versions.len(), 2);
    for version in versions {
        let prompt = version["prompt"].as_str().expect("a prompt");
        for kept in ["{{product}}", "49.90", "\"built to last\""] {
            assert!(prompt.contains(kept), "{kept} in {prompt}");
        }
        assert_eq!(version["integrity"]["passed"], true);
    }
    let unknown = json!({"message": "A haiku", "targetModel": "Nobody's model"});
    let refused = account.generate(&fresh_key(), &unknown).await;
    refused.is_error(400, "invalid_request");
    assert_eq!(refused.problem_paths(), ["/targetModel"]);
    let missing = json!({"message": "A haiku", "generationId": "gen_01ARZ3NDEKTSV4RRFFQ69G5FAV"});
    account.generate(&fresh_key(), &missing).await.is_error(400, "invalid_reference");
    let inward = json!({"type": "url", "url": "http://169.254.169.254/latest/meta-data/"});
    account.post("/reverse-prompts", &fresh_key(), &inward).await.is_error(400, "unsafe_url");
}

#[tokio::test]
async fn a_result_that_no_item_holds_is_kept_whole() {
    let host = host().await;
    let account = host.account().await;
    // Hashes of numbers: nothing in it repeats, so that nothing can be compressed.
    let words =
        (0_u64..6_000).map(|word| format!("{:x}", word.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    let prompt: String = words.collect::<Vec<_>>().join(" ").chars().take(48_000).collect();
    let (key, body) = (fresh_key(), json!({"prompt": prompt}));
    let ask = || host.large(account.post_request("/prompts/optimize", &key, &body));
    let made = ask().await;
    assert_eq!(made.data(200)["originalPrompt"], prompt);
    assert_eq!(ask().await.data(200), made.data(200));
}
