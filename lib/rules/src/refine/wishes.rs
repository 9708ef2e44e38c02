//! Splitting feedback into wishes.

use std::ops::Range;

use patterns::{Pattern, pattern};

use super::asked::is_setting;
use super::courtesy::{core, is_remark, unquoted};
use super::exchange::{self, Kind};
use super::lengths::{Length, lengths};
use super::replace::stands;
use super::{sentences, steering, visual};
use text::{Cover, literals::scan};

/// So many wishes are worked on; what follows them is one last wish.
const MOST: usize = 60;

/// One thing that the feedback asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The feedback's words.
    pub shown: String,
    /// The same with the verb that it shares with the wish before it: "replace coffee with juice" where the
    /// feedback has "and coffee with juice".
    pub text: String,
    /// Whether it is all that follows the last wish that is worked on.
    pub surplus: bool,
}

impl Wish {
    /// A wish whose words are complete.
    fn of(text: &str) -> Self {
        Self { shown: text.to_owned(), text: text.to_owned(), surplus: false }
    }
}

/// The wishes of a feedback in its order: list items and sentences, cut where a conjunction or a comma leads to another
/// instruction, or where a remark only lists settings ("shorter, more formal and for beginners").
///
/// A sentence that tries to steer the service stays whole, so that nothing of it passes as a wish.
pub fn split(feedback: &str, prompt: &str) -> Vec<Wish> {
    let held = scan(feedback).cover(feedback.len());
    let mut wishes: Vec<Wish> = Vec::new();
    for sentence in sentences::of(feedback, &held) {
        if wishes.len() >= MOST {
            let rest = Wish::of(feedback[sentence.start..].trim());
            wishes.push(Wish { surplus: true, ..rest });
            break;
        }
        if steering::steers(&feedback[sentence.clone()]) {
            wishes.push(Wish::of(&feedback[sentence]));
            continue;
        }
        let mut from = sentence.start;
        for cut in cuts(feedback, &sentence, &held, prompt) {
            let comma = feedback[cut.clone()].trim() == ",";
            if cut.start > from && is_whole(&feedback[from..cut.start], comma) {
                push(&feedback[from..cut.start], prompt, &mut wishes);
                from = cut.end;
            }
        }
        push(&feedback[from..sentence.end], prompt, &mut wishes);
    }
    if wishes.is_empty() {
        wishes.push(Wish::of(feedback.trim()));
    }
    wishes
}

/// What may stand between two wishes of a sentence.
const SEPARATOR: Pattern = pattern!(
    r"(?i)\s*[;；؛]\s*|\s*[,，、،]\s*(?:{refine_points.after_comma}\s+|{refine_points.and_unspaced})?|\s+{refine_common.and_but}\s+"
);

/// The separators of a stretch of text, without those in decimals and literals.
fn separators(text: &str, stretch: Range<usize>, held: &Cover) -> Vec<Range<usize>> {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_decimal = |range: &Range<usize>| {
        let around = (&text[..range.start], &text[range.end..]);
        range.len() == 1 && around.0.ends_with(is_digit) && around.1.starts_with(is_digit)
    };
    SEPARATOR
        .find_iter(&text[stretch.clone()])
        .map(|found| stretch.start + found.start()..stretch.start + found.end())
        .filter(|range| !held.touches(range) && !is_decimal(range))
        .take(MOST)
        .collect()
}

/// The separators in a sentence that lead to another wish.
fn cuts(feedback: &str, sentence: &Range<usize>, held: &Cover, prompt: &str) -> Vec<Range<usize>> {
    let verb = pattern!(r"(?i)^(?:{refine_points.courtesy}\s+)*(?:{refine_points.verb}\b)");
    let found = separators(feedback, sentence.clone(), held);
    let mut result: Vec<Range<usize>> = Vec::new();
    for (at, range) in found.iter().enumerate() {
        let next = found.get(at + 1).map_or(sentence.end, |next| next.start);
        let follows = &feedback[range.end..next.max(range.end)];
        let before = &feedback[result.last().map_or(sentence.start, |last| last.end)..range.start];
        let sign = feedback[range.clone()].trim_start();
        let comma = sign.starts_with([',', '，', '、', '،']);
        if sign.starts_with([';', '；', '؛'])
            || verb.is_match(&feedback[range.end..sentence.end])
            || states_value(follows)
            || comma && (turns(before, follows, prompt) || leads_elsewhere(before, follows))
        {
            result.push(range.clone());
        }
    }
    result
}

