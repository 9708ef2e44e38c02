//! How texts and queries become words.
//!
//! Index, delta and queries use the same [`tokenize`]. A text is decomposed by compatibility
//! (NFKD), loses its accents, is composed again (NFC) and has its case folded; letters whose stroke
//! or ligature Unicode doesn't decompose (ø, ł, æ) are replaced by a table. Signs that are letters
//! rather than accents stay: the voicing of kana, the vowel signs and viramas of Indic scripts, and
//! the tones of Thai and its relatives.
//!
//! Letters, digits and their marks make [words](Token::Word), everything else separates them. Han,
//! Kana, Thai, Lao, Khmer, Burmese and others are written without spaces: their unbroken sequences
//! are [runs](Token::Run), and a run in a query matches the same consecutive characters anywhere.
//! Hangul has spaces and so has words.

use memchr::memmem;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// Characters of a word that count, in texts and in queries; further ones are ignored.
pub const LONGEST_WORD: usize = 64;

/// A piece of text that can be searched for, folded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// Letters and digits, at most [`LONGEST_WORD`] characters.
    Word(String),
    /// Consecutive characters of scripts without spaces.
    Run(String),
}

/// The words and runs of a text, in order, with repetitions, in linear time.
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    scan(text, |piece| {
        tokens.push(match piece {
            Piece::Word(word) => Token::Word(word.to_owned()),
            Piece::Run(run) => Token::Run(run.to_owned()),
        });
    });
    tokens
}

/// A borrowed [`Token`].
pub(crate) enum Piece<'a> {
    Word(&'a str),
    Run(&'a str),
}

/// Calls `found` with each token of a text.
pub(crate) fn scan(text: &str, mut found: impl FnMut(Piece<'_>)) {
    let mut open = Open::default();
    if text.is_ascii() {
        text.chars().for_each(|character| open.take(character.to_ascii_lowercase(), &mut found));
    } else {
        fold(text).nfc().for_each(|character| open.take(character, &mut found));
    }
    open.close(&mut found);
}

/// The token that is being read: at most one of the two is not empty.
#[derive(Default)]
struct Open {
    word: String,
    length: usize,
    run: String,
}

impl Open {
    fn take(&mut self, character: char, found: &mut impl FnMut(Piece<'_>)) {
        if is_unspaced(character) {
            if !self.word.is_empty() {
                self.close(found);
            }
            self.run.push(character);
        } else if character.is_alphanumeric()
            || (is_combining_mark(character) && !self.word.is_empty())
        {
            if !self.run.is_empty() {
                self.close(found);
            }
            if self.length < LONGEST_WORD {
                self.word.push(character);
                self.length += 1;
            }
        } else {
            self.close(found);
        }
    }

    fn close(&mut self, found: &mut impl FnMut(Piece<'_>)) {
        if !self.word.is_empty() {
            found(Piece::Word(&self.word));
            self.word.clear();
            self.length = 0;
        }
        if !self.run.is_empty() {
            found(Piece::Run(&self.run));
            self.run.clear();
        }
    }
}

/// A text without accents and case, still decomposed.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.nfkd().filter(|character| !is_accent(*character)) {
        if character.is_ascii() {
            folded.push(character.to_ascii_lowercase());
            continue;
        }
        // Through the capital letter, since ß and final ς are lower case already.
        let cases =
            character.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
        for character in cases {
            match plain(character) {
                Some(letters) => folded.push_str(letters),
                None => folded.push(character),
            }
        }
    }
    folded
}

/// The replacement of a letter that Unicode doesn't decompose.
fn plain(character: char) -> Option<&'static str> {
    Some(match character {
        'æ' => "ae",
        'ð' | 'đ' | 'ɖ' => "d",
        'ħ' => "h",
        'ɨ' | 'ı' => "i",
        'ł' => "l",
        'ø' => "o",
        'œ' => "oe",
        'þ' => "th",
        'ŧ' => "t",
        _ => return None,
    })
}

/// Whether a character of decomposed text is an accent, or a sign that only affects how its
/// neighbour is shown.
///
/// Marks of the classes 0, 6 to 9 and 84 to 132 belong to letters: vowel signs, nukta, kana voicing,
/// virama, and what is fixed in Telugu, Thai, Lao and Tibetan. So do those of scripts without spaces.
fn is_accent(character: char) -> bool {
    match character {
        '\u{ad}' | '\u{34f}' | '\u{488}' | '\u{489}' | '\u{61c}' | '\u{180b}'..='\u{180f}' => true,
        '\u{17b4}' | '\u{17b5}' => true,
        '\u{200b}'..='\u{200f}'
        | '\u{2060}'..='\u{2064}'
        | '\u{20dd}'..='\u{20e4}'
        | '\u{fe00}'..='\u{fe0f}' => true,
        '\u{feff}' | '\u{e0100}'..='\u{e01ef}' => true,
        _ => {
            is_combining_mark(character)
                && !is_unspaced(character)
                && !matches!(canonical_combining_class(character), 0 | 6..=9 | 84..=132)
        }
    }
}

/// Whether a character belongs to a script without spaces, which is searched by n-grams: Han and Kana,
/// the scripts whose words are found with dictionaries only (class SA of UAX #14), Balinese and
/// Javanese. Their digits make words.
pub(crate) fn is_unspaced(character: char) -> bool {
    // Sooner for most texts.
    character >= '\u{e01}' && (is_han_or_kana(character) || is_southeast_asian(character))
}

fn is_southeast_asian(character: char) -> bool {
    matches!(character,
        // Thai, Lao
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ece}' | '\u{edc}'..='\u{edf}'
        // Myanmar
        | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' | '\u{109a}'..='\u{109f}'
        | '\u{a9e0}'..='\u{a9ef}' | '\u{a9fa}'..='\u{a9fe}' | '\u{aa60}'..='\u{aa7f}'
        // Khmer
        | '\u{1780}'..='\u{17d3}' | '\u{17d7}' | '\u{17dc}' | '\u{17dd}'
        // Tai Le, New Tai Lue, Tai Tham, Tai Viet, Ahom
        | '\u{1950}'..='\u{1974}' | '\u{1980}'..='\u{19c9}' | '\u{1a20}'..='\u{1a7c}'
        | '\u{aa80}'..='\u{aadd}' | '\u{11700}'..='\u{1172b}' | '\u{11740}'..='\u{11746}'
        // Balinese, Javanese
        | '\u{1b00}'..='\u{1b4c}' | '\u{a980}'..='\u{a9c0}')
}

