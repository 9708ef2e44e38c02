//! Reading HTML.
//!
//! Only the tokenizer of a parser is used: building the standard's tree takes quadratic time for elements
//! that are nested deeply. What a reader needs of the tree, which elements are open, is kept here on a stack,
//! with the ends that HTML lets authors leave out.

use std::collections::HashMap;

use html5gum::{HtmlString, StartTag, State, Token, Tokenizer};

use super::blocks::Blocks;
use super::elements::{attribute, is_block, is_hidden, is_navigation, is_unread, is_void};
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
    while let Some(Ok(token)) = tokens.next() {
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
        if reader.shown.is_full() {
            break;
        }
    }
    reader.finish()
}

fn name(raw: &HtmlString) -> String {
    String::from_utf8_lossy(raw).to_ascii_lowercase()
}

/// An open element.
#[derive(Debug)]
struct Open {
    name: String,
    hidden: bool,
    /// Part of navigation, or of what stands below the page.
    aside: bool,
    linked: bool,
    role: BlockRole,
}

#[derive(Debug, Default)]
struct Reader {
    open: Vec<Open>,
    /// How many elements of each name are open: an end tag without a start must not search the whole stack.
    count: HashMap<String, usize>,
    /// What the page shows.
    shown: Blocks,
    /// What its navigation shows.
    aside: Blocks,
    title: Option<String>,
    og_title: Option<String>,
    description: Option<String>,
    og_description: Option<String>,
    language: Option<String>,
    /// Whether the text of the document's title is being read.
    in_title: bool,
}

