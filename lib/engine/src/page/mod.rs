//! What a visitor of a web page sees.

mod blocks;
mod charset;
mod elements;
mod html;
mod plain;

pub use blocks::{MOST_BLOCKS, MOST_CHARACTERS};
pub use plain::blocks as blocks_of;

/// The visible content of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Where it was read, after redirects.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
    /// What it says about itself to search engines.
    pub description: Option<String>,
    /// Language tag that it declares.
    pub language: Option<String>,
    /// What it shows, in order.
    pub blocks: Vec<Block>,
}

impl Page {
    /// What it shows, a line for each block.
    pub fn text(&self) -> String {
        self.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Reads a page that was served at `url` with this `Content-Type`.
    ///
    /// Of HTML it keeps what a visitor reads: no scripts, styles, templates or comments, nothing that
    /// attributes or inline styles hide, and no navigation or page footer. Stylesheets are not consulted and scripts not run. Other texts are read as Markdown. At most
    /// [`MOST_BLOCKS`] blocks with [`MOST_CHARACTERS`] characters in all are kept; what follows is left
    /// out. Takes time linear in the length and never fails: unreadable bytes give a page without blocks.
    pub fn read(url: &str, content_type: Option<&str>, bytes: &[u8]) -> Self {
        budget::spend(bytes.len());
        let text = charset::decode(bytes, content_type);
        let page =
            if is_html(content_type, &text) { html::read(&text) } else { plain::read(&text) };
        Self { url: url.to_owned(), ..page }
    }
}

/// What the header says, or for want of one, how the text begins.
fn is_html(content_type: Option<&str>, text: &str) -> bool {
    let kind = content_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    let declared = ["text/html", "application/xhtml+xml"];
    declared.iter().any(|html| kind.eq_ignore_ascii_case(html))
        || kind.is_empty()
            && text.trim_start().starts_with('<')
            && !text.trim_start().starts_with("<?php")
}

/// A piece of visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub role: BlockRole,
    /// Its text on one line, never empty.
    pub text: String,
}

/// What a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockRole {
    /// A heading of a level from 1 to 6.
    Heading(u8),
    /// Running text.
    #[default]
    Paragraph,
    /// An item of a list.
    ListItem,
    /// A row of a table.
    TableRow,
    /// Something to press.
    Action,
    /// A label or placeholder of a form's field.
    Field,
}
