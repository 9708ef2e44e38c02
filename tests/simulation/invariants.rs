//! What must be true once everything has come to rest.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{
    HistoryType, Kind, OperationId, Timestamp, operation::RESULT_RETENTION, upload::URL_LIFETIME,
};
use serde_json::Value;
use store::{
    list::{change::UNINDEXED_CHANGES, offset_index::List},
    listings::SNAPSHOTS_PREFIX,
};

use crate::{
    documents::LISTS,
    library::{COMMUNITY, OWN},
    queues::QUEUES,
    simulation::{NAME, Simulation},
    workload::Account,
};

/// Time in which everything comes to rest.
const QUIESCENCE: Duration = Duration::from_secs(48 * 3_600);

/// How far two clocks may differ, in milliseconds.
const CLOCKS: i64 = 4_000;

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).expect("a short simulation")
}

impl Simulation {
    /// Lets everything come to rest.
    pub async fn quiesce(&self) {
        self.stop_faults();
        let end = self.time.now() + QUIESCENCE;
        // Files may still come.
        self.time.sleep(URL_LIFETIME).await;
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

    /// Lets days pass, in which results and files expire.
    pub async fn let_days_pass(self: &Arc<Self>) {
        let days = self.random.time(Duration::from_secs(12 * 3_600), QUIESCENCE * 2);
        self.time.sleep(days).await;
        self.remove_expired();
    }

    /// Complains about everything that is not as it must be.
    pub async fn check_invariants(self: &Arc<Self>, accounts: &[Arc<Account>]) {
        for queue in QUEUES {
            for name in [queue.name, queue.dead] {
                let depth = self.depth(name).await;
                if depth > 0 {
                    self.report_violation(&format!("{depth} messages are left in {name}"));
                }
            }
        }
        let items = self.items();
        for account in accounts {
            self.check_account(account, &items).await;
            self.check_storage(account, &items);
            self.check_lists(account, &items).await;
            self.check_uploads(account, &items);
            self.check_answers(account, &items).await;
        }
        self.check_strangers(accounts, &items).await;
        self.check_bucket(&items).await;
        self.check_votes(&items);
        self.check_model_usage(&items);
        self.check_history(&items);
    }

    /// Complains if the sums of what operations have asked of language models are not those of the operations.
    fn check_model_usage(&self, items: &[Value]) {
        const COUNTERS: [&str; 5] = ["n", "i", "r", "w", "o"];
        let mut asked = BTreeMap::<&str, [i64; 5]>::new();
        let mut summed = asked.clone();
        let mut total = [0; 5];
        let mut all = total;
        let add = |sum: &mut [i64; 5], counts: [i64; 5]| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        };
        for item in items {
            let (owner, sort_key) = (text(item, "pk"), text(item, "sk"));
            let sums =
                || COUNTERS.map(|counter| number(item, &format!("{counter}#simulated/model")));
            if sort_key.starts_with("op#") && !item["mu"].is_null() {
                let counts = COUNTERS.map(|counter| number(&item["mu"]["L"][0]["M"], counter));
                add(asked.entry(owner).or_default(), counts);
                add(&mut all, counts);
            } else if sort_key.starts_with("use#") {
                add(summed.entry(owner).or_default(), sums());
            } else if sort_key.starts_with("sum#") {
                add(&mut total, sums());
            }
        }
        if asked != summed || all != total {
            self.report_violation(&format!(
                "operations have asked {asked:?}, {all:?} in all, and the sums are {summed:?}, {total:?}"
            ));
        }
    }

