//! The table, compared with what this version needs and mended.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::admin;

use admin::Folder;
use domain::{AccountId, Clock, Plan};
use edge::runtime::{SystemClock, SystemRandom};
use serde_json::{Value, json};
use store::keys;

/// Replaces the index by one that has only a part of the attributes.
fn shrink_the_index(folder: &Folder) {
    use aws_sdk_dynamodb::types::{
        AttributeDefinition, CreateGlobalSecondaryIndexAction, DeleteGlobalSecondaryIndexAction,
        GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType,
        ScalarAttributeType,
    };
    folder.block_on_with_clients(async |store, clients| {
        let (dynamodb, table) = (&clients.dynamodb, &store.names().table);
        let delete = DeleteGlobalSecondaryIndexAction::builder().index_name(keys::LIST).build();
        let delete = GlobalSecondaryIndexUpdate::builder().delete(delete.unwrap()).build();
        let update = dynamodb.update_table().table_name(table);
        update.global_secondary_index_updates(delete).send().await.unwrap();
        let key = |name: &str, kind: KeyType| {
            KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
        };
        let projection = Projection::builder()
            .projection_type(ProjectionType::Include)
            .non_key_attributes(keys::LIST_ATTRIBUTES[0])
            .build();
        let create = CreateGlobalSecondaryIndexAction::builder()
            .index_name(keys::LIST)
            .key_schema(key(keys::LIST_PK, KeyType::Hash))
            .key_schema(key(keys::LIST_SK, KeyType::Range))
            .projection(projection)
            .build()
            .unwrap();
        let create = GlobalSecondaryIndexUpdate::builder().create(create).build();
        let names = [keys::PK, keys::SK, keys::LIST_PK, keys::LIST_SK];
        let definitions = names.map(|name| {
            let definition = AttributeDefinition::builder().attribute_name(name);
            definition.attribute_type(ScalarAttributeType::S).build().unwrap()
        });
        let update = dynamodb.update_table().table_name(table);
        let update = update.set_attribute_definitions(Some(definitions.to_vec()));
        update.global_secondary_index_updates(create).send().await.unwrap();
    });
}

#[test]
fn a_table_that_was_just_made_is_as_it_must_be() {
    let folder = Folder::new("table-fresh");
    assert_eq!(folder.done(&["table", "check"]), json!([]));
    assert_eq!(folder.done(&["table", "migrate"]), json!({"mended": 0, "left": []}));
}

#[test]
fn an_index_of_an_earlier_version_is_made_anew_once_the_operator_agrees() {
    let folder = Folder::new("table-index");
    let account = folder.done(&["accounts", "create", "Acme"])["id"].clone();
    shrink_the_index(&folder);

    let (code, output, _) = folder.run(&["table", "check", "--json"]);
    assert_eq!(code, 1, "a check that finds something fails");
    let lacking = keys::LIST_ATTRIBUTES[1..].join(", ");
    let found: serde_json::Value = serde_json::from_str(&output).unwrap();
    let deviation = format!("The index of lists lacks {lacking}.");
    assert_eq!(found, json!([{"deviation": deviation, "mendable": true}]));

    let (code, _, errors) = folder.run(&["table", "migrate"]);
    assert!(code == 1 && errors.contains("Lists fail until it is filled"), "{errors}");
    assert_eq!(folder.run(&["table", "check"]).0, 1, "nobody agreed");

    let mended = folder.done(&["table", "migrate", "--yes"]);
    assert_eq!(mended, json!({"mended": 1, "left": []}));
    assert_eq!(folder.done(&["table", "check"]), json!([]));
    let id = account.as_str().unwrap();
    assert_eq!(folder.done(&["accounts", "show", id])["name"], "Acme", "items stay");
}

