//! What DynamoDB documents and an embedded table never does: transactions take time, and whatever meets one on the
//! way conflicts with it; their items become visible one by one; a batch may be read in part; the index follows the
//! table later.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::http;
use bytes::Bytes;
use domain::AccountId;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::{
    network::refusal,
    simulation::{NAME, Simulation},
};

/// The table whose index stands for that of the table of this name: it has the same items, only later.
pub const INDEXED: &str = "prompt-workflow-indexed";
/// The table that has items for a moment which readers still see, though they are deleted.
pub const DELETED: &str = "prompt-workflow-deleted";
/// How long DynamoDB may take to remove an item that has expired.
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html>
const LATEST_REMOVAL: i64 = 48 * 3_600;

/// Partition and sort key of an item.
type Key = (String, String);

/// How long a read of several items waits for one of them to change between.
const PATIENCE: Duration = Duration::from_secs(1);

/// Transactions on their way.
#[derive(Debug, Default)]
pub struct Table {
    transactions: Mutex<Transactions>,
    /// The item that readers see in a new state.
    changed: watch::Sender<Key>,
    /// Keys of the items in the index.
    indexed: Mutex<BTreeSet<Key>>,
}

#[derive(Debug, Default)]
struct Transactions {
    number: u64,
    /// Their keys and client tokens.
    in_flight: BTreeMap<u64, (BTreeSet<Key>, String)>,
    /// What readers still see of items that a transaction has written already; `None` sees nothing.
    stale: BTreeMap<Key, Option<Value>>,
}

impl Table {
    fn transactions(&self) -> MutexGuard<'_, Transactions> {
        self.transactions.lock().expect("nothing panics with it")
    }

    /// Resolves when readers see one of these items in a new state.
    async fn change_of(&self, keys: &[Key]) {
        let mut changed = self.changed.subscribe();
        let is_one = |key: &Key| keys.contains(key);
        changed.mark_unchanged();
        while changed.changed().await.is_ok() && !is_one(&changed.borrow_and_update()) {}
    }
}

fn key_of(item: &Value) -> Key {
    let text = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
    (text("pk"), text("sk"))
}

fn key_json(key: &Key) -> Value {
    json!({"pk": {"S": key.0}, "sk": {"S": key.1}})
}

/// A write of a transaction: its kind and its fields.
fn write_of(item: &Value) -> (&str, &Value) {
    let (kind, fields) = item.as_object().and_then(|item| item.iter().next()).expect("a write");
    (kind, fields)
}

fn written_key(item: &Value) -> Key {
    match write_of(item) {
        ("Put", put) => key_of(&put["Item"]),
        (_, other) => key_of(&other["Key"]),
    }
}

fn answered(result: Result<Value, Value>) -> http::Response<Bytes> {
    match result {
        Ok(body) => refusal(200, &body),
        Err(body) => refusal(400, &body),
    }
}

fn error(code: &str) -> Value {
    json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "It passes."})
}

fn cancelled(reasons: &[Value]) -> Value {
    let mut body = error("TransactionCanceledException");
    body["CancellationReasons"] = json!(reasons);
    body
}

impl Simulation {
    /// Answers a call to the table.
    pub async fn operate(
        self: &Arc<Self>,
        operation: &str,
        input: &Value,
    ) -> http::Response<Bytes> {
        if operation == "Query" && !input["IndexName"].is_null() {
            let mut input = input.clone();
            input["TableName"] = json!(INDEXED);
            return answered(self.services.operate_now(operation, &input));
        }
        let result = match operation {
            "TransactWriteItems" => self.transact(input).await,
            "TransactGetItems" => {
                let keys = input["TransactItems"].as_array().into_iter().flatten();
                let keys: Vec<_> = keys.map(|item| key_of(&item["Get"]["Key"])).collect();
                match self.conflicts(&keys) {
                    Some(reasons) => Err(cancelled(&reasons)),
                    None => self.services.operate_now(operation, input),
                }
            }
            "PutItem" | "UpdateItem" | "DeleteItem" => {
                let key = match operation {
                    "PutItem" => key_of(&input["Item"]),
                    _ => key_of(&input["Key"]),
                };
                match self.conflicts(std::slice::from_ref(&key)) {
                    Some(_) => Err(error("TransactionConflictException")),
                    None => {
                        self.services.operate_now(operation, input).inspect(|_| self.index(&[key]))
                    }
                }
            }
            "BatchGetItem" => return answered(self.batch_get(input).await),
            "BatchWriteItem" => self.batch_write(input),
            _ => self.services.operate_now(operation, input),
        };
        answered(result.map(|mut body| {
            self.make_stale(operation, input, &mut body);
            body
        }))
    }

