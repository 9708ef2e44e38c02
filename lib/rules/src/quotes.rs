//! Words that must come through letter by letter: lettering in pictures, spoken lines, code.

use std::collections::HashSet;

use patterns::pattern;
use text::literals::scan;

/// First of the characters that stand for quotations; they mean nothing in text.
const FIRST: u32 = 0xE000;
/// Most quotations that are kept apart.
const MOST: usize = 100;
/// Bytes before a quotation that tell what it is.
const NEAR: usize = 60;

/// What a quotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To be read in the picture.
    Lettering,
    /// To be spoken.
    Dialogue,
    /// Code, kept with its marks.
    Code,
}

#[derive(Debug)]
struct Quote {
    kind: Kind,
    words: String,
    original: String,
}

/// The quotations of a text, each replaced by one character while the text around it is worked on.
#[derive(Debug, Default)]
pub struct Quotes {
    list: Vec<Quote>,
}

impl Quotes {
    /// Replaces the quotations of a text, in whatever marks, and lettering that its capitals set apart: "a sign that says
    /// OPEN 24 HOURS". In a clip, what somebody says is spoken.
    pub fn mask(text: &str, moving: bool) -> (String, Self) {
        let mut quotes = Self::default();
        if text.chars().any(|c| (FIRST..FIRST + 0x1900).contains(&u32::from(c))) {
            return (text.to_owned(), quotes);
        }
        let kind = |start: usize| match moving && is_speech(text::tail(&text[..start], NEAR)) {
            true => Kind::Dialogue,
            false => Kind::Lettering,
        };
        let literals = scan(text);
        let code = literals.code.iter().map(|code| (code.clone(), code.clone(), Kind::Code));
        let quoted = literals.quotations.iter().zip(&literals.quoted);
        let quoted = quoted.map(|(whole, inner)| (whole.clone(), inner.clone(), kind(whole.start)));
        let mut places: Vec<_> = code.chain(quoted).collect();
        let capitals = pattern!(
            r"\b(?:(?i:{quotes.lettering_follows})):?\s+(?P<v>[\p{Lu}0-9][\w'’&%:-]*(?:\s+(?:[\p{Lu}0-9&][\w'’&%:-]*\b|{quotes.joining} [\p{Lu}0-9][\w'’&%:-]*))*[!?]?)"
        );
        for found in capitals.captures_iter(text).filter_map(|found| found.name("v")) {
            let range = found.range();
            if !places.iter().any(|(one, ..)| one.start < range.end && range.start < one.end) {
                places.push((range.clone(), range.clone(), kind(range.start)));
            }
        }
        if places.len() > MOST {
            return (text.to_owned(), quotes);
        }
        places.sort_by_key(|(whole, ..)| whole.start);
        let (mut masked, mut end) = (String::with_capacity(text.len()), 0);
        for (whole, inner, kind) in places {
            // A mark of a quotation may stand in code.
            if whole.start < end {
                continue;
            }
            masked.push_str(&text[end..whole.start]);
            let index = u32::try_from(quotes.list.len()).unwrap_or(0);
            masked.push(char::from_u32(FIRST + index).unwrap_or(char::REPLACEMENT_CHARACTER));
            let (words, original) = (text[inner].trim().to_owned(), text[whole.clone()].to_owned());
            quotes.list.push(Quote { kind, words, original });
            end = whole.end;
        }
        masked.push_str(&text[end..]);
        (masked, quotes)
    }

    /// The text with its quotations in straight double quotes.
    pub fn unmask(&self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        for character in text.chars() {
            let index = u32::from(character).checked_sub(FIRST);
            match index.and_then(|at| self.list.get(at as usize)) {
                Some(quote) if quote.kind == Kind::Code => result.push_str(&quote.original),
                Some(quote) => result.push_str(&format!("\"{}\"", quote.words)),
                None => result.push(character),
            }
        }
        result
    }

    /// The words of one kind, each once, in order.
    pub fn of(&self, kind: Kind) -> Vec<String> {
        let mut seen = HashSet::new();
        let own = self.list.iter().filter(|quote| quote.kind == kind);
        own.map(|quote| quote.words.clone()).filter(|words| seen.insert(words.clone())).collect()
    }
}

/// Whether a character stands for a quotation.
pub fn is_mark(character: char) -> bool {
    (FIRST..FIRST + MOST as u32).contains(&u32::from(character))
}

/// Whether words before a quotation say that somebody speaks it, and no sign.
fn is_speech(before: &str) -> bool {
    let sign =
        pattern!(r"(?i)\b{quotes.sign_with_words}s?,?(?: {quotes.that})? {quotes.says}\b[^.\n]*$");
    pattern!(r"(?i)\b{quotes.speech}\b[^.\n]*$").is_match(before) && !sign.is_match(before)
        || before.trim_end().ends_with("と言")
}
