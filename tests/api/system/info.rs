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
        assert_eq!(data["documentation"], format!("{}/docs", world.base_url));
    }
}

#[tokio::test]
async fn the_documentation_is_a_page_whose_files_are_all_there_and_whose_key_is_empty() {
    let world = World::start().await;
    let page = world.anonymous(Method::GET, "/docs").send().await.expect("an answer");
    assert_eq!(page.status(), 200);
    assert!(page.headers()["content-type"].to_str().expect("text").starts_with("text/html"));
    let page = page.text().await.expect("a page");
    assert!(page.contains(r#"name="api-key" content="""#), "{page}");
    let files: Vec<_> = page.split('"').filter(|part| part.starts_with("docs/")).collect();
    assert_eq!(files.len(), 4 + 11, "{page}");
    for file in files {
        let answer = world.anonymous(Method::GET, &format!("/{file}")).send().await;
        assert_eq!(answer.expect("an answer").status(), 200, "{file}");
    }
    let other = world.anonymous(Method::GET, "/docs/index.html").send().await.expect("an answer");
    assert_eq!(other.status(), 404);
}

#[tokio::test]
async fn the_workbench_is_a_page_whose_files_are_all_there_and_whose_key_is_empty() {
    let world = World::start().await;
    let page = world.anonymous(Method::GET, "/workbench").send().await.expect("an answer");
    assert_eq!(page.status(), 200);
    let policy = page.headers()["content-security-policy"].to_str().expect("text").to_owned();
    // The bucket is at AWS, and there alone.
    assert!(policy.contains("connect-src 'self' https://*.amazonaws.com; "), "{policy}");
    let page = page.text().await.expect("a page");
    assert!(page.contains(r#"name="api-key" content="""#), "{page}");
    let files: Vec<_> = page.split('"').filter(|part| part.starts_with("workbench/")).collect();
    assert_eq!(files.len(), 4, "{page}");
    for file in files {
        let answer = world.anonymous(Method::GET, &format!("/{file}")).send().await;
        assert_eq!(answer.expect("an answer").status(), 200, "{file}");
    }
    let other = world.anonymous(Method::GET, "/workbench/page.html").send().await;
    assert_eq!(other.expect("an answer").status(), 404);
}
