//! Separates the user's material from instructions.
//!
//! Every piece of material is a block, `<data-ID name="…">…</data-ID>`. The id is random for each
//! request and occurs in none of the texts, so no text can end its block or begin another. The
//! system prompt explains blocks without the id, so it is the same for every request.

use domain::{Random, random};

/// One piece of material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// What it is; from us.
    pub name: &'static str,
    /// The material; not trusted.
    pub text: String,
}

impl Block {
    /// A block named `name`.
    pub fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into() }
    }
}

/// The user's message: the id of the blocks, the blocks, and the task last.
pub(crate) fn message(blocks: &[Block], task: &str, random: &dyn Random) -> String {
    let id = id(blocks, random);
    let mut message = format!("The blocks of this request have the id {id}.\n\n");
    for Block { name, text } in blocks {
        message.push_str(&format!("<data-{id} name=\"{name}\">\n{text}\n</data-{id}>\n\n"));
    }
    message.push_str(task);
    message
}

/// 48 random bits in hexadecimal; drawn again if a text contains them. They are not secret, only new: the texts are
/// there before them.
fn id(blocks: &[Block], random: &dyn Random) -> String {
    loop {
        let id = format!("{:012x}", random::number(random) >> 16);
        if !blocks.iter().any(|block| block.text.to_ascii_lowercase().contains(&id)) {
            return id;
        }
    }
}
