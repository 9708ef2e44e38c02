use acceptance::{Answer, World};
use domain::Plan;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn an_unknown_route_is_not_found() {
    let world = World::start().await;
    for path in ["/nope", "/usage/", "/prompts", "/operations/a/b"] {
        world.get(path).await.is_error(404, "not_found");
    }
}

#[tokio::test]
async fn a_wrong_method_is_told_the_right_ones() {
    let world = World::start().await;
    for (method, path, allowed) in [
        (Method::POST, "/usage", "GET,HEAD"),
        (Method::GET, "/prompts/generate", "POST"),
        (Method::PATCH, "/operations/op_x", "GET,HEAD,DELETE"),
    ] {
        let answer = Answer::to(world.anonymous(method, path)).await;
        answer.is_error(405, "method_not_allowed");
        let mut given: Vec<_> = answer.header("allow").expect("Allow").split(',').collect();
        let mut expected: Vec<_> = allowed.split(',').collect();
        given.sort();
        expected.sort();
        assert_eq!(given, expected);
    }
}

#[tokio::test]
async fn a_browser_of_any_origin_may_call_and_read_our_headers() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let preflight = Answer::to(
        world
            .anonymous(Method::OPTIONS, "/prompts/generate")
            .header("Origin", "https://example.com")
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "authorization,idempotency-key,prefer"),
    )
    .await;
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.header("access-control-allow-origin"), Some("*"));
    assert_eq!(preflight.header("access-control-allow-credentials"), None);
    let allowed = preflight.header("access-control-allow-headers").expect("headers");
    for header in ["authorization", "content-type", "idempotency-key", "prefer"] {
        assert!(allowed.split(',').any(|name| name == header), "{allowed}");
    }
    assert!(preflight.header("x-request-id").is_some());

    let request = account.request(Method::GET, "/usage").header("Origin", "https://example.com");
    let answer = Answer::to(request).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let exposed = answer.header("access-control-expose-headers").expect("headers");
    for header in [
        "x-request-id",
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
        "idempotent-replayed",
        "preference-applied",
        "location",
        "retry-after",
    ] {
        assert!(exposed.split(',').any(|name| name == header), "{header} in {exposed}");
    }
}

#[tokio::test]
async fn an_unknown_parameter_is_ignored_unless_it_is_a_known_one_misspelt() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    for path in [
        "/usage?verbose=1&x",
        "/operations?utm_source=mail&page=2&fields=id&fields=kind&=&limit=5",
        "/prompt-presets?l=1&of=2&per_page=7&scope=my",
        "/library/items?q=x&order=top&model_name=x&size=4",
    ] {
        account.get(path).await.data(200);
    }
    for (path, given, meant) in [
        ("/operations", "Limit", "limit"),
        ("/operations", "limt", "limit"),
        ("/operations", "lmiit", "limit"),
        ("/operations", "kinds", "kind"),
        ("/operations", "statuses", "status"),
        ("/operations", "cursro", "cursor"),
        ("/prompt-presets", "ofset", "offset"),
        ("/prompt-presets", "serach", "search"),
        ("/history", "typ", "type"),
        ("/library/items", "pagesize", "pageSize"),
        ("/library/items", "page_size", "pageSize"),
        ("/library/items", "model", "models"),
        ("/library/items", "catgeory", "category"),
    ] {
        let answer = account.get(&format!("{path}?{given}=1")).await;
        let error = answer.is_error(400, "invalid_request");
        let message = format!("is not a known parameter; did you mean {meant}?");
        let detail = json!({"path": format!("query.{given}"), "message": message});
        assert_eq!(error["details"], json!([detail]), "{path}");
    }
}
