//! Splitting a text into the pieces that `o200k_base` encodes one by one.
//!
//! The tokenizer is published with a regular expression that has a look-ahead and lets a matcher try
//! letters twice. Here every alternative is one walk over the text, so that no text is slow.

/// What the split asks of a character. Numbered as `build.rs` writes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// Punctuation, symbols, controls and what is not assigned.
    Other = 0,
    /// Upper and title case letters.
    Upper,
    /// Lower case letters.
    Lower,
    /// Letters without case.
    Caseless,
    /// Combining marks.
    Mark,
    /// Numbers of all scripts.
    Number,
    /// White space except the two line ends.
    Space,
    /// Carriage return and line feed.
    LineEnd,
}

/// Block of every 256 code points, then the classes of the blocks.
static CLASSES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes"));
const BLOCKS: usize = 0x11_0000 / 256;

impl Class {
    fn of(character: char) -> Self {
        let point = character as usize;
        match CLASSES[BLOCKS + usize::from(CLASSES[point / 256]) * 256 + point % 256] {
            1 => Self::Upper,
            2 => Self::Lower,
            3 => Self::Caseless,
            4 => Self::Mark,
            5 => Self::Number,
            6 => Self::Space,
            7 => Self::LineEnd,
            _ => Self::Other,
        }
    }

    /// Counts as a letter in front of the lower case part of a word.
    fn leads(self) -> bool {
        matches!(self, Self::Upper | Self::Caseless | Self::Mark)
    }

    /// Counts as a letter of the lower case part of a word.
    fn trails(self) -> bool {
        matches!(self, Self::Lower | Self::Caseless | Self::Mark)
    }
}

/// The pieces of `text`, in order and without gaps.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let length = word(rest)
            .or_else(|| number(rest))
            .or_else(|| symbols(rest))
            .or_else(|| white_space(rest))?;
        let (piece, behind) = rest.split_at(length);
        rest = behind;
        Some(piece)
    })
}

/// Bytes at the start of `text` whose characters are all `wanted`.
fn run(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    text.find(|c| !wanted(c)).unwrap_or(text.len())
}

/// A word with at most one character in front that is no letter, number or line end, split before the
/// second of two capitalised words, and with its English contraction.
fn word(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let class = Class::of(first);
    let before = match class {
        Class::Other | Class::Space | Class::Mark => first.len_utf8(),
        _ => 0,
    };
    let end = match letters(&text[before..]) {
        Letters::Word(length) => before + length,
        // A mark in front of capitals is a word of its own before it is their first character.
        _ if class == Class::Mark => before,
        Letters::Capitals(length) => before + length,
        Letters::None => return None,
    };
    Some(end + contraction(&text[end..]))
}

/// Letters at the start of a text.
enum Letters {
    /// This many bytes end in a letter that is lower case or without case.
    Word(usize),
    /// This many bytes are capitals.
    Capitals(usize),
    None,
}

fn letters(text: &str) -> Letters {
    let mut caseless_end = 0;
    let mut end = 0;
    for character in text.chars() {
        let class = Class::of(character);
        if class == Class::Lower {
            return Letters::Word(end + run(&text[end..], |c| Class::of(c).trails()));
        }
        if !class.leads() {
            break;
        }
        end += character.len_utf8();
        if class != Class::Upper {
            caseless_end = end;
        }
    }
    match (caseless_end, end) {
        (0, 0) => Letters::None,
        (0, capitals) => Letters::Capitals(capitals),
        (caseless, _) => Letters::Word(caseless),
    }
}

/// Length of an English contraction in any case, 0 if there is none. The long s is an s in any case.
fn contraction(text: &str) -> usize {
    let mut characters = text.chars();
    if characters.next() != Some('\'') {
        return 0;
    }
    let Some(first) = characters.next() else { return 0 };
    let second = characters.next().map(|c| c.to_ascii_lowercase());
    match (first.to_ascii_lowercase(), second) {
        ('s' | 't' | 'm' | 'd' | 'ſ', _) => 1 + first.len_utf8(),
        ('r' | 'v', Some('e')) | ('l', Some('l')) => 3,
        _ => 0,
    }
}

/// One to three digits.
fn number(text: &str) -> Option<usize> {
    let digits = text.chars().take(3).take_while(|c| Class::of(*c) == Class::Number);
    Some(digits.map(char::len_utf8).sum()).filter(|length| *length > 0)
}

/// Symbols with at most one blank in front and the line ends and slashes behind.
fn symbols(text: &str) -> Option<usize> {
    let blank = usize::from(text.starts_with(' '));
    let length = run(&text[blank..], |c| matches!(Class::of(c), Class::Other | Class::Mark));
    let end = blank + length;
    (length > 0).then(|| end + run(&text[end..], |c| matches!(c, '\r' | '\n' | '/')))
}

/// White space up to its last line end; without one, all but the last character, which goes with
/// what follows.
fn white_space(text: &str) -> Option<usize> {
    let end = run(text, |c| matches!(Class::of(c), Class::Space | Class::LineEnd));
    let space = &text[..end];
    let last = space.chars().next_back()?;
    if let Some(line_end) = space.rfind(['\r', '\n']) {
        return Some(line_end + 1);
    }
    let others = end - last.len_utf8();
    Some(if end == text.len() || others == 0 { end } else { others })
}
