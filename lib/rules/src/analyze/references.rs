//! References to what is not there.

use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::rule::Spot;
use super::span::Span;
use crate::convert;
use patterns::pattern;

/// What the prompt points to and does not have: "the text below", "the attached table", "Appendix B".
pub fn missing(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    if !reading.attached && !reading.source.mask.is_object {
        spots.extend(below(reading));
        spots.extend(attached(reading));
    }
    // "Table 2" of a document that is missing as a whole needs no finding of its own.
    if spots.is_empty() {
        spots.extend(numbered(reading));
        spots.extend(tools(reading));
    }
    spots
}

/// A tool that is to be called beside a list of tools that does not have it: "search(query)", "call book_flight".
fn tools(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let listed = pattern!(r"\b[a-z]+(?:_[a-z]+)+ ?\(").find_iter(text).count();
    let called =
        pattern!(r"(?:(?i)\b(?:{analyze.call})) (?:[\p{L}]+ )?`?(?P<name>[a-z]+(?:_[a-z]+)+)\b");
    let absent = |name: &Span| {
        let name = reading.source.slice(*name);
        text.match_indices(name).count() == 1
    };
    let names = called.captures_iter(text).take(LOOKED_AT).filter_map(|found| found.name("name"));
    let names = names.map(|name| Span::from(name.range())).filter(|_| listed >= 2);
    names.filter(absent).map(Spot::new).collect()
}

/// Words before "this text" from which on they may be the text.
const BEFORE: usize = 25;
/// Words behind a pointer from which on they are what it points to.
const CONTENT: usize = 12;

/// "The text below", with nothing below. What points to the side of a conversation is looked for in prose only.
fn below(reading: &Reading<'_>) -> Option<Spot> {
    let source = &reading.source;
    let pointer = pattern!(
        r"(?i)\b(?:{analyze.this_material}|{analyze.below_material})\b|{analyze.below_scripted}"
    );
    let last = reading.all(pointer).last()?;
    let (number, sentence) = reading.sentence_at(last.start);
    let rest = &source.text[last.end..];
    let filled = source
        .mask
        .parts
        .iter()
        .any(|(part, kind)| *kind != Kind::Markup && part.end - part.start > 20)
        || !reading.variables.is_empty();
    let told = rest
        .split_once([':', '：'])
        .is_some_and(|(_, told)| told.split_whitespace().count() >= 3 || told.chars().count() > 30);
    let listed = rest.lines().skip(1).any(|line| !line.trim().is_empty());
    let before = source.sentences[..number.min(source.sentences.len())]
        .iter()
        .map(|one| one.words.1 - one.words.0)
        .sum::<usize>();
    let system = reading.all(pattern!(r"(?i)\b{analyze.user_turn}\b")).next().is_some();
    let long = before > BEFORE && !pattern!(r"(?i){analyze.below}").is_match(source.slice(last));
    let behind = source.prose_of(Span::new(last.end, sentence.end)).split_whitespace().count();
    let cells = |line: &str| {
        ['|', '\t', ',', ';', '，'].iter().any(|sign| line.matches(*sign).count() >= 2)
    };
    let noun = pattern!(r"(?i)\b(?:{analyze.table_noun})\b|(?:{analyze.table_scripted})");
    let points = source.slice(last);
    // A table is rows of cells, so that more text is no table.
    let untabled = noun.is_match(points)
        && source.text.lines().filter(|line| cells(line)).count() < 2
        && source.text.lines().filter(|line| line.contains(|c: char| c.is_ascii_digit())).count()
            < 2;
    let absent = !filled && !system && (untabled || !told && !listed && !long && behind <= CONTENT);
    absent.then(|| Spot::new(last))
}

