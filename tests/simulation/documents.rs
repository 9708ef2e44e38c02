//! What callers do with what they have: history, presets and endpoints.

use std::{sync::Arc, time::Duration};

use axum::http::Method;
use serde_json::{Value, json};

use crate::{
    engine::incompressible,
    simulation::Simulation,
    workload::{Account, Answer},
};

/// Lists, and the paths of what they list.
pub const LISTS: [(&str, &str); 3] = [GENERATIONS, PRESETS, ENDPOINTS];
const GENERATIONS: (&str, &str) = ("/history?type=generation&limit=100", "/history/generation");
const PRESETS: (&str, &str) = ("/prompt-presets?limit=100", "/prompt-presets");
const ENDPOINTS: (&str, &str) = ("/webhook-endpoints", "/webhook-endpoints");

/// What a preset has; a large one is more than an item of the table holds.
fn preset(is_large: bool) -> Value {
    let text = incompressible();
    match is_large {
        true => {
            let value: String = text.chars().take(10_000).collect();
            json!({"name": "Large", "promptText": text, "values": {"city": value}})
        }
        false => {
            json!({"name": "Small", "promptText": "See {{city}}.", "values": {"city": "Rome"}})
        }
    }
}

impl Simulation {
    /// The identifiers in a list, as it is shown now.
    pub async fn listed(self: &Arc<Self>, account: &Account, list: &str) -> Vec<String> {
        let shown = self.get(account, list).await;
        let items = shown["items"].as_array().into_iter().flatten();
        items.filter_map(|item| item["id"].as_str()).map(ToOwned::to_owned).collect()
    }

    /// Something that a list shows.
    async fn any(self: &Arc<Self>, account: &Account, list: (&str, &str)) -> Option<String> {
        let ids = self.listed(account, list.0).await;
        (!ids.is_empty()).then(|| format!("{}/{}", list.1, self.random.pick(&ids)))
    }

    /// Continues a generation, perhaps one that is deleted meanwhile.
    pub async fn continue_generation(self: &Arc<Self>, account: &Account) {
        let Some(path) = self.any(account, GENERATIONS).await else { return };
        let id = path.rsplit('/').next().unwrap_or_default();
        let body = json!({"message": "Another haiku", "generationId": id});
        let continues = self.ask_for(account, id, "/prompts/generate", &body);
        let deletes = async {
            if self.random.chance(0.5) {
                self.pause(Duration::from_secs(1)).await;
                self.remove(account, &path).await;
            }
        };
        tokio::join!(continues, deletes);
    }

    /// Deletes an item of history.
    pub async fn delete_generation(self: &Arc<Self>, account: &Account) {
        if let Some(path) = self.any(account, GENERATIONS).await {
            self.remove(account, &path).await;
        }
    }

    /// Creates a preset, and perhaps changes it twice at once, or deletes it.
    pub async fn keep_preset(self: &Arc<Self>, account: &Account) {
        let body = preset(self.random.chance(0.4));
        self.request(account, Method::POST, PRESETS.1, &[], Some(&body)).await;
        let Some(path) = self.any(account, PRESETS).await else { return };
        let values = preset(self.random.chance(0.4))["values"].clone();
        let (renamed, changed) = (json!({"name": "Renamed"}), json!({"values": values}));
        let renames = self.request(account, Method::PATCH, &path, &[], Some(&renamed));
        let changes = self.request(account, Method::PATCH, &path, &[], Some(&changed));
        let deletes = async {
            if self.random.chance(0.4) {
                self.pause(Duration::from_secs(1)).await;
                self.remove(account, &path).await;
            }
        };
        tokio::join!(renames, changes, deletes);
    }

    /// Deletes an endpoint.
    pub async fn unsubscribe(self: &Arc<Self>, account: &Account) {
        if let Some(path) = self.any(account, ENDPOINTS).await {
            self.remove(account, &path).await;
        }
    }

    /// Deletes something. Whoever has heard that it is deleted never sees it again.
    pub async fn remove(self: &Arc<Self>, account: &Account, path: &str) {
        match self.request(account, Method::DELETE, path, &[], None).await {
            Some(Answer { status: 200, .. }) => account.deleted().push(path.to_owned()),
            Some(Answer { status: 403 | 404 | 409 | 429 | 500 | 503, .. }) | None => {}
            Some(Answer { status, body }) => {
                self.report_violation(&format!("the deletion of {path} answers {status}: {body}"));
            }
        }
    }
}
