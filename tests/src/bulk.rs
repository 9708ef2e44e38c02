//! Long lists, made in a fraction of the time that as many requests would take.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::PresetId;
use edge::runtime::SystemRandom;
use serde_json::{Value, json};
use store::{
    keys::{self, Key},
    list::change::UNINDEXED_CHANGES,
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
        let mut offset_index = OffsetIndex::default();
        offset_index.add(key_of(original));
        let list_key = |bits| PresetId::from_bits(bits).unique();
        let mut all = self.copied(key(original), key, list_key, many - 1, pace).await;
        all.iter().for_each(|bits| offset_index.add(key_of(*bits)));
        all.push(original);
        let write = self.dynamodb.put_item().table_name(table);
        let mut item = offset_index.write(list);
        item.insert("v".to_owned(), AttributeValue::N("1".to_owned()));
        write.set_item(Some(item)).send().await.expect("storage");
        self.set_list_changes(list.account, UNINDEXED_CHANGES + 1).await;
        all.sort_unstable();
        all
    }

    /// Writes so many copies of an item, each under an identifier of its own, `pace` later than the one before.
    /// Returns their bits; `key` and `list_key` are the keys of the one with given bits in the table and the index.
    pub async fn copied(
        &self,
        original: Key,
        key: impl Fn(u128) -> Key,
        list_key: impl Fn(u128) -> String,
        many: usize,
        pace: Duration,
    ) -> Vec<u128> {
        let table = &self.store.names().table;
        let read = self.dynamodb.get_item().table_name(table).set_key(Some(original));
        let item = read.send().await.expect("storage").item.expect("an item");
        let mut all = Vec::new();
        let mut copies = Vec::new();
        for _ in 0..many {
            self.clock.advance(pace);
            let bits = PresetId::new(&*self.clock, &SystemRandom).bits();
            let mut copy = item.clone();
            copy.extend(key(bits));
            copy.insert(keys::LIST_SK.to_owned(), AttributeValue::S(list_key(bits)));
            copies.push(copy.iter().map(|(name, value)| (name.clone(), json(value))).collect());
            all.push(bits);
        }
        self.embedded.import(table, copies).expect("items");
        all
    }
}
