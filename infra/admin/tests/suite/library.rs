//! The tool itself, run as an operator runs it: on a data folder that nobody serves, and on one that a
//! server does.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::admin;

use admin::{Folder, json_file};
use domain::library::{Item, Moderation, Visibility};
use serde_json::{Value, json};

fn item(title: &str, text: &str) -> Value {
    json!({
        "title": title,
        "promptText": text,
        "recommendedModels": ["Universal"],
        "category": "Travel",
    })
}

fn report(created: u32, replaced: u32, unchanged: u32, deleted: u32) -> Value {
    json!({
        "created": created, "replaced": replaced, "unchanged": unchanged, "blocked": 0,
        "deleted": deleted,
    })
}

#[test]
fn importing_twice_changes_nothing() {
    let folder = Folder::new("twice");
    let first = folder.done(&["library", "import"]);
    assert_eq!((first["created"].as_u64().unwrap() > 80, &first["unchanged"]), (true, &json!(0)));
    let again = folder.done(&["library", "import"]);
    assert_eq!(again["unchanged"], first["created"]);
    assert_eq!((&again["created"], &again["replaced"]), (&json!(0), &json!(0)));
}

#[test]
fn a_new_text_replaces_and_an_order_is_kept() {
    let folder = Folder::new("replaces");
    let (one, two) = (item("One", "Plan."), item("Two", "Go."));
    let file = json_file("replaces", &json!([one, two]));
    assert_eq!(folder.done(&["library", "import", &file]), report(2, 0, 0, 0));
    let file = json_file("replaces-text", &json!([one, item("Two", "Go now.")]));
    assert_eq!(folder.done(&["library", "import", &file]), report(0, 1, 1, 0));
    let items = folder.block_on(async |store| {
        let imports = store.imports().await.unwrap();
        let mut items = store.library_items(&imports.ids).await.unwrap();
        items.sort_by_key(|item| std::cmp::Reverse(item.published_at));
        items
    });
    let texts: Vec<_> = items.iter().map(|item| item.content.prompt_text.as_str()).collect();
    assert_eq!(texts, ["Plan.", "Go now."]);
    assert_eq!((items[0].version, items[1].version), (1, 2));
    let swapped = json_file("replaces-order", &json!([item("Two", "Go now."), one]));
    assert_eq!(folder.done(&["library", "import", &swapped]), report(0, 2, 0, 0));
}

#[test]
fn pruning_asks_and_deletes_only_what_was_imported() {
    let folder = Folder::new("prune");
    let all = json_file("prune", &json!([item("Two", "2"), item("One", "1"), item("Three", "3")]));
    folder.done(&["library", "import", &all]);
    let some = json_file("prune-some", &json!([item("Two", "2")]));
    let (code, output, errors) = folder.run(&["library", "import", &some, "--prune"]);
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(errors.contains("One\n") && errors.contains("Three\n") && !errors.contains("Two\n"));
    assert!(errors.contains("--yes"), "{errors}");
    assert_eq!(folder.done(&["library", "import", &some]), report(0, 0, 1, 0));
    let pruned = folder.done(&["library", "import", &some, "--prune", "--yes"]);
    assert_eq!(pruned, report(0, 0, 1, 2));
    assert_eq!(folder.done(&["library", "import", &some, "--prune"]), report(0, 0, 1, 0));
    let (left, items) = folder.block_on(async |store| {
        let ids = store.imports().await.unwrap().ids;
        let items = store.library_items(&ids).await.unwrap();
        (ids, items)
    });
    assert_eq!((left.len(), items.len()), (1, 1));
    assert_eq!(folder.done(&["library", "import", &all]), report(2, 0, 1, 0));
}

