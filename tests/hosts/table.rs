//! What is true of every operation, row by row of the table.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{
    Answer,
    operations::{PUBLIC, Row, table},
};
use domain::Scope;
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::Value;

use crate::{host, webhooks};

/// Rows that are worked on at once.
const AT_ONCE: usize = 4;

async fn for_every_row<F: Future<Output = ()>>(work: impl Fn(Row) -> F) {
    let rows = table(webhooks::UNREACHABLE_URL);
    stream::iter(rows.into_iter().map(work)).buffer_unordered(AT_ONCE).collect::<()>().await;
}

/// Lists that take parameters, each with a misspelt one.
const LISTS: [(&str, &str); 4] = [
    ("/operations", "Limit"),
    ("/history", "ofset"),
    ("/prompt-presets", "serach"),
    ("/library/items", "page_size"),
];
/// Operations whose bodies may have other properties.
const TOLERANT: [&str; 7] = [
    "createPreset",
    "createUpload",
    "createLibraryItem",
    "updateLibraryItem",
    "createWebhookEndpoint",
    "updateWebhookEndpoint",
    "recoverWebhookEndpoint",
];

/// Every answer says which exchange it was, and whether it has data or an error.
fn assert_enveloped(answer: &Answer) {
    let id = answer.header("x-request-id").expect("a request id");
    assert!(id.starts_with("req_"), "{id}");
    assert_eq!(answer.body["requestId"], id, "{}", answer.body);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let has_data = answer.body.get("data").is_some();
    assert_ne!(has_data, answer.body.get("error").is_some(), "{}", answer.body);
    assert_eq!(has_data, answer.status.is_success(), "{}", answer.body);
}

fn assert_rated(answer: &Answer) {
    let limit = answer.header_number("ratelimit-limit");
    assert!(answer.header_number("ratelimit-remaining") < limit);
    assert!(answer.header_number("ratelimit-reset") <= 60);
}

#[tokio::test]
async fn every_operation_answers_as_documented() {
    let host = &host().await;
    let documented: BTreeSet<String> = host.document().await["paths"]
        .as_object()
        .expect("paths")
        .values()
        .flat_map(|item| item.as_object().expect("methods").values())
        .map(|operation| operation["operationId"].as_str().expect("a name").to_owned())
        .collect();
    let called =
        table(webhooks::UNREACHABLE_URL).into_iter().map(|row| row.operation).chain(PUBLIC);
    assert_eq!(called.map(ToOwned::to_owned).collect::<BTreeSet<_>>(), documented);
    for (operation, path) in [("getApiInfo", ""), ("getHealth", "/health")] {
        let answer = host.get(path).await;
        answer.data(200);
        assert_enveloped(&answer);
        host.assert_documented(operation, &answer).await;
    }
    for_every_row(|row| async move {
        let account = host.account().await;
        let id = row.id(&account).await;
        let answer = row.call(|method, path| account.request(method, path), &id).await;
        if row.operation != "cancelOperation" || answer.status == 200 {
            answer.data(200);
        } else {
            answer.is_error(409, "operation_not_cancellable");
        }
        // Files are what they are.
        if answer.header("content-disposition").is_none() {
            assert_enveloped(&answer);
        }
        assert_rated(&answer);
        host.assert_documented(row.operation, &answer).await;
    })
    .await;
}