    async fn check_account(self: &Arc<Self>, account: &Account, items: &[Value]) {
        let unique = account.id.unique();
        let own = || items.iter().filter(|item| item["pk"]["S"] == *unique);
        let of =
            |prefix: &'static str| own().filter(move |item| text(item, "sk").starts_with(prefix));
        let counters = own().find(|item| text(item, "sk") == "gate").expect("an account item");
        let month = number(counters, "p");
        let began = self.operator().clock().now().millis() - millis(self.time.now());
        let is_first_month = month == Timestamp::from_millis(began).month_start().millis();
        let before = if is_first_month { account.used_before } else { 0 };
        let (mut used, mut succeeded) = (before, BTreeMap::<&str, Vec<&Value>>::new());
        let mut told = Vec::new();
        for operation in of("op#") {
            let (list, status) = (text(operation, "lp"), text(operation, "st"));
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
            let listed = text(operation, "ls").split('#').next();
            if is_final && listed != Some(status) {
                self.report_violation(&format!("an operation is {status}, in the list {listed:?}"));
            }
            if is_final && status != store::keys::status_code(domain::Status::Cancelled) {
                told.push(operation);
            }
            if !is_final {
                self.report_violation(&format!(
                    "{} has not ended: {status}",
                    text(operation, "sk")
                ));
            }
        }
        let subscriptions = own().find(|item| text(item, "sk") == "webhooks");
        for endpoint in of(store::keys::ENDPOINT) {
            self.check_endpoint(endpoint, &told);
            self.check_records(endpoint, of("whd#"));
            if let Some(subscriptions) = subscriptions {
                self.check_thresholds(endpoint, subscriptions);
            }
        }
        for (name, expected) in [("cs", used), ("ch", 0), ("run", 0)] {
            if number(counters, name) != expected {
                let counted = number(counters, name);
                self.report_violation(&format!(
                    "{unique} has {name} = {counted} instead of {expected}"
                ));
            }
        }
        for (key, mut operations) in succeeded {
            operations.sort_by_key(|operation| text(operation, "sk"));
            for pair in operations.windows(2) {
                let [first, second] = [pair[0], pair[1]].map(|one| text(one, "sk"));
                let begun = OperationId::from_unique(second.trim_start_matches("op#"));
                let begun = begun.expect("an operation").created_at().millis();
                if begun + CLOCKS < number(pair[0], "t1") + millis(RESULT_RETENTION) {
                    self.report_violation(&format!("the key {key} has {first} and {second}"));
                }
            }
        }
        for kind in [HistoryType::Generation, HistoryType::Optimization, HistoryType::Refinement] {
            let index = self.operator().offset_index(List::history(account.id, kind)).await;
            let index = index.expect("storage").map(|index| index.total());
            let code = store::keys::history_list(kind);
            let changes = number(counters, &format!("c{code}"));
            let prefix = format!("{code}#");
            let listed = own().filter(|item| text(item, "sk").starts_with(&prefix)).count() as u64;
            let is_counted = match index {
                Some(index) => index == listed,
                None => listed <= changes.unsigned_abs() && changes <= UNINDEXED_CHANGES,
            };
            if !is_counted {
                self.report_violation(&format!(
                    "{unique} has {listed} of {prefix} after {changes} changes, its index {index:?}"
                ));
            }
        }
    }

    /// Every end was told under one identifier to every endpoint that was there when it came about.
    fn check_endpoint(&self, endpoint: &Value, operations: &[&Value]) {
        let id = text(endpoint, "sk").rsplit('#').next().unwrap_or_default();
        let created = self.committed_at(id);
        if endpoint.get("off").is_some() {
            return self.report_violation(&format!("the endpoint {id} was disabled"));
        }
        let receivers = self.receivers.all();
        let accepted = receivers.get(text(endpoint, "u")).map(|receiver| &*receiver.accepted);
        for operation in operations {
            let unique = text(operation, "sk").trim_start_matches(store::keys::OPERATION);
            let ids: BTreeSet<_> = accepted
                .unwrap_or_default()
                .iter()
                .filter(|(_, event)| event["data"]["operationId"] == format!("op_{unique}"))
                .filter(|(_, event)| text_of(event, "type").starts_with("operation."))
                .map(|(id, event)| (id, event["type"].to_string()))
                .collect();
            let must_be_told = self.committed_at(unique) > created;
            if ids.len() > 1 || (must_be_told && ids.is_empty()) {
                let (ended, ids) = (self.committed_at(unique), ids.len());
                self.report_violation(&format!(
                    "the end of {unique} at {ended:?} was told to {id}, created at {created:?}, under {ids} identifiers"
                ));
            }
        }
    }