impl Reader {
    /// Takes a start tag; the state is the one in which the element's content must be read.
    fn start(&mut self, tag: &StartTag<()>) -> Option<State> {
        let name = name(&tag.name);
        if self.is_foreign() {
            if !is_block(&name) {
                if !tag.self_closing {
                    self.push(name, true, false, false, BlockRole::Paragraph);
                }
                return None;
            }
            // HTML's own elements end a drawing that was left open.
            while self.is_foreign() {
                self.pop_through("svg");
            }
        }
        self.imply_ends(&name);
        match name.as_str() {
            "meta" => self.meta(tag),
            "html" | "body" if self.language.is_none() => {
                self.language = attribute(&tag.attributes, "lang")
                    .or_else(|| attribute(&tag.attributes, "xml:lang"))
                    .filter(|tag| !tag.is_empty())
                    .map(cut);
            }
            "input" => self.input(tag),
            "br" => self.blocks().separate(),
            _ => {}
        }
        if is_block(&name) {
            self.boundary(&name);
        }
        if is_void(&name) {
            return None;
        }
        let outside = !self.top().is_some_and(|open| open.hidden);
        if name == "title" && outside && self.title.is_none() {
            self.in_title = true;
            self.title = Some(String::new());
        }
        let hidden = is_hidden(&name, &tag.attributes) || is_unread(&name);
        // The footer of an article or section belongs to it.
        let within = |name: &str| self.count.get(name).is_some_and(|count| *count > 0);
        let aside = is_navigation(&name, &tag.attributes)
            && !(name == "footer" && ["article", "section", "main"].into_iter().any(within));
        let pressed = name == "button"
            || attribute(&tag.attributes, "role")
                .is_some_and(|role| role.eq_ignore_ascii_case("button"));
        let linked = name == "a" || pressed;
        if linked && outside {
            self.blocks().begin_link();
        }
        let inherited = self.top().map_or(BlockRole::Paragraph, |open| open.role);
        let role = match name.as_str() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                BlockRole::Heading(name.as_bytes()[1] - b'0')
            }
            "li" | "dt" | "dd" => BlockRole::ListItem,
            "tr" => BlockRole::TableRow,
            "label" | "legend" => BlockRole::Field,
            "button" => BlockRole::Action,
            "table" | "ul" | "ol" | "dl" | "article" | "section" | "form" => BlockRole::Paragraph,
            // Blocks within a cell are a layout, not a table.
            other
                if inherited == BlockRole::TableRow
                    && is_block(other)
                    && !matches!(other, "td" | "th") =>
            {
                BlockRole::Paragraph
            }
            _ => inherited,
        };
        let state = match name.as_str() {
            "textarea" | "title" => Some(State::RcData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
                Some(State::RawText)
            }
            "script" => Some(State::ScriptData),
            "plaintext" => Some(State::PlainText),
            _ => None,
        };
        self.push(name, hidden, aside, linked, role);
        state
    }

    fn end(&mut self, name: &str) {
        if name == "title" {
            self.in_title = false;
        }
        if name == "br" || name == "p" {
            self.boundary(name);
        }
        if self.count.get(name).is_none_or(|count| *count == 0) {
            return;
        }
        if is_block(name) {
            self.boundary(name);
            self.pop_through(name);
        } else if let Some(depth) = self.near(|open| open.name == name, |open| is_block(&open.name))
        {
            self.pop(depth);
        } else if is_unread(name) {
            self.pop_through(name);
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            if let Some(title) = &mut self.title
                && title.len() < 4 * LONGEST_META
            {
                title.push_str(text);
            }
            return;
        }
        match self.top() {
            Some(open) if open.hidden => {}
            top => {
                let linked = top.is_some_and(|open| open.linked);
                self.blocks().push(text, linked);
            }
        }
    }

    fn finish(mut self) -> Page {
        self.boundary("html");
        let shown = self.shown.finish();
        let blocks = if shown.is_empty() { self.aside.finish() } else { shown };
        let text = |value: Option<String>| value.map(cut).filter(|value| !value.is_empty());
        Page {
            url: String::new(),
            title: text(self.title).or_else(|| text(self.og_title)),
            description: text(self.description).or_else(|| text(self.og_description)),
            language: text(self.language),
            blocks,
        }
    }

    fn top(&self) -> Option<&Open> {
        self.open.last()
    }

    fn is_foreign(&self) -> bool {
        self.count.get("svg").is_some_and(|count| *count > 0)
    }

    fn blocks(&mut self) -> &mut Blocks {
        if self.top().is_some_and(|open| open.aside) { &mut self.aside } else { &mut self.shown }
    }

    /// Ends the block that is open where an element begins or ends.
    fn boundary(&mut self, name: &str) {
        let (role, hidden) =
            self.top().map_or((BlockRole::Paragraph, false), |open| (open.role, open.hidden));
        if hidden {
            return;
        }
        if role == BlockRole::TableRow && matches!(name, "td" | "th") {
            self.blocks().next_cell();
            return;
        }
        let ended = self.blocks().end(role);
        // Only the first block of an item is the item; what follows it are paragraphs.
        if ended && role == BlockRole::ListItem {
            let within = self.open.iter_mut().rev().take(NEAR);
            for open in within.take_while(|open| open.role == BlockRole::ListItem) {
                open.role = BlockRole::Paragraph;
            }
        }
    }

    fn push(&mut self, name: String, hidden: bool, aside: bool, linked: bool, role: BlockRole) {
        let top = self.top();
        let hidden = hidden || top.is_some_and(|open| open.hidden);
        let aside = aside || top.is_some_and(|open| open.aside);
        let linked = linked || top.is_some_and(|open| open.linked);
        *self.count.entry(name.clone()).or_default() += 1;
        self.open.push(Open { name, hidden, aside, linked, role });
    }

    /// Closes elements until `depth` are open.
    fn pop(&mut self, depth: usize) {
        for open in self.open.drain(depth..) {
            if let Some(count) = self.count.get_mut(&open.name) {
                *count -= 1;
            }
        }
    }

    /// Closes elements up to the innermost one of that name, which is open.
    fn pop_through(&mut self, name: &str) {
        if let Some(depth) = self.open.iter().rposition(|open| open.name == name) {
            self.pop(depth);
        }
    }

    /// Depth of the innermost element that is `wanted`, if no `limit` and not too many others are above it.
    fn near(&self, wanted: impl Fn(&Open) -> bool, limit: impl Fn(&Open) -> bool) -> Option<usize> {
        for (depth, open) in self.open.iter().enumerate().rev().take(NEAR) {
            if wanted(open) {
                return Some(depth);
            }
            if limit(open) {
                return None;
            }
        }
        None
    }

    /// Ends the elements that the start of another one ends without a tag.
    fn imply_ends(&mut self, name: &str) {
        let (siblings, parents): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "menu", "dir"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tr" => (&["tr"], &["table"]),
            "thead" | "tbody" | "tfoot" => (&["thead", "tbody", "tfoot", "caption"], &["table"]),
            "option" | "optgroup" => (&["option"], &["select"]),
            "body" => (&["head"], &[]),
            "a" => (&["a"], &["td", "th", "table", "li"]),
            "button" => (&["button"], &["td", "th", "table"]),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                (&["h1", "h2", "h3", "h4", "h5", "h6"], &["div", "section", "article", "li", "td"])
            }
            _ => (&[], &[]),
        };
        let is = |open: &Open, names: &[&str]| names.contains(&open.name.as_str());
        if !siblings.is_empty()
            && let Some(depth) = self.near(|open| is(open, siblings), |open| is(open, parents))
        {
            self.boundary(name);
            self.pop(depth);
        }
        if is_block(name) && !matches!(name, "button" | "label" | "select") {
            let paragraph = self.near(
                |open| open.name == "p",
                |open| is_block(&open.name) || is_unread(&open.name),
            );
            if let Some(depth) = paragraph {
                self.boundary("p");
                self.pop(depth);
            }
        }
    }

    fn meta(&mut self, tag: &StartTag<()>) {
        let Some(content) = attribute(&tag.attributes, "content") else { return };
        let key = attribute(&tag.attributes, "name")
            .or_else(|| attribute(&tag.attributes, "property"))
            .or_else(|| attribute(&tag.attributes, "http-equiv"))
            .unwrap_or_default()
            .to_ascii_lowercase();
        let place = match key.as_str() {
            "description" => &mut self.description,
            "og:title" => &mut self.og_title,
            "og:description" => &mut self.og_description,
            "content-language" => &mut self.language,
            _ => return,
        };
        if place.is_none() {
            *place = Some(cut(content));
        }
    }

    fn input(&mut self, tag: &StartTag<()>) {
        let hidden =
            self.top().is_some_and(|open| open.hidden) || is_hidden("input", &tag.attributes);
        let kind = attribute(&tag.attributes, "type").unwrap_or_default().to_ascii_lowercase();
        let (words, role) = match kind.as_str() {
            "hidden" => return,
            "submit" | "button" | "reset" => ("value", BlockRole::Action),
            _ => ("placeholder", BlockRole::Field),
        };
        let Some(words) = attribute(&tag.attributes, words).filter(|_| !hidden) else { return };
        self.boundary("input");
        self.blocks().push(&words, role == BlockRole::Action);
        self.blocks().end(role);
    }
}

/// A value on one line and of reasonable length.
fn cut(value: String) -> String {
    let words: Vec<&str> = value.split_whitespace().take(LONGEST_META).collect();
    words.join(" ").chars().take(LONGEST_META).collect()
}
