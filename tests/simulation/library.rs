//! Callers who write, publish, vote for and save items of the library.

use std::{sync::Arc, time::Duration};

use axum::http::Method;
use domain::library::Listing;
use library_search::compaction_threshold;
use serde_json::json;
use store::library::queue::LibraryJob;

use crate::{
    simulation::Simulation,
    workload::{Account, Answer},
};

/// The lists of the library that are compared with the table.
pub const OWN: &str = "/library/items?scope=my&pageSize=30";
/// What everybody sees.
pub const COMMUNITY: &str = "/library/items?scope=community&pageSize=30";
/// Age from which a change is part of a snapshot, with a margin.
const SETTLED: Duration = Duration::from_secs(65);
const ITEMS: &str = "/library/items";

impl Simulation {
    /// Creates an item of the library. Returns its path.
    pub async fn write_item(self: &Arc<Self>, account: &Account) -> Option<String> {
        let item = json!({
            "title": format!("Trip {}", self.random.below(1_000)),
            "promptText": "Plan three days in {{city}}.",
            "recommendedModels": ["Universal"],
            "category": "Travel",
        });
        match self.request(account, Method::POST, ITEMS, &[], Some(&item)).await {
            Some(Answer { status: 200, body }) => {
                Some(format!("{ITEMS}/{}", body["data"]["id"].as_str()?))
            }
            _ => None,
        }
    }

    /// Changes an item so often that the listing of its owner is due for a snapshot, and requests that.
    pub async fn change_often(self: &Arc<Self>, account: &Account, path: &str) {
        let listing = Listing::Own(account.id);
        for number in 0..compaction_threshold(listing) / 2 {
            let change = json!({"description": format!("Trip {number}")});
            self.request(account, Method::PATCH, path, &[], Some(&change)).await;
        }
        self.time.sleep(SETTLED).await;
        let job = LibraryJob::Compact { listing };
        let sent = self.operator().enqueue_library_job(&job, Duration::from_secs(3)).await;
        sent.expect("the queue answers");
    }

    /// Publishes an item.
    pub async fn publish(self: &Arc<Self>, account: &Account, path: &str) -> bool {
        let publish = format!("{path}/publish");
        let answer = self.request(account, Method::POST, &publish, &[], None).await;
        matches!(answer, Some(Answer { status: 200, .. }))
    }

    /// Does something with an item of one's own.
    pub async fn author(self: &Arc<Self>, account: &Account) {
        let ids = self.listed(account, OWN).await;
        if ids.is_empty() || self.random.chance(0.4) {
            if let Some(path) = self.write_item(account).await {
                self.publish(account, &path).await;
            }
            return;
        }
        let path = format!("{ITEMS}/{}", self.random.pick(&ids));
        let changed = json!({"title": format!("Journey {}", self.random.below(1_000))});
        match self.random.below(5) {
            0 => {
                self.publish(account, &path).await;
            }
            1 => {
                let unpublish = format!("{path}/publish");
                self.request(account, Method::DELETE, &unpublish, &[], None).await;
            }
            2 => {
                self.request(account, Method::PATCH, &path, &[], Some(&changed)).await;
            }
            3 => {
                let changes = self.request(account, Method::PATCH, &path, &[], Some(&changed));
                tokio::join!(changes, self.publish(account, &path));
            }
            _ => self.remove(account, &path).await,
        }
    }

    /// Votes for an item of the community or saves it, or takes that back.
    pub async fn react(self: &Arc<Self>, account: &Account) {
        let ids = self.listed(account, COMMUNITY).await;
        if ids.is_empty() {
            return;
        }
        let reaction = self.random.pick(&["vote", "vote", "saved"]);
        let path = format!("{ITEMS}/{}/{reaction}", self.random.pick(&ids));
        self.request(account, Method::POST, &path, &[], None).await;
        self.pause(Duration::from_millis(10)).await;
    }
}
