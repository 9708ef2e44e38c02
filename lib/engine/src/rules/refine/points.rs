//! Splitting feedback into points.

use std::ops::Range;

use patterns::{Pattern, pattern};

use super::{sentences, steering};
use text::{Cover, literals::scan};

/// So many points are worked on; what follows them is one last point.
const MOST: usize = 60;

/// One thing that the feedback asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The feedback's words.
    pub shown: String,
    /// The same with the verb that it shares with the point before it: "replace coffee with juice" where the
    /// feedback has "and coffee with juice".
    pub text: String,
    /// Whether it is all that follows the last point that is worked on.
    pub surplus: bool,
}

/// The points of a feedback in its order: list items and sentences, cut where a conjunction or a comma leads
/// to another instruction, or where a remark only lists settings ("shorter, more formal and for beginners").
///
/// A sentence that tries to steer the service stays whole, so that nothing of it passes as a wish.
pub fn split(feedback: &str, prompt: &str) -> Vec<Point> {
    let literals = scan(feedback);
    let held = literals.cover(feedback.len());
    let known = prompt.to_lowercase();
    let mut points: Vec<Point> = Vec::new();
    let mut surplus = "";
    for sentence in sentences::of(feedback, &held) {
        if points.len() >= MOST {
            surplus = feedback[sentence.start..].trim();
            break;
        }
        if steering::steers(&feedback[sentence.clone()]) {
            points.push(Point::of(&feedback[sentence]));
            continue;
        }
        let mut from = sentence.start;
        for cut in cuts(feedback, &sentence, &held, &known) {
            let comma = feedback[cut.clone()].trim() == ",";
            if cut.start > from && is_whole(&feedback[from..cut.start], comma) {
                push(&feedback[from..cut.start], &known, &mut points);
                from = cut.end;
            }
        }
        push(&feedback[from..sentence.end], &known, &mut points);
    }
    if points.is_empty() {
        points.push(Point::of(feedback.trim()));
    }
    if !surplus.is_empty() {
        points.push(Point { surplus: true, ..Point::of(surplus) });
    }
    points
}

impl Point {
    /// A point whose words are complete.
    pub fn of(text: &str) -> Self {
        Self { shown: text.to_owned(), text: text.to_owned(), surplus: false }
    }
}

/// A change of how a picture looks.
const LOOKS: Pattern = pattern!(
    r"(?i)^(?:{refine_points.degree} )?(?:{refine_points.comparison} [\p{L}-]+|{refine_points.look})$"
);

/// The separators in a sentence that lead to another point, in byte ranges.
fn cuts(feedback: &str, sentence: &Range<usize>, held: &Cover, known: &str) -> Vec<Range<usize>> {
    let verb = pattern!(r"(?i)^(?:{refine_points.courtesy}\s+)*(?:{refine_points.verb}\b)");
    let separator = pattern!(
        r"(?i)\s*[;；؛]\s*|\s*[,，、،]\s*(?:{refine_points.after_comma}\s+|{refine_points.and_unspaced})?|\s+{refine_common.and_but}\s+"
    );
    let text = &feedback[sentence.clone()];
    let is_decimal = |range: &Range<usize>| {
        range.len() == 1
            && feedback[..range.start].ends_with(|c: char| c.is_ascii_digit())
            && feedback[range.end..].starts_with(|c: char| c.is_ascii_digit())
    };
    let found: Vec<Range<usize>> = separator
        .find_iter(text)
        .map(|found| sentence.start + found.start()..sentence.start + found.end())
        .filter(|range| !held.touches(range) && !is_decimal(range))
        .take(MOST)
        .collect();
    let mut result: Vec<Range<usize>> = Vec::new();
    for (at, range) in found.iter().enumerate() {
        let next = found.get(at + 1).map_or(sentence.end, |next| next.start);
        let follows = &feedback[range.end..next.max(range.end)];
        let before = &feedback[result.last().map_or(sentence.start, |last| last.end)..range.start];
        let sign = feedback[range.clone()].trim_start();
        let comma = sign.starts_with([',', '，', '、', '،']);
        let bounded =
            super::settings::lengths(follows).iter().any(super::settings::Length::is_bound);
        let sets = comma
            && (!lists(before) || bounded)
            && (1..=8).contains(&follows.split_whitespace().count())
            && (pattern!(r"(?i)^{refine_common.without}\s|^\d{1,2}:\d{1,2}$").is_match(follows)
                || LOOKS.is_match(follows)
                || follows.contains(' ') && super::asks::is_setting(follows));
        // "add a boat, night instead of dawn, no birds": neither is another thing to add.
        let turns = comma
            && (pattern!(r"(?i)^{refine_common.without}(?: [^\s,;.]+){1,3}$")
                .is_match(follows.trim_end_matches(['.', '!']))
                || super::instead::asked(follows).is_some_and(|(old, _)| {
                    known.contains(&super::instead::bare(&old).to_lowercase())
                }));
        // "Make it 5 days and the budget is now $4000."
        let states = follows.contains(|c: char| c.is_ascii_digit())
            && pattern!(
                r"(?i)^(?:{refine_instead.label_article} )?\p{L}+ {refine_instead.label_is} "
            )
            .is_match(follows);
        if sign.starts_with([';', '；', '؛'])
            || turns
            || states
            || verb.is_match(&feedback[range.end..sentence.end])
            || sets
            || comma && leads_elsewhere(before, follows)
        {
            result.push(range.clone());
        }
    }
    result
}

