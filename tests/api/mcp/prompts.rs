//! Presets as prompts.

use acceptance::{
    World,
    mcp::{Client, NEWEST, Reply, WITH_SESSIONS},
};
use domain::{Plan, Scope, Scopes};
use serde_json::{Value, json};
use store::admission::Limits;

use super::subject;

async fn saved(client: &Client, name: &str, prompt: &str, values: Value) -> Value {
    let preset = json!({"name": name, "promptText": prompt, "values": values});
    client.call("create_preset", preset).await.data()["id"].clone()
}

#[tokio::test]
async fn a_preset_is_a_prompt_with_its_variables_as_arguments() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let text = "Plan three days in {{city}} for {{travellers}}. {{city}} first!";
    let id = saved(&client, "Trips", text, json!({"travellers": "two"})).await;
    let listed = client.say("prompts/list", json!({})).await;
    let prompts = listed.result()["prompts"].as_array().expect("a list");
    assert_eq!(prompts.len(), 1);
    assert_eq!((&prompts[0]["name"], &prompts[0]["title"]), (&id, &json!("Trips")));
    let arguments = prompts[0]["arguments"].as_array().expect("a list");
    let told: Vec<_> =
        arguments.iter().map(|it| (it["name"].as_str(), it["required"].as_bool())).collect();
    assert_eq!(told, [(Some("city"), Some(true)), (Some("travellers"), Some(false))]);
    assert!(arguments[1]["description"].as_str().is_some_and(|text| text.contains("two")));

    let got = async |arguments: Value| {
        client.say("prompts/get", json!({"name": id, "arguments": arguments})).await
    };
    let rendered = got(json!({"city": "Lisbon"})).await.result().clone();
    assert_eq!(rendered["messages"][0]["role"], "user");
    assert_eq!(
        rendered["messages"][0]["content"]["text"],
        "Plan three days in Lisbon for two. Lisbon first!"
    );
    let overridden = got(json!({"city": "Rome", "travellers": "{{city}}"})).await.result().clone();
    let text = overridden["messages"][0]["content"]["text"].as_str().expect("text");
    assert_eq!(text, "Plan three days in Rome for {{city}}. Rome first!", "one pass");
    let missing = got(json!({})).await;
    assert_eq!(missing.error()["code"], -32602);
    assert!(missing.error()["message"].as_str().is_some_and(|text| text.contains("city")));
    let number = got(json!({"city": 5})).await;
    assert_eq!(number.error()["code"], -32602);
}

#[tokio::test]
async fn anothers_preset_is_no_prompt_of_mine() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let bob = subject(&world, "bob", Plan::Pro).await.mcp().await;
    let id = saved(&ada, "Trips", "Plan.", json!({})).await;
    let listed = bob.say("prompts/list", json!({})).await;
    assert_eq!(listed.result()["prompts"], json!([]));
    let anothers = bob.say("prompts/get", json!({"name": id})).await;
    let never = bob.say("prompts/get", json!({"name": "pst_01ARZ3NDEKTSV4RRFFQ69G5FAV"})).await;
    let odd = bob.say("prompts/get", json!({"name": "../../usage"})).await;
    assert_eq!(anothers.error()["code"], -32602);
    for other in [never, odd] {
        assert_eq!(anothers.error(), other.error());
    }
}

#[tokio::test]
async fn pages_go_on_at_their_cursor_until_the_last_one() {
    let world = World::with_limits(Limits::Lifted).await;
    let client = subject(&world, "ada", Plan::Max).await.mcp().await;
    for number in 0..103 {
        saved(&client, &format!("Number {number}"), "Plan.", json!({})).await;
    }
    let first = client.say("prompts/list", json!({})).await.result().clone();
    assert_eq!(first["prompts"].as_array().map(Vec::len), Some(100));
    let cursor = json!({"cursor": first["nextCursor"]});
    let second = client.say("prompts/list", cursor).await.result().clone();
    assert_eq!(second["prompts"].as_array().map(Vec::len), Some(3));
    assert_eq!(second["nextCursor"], Value::Null);
    let wrong = client.say("prompts/list", json!({"cursor": "x"})).await;
    assert_eq!(wrong.error()["code"], -32602);
}

