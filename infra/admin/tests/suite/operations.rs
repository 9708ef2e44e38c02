//! Operations, as an operator looks at them and ends them.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::admin;

use std::time::Duration;

use admin::{Folder, begun};
use domain::{AccountId, Operation, Plan, Status};
use edge::runtime::{SystemClock, SystemRandom};
use serde_json::{Value, json};

fn account(folder: &Folder) -> AccountId {
    folder.block_on(async |store| {
        let id = AccountId::new(&SystemClock, &SystemRandom);
        store.create_account(id, "Acme", Plan::Pro).await.unwrap();
        id
    })
}

/// An operation that was accepted, and begun if it has a lease.
fn operation(folder: &Folder, account: AccountId, lease: Option<Duration>) -> Operation {
    folder.block_on(async |store| begun(&store, account, lease).await)
}

fn command<'a>(verb: &'a str, operation: &Operation, more: &[&'a str]) -> Vec<String> {
    let (account, id) = (operation.account.to_string(), operation.id.to_string());
    let fixed = ["operations", verb, account.as_str(), id.as_str()].map(ToOwned::to_owned);
    fixed.into_iter().chain(more.iter().map(|part| (*part).to_owned())).collect()
}

fn run(folder: &Folder, arguments: &[String]) -> (i32, String, String) {
    folder.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn done(folder: &Folder, arguments: &[String]) -> Value {
    folder.done(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn credits(folder: &Folder, account: AccountId) -> (Value, Value) {
    let shown = folder.done(&["accounts", "show", &account.to_string()]);
    (shown["creditsHeld"].clone(), shown["operationsRunning"].clone())
}

#[test]
fn an_operation_is_shown_as_its_record_has_it() {
    let folder = Folder::new("operation-shown");
    let operation = operation(&folder, account(&folder), None);
    let shown = done(&folder, &command("show", &operation, &[]));
    assert_eq!(shown["id"], json!(operation.id));
    assert_eq!((&shown["kind"], &shown["status"]), (&json!("generatePrompt"), &json!("PENDING")));
    assert_eq!((&shown["attempt"], &shown["startedAt"]), (&json!(0), &Value::Null));
    let another = account(&folder);
    let elsewhere = Operation { account: another, ..operation };
    assert_eq!(run(&folder, &command("show", &elsewhere, &[])).0, 3);
}

#[test]
fn an_operation_that_nobody_works_on_is_failed_and_its_credit_returned() {
    let folder = Folder::new("operation-failed");
    let account = account(&folder);
    for lease in [None, Some(Duration::ZERO)] {
        let operation = operation(&folder, account, lease);
        assert_eq!(credits(&folder, account), (json!(1), json!(1)));
        let (code, _, errors) = run(&folder, &command("fail", &operation, &[]));
        assert!(code == 1 && errors.contains("--yes"), "it asks first: {errors}");
        let failed =
            done(&folder, &command("fail", &operation, &["--yes", "--reason", "Lost in a fire."]));
        assert_eq!(failed["status"], "FAILED");
        assert_eq!(failed["errorCode"], "internal_error");
        assert_eq!(failed["errorMessage"], "Lost in a fire.");
        assert_eq!(credits(&folder, account), (json!(0), json!(0)));
        let (code, _, errors) = run(&folder, &command("fail", &operation, &["--yes"]));
        assert!(code == 1 && errors.contains("has ended: FAILED"), "{errors}");
        assert_eq!(credits(&folder, account), (json!(0), json!(0)), "returned once");
    }
}

#[test]
fn an_operation_that_is_worked_on_is_left_alone() {
    let folder = Folder::new("operation-running");
    let account = account(&folder);
    let operation = operation(&folder, account, Some(Duration::from_secs(600)));
    let (code, _, errors) = run(&folder, &command("fail", &operation, &["--yes"]));
    assert!(code == 1 && errors.contains("is being worked on"), "{errors}");
    assert_eq!(done(&folder, &command("show", &operation, &[]))["status"], "RUNNING");
    assert_eq!(operation.status, Status::Running);
    assert_eq!(credits(&folder, account), (json!(1), json!(1)));
}
