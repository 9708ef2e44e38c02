//! What must be true once everything has come to rest.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{HistoryType, Kind};
use serde_json::Value;
use store::list::offset_index::List;

use crate::{
    queues::QUEUES,
    simulation::{NAME, Simulation},
    workload::Account,
};

/// Time in which everything comes to rest.
const REST: Duration = Duration::from_secs(48 * 3_600);

impl Simulation {
    /// Lets everything come to rest.
    pub async fn rest(&self) {
        self.calm();
        let end = self.time.now() + REST;
        let mut pause = Duration::from_secs(1);
        while self.time.now() < end {
            self.time.sleep(pause).await;
            let mut left = 0;
            for queue in QUEUES {
                left += self.depth(queue.name).await;
            }
            if left == 0 {
                break;
            }
            pause = (pause * 2).min(Duration::from_secs(600));
        }
        // Whatever began meanwhile ends, or is killed.
        self.time.sleep(Duration::from_secs(300)).await;
    }

    /// Complains about everything that is not as it must be.
    pub async fn examine(self: &Arc<Self>, accounts: &[Arc<Account>]) {
        for queue in QUEUES {
            for name in [queue.name, queue.dead] {
                let depth = self.depth(name).await;
                if depth > 0 {
                    self.complain(&format!("{depth} messages are left in {name}"));
                }
            }
        }
        if self.dice.chance(0.5) {
            self.time.sleep(REST).await;
            self.remove_expired();
        }
        let items = self.items();
        for account in accounts {
            self.examine_account(account, &items).await;
        }
        self.examine_strangers(accounts, &items).await;
        self.examine_bucket(&items).await;
        self.examine_votes(&items);
    }

    async fn examine_account(self: &Arc<Self>, account: &Account, items: &[Value]) {
        let unique = account.id.unique();
        let own = || items.iter().filter(|item| item["pk"]["S"] == *unique);
        let of =
            |prefix: &'static str| own().filter(move |item| text(item, "sk").starts_with(prefix));
        let counters = own().find(|item| text(item, "sk") == "gate").expect("an account item");
        let month = number(counters, "p");
        let (mut used, mut succeeded) = (0, BTreeMap::<&str, Vec<&Value>>::new());
        let mut told = Vec::new();
        for operation in of("op#") {
            let (list, sort_key) = (text(operation, "lp"), text(operation, "ls"));
            let status = sort_key.split('#').next().unwrap_or_default();
            let kind = Kind::ALL
                .into_iter()
                .find(|kind| list.ends_with(&format!("#{}", store::keys::kind_code(*kind))));
            let kind = kind.expect("a kind");
            if status == store::keys::status_code(domain::Status::Succeeded) {
                if number(operation, "p") == month {
                    used += i64::from(kind.credits());
                }
                succeeded.entry(text(operation, "ik")).or_default().push(operation);
            }
            let is_final =
                [domain::Status::Succeeded, domain::Status::Failed, domain::Status::Cancelled]
                    .map(store::keys::status_code)
                    .contains(&status);
            if is_final && status != store::keys::status_code(domain::Status::Cancelled) {
                told.push(operation);
            }
            if !is_final {
                self.complain(&format!("{} has not ended: {status}", text(operation, "sk")));
            }
        }
        for endpoint in of(store::keys::ENDPOINT) {
            self.examine_endpoint(endpoint, &told);
        }
        for (name, expected) in [("cs", used), ("ch", 0), ("run", 0)] {
            if number(counters, name) != expected {
                let counted = number(counters, name);
                self.complain(&format!("{unique} has {name} = {counted} instead of {expected}"));
            }
        }
        for (key, operations) in succeeded {
            let mut ids: Vec<_> = operations.iter().map(|one| text(one, "sk")).collect();
            ids.sort_unstable();
            if ids.len() > 1 {
                self.complain(&format!("the key {key} has {ids:?}"));
            }
        }
        for kind in [HistoryType::Generation, HistoryType::Optimization, HistoryType::Refinement] {
            let index = self.operator().offset_index(List::history(account.id, kind)).await;
            let index = index.expect("an offset index").total();
            let prefix = format!("{}#", store::keys::history_list(kind));
            let listed = own().filter(|item| text(item, "sk").starts_with(&prefix)).count() as u64;
            if index != listed {
                self.complain(&format!("{unique} has {listed} of {prefix}, its index {index}"));
            }
        }
    }