#[tokio::test]
async fn without_a_credential_everything_is_401() {
    let host = &host().await;
    let forged =
        "pwk_1111111111111111111111_1111111111111111111111_1111111111111111111111111111_111111";
    for_every_row(|row| async move {
        let answer = row.call(|method, path| host.anonymous(method, path), "x").await;
        answer.is_error(401, "missing_credentials");
        let challenge = answer.header("www-authenticate").expect("a challenge").to_owned();
        assert!(challenge.starts_with("Bearer") && !challenge.contains("error="), "{challenge}");
        let invalid = |method, path: &str| host.anonymous(method, path).bearer_auth(forged);
        let refused = row.call(invalid, "x").await;
        refused.is_error(401, "invalid_credentials");
        let challenge = refused.header("www-authenticate").expect("a challenge");
        assert!(challenge.contains(r#"error="invalid_token""#), "{challenge}");
        for answer in [&answer, &refused] {
            assert_enveloped(answer);
            assert!(answer.header("ratelimit-limit").is_none(), "{}", row.operation);
            host.assert_documented(row.operation, answer).await;
        }
    })
    .await;
}

#[tokio::test]
async fn without_the_scope_everything_is_403() {
    let host = &host().await;
    for_every_row(|row| async move {
        let account = host.account().await;
        for missing in row.scopes {
            let others = Scope::ALL.into_iter().filter(|scope| scope != missing).collect();
            let Some(caller) = host.with_scopes(account.id, others).await else { return };
            let answer = row.call(|method, path| caller.request(method, path), "x").await;
            answer.is_error(403, "insufficient_scope");
            let challenge = answer.header("www-authenticate").expect("a challenge");
            assert!(challenge.contains(r#"error="insufficient_scope""#), "{challenge}");
            assert!(challenge.contains(missing.as_str()), "{challenge}");
            assert_enveloped(&answer);
            assert_rated(&answer);
            host.assert_documented(row.operation, &answer).await;
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_anothers_and_what_never_was_are_the_same() {
    let host = &host().await;
    for_every_row(|row| async move {
        let Some(resource) = row.resource else { return };
        let Some(other) = host.other_account().await else { return };
        let id = row.id(&host.account().await).await;
        let call = |id: String| {
            let (row, other) = (&row, &other);
            async move { row.call(|method, path| other.request(method, path), &id).await }
        };
        let anothers = call(id).await;
        let unknown = call(resource.never_existed().to_owned()).await;
        // Where no 404 is declared, the path is a reference like any other.
        let (status, code) = match row.operation {
            "refineOptimizedPrompt" => (400, "invalid_reference"),
            _ => (404, "not_found"),
        };
        anothers.is_error(status, code);
        assert_eq!(anothers.body["error"], unknown.body["error"], "{}", row.operation);
        assert_enveloped(&anothers);
        assert_rated(&anothers);
        host.assert_documented(row.operation, &anothers).await;
    })
    .await;
}

#[tokio::test]
async fn what_is_out_of_bounds_is_400_and_named() {
    let host = &host().await;
    for_every_row(|row| async move {
        let account = host.account().await;
        let path = |id: &str| row.path.replace("{id}", id).replace("{type}", "generation");
        let (request, problem) = if row.body.is_some() {
            (account.request(row.method.clone(), &path("x")).json(&[0]), "")
        } else if row.path.contains("{id}") {
            (account.request(row.method.clone(), &path(&"x".repeat(192))), "path.id")
        } else if let Some(surplus) = LISTS.iter().find(|(list, _)| *list == row.path) {
            let path = format!("{}?{}=1", row.path, surplus.1);
            (account.request(row.method.clone(), &path), surplus.1)
        } else {
            return;
        };
        let request = request.header("Idempotency-Key", "k");
        let answer = Answer::to(request).await;
        answer.is_error(400, "invalid_request");
        let paths = answer.problem_paths();
        let is_named = paths.iter().any(|path| path.trim_start_matches("query.") == problem);
        assert!(is_named, "{}: {}", row.operation, answer.body);
        assert_enveloped(&answer);
        assert_rated(&answer);
        host.assert_documented(row.operation, &answer).await;
    })
    .await;
}

#[tokio::test]
async fn what_nobody_reads_is_ignored_but_where_the_contract_forbids_it() {
    let host = &host().await;
    for_every_row(|row| async move {
        let Some(body) = row.body else { return };
        let account = host.account().await;
        let path = row.path.replace("{id}", "x").replace("{type}", "generation");
        let mut body = body();
        body["surplus"] = Value::Null;
        // Nothing is created.
        for name in ["promptText", "scope", "url"] {
            body[name] = Value::Bool(true);
        }
        let request = account.request(row.method.clone(), &path).json(&body);
        let answer = Answer::to(request.header("Idempotency-Key", "k")).await;
        let is_named = answer.problem_paths().contains(&"/surplus");
        assert_eq!(
            is_named,
            !TOLERANT.contains(&row.operation),
            "{}: {}",
            row.operation,
            answer.body
        );
    })
    .await;
}

#[tokio::test]
async fn a_wrong_method_is_405_and_told_the_right_ones() {
    let host = &host().await;
    let mut paths = BTreeMap::<_, BTreeSet<_>>::new();
    for row in table(webhooks::UNREACHABLE_URL) {
        let methods = paths.entry(row.path).or_default();
        methods.insert(row.method.to_string());
        if row.method == Method::GET {
            methods.insert("HEAD".to_owned());
        }
    }
    for path in ["", "/health"] {
        paths.insert(path, ["GET", "HEAD"].map(ToOwned::to_owned).into());
    }
    for (path, methods) in paths {
        let path = path.replace("{id}", "x").replace("{type}", "generation");
        let answer = Answer::to(host.anonymous(Method::PUT, &path)).await;
        answer.is_error(405, "method_not_allowed");
        let allowed =
            answer.header("allow").expect("Allow").split(',').map(|it| it.trim().to_owned());
        assert_eq!(allowed.collect::<BTreeSet<_>>(), methods, "{path}");
        assert_enveloped(&answer);
    }
}
