//! The operations of the API and how each is called: one table that grows with it.

use domain::Scope;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{Account, Answer, account::fresh_key, files};

/// An operation of the API and how to call it.
pub struct Row {
    /// Its name.
    pub operation: &'static str,
    /// Its method.
    pub method: Method,
    /// Path, with `{id}` for the resource of the account that owns one.
    pub path: &'static str,
    /// What its caller may do.
    pub scopes: &'static [Scope],
    /// A good body.
    pub body: fn() -> Option<Value>,
    /// What stands for `{id}`.
    pub resource: Option<Resource>,
    /// Address of webhook endpoints, at which nobody listens.
    pub unreachable_url: &'static str,
}

/// What an operation works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Resource {
    PendingOperation,
    Optimization,
    Generation,
    Upload,
    Preset,
    LibraryItem,
    WebhookEndpoint,
}

/// An address of this machine at which nobody listens.
pub const UNREACHABLE_URL: &str = "http://127.0.0.1:65534/";

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

/// All operations that need a credential. `unreachable_url` is an allowed address of webhook endpoints.
pub fn table(unreachable_url: &'static str) -> Vec<Row> {
    let row = |operation, method, path, scopes, body, resource| Row {
        operation,
        method,
        path,
        scopes,
        body,
        resource,
        unreachable_url,
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
        row(
            "listWebhookEndpoints",
            Method::GET,
            "/webhook-endpoints",
            &[Scope::WebhooksManage],
            no_body,
            None,
        ),
        row(
            "createWebhookEndpoint",
            Method::POST,
            "/webhook-endpoints",
            &[Scope::WebhooksManage],
            || Some(json!({"url": UNREACHABLE_URL, "events": ["webhook.test"]})),
            None,
        ),
        row(
            "getWebhookEndpoint",
            Method::GET,
            "/webhook-endpoints/{id}",
            &[Scope::WebhooksManage],
            no_body,
            Some(Resource::WebhookEndpoint),
        ),
        row(
            "testWebhookEndpoint",
            Method::POST,
            "/webhook-endpoints/{id}",
            &[Scope::WebhooksManage],
            no_body,
            Some(Resource::WebhookEndpoint),
        ),
        row(
            "updateWebhookEndpoint",
            Method::PATCH,
            "/webhook-endpoints/{id}",
            &[Scope::WebhooksManage],
            || Some(json!({"enabled": false})),
            Some(Resource::WebhookEndpoint),
        ),
        row(
            "deleteWebhookEndpoint",
            Method::DELETE,
            "/webhook-endpoints/{id}",
            &[Scope::WebhooksManage],
            no_body,
            Some(Resource::WebhookEndpoint),
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
pub const PUBLIC: [&str; 2] = ["getApiInfo", "getHealth"];

impl Resource {
    async fn of(self, account: &Account, unreachable_url: &str) -> String {
        match self {
            Resource::PendingOperation => {
                let goal = json!({"message": "A haiku"});
                let accepted = account.generate_async(&fresh_key(), &goal).await;
                accepted.data(202)["id"].as_str().expect("an id").to_owned()
            }
            Resource::Optimization => {
                let prompt = json!({"prompt": "Write about the sea, 40 words"});
                let made = account.post("/prompts/optimize", &fresh_key(), &prompt).await;
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
            Resource::WebhookEndpoint => {
                let made = account.create_endpoint(unreachable_url, &["webhook.test"]).await;
                made["id"].as_str().expect("an id").to_owned()
            }
            Resource::Generation => {
                let goal = json!({"message": "A haiku"});
                let made = account.generate(&fresh_key(), &goal).await;
                made.data(200)["generationId"].as_str().expect("an id").to_owned()
            }
        }
    }

    /// An identifier of one that nobody has.
    pub const fn never_existed(self) -> &'static str {
        match self {
            Resource::PendingOperation => "op_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Optimization => "opt_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Generation => "gen_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Upload => "upl_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::Preset => "pst_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::LibraryItem => "lib_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            Resource::WebhookEndpoint => "whe_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        }
    }
}

impl Row {
    /// Calls the operation on the resource `id`, with a good body.
    pub async fn call(
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
            if body["url"] == UNREACHABLE_URL {
                body["url"] = self.unreachable_url.into();
            }
            request = request.header("Idempotency-Key", fresh_key()).json(&body);
        }
        Answer::to(request).await
    }

    /// The identifier of a new resource of the account, if the operation works on one.
    pub async fn id(&self, account: &Account) -> String {
        match self.resource {
            Some(resource) => resource.of(account, self.unreachable_url).await,
            None => String::new(),
        }
    }

    /// What the OpenAPI document says of it.
    pub fn documented<'a>(&self, document: &'a Value) -> &'a Value {
        &document["paths"][self.path][self.method.as_str().to_lowercase()]
    }
}
