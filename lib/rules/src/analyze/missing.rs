//! What is surely left out.

use super::mask::Kind;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use patterns::pattern;

/// Answers from a source alone, without a word for what the source does not say.
pub fn nothing_if_missing(reading: &Reading<'_>) -> Vec<Spot> {
    let grounded = pattern!(r"(?i)\b{analyze.only_from}\b|{analyze.only_from_scripted}");
    let Some(place) = reading.all(grounded).next() else { return Vec::new() };
    let absent = pattern!(
        r"(?i)\b{analyze.in_case}\b[^.;!?\n]{0,120}?\b{analyze.not_there}|\b{analyze.not_there}[^.;!?\n]{0,60}\b{analyze.in_case}\b|\b{analyze.unanswered}\b|{analyze.unanswered_scripted}"
    );
    let told = absent.is_match(reading.source.text);
    Spot::new(place).when(!told)
}

/// "Today is 14 March 2023" in a prompt that is used again and again.
pub fn stale_date(reading: &Reading<'_>) -> Vec<Spot> {
    let dated = pattern!(
        r"(?i)\b{analyze.today_is} [^.\n]{0,20}\b20\d\d\b|{analyze.today_scripted}[^。\n]{0,6}20\d\d"
    );
    let again = !reading.variables.is_empty()
        || pattern!(r"(?im)^\W*{analyze.you_are}\b").is_match(&reading.source.prose);
    let place = reading.all(dated).next().filter(|_| again);
    place.map(Spot::new).into_iter().collect()
}

/// Placeholders that are looked at.
const LOOKED_AT: usize = 50;

/// "TODO", "[insert name]", "<your company>", "lorem ipsum".
pub fn unfilled_placeholder(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let asked = |found: &patterns::Match<'_>| {
        // "Find all TODO comments" is about them.
        let word = found.as_str().chars().all(char::is_alphanumeric);
        let spoken_of = pattern!(r"^(?i:{analyze.todo_noun})\b")
            .is_match(prose[found.end()..].trim_start())
            || prose[..found.start()].trim_end().ends_with(['/', '#', '"', '“', ',', '-', '('])
            || prose[found.end()..].starts_with(['-', '"', '/']);
        // What stands there again and again is the form of the answer.
        let form = prose.matches(found.as_str()).count() >= 3;
        !(form || word && spoken_of || prose[..found.start()].ends_with(['<', '[']))
    };
    pattern!(r"\b(?:TODO|TBD|FIXME|X{3,})\b|(?i:\blorem ipsum\b)|[\[<](?i:{analyze.blank})(?: [^\[\]<>\n]{1,60})?[\]>]|[\[<][^\[\]<>\n]{1,40} (?i:{analyze.blank_end})[\]>]|[\[【［](?:{analyze.blank_scripted})[^\[\]】］\n]{0,12}[\]】］]|[\[【［][^\[\]】］\n]{1,12}(?:{analyze.blank_scripted})[\]】］]")
        .find_iter(prose)
        .take(LOOKED_AT)
        .filter(asked)
        .map(|found| Spot::new(found.range().into()))
        .collect()
}

/// "{{a}} {{b}}": nothing says what is to be done with them.
pub fn only_variables(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let bare = source.mask.parts.iter().all(|(_, kind)| *kind == Kind::Variable)
        && !source.prose.chars().any(char::is_alphanumeric);
    let first = reading.variables.first().filter(|_| bare);
    first.map(|(span, _)| Spot::new(*span)).into_iter().collect()
}

/// Words of a prompt that can hardly say what is wanted, and characters where words are not set apart.
const TOO_FEW: usize = 2;
const TOO_SHORT: usize = 4;

/// "Marketing", "write text".
pub fn underspecified(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let letters = source.prose.chars().filter(|c| c.is_alphanumeric()).count();
    let spaced = source.words.iter().all(|word| !word.lower.contains(|c: char| c > '\u{2e80}'));
    let few = if spaced { source.words.len() <= TOO_FEW } else { letters <= TOO_SHORT };
    let bare = few && letters > 0 && source.mask.parts.is_empty() && !reading.attached;
    Spot::new(Span::at(source.end())).when(
        bare && !source.prose.contains(['?', '？', '؟'])
            && !source.prose.contains(|c: char| c.is_ascii_digit()),
    )
}
