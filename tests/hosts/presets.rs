//! Presets: kept as they were sent, rendered in one pass.

use acceptance::{account::fresh_key, uploads::id_of};
use reqwest::Method;
use serde_json::json;

use crate::host;

const PRESETS: &str = "/prompt-presets";

#[tokio::test]
async fn a_preset_is_kept_changed_found_and_deleted() {
    let host = host().await;
    let account = host.account().await;
    let name = format!("Städtereisen 🏙️ {}", fresh_key());
    let body = json!({
        "name": name, "templateTitle": "Trip planner",
        "promptText": "Plan {{ days }} days in {{city}}: {{days}} nights",
        "values": {"city": "Lisboa \"😀\"\r\n\\", "unused": "", "": "e\u{301}"},
        "generationId": "gen_x", "generatedVersionId": "ver_y",
    });
    let made = account.send(Method::POST, PRESETS, &body).await.data(200).clone();
    for (property, value) in body.as_object().expect("properties") {
        assert_eq!(made[property], *value, "{property}");
    }
    assert_eq!(made["variables"], json!(["days", "city"]));
    let path = format!("{PRESETS}/{}", id_of(&made));
    assert_eq!(*account.get(&path).await.data(200), made);
    let patch = json!({"values": {"city": "Porto"}});
    let changed = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    assert_eq!((&changed["values"], &changed["name"]), (&json!({"city": "Porto"}), &made["name"]));
    assert_eq!(*account.get(&path).await.data(200), changed);
    let search = [("search", &*name.to_uppercase()), ("limit", "1")];
    let found = account.search(PRESETS, &search).await.data(200).clone();
    assert_eq!(
        found,
        json!({"items": [changed], "limit": 1, "offset": 0, "hasMore": false, "searchedAll": true})
    );
    let nothing = account.send(Method::PATCH, &path, &json!({})).await;
    nothing.is_error(400, "invalid_request");
    assert_eq!(*account.delete(&path).await.data(200), json!({"id": made["id"], "deleted": true}));
    account.delete(&path).await.is_error(404, "not_found");
}

#[tokio::test]
async fn rendering_is_one_pass_and_saves_nothing() {
    let host = host().await;
    let account = host.account().await;
    let body =
        json!({"name": "n", "promptText": "{{a}} and {{ b }} and {{c}}", "values": {"a": "1"}});
    let made = account.send(Method::POST, PRESETS, &body).await.data(200).clone();
    let path = format!("{PRESETS}/{}", id_of(&made));
    let overrides = json!({"values": {"a": "{{b}}", "b": "zwölf 👩‍👧", "d": "x"}});
    let rendered = account.send(Method::POST, &format!("{path}/render"), &overrides).await;
    assert_eq!(
        *rendered.data(200),
        json!({
            "presetId": made["id"], "text": "{{b}} and zwölf 👩‍👧 and {{c}}",
            "usedVariables": ["a", "b"], "missingVariables": ["c"], "unusedValues": ["d"],
        })
    );
    assert_eq!(*account.get(&path).await.data(200), made);
}

#[tokio::test]
async fn the_largest_preset_survives_and_the_largest_rendering_is_bounded() {
    let host = host().await;
    let account = host.account().await;
    let values: serde_json::Map<_, _> =
        (0..100).map(|number| (format!("v{number}"), "字".repeat(10_000).into())).collect();
    let body = json!({"name": "Large", "promptText": "{{v1}}".repeat(3_000), "values": values});
    let made = host.large(account.request(Method::POST, PRESETS).json(&body)).await;
    assert_eq!(made.data(200)["values"], body["values"]);
    let path = format!("{PRESETS}/{}", id_of(made.data(200)));
    let read = host.large(account.request(Method::GET, &path)).await;
    assert_eq!(read.data(200), made.data(200));
    let render = format!("{path}/render");
    let refused = account.send(Method::POST, &render, &json!({})).await;
    refused.is_error(400, "content_too_large");
    assert_eq!(refused.problem_paths(), ["/values"]);
    let fitting = json!({"values": {"v1": "y".repeat(1_600)}});
    let fits = host.large(account.request(Method::POST, &render).json(&fitting)).await;
    assert_eq!(fits.data(200)["text"], "y".repeat(4_800_000));
}