fn is_han_or_kana(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{3029}'
        | '\u{3031}'..='\u{3035}'
        | '\u{3038}'..='\u{303c}'
        | '\u{3041}'..='\u{309a}'
        | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{1b000}'..='\u{1b16f}'
        | '\u{20000}'..='\u{3ffff}')
}

/// The terms of a query: all must be found, each anywhere in an item's texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Words that must occur as a whole, sorted, each once.
    pub whole: Vec<String>,
    /// The query's last token if that is a word: some word must begin with it.
    pub prefix: Option<String>,
    /// Runs that must occur unbroken, sorted, each once.
    pub phrases: Vec<String>,
}

impl Terms {
    /// Reads a query.
    pub fn read(query: &str) -> Self {
        let mut tokens = tokenize(query);
        let mut terms = Self::default();
        if let Some(Token::Word(_)) = tokens.last()
            && let Some(Token::Word(last)) = tokens.pop()
        {
            terms.prefix = Some(last);
        }
        for token in tokens {
            match token {
                Token::Word(word) => terms.whole.push(word),
                Token::Run(run) => terms.phrases.push(run),
            }
        }
        for list in [&mut terms.whole, &mut terms.phrases] {
            list.sort_unstable();
            list.dedup();
        }
        terms
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.prefix.is_none() && self.phrases.is_empty()
    }
}

/// The character around the tokens of a [`Folded`] text; no token contains it.
const SEPARATOR: char = '\n';

/// All tokens of some texts in one string, for matching without an index.
#[derive(Clone, Debug)]
pub(crate) struct Folded(String);

impl Folded {
    pub(crate) fn of(texts: [&str; 4]) -> Self {
        let mut folded = String::from(SEPARATOR);
        for text in texts {
            scan(text, |piece| {
                let (Piece::Word(token) | Piece::Run(token)) = piece;
                folded.push_str(token);
                folded.push(SEPARATOR);
            });
        }
        Self(folded)
    }

    /// The words and runs, in order, with repetitions.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        self.0.split(SEPARATOR).filter(|token| !token.is_empty())
    }
}

/// A query that is ready to be matched against many [`Folded`] texts.
pub(crate) struct Needles(Vec<memmem::Finder<'static>>);

impl Needles {
    pub(crate) fn of(terms: &Terms) -> Self {
        let whole = terms.whole.iter().map(|word| format!("{SEPARATOR}{word}{SEPARATOR}"));
        let prefix = terms.prefix.iter().map(|word| format!("{SEPARATOR}{word}"));
        let needles = whole.chain(prefix).chain(terms.phrases.iter().cloned());
        Self(needles.map(|needle| memmem::Finder::new(needle.as_bytes()).into_owned()).collect())
    }

    pub(crate) fn all_in(&self, text: &Folded) -> bool {
        self.0.iter().all(|needle| needle.find(text.0.as_bytes()).is_some())
    }
}
