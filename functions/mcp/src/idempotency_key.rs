//! The idempotency key of a tool call that has none.
//!
//! A message that arrives twice, because a connection broke or a proxy repeated it, is one
//! operation; the same arguments in a new message are another one. A message is identified by its
//! id, which clients count up from the start of each session, and by its content. The session is
//! identified by the name that the server gave it. The newest protocol revision has no sessions;
//! there, a repetition counts as the same message for [`SESSIONLESS_LIFETIME`] after the first, or
//! while the operation runs. A client that restarts and sends the very same message with the same
//! id in that time gets the first result again.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// How long a message without a session is recognised.
pub(crate) const SESSIONLESS_LIFETIME: Duration = Duration::from_secs(600);

/// Everything about a message except its arguments.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    /// The client that the token was issued to.
    pub client: &'a str,
    /// Name of the session, if there is one.
    pub session: Option<&'a str>,
    /// Its identifier.
    pub id: Value,
    /// Other metadata: tokens of progress and tracing, the client's name.
    pub meta: Value,
}

/// The key for a call of `tool`.
pub(crate) fn derived(message: Message<'_>, tool: &str, arguments: &Value) -> String {
    let Message { client, session, id, meta } = message;
    let said = json!([client, session, id, meta, tool, arguments]).to_string();
    format!("mcp-{}", BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(said)[..24]))
}