    /// The reasons for which a transaction over these items is cancelled, if others are on their way.
    fn conflicts(&self, keys: &[Key]) -> Option<Vec<Value>> {
        let transactions = self.table.transactions();
        let taken = |key: &Key| transactions.in_flight.values().any(|(keys, _)| keys.contains(key));
        keys.iter().any(taken).then(|| {
            let reason = |key| {
                let code = if taken(key) { "TransactionConflict" } else { "None" };
                json!({"Code": code})
            };
            keys.iter().map(reason).collect()
        })
    }

    async fn transact(self: &Arc<Self>, input: &Value) -> Result<Value, Value> {
        let items = input["TransactItems"].as_array().expect("items");
        let keys: Vec<_> = items.iter().map(written_key).collect();
        let token = input["ClientRequestToken"].as_str().unwrap_or_default().to_owned();
        let is_in_progress = {
            let transactions = self.table.transactions();
            transactions.in_flight.values().any(|(_, known)| *known == token)
        };
        if is_in_progress {
            return Err(error("TransactionInProgressException"));
        }
        if let Some(mut reasons) = self.conflicts(&keys) {
            self.add_failed_conditions(items, &mut reasons);
            return Err(cancelled(&reasons));
        }
        let longest = self.fault_profile().torn;
        // Nobody sees the state before if all becomes visible at once.
        let before: Vec<_> = match longest.is_zero() {
            true => Vec::new(),
            false => keys.iter().map(|key| self.item(key)).collect(),
        };
        let done = self.services.operate_now("TransactWriteItems", input)?;
        self.committed(items);
        self.index(&keys);
        if longest.is_zero() {
            return Ok(done);
        }
        let number = {
            let mut transactions = self.table.transactions();
            transactions.number += 1;
            let number = transactions.number;
            transactions.in_flight.insert(number, (keys.iter().cloned().collect(), token));
            for (key, old) in keys.iter().zip(before) {
                transactions.stale.insert(key.clone(), old);
            }
            number
        };
        let mut hidden = keys;
        while !hidden.is_empty() {
            let pause = self.random.time(Duration::from_micros(100), longest);
            self.time.sleep(pause).await;
            let shown = hidden.swap_remove(self.random.below(hidden.len()));
            self.table.transactions().stale.remove(&shown);
            self.table.changed.send_replace(shown);
        }
        self.table.transactions().in_flight.remove(&number);
        Ok(done)
    }