#[test]
fn a_file_that_is_not_valid_names_every_problem_and_writes_nothing() {
    let folder = Folder::new("invalid");
    let mut without = item("Without", "x");
    without.as_object_mut().unwrap().remove("category");
    let mut models = item("Models", "x");
    models["recommendedModels"] = json!(["Universal", "Imaginary 3"]);
    let mut more = item("More", "x");
    more["visibility"] = json!("official");
    let mut estimate = item("Estimate", "x");
    estimate["tokenEstimate"] = json!({"input": -1});
    let file = json!([
        item("Good", "x"),
        item(&"é".repeat(91), "x"),
        item("Long", &"é".repeat(20_001)),
        without,
        models,
        more,
        estimate,
    ]);
    let (code, output, errors) =
        folder.run(&["library", "import", &json_file("invalid", &file), "--json"]);
    assert_eq!((code, output.as_str()), (1, ""));
    for place in [
        "/1/title must have at most 90 characters",
        "/2/promptText must have at most 20000 characters",
        "/3/category is required",
        "/4/recommendedModels/1 must be one of: Universal,",
        "/5/visibility must be one of: private",
        "/6/tokenEstimate/input must be at least 0",
    ] {
        assert!(errors.contains(place), "{place} is not in {errors}");
    }
    assert_eq!(errors.lines().count(), 7, "{errors}");
    let twice = json_file("invalid-twice", &json!([item("Same", "1"), item("Same", "2")]));
    let (code, _, errors) = folder.run(&["library", "import", &twice]);
    assert_eq!(code, 1);
    assert!(errors.contains("/1/title is the title of item 0, too"), "{errors}");
    for (name, text) in [("object", "{}"), ("cut", "[{\"title\": "), ("word", "items")] {
        let file = admin::file(&format!("invalid-{name}"), text);
        assert_eq!(folder.run(&["library", "import", &file]).0, 1, "{name}");
    }
    assert_eq!(folder.run(&["library", "import", "/no/such/file"]).0, 1);
    let imports = folder.block_on(async |store| store.imports().await.unwrap());
    assert_eq!(imports.ids, []);
}

#[test]
fn a_blocked_item_stays_blocked_through_imports_until_it_is_unblocked() {
    let folder = Folder::new("block");
    let file = json_file("block", &json!([item("One", "1")]));
    folder.done(&["library", "import", &file]);
    let id = folder.block_on(async |store| store.imports().await.unwrap().ids[0]).to_string();
    let block = ["library", "block", &id, "--reason", "Copied from a book"];
    let (code, _, errors) = folder.run(&block);
    assert!(code == 1 && errors.contains("\"One\"") && errors.contains("--yes"), "{errors}");
    assert_eq!(folder.done(&["library", "show", &id])["moderation"], "approved");
    let blocked = folder.done(&[&block[..], &["--yes"]].concat());
    assert_eq!(blocked["moderation"], "blocked");
    assert_eq!(blocked["visibility"], "private");
    assert_eq!(blocked["blockReason"], "Copied from a book");
    let other = json_file("block-other", &json!([item("One", "Something else")]));
    assert_eq!(folder.done(&["library", "import", &other])["blocked"], 1);
    let shown = folder.done(&["library", "show", &id]);
    assert_eq!((&shown["promptText"], &shown["version"]), (&json!("1"), &json!(2)));
    let empty = json_file("block-empty", &json!([]));
    assert_eq!(folder.done(&["library", "import", &empty, "--prune"]), report(0, 0, 0, 0));
    assert_eq!(folder.done(&["library", "import", &other])["blocked"], 1);
    let unblocked = folder.done(&["library", "unblock", &id]);
    assert_eq!(unblocked["moderation"], "approved");
    assert_eq!(unblocked["visibility"], "official");
    assert_eq!(unblocked["blockReason"], Value::Null);
    assert_eq!(folder.done(&["library", "import", &other])["replaced"], 1);
    let pruned = folder.done(&["library", "import", &empty, "--prune", "--yes"]);
    assert_eq!(pruned, report(0, 0, 0, 1));
}

#[test]
fn an_item_of_an_account_becomes_private_and_stays_so() {
    let folder = Folder::new("community");
    let id = folder.block_on(admin::published).to_string();
    let blocked = folder.done(&["library", "block", &id, "--yes"]);
    assert_eq!(
        (&blocked["visibility"], &blocked["publishedAt"]),
        (&json!("private"), &Value::Null)
    );
    assert_eq!(blocked["blockReason"], Value::Null);
    let unblocked = folder.done(&["library", "unblock", &id]);
    assert_eq!((&unblocked["visibility"], &unblocked["version"]), (&json!("private"), &json!(3)));
    let (code, _, errors) = folder.run(&["library", "unblock", &id]);
    assert!(code == 1 && errors.contains("neither blocked, refused nor pending"), "{errors}");
}

