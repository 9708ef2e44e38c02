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
    pub body: Option<fn() -> Value>,
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

fn library_item() -> Value {
    json!({
        "title": "A trip",
        "promptText": "Plan a trip.",
        "recommendedModels": ["Universal"],
        "category": "Travel",
    })
}

fn file() -> Value {
    json!({"scope": "analysis", "filename": "a.png", "contentType": "image/png", "size": 9})
}

/// An operation without a body and a resource, until it gets them.
fn row(
    operation: &'static str,
    method: Method,
    path: &'static str,
    scopes: &'static [Scope],
) -> Row {
    Row { operation, method, path, scopes, body: None, resource: None, unreachable_url: "" }
}

/// All operations that need a credential. `unreachable_url` is an allowed address of webhook endpoints.
pub fn table(unreachable_url: &'static str) -> Vec<Row> {
    use Resource::{
        Generation, LibraryItem, Optimization, PendingOperation, Preset, Upload, WebhookEndpoint,
    };
    use Scope::{
        HistoryManage, HistoryRead, LibraryInteract, LibraryPublish, LibraryRead, LibraryWrite,
        OperationsCancel, OperationsRead, PromptsAnalyze, PromptsGenerate, PromptsOptimize,
        PromptsPresetsRead, PromptsPresetsWrite, PromptsRefine, PromptsReverse, UploadsWrite,
        UsageRead, WebhooksManage,
    };
    let get = |operation, path, scopes| row(operation, Method::GET, path, scopes);
    let post = |operation, path, scopes| row(operation, Method::POST, path, scopes);
    let patch = |operation, path, scopes| row(operation, Method::PATCH, path, scopes);
    let delete = |operation, path, scopes| row(operation, Method::DELETE, path, scopes);
    let rows = [
        get("getCapabilities", "/capabilities", &[]),
        get("listModels", "/models", &[]),
        get("getUsage", "/usage", &[UsageRead]),
        post("generatePrompt", "/prompts/generate", &[PromptsGenerate])
            .with(|| json!({"message": "A haiku"})),
        post("analyzePrompt", "/prompts/analyze", &[PromptsAnalyze])
            .with(|| json!({"prompt": "Write about the sea, 40 words"})),
        post("optimizePrompt", "/prompts/optimize", &[PromptsOptimize])
            .with(|| json!({"prompt": "Write about the sea, 40 words"})),
        post(
            "analyzeAndOptimizePrompt",
            "/prompts/analyze-and-optimize",
            &[PromptsAnalyze, PromptsOptimize],
        )
        .with(|| json!({"prompt": "Write about the sea, 40 words"})),
        post("refinePrompt", "/prompts/refine", &[PromptsRefine])
            .with(|| json!({"prompt": "Write about the sea", "feedback": "At most 40 words"})),
        post("reversePrompt", "/reverse-prompts", &[PromptsReverse])
            .with(|| json!({"type": "text", "content": "Dear team, the launch moves."})),
        post("estimatePromptTokens", "/prompts/token-estimate", &[UsageRead])
            .with(|| json!({"prompt": "A haiku"})),
        post("readPromptChecks", "/prompts/checks", &[PromptsAnalyze])
            .with(|| json!({"prompt": "Write about the sea in at most 40 words"})),
        post("runPromptChecks", "/prompts/checks/run", &[PromptsAnalyze]).with(
            || json!({"prompt": "Write about the sea in at most 40 words", "outputs": ["Blue."]}),
        ),
        get("listHistory", "/history", &[HistoryRead]),
        get("getHistoryItem", "/history/{type}/{id}", &[HistoryRead]).of(Generation),
        patch("renameHistoryItem", "/history/{type}/{id}", &[HistoryManage])
            .of(Generation)
            .with(|| json!({"title": "Another"})),
        delete("deleteHistoryItem", "/history/{type}/{id}", &[HistoryManage]).of(Generation),
        post("refineOptimizedPrompt", "/optimizations/{id}/refinements", &[PromptsRefine])
            .of(Optimization)
            .with(|| json!({"feedback": "At most 40 words", "sourceVersionId": "{version}"})),
        post("createUpload", "/uploads", &[UploadsWrite]).with(file),
        get("getUpload", "/uploads/{id}", &[UploadsWrite]).of(Upload),
        delete("deleteUpload", "/uploads/{id}", &[UploadsWrite]).of(Upload),
        post("completeUpload", "/uploads/{id}/complete", &[UploadsWrite]).of(Upload),
        get("listPresets", "/prompt-presets", &[PromptsPresetsRead]),
        post("createPreset", "/prompt-presets", &[PromptsPresetsWrite])
            .with(|| json!({"name": "n", "promptText": "{{a}}", "values": {"a": "1"}})),
        get("getPreset", "/prompt-presets/{id}", &[PromptsPresetsRead]).of(Preset),
        patch("updatePreset", "/prompt-presets/{id}", &[PromptsPresetsWrite])
            .of(Preset)
            .with(|| json!({"name": "Another"})),
        delete("deletePreset", "/prompt-presets/{id}", &[PromptsPresetsWrite]).of(Preset),
        post("renderPreset", "/prompt-presets/{id}/render", &[PromptsPresetsRead])
            .of(Preset)
            .with(|| json!({"values": {"a": "2"}})),
        get("listLibraryItems", "/library/items", &[LibraryRead]),
        post("createLibraryItem", "/library/items", &[LibraryWrite]).with(library_item),
        get("getLibraryItem", "/library/items/{id}", &[LibraryRead]).of(LibraryItem),
        patch("updateLibraryItem", "/library/items/{id}", &[LibraryWrite])
            .of(LibraryItem)
            .with(|| json!({"title": "Another"})),
        delete("deleteLibraryItem", "/library/items/{id}", &[LibraryWrite]).of(LibraryItem),
        post("toggleLibraryItemSaved", "/library/items/{id}/saved", &[LibraryInteract])
            .of(LibraryItem),
        post("toggleLibraryItemVote", "/library/items/{id}/vote", &[LibraryInteract])
            .of(LibraryItem),
        post("publishLibraryItem", "/library/items/{id}/publish", &[LibraryPublish])
            .of(LibraryItem),
        delete("unpublishLibraryItem", "/library/items/{id}/publish", &[LibraryPublish])
            .of(LibraryItem),
        get("listWebhookEndpoints", "/webhook-endpoints", &[WebhooksManage]),
        post("createWebhookEndpoint", "/webhook-endpoints", &[WebhooksManage])
            .with(|| json!({"url": UNREACHABLE_URL, "events": ["webhook.test"]})),
        get("getWebhookEndpoint", "/webhook-endpoints/{id}", &[WebhooksManage]).of(WebhookEndpoint),
        post("testWebhookEndpoint", "/webhook-endpoints/{id}", &[WebhooksManage])
            .of(WebhookEndpoint),
        patch("updateWebhookEndpoint", "/webhook-endpoints/{id}", &[WebhooksManage])
            .of(WebhookEndpoint)
            .with(|| json!({"enabled": false})),
        delete("deleteWebhookEndpoint", "/webhook-endpoints/{id}", &[WebhooksManage])
            .of(WebhookEndpoint),
        get("listWebhookDeliveries", "/webhook-endpoints/{id}/deliveries", &[WebhooksManage])
            .of(WebhookEndpoint),
        post("recoverWebhookEndpoint", "/webhook-endpoints/{id}/recover", &[WebhooksManage])
            .of(WebhookEndpoint)
            .with(|| json!({"since": "2126-01-01T00:00:00Z"})),
        get("listOperations", "/operations", &[OperationsRead]),
        get("getOperation", "/operations/{id}", &[OperationsRead]).of(PendingOperation),
        delete("cancelOperation", "/operations/{id}", &[OperationsCancel]).of(PendingOperation),
    ];
    rows.into_iter().map(|row| Row { unreachable_url, ..row }).collect()
}

