//! Who may do what: one table that grows with the API. An operation that is missing from it fails.

use std::collections::BTreeSet;

use acceptance::{Account, Answer, World, account::fresh_key, files};
use domain::{Plan, Scope, Scopes};
use reqwest::Method;
use serde_json::{Value, json};
use store::gate::Caps;

/// An operation of the API and how to call it.
struct Row {
    operation: &'static str,
    method: Method,
    /// Path, with `{id}` for the resource of the account that owns one.
    path: &'static str,
    scopes: &'static [Scope],
    body: fn() -> Option<Value>,
    /// What stands for `{id}`.
    resource: Option<Resource>,
}

#[derive(Clone, Copy)]
enum Resource {
    PendingOperation,
    Optimization,
    Generation,
    Upload,
    Preset,
    LibraryItem,
}

fn no_body() -> Option<Value> {
    None
}

fn library_item() -> Option<Value> {
    Some(json!({
        "title": "A trip",
        "promptText": "Plan a trip.",
        "recommendedModels": ["Universal"],
        "category": "Travel",
    }))
}

fn table() -> Vec<Row> {
    let row = |operation, method, path, scopes, body, resource| Row {
        operation,
        method,
        path,
        scopes,
        body,
        resource,
    };
    vec![
        row("getCapabilities", Method::GET, "/capabilities", &[], no_body, None),
        row("listModels", Method::GET, "/models", &[], no_body, None),
        row("getUsage", Method::GET, "/usage", &[Scope::UsageRead], no_body, None),
        row(
            "generatePrompt",
            Method::POST,
            "/prompts/generate",
            &[Scope::PromptsGenerate],
            || Some(json!({"message": "A haiku"})),
            None,
        ),
        row(
            "analyzePrompt",
            Method::POST,
            "/prompts/analyze",
            &[Scope::PromptsAnalyze],
            || Some(json!({"prompt": "Write about the sea, 40 words"})),
            None,
        ),
        row(
            "optimizePrompt",
            Method::POST,
            "/prompts/optimize",
            &[Scope::PromptsOptimize],
            || Some(json!({"prompt": "Write about the sea, 40 words"})),
            None,
        ),
        row(
            "analyzeAndOptimizePrompt",
            Method::POST,
            "/prompts/analyze-and-optimize",
            &[Scope::PromptsAnalyze, Scope::PromptsOptimize],
            || Some(json!({"prompt": "Write about the sea, 40 words"})),
            None,
        ),
        row(
            "refinePrompt",
            Method::POST,
            "/prompts/refine",
            &[Scope::PromptsRefine],
            || Some(json!({"prompt": "Write about the sea", "feedback": "At most 40 words"})),
            None,
        ),
        row(
            "reversePrompt",
            Method::POST,
            "/reverse-prompts",
            &[Scope::PromptsReverse],
            || Some(json!({"type": "text", "content": "Dear team, the launch moves."})),
            None,
        ),
        row(
            "estimatePromptTokens",
            Method::POST,
            "/prompts/token-estimate",
            &[Scope::UsageRead],
            || Some(json!({"prompt": "A haiku"})),
            None,
        ),
        row("listHistory", Method::GET, "/history", &[Scope::HistoryRead], no_body, None),
        row(
            "getHistoryItem",
            Method::GET,
            "/history/{type}/{id}",
            &[Scope::HistoryRead],
            no_body,
            Some(Resource::Generation),
        ),
        row(
            "renameHistoryItem",
            Method::PATCH,
            "/history/{type}/{id}",
            &[Scope::HistoryManage],
            || Some(json!({"title": "Another"})),
            Some(Resource::Generation),
        ),
        row(
            "deleteHistoryItem",
            Method::DELETE,
            "/history/{type}/{id}",
            &[Scope::HistoryManage],
            no_body,
            Some(Resource::Generation),
        ),
        row(
            "refineOptimizedPrompt",
            Method::POST,
            "/optimizations/{id}/refinements",
            &[Scope::PromptsRefine],
            || Some(json!({"feedback": "At most 40 words", "sourceVersionId": "{version}"})),
            Some(Resource::Optimization),
        ),
        row(
            "createUpload",
            Method::POST,
            "/uploads",
            &[Scope::UploadsWrite],
            || {
                let file = json!({
                    "scope": "analysis", "filename": "a.png", "contentType": "image/png", "size": 9,
                });
                Some(file)
            },
            None,
        ),
        row(
            "getUpload",
            Method::GET,
            "/uploads/{id}",
            &[Scope::UploadsWrite],
            no_body,
            Some(Resource::Upload),
        ),
        row(
            "deleteUpload",
            Method::DELETE,
            "/uploads/{id}",
            &[Scope::UploadsWrite],
            no_body,
            Some(Resource::Upload),
        ),
        row(
            "completeUpload",
            Method::POST,
            "/uploads/{id}/complete",
            &[Scope::UploadsWrite],
            no_body,
            Some(Resource::Upload),
        ),
        row(
            "listPresets",
            Method::GET,
            "/prompt-presets",
            &[Scope::PromptsPresetsRead],
            no_body,
            None,
        ),
        row(
            "createPreset",
            Method::POST,
            "/prompt-presets",
            &[Scope::PromptsPresetsWrite],
            || Some(json!({"name": "n", "promptText": "{{a}}", "values": {"a": "1"}})),
            None,
        ),
        row(
            "getPreset",
            Method::GET,
            "/prompt-presets/{id}",
            &[Scope::PromptsPresetsRead],
            no_body,
            Some(Resource::Preset),
        ),
        row(
            "updatePreset",
            Method::PATCH,
            "/prompt-presets/{id}",
            &[Scope::PromptsPresetsWrite],
            || Some(json!({"name": "Another"})),
            Some(Resource::Preset),
        ),
        row(
            "deletePreset",
            Method::DELETE,
            "/prompt-presets/{id}",
            &[Scope::PromptsPresetsWrite],
            no_body,
            Some(Resource::Preset),
        ),
        row(
            "renderPreset",
            Method::POST,
            "/prompt-presets/{id}/render",
            &[Scope::PromptsPresetsRead],
            || Some(json!({"values": {"a": "2"}})),
            Some(Resource::Preset),
        ),
        row(
            "listLibraryItems",
            Method::GET,
            "/library/items",
            &[Scope::LibraryRead],
            no_body,
            None,
        ),
        row(
            "createLibraryItem",
            Method::POST,
            "/library/items",
            &[Scope::LibraryWrite],
            library_item,
            None,
        ),
        row(
            "getLibraryItem",
            Method::GET,
            "/library/items/{id}",
            &[Scope::LibraryRead],
            no_body,
            Some(Resource::LibraryItem),
        ),
        row(
            "updateLibraryItem",
            Method::PATCH,
            "/library/items/{id}",
            &[Scope::LibraryWrite],
            || Some(json!({"title": "Another"})),
            Some(Resource::LibraryItem),
        ),
        row(
            "deleteLibraryItem",
            Method::DELETE,
            "/library/items/{id}",
            &[Scope::LibraryWrite],
            no_body,
            Some(Resource::LibraryItem),
        ),
        row(
            "toggleLibraryItemSaved",
            Method::POST,
            "/library/items/{id}/saved",
            &[Scope::LibraryInteract],
            no_body,
            Some(Resource::LibraryItem),
        ),
        row(
            "toggleLibraryItemVote",
            Method::POST,
            "/library/items/{id}/vote",
            &[Scope::LibraryInteract],
            no_body,
            Some(Resource::LibraryItem),
        ),
        row(
            "publishLibraryItem",
            Method::POST,
            "/library/items/{id}/publish",
            &[Scope::LibraryPublish],
            no_body,
            Some(Resource::LibraryItem),
        ),
        row(
            "unpublishLibraryItem",
            Method::DELETE,
            "/library/items/{id}/publish",
            &[Scope::LibraryPublish],
            no_body,
            Some(Resource::LibraryItem),
        ),
        row("listOperations", Method::GET, "/operations", &[Scope::OperationsRead], no_body, None),
        row(
            "getOperation",
            Method::GET,
            "/operations/{id}",
            &[Scope::OperationsRead],
            no_body,
            Some(Resource::PendingOperation),
        ),
        row(
            "cancelOperation",
            Method::DELETE,
            "/operations/{id}",
            &[Scope::OperationsCancel],
            no_body,
            Some(Resource::PendingOperation),
        ),
    ]
}