    /// Every end was told under one identifier to every endpoint that was there when it came about.
    fn examine_endpoint(&self, endpoint: &Value, operations: &[&Value]) {
        let id = text(endpoint, "sk").rsplit('#').next().unwrap_or_default();
        let created = self.committed_at(id);
        if endpoint.get("off").is_some() {
            return self.complain(&format!("the endpoint {id} was disabled"));
        }
        let receivers = self.receivers.all();
        let accepted = receivers.get(text(endpoint, "u")).map(|receiver| &*receiver.accepted);
        for operation in operations {
            let unique = text(operation, "sk").trim_start_matches(store::keys::OPERATION);
            let ids: BTreeSet<_> = accepted
                .unwrap_or_default()
                .iter()
                .filter(|(_, event)| event["data"]["operationId"] == format!("op_{unique}"))
                .map(|(id, event)| (id, event["type"].to_string()))
                .collect();
            let must_be_told = self.committed_at(unique) > created;
            if ids.len() > 1 || (must_be_told && ids.is_empty()) {
                let (ended, ids) = (self.committed_at(unique), ids.len());
                self.complain(&format!(
                    "the end of {unique} at {ended:?} was told to {id}, created at {created:?}, under {ids} identifiers"
                ));
            }
        }
    }

    /// Nobody sees what belongs to another account.
    async fn examine_strangers(self: &Arc<Self>, accounts: &[Arc<Account>], items: &[Value]) {
        for (owner, stranger) in accounts.iter().zip(accounts.iter().skip(1)) {
            let unique = owner.id.unique();
            let mut own = items.iter().filter(|item| item["pk"]["S"] == *unique);
            let operation =
                own.find_map(|item| text(item, "sk").strip_prefix(store::keys::OPERATION));
            let Some(operation) = operation else { continue };
            let path = format!("/operations/op_{operation}");
            if self.get(owner, &path).await.is_null() || !self.get(stranger, &path).await.is_null()
            {
                self.complain(&format!("{path} is not its owner's alone"));
            }
        }
    }

    /// As many votes are counted as there are marks.
    fn examine_votes(&self, items: &[Value]) {
        let of = |prefix: &'static str| {
            items.iter().filter(move |item| text(item, "sk").starts_with(prefix))
        };
        let counted: i64 = of("count").map(|item| number(item, "vo")).sum();
        let marks = of(store::keys::LIBRARY_REACTION).filter(|item| item["vo"]["BOOL"] == true);
        let marked = i64::try_from(marks.count()).expect("few");
        if counted != marked {
            self.complain(&format!("{counted} votes are counted, {marked} are given"));
        }
    }

    /// The bucket has what items name, and nothing else.
    async fn examine_bucket(&self, items: &[Value]) {
        let named: BTreeSet<_> = items
            .iter()
            .filter_map(|item| item.as_object())
            .flat_map(|item| item.values())
            .filter_map(|value| BASE64_STANDARD.decode(value["B"].as_str()?).ok())
            .filter_map(|bytes| match bytes.split_first() {
                Some((2, key)) => String::from_utf8(key.to_vec()).ok(),
                _ => None,
            })
            .filter(|key| key.starts_with("durable/"))
            .collect();
        let stored: BTreeSet<_> = self.objects("durable/").await;
        for key in stored.symmetric_difference(&named) {
            let problem = if named.contains(key) { "is missing" } else { "belongs to nothing" };
            self.complain(&format!("the object {key} {problem}"));
        }
    }

    async fn objects(&self, prefix: &str) -> BTreeSet<String> {
        let listed = self.s3().list_objects_v2().bucket(NAME).prefix(prefix).send().await;
        let listed = listed.expect("the bucket answers");
        let keys = listed.contents().iter().filter_map(|object| object.key());
        keys.map(ToOwned::to_owned).collect()
    }
}

fn text<'a>(item: &'a Value, name: &str) -> &'a str {
    item[name]["S"].as_str().unwrap_or_default()
}

fn number(item: &Value, name: &str) -> i64 {
    item[name]["N"].as_str().and_then(|number| number.parse().ok()).unwrap_or(0)
}