    /// Conditions that fail beside a conflict are named beside it.
    fn add_failed_conditions(&self, items: &[Value], reasons: &mut [Value]) {
        for (item, reason) in items.iter().zip(reasons) {
            let (_, fields) = write_of(item);
            let Some(condition) = fields["ConditionExpression"].as_str() else { continue };
            if reason["Code"] != "None" || self.random.chance(0.5) {
                continue;
            }
            let mut check = json!({
                "TableName": fields["TableName"],
                "Key": key_json(&written_key(item)),
                "ConditionExpression": condition,
                "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            });
            for names in ["ExpressionAttributeNames", "ExpressionAttributeValues"] {
                let used: Map<_, _> = fields[names]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(name, _)| mentions(condition, name))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect();
                if !used.is_empty() {
                    check[names] = Value::Object(used);
                }
            }
            let input = json!({"TransactItems": [{"ConditionCheck": check}]});
            if let Err(refused) = self.services.operate_now("TransactWriteItems", &input)
                && refused["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed"
            {
                *reason = refused["CancellationReasons"][0].clone();
            }
        }
    }

    /// The item as it is stored.
    pub fn item(&self, key: &Key) -> Option<Value> {
        let input = json!({"TableName": NAME, "Key": key_json(key)});
        let read = self.services.operate_now("GetItem", &input).expect("a read");
        read.get("Item").filter(|item| !item.is_null()).cloned()
    }

    /// Has the index follow a write of these items, each at a time of its own.
    fn index(self: &Arc<Self>, keys: &[Key]) {
        let longest = self.fault_profile().lag;
        for key in keys {
            let key = key.clone();
            if longest.is_zero() {
                self.index_now(&key);
                continue;
            }
            let (later, lag) = (self.clone(), self.random.time(Duration::from_millis(1), longest));
            tokio::spawn(async move {
                later.time.sleep(lag).await;
                later.index_now(&key);
            });
        }
    }

    fn index_now(&self, key: &Key) {
        let mut indexed = self.table.indexed.lock().expect("nothing panics with it");
        let written = match self.item(key).filter(|item| item.get("lp").is_some()) {
            Some(item) => {
                indexed.insert(key.clone());
                let input = json!({"TableName": INDEXED, "Item": item});
                self.services.operate_now("PutItem", &input)
            }
            None if indexed.remove(key) => {
                let input = json!({"TableName": INDEXED, "Key": key_json(key)});
                self.services.operate_now("DeleteItem", &input)
            }
            None => return,
        };
        written.expect("a copy");
    }

    /// All items.
    pub fn items(&self) -> Vec<Value> {
        let mut items = Vec::new();
        let mut input = json!({"TableName": NAME});
        loop {
            let page = self.services.operate_now("Scan", &input).expect("a page");
            items.extend(page["Items"].as_array().cloned().unwrap_or_default());
            match &page["LastEvaluatedKey"] {
                Value::Null => return items,
                key => input["ExclusiveStartKey"] = key.clone(),
            }
        }
    }

    /// Sets the credits that an account has used.
    pub fn set_counters(&self, account: AccountId, credits: i64, list_changes: i64) {
        let input = json!({
            "TableName": NAME,
            "Key": key_json(&(account.unique(), store::keys::ACCOUNT_ITEM.to_owned())),
            "UpdateExpression": "SET cs = :credits, cgen = :n, copt = :n, cref = :n, cpst = :n",
            "ExpressionAttributeValues": {
                ":credits": {"N": credits.to_string()},
                ":n": {"N": list_changes.to_string()},
            },
        });
        self.services.operate_now("UpdateItem", &input).expect("an account item");
    }

    /// Suspends an account, or no longer, once no transaction is on its way there.
    pub async fn set_suspended(&self, account: AccountId, is_suspended: bool) {
        let key = (account.unique(), store::keys::ACCOUNT_ITEM.to_owned());
        while self.conflicts(std::slice::from_ref(&key)).is_some() {
            self.time.sleep(Duration::from_millis(1)).await;
        }
        let input = json!({
            "TableName": NAME,
            "Key": key_json(&key),
            "UpdateExpression": "SET su = :suspended",
            "ExpressionAttributeValues": {":suspended": {"BOOL": is_suspended}},
        });
        self.services.operate_now("UpdateItem", &input).expect("an account item");
    }

    /// Removes items that have expired, each as late as it pleases DynamoDB.
    pub fn remove_expired(self: &Arc<Self>) {
        let now = self.operator().clock().now().millis() / 1_000;
        for item in self.items() {
            let expiry = item["ttl"]["N"].as_str().and_then(|text| text.parse::<i64>().ok());
            let Some(expiry) = expiry.filter(|expiry| *expiry <= now) else { continue };
            if expiry + LATEST_REMOVAL <= now || self.random.chance(0.5) {
                let key = key_of(&item);
                let input = json!({"TableName": NAME, "Key": key_json(&key)});
                self.services.operate_now("DeleteItem", &input).expect("a removal");
                self.index(&[key]);
            }
        }
    }

    /// Reads a batch, perhaps in part. Its items are read at two instants.
    async fn batch_get(&self, input: &Value) -> Result<Value, Value> {
        let fault_profile = self.fault_profile();
        let (tables, is_partial) =
            (&input["RequestItems"], self.random.chance(fault_profile.partial));
        let mut body = json!({"Responses": {}});
        for (table, request) in tables.as_object().into_iter().flatten() {
            let keys = request["Keys"].as_array().expect("keys");
            let late: Vec<_> = keys.iter().map(|_| self.random.chance(0.5)).collect();
            for is_late in [false, true] {
                let these = keys.iter().zip(&late).filter(|(_, late)| **late == is_late);
                let these: Vec<_> = these.map(|(key, _)| key.clone()).collect();
                if these.is_empty() {
                    continue;
                }
                let mut part = request.clone();
                part["Keys"] = Value::Array(these);
                if is_late && is_partial {
                    body["UnprocessedKeys"] = json!({table: part});
                    continue;
                }
                if is_late && !fault_profile.torn.is_zero() {
                    // Often right after a change of what is left to read, which is the worst moment.
                    let is_patient = self.random.chance(0.5);
                    let pause = self.random.time(Duration::from_micros(100), fault_profile.torn);
                    let pause = if is_patient { PATIENCE } else { pause };
                    let left: Vec<_> =
                        part["Keys"].as_array().into_iter().flatten().map(key_of).collect();
                    tokio::select! {
                        biased;
                        () = self.table.change_of(&left), if is_patient => {}
                        () = self.time.sleep(pause) => {}
                    }
                }
                let input = json!({"RequestItems": {table: part}});
                let mut read = self.services.operate_now("BatchGetItem", &input)?;
                self.make_stale("BatchGetItem", &input, &mut read);
                let found = read["Responses"][table].take();
                if body["Responses"][table].is_null() {
                    body["Responses"][table] = json!([]);
                }
                let all = body["Responses"][table].as_array_mut().expect("items");
                all.extend(found.as_array().cloned().unwrap_or_default());
            }
        }
        Ok(body)
    }

    /// Writes a batch, or a part of it.
    fn batch_write(self: &Arc<Self>, input: &Value) -> Result<Value, Value> {
        let (mut now, mut later) = (input.clone(), json!({}));
        let mut keys = Vec::new();
        for (table, writes) in now["RequestItems"].as_object_mut().into_iter().flatten() {
            let writes = writes.as_array_mut().expect("writes");
            if self.random.chance(self.fault_profile().partial) {
                let left = writes.split_off(1 + self.random.below(writes.len()));
                if !left.is_empty() {
                    later[table] = Value::Array(left);
                }
            }
            keys.extend(writes.iter().map(|write| match &write["PutRequest"]["Item"] {
                Value::Null => key_of(&write["DeleteRequest"]["Key"]),
                item => key_of(item),
            }));
        }
        let mut body = self.services.operate_now("BatchWriteItem", &now)?;
        self.index(&keys);
        body["UnprocessedItems"] = later;
        Ok(body)
    }

    /// Replaces what a reader cannot see yet by what it still sees.
    fn make_stale(&self, operation: &str, input: &Value, body: &mut Value) {
        let transactions = self.table.transactions();
        if transactions.stale.is_empty() {
            return;
        }
        match operation {
            "GetItem" => {
                if let Some(old) = transactions.stale.get(&key_of(&input["Key"])) {
                    match old {
                        Some(old) => body["Item"] = projected(old, input),
                        None => {
                            body.as_object_mut().expect("an answer").remove("Item");
                        }
                    }
                }
            }
            "BatchGetItem" => {
                for (table, request) in input["RequestItems"].as_object().into_iter().flatten() {
                    let left = body["UnprocessedKeys"][table]["Keys"].clone();
                    for key in request["Keys"].as_array().into_iter().flatten() {
                        let is_left = left.as_array().is_some_and(|left| left.contains(key));
                        let key = key_of(key);
                        let Some(old) = transactions.stale.get(&key).filter(|_| !is_left) else {
                            continue;
                        };
                        if body["Responses"][table].is_null() {
                            body["Responses"][table] = json!([]);
                        }
                        let found = body["Responses"][table].as_array_mut().expect("items");
                        found.retain(|item| key_of(item) != key);
                        found.extend(old.as_ref().map(|old| projected(old, request)));
                    }
                }
            }
            "Query" => {
                let items = body["Items"].as_array_mut().into_iter().flatten();
                for item in items {
                    if let Some(Some(old)) = transactions.stale.get(&key_of(item)) {
                        *item = projected(old, input);
                    }
                }
                let deleted = self.stale_deletions(&transactions, input, body);
                if let Some(items) = body["Items"].as_array_mut() {
                    items.retain(|item| transactions.stale.get(&key_of(item)) != Some(&None));
                    items.extend(deleted);
                    items.sort_by_key(key_of);
                    if input["ScanIndexForward"] == false {
                        items.reverse();
                    }
                }
            }
            _ => {}
        }
    }

    /// The items of a query's last page that a transaction has deleted, and that its readers still see: what the
    /// query finds in a table that has only those.
    fn stale_deletions(
        &self,
        transactions: &Transactions,
        input: &Value,
        body: &Value,
    ) -> Vec<Value> {
        let partition = input["ExpressionAttributeValues"][":pk"]["S"].as_str().unwrap_or_default();
        let deleted: Vec<_> = transactions
            .stale
            .iter()
            .filter(|(key, _)| key.0 == partition && self.item(key).is_none())
            .filter_map(|(key, old)| Some((key, old.as_ref()?)))
            .collect();
        if deleted.is_empty() || !body["LastEvaluatedKey"].is_null() || !input["Limit"].is_null() {
            return Vec::new();
        }
        for (_, old) in &deleted {
            let put = json!({"TableName": DELETED, "Item": old});
            self.services.operate_now("PutItem", &put).expect("a write");
        }
        let mut input = input.clone();
        input["TableName"] = json!(DELETED);
        let mut found = self.services.operate_now("Query", &input).expect("a read");
        for (key, _) in &deleted {
            let delete = json!({"TableName": DELETED, "Key": key_json(key)});
            self.services.operate_now("DeleteItem", &delete).expect("a removal");
        }
        found["Items"].as_array_mut().map(std::mem::take).unwrap_or_default()
    }
}

/// Whether an expression has this name as a whole word.
fn mentions(expression: &str, name: &str) -> bool {
    expression.match_indices(name).any(|(at, _)| {
        let next = expression[at + name.len()..].chars().next();
        !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
    })
}

/// The attributes of an item that a reader asked for.
fn projected(item: &Value, request: &Value) -> Value {
    let Some(expression) = request["ProjectionExpression"].as_str() else { return item.clone() };
    let names = &request["ExpressionAttributeNames"];
    let attributes = expression.split(',').map(str::trim).filter_map(|name| {
        let name = names[name].as_str().unwrap_or(name);
        Some((name.to_owned(), item.get(name)?.clone()))
    });
    Value::Object(attributes.collect())
}
