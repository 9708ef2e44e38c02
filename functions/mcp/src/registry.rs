//! The tools and everything derived for them, built once per process.

use std::sync::{Arc, LazyLock};

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use crate::{
    declarations::{Effect, TOOLS, ToolDeclaration},
    provenance::Source,
    schema::{Document, Operation},
};

/// The checked-in API document; a test compares it with the routers' declarations.
const DOCUMENT: &str = include_str!("../../../infra/openapi.json");

/// A tool and the operation that it calls.
#[derive(Debug)]
pub(crate) struct ApiTool {
    pub tool: Tool,
    pub operation: Operation,
    /// Whose texts its results may have.
    pub source: Option<Source>,
}

/// Every tool.
#[derive(Debug)]
pub(crate) struct ToolRegistry(Vec<ApiTool>);

static REGISTRY: LazyLock<ToolRegistry> = LazyLock::new(|| {
    let document = Document::parse(DOCUMENT);
    // Tools without an operation are dropped; a test compares the registry with the declarations.
    ToolRegistry(TOOLS.iter().filter_map(|declared| tool(declared, &document)).collect())
});

fn tool(declared: &ToolDeclaration, document: &Document) -> Option<ApiTool> {
    let operation = document.operation(declared.operation)?;
    let input = Arc::new(document.input(&operation, declared));
    let source = Source::of(declared.operation);
    let mut output = document.output(&operation);
    if source.is_some() {
        Source::declare(&mut output);
    }
    let tool = Tool::new(declared.name, declared.description, input)
        .with_title(declared.title)
        .with_raw_output_schema(Arc::new(output))
        .with_annotations(annotations(declared, source));
    Some(ApiTool { tool, operation, source })
}

fn annotations(declared: &ToolDeclaration, source: Option<Source>) -> ToolAnnotations {
    let (reads, destroys, repeats, publishes) = match declared.effect {
        Effect::Reads => (true, false, true, false),
        Effect::Adds => (false, false, false, false),
        // A second call reverts the first one.
        Effect::Toggles => (false, true, false, false),
        // It consumes an uploaded image.
        Effect::AddsAndTakes => (false, true, false, false),
        Effect::Replaces => (false, true, true, false),
        Effect::Publishes => (false, true, true, true),
    };
    let annotations =
        ToolAnnotations::new().read_only(reads).open_world(publishes || source.is_some());
    // The other two say something only about tools that change something.
    if reads { annotations } else { annotations.destructive(destroys).idempotent(repeats) }
}

impl ToolRegistry {
    /// The tools of this service.
    pub fn get() -> &'static Self {
        &REGISTRY
    }

    /// The tool of this name.
    pub fn tool(&self, name: &str) -> Option<&ApiTool> {
        self.0.iter().find(|tool| tool.tool.name == name)
    }

    /// The tools that a token with these scopes can call.
    pub fn granted(&self, scopes: &Value) -> Vec<Tool> {
        let granted = |scope: &String| {
            scopes.as_array().into_iter().flatten().any(|granted| granted == scope.as_str())
        };
        let open = self.0.iter().filter(|tool| tool.operation.scopes.iter().all(granted));
        open.map(|tool| tool.tool.clone()).collect()
    }
}
