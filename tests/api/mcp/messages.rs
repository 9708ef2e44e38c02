//! What is wrong with a message, as JSON-RPC has it.

use acceptance::{
    World,
    mcp::{Client, NEWEST, Reply},
};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

use super::subject;

/// Sends these bytes.
async fn raw(client: &Client, body: String) -> Reply {
    let ping = client.message("ping", json!({}));
    Reply::to(client.posting(&ping).body(body)).await
}

#[tokio::test]
async fn parameters_of_a_known_method_are_invalid_and_not_its_name_unknown() {
    let world = World::with_limits(Limits::Lifted).await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    for (method, params) in [
        ("tools/call", json!({})),
        ("tools/call", json!({"name": 5})),
        ("tools/call", json!({"name": "list_models", "arguments": [1]})),
        ("tools/call", json!({"name": "list_models", "arguments": "x"})),
        ("tools/call", json!([])),
        ("tools/call", json!("x")),
        ("tools/call", json!({"name": "list_models", "_meta": 5})),
        ("tools/list", json!({"cursor": 5})),
        ("tools/list", json!({"cursor": "5"})),
        ("tools/list", json!([1])),
        ("prompts/get", json!({})),
        ("prompts/get", json!({"name": "p", "arguments": []})),
        ("prompts/get", json!({"name": ""})),
        ("prompts/list", json!({"cursor": {}})),
        ("resources/read", json!({})),
        ("resources/read", json!({"uri": []})),
        ("resources/list", json!({"cursor": true})),
        ("completion/complete", json!({})),
        ("completion/complete", json!({"ref": {"type": "ref/tool", "name": "x"}})),
        ("prompts/list", json!({"cursor": 100})),
        ("resources/templates/list", json!({"cursor": "x"})),
        ("initialize", json!({})),
        ("initialize", json!({"protocolVersion": 1, "capabilities": {}, "clientInfo": {}})),
    ] {
        let mut message = client.message(method, json!({}));
        message["params"] = params;
        let answer = client.send(&message).await;
        assert_eq!(answer.status, 200, "{message}");
        assert!(answer.message()["error"].is_object(), "{message}");
        assert_eq!(answer.error()["code"], -32602, "{message}: {}", answer.message());
        assert_eq!(answer.message()["id"], message["id"], "{message}");
        assert!(answer.header("mcp-session-id").is_none(), "nothing has begun: {message}");
    }
    for method in ["no/such", "logging/setLevel", "resources/subscribe"] {
        for params in [json!({}), json!({"uri": "x", "level": "info"})] {
            let answer = client.say(method, params).await;
            assert_eq!(answer.error()["code"], -32601, "{method}");
        }
    }
    // The newest revision answers so, too, and says by HTTP that there is no such method.
    let newest = ada.mcp_before_anything(NEWEST);
    let malformed = newest.say("tools/list", json!({"cursor": 5})).await;
    assert_eq!(malformed.error()["code"], -32602);
    let unknown = newest.say("no/such", json!({})).await;
    assert_eq!((unknown.status.as_u16(), &unknown.error()["code"]), (404, &json!(-32601)));
}

#[tokio::test]
async fn a_cursor_that_a_list_never_gave_is_an_invalid_parameter() {
    let world = World::with_limits(Limits::Lifted).await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    for (method, cursors) in [
        (
            "prompts/list",
            vec![
                "9223372036854775808",
                "18446744073709551615",
                "99999999999",
                "+5",
                "05",
                "-1",
                "",
            ],
        ),
        ("resources/list", vec!["+1", "01", "0", "4294967296", "official:1", "x", ""]),
    ] {
        for cursor in cursors {
            let answer = client.say(method, json!({ "cursor": cursor })).await;
            assert_eq!(answer.status, 200, "{method} {cursor}: {:?}", answer.messages);
            assert_eq!(answer.error()["code"], -32602, "{method} {cursor}");
        }
    }
}

#[tokio::test]
async fn an_argument_without_a_character_is_named() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    for tool in ["get_preset", "get_operation", "delete_upload", "get_library_item"] {
        let error = client.call(tool, json!({"id": ""})).await.tool_error();
        assert_eq!(error["code"], "invalid_request", "{tool}");
        let problem = json!({"path": "/id", "message": "must have at least 1 character"});
        assert_eq!(error["details"], json!([problem]), "{tool}");
    }
}

#[tokio::test]
async fn a_property_that_is_given_twice_is_refused_as_everywhere() {
    let world = World::start().await;
    let ada = subject(&world, "ada", Plan::Pro).await;
    let client = ada.mcp().await;
    for (body, path) in [
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"generate_prompt","arguments":{"message":"A haiku","message":"A sonnet"}}}"#,
            "/params/arguments/message",
        ),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, "/id"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#, "/method"),
    ] {
        let answer = raw(&client, body.to_owned()).await;
        assert_eq!(answer.status, 400);
        let error = answer.error();
        assert_eq!(error["code"], -32600, "{error}");
        let problem = json!({"path": path, "message": "is given more than once"});
        assert_eq!(error["data"]["details"], json!([problem]));
        assert_eq!(answer.message()["id"], Value::Null);
    }
    assert_eq!(ada.usage().await["credits"]["used"], 0);
    // It is JSON, but more than any request needs.
    let many = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":[{}0]}}}}"#,
        "0,".repeat(30_000)
    );
    assert_eq!(raw(&client, many).await.error()["code"], -32600);
}

#[tokio::test]
async fn what_identifies_a_request_is_a_string_or_a_whole_number() {
    let world = World::start().await;
    let client = subject(&world, "ada", Plan::Pro).await.mcp().await;
    for id in ["null", "1.5", "true", "[]", "{}", "9223372036854775808"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let answer = raw(&client, body).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.error()["code"]),
            (400, &json!(-32600)),
            "{id}"
        );
    }
    for id in [json!("a"), json!(""), json!(0), json!(-7), json!(i64::MAX)] {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
        let answer = client.send(&message).await;
        assert_eq!(answer.result(), &json!({}));
        assert_eq!(answer.message()["id"], id);
    }
    // JSON has one kind of number.
    for (id, number) in [("7.0", 7), ("2e1", 20), ("-0.0", 0)] {
        let answer =
            raw(&client, format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await;
        assert_eq!((answer.result(), &answer.message()["id"]), (&json!({}), &json!(number)));
    }
    // Without one, it is a notification, which has no answer.
    let body = r#"{"jsonrpc":"2.0","method":"notifications/no-such"}"#.to_owned();
    assert_eq!(raw(&client, body).await.status, 202);
    let body = r#"{"jsonrpc":"2.0","id":7,"method":5}"#.to_owned();
    assert_eq!(raw(&client, body).await.message()["id"], 7);
}
