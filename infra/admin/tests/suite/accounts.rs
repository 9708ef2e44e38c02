//! Accounts and keys, as an operator manages them.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::admin;

use admin::Folder;
use domain::{Clock, Scope, Scopes};
use edge::{authentication::api_key, runtime::SystemClock};
use local::identity::Identity;
use oauth::Subject;
use serde_json::{Value, json};
use store::admission::{Admission, AdmissionError, Limits, Presented, PresentedToken};

fn account(folder: &Folder, plan: &str) -> String {
    let made = folder.done(&["accounts", "create", "Acme", "--plan", plan]);
    made["id"].as_str().unwrap().to_owned()
}

/// What the service makes of a request with this key.
fn presented(folder: &Folder, key: &Value) -> Result<Admission, AdmissionError> {
    let secrets = Identity::of_folder(&admin::path(folder.0)).unwrap().secrets().unwrap();
    let key = api_key::parse(key.as_str().unwrap(), &secrets).expect("a key of this server");
    folder.block_on(async move |store| store.admit(&Presented::Key(key), Limits::Enforced).await)
}

#[test]
fn an_account_is_created_changed_suspended_and_resumed() {
    let folder = Folder::new("accounts");
    let id = account(&folder, "free");
    let shown = folder.done(&["accounts", "show", &id]);
    assert_eq!((&shown["name"], &shown["plan"]), (&json!("Acme"), &json!("free")));
    assert_eq!((&shown["creditsLimit"], &shown["creditsUsed"]), (&json!(20), &json!(0)));
    assert_eq!((&shown["suspended"], &shown["liveKeys"]), (&json!(false), &json!(0)));
    assert_eq!(folder.done(&["accounts", "plan", &id, "pro_plus"])["creditsLimit"], 1_500);
    let (code, _, errors) = folder.run(&["accounts", "suspend", &id]);
    assert!(code == 1 && errors.contains("Suspend \"Acme\""), "{errors}");
    assert_eq!(folder.done(&["accounts", "show", &id])["suspended"], false);
    assert_eq!(folder.done(&["accounts", "suspend", &id, "--yes"])["suspended"], true);
    let key = folder.done(&["keys", "create", &id, "--all-scopes"])["key"].clone();
    assert!(presented(&folder, &key).unwrap().suspended);
    assert_eq!(folder.done(&["accounts", "resume", &id])["suspended"], false);
    assert!(!presented(&folder, &key).unwrap().suspended);
}

#[test]
fn an_account_may_keep_what_its_plan_allows_or_the_operator() {
    let folder = Folder::new("quota");
    let id = account(&folder, "free");
    let limits = |shown: &Value| {
        ["storedItemsLimit", "storedBytesLimit"].map(|name| shown[name].as_u64().unwrap())
    };
    assert_eq!(limits(&folder.done(&["accounts", "quota", &id, "--items", "7"])), [7, 50_000_000]);
    let both = ["accounts", "quota", &id, "--items", "8", "--bytes", "9"];
    assert_eq!(limits(&folder.done(&both)), [8, 9]);
    assert_eq!(limits(&folder.done(&["accounts", "show", &id])), [8, 9]);
    assert_eq!(limits(&folder.done(&["accounts", "quota", &id, "--items", "6"])), [6, 9]);
    let most = u64::MAX.to_string();
    folder.done(&["accounts", "quota", &id, "--bytes", &most]);
    assert_eq!(limits(&folder.done(&["accounts", "quota", &id])), [50, 50_000_000]);
}

#[test]
fn an_account_gets_another_name() {
    let folder = Folder::new("renamed");
    let id = account(&folder, "free");
    assert_eq!(folder.done(&["accounts", "rename", &id, "Other"])["name"], "Other");
    assert_eq!(folder.done(&["accounts", "show", &id])["name"], "Other");
    let absent = "acct_01JD8M3Z5Q4N7V9X2B6C8D0E1F";
    assert_eq!(folder.run(&["accounts", "rename", absent, "Other"]).0, 3);
    assert_eq!(folder.run(&["accounts", "rename", &id, ""]).0, 2);
}

#[test]
fn the_account_of_a_subject_is_found_by_its_names_and_suspended_before_it_is_seen() {
    let folder = Folder::new("subjects");
    let of = ["--issuer", "https://issuer.example/t", "--subject", "auth0|ada"];
    let on = |command: &str, more: &[&str]| {
        folder.run(&[&["accounts", command][..], &of, more, &["--json"]].concat())
    };
    assert_eq!(on("show", &[]).0, 3, "nobody has seen them");
    let (code, _, errors) = on("suspend", &[]);
    assert!(code == 1 && errors.contains("has made no request yet"), "{errors}");
    assert_eq!(on("show", &[]).0, 3, "nothing was done");
    assert_eq!(on("suspend", &["--yes"]).0, 0);
    let shown: Value = serde_json::from_str(&on("show", &[]).1).unwrap();
    let names = (&shown["issuer"], &shown["subject"], &shown["suspended"]);
    assert_eq!(names, (&json!(of[1]), &json!(of[3]), &json!(true)));
    let subject = Subject { issuer: of[1].to_owned(), name: of[3].to_owned() };
    assert_eq!(shown["id"], subject.account().to_string());
    let id = shown["id"].as_str().unwrap();
    assert_eq!(folder.done(&["accounts", "show", id]), shown);
    // A request of theirs finds the account as it is.
    let token = PresentedToken {
        account: subject.account(),
        scopes: Scopes::ALL,
        expires_at: domain::Timestamp::from_millis(9_999_999_999_999),
    };
    let admission = folder.block_on(async move |store| {
        store.admit(&Presented::Token(token), Limits::Enforced).await.unwrap()
    });
    assert!(admission.suspended);
    assert_eq!(folder.done(&["accounts", "resume", id])["suspended"], false);
    for wrong in [
        &["accounts", "show", "--issuer", "https://issuer.example/t"][..],
        &["accounts", "show", "--subject", "ada"],
        &["accounts", "show", id, "--issuer", "a", "--subject", "b"],
        &["accounts", "show"],
    ] {
        assert_eq!(folder.run(wrong).0, 2, "{wrong:?}");
    }
}

