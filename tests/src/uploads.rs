//! The three steps of an upload, as a client takes them.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::{Account, Answer};

impl Account {
    /// Creates an upload for a file.
    pub async fn create_upload(&self, scope: &str, content_type: &str, file: &[u8]) -> Answer {
        let body = json!({
            "scope": scope,
            "filename": "sketch of a cat.png",
            "contentType": content_type,
            "size": file.len(),
        });
        self.send(Method::POST, "/uploads", &body).await
    }

    /// The request that puts a file to the target of a created upload, to be changed or sent.
    pub fn putting(&self, created: &Value, file: &[u8]) -> RequestBuilder {
        let target = &created["upload"];
        assert_eq!(target["method"], "PUT");
        let mut request = self.http.put(target["url"].as_str().expect("an address"));
        for (name, value) in target["headers"].as_object().expect("headers") {
            request = request.header(name, value.as_str().expect("text"));
        }
        request.body(file.to_vec())
    }

    /// Puts a file to the target of a created upload.
    pub async fn put(&self, created: &Value, file: &[u8]) -> u16 {
        self.putting(created, file).send().await.expect("storage answers").status().as_u16()
    }

    /// Completes an upload.
    pub async fn complete(&self, id: &str) -> Answer {
        Answer::to(self.request(Method::POST, &format!("/uploads/{id}/complete"))).await
    }

    /// All three steps. Returns the identifier.
    pub async fn upload(&self, scope: &str, content_type: &str, file: &[u8]) -> String {
        let created = self.create_upload(scope, content_type, file).await.data(200).clone();
        assert_eq!(self.put(&created, file).await, 200);
        let id = created["id"].as_str().expect("an id").to_owned();
        assert_eq!(self.complete(&id).await.data(200)["status"], "ready");
        id
    }

    /// Where an upload stands.
    pub async fn upload_status(&self, id: &str) -> String {
        let upload = self.get(&format!("/uploads/{id}")).await.data(200).clone();
        upload["status"].as_str().expect("a status").to_owned()
    }
}

/// The identifier in an answer.
pub fn id_of(answer: &Value) -> String {
    answer["id"].as_str().expect("an id").to_owned()
}