/// Public operations: this list may only shrink.
const PUBLIC: [&str; 2] = ["getApiInfo", "getHealth"];

impl Resource {
    async fn of(self, account: &Account) -> String {
        match self {
            Resource::PendingOperation => {
                let goal = json!({"message": "A haiku"});
                let accepted = account.generate_later(&fresh_key(), &goal).await;
                accepted.data(202)["id"].as_str().expect("an id").to_owned()
            }
            Resource::Optimization => {
                let prompt = json!({"prompt": "Write about the sea, 40 words"});
                let made = account.ask("/prompts/optimize", &fresh_key(), &prompt).await;
                made.data(200)["optimizationId"].as_str().expect("an id").to_owned()
            }
            Resource::Upload => account.upload("analysis", "image/png", &files::png(1)).await,
            Resource::Preset => {
                let preset = json!({"name": "n", "promptText": "{{a}}", "values": {"a": "1"}});
                let made = account.send(Method::POST, "/prompt-presets", &preset).await;
                made.data(200)["id"].as_str().expect("an id").to_owned()
            }
            Resource::LibraryItem => {
                let item = library_item().expect("a body");
                let made = account.send(Method::POST, "/library/items", &item).await;
                made.data(200)["id"].as_str().expect("an id").to_owned()
            }
            Resource::Generation => {
                let goal = json!({"message": "A haiku"});
                let made = account.generate(&fresh_key(), &goal).await;
                made.data(200)["generationId"].as_str().expect("an id").to_owned()
            }
        }
    }

