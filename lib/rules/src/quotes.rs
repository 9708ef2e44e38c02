//! Words that must come through letter by letter: lettering in pictures, spoken lines, code.

use patterns::pattern;

/// First of the characters that stand for quotations; they mean nothing in text.
const FIRST: u32 = 0xE000;
/// Most quotations that are kept apart.
const MOST: usize = 1_000;

/// Characters of a quotation at most.
const LONGEST: usize = 300;

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
    /// Replaces the quotations of a text, in whatever marks, and lettering that only its capitals set apart.
    /// In a clip, what somebody says is spoken.
    pub fn mask(text: &str, moving: bool) -> (String, Self) {
        let mut quotes = Self::default();
        if text.chars().any(|c| (FIRST..FIRST + 0x1900).contains(&u32::from(c))) {
            return (text.to_owned(), quotes);
        }
        let marked = pattern!(
            r#"(?P<code>`[^`\n]+`)|(?P<o>^|[^\d\w])"(?P<a>[^"\n]+)"|“(?P<b>[^”\n]+)”|„(?P<c>[^“”"\n]+)[“”"]|«\s?(?P<d>[^»\n]+?)\s?»|「(?P<e>[^」\n]+)」|『(?P<f>[^』\n]+)』|(?P<p>^|[\s(])(?:'(?P<g>[^'\n]+(?:'[a-z]{1,2}\b[^'\n]*)*)'|‘(?P<h>[^’\n]+(?:’[a-z]{1,2}\b[^’\n]*)*)’)"#
        );
        let mut masked = String::with_capacity(text.len());
        let mut end = 0;
        for found in marked.captures_iter(text) {
            let Some(whole) = found.get(0) else { continue };
            let lead = ["o", "p"].into_iter().find_map(|name| found.name(name));
            let start = lead.map_or(whole.start(), |lead| lead.end());
            let single = found.name("g").or_else(|| found.name("h"));
            let inner =
                ["a", "b", "c", "d", "e", "f"].into_iter().find_map(|name| found.name(name));
            let words = single.or(inner).or_else(|| found.name("code"));
            let Some(words) = words else { continue };
            if words.as_str().chars().take(LONGEST + 1).count() > LONGEST {
                continue;
            }
            let before = tail(&text[..start]);
            // Single marks may be apostrophes.
            if single.is_some()
                && (text[whole.end()..].starts_with(char::is_alphanumeric)
                    || !words.as_str().starts_with(|c: char| c.is_uppercase() || c.is_numeric())
                        && !announced(before))
            {
                continue;
            }
            if quotes.list.len() == MOST {
                break;
            }
            masked.push_str(&text[end..start]);
            let kind = match (found.name("code"), moving && is_speech(before)) {
                (Some(_), _) => Kind::Code,
                (None, true) => Kind::Dialogue,
                _ => Kind::Lettering,
            };
            masked.push(quotes.add(kind, words.as_str().trim(), &text[start..whole.end()]));
            end = whole.end();
        }
        masked.push_str(&text[end..]);
        (quotes.mask_plain(&masked, moving), quotes)
    }

    /// Replaces lettering without marks: "a sign that says OPEN 24 HOURS".
    fn mask_plain(&mut self, text: &str, moving: bool) -> String {
        let plain = pattern!(
            r"(?P<lead>\b(?:(?i:{quotes.lettering_follows})):?\s+)(?P<v>[\p{Lu}0-9][\w'’&%:-]*(?:\s+(?:[\p{Lu}0-9&][\w'’&%:-]*|{quotes.joining})\b)*[!?]?)"
        );
        let named = pattern!(
            r"(?P<lead>\b(?i:{quotes.named})\s+)(?P<v>\p{Lu}[\w'’&-]*(?:\s+(?:&\s+\p{Lu}[\w'’-]*\b|(?:[\p{Lu}0-9&][\w'’&-]*|{quotes.joining_named})\b))*)"
        );
        let small = pattern!(
            r"(?i)(?P<lead>\b{quotes.sign}s?,? {quotes.that} {quotes.says_or_reads}:?\s+)(?P<v>[\p{Ll}\d][\w'’&]*(?:\s+[\w'’&]+){0,7}?)(?P<after>[,.;!?]|$|\s+{quotes.behind_lettering}\b)"
        );
        let graphic = pattern!(r"(?i)\b{quotes.graphic}\b").is_match(text);
        let patterns =
            [Some(plain), (graphic && !moving).then_some(named), (!moving).then_some(small)];
        let mut text = text.to_owned();
        for pattern in patterns.into_iter().flatten() {
            text = pattern
                .replace_all(&text, |found: &patterns::Captures<'_>| {
                    if self.list.len() == MOST {
                        return found[0].to_owned();
                    }
                    let after = found.name("after").map_or("", |after| after.as_str());
                    let words = pattern!(r"(?:\s+{quotes.joining})+$").replace(&found["v"], "");
                    let rest = &found["v"][words.len()..];
                    let kind = if moving && is_speech(&found["lead"]) {
                        Kind::Dialogue
                    } else {
                        Kind::Lettering
                    };
                    let mark = self.add(kind, &words, &words);
                    format!("{}{mark}{rest}{after}", &found["lead"])
                })
                .into_owned();
        }
        text
    }

    fn add(&mut self, kind: Kind, words: &str, original: &str) -> char {
        let index = u32::try_from(self.list.len()).unwrap_or(0);
        let (words, original) = (words.to_owned(), original.to_owned());
        self.list.push(Quote { kind, words, original });
        char::from_u32(FIRST + index).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The text with its quotations in straight double quotes.
    pub fn unmask(&self, text: &str) -> String {
        self.restored(text, |quote| match quote.kind {
            Kind::Code => quote.original.clone(),
            _ => format!("\"{}\"", quote.words),
        })
    }

    fn restored(&self, text: &str, form: impl Fn(&Quote) -> String) -> String {
        if self.list.is_empty() {
            return text.to_owned();
        }
        let mut result = String::with_capacity(text.len());
        for character in text.chars() {
            match u32::from(character).checked_sub(FIRST).and_then(|at| self.list.get(at as usize))
            {
                Some(quote) => result.push_str(&form(quote)),
                None => result.push(character),
            }
        }
        result
    }

    /// The words of one kind, each once, in order.
    pub fn of(&self, kind: Kind) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        self.list
            .iter()
            .filter(|quote| quote.kind == kind && seen.insert(&quote.words))
            .map(|quote| quote.words.clone())
            .collect()
    }
}

/// Whether a character stands for a quotation.
pub fn is_mark(character: char) -> bool {
    (FIRST..FIRST + MOST as u32).contains(&u32::from(character))
}

/// The last few characters of a text.
fn tail(text: &str) -> &str {
    let start = text.char_indices().rev().take(40).last().map_or(text.len(), |(at, _)| at);
    &text[start..]
}

fn is_speech(before: &str) -> bool {
    pattern!(r"(?i)\b{quotes.speech}\b[^.\n]*$").is_match(before)
        && !pattern!(
            r"(?i)\b{quotes.sign_with_words}s?,?(?: {quotes.that})? {quotes.says}\b[^.\n]*$"
        )
        .is_match(before)
        || before.trim_end().ends_with("と言")
}

/// Whether words are announced as words.
fn announced(before: &str) -> bool {
    is_speech(before) || pattern!(r"(?i)\b{quotes.lettering}\b[^.\n]{0,12}$").is_match(before)
}
