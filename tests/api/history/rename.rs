use acceptance::{World, account::fresh_key};
use domain::Plan;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn a_new_title_shows_everywhere_and_outlives_further_versions() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let goal = json!({"message": "A packing list for Iceland"});
    let made = account.generate(&fresh_key(), &goal).await.data(200).clone();
    let path = format!("/history/generation/{}", made["generationId"].as_str().expect("an id"));
    world.clock.advance(std::time::Duration::from_secs(1));
    let renamed = account.send(Method::PATCH, &path, &json!({"title": "Æra des Eises"})).await;
    assert_eq!(renamed.data(200)["title"], "Æra des Eises");
    assert_eq!(renamed.data(200)["updatedAt"], "2026-03-15T12:00:01.000Z");
    assert_eq!(renamed.data(200)["versions"].as_array().map(Vec::len), Some(1));
    let body = json!({"message": "Shorter", "generationId": made["generationId"]});
    account.generate(&fresh_key(), &body).await.data(200);
    assert_eq!(account.get(&path).await.data(200)["title"], "Æra des Eises");
    let found = account.get("/history?type=generation&search=%C3%A6RA%20DES").await;
    assert_eq!(found.data(200)["items"][0]["title"], "Æra des Eises");
}

#[tokio::test]
async fn a_title_has_1_to_180_characters_and_nothing_beside_it() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let goal = json!({"message": "A packing list for Iceland"});
    let made = account.generate(&fresh_key(), &goal).await.data(200).clone();
    let path = format!("/history/generation/{}", made["generationId"].as_str().expect("an id"));
    for (body, problem) in [
        (json!({}), "/title"),
        (json!({"title": ""}), "/title"),
        (json!({"title": "x".repeat(181)}), "/title"),
        (json!({"title": 7}), "/title"),
        (json!({"title": "x", "excerpt": "y"}), "/excerpt"),
    ] {
        let answer = account.send(Method::PATCH, &path, &body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), [problem], "{body}");
    }
    let longest = "字".repeat(180);
    let answer = account.send(Method::PATCH, &path, &json!({"title": longest})).await;
    assert_eq!(answer.data(200)["title"], longest);
}
