//! Signing secrets of webhook endpoints, after the server has got another secret.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::admin;

use std::process::{Command, Stdio};

use admin::{Folder, path};
use domain::{AccountId, Endpoint, EndpointId, EventKinds, Plan};
use edge::Secrets;
use local::identity::Identity;
use serde_json::{Value, json};
use store::webhooks::{Created, EndpointPatch, StoredEndpoint};
use webhook_delivery::{EncryptionKey, SigningSecret};

const BEFORE: &str = "the secret before, of thirty-two bytes or more";
const UNKNOWN: &str = "a secret that nobody has, of thirty-two bytes";

fn key(secrets: Secrets) -> EncryptionKey {
    EncryptionKey::of(secrets.encryption_keys())
}

fn key_of(secret: &str) -> EncryptionKey {
    key(Secrets::derive(secret.as_bytes()).unwrap())
}

/// The key that the folder's server seals with.
fn present(folder: &Folder) -> EncryptionKey {
    key(Identity::of_folder(&path(folder.0)).unwrap().secrets().unwrap())
}

/// An account with one endpoint for each key, encrypted with it; and what their secrets are.
fn endpoints(
    folder: &Folder,
    keys: &[&EncryptionKey],
) -> Vec<(AccountId, EndpointId, SigningSecret)> {
    folder.block_on(async |store| {
        let (clock, random) = (store.clock().clone(), store.random().clone());
        let account = AccountId::new(&*clock, &*random);
        store.create_account(account, "Hooked", Plan::Pro).await.unwrap();
        let mut made = Vec::new();
        for key in keys {
            let (id, secret) = (EndpointId::new(&*clock, &*random), SigningSecret::new(&*random));
            let endpoint = Endpoint {
                id,
                url: "https://hooks.example.com/".to_owned(),
                description: None,
                events: EventKinds::ALL,
                enabled: true,
                disabled_reason: None,
                last_delivery: None,
                updated_at: clock.now(),
            };
            let encrypted = key.encrypt(&secret, (account, id), &*random);
            let endpoint = StoredEndpoint::new(account, endpoint, encrypted, None);
            assert_eq!(store.create_endpoint(&endpoint).await.unwrap(), Created::Done);
            made.push((account, id, secret));
        }
        made
    })
}

/// Exit code, result and errors of the command with this secret before.
fn re_encrypt(folder: &Folder, previous: &str) -> (i32, Value, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_admin"))
        .arg("--data-dir")
        .arg(path(folder.0))
        .args(["webhooks", "re-encrypt", "--json"])
        .env_remove("TABLE_NAME")
        .env("SERVER_SECRET_PREVIOUS", previous)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let result = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), result, errors)
}

#[test]
fn secrets_of_idle_endpoints_are_re_encrypted_with_the_current_key_and_stay_what_they_are() {
    let folder = Folder::new("re_encrypt");
    let (present, before) = (present(&folder), key_of(BEFORE));
    let made = endpoints(&folder, &[&before, &before, &present]);
    let expected = |re_encrypted, already| json!({"reEncrypted": re_encrypted, "alreadyCurrent": already, "unreadable": 0, "unknownSecret": []});
    assert_eq!(re_encrypt(&folder, BEFORE), (0, expected(2, 1), String::new()));
    folder.block_on(async |store| {
        for (account, id, secret) in &made {
            let stored = store.endpoint(*account, *id).await.unwrap().unwrap();
            assert!(present.decrypt(&stored.encrypted_secret, (*account, *id)).unwrap() == *secret);
            assert_eq!(stored.revision, 1, "nothing that its owner sees has changed");
        }
    });
    // Again, and without the secret before, there is nothing to do.
    assert_eq!(re_encrypt(&folder, BEFORE), (0, expected(0, 3), String::new()));
    assert_eq!(re_encrypt(&folder, ""), (0, expected(0, 3), String::new()));
}

#[test]
fn what_is_encrypted_with_an_unknown_secret_is_named_and_left_and_the_others_are_done() {
    let folder = Folder::new("re_encrypt-unknown");
    let (unknown, before) = (key_of(UNKNOWN), key_of(BEFORE));
    let made = endpoints(&folder, &[&unknown, &before]);
    let (account, id, secret) = &made[0];
    let place = format!("{account}/{id}");
    let (code, result, errors) = re_encrypt(&folder, BEFORE);
    assert_eq!(
        (code, &result["reEncrypted"], &result["unknownSecret"]),
        (1, &json!(1), &json!([place]))
    );
    assert!(errors.contains("not at hand"), "{errors}");
    let (code, result, _) = re_encrypt(&folder, "");
    assert_eq!((code, &result["alreadyCurrent"]), (1, &json!(1)));
    // With the right one it is done after all.
    assert_eq!(re_encrypt(&folder, UNKNOWN).0, 0);
    let key = present(&folder);
    folder.block_on(async |store| {
        let stored = store.endpoint(*account, *id).await.unwrap().unwrap();
        assert!(key.decrypt(&stored.encrypted_secret, (*account, *id)).unwrap() == *secret);
    });
    let (code, _, errors) = re_encrypt(&folder, "too short");
    assert!(code == 1 && errors.contains("SERVER_SECRET_PREVIOUS"), "{code} {errors}");
}

#[test]
fn a_change_of_something_else_does_not_restore_the_old_encryption() {
    let folder = Folder::new("re_encrypt-patch");
    let (present, before) = (present(&folder), key_of(BEFORE));
    let made = endpoints(&folder, &[&before]);
    let (account, id, _) = made[0].clone();
    folder.block_on(async |store| {
        let seen = store.endpoint(account, id).await.unwrap().unwrap();
        // Both at once, again and again: whichever is first, the new seal stands in the end.
        for turn in 0..20 {
            let secret = SigningSecret::new(&**store.random());
            let place = (account, id);
            let old = before.encrypt(&secret, place, &**store.random());
            let patch = EndpointPatch { encrypted_secret: Some(old), ..Default::default() };
            store.patch_endpoint(account, id, &patch).await.unwrap().unwrap();
            let seen = store.endpoint(account, id).await.unwrap().unwrap();
            let new = present.encrypt(&secret, place, &**store.random());
            let patch =
                EndpointPatch { description: Some(Some(turn.to_string())), ..Default::default() };
            let (patched, re_encrypted) = tokio::join!(
                store.patch_endpoint(account, id, &patch),
                store.replace_encrypted_secret(&seen, new),
            );
            assert!(patched.unwrap().is_some() && re_encrypted.unwrap());
            let stored = store.endpoint(account, id).await.unwrap().unwrap();
            assert!(present.is_current(&stored.encrypted_secret), "turn {turn}");
            assert_eq!(stored.endpoint.description, Some(turn.to_string()));
        }
        assert!(
            !store.replace_encrypted_secret(&seen, Vec::new()).await.unwrap(),
            "it has another secret"
        );
    });
}
