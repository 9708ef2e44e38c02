//! Webhook endpoints and what reaches them.

mod addresses;
mod attempts;
mod cost;
mod dying;
mod endpoints;
mod events;
mod fairness;
mod health;
mod lanes;
mod library;
mod queue;
mod rotation;
mod statuses;
mod surges;
mod unstopped;
mod usage;

use acceptance::{
    Account, World,
    account::fresh_key,
    receiver::{Arrival, Receiver},
};
use domain::Plan;
use serde_json::{Value, json};
use store::gate::Caps;

fn goal() -> Value {
    json!({"message": "Write a haiku about the sea"})
}

/// An account with one endpoint, and its receiver.
struct Subscribed {
    world: World,
    account: Account,
    receiver: Receiver,
    /// The endpoint's identifier.
    id: Value,
    secret: String,
}

impl Subscribed {
    async fn to(events: &[&str]) -> Self {
        Self::in_world(World::with_caps(Caps::Lifted).await, events).await
    }

    async fn in_world(world: World, events: &[&str]) -> Self {
        let account = world.account(Plan::Max).await;
        let receiver = Receiver::start().await;
        let made = account.create_endpoint(&receiver.url, events).await;
        let secret = made["secret"].as_str().expect("a secret").to_owned();
        Self { world, account, receiver, id: made["id"].clone(), secret }
    }

    /// Has an operation succeed, and delivers what is due.
    async fn succeed(&self) -> Value {
        let made = self.account.generate(&fresh_key(), &goal()).await.data(200).clone();
        self.world.deliver_all().await;
        made
    }

    fn path(&self) -> String {
        format!("/webhook-endpoints/{}", self.id.as_str().expect("an id"))
    }

    async fn shown(&self) -> Value {
        self.account.endpoint(&self.id).await
    }

    async fn patch(&self, patch: Value) -> Value {
        self.account.send(reqwest::Method::PATCH, &self.path(), &patch).await.data(200).clone()
    }

    #[track_caller]
    fn only_arrival(&self) -> Arrival {
        let arrivals = self.receiver.arrivals();
        assert_eq!(arrivals.len(), 1, "{arrivals:?}");
        arrivals[0].clone()
    }
}
