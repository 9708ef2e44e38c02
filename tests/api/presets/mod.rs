mod concurrency;
mod contents;
mod crash_points;
mod create;
mod delete;
mod list;
mod offset_index;
mod patch;
mod render;
mod statuses;

use acceptance::{Account, uploads::id_of};
use reqwest::Method;
use serde_json::{Map, Value, json};

/// Where presets are.
pub(crate) const PRESETS: &str = "/prompt-presets";

/// A preset that an item of the table holds easily.
pub(crate) fn small(name: &str) -> Value {
    json!({
        "name": name,
        "promptText": "Plan three days in {{city}} for {{ travellers }}.",
        "values": {"city": "Lisbon"},
    })
}

/// 100 values of 10,000 characters each, none of which repeats.
fn largest_values(seed: u64) -> Value {
    let mut state = seed;
    let mut values = Map::new();
    for number in 0..100 {
        let value: String = (0..10_000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
                char::from(b' ' + u8::try_from((state >> 33) % 95).expect("below 95"))
            })
            .collect();
        values.insert(format!("value {number}"), value.into());
    }
    Value::Object(values)
}

/// Values that no item of the table holds, and no larger than that.
pub(crate) fn large_values(seed: u64) -> Value {
    let Value::Object(values) = largest_values(seed) else { unreachable!() };
    Value::Object(values.into_iter().take(8).collect())
}

/// Creates a preset. Returns its path.
pub(crate) async fn created(account: &Account, preset: &Value) -> String {
    let made = account.send(Method::POST, PRESETS, preset).await;
    format!("{PRESETS}/{}", id_of(made.data(200)))
}

pub(crate) async fn patched(account: &Account, path: &str, patch: &Value) -> Value {
    account.send(Method::PATCH, path, patch).await.data(200).clone()
}

fn names(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().expect("a list");
    items.iter().map(|item| item["name"].as_str().expect("a name")).collect()
}
