//! Which words occur.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memmem;
use patterns::{Pattern, pattern, table, words};

use super::judgement::Judgement;
use super::letters::{emojis, hashtags};
use crate::output::{Output, is_joined, is_unspaced, is_word, lowered};
use crate::{Inflection, Reason};

/// Endings of words by language.
const ENDINGS: &[(&str, &str)] = words!("check_words.endings");
/// Endings that words of three letters have, too.
const SHORT_ENDINGS: &[(&str, &str)] = words!("check_words.short_endings");
/// Shortest word that takes all endings, in characters.
const LONG: usize = 4;
/// Steps that a byte of a word takes until words can be searched for, and each place where one of them may stand.
const BUILD_STEPS: usize = 64;
const MATCH_STEPS: usize = 8;

/// What prompts forbid by a name that stands for many words or signs.
const CLASSES: &[(&str, Pattern)] = table!("check_classes", r"(?i)^{}$");

/// Whether a program can decide that an answer has none of the words: not of those that stand for what is meant by
/// them, such as jargon.
pub fn is_executable(words: &[String], quote: &str) -> bool {
    meanings(words, quote).any(|meaning| !matches!(meaning, Meaning::Unknown))
}

/// The words of a prohibition that stand for themselves, and those that name signs or forms, such as "emojis".
pub fn told_apart(words: &[String], quote: &str) -> (Vec<String>, Vec<String>) {
    let all = words.iter().cloned().zip(meanings(words, quote));
    let (signs, own): (Vec<_>, Vec<_>) =
        all.partition(|(_, meaning)| matches!(meaning, Meaning::Class(_)));
    let words = |list: Vec<(String, Meaning)>| list.into_iter().map(|(word, _)| word).collect();
    (words(own), words(signs))
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
    /// Words that have to occur, or those that a statement forbids.
    pub fn of(words: &[String], forbidding: Option<&str>, inflection: Inflection) -> Self {
        let meanings = match forbidding {
            Some(quote) => meanings(words, quote).collect(),
            None => words.iter().map(|_| Meaning::Word).collect(),
        };
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

/// The first place of what a class of words or signs has.
fn of_class(output: &Output<'_>, class: &str) -> Option<Range<usize>> {
    budget::spend(output.text.len());
    let sign = |is_of: fn(char) -> bool| {
        let found = output.text.char_indices().find(|(_, c)| is_of(*c));
        found.map(|(at, c)| at..at + c.len_utf8())
    };
    match class {
        "emoji" => emojis(output.text).into_iter().next(),
        "hashtag" => hashtags(output).into_iter().next(),
        "exclamation" => sign(|c| matches!(c, '!' | '！' | '¡')),
        "number" => sign(char::is_numeric),
        "link" => text::literals::addresses(output.text).next(),
        "heading" => output.markdown().headings().into_iter().next().map(|(range, _)| range),
        "list" => output.markdown().items().next().map(|(range, ..)| range),
        "table" => output.markdown().tables.first().map(|table| table.range.clone()),
        "markdown" => super::format::marked(output, |_| true),
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
        if wanted.starts_with(is_joined) && text[..at].ends_with(is_joined) {
            return None;
        }
        let end = at + self.stem;
        let rest = &text[end..];
        let rest = &rest[..rest.find(|c| !is_joined(c)).unwrap_or(rest.len())];
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

/// Whether what follows a word makes another form of it.
fn is_ending(rest: &str, word: &str, language: &str) -> bool {
    let last = word.chars().next_back().unwrap_or(' ');
    let length = word.chars().rev().take_while(|c| c.is_alphabetic()).count();
    let rows = if length < LONG { SHORT_ENDINGS } else { ENDINGS };
    let own = rows.iter().find(|(known, _)| *known == language).map_or("", |(_, own)| own);
    let is = |rest: &str| own.split_whitespace().any(|ending| ending == rest);
    // "plan", "planned"
    !rest.is_empty() && (is(rest) || length >= LONG && rest.strip_prefix(last).is_some_and(is))
}