/// Whether a comma stands between two instructions in a script other than Latin, whose words tell it at
/// the beginning or, in Japanese and Korean, at the end of a clause.
fn leads_elsewhere(before: &str, follows: &str) -> bool {
    let begins = pattern!(r"(?i)^\s*{refine_points.also_unspaced}*{refine_points.verb_unspaced}");
    let ends = pattern!(r"{refine_points.clause_end}\s*$");
    let calls = pattern!(r"(?i)^\s*{refine_points.instruction}");
    begins.is_match(follows)
        || calls.is_match(follows)
        || pattern!(r"[\x{3040}-\x{30ff}\x{ac00}-\x{d7af}]").is_match(before)
            && ends.is_match(before)
}

/// Whether a clause enumerates things, so that what follows its commas belongs to it.
fn lists(clause: &str) -> bool {
    pattern!(r"(?i)^\s*(?:{refine_points.list_courtesy}\s+)*{refine_points.enumerating_verb}\b")
        .is_match(clause)
}

/// Whether a clause can stand without what follows: "if it is long" cannot, nor "in the intro" or "first"
/// before a comma.
fn is_whole(clause: &str, comma: bool) -> bool {
    let place = pattern!(r"(?i)^\s*{refine_points.place}\b");
    let open = pattern!(r"(?i)^\s*{refine_points.open}\b");
    let order = pattern!(r"(?i)^\s*(?:(?:{refine_common.and} )?{refine_points.order})\s*$");
    let framed = pattern!(r"(?i){refine_points.picture_shape}\s*$").is_match(clause);
    let lead = comma
        && (place.is_match(clause)
            && !framed
            && !super::instead::is_wish(clause)
            && !super::asks::is_setting(clause)
            || super::asks::is_remark(clause.trim()));
    !(lead || open.is_match(clause) || order.is_match(clause))
}

fn push(text: &str, known: &str, points: &mut Vec<Point>) {
    let courtesy = pattern!(r"(?i)[,;]\s*{refine_points.courtesy_tail}[.!]*\s*$");
    let text = courtesy.find(text).map_or(text, |found| &text[..found.start()]);
    let text = text.trim().trim_end_matches([',', ';', '，', '、', '،']).trim_end();
    if !text.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) {
        return;
    }
    // "I like it, but it is too long" asks for what stands behind the praise.
    let praise = pattern!(r"(?i)^(?P<a>.{2,60}?),?\s+{refine_points.but}\s+(?P<v>\S.*)$");
    let rest = praise
        .captures(text)
        .filter(|found| super::asks::is_remark(&found["a"]))
        .and_then(|found| found.name("v"));
    if let Some(rest) = rest {
        let first = points.len();
        push(rest.as_str(), known, points);
        if let Some(point) = points.get_mut(first) {
            point.shown = format!("{}{}", &text[..rest.start()], point.shown);
        }
        return;
    }
    if let Some(parts) = settings(text) {
        points.extend(parts.into_iter().map(Point::of));
    } else if let Some(parts) = pairs(text, known) {
        points.extend(parts);
    } else {
        points.push(Point::of(text));
    }
}

