//! References to what is not there.

use super::mask::Kind;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use patterns::pattern;

/// What the prompt points to and does not have: "the text below", "the attached table", "Appendix B".
pub fn missing(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    if !reading.attached && !reading.source.mask.is_object {
        spots.extend(below(reading).or_else(|| table(reading)));
        spots.extend(attached(reading));
    }
    // "Table 2" of a document that is missing as a whole needs no finding of its own.
    if spots.is_empty() {
        spots.extend(numbered(reading));
        spots.extend(tools(reading));
        spots.extend(tags(reading));
    }
    spots
}

/// Whether somebody else brings content later: through a variable, or in a turn of their own.
fn is_filled(reading: &Reading<'_>) -> bool {
    let turn = pattern!(r"(?i)\b{analyze.user_turn}\b");
    !reading.variables.is_empty() || reading.all(turn).next().is_some()
}

/// Words before "this text" from which on they may be the text.
const BEFORE: usize = 25;
/// Words behind a pointer from which on they are what it points to.
const CONTENT: usize = 12;

/// "The text below", with nothing below.
fn below(reading: &Reading<'_>) -> Option<Spot> {
    let source = &reading.source;
    let pointer = pattern!(
        r"(?i)\b(?:{analyze.this_material}|{analyze.below_material})\b|{analyze.below_scripted}"
    );
    let last = reading.all(pointer).last().filter(|_| !is_filled(reading))?;
    let (number, sentence) = reading.sentence_at(last.start);
    let rest = &source.text[last.end..];
    let brought = |(part, kind): &(Span, Kind)| *kind != Kind::Markup && part.end - part.start > 20;
    let told =
        rest.split_once([':', '：']).is_some_and(|(_, told)| told.trim().chars().count() > 12);
    let listed = rest.lines().skip(1).any(|line| !line.trim().is_empty());
    let behind = source.prose_of(Span::new(last.end, sentence.end)).split_whitespace().count();
    let before = source.sentences.get(number).map_or(0, |sentence| sentence.words.0);
    let long = before > BEFORE && !pattern!(r"(?i){analyze.below}").is_match(source.slice(last));
    let there = source.mask.parts.iter().any(brought) || told || listed || long || behind > CONTENT;
    (!there).then(|| Spot::new(last))
}

/// "The table below", without rows of cells or lines of figures.
fn table(reading: &Reading<'_>) -> Option<Spot> {
    let source = &reading.source;
    let noun = pattern!(r"(?i)\b(?:{analyze.table_noun})\b|(?:{analyze.table_scripted})");
    let pointer = pattern!(r"(?i)\b(?:{analyze.below_material})\b|{analyze.below_scripted}");
    let pointed = reading.all(pointer).find(|place| noun.is_match(source.slice(*place)))?;
    let cells = |line: &&str| {
        ['|', '\t', ',', ';', '，'].iter().any(|sign| line.matches(*sign).count() >= 2)
            || line.contains(|c: char| c.is_ascii_digit())
    };
    let brought = source.mask.material().any(|(part, _)| part.end - part.start > 20);
    let there = source.text.lines().filter(cells).count() >= 2 || brought || is_filled(reading);
    (!there).then(|| Spot::new(pointed))
}

/// "The attached file", "the reference image".
fn attached(reading: &Reading<'_>) -> Option<Spot> {
    let pointer = pattern!(r"(?i)\b{analyze.attached}\b|{analyze.attached_scripted}");
    let place = reading.all(pointer).next()?;
    let serves = is_filled(reading) || reading.is_conditional(place) || reading.is_negated(place);
    (!serves).then(|| Spot::new(place))
}

/// Parts and names that are looked up.
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
        let whole = |at: usize| !lower[at + label.len()..].starts_with(char::is_alphanumeric);
        let again = lower.match_indices(&label).filter(|(at, _)| whole(*at)).count() > 1;
        let item = source.text.lines().any(|line| {
            let line = line.trim_start_matches(['#', ' ', '*', '(', '§']);
            line.strip_prefix(id).is_some_and(|rest| rest.starts_with(['.', ')', ':', ' ', '-']))
        });
        // "1. Greet. 2. Ask." on one line, and not "see section 2."
        let at = found.name("id").map_or(0, |id| id.start());
        let (before, behind) =
            (&source.text[..at.saturating_sub(1)], &source.text[at + id.len()..]);
        let marks = [format!(" {id}. "), format!(" {id}) "), format!("({id})")];
        let inline = marks.iter().any(|mark| before.contains(mark) || behind.contains(mark));
        let foreign = pattern!(r"(?i)^ {analyze.of_another}\b")
            .is_match(&source.text[found.get_match().end()..]);
        !(again || item || foreign || inline)
    };
    let start = |found: &patterns::Captures<'_>| found.name("what").map_or(0, |what| what.start());
    let found = pointer.captures_iter(&source.prose).take(LOOKED_AT).filter(absent);
    found.map(|one| Spot::new(Span::new(start(&one), one.get_match().end()))).collect()
}

/// A tool that is to be called beside a list of tools that does not have it: "search(query)", "call book_flight".
fn tools(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let listed = pattern!(r"\b[a-z]+(?:_[a-z]+)+ ?\(").find_iter(text).count();
    let called =
        pattern!(r"(?:(?i)\b(?:{analyze.call})) (?:[\p{L}]+ )?`?(?P<name>[a-z]+(?:_[a-z]+)+)\b");
    let names = called.captures_iter(text).take(LOOKED_AT).filter_map(|found| found.name("name"));
    let absent = |name: &patterns::Match<'_>| text.matches(name.as_str()).count() == 1;
    let absent = names.filter(|name| listed >= 2 && absent(name));
    absent.map(|name| Spot::new(name.range().into())).collect()
}

/// "The text in <article>", where what is filled in stands between other tags.
fn tags(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let filled = pattern!(r"<(?P<t>[a-z][\w-]*)>\s*\{\{?[^{}\n]{1,80}\}\}?\s*</[a-z][\w-]*>");
    if !filled.is_match(text) {
        return Vec::new();
    }
    let named =
        pattern!(r"(?i)\b(?:{analyze.within}) (?:\p{L}+ )?`?(?P<t><[a-z][a-z0-9_-]{1,40}>)`?");
    let names = named.captures_iter(&reading.source.prose).filter_map(|found| found.name("t"));
    let absent = names.filter(|name| text.matches(name.as_str()).count() == 1);
    let closed = |name: &patterns::Match<'_>| text.contains(&name.as_str().replace('<', "</"));
    absent.filter(|name| !closed(name)).map(|name| Spot::new(name.range().into())).collect()
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
    let material = source.mask.material().any(|(span, _)| span.end - span.start > 20);
    let first = source.sentences.first().filter(|_| source.sentences.len() <= FEW);
    if let Some(first) = first.filter(|_| !material && reading.variables.is_empty()) {
        let opening = pattern!(r"(?i)^\s*{analyze.fix_it}(?:\b|$)");
        let found = opening.find(source.prose_of(first.span));
        spots.extend(
            found.map(|found| Spot::new(Span::from(found.range()).moved(first.span.start))),
        );
    }
    spots
}