/// Public operations: this list may only shrink.
pub const PUBLIC: [&str; 2] = ["getApiInfo", "getHealth"];

impl Resource {
    /// The identifier of a new one of the account.
    pub async fn of(self, account: &Account, unreachable_url: &str) -> String {
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
                let made = account.send(Method::POST, "/library/items", &library_item()).await;
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
    fn with(self, body: fn() -> Value) -> Self {
        Self { body: Some(body), ..self }
    }

    fn of(self, resource: Resource) -> Self {
        Self { resource: Some(resource), ..self }
    }

    /// Calls the operation on the resource `id`, with a good body.
    pub async fn call(
        &self,
        request: impl Fn(Method, &str) -> reqwest::RequestBuilder,
        id: &str,
    ) -> Answer {
        let mut request = request(self.method.clone(), &self.path_of(id));
        if let Some(body) = self.body_for(id) {
            request = request.header("Idempotency-Key", fresh_key()).json(&body);
        }
        Answer::to(request).await
    }

    /// Its path for the resource `id`.
    pub fn path_of(&self, id: &str) -> String {
        self.path.replace("{id}", id).replace("{type}", "generation")
    }

    /// A good body for the resource `id`.
    pub fn body_for(&self, id: &str) -> Option<Value> {
        let mut body = self.body?();
        if body["sourceVersionId"].is_string() {
            // The first version of an optimization shares its unique part.
            body["sourceVersionId"] = id.replace("opt_", "ver_").into();
        }
        if body["url"] == UNREACHABLE_URL {
            body["url"] = self.unreachable_url.into();
        }
        Some(body)
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
        let (path, _) = self.path.split_once('?').unwrap_or((self.path, ""));
        &document["paths"][path][self.method.as_str().to_lowercase()]
    }
}
