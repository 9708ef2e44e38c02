//! The same table for the tools of the MCP interface: each is one of the operations.

use std::collections::BTreeMap;

use acceptance::mcp::{Client, Reply};
use reqwest::Method;
use store::admission::Limits;

use super::*;

/// Operations that are no tools: signing secrets have no place in a model's context.
const NO_TOOLS: [&str; 8] = [
    "listWebhookEndpoints",
    "createWebhookEndpoint",
    "getWebhookEndpoint",
    "testWebhookEndpoint",
    "updateWebhookEndpoint",
    "deleteWebhookEndpoint",
    "listWebhookDeliveries",
    "recoverWebhookEndpoint",
];

fn tool(operation: &str) -> String {
    if operation == "estimatePromptTokens" {
        return "estimate_tokens".to_owned();
    }
    let mut name = String::new();
    for letter in operation.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

fn rows() -> Vec<Row> {
    table().into_iter().filter(|row| !NO_TOOLS.contains(&row.operation)).collect()
}

fn arguments(row: &Row, id: &str) -> Value {
    let mut arguments = row.body.map_or_else(|| json!({}), |body| body());
    if row.path.contains("{id}") {
        arguments["id"] = id.into();
    }
    if row.path.contains("{type}") {
        arguments["type"] = "generation".into();
    }
    if arguments["sourceVersionId"].is_string() {
        arguments["sourceVersionId"] = id.replace("opt_", "ver_").into();
    }
    arguments
}

async fn call(row: &Row, client: &Client, id: &str) -> Reply {
    client.call(&tool(row.operation), arguments(row, id)).await
}

async fn with_token(world: &World, subject: &str, scopes: Scopes) -> (Account, Client) {
    let account = world.subject(subject, scopes);
    let client = account.mcp().await;
    world.store.set_plan(account.id, Plan::Max).await.expect("storage");
    (account, client)
}

#[tokio::test]
async fn every_operation_is_a_tool_but_those_that_are_named_here() {
    let world = World::start().await;
    let (_, client) = with_token(&world, "ada", Scopes::ALL).await;
    let listed = client.tools().await;
    let listed: BTreeSet<_> =
        listed.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect();
    let expected: BTreeSet<_> = rows().iter().map(|row| tool(row.operation)).collect();
    assert_eq!(listed, expected);
}

#[tokio::test]
async fn without_a_token_and_with_an_api_key_every_tool_is_401() {
    let world = World::start().await;
    let key = world.account(Plan::Max).await;
    let client = key.mcp_before_anything(acceptance::mcp::WITH_SESSIONS);
    for row in rows() {
        let message = client.calling(&tool(row.operation), arguments(&row, "x"));
        let with_key = client.send(&message).await;
        with_key.is_refused(401, "invalid_credentials");
        let bare = world.anonymous(Method::POST, "/mcp").json(&message);
        let without = Reply::to(bare).await;
        without.is_refused(401, "missing_credentials");
        for answer in [with_key, without] {
            let challenge = answer.header("www-authenticate").expect("a challenge");
            let metadata = "/.well-known/oauth-protected-resource/v1/mcp\"";
            assert!(challenge.contains(metadata), "{challenge}");
            let scopes: Vec<_> = row.scopes.iter().map(|scope| scope.as_str()).collect();
            let scope = format!("scope=\"{}\"", scopes.join(" "));
            assert_eq!(challenge.contains(&scope), !scopes.is_empty(), "{challenge}");
            assert!(answer.header("ratelimit-limit").is_none());
        }
    }
}

#[tokio::test]
async fn the_endpoints_metadata_name_the_scopes_of_tools_and_no_others() {
    let world = World::start().await;
    let origin = world.base_url.strip_suffix("/v1").expect("a version");
    let address = format!("{origin}/.well-known/oauth-protected-resource/v1/mcp");
    let metadata = acceptance::Answer::to(reqwest::Client::new().get(address)).await;
    let named = metadata.body["scopes_supported"].as_array().expect("a list").clone();
    let named: BTreeSet<_> = named.iter().map(|it| it.as_str().expect("a scope")).collect();
    let used = rows().into_iter().flat_map(|row| row.scopes).map(|scope| scope.as_str());
    assert_eq!(named, used.collect());
    assert!(!named.contains("webhooks:manage"));
}

#[tokio::test]
async fn without_the_scope_every_tool_is_403_and_with_it_alone_its_result_is_what_it_declares() {
    let world = World::with_limits(Limits::Lifted).await;
    let (_, all) = with_token(&world, "all", Scopes::ALL).await;
    let tools: BTreeMap<_, _> = all
        .tools()
        .await
        .into_iter()
        .map(|tool| (tool["name"].as_str().expect("a name").to_owned(), tool))
        .collect();
    for row in rows() {
        let (account, _) = with_token(&world, row.operation, Scopes::ALL).await;
        let id = row.id(&account).await;
        for missing in row.scopes {
            let lacking = Scope::ALL.into_iter().filter(|scope| scope != missing).collect();
            let narrow = world.subject(row.operation, lacking).mcp().await;
            let answer = call(&row, &narrow, &id).await;
            answer.is_refused(403, "insufficient_scope");
            let challenge = answer.header("www-authenticate").expect("a challenge");
            assert!(challenge.contains(r#"error="insufficient_scope""#), "{challenge}");
            assert!(challenge.contains("oauth-protected-resource/v1/mcp\""), "{challenge}");
            assert!(challenge.contains(missing.as_str()), "{challenge}");
        }
        let needed = row.scopes.iter().copied().collect();
        let caller = world.subject(row.operation, needed).mcp().await;
        let answer = call(&row, &caller, &id).await;
        let declared = &tools[&tool(row.operation)];
        let taken = jsonschema::draft202012::new(&declared["inputSchema"]).expect("a schema");
        assert!(taken.is_valid(&arguments(&row, &id)), "{}", row.operation);
        let results = jsonschema::draft202012::new(&declared["outputSchema"]).expect("a schema");
        let problems: Vec<_> =
            results.iter_errors(answer.data()).map(|error| error.to_string()).collect();
        assert!(problems.is_empty(), "{}: {problems:?}", row.operation);
        assert!(!results.is_valid(&json!({})), "{} declares nothing", row.operation);
    }
}

#[tokio::test]
async fn by_tools_too_what_is_anothers_and_what_never_was_are_the_same() {
    let world = World::with_limits(Limits::Lifted).await;
    for row in rows().iter().filter(|row| row.resource.is_some()) {
        let (owner, own) = with_token(&world, row.operation, Scopes::ALL).await;
        let stranger = format!("{}, a stranger", row.operation);
        let (_, other) = with_token(&world, &stranger, Scopes::ALL).await;
        let id = row.id(&owner).await;
        let never = row.resource.map_or("", Resource::never_existed);
        let anothers = call(row, &other, &id).await.tool_error();
        let code = match row.operation {
            "refineOptimizedPrompt" => "invalid_reference",
            _ => "not_found",
        };
        assert_eq!(anothers["code"], code, "{}", row.operation);
        assert_eq!(anothers, call(row, &other, never).await.tool_error(), "{}", row.operation);
        call(row, &own, &id).await.data();
    }
}