#[test]
fn a_table_without_index_and_time_to_live_gets_both() {
    let folder = Folder::new("table-bare");
    folder.block_on_with_clients(async |store, clients| {
        let (dynamodb, table) = (&clients.dynamodb, &store.names().table);
        use aws_sdk_dynamodb::types::{
            DeleteGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, TimeToLiveSpecification,
        };
        let delete = DeleteGlobalSecondaryIndexAction::builder().index_name(keys::LIST).build();
        let delete = GlobalSecondaryIndexUpdate::builder().delete(delete.unwrap()).build();
        let update = dynamodb.update_table().table_name(table);
        update.global_secondary_index_updates(delete).send().await.unwrap();
        let off = TimeToLiveSpecification::builder().attribute_name(keys::TTL).enabled(false);
        let update = dynamodb.update_time_to_live().table_name(table);
        update.time_to_live_specification(off.build().unwrap()).send().await.unwrap();
    });
    let (code, output, _) = folder.run(&["table", "check"]);
    assert_eq!(code, 1);
    assert!(output.contains("It lacks the index of lists."), "{output}");
    assert!(output.contains("What has expired is not removed."), "{output}");
    assert_eq!(folder.done(&["table", "migrate"]), json!({"mended": 2, "left": []}));
}

#[test]
fn usage_lists_every_account_with_what_it_used_most_first() {
    let folder = Folder::new("usage");
    let ids = folder.block_on(async |store| {
        let mut ids = Vec::new();
        for (name, plan) in [("=cmd(), \"Ltd\"", Plan::Pro), ("Quiet", Plan::Free)] {
            let id = AccountId::new(&SystemClock, &SystemRandom);
            store.create_account(id, name, plan).await.unwrap();
            ids.push(id);
        }
        ids
    });
    admin::succeed(&folder, ids[0], 3);

    let rows = folder.done(&["usage"]);
    let rows = rows.as_array().unwrap();
    let of = |id: AccountId| rows.iter().find(|row| row["account"] == json!(id)).unwrap();
    assert_eq!(rows[0]["account"], json!(ids[0]), "the one that used most comes first");
    assert_eq!(of(ids[0])["creditsUsed"], 3);
    assert_eq!(of(ids[0])["creditsHeld"], 0);
    assert_eq!(of(ids[0])["creditsLimit"], 500);
    assert_eq!(of(ids[0])["operations"], 3);
    assert_eq!(of(ids[0])["inputTokens"], 3_000);
    assert_eq!(of(ids[0])["modelCost"], Value::Null, "the model has no price");
    assert_eq!((&of(ids[1])["modelRequests"], &of(ids[1])["modelCost"]), (&json!(0), &json!(0.0)));
    // 200 tokens at $2 a million, 800 at $0.50 and 200 at $8, three times.
    let priced = folder.done(&["usage", "--prices", "openai/m=2,8,0.5"]);
    assert_eq!(priced[0]["modelCost"], 0.0072);
    assert_eq!((&of(ids[1])["name"], &of(ids[1])["creditsUsed"]), (&json!("Quiet"), &json!(0)));

    let month = SystemClock.now().month_start().to_string();
    for (month, tokens) in [(&month[..7], 3_000), ("2020-02", 0)] {
        let of_month = folder.done(&["usage", "--model-month", month]);
        assert_eq!(of_month[0]["inputTokens"], tokens, "{month}");
        assert_eq!(of_month[0]["creditsUsed"], 3, "{month}");
    }

    let (code, csv, errors) = folder.run(&["usage", "--csv", "--prices", "openai/m=2,8,0.5"]);
    assert_eq!(code, 0, "{errors}");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("account,name,createdAt,plan,"), "{}", lines[0]);
    assert!(lines[0].ends_with(",reversePrompt"), "{}", lines[0]);
    assert_eq!(lines.len(), rows.len() + 1);
    let first = format!("{},\"'=cmd(), \"\"Ltd\"\"\",", ids[0]);
    assert!(lines[1].starts_with(&first), "no formula, and quoted: {}", lines[1]);
    assert!(
        lines[1].contains(&format!(
            ",0,{month},3,0,500,0,1000,0,1000000000,3,3000,2400,0,600,0.007200,3,0,"
        )),
        "{}",
        lines[1]
    );
}