    const fn never_existed(self) -> &'static str {
        match self {
            Resource::PendingOperation => "op_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Optimization => "opt_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Generation => "gen_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Upload => "upl_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Preset => "pst_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::LibraryItem => "lib_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        }
    }
}

impl Row {
    async fn call(
        &self,
        request: impl Fn(Method, &str) -> reqwest::RequestBuilder,
        id: &str,
    ) -> Answer {
        let path = self.path.replace("{id}", id).replace("{type}", "generation");
        let mut request = request(self.method.clone(), &path);
        if let Some(mut body) = (self.body)() {
            if body["sourceVersionId"].is_string() {
                // The first version of an optimization shares its unique part.
                body["sourceVersionId"] = id.replace("opt_", "ver_").into();
            }
            request = request.header("Idempotency-Key", fresh_key()).json(&body);
        }
        Answer::to(request).await
    }

    async fn id(&self, account: &Account) -> String {
        match self.resource {
            Some(resource) => resource.of(account).await,
            None => String::new(),
        }
    }

    fn documented<'a>(&self, document: &'a Value) -> &'a Value {
        &document["paths"][self.path][self.method.as_str().to_lowercase()]
    }
}

fn document() -> Value {
    serde_json::from_str(include_str!("../../infra/openapi.json")).expect("JSON")
}

#[test]
fn the_table_has_every_operation() {
    let document = document();
    let mut declared = BTreeSet::new();
    for item in document["paths"].as_object().expect("paths").values() {
        for operation in item.as_object().expect("methods").values() {
            declared.insert(operation["operationId"].as_str().expect("a name").to_owned());
        }
    }
    let tested: BTreeSet<_> =
        table().iter().map(|row| row.operation).chain(PUBLIC).map(ToOwned::to_owned).collect();
    assert_eq!(tested, declared);
    for row in table() {
        assert_eq!(row.documented(&document)["operationId"], row.operation);
        let scopes: Vec<_> = row.scopes.iter().map(|scope| scope.as_str()).collect();
        assert_eq!(row.documented(&document)["security"], json!([{"bearer": scopes}]));
    }
}

#[tokio::test]
async fn without_a_key_everything_is_401() {
    let world = World::start().await;
    for row in table() {
        let answer = row.call(|method, path| world.anonymous(method, path), "x").await;
        answer.is_error(401, "missing_credentials");
        assert!(answer.header("ratelimit-limit").is_none(), "{}", row.operation);
    }
}

#[tokio::test]
async fn without_the_scope_everything_is_403_and_with_it_alone_it_works() {
    let world = World::with_caps(Caps::Lifted).await;
    let document = document();
    for row in table() {
        let account = world.account(Plan::Max).await;
        let id = row.id(&account).await;
        let needed: Scopes = row.scopes.iter().copied().collect();
        let all_but_one = row.scopes.iter().map(|missing| {
            Scope::ALL.into_iter().filter(|scope| scope != missing).collect::<Scopes>()
        });
        for lacking in all_but_one {
            let caller = world.key(account.id, lacking, None).await;
            let answer = row.call(|method, path| caller.request(method, path), &id).await;
            answer.is_error(403, "insufficient_scope");
            let challenge = answer.header("www-authenticate").expect("a challenge");
            assert!(challenge.contains(r#"error="insufficient_scope""#), "{challenge}");
            for scope in row.scopes {
                assert!(challenge.contains(scope.as_str()), "{challenge}");
            }
        }
        let caller = world.key(account.id, needed, None).await;
        let answer = row.call(|method, path| caller.request(method, path), &id).await;
        assert_eq!(answer.status, 200, "{}: {}", row.operation, answer.body);
        for status in ["400", "401", "403", "429", "500"] {
            let response = &row.documented(&document)["responses"][status];
            assert!(response.is_object(), "{} declares {status}", row.operation);
        }
    }
}

#[tokio::test]
async fn what_is_anothers_and_what_never_was_are_the_same() {
    let world = World::with_caps(Caps::Lifted).await;
    for row in table().iter().filter(|row| row.resource.is_some()) {
        let (owner, other) = (world.account(Plan::Max).await, world.account(Plan::Max).await);
        let id = row.id(&owner).await;
        let never = row.resource.map_or("", Resource::never_existed);
        let anothers = row.call(|method, path| other.request(method, path), &id).await;
        let unknown = row.call(|method, path| other.request(method, path), never).await;
        // Where no 404 is declared, the path is a reference like any other.
        let (status, code) = match row.operation {
            "refineOptimizedPrompt" => (400, "invalid_reference"),
            _ => (404, "not_found"),
        };
        anothers.is_error(status, code);
        assert_eq!(anothers.body["error"], unknown.body["error"], "{}", row.operation);
        let names = |answer: &Answer| -> Vec<String> {
            answer.headers.keys().map(ToString::to_string).collect()
        };
        assert_eq!(names(&anothers), names(&unknown));
        let own = row.call(|method, path| owner.request(method, path), &id).await;
        assert_eq!(own.status, 200, "{}: it was left alone", row.operation);
    }
}
