//! Callers who upload files.

use std::{sync::Arc, time::Duration};

use acceptance::files::png;
use axum::http::{Method, Request};
use bytes::Bytes;
use embedded::ServiceName;
use serde_json::{Value, json};

use crate::{
    network::Call,
    processes::Lineage,
    simulation::Simulation,
    workload::{Account, Answer},
};

/// A URL for a file is valid for 15 minutes, by clocks that differ.
const VALID: Duration = Duration::from_secs(14 * 60);

impl Simulation {
    /// Uploads a file, which may come late, twice, never, or be another one than declared, and has an operation use
    /// it, or deletes it.
    pub async fn upload(self: &Arc<Self>, account: &Account) {
        let file = png(u8::try_from(self.random.below(256)).expect("a byte"));
        let kind = if self.random.chance(0.9) { "image/png" } else { "image/gif" };
        let declared = json!({
            "scope": "generation",
            "filename": "sketch.png",
            "contentType": kind,
            "size": file.len(),
        });
        let asked_at = self.time.now();
        let created = self.request(account, Method::POST, "/uploads", &[], Some(&declared)).await;
        let Some(Answer { status: 200, body }) = created else { return };
        let id = body["data"]["id"].as_str().unwrap_or_default().to_owned();
        for _ in 0..self.random.below(3) {
            let target = body["data"]["upload"].clone();
            let sends = self.clone().put(target, asked_at + VALID, file.clone());
            let sent = tokio::spawn(sends);
            if self.random.chance(0.8) {
                let _ = sent.await;
            }
        }
        let path = format!("/uploads/{id}");
        for _ in 0..1 + self.random.below(3) {
            let complete = format!("{path}/complete");
            let answer = self.request(account, Method::POST, &complete, &[], None).await;
            if matches!(answer, Some(Answer { status: 200, .. })) {
                break;
            }
            self.pause(Duration::from_secs(40)).await;
        }
        let body = json!({"message": "A haiku about the sketch", "attachmentIds": [id]});
        let uses = self.ask_for(account, &id, "/prompts/generate", &body);
        match self.random.below(4) {
            0 => self.remove(account, &path).await,
            1 => {
                tokio::join!(uses, self.remove(account, &path));
            }
            _ => uses.await,
        }
    }

    /// Sends a file to its URL, which S3 may refuse after it is `valid_until`.
    async fn put(self: Arc<Self>, target: Value, valid_until: Duration, file: Vec<u8>) {
        let url = target["url"].as_str().unwrap_or_default();
        let host = url.split('/').nth(2).unwrap_or_default();
        let mut request = Request::put(url).header("host", host);
        for (name, value) in target["headers"].as_object().into_iter().flatten() {
            if name != "host" {
                request = request.header(name, value.as_str().unwrap_or_default());
            }
        }
        let request = request.body(Bytes::from(file)).expect("a request");
        let longest =
            if self.are_faults_off() || self.random.chance(0.7) { VALID / 800 } else { VALID };
        self.pause(longest).await;
        let call = Call { service: ServiceName::S3, operation: "PUT a file".to_owned(), request };
        let put = self.perform(&call, Lineage::new()).await;
        self.log(&format!("a file is put: {}", put.status()));
        let is_expired = put.status() == 403 && self.time.now() > valid_until;
        if ![200, 412].contains(&put.status().as_u16()) && !is_expired {
            self.report_violation(&format!("a file is refused: {:?}", put.body()));
        }
        self.pause(Duration::from_millis(20)).await;
    }
}