/// What is announced to those who deliver to webhook endpoints.
fn enqueued(folder: &Folder) -> Vec<Value> {
    folder.block_on_with_clients(async |store, aws| {
        let sqs = aws.sqs;
        let queue = &store.names().deliveries_queue_url;
        let received = sqs.receive_message().queue_url(queue).max_number_of_messages(10);
        let received = received.send().await.unwrap();
        for message in received.messages() {
            let receipt = message.receipt_handle().unwrap();
            let deletion = sqs.delete_message().queue_url(queue).receipt_handle(receipt);
            deletion.send().await.unwrap();
        }
        let bodies = received.messages().iter().map(|message| message.body().unwrap());
        bodies.map(|body| serde_json::from_str(body).unwrap()).collect()
    })
}

#[test]
fn blocking_a_published_item_notifies_its_owners_endpoints() {
    let folder = Folder::new("announced");
    let id = folder.block_on(admin::published);
    let owner = folder.done(&["library", "show", &id.to_string()])["owner"].clone();
    folder.done(&["library", "block", &id.to_string(), "--yes"]);
    let messages = enqueued(&folder);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["itemId"], json!(id));
    assert_eq!((&messages[0]["accountId"], &messages[0]["version"]), (&owner, &json!(2)));
    let message = serde_json::from_value(messages[0].clone()).unwrap();
    let told = folder.block_on(async |store| store.visibility_change(&message).await.unwrap());
    let (change, _) = told.unwrap();
    assert_eq!((change.visibility, json!(change.owner)), (Some(Visibility::Private), owner));
    folder.done(&["library", "unblock", &id.to_string()]);
    assert_eq!(enqueued(&folder), [] as [Value; 0], "unblocking shows it to nobody");
}

#[test]
fn what_the_check_refused_may_be_published_once_the_operator_says_so() {
    let folder = Folder::new("refused");
    let id = folder.block_on(admin::published);
    folder.block_on(async |store| {
        let before = store.library_item(id).await.unwrap().unwrap();
        let after = Item {
            visibility: Visibility::Private,
            moderation: Moderation::Refused,
            published_at: None,
            version: before.version + 1,
            ..before.clone()
        };
        store.replace_library_item(&before, &after).await.unwrap()
    });
    let id = id.to_string();
    let unblocked = folder.done(&["library", "unblock", &id]);
    assert_eq!(
        (&unblocked["moderation"], &unblocked["visibility"]),
        (&json!("approved"), &json!("private"))
    );
}

#[test]
fn what_does_not_exist_is_exit_code_3_and_what_is_no_identifier_2() {
    let folder = Folder::new("absent");
    let absent = "lib_01JD8M3Z5Q4N7V9X2B6C8D0E1F";
    for command in ["show", "block", "unblock"] {
        let (code, _, errors) = folder.run(&["library", command, absent, "--yes"]);
        assert_eq!(code, 3);
        assert!(errors.contains(absent), "{errors}");
        assert_eq!(folder.run(&["library", command, "op_1"]).0, 2);
    }
}

#[test]
fn a_folder_that_there_is_not_is_not_made() {
    let (code, _, errors) = admin::run_on("no-such-folder", &["library", "import"]);
    assert_eq!(code, 1);
    assert!(errors.contains("There is no data folder"), "{errors}");
    assert!(!admin::path("no-such-folder").exists());
}

#[test]
fn a_running_server_is_used() {
    let folder = Folder::new("running");
    let file = json_file("running", &json!([item("One", "1")]));
    folder.served(|| {
        let imported = folder.done(&["library", "import", &file]);
        assert_eq!(imported, report(1, 0, 0, 0));
    });
    assert_eq!(folder.done(&["library", "import", &file]), report(0, 0, 1, 0));
}

#[test]
fn addresses_of_a_server_that_was_killed_mislead_nobody() {
    let folder = Folder::new("killed");
    folder.served(|| {});
    folder.write_stale_endpoints();
    let file = json_file("killed", &json!([item("One", "1")]));
    assert_eq!(folder.done(&["library", "import", &file]), report(1, 0, 0, 0));
}

#[test]
fn a_table_is_printed_for_people() {
    let folder = Folder::new("table");
    let file = json_file("table", &json!([item("One", "1")]));
    let (code, output, _) = folder.run(&["library", "import", &file]);
    assert_eq!(code, 0);
    assert_eq!(output, "created    1\nreplaced   0\nunchanged  0\nblocked    0\ndeleted    0\n");
}