/// "Make it 5 days and the budget is now $4000."
fn states_value(clause: &str) -> bool {
    let label =
        pattern!(r"(?i)^(?:{refine_exchange.label_article} )?\p{L}+ {refine_exchange.label_is} ");
    clause.contains(|c: char| c.is_ascii_digit()) && label.is_match(clause)
}

/// Whether a comma leads to something else than a further thing of an enumeration: in "add a boat, night instead of
/// dawn, no birds" neither is another thing to add.
fn turns(before: &str, follows: &str, prompt: &str) -> bool {
    let looks = pattern!(
        r"(?i)^(?:{refine_points.degree} )?(?:{refine_points.comparison} [\p{L}-]+|{refine_points.look})$"
    );
    let enumerates = pattern!(
        r"(?i)^\s*(?:{refine_points.list_courtesy}\s+)*{refine_points.enumerating_verb}\b"
    );
    let without = pattern!(r"(?i)^{refine_common.without}(?: [^\s,;.]+){1,3}$");
    let bare = follows.trim_end_matches(['.', '!']);
    let wish = exchange::read(core(follows).0).filter(|found| found.kind == Kind::Wish);
    if without.is_match(bare)
        || wish.is_some_and(|wish| !wish.quoted && stands(prompt, &wish.old))
        || visual::ratio(bare, false).is_some()
    {
        return true;
    }
    let bounded = lengths(follows).iter().any(Length::is_bound);
    (!enumerates.is_match(before) || bounded)
        && (1..=8).contains(&follows.split_whitespace().count())
        && (pattern!(r"(?i)^{refine_common.without}\s").is_match(follows)
            || looks.is_match(follows)
            || follows.contains(' ') && is_setting(follows))
}

/// Whether a comma stands between two instructions in a script other than Latin, whose words tell it at the beginning
/// or, in Japanese and Korean, at the end of a clause.
fn leads_elsewhere(before: &str, follows: &str) -> bool {
    let begins = pattern!(r"(?i)^\s*{refine_points.also_unspaced}*{refine_points.verb_unspaced}");
    let ends = pattern!(r"{refine_points.clause_end}\s*$");
    let calls = pattern!(r"(?i)^\s*{refine_points.instruction}");
    begins.is_match(follows)
        || calls.is_match(follows)
        || pattern!(r"[\x{3040}-\x{30ff}\x{ac00}-\x{d7af}]").is_match(before)
            && ends.is_match(before)
}

/// Whether a clause can stand without what follows: "if it is long" cannot, nor "in the intro" or "first" before a
/// comma.
fn is_whole(clause: &str, comma: bool) -> bool {
    let place = pattern!(r"(?i)^\s*{refine_points.place}\b");
    let open = pattern!(r"(?i)^\s*{refine_points.open}\b");
    let order = pattern!(r"(?i)^\s*(?:(?:{refine_common.and} )?{refine_points.order})\s*$");
    let framed = pattern!(r"(?i){refine_points.picture_shape}\s*$");
    let says = || {
        framed.is_match(clause)
            || is_setting(clause)
            || exchange::read(core(clause).0).is_some_and(|found| found.kind == Kind::Wish)
    };
    let leads = comma && (place.is_match(clause) && !says() || is_remark(clause.trim()));
    !(leads || open.is_match(clause) || order.is_match(clause))
}