/// The exchanges that share a verb: "replace tea with milk and coffee with juice". Each has a preposition of
/// its own, and what it names stands in the prompt (`known`, in lower case).
fn pairs(text: &str, known: &str) -> Option<Vec<Point>> {
    let lead = pattern!(
        r"(?ix)^(?:{refine_points.pair_courtesy}\s+)*(?P<verb>{refine_points.exchange_verb}\s+(?:(?:{refine_common.the}\ )?{refine_points.text_noun}\s+)?)"
    );
    let lead = lead.captures(text)?;
    let verb = &lead["verb"];
    let from = lead.get(0)?.end();
    let literals = scan(text);
    let held = literals.cover(text.len());
    let outside = |found: &patterns::Match<'_>| !held.touches(&found.range());
    let backwards = pattern!(r"(?i)^{refine_points.backward_verb}").is_match(verb);
    let between = if backwards {
        pattern!(r"(?i)\s{refine_points.instead_of}\s")
    } else {
        pattern!(r"(?i)\s{refine_points.exchange_preposition}\s")
    };
    let separator =
        pattern!(r"(?i)\s*[;,，、،]\s*(?:{refine_common.and}\s+)?|\s+{refine_common.and}\s+");
    let mut starts = vec![from];
    let mut ends = Vec::new();
    let mut stands = vec![true];
    let separators: Vec<_> =
        separator.find_iter(text).filter(|found| found.start() >= from).filter(outside).collect();
    for (at, found) in separators.iter().enumerate() {
        let next = separators.get(at + 1).map_or(text.len(), |next| next.start());
        let clause = &text[found.end()..next];
        let parted = between
            .find_iter(clause)
            .find(|place| !held.touches(&(found.end() + place.start()..found.end() + place.end())));
        let Some(parted) = parted else { continue };
        let before = text[starts[starts.len() - 1]..found.start()].to_owned();
        if !between.is_match(&before) {
            continue;
        }
        let old = if backwards { &clause[parted.end()..] } else { &clause[..parted.start()] };
        let old = old.trim().trim_end_matches(['.', '!']);
        let article = pattern!(r"(?i)^{refine_points.article}\s+");
        let bare = article.replace(super::asks::unquoted(old), "").to_lowercase();
        stands.push(!bare.is_empty() && known.contains(&bare));
        ends.push(found.start());
        starts.push(found.end());
    }
    if starts.len() < 2 || !stands.iter().all(|stands| *stands) {
        return None;
    }
    ends.push(text.len());
    let points = starts.iter().zip(&ends).enumerate().map(|(at, (start, end))| {
        let clause = text[*start..*end].trim();
        match at {
            0 => Point::of(&text[..*end]),
            _ => Point { text: format!("{verb}{clause}"), ..Point::of(clause) },
        }
    });
    Some(points.collect())
}

/// The parts of a remark that only lists settings.
fn settings(text: &str) -> Option<Vec<&str>> {
    if text.len() > 200 || text.contains(['"', '“', '„', '«', '{', '`']) {
        return None;
    }
    let lead = pattern!(
        r"(?i)^(?:{refine_points.settings_courtesy} )*(?:(?:{refine_points.answer} {refine_points.should} (?:{refine_common.be} )?)|{refine_points.make}(?:[- ]{refine_points.make_object})? )?"
    );
    let body = lead.find(text).map_or(0, |found| found.end());
    let separator =
        pattern!(r"(?i)\s*[,，、،;]\s*(?:{refine_common.and_but} )?|\s+{refine_common.and_but}\s+");
    let decimal = |place: &patterns::Match<'_>| {
        place.len() == 1
            && text[..place.start()].ends_with(|c: char| c.is_ascii_digit())
            && text[place.end()..].starts_with(|c: char| c.is_ascii_digit())
    };
    let mut parts: Vec<&str> = Vec::new();
    let mut from = body;
    for found in separator.find_iter(text).filter(|found| found.start() >= body && !decimal(found))
    {
        parts.push(&text[from..found.start()]);
        from = found.end();
    }
    parts.push(&text[from..]);
    for part in &mut parts {
        *part = part.trim().trim_end_matches(['.', '!']);
    }
    let sets =
        |part: &&str| part.split_whitespace().count() <= 7 && super::asks::is_setting(part.trim());
    if parts.len() < 2 || !parts.iter().all(sets) {
        return None;
    }
    // The first part keeps the verb that all of them share.
    parts[0] = &text[..body + parts[0].len()];
    Some(parts)
}
