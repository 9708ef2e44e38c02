//! Reading HTML.
//!
//! Only the tokenizer of a parser is used: building the standard's tree takes quadratic time for elements
//! that are nested deeply. What a reader needs of the tree, which elements are open, is kept here on a stack,
//! with the ends that HTML lets authors leave out.

use std::collections::HashMap;

use html5gum::{HtmlString, StartTag, State, Token, Tokenizer};

use super::blocks::Blocks;
use super::elements::{BLOCKS, UNREAD, VOID, attribute, has, is_hidden, is_navigation, is_one};
use super::{BlockRole, Page};

/// How many open elements are looked through for one that a tag ends; well-formed pages need a few.
const NEAR: usize = 64;
/// Steps that it takes to find a tag and what it ends, and to keep a byte of a text.
const STEPS_A_TOKEN: usize = 256;
const STEPS_A_BYTE: usize = 8;
/// Longest title, description or language tag that is kept, in characters.
const LONGEST_META: usize = 1000;

/// Reads a page.
pub fn read(text: &str) -> Page {
    let mut reader = Reader::default();
    let mut tokens = Tokenizer::new(text);
    while let Some(Ok(token)) = tokens.next()
        && !reader.shown.is_full()
    {
        budget::spend(STEPS_A_TOKEN);
        match token {
            Token::StartTag(tag) => {
                if let Some(state) = reader.start(&tag) {
                    tokens.set_state(state);
                }
            }
            Token::EndTag(tag) => reader.end(&name(&tag.name)),
            Token::String(text) => {
                budget::spend(STEPS_A_BYTE * text.len());
                reader.text(&String::from_utf8_lossy(&text));
            }
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    reader.finish()
}

fn name(raw: &HtmlString) -> String {
    String::from_utf8_lossy(raw).to_ascii_lowercase()
}

/// What the open elements make of a text.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    hidden: bool,
    role: BlockRole,
}

#[derive(Debug, Default)]
struct Reader {
    /// The open elements, and what they and those around them make of a text.
    open: Vec<(String, Place)>,
    /// How many elements of each name are open: an end tag without a start must not search the whole stack.
    count: HashMap<String, usize>,
    /// What the page shows.
    shown: Blocks,
    /// What the page says about itself.
    page: Page,
    /// Whether the text of the document's title is being read.
    in_title: bool,
    /// Whether a link has just ended.
    behind_link: bool,
}

impl Reader {
    /// Takes a start tag; the state is the one in which the element's content must be read.
    fn start(&mut self, tag: &StartTag<()>) -> Option<State> {
        let (name, attributes) = (name(&tag.name), &tag.attributes);
        let is_block = is_one(BLOCKS, &name);
        // HTML's own elements end a drawing that was left open; the others of a drawing are not read.
        while is_block && self.close(&["svg"], true) {}
        if self.is_open("svg") && name != "svg" {
            return None;
        }
        while self.close(ended_by(&name), false) {}
        if is_block {
            self.boundary(&name);
        }
        let around = self.place();
        let hidden = around.hidden || is_hidden(&name, attributes);
        let describes =
            has(attributes, "name", "description") || has(attributes, "property", "og:description");
        match name.as_str() {
            "meta" if describes && self.page.description.is_none() => {
                self.page.description = attribute(attributes, "content");
            }
            "html" | "body" if self.page.language.is_none() => {
                self.page.language = attribute(attributes, "lang");
            }
            "title" => self.in_title = !hidden && self.page.title.is_none(),
            "br" => self.shown.push(" "),
            "a" if self.behind_link => self.shown.push(" "),
            _ => {}
        }
        if is_one(VOID, &name) || name == "svg" && tag.self_closing {
            return None;
        }
        let place = Place {
            hidden: hidden || is_one(UNREAD, &name) || is_navigation(&name, attributes),
            role: role(&name, around.role, is_block),
        };
        let state = content(&name);
        *self.count.entry(name.clone()).or_default() += 1;
        self.open.push((name, place));
        state
    }

    fn end(&mut self, name: &str) {
        self.in_title &= name != "title";
        self.behind_link = name == "a";
        let is_block = is_one(BLOCKS, name);
        if is_block || name == "svg" || !self.is_open("svg") {
            self.close(&[name], is_block || is_one(UNREAD, name));
        }
    }

    fn text(&mut self, text: &str) {
        let place = self.place();
        self.behind_link = false;
        if self.in_title {
            self.page.title.get_or_insert_default().push_str(text);
        } else if !place.hidden {
            self.shown.push(text);
        }
    }

    fn finish(mut self) -> Page {
        self.boundary("html");
        self.page.blocks = self.shown.finish();
        let page = &mut self.page;
        for value in [&mut page.title, &mut page.description, &mut page.language] {
            *value = value.take().map(|value| cut(&value)).filter(|value| !value.is_empty());
        }
        self.page
    }

    fn place(&self) -> Place {
        self.open.last().map_or_else(Place::default, |(_, place)| *place)
    }

    fn is_open(&self, name: &str) -> bool {
        self.count.get(name).is_some_and(|count| *count > 0)
    }

    /// Ends the block that is open where an element begins or ends.
    fn boundary(&mut self, name: &str) {
        let Place { hidden, role, .. } = self.place();
        if hidden {
            return;
        }
        if role == BlockRole::TableRow && matches!(name, "td" | "th") {
            self.shown.next_cell();
        } else {
            self.shown.end(role);
        }
    }

    /// Closes the innermost element of these names with all in it, and says whether there was one: not beyond a block,
    /// unless `through` all of them.
    fn close(&mut self, names: &[&str], through: bool) -> bool {
        if !names.iter().any(|name| self.is_open(name)) {
            return false;
        }
        let wanted = |name: &str| names.contains(&name);
        let stops = |name: &str| !through && (is_one(BLOCKS, name) || is_one(UNREAD, name));
        let mut open =
            self.open.iter().enumerate().rev().take(if through { usize::MAX } else { NEAR });
        let found = open.find(|(_, (name, _))| wanted(name) || stops(name));
        let Some((depth, (name, _))) = found.filter(|(_, (name, _))| wanted(name)) else {
            return false;
        };
        if is_one(BLOCKS, name) {
            self.boundary(&name.clone());
        }
        for (name, _) in self.open.drain(depth..) {
            self.count.entry(name).and_modify(|count| *count -= 1);
        }
        true
    }
}

/// The elements that the start of another one ends without a tag.
fn ended_by(name: &str) -> &'static [&'static str] {
    match name {
        "li" => &["p", "li"],
        "dt" | "dd" => &["p", "dt", "dd"],
        "td" | "th" => &["p", "td", "th"],
        "tr" => &["p", "td", "th", "tr"],
        "button" | "label" | "select" => &[],
        name if is_one(BLOCKS, name) => &["p"],
        _ => &[],
    }
}

/// What the text of an element is, within one of the role `around`.
fn role(name: &str, around: BlockRole, is_block: bool) -> BlockRole {
    match name {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => BlockRole::Heading(name.as_bytes()[1] - b'0'),
        "li" | "dt" | "dd" => BlockRole::ListItem,
        "tr" => BlockRole::TableRow,
        "label" | "legend" => BlockRole::Field,
        "button" => BlockRole::Action,
        "table" | "ul" | "ol" | "dl" | "article" | "section" | "form" => BlockRole::Paragraph,
        "td" | "th" => around,
        // Blocks within a cell are a layout, not a table.
        _ if is_block && around == BlockRole::TableRow => BlockRole::Paragraph,
        _ => around,
    }
}

/// How the content of an element is read that is not markup.
fn content(name: &str) -> Option<State> {
    match name {
        "textarea" | "title" => Some(State::RcData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => Some(State::RawText),
        "script" => Some(State::ScriptData),
        "plaintext" => Some(State::PlainText),
        _ => None,
    }
}

/// A value on one line and of reasonable length.
fn cut(value: &str) -> String {
    let words: Vec<&str> = value.split_whitespace().take(LONGEST_META).collect();
    words.join(" ").chars().take(LONGEST_META).collect()
}
