use acceptance::{Answer, World};
use reqwest::Method;

#[tokio::test]
async fn the_base_address_names_the_service_with_and_without_a_slash() {
    let world = World::start().await;
    for path in ["", "/"] {
        let answer = Answer::to(world.anonymous(Method::GET, path)).await;
        let data = answer.data(200);
        assert_eq!(data["name"], "Prompt Workflow Service");
        assert_eq!(data["version"], "1.0.0");
        assert_eq!(data["openapi"], format!("{}/openapi.json", world.base_url));
        assert!(data["documentation"].as_str().is_some_and(|url| url.starts_with("http")));
    }
}
