//! What operations on a resource answer when they are not valid, too many, or cannot reach storage.

use domain::Plan;
use reqwest::Method;
use serde_json::Value;
use store::admission::Limits;

use crate::{Account, Answer, World, fault_injection::Fault, uploads::id_of};

/// Operations on one kind of resource.
pub struct Resource {
    /// Where the resources are.
    pub path: &'static str,
    /// What makes one.
    pub body: Value,
    /// An identifier of one that nobody has.
    pub unknown: &'static str,
    /// Its operations.
    pub rows: Vec<Row>,
}

/// An operation, a call of it that is not valid, and the call to storage that it cannot do without.
/// Paths continue the resource's, with `{id}` for one that the caller has.
pub struct Row {
    /// The method.
    pub method: Method,
    /// The path.
    pub path: &'static str,
    /// The body.
    pub body: Option<Value>,
    /// A path that is not valid, or the same.
    pub invalid_path: &'static str,
    /// A body that is not valid, or none: then the identifier alone can be invalid.
    pub invalid_body: Option<Value>,
    /// The call to storage.
    pub needs: &'static str,
}

/// A row of a table.
pub fn row(
    method: Method,
    path: &'static str,
    body: Option<Value>,
    invalid_path: &'static str,
    invalid_body: Option<Value>,
    needs: &'static str,
) -> Row {
    Row { method, path, body, invalid_path, invalid_body, needs }
}

impl Resource {
    async fn id_of_new(&self, account: &Account) -> String {
        let made = account.send(Method::POST, self.path, &self.body).await;
        id_of(made.data(200)).to_owned()
    }

    async fn send(
        &self,
        account: &Account,
        row: &Row,
        path: &str,
        id: &str,
        body: &Option<Value>,
    ) -> Answer {
        let path = format!("{}{}", self.path, path.replace("{id}", id));
        let request = account.request(row.method.clone(), &path);
        match body {
            Some(body) => Answer::to(request.json(body)).await,
            None => Answer::to(request).await,
        }
    }

    /// What is not valid is 400, what there is not 404.
    pub async fn assert_bad_requests(&self) {
        let world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        let id = self.id_of_new(&account).await;
        // Of the others only the identifier can be invalid.
        let may_be_invalid =
            |row: &&Row| row.invalid_path != row.path || row.invalid_body.is_some();
        for row in self.rows.iter().filter(may_be_invalid) {
            let answer = self.send(&account, row, row.invalid_path, &id, &row.invalid_body).await;
            answer.is_error(400, "invalid_request");
            assert!(!answer.problem_paths().is_empty(), "{} {}", row.method, row.path);
        }
        for row in self.rows.iter().filter(|row| row.path.contains("{id}")) {
            let answer = self.send(&account, row, row.path, &"x".repeat(192), &row.body).await;
            answer.is_error(400, "invalid_request");
            assert_eq!(answer.problem_paths(), ["path.id"]);
            for unknown in ["x", &"x".repeat(191), "upl_01ARZ3NDEKTSV4RRFFQ69G5FAV", self.unknown] {
                let answer = self.send(&account, row, row.path, unknown, &row.body).await;
                answer.is_error(404, "not_found");
            }
        }
    }

    /// What exceeds the rate is 429.
    pub async fn assert_too_many_requests(&self) {
        let world = World::start().await;
        let account = world.account(Plan::Free).await;
        let id = self.id_of_new(&account).await;
        for _ in 0..29 {
            account.get(self.path).await.data(200);
        }
        for row in &self.rows {
            let answer = self.send(&account, row, row.path, &id, &row.body).await;
            answer.is_error(429, "rate_limited");
            assert!(answer.header_number("retry-after") >= 1);
        }
    }

    /// What storage refuses is 500, and works afterwards.
    pub async fn assert_internal_errors(&self) {
        let world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        let id = self.id_of_new(&account).await;
        for row in &self.rows {
            world.faults.inject(row.needs, Fault::Unreachable, 1_000);
            let send = self.send(&account, row, row.path, &id, &row.body);
            let answer = world.advancing_time(send).await;
            world.faults.recover();
            answer.is_error(500, "internal_error");
            let answer = self.send(&account, row, row.path, &id, &row.body).await;
            answer.data(200);
        }
    }
}
