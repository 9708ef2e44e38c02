//! What is surely left out.

use super::reading::Reading;
use super::rule::{LOOKED_AT, Spot};
use engine::prompt::Span;
use patterns::pattern;

/// Answers from a source alone, without a word for what the source does not say.
pub fn nothing_if_missing(reading: &Reading<'_>) -> Vec<Spot> {
    let grounded = pattern!(r"(?i)\b{analyze.only_from}\b|{analyze.only_from_scripted}");
    let place = reading.all(grounded).next();
    let Some(place) = place else { return Vec::new() };
    let absent = pattern!(
        r"(?i)\b{analyze.in_case}\b[^.;!?\n]{0,120}?\b{analyze.not_there}|\b{analyze.not_there}[^.;!?\n]{0,60}\b{analyze.in_case}\b|\b{analyze.unanswered}\b|{analyze.unanswered_scripted}"
    );
    let told = absent.is_match(reading.source.text);
    Spot::new(place).when(!told)
}

/// "If the text contains instructions, follow them."
pub fn obeyed_material(reading: &Reading<'_>) -> Vec<Spot> {
    let obeys = pattern!(r"(?i)\b{analyze.obeys}");
    reading.all(obeys).filter(|place| !reading.is_negated(*place)).map(Spot::new).collect()
}

/// "TODO", "[insert name]", "<your company>", "lorem ipsum".
pub fn unfilled_placeholder(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    // A prompt about placeholders shows some.
    let about = pattern!(r"(?i)\b{analyze.placeholder_noun}\b").is_match(prose);
    let asked = |found: &patterns::Match<'_>| {
        // "Find all TODO comments" is about them.
        let word = found.as_str().chars().all(char::is_alphanumeric);
        let (before, behind) = (&prose[..found.start()], &prose[found.end()..]);
        let list = pattern!(r"(?:TODO|TBD|FIXME)s?,? (?i:{analyze.and} )?$");
        let spoken_of = pattern!(r"^(?i:{analyze.todo_noun})\b").is_match(behind.trim_start())
            || list.is_match(text::tail(before, 16))
            || before.trim_end().ends_with(['/', '#', '"', '“', '-'])
            || before.ends_with('(') && !behind.starts_with(':')
            || behind.starts_with(['-', '"', '/', ',']);
        // What stands there again and again is the form of the answer.
        let form = about || prose.matches(found.as_str()).count() >= 3;
        !(form || word && spoken_of || before.ends_with(['<', '[']) && !behind.starts_with(':'))
    };
    pattern!(r"\b(?:TODO|TBD|FIXME|X{3,})\b|(?i:\blorem ipsum\b)|[\[<](?i:{analyze.blank})(?: [^\[\]<>\n]{1,60})?[\]>]|[\[<][^\[\]<>\n]{1,40} (?i:{analyze.blank_end})[\]>]|[\[【［](?:{analyze.blank_scripted})[^\[\]】］\n]{0,12}[\]】］]|[\[【［][^\[\]】］\n]{1,12}(?:{analyze.blank_scripted})[\]】］]")
        .find_iter(prose)
        .take(LOOKED_AT)
        .filter(asked)
        .map(|found| Spot::new(found.range().into()))
        .collect()
}

/// Words of a prompt that can hardly say what is wanted, and characters where words are not set apart.
const TOO_FEW: usize = 2;
const TOO_SHORT: usize = 4;

/// "Marketing", "write text".
pub fn underspecified(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let prose = source.prose.trim_end();
    let few = if prose.contains(text::is_unspaced) {
        prose.chars().filter(|c| c.is_alphanumeric()).count() <= TOO_SHORT
    } else {
        prose.split_whitespace().count() <= TOO_FEW
    };
    let bare = few && source.mask.parts.is_empty() && !reading.attached;
    let tells = |c: char| c.is_ascii_digit() || matches!(c, '?' | '？' | '؟');
    Spot::new(Span::at(prose.len())).when(bare && !prose.contains(tells))
}

/// "If disk usage is too high", "if it seems safe", "as you see fit": no number and no rule decides.
pub fn undefined_criterion(reading: &Reading<'_>) -> Vec<Spot> {
    let open = pattern!(r"(?i)\b{analyze.open_criterion}\b");
    let decided = pattern!(r"\d|[\x22“„«]");
    let is_open = |place: &Span| {
        let text = reading.source.prose_of(reading.sentence_at(place.start).1);
        !decided.is_match(text) && !text.ends_with('?')
    };
    let mut places: Vec<Span> = reading.all(open).filter(is_open).collect();
    places.dedup_by_key(|place| reading.sentence_at(place.start).0);
    places.into_iter().map(Spot::new).collect()
}

/// A scale without ends, or whose values have no meaning: "on a scale", "from 1 to 10".
pub fn scale_without_rubric(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let open = pattern!(r"(?i)\b{analyze.on_a_scale}\b[ ,]*(?:[.!\n]|$)");
    let mut spots: Vec<Spot> = reading.all(open).map(Spot::new).collect();
    // "5: excellent", "0 none", "10 means …"
    let meanings = pattern!(
        r"(?m)\b\d{1,3} ?(?:=|:|–|{analyze.means}\b)|^\W{0,4}\d{1,3}[ .:)]+\p{L}|\(\d{1,3}\)|\b\d{1,3} \(\p{L}"
    );
    let told = meanings.find_iter(source.text).count() >= 2;
    let scale = pattern!(
        r"(?i)\b{analyze.rate}\b[^.\n]{0,80}?\b[01] ?(?:-|–|{analyze.to}) ?(?:[3-9]|\d{2,3})\b"
    );
    spots.extend(reading.all(scale).next().filter(|_| !told).map(Spot::new));
    spots
}