fn push(text: &str, prompt: &str, wishes: &mut Vec<Wish>) {
    let courtesy = pattern!(r"(?i)[,;]\s*{refine_points.courtesy_tail}[.!]*\s*$");
    let text = courtesy.find(text).map_or(text, |found| &text[..found.start()]);
    let text = text.trim().trim_end_matches([',', ';', '，', '、', '،']).trim_end();
    if !text.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) {
        return;
    }
    // "I like it, but it is too long" asks for what stands behind the praise.
    let praise = pattern!(r"(?i)^(?P<a>.{2,60}?),?\s+{refine_points.but}\s+(?P<v>\S.*)$");
    let rest = praise.captures(text).filter(|found| is_remark(&found["a"]));
    if let Some(rest) = rest.and_then(|found| found.name("v")) {
        let first = wishes.len();
        push(rest.as_str(), prompt, wishes);
        if let Some(wish) = wishes.get_mut(first) {
            wish.shown = format!("{}{}", &text[..rest.start()], wish.shown);
        }
        return;
    }
    match settings(text).or_else(|| pairs(text, prompt)) {
        Some(parts) => wishes.extend(parts),
        None => wishes.push(Wish::of(text)),
    }
}

/// The parts of a remark that only lists settings.
fn settings(text: &str) -> Option<Vec<Wish>> {
    if text.len() > 200 || text.contains(['"', '“', '„', '«', '{', '`']) {
        return None;
    }
    let lead = pattern!(
        r"(?i)^(?:{refine_points.settings_courtesy} )*(?:(?:{refine_points.answer} {refine_points.should} (?:{refine_common.be} )?)|{refine_points.make}(?:[- ]{refine_points.make_object})? )?"
    );
    let body = lead.find(text).map_or(0, |found| found.end());
    let held = scan("").cover(text.len());
    let mut parts: Vec<&str> = Vec::new();
    let mut from = body;
    for found in separators(text, body..text.len(), &held) {
        parts.push(&text[from..found.start]);
        from = found.end;
    }
    parts.push(&text[from..]);
    for part in &mut parts {
        *part = part.trim().trim_end_matches(['.', '!']);
    }
    let sets = |part: &&str| part.split_whitespace().count() <= 7 && is_setting(part);
    if parts.len() < 2 || !parts.iter().all(sets) {
        return None;
    }
    // The first part keeps the verb that all of them share.
    parts[0] = &text[..body + parts[0].len()];
    Some(parts.into_iter().map(Wish::of).collect())
}

/// The exchanges that share a verb: "replace tea with milk and coffee with juice". Each has a preposition of its own,
/// and what it names stands in the prompt.
fn pairs(text: &str, prompt: &str) -> Option<Vec<Wish>> {
    let lead = pattern!(
        r"(?ix)^(?:{refine_points.pair_courtesy}\s+)*(?P<verb>{refine_points.exchange_verb}\s+(?:(?:{refine_common.the}\ )?{refine_points.text_noun}\s+)?)"
    );
    let lead = lead.captures(text)?;
    let verb = &lead["verb"];
    let held = scan(text).cover(text.len());
    let backwards = pattern!(r"(?i)^{refine_points.backward_verb}").is_match(verb);
    let between = if backwards {
        pattern!(r"(?i)\s{refine_points.instead_of}\s")
    } else {
        pattern!(r"(?i)\s{refine_points.exchange_preposition}\s")
    };
    let mut clauses = Vec::new();
    clauses.push(lead.get(0)?.end()..text.len());
    let separators = separators(text, clauses[0].clone(), &held);
    for (at, range) in separators.iter().enumerate() {
        let end = separators.get(at + 1).map_or(text.len(), |next| next.start);
        let clause = &text[range.end..end];
        let last = clauses.len() - 1;
        let is_free = |place: &patterns::Match<'_>| {
            !held.touches(&(range.end + place.start()..range.end + place.end()))
        };
        let Some(parted) = between.find_iter(clause).find(is_free) else { continue };
        if !between.is_match(&text[clauses[last].start..range.start]) {
            continue;
        }
        let old = if backwards { &clause[parted.end()..] } else { &clause[..parted.start()] };
        if !stands(prompt, unquoted(old.trim().trim_end_matches(['.', '!']))) {
            return None;
        }
        clauses[last].end = range.start;
        clauses.push(range.end..text.len());
    }
    if clauses.len() < 2 {
        return None;
    }
    let wish = |(at, clause): (usize, Range<usize>)| match at {
        0 => Wish::of(&text[..clause.end]),
        _ => {
            let shown = text[clause].trim();
            Wish { text: format!("{verb}{shown}"), ..Wish::of(shown) }
        }
    };
    Some(clauses.into_iter().enumerate().map(wish).collect())
}
