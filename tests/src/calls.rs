//! What functions call, in the terms of their roles in `template.yaml`.
//!
//! `calls.tsv` lists it: the function, the action, and the resource by its name in the template. A test whose functions
//! call something else fails. `infra/proof/calls.py` finds what no test calls, and `infra/proof/template.py` compares
//! the list with the roles.

use std::{collections::BTreeSet, fs::File, io::Write as _, sync::LazyLock, thread};

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use serde_json::Value;

use crate::fault_injection::body_of;

static LISTED: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("../calls.tsv").lines().collect());

/// What a function needs permission for when it sends `request` (AWS, "Service Authorization Reference").
pub(crate) fn needed(function: &str, request: &HttpRequest) -> Vec<String> {
    permissions(request).into_iter().map(|permission| row(function, &permission)).collect()
}

/// What a request needs permission for that none of these functions has.
pub fn not_allowed(functions: &[&str], request: &HttpRequest) -> Vec<String> {
    let is_allowed = |permission: &(String, String)| {
        functions.iter().any(|function| LISTED.contains(&*row(function, permission)))
    };
    let refused = permissions(request).into_iter().filter(|permission| !is_allowed(permission));
    refused.map(|(action, resource)| format!("{action} {resource}")).collect()
}

fn row(function: &str, (action, resource): &(String, String)) -> String {
    format!("{function}\t{action}\t{resource}")
}

fn permissions(request: &HttpRequest) -> Vec<(String, String)> {
    let target = request.headers().get("x-amz-target").and_then(|target| target.split_once('.'));
    match target {
        Some(("AmazonSQS", operation)) => vec![sqs(operation, &body_of(request))],
        Some((_, operation)) => dynamodb(operation, &body_of(request)),
        None => s3(request),
    }
}

fn dynamodb(operation: &str, input: &Value) -> Vec<(String, String)> {
    let index = input["IndexName"].as_str().map(|index| format!("/index/{index}"));
    let resource = format!("Table{}", index.unwrap_or_default());
    let permission = |action: &str| (format!("dynamodb:{action}"), resource.clone());
    match input["TransactItems"].as_array() {
        // There is no permission of the transaction. Each of its parts needs its own.
        Some(parts) => {
            let kinds = parts.iter().filter_map(Value::as_object).flat_map(|part| part.keys());
            kinds.map(|kind| permission(&format!("{kind}Item"))).collect()
        }
        None => vec![permission(operation)],
    }
}

fn sqs(operation: &str, input: &Value) -> (String, String) {
    let name = input["QueueUrl"].as_str().and_then(|url| url.rsplit('/').next());
    let words = name.unwrap_or_default().split('-').map(|word| {
        let (first, rest) = word.split_at(1.min(word.len()));
        first.to_uppercase() + rest
    });
    let queue = words.collect::<String>() + "Queue";
    (format!("sqs:{}", operation.trim_end_matches("Batch")), queue)
}

fn s3(request: &HttpRequest) -> Vec<(String, String)> {
    let path = request.uri().split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let path = path.map_or("", |(_, path)| path).split('?').next().unwrap_or_default();
    // Buckets are addressed by path.
    let prefix = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
    let objects = |action: &str, path: &str| {
        (format!("s3:{action}Object"), format!("Bucket/{}/*", prefix(path)))
    };
    let called = match request.method() {
        "GET" if prefix(path).is_empty() => ("s3:ListBucket".to_owned(), "Bucket".to_owned()),
        "GET" | "HEAD" => objects("Get", path),
        "PUT" => objects("Put", path),
        "DELETE" => objects("Delete", path),
        other => objects(other, path),
    };
    let copied = request.headers().get("x-amz-copy-source").map(|source| objects("Get", source));
    copied.into_iter().chain([called]).collect()
}

/// Compares what functions needed permission for with the list; or adds it to the file that `RECORD_CALLS` names, with
/// the test's name.
///
/// # Panics
///
/// The list lacks something.
pub(crate) fn check(needed: &BTreeSet<String>) {
    let test = thread::current().name().unwrap_or_default().to_owned();
    if let Some(path) = std::env::var_os("RECORD_CALLS") {
        let rows: String = needed.iter().map(|row| format!("{row}\t{test}\n")).collect();
        let file = File::options().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(rows.as_bytes())).expect("a file for the record");
        return;
    }
    let unlisted: Vec<_> = needed.iter().filter(|row| !LISTED.contains(row.as_str())).collect();
    assert!(
        unlisted.is_empty() || thread::panicking(),
        "not in tests/calls.tsv, so no role in template.yaml allows it: {unlisted:#?}",
    );
}