/// "The attached file", "the reference image".
fn attached(reading: &Reading<'_>) -> Option<Spot> {
    let pointer = pattern!(r"(?i)\b{analyze.attached}\b|{analyze.attached_scripted}");
    let place = reading.all(pointer).next()?;
    let serves = !reading.variables.is_empty()
        || reading.is_conditional(place)
        || reading.is_negated(place)
        || reading.all(pattern!(r"(?i)\b{analyze.user_turn}\b")).next().is_some();
    (!serves).then(|| Spot::new(place))
}

/// Numbered parts that are looked up.
const LOOKED_AT: usize = 20;

/// "See section 7" where no line, heading or other sentence has it.
fn numbered(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let pointer = pattern!(
        r"\b(?i:{analyze.see}) (?:[\p{L}’']+ ){0,4}?(?P<what>(?i:{analyze.numbered})) (?P<id>[A-Z]|\d{1,2}(?:\.\d{1,2})?)\b"
    );
    let lower = source.text.to_lowercase();
    let absent = |found: &patterns::Captures<'_>| {
        let (what, id) = (&found["what"], &found["id"]);
        let label = format!("{what} {id}").to_lowercase();
        let again = lower
            .match_indices(&label)
            .filter(|(at, _)| !lower[at + label.len()..].starts_with(char::is_alphanumeric))
            .count()
            > 1;
        let item = source.text.lines().any(|line| {
            let line = line.trim_start_matches(['#', ' ', '*', '(', '§']);
            line.strip_prefix(id).is_some_and(|rest| rest.starts_with(['.', ')', ':', ' ', '-']))
        });
        // "1. Greet. 2. Ask." on one line.
        let inline = [format!(" {id}. "), format!(" {id}) "), format!("({id})")];
        let item = item || inline.iter().any(|mark| source.text.contains(mark));
        let foreign = pattern!(r"(?i)^ {analyze.of_another}\b")
            .is_match(&source.text[found.get_match().end()..]);
        !again && !item && !foreign
    };
    let start = |found: &patterns::Captures<'_>| found.name("what").map_or(0, |what| what.start());
    pointer
        .captures_iter(&source.prose)
        .take(LOOKED_AT)
        .filter(absent)
        .map(|found| Spot::new(Span::new(start(&found), found.get_match().end())))
        .collect()
}

/// Words before a sentence of pronouns up to which they can hardly name what it is about.
const FEW: usize = 12;
/// Pronouns of a sentence from which on it names nothing itself.
const PRONOUNS: usize = 4;

/// What only an earlier conversation could tell: "what we talked about", "fix it", "the other one".
pub fn unresolved(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.attached || source.mask.is_object {
        return Vec::new();
    }
    let earlier = pattern!(r"(?i)\b{analyze.earlier}\b|{analyze.earlier_scripted}");
    let mut spots: Vec<Spot> = reading
        .all(earlier)
        .filter(|place| !reading.is_conditional(*place))
        .take(2)
        .map(Spot::new)
        .collect();
    let material = source.mask.material().any(|(span, _)| span.end - span.start > 20)
        || !reading.variables.is_empty();
    let Some(first) = source.sentences.first() else { return spots };
    let opening = pattern!(r"(?i)^\s*{analyze.fix_it}(?:\b|$)").find(source.prose_of(first.span));
    if let Some(found) = opening.filter(|_| !material && source.sentences.len() <= 4) {
        spots.push(Spot::new(Span::from(found.range()).moved(first.span.start)));
    }
    let (mut words, pronoun) = (0, pattern!(r"(?i)\b{analyze.pronoun}\b"));
    for sentence in source.sentences.iter().take_while(|_| !material) {
        let text = source.prose_of(sentence.span);
        if words <= FEW && pronoun.find_iter(text).count() >= PRONOUNS {
            spots.push(Spot::new(sentence.span));
            break;
        }
        words += sentence.words.1 - sentence.words.0;
    }
    let picture = reading.medium != Medium::Text || convert::visual_kind(source.text).is_some();
    let pointed = pattern!(r"(?i)\b{analyze.that_thing}\b");
    if picture && let Some(place) = reading.all(pointed).next() {
        spots.push(Spot::new(place));
    }
    spots
}