#[test]
fn a_key_does_what_it_was_made_for_until_it_is_revoked() {
    let folder = Folder::new("keys");
    let id = account(&folder, "pro");
    let made = folder.done(&[
        "keys",
        "create",
        &id,
        "--name",
        "Build",
        "--scopes",
        "usage:read,prompts:generate",
        "--expires-in",
        "30",
    ]);
    assert_eq!(made["scopes"], json!(["usage:read", "prompts:generate"]));
    let admission = presented(&folder, &made["key"]).unwrap();
    assert_eq!(admission.account.to_string(), id);
    let scopes: Scopes = [Scope::UsageRead, Scope::PromptsGenerate].into_iter().collect();
    assert_eq!(admission.scopes, scopes);
    assert_eq!(json!(admission.expires_at), made["expiresAt"]);
    let all = folder.done(&["keys", "create", &id, "--all-scopes"])["key"].clone();
    assert_eq!(presented(&folder, &all).unwrap().scopes, Scopes::ALL);
    let (code, listed, _) = folder.run(&["keys", "list", &id, "--json"]);
    assert_eq!(code, 0);
    assert!(!listed.contains("pwk_"), "a secret is shown again");
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!((&listed[1]["name"], &listed[0]["scopes"]), (&json!("Build"), &json!(["all"])));
    assert!(listed[1]["lastUsedAt"].is_string() && listed[1]["revokedAt"].is_null(), "{listed}");
    let key = made["id"].as_str().unwrap();
    let (code, _, errors) = folder.run(&["keys", "revoke", &id, key]);
    assert!(code == 1 && errors.contains("Revoke \"Build\""), "{errors}");
    presented(&folder, &made["key"]).unwrap();
    let revoked = folder.done(&["keys", "revoke", &id, key, "--yes"]);
    assert!(revoked["revokedAt"].is_string() && revoked["lastUsedAt"].is_null(), "{revoked}");
    assert!(matches!(presented(&folder, &made["key"]), Err(AdmissionError::UnknownKey)));
    let left = presented(&folder, &all).unwrap().expires_at.unwrap().since(SystemClock.now());
    let day = Duration::from_secs(86_400);
    assert!(left > day * 364 && left <= day * 365, "{left:?}");
    assert_eq!(folder.done(&["keys", "revoke", &id, key]), revoked);
    assert_eq!(folder.done(&["accounts", "show", &id])["liveKeys"], 1);
}

#[test]
fn an_eleventh_key_is_refused() {
    let folder = Folder::new("eleven");
    let id = account(&folder, "free");
    for _ in 0..10 {
        folder.done(&["keys", "create", &id, "--all-scopes"]);
    }
    let (code, output, errors) = folder.run(&["keys", "create", &id, "--all-scopes"]);
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(errors.contains("10 live keys"), "{errors}");
}

#[test]
fn a_wrong_command_line_is_exit_code_2_and_an_unknown_account_3() {
    let folder = Folder::new("wrong");
    let absent = "acct_01JD8M3Z5Q4N7V9X2B6C8D0E1F";
    for wrong in [
        &["accounts", "create", " "][..],
        &["accounts", "create", "Acme", "--plan", "gold"],
        &["accounts", "show", "key_01JD8M3Z5Q4N7V9X2B6C8D0E1F"],
        &["keys", "create", absent, "--scopes", "everything"],
        &["keys", "create", absent],
        &["keys", "create", absent, "--all-scopes", "--scopes", "usage:read"],
        &["keys", "create", absent, "--all-scopes", "--expires-in", "0"],
        &["keys", "create", absent, "--all-scopes", "--expires-in", "9", "--no-expiry"],
        &["nothing"],
        &[],
    ] {
        assert_eq!(folder.run(wrong).0, 2, "{wrong:?}");
    }
    for unknown in [
        &["accounts", "show", absent][..],
        &["accounts", "plan", absent, "max"],
        &["accounts", "suspend", absent, "--yes"],
        &["accounts", "resume", absent],
        &["accounts", "erase", absent, "--yes"],
        &["keys", "create", absent, "--all-scopes"],
        &["keys", "list", absent],
        &["keys", "revoke", absent, "key_01JD8M3Z5Q4N7V9X2B6C8D0E1F", "--yes"],
    ] {
        let (code, output, errors) = folder.run(unknown);
        assert_eq!((code, output.as_str()), (3, ""), "{unknown:?}: {errors}");
    }
}

#[test]
fn a_list_is_a_table_for_people() {
    let folder = Folder::new("listed");
    let id = account(&folder, "free");
    assert_eq!(folder.run(&["keys", "list", &id]).1, "(none)\n");
    let forever = ["keys", "create", &id, "--name", "Build", "--all-scopes", "--no-expiry"];
    assert_eq!(folder.done(&forever)["expiresAt"], Value::Null);
    let (_, output, _) = folder.run(&["keys", "list", &id]);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 2);
    let place = lines[0].find("name").unwrap();
    assert!(lines[0].starts_with("id ") && lines[1][place..].starts_with("Build"), "{output}");
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, output, _) = admin::run_on("no-folder-needed", &["completions", shell]);
        assert_eq!(code, 0);
        for command in ["library", "accounts", "keys", "unblock", "revoke"] {
            assert!(output.contains(command), "{shell} does not know {command}");
        }
    }
}
