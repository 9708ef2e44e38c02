//! Webhook endpoints and what reaches them.

mod addresses;
mod attempts;
mod concurrency;
mod crash_points;
mod deliveries;
mod endpoints;
mod events;
mod fairness;
mod health;
mod isolation;
mod lanes;
mod library;
mod queue;
mod reasons;
mod recovery;
mod rotation;
mod statuses;
mod unproven;
mod usage;

use acceptance::{
    Account, World,
    account::fresh_key,
    receiver::{ReceivedDelivery, Receiver},
};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

fn goal() -> Value {
    json!({"message": "Write a haiku about the sea"})
}

/// The endpoint has accepted a delivery before.
async fn prove(world: &World, account: &Account, endpoint: &Value) {
    let id = endpoint.as_str().and_then(|id| id.parse().ok()).expect("an identifier");
    let stored = world.store.endpoint(account.id, id).await.expect("the table answers");
    world.store.record_proof(&stored.expect("an endpoint")).await.expect("the table answers");
}

/// An account with one endpoint that has accepted a delivery before, and its receiver.
pub(crate) struct Subscribed {
    pub(crate) world: World,
    pub(crate) account: Account,
    pub(crate) receiver: Receiver,
    /// The endpoint's identifier.
    id: Value,
    secret: String,
}

impl Subscribed {
    pub(crate) async fn to(events: &[&str]) -> Self {
        Self::in_world(World::with_limits(Limits::Lifted).await, events).await
    }

    async fn in_world(world: World, events: &[&str]) -> Self {
        let account = world.account(Plan::Max).await;
        let receiver = Receiver::start().await;
        let made = account.create_endpoint(&receiver.url, events).await;
        prove(&world, &account, &made["id"]).await;
        let secret = made["secret"].as_str().expect("a secret").to_owned();
        Self { world, account, receiver, id: made["id"].clone(), secret }
    }

    /// Has an operation succeed, and delivers what is due.
    async fn succeed(&self) -> Value {
        let made = self.account.generate(&fresh_key(), &goal()).await.data(200).clone();
        self.world.deliver_all().await;
        made
    }

    pub(crate) fn path(&self) -> String {
        format!("/webhook-endpoints/{}", self.id.as_str().expect("an id"))
    }

    async fn shown(&self) -> Value {
        self.account.endpoint(&self.id).await
    }

    async fn patch(&self, patch: Value) -> Value {
        self.account.send(reqwest::Method::PATCH, &self.path(), &patch).await.data(200).clone()
    }

    #[track_caller]
    fn only_arrival(&self) -> ReceivedDelivery {
        let received = self.receiver.received();
        assert_eq!(received.len(), 1, "{received:?}");
        received[0].clone()
    }
}
