//! The idempotency key of a tool call that names none.
//!
//! A message that arrives twice, since a connection broke or something on the way repeated it, is one
//! operation; the same arguments in a new message are another one. A message is known by its identifier, which
//! clients count up from the beginning of each conversation, and by all that it says. The conversation is known
//! by the name that the server gave it. The newest revision has no conversations; there, time stands in: a
//! repetition counts as one for [`SESSIONLESS_LIFETIME`] after the first, or as long as the operation goes on, and a client that
//! starts anew and asks for the very same thing under the same number in that time gets the first result again.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// How long a message that belongs to no conversation is known again.
pub(crate) const SESSIONLESS_LIFETIME: Duration = Duration::from_secs(600);

/// What is known of a message beside its arguments.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    /// The client that the token was made out to.
    pub client: &'a str,
    /// The conversation's name, if it has one.
    pub session: Option<&'a str>,
    /// Its identifier.
    pub id: Value,
    /// What goes with it: tokens of progress and tracing, the client's name.
    pub meta: Value,
}

/// The key for a call of `tool`.
pub(crate) fn derived(message: Message<'_>, tool: &str, arguments: &Value) -> String {
    let Message { client, session, id, meta } = message;
    let said = json!([client, session, id, meta, tool, arguments]).to_string();
    format!("mcp-{}", BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(said)[..24]))
}
