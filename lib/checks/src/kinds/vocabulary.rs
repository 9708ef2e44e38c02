//! Which words occur, and how often.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use engine::CountParameters;
use memchr::memmem;
use patterns::{Pattern, pattern, table, words};

use super::emoji;
use super::judgement::Judgement;
use super::letters::hashtags;
use crate::output::{LineKind, Output, is_unspaced, is_word, lowered};
use crate::{Inflection, Options, Reason};

/// Endings of words by language.
const ENDINGS: &[(&str, &str)] = words!("check_words.endings");
/// Endings that words of three letters have, too.
const SHORT_ENDINGS: &[(&str, &str)] = words!("check_words.short_endings");
/// Shortest word that takes all endings, in characters.
const LONG: usize = 4;
/// Steps that a byte of a word takes until words can be searched for, and each place where one of them may stand.
const BUILD_STEPS: usize = 64;
const MATCH_STEPS: usize = 8;

/// The endings of a language.
fn endings(rows: &'static [(&str, &'static str)], language: &str) -> &'static str {
    rows.iter().find(|(known, _)| *known == language).map_or("", |(_, endings)| endings)
}

/// What prompts forbid by a name that stands for many words or signs.
const CLASSES: &[(&str, Pattern)] = table!("check_classes", r"(?i)^{}$");

/// Whether a program can decide that an answer has none of the words: not of those that stand for what is meant by
/// them, such as jargon.
pub fn is_executable(words: &[String], quote: &str) -> bool {
    meanings(words, quote).any(|meaning| !matches!(meaning, Meaning::Unknown))
}

/// The words of a prohibition that stand for themselves, and those that name signs or forms, such as "emojis".
pub fn told_apart(words: &[String], quote: &str) -> (Vec<String>, Vec<String>) {
    let (mut own, mut signs) = (Vec::new(), Vec::new());
    for (word, meaning) in words.iter().zip(meanings(words, quote)) {
        let list = if matches!(meaning, Meaning::Class(_)) { &mut signs } else { &mut own };
        list.push(word.clone());
    }
    (own, signs)
}

/// What is forbidden by a word.
enum Meaning {
    /// The word itself.
    Word,
    /// What is called so.
    Class(&'static str),
    /// Something that no program tells.
    Unknown,
}

/// What is forbidden by each of some words in a statement.
fn meanings(words: &[String], quote: &str) -> impl Iterator<Item = Meaning> {
    let named = pattern!(r"(?i)\b{constraint_words.words_avoided}\b|{constraint_words.word_avoided_anywhere}|\b{constraint_words.word_avoided}\b").is_match(quote);
    words.iter().map(move |word| if named { Meaning::Word } else { meaning(word, quote) })
}

fn meaning(word: &str, quote: &str) -> Meaning {
    budget::spend(quote.len());
    let quoted = quote.find(word).is_some_and(|at| {
        quote[..at].trim_end().ends_with(['"', '“', '„', '«', '\'', '‘', '`', '「', '『'])
    });
    if quoted {
        return Meaning::Word;
    }
    let class = CLASSES.iter().find(|(_, names)| names.is_match(word));
    class.map_or(Meaning::Unknown, |(class, _)| Meaning::Class(class))
}

/// Words that answers are searched for, all in one pass.
pub struct Wanted {
    words: Vec<String>,
    meanings: Vec<Meaning>,
    forms: Vec<Form>,
    /// What finds the searched beginnings of the forms.
    searcher: Option<AhoCorasick>,
}

impl Wanted {
    /// Words that have to occur.
    pub fn required(words: &[String], inflection: Inflection) -> Self {
        let meanings = words.iter().map(|_| Meaning::Word).collect();
        Self::of(words, meanings, inflection)
    }

    /// Words that a statement forbids.
    pub fn forbidden(words: &[String], quote: &str, inflection: Inflection) -> Self {
        Self::of(words, meanings(words, quote).collect(), inflection)
    }

    fn of(words: &[String], meanings: Vec<Meaning>, inflection: Inflection) -> Self {
        let forms: Vec<Form> = words.iter().map(|word| Form::of(word, inflection)).collect();
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        let searched = forms.iter().map(Form::searched);
        budget::spend(BUILD_STEPS * searched.clone().map(str::len).sum::<usize>());
        let searcher = AhoCorasick::builder().kind(kind).build(searched).ok();
        Self { words: words.to_vec(), meanings, forms, searcher }
    }

