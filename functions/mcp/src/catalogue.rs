//! The tools with all that is derived for them, made once in the life of the process.

use std::sync::{Arc, LazyLock};

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use crate::{
    schema::{Document, Operation},
    table::{Declared, Effect, TOOLS},
};

/// The API's document as it is checked in; a test holds it equal to the routers' declarations.
const DOCUMENT: &str = include_str!("../../../infra/openapi.json");

/// A tool and the operation that it calls.
#[derive(Debug)]
pub(crate) struct Offer {
    pub tool: Tool,
    pub operation: Operation,
}

/// Every tool.
#[derive(Debug)]
pub(crate) struct Catalogue(Vec<Offer>);

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let document = Document::parse(DOCUMENT);
    // A tool without an operation would be none; a test compares the list with the table.
    Catalogue(TOOLS.iter().filter_map(|declared| offer(declared, &document)).collect())
});

fn offer(declared: &Declared, document: &Document) -> Option<Offer> {
    let operation = document.operation(declared.operation)?;
    let input = Arc::new(document.input(&operation));
    let output = Arc::new(document.output(&operation));
    let tool = Tool::new(declared.name, declared.description, input)
        .with_title(declared.title)
        .with_raw_output_schema(output)
        .with_annotations(annotations(declared));
    Some(Offer { tool, operation })
}

fn annotations(declared: &Declared) -> ToolAnnotations {
    let (reads, destroys, repeats, open) = match declared.effect {
        Effect::Reads => (true, false, true, false),
        Effect::Adds => (false, false, false, false),
        // A second call takes back what the first one gave.
        Effect::Toggles => (false, true, false, false),
        // An image that was uploaded for it is gone afterwards.
        Effect::AddsAndAsksPages => (false, true, false, true),
        Effect::Replaces => (false, true, true, false),
        Effect::Publishes => (false, true, true, true),
    };
    ToolAnnotations::with_title(declared.title)
        .read_only(reads)
        .destructive(destroys)
        .idempotent(repeats)
        .open_world(open)
}

impl Catalogue {
    /// The tools of this service.
    pub fn get() -> &'static Self {
        &CATALOGUE
    }

    /// The tool of this name.
    pub fn offer(&self, name: &str) -> Option<&Offer> {
        self.0.iter().find(|offer| offer.tool.name == name)
    }

    /// The tools that a token with these scopes can call.
    pub fn granted(&self, scopes: &Value) -> Vec<Tool> {
        let granted = |scope: &String| {
            scopes.as_array().into_iter().flatten().any(|granted| granted == scope.as_str())
        };
        let open = self.0.iter().filter(|offer| offer.operation.scopes.iter().all(granted));
        open.map(|offer| offer.tool.clone()).collect()
    }
}
