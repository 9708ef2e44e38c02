//! The OpenAPI document.

use edge::{router, routes::Function as _};
use history::History;
use library::Library;
use operations::Operations;
use presets::Presets;
use prompts::Prompts;
use serde::Serialize as _;
use serde_json::{Serializer, ser::PrettyFormatter};
use system::System;
use uploads::Uploads;
use webhooks::Webhooks;

/// The OpenAPI document of all functions, as it is checked in.
pub fn document() -> serde_json::Result<String> {
    let examples = serde_json::from_str(include_str!("../../examples.json"))?;
    let functions = [
        System::describe,
        Prompts::describe,
        Operations::describe,
        History::describe,
        Presets::describe,
        Library::describe,
        Uploads::describe,
        Webhooks::describe,
    ];
    let mut text = Vec::new();
    // An indent of one makes it a fifth shorter.
    let form = PrettyFormatter::with_indent(b" ");
    router::document(functions, &examples)
        .serialize(&mut Serializer::with_formatter(&mut text, form))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
