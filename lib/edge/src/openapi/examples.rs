//! A request and a response of every operation, as the service has answered it.

use serde_json::Value;

use super::each_operation;

/// Adds the examples, by operation: `{"request": …, "response": …, "accepted": …, "unavailable": …}`.
pub(super) fn add(document: &mut Value, examples: &Value) {
    for (_, _, operation) in each_operation(document) {
        let Some(example) = operation["operationId"].as_str().and_then(|id| examples.get(id))
        else {
            continue;
        };
        for (place, example) in [
            ("/requestBody", &example["request"]),
            ("/responses/200", &example["response"]),
            ("/responses/202", &example["accepted"]),
            ("/responses/503", &example["unavailable"]),
        ] {
            let content = format!("{place}/content/application~1json");
            if let Some(content) = operation.pointer_mut(&content).filter(|_| !example.is_null()) {
                content["example"] = example.clone();
            }
        }
    }
}
