//! Words that are to decide something and do not say by what.

use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use patterns::pattern;

/// "If disk usage is too high", "if it seems safe", "as you see fit": no number and no rule decides.
pub fn undefined(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let open = pattern!(r"(?i)\b{analyze.open_criterion}\b");
    let decided = pattern!(r"\d|[\x22“„«]");
    let mut spots = Vec::new();
    for sentence in &source.sentences {
        let text = source.prose_of(sentence.span);
        let found = open.find(text).filter(|_| !decided.is_match(text) && !text.ends_with('?'));
        spots.extend(
            found.map(|found| Spot::new(Span::from(found.range()).moved(sentence.span.start))),
        );
    }
    spots
}

/// A scale whose values have no meaning: "rate it on a scale", "from 1 to 10".
pub fn bare_scale(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let open = pattern!(r"(?i)\b{analyze.on_a_scale}\b[ ,]*(?:[.!\n]|$)");
    let scale = pattern!(
        r"(?i)\b{analyze.rate}\b[^.\n]{0,80}?\b[01] ?(?:-|–|{analyze.to}) ?(?P<n>3|4|5|10|100)\b"
    );
    let mut spots: Vec<Spot> = reading.all(open).map(Spot::new).collect();
    // "5: excellent", "0 none", "10 means …"
    let meanings = pattern!(
        r"(?m)\b\d{1,3} ?(?:=|:|–|{analyze.means}\b)|^\W{0,4}\d{1,3}[ .:)]+\p{L}|\(\d{1,3}\)"
    );
    let told = meanings.find_iter(source.text).count() >= 2;
    if let Some(found) = scale.find(&source.prose).filter(|_| !told) {
        spots.push(Spot::new(found.range().into()));
    }
    spots
}
