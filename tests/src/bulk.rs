//! Long lists, made in a fraction of the time that as many requests would take.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::PresetId;
use edge::runtime::SystemRandom;
use serde_json::{Value, json};
use store::{
    keys::{self, Key},
    list::offset_index::{List, OffsetIndex, key_of},
};

use crate::World;

/// A value as DynamoDB's JSON has it.
fn json(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => json!({"S": text}),
        AttributeValue::N(number) => json!({"N": number}),
        AttributeValue::B(bytes) => json!({"B": BASE64_STANDARD.encode(bytes)}),
        AttributeValue::L(list) => json!({"L": list.iter().map(json).collect::<Vec<_>>()}),
        other => panic!("no list has items with {other:?}"),
    }
}

impl World {
    /// Writes copies of the item `original` of a list, each under an identifier of its own, `pace` later
    /// than the one before, until the list has `many` entries, and the offset index that counts them. Returns
    /// their bits, oldest first; `key` is the key of the one with given bits.
    pub async fn multiplied(
        &self,
        list: List,
        original: u128,
        key: impl Fn(u128) -> Key,
        many: usize,
        pace: Duration,
    ) -> Vec<u128> {
        let table = &self.store.names().table;
        let read = self.dynamodb.get_item().table_name(table).set_key(Some(key(original)));
        let item = read.send().await.expect("storage").item.expect("an item");
        let mut offset_index: OffsetIndex =
            self.store.offset_index(list).await.expect("an offset index");
        let mut all = vec![original];
        let mut copies = Vec::new();
        while all.len() < many {
            self.clock.advance(pace);
            let id = PresetId::new(&*self.clock, &SystemRandom);
            let mut copy = item.clone();
            copy.extend(key(id.bits()));
            copy.insert(keys::LIST_SK.to_owned(), AttributeValue::S(id.unique()));
            copies.push(copy.iter().map(|(name, value)| (name.clone(), json(value))).collect());
            offset_index.add(key_of(id.bits()));
            all.push(id.bits());
        }
        self.embedded.import(table, copies).expect("items");
        let write = self.dynamodb.put_item().table_name(table);
        write.set_item(Some(offset_index.write(list))).send().await.expect("storage");
        all.sort_unstable();
        all
    }
}