    /// The first place of each word.
    fn places(&self, output: &Output<'_>) -> Vec<Option<Range<usize>>> {
        let text = output.lower();
        let mut places = vec![None; self.forms.len()];
        let mut missing = places.len();
        for found in self.searcher.iter().flat_map(|all| all.find_overlapping_iter(text)) {
            budget::spend(MATCH_STEPS);
            let index = found.pattern().as_usize();
            if places[index].is_none() {
                places[index] = self.forms[index].place(output, found.start());
                missing -= usize::from(places[index].is_some());
            }
            if missing == 0 {
                break;
            }
        }
        places
    }
}

pub fn includes(output: &Output<'_>, wanted: &Wanted) -> Judgement {
    let mut places = wanted.places(output);
    if let Some(missing) = places.iter().position(Option::is_none) {
        return Judgement::of(false, wanted.words[missing].as_str());
    }
    let only = places.pop().flatten().filter(|_| places.is_empty());
    Judgement::of(true, wanted.words.join(", ")).at(only)
}

pub fn excludes(output: &Output<'_>, wanted: &Wanted) -> Judgement {
    let places = wanted.places(output);
    for ((word, meaning), place) in wanted.words.iter().zip(&wanted.meanings).zip(places) {
        let place = match meaning {
            Meaning::Word => place,
            Meaning::Class(class) => of_class(output, class),
            Meaning::Unknown => None,
        };
        if let Some(place) = place {
            let found = output.at(&place);
            return Judgement::of(false, word.as_str()).found(found).at(Some(place));
        }
    }
    match wanted.meanings.iter().any(|meaning| matches!(meaning, Meaning::Unknown)) {
        true => Judgement::undecided(Reason::NotExecutable),
        false => Judgement::of(true, wanted.words.join(", ")),
    }
}

pub fn frequency(output: &Output<'_>, count: &CountParameters, options: Options) -> Judgement {
    match count.of.as_deref().filter(|word| !word.trim().is_empty()) {
        Some(word) => Judgement::places(&occurrences(output, word, options.required), count),
        None => Judgement::undecided(Reason::Unclear),
    }
}

/// The first place of what a class of words or signs has.
fn of_class(output: &Output<'_>, class: &str) -> Option<Range<usize>> {
    budget::spend(output.text.len());
    let sign = |signs: &[char]| {
        let found = output.text.char_indices().find(|(_, c)| signs.contains(c));
        found.map(|(at, c)| at..at + c.len_utf8())
    };
    let lines = &output.markdown().lines;
    match class {
        "emoji" => emoji::all(output.text).into_iter().next(),
        "hashtag" => hashtags(output).into_iter().next(),
        "exclamation" => sign(&['!', '！', '¡']),
        "number" => {
            let found = output.text.char_indices().find(|(_, c)| c.is_numeric());
            found.map(|(at, c)| at..at + c.len_utf8())
        }
        "link" => text::literals::addresses(output.text).next(),
        "heading" => output.markdown().headings().into_iter().next().map(|(range, _)| range),
        "list" => output.markdown().items().next().map(|(range, ..)| range),
        "table" => output.markdown().tables.first().map(|table| table.range.clone()),
        "markdown" => lines
            .iter()
            .find(|line| !matches!(line.kind, LineKind::Blank | LineKind::Text))
            .map(|line| line.range.clone())
            .or_else(|| super::emphasis::emphases(output).into_iter().next()),
        _ => None,
    }
}

/// Where a word or phrase stands as a whole, in small or capital letters.
pub fn occurrences(output: &Output<'_>, word: &str, inflection: Inflection) -> Vec<Range<usize>> {
    let form = Form::of(word, inflection);
    let found = memmem::find_iter(output.lower().as_bytes(), form.searched());
    found.filter_map(|at| form.place(output, at)).collect()
}

/// A word or phrase as it is searched for.
struct Form {
    /// In lower case; empty for a word that never occurs.
    wanted: String,
    /// Whether forms with other endings count.
    inflects: bool,
    /// Bytes of it that every form has.
    stem: usize,
}

impl Form {
    fn of(word: &str, inflection: Inflection) -> Self {
        let wanted = lowered(word.trim());
        let last = wanted.chars().next_back().unwrap_or(' ');
        let inflects =
            inflection == Inflection::Endings && last.is_alphabetic() && !is_unspaced(last);
        // A final vowel gives way to an ending: "make", "making"; "gato", "gata".
        let stem = wanted.len().saturating_sub(last.len_utf8());
        let letters = wanted[..stem].chars().rev().take_while(|c| c.is_alphabetic());
        let yields = inflects
            && matches!(last, 'a' | 'e' | 'i' | 'o' | 'y' | 'é')
            && letters.count() >= LONG - 1;
        let stem = if yields { stem } else { wanted.len() };
        Self { wanted, inflects, stem }
    }

    fn searched(&self) -> &str {
        &self.wanted[..self.stem]
    }

    /// Where it stands as a whole whose searched part begins at a byte of the answer in lower case.
    fn place(&self, output: &Output<'_>, at: usize) -> Option<Range<usize>> {
        let (text, wanted) = (output.lower(), self.wanted.as_str());
        let last = wanted.chars().next_back()?;
        if !begins(text, at, wanted) {
            return None;
        }
        let end = at + self.stem;
        let rest = tail(text, end);
        budget::spend(rest.len());
        let is_ending = |rest: &str| self.inflects && is_ending(rest, wanted, output.language());
        let whole = match rest.strip_prefix(&wanted[self.stem..]) {
            Some("") => true,
            Some(_) if is_unspaced(last) || !is_word(last) => return Some(at..at + wanted.len()),
            Some(ending) => is_ending(ending),
            None => false,
        };
        let yields = self.stem < wanted.len();
        (whole || yields && is_ending(rest)).then(|| at..end + rest.len())
    }
}

/// Whether no word goes on before a place.
fn begins(text: &str, at: usize, wanted: &str) -> bool {
    let inner = wanted.chars().next().is_some_and(|c| is_word(c) && !is_unspaced(c));
    !inner || text[..at].chars().next_back().is_none_or(|c| !is_word(c) || is_unspaced(c))
}

/// What goes on of a word.
fn tail(text: &str, from: usize) -> &str {
    let length: usize = text[from..]
        .chars()
        .take_while(|c| is_word(*c) && !is_unspaced(*c))
        .map(char::len_utf8)
        .sum();
    &text[from..from + length]
}

/// Whether what follows a word makes another form of it.
fn is_ending(rest: &str, word: &str, language: &str) -> bool {
    let last = word.chars().next_back().unwrap_or(' ');
    let length = word.chars().rev().take_while(|c| c.is_alphabetic()).count();
    let rows = if length < LONG { SHORT_ENDINGS } else { ENDINGS };
    let is = |rest: &str| endings(rows, language).split(' ').any(|ending| ending == rest);
    // "plan", "planned"
    !rest.is_empty() && (is(rest) || length >= LONG && rest.strip_prefix(last).is_some_and(is))
}
