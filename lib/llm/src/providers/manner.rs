//! How servers of OpenAI's chat completions want to be asked, learned from what they refuse.

use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::{Value, json};

use crate::provider::Request;

const NO_SCHEMA: u8 = 1;
const NO_FORMAT: u8 = 2;
const SCHEMA_IN_TEXT: u8 = 4;
const MAX_TOKENS: u8 = 8;
const NO_EFFORT: u8 = 16;

/// The manner that a server is known to take; at first, that of OpenAI's own.
#[derive(Debug, Default)]
pub(super) struct Learned(AtomicU8);

impl Learned {
    pub fn manner(&self) -> Manner {
        Manner(self.0.load(Ordering::Relaxed))
    }

    /// Keeps what was necessary for an answer.
    pub fn keep(&self, manner: Manner) {
        let before = self.0.fetch_or(manner.0, Ordering::Relaxed);
        if before | manner.0 != before {
            tracing::warn!(
                format = manner.format_name(),
                length = manner.length_field(),
                effort = !manner.has(NO_EFFORT),
                "the server does not take all of OpenAI's fields: from now on it is asked like this"
            );
        }
    }

    /// Gives the schema in words as well, since the server does not hold a model to it.
    pub fn put_schema_in_text(&self) {
        self.keep(Manner(SCHEMA_IN_TEXT));
    }
}

/// Which fields a request has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner(u8);

impl Manner {
    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// `response_format`, if it is sent.
    pub fn format(self, request: &Request<'_>) -> Option<Value> {
        if self.has(NO_FORMAT) {
            None
        } else if self.has(NO_SCHEMA) {
            Some(json!({"type": "json_object"}))
        } else {
            let Request { schema_name: name, schema, .. } = request;
            let schema = json!({"name": name, "strict": true, "schema": schema});
            Some(json!({"type": "json_schema", "json_schema": schema}))
        }
    }

    fn format_name(self) -> &'static str {
        match (self.has(NO_FORMAT), self.has(NO_SCHEMA)) {
            (true, _) => "none",
            (false, true) => "json_object",
            (false, false) => "json_schema",
        }
    }

    /// The end of the system message, where the server enforces no schema.
    pub fn schema_in_text(self, request: &Request<'_>) -> String {
        if !self.has(SCHEMA_IN_TEXT) {
            return String::new();
        }
        let schema = request.schema;
        format!(
            "\n\n# The form of the answer\nOne JSON object, and nothing else, that is valid under this JSON schema:\n{schema}"
        )
    }

    /// The field with the longest answer.
    pub fn length_field(self) -> &'static str {
        if self.has(MAX_TOKENS) { "max_tokens" } else { "max_completion_tokens" }
    }

    /// Whether the effort is sent, if one is set.
    pub fn sends_effort(self) -> bool {
        !self.has(NO_EFFORT)
    }

    /// The manner without what an answer of this status refuses: the field that its body names first. `None` if the
    /// refusal is not about a field that can be left out.
    pub fn without_refused(self, status: u16, body: &str) -> Option<Self> {
        if !matches!(status, 400 | 422) {
            return None;
        }
        let body = body.to_lowercase();
        let format = if self.has(NO_SCHEMA) { NO_FORMAT } else { NO_SCHEMA };
        let fields: [(u8, &[&str]); 3] = [
            // Ollama has another name for the effort.
            (NO_EFFORT, &["reasoning_effort", "support thinking", "think value"]),
            (MAX_TOKENS, &["max_completion_tokens"]),
            (
                format,
                &["response_format", "response format", "json_schema", "json schema", "grammar"],
            ),
        ];
        let first = |names: &[&str]| names.iter().filter_map(|name| body.find(name)).min();
        let named = fields.iter().filter(|(bit, _)| !self.has(*bit));
        let (_, bit) = named.filter_map(|(bit, names)| Some((first(names)?, *bit))).min()?;
        let in_text = if bit == format { SCHEMA_IN_TEXT } else { 0 };
        Some(Self(self.0 | bit | in_text))
    }
}
