//! Counts the structure of a text or page.

use engine::{
    Heading,
    page::{BlockRole, Page},
};
use serde_json::json;

use crate::data::Block;

/// Most headings that are listed.
const MOST: usize = 40;

/// The figures of a text or page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub words: u32,
    pub sentences: u32,
    pub paragraphs: u32,
    pub list_items: u32,
    pub headings: Vec<Heading>,
}

impl Figures {
    /// The figures of a text; headings and lists are recognized by Markdown. A blank line, a
    /// heading or a list item ends a paragraph.
    pub fn of_text(text: &str) -> Self {
        let mut figures = Self::default();
        let mut in_paragraph = false;
        for line in text.lines().map(str::trim) {
            let begins_paragraph = !in_paragraph;
            in_paragraph = false;
            if let Some((level, heading)) = heading(line) {
                figures.words += words(heading);
                figures.add_heading(level, heading);
                continue;
            }
            let item = list_item(line);
            let plain = item.unwrap_or(line);
            figures.words += words(plain);
            figures.sentences += sentence_ends(plain);
            if item.is_some() {
                figures.list_items += 1;
            } else if !line.is_empty() {
                figures.paragraphs += u32::from(begins_paragraph);
                in_paragraph = true;
            }
        }
        if figures.words > 0 {
            figures.sentences = figures.sentences.max(1);
        }
        figures
    }

    /// The figures of a page.
    pub fn of_page(page: &Page) -> Self {
        let mut figures = Self::default();
        for block in &page.blocks {
            figures.words += words(&block.text);
            match block.role {
                BlockRole::Heading(level) => figures.add_heading(level, &block.text),
                BlockRole::Paragraph => {
                    figures.paragraphs += 1;
                    figures.sentences += sentence_ends(&block.text).max(1);
                }
                BlockRole::ListItem => figures.list_items += 1,
                BlockRole::TableRow | BlockRole::Action | BlockRole::Field => {}
            }
        }
        figures
    }

    /// The figures for a model.
    pub fn block(&self) -> Block {
        let Self { words, sentences, paragraphs, list_items, headings } = self;
        let figures = json!({
            "words": words,
            "sentences": sentences,
            "paragraphs": paragraphs,
            "listItems": list_items,
            "headings": headings.len(),
        });
        Block::new("measured", figures.to_string())
    }

    fn add_heading(&mut self, level: u8, text: &str) {
        if self.headings.len() < MOST {
            self.headings.push(Heading { level: level.clamp(1, 6), text: text.to_owned() });
        }
    }
}

/// The level and text of a heading in Markdown.
fn heading(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start_matches('#');
    let level =
        u8::try_from(line.len() - text.len()).ok().filter(|level| (1..=6).contains(level))?;
    let spaced = text.starts_with([' ', '\t']);
    spaced.then(|| (level, text.trim_end_matches('#').trim()))
}

/// The text of a list item.
fn list_item(line: &str) -> Option<&str> {
    let text = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (behind.len() < line.len()).then(|| behind.strip_prefix(['.', ')'])).flatten()
    })?;
    text.starts_with([' ', '\t']).then(|| text.trim())
}

/// Runs of marks that end a sentence before whitespace, a closing quote or the end; those of East
/// Asian scripts count anywhere. The end of a line does not end a sentence.
fn sentence_ends(text: &str) -> u32 {
    let mut count = 0;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek();
        let wide = matches!(c, '。' | '！' | '？' | '।' | '۔' | '؟');
        let narrow = matches!(c, '.' | '!' | '?' | '…')
            && next.is_none_or(|next| {
                next.is_whitespace() || matches!(next, '"' | '\'' | '”' | '’' | '»' | ')')
            });
        if wide || narrow {
            count += 1;
        }
    }
    count
}

/// Number of words; in scripts without spaces, of characters.
fn words(text: &str) -> u32 {
    let mut count = 0;
    let mut in_word = false;
    for c in text.chars() {
        if is_unspaced(c) {
            count += 1;
            in_word = false;
        } else if c.is_alphanumeric() {
            count += u32::from(!in_word);
            in_word = true;
        } else if !matches!(c, '\'' | '’' | '-' | '_') && !is_mark(c) {
            in_word = false;
        }
    }
    count
}

/// Han, kana, Thai, Lao, Burmese and Khmer.
fn is_unspaced(c: char) -> bool {
    c.is_alphabetic()
        && matches!(c,
            '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
            | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Combining marks and joiners, which belong to words.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}')
}

#[cfg(test)]
mod tests {
    use engine::page::Block;

    use super::*;

    #[test]
    fn a_text_is_counted_by_its_marks() {
        let figures = Figures::of_text(
            "# Coffee at home\n\nGrind the beans. Boil water!\nWait four minutes.\n\n- cup\n- kettle\n1. pour\n\nDone?",
        );
        assert_eq!(figures.words, 15);
        assert_eq!((figures.sentences, figures.paragraphs, figures.list_items), (4, 2, 3));
        assert_eq!(figures.headings, [Heading { level: 1, text: "Coffee at home".to_owned() }]);
    }

    #[test]
    fn words_are_characters_where_none_are_written_apart() {
        assert_eq!(words("東京は大きい。"), 6);
        assert_eq!(words("it's a well-known café"), 4);
        assert_eq!(Figures::of_text("東京は大きい。人が多い。").sentences, 2);
    }

    #[test]
    fn a_page_is_counted_by_its_roles() {
        let block = |role, text: &str| Block { role, text: text.to_owned() };
        let page = Page {
            blocks: vec![
                block(BlockRole::Heading(2), "Prices"),
                block(BlockRole::Paragraph, "Pay by month. Leave at any time."),
                block(BlockRole::ListItem, "No fees"),
                block(BlockRole::Action, "Start now"),
            ],
            ..Page::default()
        };
        let figures = Figures::of_page(&page);
        assert_eq!((figures.words, figures.sentences), (12, 2));
        assert_eq!((figures.paragraphs, figures.list_items), (1, 1));
        assert_eq!(figures.headings.len(), 1);
    }
}