#[tokio::test]
async fn a_token_that_does_not_reach_presets_sees_none_and_is_told_what_it_lacks() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    let id = saved(&client, "Trips", "Plan.", json!({})).await;
    let narrow = world.subject("ada", Scopes::from_iter([Scope::UsageRead])).mcp().await;
    let listed = narrow.say("prompts/list", json!({})).await;
    assert_eq!(listed.result()["prompts"], json!([]));
    let refused = narrow.say("prompts/get", json!({"name": id})).await;
    refused.is_refused(403, "insufficient_scope");
    let challenge = refused.header("www-authenticate").expect("a challenge");
    assert!(challenge.contains(Scope::PromptsPresetsRead.as_str()), "{challenge}");
}

/// Gets a prompt with a client of the newest revision that has these capabilities.
async fn got(client: &Client, params: Value, capabilities: Value) -> Reply {
    let mut message = client.message("prompts/get", params);
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    client.send(&message).await
}

#[tokio::test]
async fn a_client_that_can_ask_its_user_is_asked_for_the_variables_that_have_no_value() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp_before_anything(NEWEST);
    let text = "Plan {{days}} days in {{city}} for {{travellers}}.";
    let id = saved(&client, "Trips", text, json!({"travellers": "two"})).await;
    let asking = || json!({"elicitation": {}});
    let given = json!({"name": id, "arguments": {"days": "3"}});
    let asked = got(&client, given.clone(), asking()).await.result().clone();
    assert_eq!(asked["resultType"], "input_required");
    assert_eq!(asked["requestState"], Value::Null, "the client keeps nothing for the service");
    let question = &asked["inputRequests"]["variables"];
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["mode"], "form");
    let form = &question["params"]["requestedSchema"];
    assert_eq!((&form["type"], &form["required"]), (&json!("object"), &json!(["city"])));
    assert_eq!(form["properties"]["city"]["type"], "string");
    assert_eq!(form["properties"].as_object().map(|all| all.len()), Some(1));

    // Another instance of the service could answer: the message says everything again.
    let answered = |response: Value| {
        let mut params = given.clone();
        params["inputResponses"] = json!({ "variables": response });
        params
    };
    let accepted = answered(json!({"action": "accept", "content": {"city": "Rome", "days": "9"}}));
    let rendered = got(&client, accepted, asking()).await.result().clone();
    assert_eq!(rendered["messages"][0]["content"]["text"], "Plan 3 days in Rome for two.");
    let empty = answered(json!({"action": "accept", "content": {}}));
    let again = got(&client, empty, asking()).await.result().clone();
    assert_eq!(again["resultType"], "input_required");
    for refusal in [json!({"action": "decline"}), json!({"action": "cancel"}), json!(5)] {
        let refused = got(&client, answered(refusal.clone()), asking()).await;
        assert_eq!(refused.error()["code"], -32602, "{refusal}");
        assert!(refused.error()["message"].as_str().is_some_and(|text| text.contains("city")));
    }
    let wrong = answered(json!({"action": "accept", "content": {"city": 5}}));
    assert_eq!(got(&client, wrong, asking()).await.error()["code"], -32602);
}

#[tokio::test]
async fn a_client_that_cannot_ask_its_user_is_told_what_is_missing() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let newest = ada.mcp_before_anything(NEWEST);
    let id = saved(&newest, "Trips", "Plan a day in {{city}}.", json!({})).await;
    let missing = json!({ "name": id });
    for capabilities in [json!({}), json!({"sampling": {}}), json!({"elicitation": {"url": {}}})] {
        let answer = got(&newest, missing.clone(), capabilities.clone()).await;
        assert_eq!(answer.error()["code"], -32602, "{capabilities}");
    }
    let forms = json!({"elicitation": {"form": {}, "url": {}}});
    let asked = got(&newest, missing.clone(), forms.clone()).await;
    assert_eq!(asked.result()["resultType"], "input_required");
    // With sessions, an answer could come only in a message that other instances may get.
    let mut with_sessions = ada.mcp_before_anything(WITH_SESSIONS);
    let mut introduction = with_sessions.introduction();
    introduction["capabilities"] = forms.clone();
    let begun = with_sessions.say("initialize", introduction).await;
    with_sessions.session = begun.header("mcp-session-id").map(ToOwned::to_owned);
    for capabilities in [Value::Null, forms] {
        let answer = got(&with_sessions, missing.clone(), capabilities).await;
        assert_eq!(answer.error()["code"], -32602, "{answer:?}");
    }
}
