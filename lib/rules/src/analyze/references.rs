//! References to what is not there.

use super::reading::Reading;
use super::rule::{LOOKED_AT, Spot};
use engine::prompt::{Span, mask::Kind};
use patterns::pattern;

/// What the prompt points to and does not have: "the text below", "the attached table", "Appendix B".
pub fn missing(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    if !reading.attached && !reading.source.mask.is_object {
        spots.extend(below(reading));
        spots.extend(attached(reading));
    }
    spots.extend(numbered(reading));
    spots
}

/// Whether somebody else brings content later: through a variable, or in a turn of their own.
fn is_filled(reading: &Reading<'_>) -> bool {
    let turn = pattern!(r"(?i)\b{analyze.user_turn}\b");
    !reading.variables.is_empty() || reading.all(turn).next().is_some()
}

/// Whether content is quoted or pasted.
fn is_brought(reading: &Reading<'_>) -> bool {
    let is_content =
        |(part, kind): &(Span, Kind)| *kind != Kind::Markup && part.end - part.start > 20;
    reading.source.mask.parts.iter().any(is_content)
}

/// Words before "this text" from which on they may be the text.
const BEFORE: usize = 25;
/// Words behind a pointer from which on they are what it points to.
const CONTENT: usize = 12;
/// "The text below", with nothing below, or "the table below", without rows of cells or lines of figures.
fn below(reading: &Reading<'_>) -> Option<Spot> {
    let source = &reading.source;
    let pointer = pattern!(
        r"(?i)\b(?:{analyze.this_material}|{analyze.below_material})\b|{analyze.below_scripted}"
    );
    let this = pattern!(r"(?i)^(?:{analyze.this_material})$");
    let above = pattern!(r"(?i)\b{analyze.above}\b|{analyze.above_scripted}");
    let table = pattern!(r"(?i)\b(?:{analyze.table_noun})\b|(?:{analyze.table_scripted})");
    let cells = |line: &str| {
        ['|', '\t', ',', ';', '，'].iter().any(|sign| line.matches(*sign).count() >= 2)
            || line.contains(|c: char| c.is_ascii_digit())
    };
    let first = reading.variables.first().map_or(source.text.len(), |(span, _)| span.start);
    let filled = is_filled(reading) || is_brought(reading);
    let absent = |place: &Span| {
        let (_, sentence) = reading.sentence_at(place.start);
        let (words, rest) = (source.slice(*place), &source.text[place.end..]);
        let is_this = this.is_match(words);
        if !is_this && table.is_match(words) {
            // What stands above comes before what is filled in.
            let above = above.is_match(words) && place.start < first;
            let part = if above { &source.text[..place.start] } else { source.text };
            return (above || !filled) && part.lines().filter(|line| cells(line)).count() < 2;
        }
        let told = rest.split_once([':', '：']).is_some_and(|it| it.1.trim().chars().count() > 12);
        let listed = rest.lines().skip(1).any(|line| !line.trim().is_empty());
        let behind = source.prose_of(Span::new(place.end, sentence.end)).split_whitespace();
        let before = source.prose[..sentence.start].split_whitespace();
        // "This text" may be what stands around it, "the text below" is not.
        let there = is_this && (before.count() > BEFORE || behind.count() > CONTENT);
        !(filled || told || listed || there)
    };
    reading.all(pointer).take(LOOKED_AT).filter(absent).last().map(Spot::new)
}

/// "The attached file", "the reference image".
fn attached(reading: &Reading<'_>) -> Option<Spot> {
    let pointer = pattern!(r"(?i)\b{analyze.attached}\b|{analyze.attached_scripted}");
    let place = reading.all(pointer).next()?;
    let serves = is_filled(reading) || reading.is_conditional(place) || reading.is_negated(place);
    (!serves).then(|| Spot::new(place))
}

/// "See section 7" where no line, heading or other sentence has it.
fn numbered(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let pointer = pattern!(
        r"\b(?i:{analyze.see})[ '’](?:[\p{L}’']+ ){0,4}?(?P<what>(?i:{analyze.numbered})) (?P<id>[A-Z]|\d{1,2}(?:\.\d{1,2})?|\p{Lu}{3,20}|[\x22“„«][^\x22”“»\n]{3,16}[\x22”“»])(?:\W|$)"
    );
    let lower = source.text.to_lowercase();
    let absent = |found: &patterns::Captures<'_>| {
        let (what, id) = (&found["what"], &found["id"]);
        let id = id.trim_matches(['"', '“', '”', '„', '«', '»']);
        let label = format!("{what} {id}").to_lowercase();
        let label = if id.chars().nth(2).is_some() { id.to_lowercase() } else { label };
        let whole = |at: usize| !lower[at + label.len()..].starts_with(char::is_alphanumeric);
        let again = lower.match_indices(&label).filter(|(at, _)| whole(*at)).count() > 1;
        let item = source.text.lines().any(|line| {
            let line = line.trim_start_matches(['#', ' ', '*', '(', '§']);
            line.strip_prefix(id).is_some_and(|rest| rest.starts_with(['.', ')', ':', ' ', '-']))
        });
        // "1. Greet. 2. Ask." on one line, and not "see section 2."
        let place = found.name("id").map_or(0..0, |id| id.range());
        let (before, behind) = (&source.prose[..place.start], &source.text[place.end..]);
        let marks = [format!(" {id}. "), format!(" {id}) "), format!("({id})")];
        let inline = marks.iter().any(|mark| before.contains(mark) || behind.contains(mark));
        let foreign = pattern!(r"(?i)^ {analyze.of_another}\b").is_match(behind);
        // "In the section PRICES, list …" is about the answer.
        let sentence = reading.sentence_at(place.start).1;
        let opens = found.get_match().start() == sentence.start && behind.starts_with(',');
        let asked = opens && label == id.to_lowercase();
        !(again || item || foreign || inline || asked)
    };
    let found = pointer.captures_iter(&source.prose).take(LOOKED_AT).filter(absent);
    let place = |it: patterns::Captures<'_>| Some((it.name("what")?.start(), it.name("id")?.end()));
    found.filter_map(place).map(|(start, end)| Spot::new(Span::new(start, end))).collect()
}

/// Sentences of a prompt from which on its own words may be what "it" means.
const FEW: usize = 4;

/// What only an earlier conversation could tell: "what we talked about", "fix it".
pub fn unresolved(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.attached || source.mask.is_object {
        return Vec::new();
    }
    let earlier = pattern!(r"(?i)\b{analyze.earlier}\b|{analyze.earlier_scripted}");
    let earlier = reading.all(earlier).filter(|place| !reading.is_conditional(*place));
    let mut spots: Vec<Spot> = earlier.take(2).map(Spot::new).collect();
    let first = source.sentences.first().filter(|_| source.sentences.len() <= FEW);
    if let Some(first) = first.filter(|_| !is_brought(reading) && reading.variables.is_empty()) {
        let opening = pattern!(r"(?i)^\s*{analyze.fix_it}(?:\b|$)");
        let found = opening.find(source.prose_of(*first));
        let place = found.map(|found| Span::from(found.range()).moved(first.start));
        spots.extend(place.map(Spot::new));
    }
    spots
}
