//! A text, prepared for the rules.

use std::ops::Range;

use crate::Reason;
use crate::normalization::NormalizedText;
use crate::words::Words;

/// A field of an item.
pub(crate) struct Field<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its text.
    pub(crate) text: &'a str,
    /// The text in lower case without accents, code point for code point.
    pub(crate) folded: String,
    /// The text without disguises; if it has digits in words, also with letters in their place.
    pub(crate) readings: Vec<NormalizedText>,
    /// The item's title, folded; the subject of the text.
    pub(crate) title: String,
}

/// A match of a rule, in code points.
pub(crate) struct Hit {
    pub(crate) rule_id: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) message: &'static str,
}

impl Hit {
    /// As a reason, found in the field of this name.
    pub(crate) fn in_field(self, field: &str) -> Reason {
        let Self { rule_id, start, end, message } = self;
        let (rule_id, message) = (rule_id.to_owned(), message.to_owned());
        Reason { rule_id, field: field.to_owned(), start, end, message }
    }
}

/// Longest sentence in bytes. A longer one is split, so that distant words are not combined.
const LONGEST_SENTENCE: usize = 400;

impl<'a> Field<'a> {
    pub(crate) fn new(name: &'a str, text: &'a str, title: &str) -> Self {
        let folded = fold(text);
        let plain = NormalizedText::new(text, &folded);
        let readings = plain.figures_as_letters().into_iter();
        let readings = std::iter::once(plain).chain(readings).collect();
        Self { name, text, folded, readings, title: fold(title) }
    }

    /// A hit at a byte range of the text.
    pub(crate) fn hit(
        &self,
        rule_id: &'static str,
        bytes: Range<usize>,
        message: &'static str,
    ) -> Hit {
        hit(self.text, rule_id, bytes, message)
    }

    /// A hit at a byte range of the folded text.
    pub(crate) fn folded_hit(
        &self,
        rule_id: &'static str,
        bytes: Range<usize>,
        message: &'static str,
    ) -> Hit {
        hit(&self.folded, rule_id, bytes, message)
    }

    /// Byte ranges of the folded text's sentences, in order and without gaps.
    pub(crate) fn sentences(&self) -> Vec<Range<usize>> {
        sentences(&self.folded)
    }

    /// Whether one of `words` is in the title.
    pub(crate) fn titled(&self, words: &Words) -> bool {
        words.are_in(&self.title)
    }
}

/// Byte ranges of the sentences of a text, in order and without gaps.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, character) in text.char_indices() {
        let over = at - start >= LONGEST_SENTENCE;
        if (ended && character.is_whitespace()) || character == '\n' || over {
            sentences.push(start..at);
            start = at;
        }
        ended = matches!(character, '.' | '!' | '?' | ';' | '。' | '！' | '？');
    }
    sentences.push(start..text.len());
    sentences
}

fn hit(text: &str, rule_id: &'static str, bytes: Range<usize>, message: &'static str) -> Hit {
    let start = text[..bytes.start].chars().count();
    Hit { rule_id, start, end: start + text[bytes].chars().count(), message }
}

/// Lower case without accents, code point for code point, so that offsets stay valid.
pub(crate) fn fold(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            'a'..='z' | '0'..='9' | ' ' => character,
            'A'..='Z' => character.to_ascii_lowercase(),
            'à'..='å' | 'À'..='Å' | 'ā' | 'ă' | 'ą' => 'a',
            'ç' | 'Ç' | 'ć' | 'č' => 'c',
            'è'..='ë' | 'È'..='Ë' | 'ē' | 'ę' | 'ě' => 'e',
            'ì'..='ï' | 'Ì'..='Ï' => 'i',
            'ñ' | 'Ñ' | 'ń' => 'n',
            'ò'..='ö' | 'Ò'..='Ö' | 'ø' | 'Ø' => 'o',
            'ß' | 'ś' | 'š' => 's',
            'ù'..='ü' | 'Ù'..='Ü' | 'ů' => 'u',
            '’' | '‘' | '`' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            '\u{a0}' | '\u{2009}' | '\u{202f}' => ' ',
            // Full-width forms are Latin letters of another width.
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0)
                .map_or(character, |narrow| narrow.to_ascii_lowercase()),
            _ => character,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_the_number_of_code_points() {
        for text in ["Écris ça", "Straße ÄÖÜ", "ＨＥＬＬＯ", "İstanbul ǅ 👩‍👧", ""]
        {
            assert_eq!(fold(text).chars().count(), text.chars().count(), "{text}");
        }
        assert_eq!(fold("Écris une ＢＯＭＢＥ à Straße"), "ecris une bombe a strase");
    }

    #[test]
    fn sentences_cover_the_text_without_gaps() {
        let long = "word ".repeat(400);
        for text in ["One. Two! Three", "a.b c\nd", "", "é".repeat(900).as_str(), &long] {
            let field = Field::new("promptText", text, "");
            let sentences = field.sentences();
            assert_eq!(sentences[0].start, 0);
            assert_eq!(sentences[sentences.len() - 1].end, field.folded.len());
            assert!(sentences.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(sentences.iter().all(|sentence| sentence.len() <= LONGEST_SENTENCE + 4));
        }
    }
}