    /// What a record says was accepted was accepted, and no delivery was given up.
    fn check_records<'a>(&self, endpoint: &Value, records: impl Iterator<Item = &'a Value>) {
        let id = text(endpoint, "sk").rsplit('#').next().unwrap_or_default();
        let receivers = self.receivers.all();
        let accepted = receivers.get(text(endpoint, "u")).map(|receiver| &*receiver.accepted);
        for record in records {
            let mut parts = text(record, "sk").split('#');
            if parts.nth(1) != Some(id) {
                continue;
            }
            let delivery = format!("whd_{}", parts.next_back().unwrap_or_default());
            let was_accepted =
                accepted.unwrap_or_default().iter().any(|(accepted, _)| *accepted == delivery);
            match record["st"]["S"].as_str() {
                Some("F") => self.report_violation(&format!("{delivery} to {id} was given up")),
                Some("S") if !was_accepted => {
                    self.report_violation(&format!("{delivery} to {id} was not accepted"));
                }
                _ => {}
            }
        }
    }

    /// A threshold of a month's usage was told once to every endpoint that was there when it was reached.
    fn check_thresholds(&self, endpoint: &Value, subscriptions: &Value) {
        let id = text(endpoint, "sk").rsplit('#').next().unwrap_or_default();
        let receivers = self.receivers.all();
        let accepted = receivers.get(text(endpoint, "u")).map(|receiver| &*receiver.accepted);
        for (attribute, kind, resource) in [
            ("ct", "usage.threshold_reached", "credits"),
            ("cl", "usage.limit_reached", "credits"),
            ("st", "usage.threshold_reached", "storage"),
            ("sl", "usage.limit_reached", "storage"),
        ] {
            let mut told = BTreeMap::<_, BTreeSet<_>>::new();
            for (id, event) in accepted.unwrap_or_default() {
                if event["type"] == kind && event["data"]["resource"] == resource {
                    let month = event["data"]["period"]["startsAt"].to_string();
                    told.entry(month).or_default().insert(id);
                }
            }
            for (month, ids) in &told {
                if ids.len() > 1 {
                    self.report_violation(&format!(
                        "{kind} of {resource} in {month} was told under {ids:?}"
                    ));
                }
            }
            let reporter = text(subscriptions, attribute).split('#').nth(1);
            let must_be_told = reporter
                .is_some_and(|reporter| self.committed_at(reporter) > self.committed_at(id));
            if must_be_told && told.is_empty() {
                self.report_violation(&format!("{kind} of {resource} was not told to {id}"));
            }
        }
    }

    /// The lists of an account show what it has, and nothing else.
    async fn check_lists(self: &Arc<Self>, account: &Account, items: &[Value]) {
        let unique = account.id.unique();
        let generations = store::keys::history_list(HistoryType::Generation);
        let endpoints = store::keys::ENDPOINT.trim_end_matches('#');
        let prefixes = [generations, store::keys::PRESET_LIST, endpoints];
        let last = |id: &str| id.rsplit('_').next().unwrap_or_default().to_owned();
        for ((list, path), prefix) in LISTS.into_iter().zip(prefixes) {
            let own = items.iter().filter(|item| item["pk"]["S"] == *unique);
            let stored: BTreeSet<_> = own
                .filter_map(|item| text(item, "sk").strip_prefix(prefix)?.strip_prefix('#'))
                .map(ToOwned::to_owned)
                .collect();
            let ids = self.listed(account, list).await;
            if ids.iter().map(|id| last(id)).collect::<BTreeSet<_>>() != stored {
                self.report_violation(&format!(
                    "{list} of {unique} is {ids:?} instead of {stored:?}"
                ));
            }
            if !ids.is_empty() {
                let path = format!("{path}/{}", self.random.pick(&ids));
                if self.get(account, &path).await.is_null() {
                    self.report_violation(&format!("{path} is listed and not found"));
                }
            }
        }
        for (list, is_shown) in [(OWN, "ow"), (COMMUNITY, "pa")] {
            let stored: BTreeSet<_> = items
                .iter()
                .filter(|item| text(item, "sk") == "item" && item.get(is_shown).is_some())
                .filter(|item| list == COMMUNITY || text(item, "ow") == unique)
                .filter(|item| list == OWN || text(item, "vi") == "C")
                .map(|item| text(item, "pk").trim_start_matches("lib#").to_owned())
                .collect();
            let ids = self.listed(account, list).await;
            if ids.iter().map(|id| last(id)).collect::<BTreeSet<_>>() != stored {
                self.report_violation(&format!(
                    "{list} of {unique} is {ids:?} instead of {stored:?}"
                ));
            }
        }
    }

    /// Files count while they may be used, and belong to operations that succeeded.
    fn check_uploads(&self, account: &Account, items: &[Value]) {
        let unique = account.id.unique();
        let own = || items.iter().filter(|item| item["pk"]["S"] == *unique);
        let ledger = own().find(|item| text(item, "sk") == "uploads");
        let now = self.operator().clock().now().millis();
        for upload in own() {
            let Some(id) = text(upload, "sk").strip_prefix(store::keys::UPLOAD) else { continue };
            let counts = ledger.is_some_and(|ledger| {
                let entry = &ledger["a"]["M"][id]["M"];
                number(entry, "e") > now
            });
            let status = text(upload, "st");
            if counts && !["P", "U", "V"].contains(&status) {
                self.report_violation(&format!("the upload {id} counts in the status {status}"));
            }
            if ["U", "V"].contains(&status) && !counts && number(upload, "xa") > now {
                self.report_violation(&format!(
                    "the upload {id} does not count in the status {status}"
                ));
            }
            if status == "C" {
                let by = format!("{}{}", store::keys::OPERATION, text(upload, "by"));
                let by = own().find(|item| text(item, "sk") == by);
                if by.is_none_or(|operation| text(operation, "st") != "S") {
                    self.report_violation(&format!("the upload {id} was consumed for nothing"));
                }
            }
        }
    }

    /// What was answered is true.
    async fn check_answers(self: &Arc<Self>, account: &Account, items: &[Value]) {
        let unique = account.id.unique();
        let status = |id: &String| {
            let sort_key = format!("op#{}", id.trim_start_matches("op_"));
            let is_it = |item: &&Value| text(item, "sk") == sort_key && item["pk"]["S"] == *unique;
            items.iter().find(is_it).map(|operation| text(operation, "st"))
        };
        for id in &*account.results() {
            if status(id) != Some("S") {
                self.report_violation(&format!(
                    "the result of {id} was answered: {:?}",
                    status(id)
                ));
            }
        }
        for id in &*account.accepted() {
            if status(id).is_none() {
                self.report_violation(&format!("{id} was accepted and is gone"));
            }
        }
        let deleted = account.deleted().clone();
        for path in deleted {
            if !self.get(account, &path).await.is_null() {
                self.report_violation(&format!("{path} was deleted and is there"));
            }
        }
    }

    /// Nobody sees what belongs to another account.
    async fn check_strangers(self: &Arc<Self>, accounts: &[Arc<Account>], items: &[Value]) {
        for (owner, stranger) in accounts.iter().zip(accounts.iter().skip(1)) {
            let unique = owner.id.unique();
            for (prefix, path) in [
                ("op", "/operations/op_"),
                (store::keys::history_list(HistoryType::Generation), "/history/generation/gen_"),
                (store::keys::PRESET_LIST, "/prompt-presets/pst_"),
                ("whe", "/webhook-endpoints/whe_"),
                ("upl", "/uploads/upl_"),
            ] {
                let mut own = items.iter().filter(|item| item["pk"]["S"] == *unique);
                let id =
                    own.find_map(|item| text(item, "sk").strip_prefix(prefix)?.strip_prefix('#'));
                let Some(id) = id else { continue };
                let path = format!("{path}{id}");
                let is_lost = prefix == "op" && self.get(owner, &path).await.is_null();
                if is_lost || !self.get(stranger, &path).await.is_null() {
                    self.report_violation(&format!("{path} is not its owner's alone"));
                }
            }
        }
    }

    /// As many votes are counted as there are marks, and none of what is gone.
    fn check_votes(&self, items: &[Value]) {
        let of = |sort_key: &'static str| {
            items.iter().filter(move |item| text(item, "sk").starts_with(sort_key))
        };
        for (attribute, what) in [("vo", "votes"), ("sv", "saves")] {
            let mut counted = BTreeMap::<_, i64>::new();
            for count in of("count") {
                let id = text(count, "pk").split('#').nth(1).unwrap_or_default();
                *counted.entry(id).or_default() += number(count, attribute);
            }
            for item in of("item").filter(|item| text(item, "pk").starts_with("lib#")) {
                counted.entry(text(item, "pk").trim_start_matches("lib#")).or_default();
            }
            for (id, counted) in counted {
                let mark = format!("{}{id}", store::keys::LIBRARY_REACTION);
                let marks = of(store::keys::LIBRARY_REACTION)
                    .filter(|item| text(item, "sk") == mark && item[attribute]["BOOL"] == true);
                let given = i64::try_from(marks.count()).expect("few");
                let is_there = of("item").any(|item| text(item, "pk") == format!("lib#{id}"));
                if is_there && counted != given {
                    self.report_violation(&format!(
                        "{counted} {what} of {id} count, {given} are given"
                    ));
                }
                if !is_there {
                    self.report_violation(&format!("a counter of {id} is left"));
                }
            }
        }
    }

    /// The bucket has what items name, and nothing else.
    async fn check_bucket(&self, items: &[Value]) {
        let now = self.operator().clock().now().millis();
        let mut named = BTreeSet::new();
        for item in items {
            let expiry = number(item, "ttl");
            if expiry != 0 && expiry * 1_000 <= now {
                continue;
            }
            let bodies = item.as_object().into_iter().flat_map(|item| item.values());
            let bodies =
                bodies.filter_map(|value| BASE64_STANDARD.decode(value["B"].as_str()?).ok());
            named.extend(bodies.filter_map(|bytes| match bytes.split_first() {
                Some((2, key)) => String::from_utf8(key.to_vec()).ok(),
                _ => None,
            }));
            if let Some(listing) = text(item, "pk").strip_prefix("shelf#")
                && !text(item, "sn").is_empty()
            {
                named.insert(format!("{SNAPSHOTS_PREFIX}{listing}/{}", text(item, "sn")));
            }
            let Some(operation) = text(item, "sk").strip_prefix("body#") else { continue };
            // A result that history no longer has comes without its files.
            if expiry != 0 {
                continue;
            }
            let account = text(item, "pk");
            for upload in item["ups"]["L"].as_array().into_iter().flatten() {
                let upload = upload["S"].as_str().unwrap_or_default();
                named.insert(format!("durable/acct_{account}/op_{operation}/attachments/{upload}"));
            }
        }
        let mut stored = self.objects("durable/").await;
        stored.extend(self.objects("temporary/").await);
        stored.extend(self.objects(SNAPSHOTS_PREFIX).await);
        for key in &named {
            if !stored.contains(key) {
                self.report_violation(&format!("the object {key} is missing"));
            }
        }
        for key in stored.difference(&named).filter(|key| !key.starts_with("temporary/")) {
            self.report_violation(&format!("the object {key} belongs to nothing"));
        }
    }

    /// No item is half deleted, and every body belongs to history or expires.
    fn check_history(&self, items: &[Value]) {
        let mut named = BTreeSet::new();
        for item in items {
            for operation in item["vs"]["L"].as_array().into_iter().flatten() {
                named.insert((text(item, "pk"), operation["S"].as_str().unwrap_or_default()));
            }
            if item.get("dead").is_some() {
                self.report_violation(&format!("{} is half deleted", text(item, "sk")));
            }
        }
        let kept = items.iter().filter(|item| item.get("ttl").is_none());
        let kept: BTreeSet<_> = kept
            .filter_map(|item| Some((text(item, "pk"), text(item, "sk").strip_prefix("body#")?)))
            .collect();
        for (account, operation) in kept.symmetric_difference(&named) {
            let is_named = named.contains(&(*account, *operation));
            let problem = if is_named { "is missing" } else { "belongs to nothing" };
            self.report_violation(&format!("the body of {operation} {problem}"));
        }
    }

    async fn objects(&self, prefix: &str) -> BTreeSet<String> {
        let listed = self.s3().list_objects_v2().bucket(NAME).prefix(prefix).send().await;
        let listed = listed.expect("the bucket answers");
        let keys = listed.contents().iter().filter_map(|object| object.key());
        keys.map(ToOwned::to_owned).collect()
    }
}

pub fn text<'a>(item: &'a Value, name: &str) -> &'a str {
    item[name]["S"].as_str().unwrap_or_default()
}

fn text_of<'a>(event: &'a Value, name: &str) -> &'a str {
    event[name].as_str().unwrap_or_default()
}

pub fn number(item: &Value, name: &str) -> i64 {
    item[name]["N"].as_str().and_then(|number| number.parse().ok()).unwrap_or(0)
}
