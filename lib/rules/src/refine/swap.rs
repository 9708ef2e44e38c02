//! Putting one thing in the place of another where the feedback names both: names, quotations, variables.

use super::figures;
use super::read::is_negated;
use super::words::{bare, content, shared, unquoted};
use super::work::{Outcome, Place, Work};
use crate::split::capitalize;
use engine::prompt::container::Role;
use patterns::{Captures, Pattern, pattern};

/// Longest thing that is put in the place of another, in words.
const LONGEST: usize = 8;
/// Bytes before a word in which its article stands.
const NEAR: usize = 8;
/// Bytes of a point that names both, and most quotations of a prompt of which a point may mean one.
const PHRASED: usize = 500;
const QUOTATIONS: usize = 64;
/// So many commas from behind may end what a point puts in the place of something.
pub const COMMAS: usize = 3;
/// Fewest parts, with the comma, of what a point says behind that.
const MORE: usize = 3;
/// The forms in which feedback names an old thing and a new one.
const FORMS: [Pattern; 10] = [
    pattern!(r"(?i)^(?P<x>.+?)\s*(?:->|→|=>|⇒)\s*(?P<y>.+)$"),
    pattern!(r"(?i)^(?:{refine.change})\s+(?P<x>.+?)\s+(?:{refine.to})\s+(?P<y>.+)$"),
    pattern!(r"(?i)^(?P<y>.+?),?\s+(?P<last>{refine.instead})(?:\s+|\b)(?P<x>.+)$"),
    pattern!(r"(?i)^(?P<x>.+?)\s+(?:{refine.renamed})\s+(?P<y>.+)$"),
    pattern!(r"(?i)^(?P<y>.+?),?\s+(?P<last>{refine.negated})\s+(?P<x>.+)$"),
    pattern!(r"(?i)^(?:{refine.instead})\s+(?P<x>.+?),?\s+(?:{refine.use})\s+(?P<y>.+)$"),
    // "And invoice_no to number."
    pattern!(r"(?i)^(?P<x>[a-z0-9]*_\w*)\s+(?:{refine.to})\s+(?P<y>\w+)$"),
    // "100 coins takes ages so make it 50."
    pattern!(r"(?i)^(?P<x>\d\S*(?:\s\S+)?)\s\D*\b(?:{refine.make_it})\s+(?P<y>\d\S*)$"),
    // "It should be called Ann, Bob is taken."
    pattern!(
        r"^.*\s(?i:{refine.named})\s+(?P<y>\p{Lu}[\p{L}'’-]*),\s+(?P<x>[\p{L}'’-]+)\s+(?i:{refine.taken})(?:\s.*)?$"
    ),
    // "Anna has left, it's Tom now."
    pattern!(
        r"^(?P<x>\p{Lu}[\p{L}.'’-]*)\s+(?i:{refine.gone})[\s,.:;(–-]+(?i:{refine.it_is})\s+(?P<y>\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)(?P<rest>.*)$"
    ),
];

/// An old thing and a new one, as the feedback has them.
struct Swap {
    old: String,
    new: String,
    more: bool,
    /// Whether they are people, who have more names where another one follows.
    people: bool,
}

impl Swap {
    /// The things that a form finds in a point of which something is left out behind, or nothing.
    fn of(found: &Captures<'_>, all: bool) -> Option<Self> {
        let tail = pattern!(r"(?i)[,]?\s+(?:{refine.now}|{refine.courtesy}|{refine.rename_tail})$");
        let part = |name: &str| {
            let text = found.name(name)?.as_str().trim();
            Some(tail.find(text).map_or(text, |found| &text[..found.start()]))
        };
        let (mut old, mut new) = (part("x")?, part("y")?);
        let rest = found.name("rest").map(|rest| rest.as_str());
        let mut more = !all || rest.is_some_and(|rest| !content(rest).is_empty());
        let mut lead = pattern!(r"(?i)^(?:(?:{refine.use})\s+)+").captures(new);
        if found.name("last").is_some() {
            // "The list should name Rome, not Pisa."
            let quoted = text::literals::scan(new).cover();
            let comma = new.rmatch_indices(", ").find(|(at, _)| !quoted.touches(&(*at..at + 1)));
            more |= comma.is_some();
            new = comma.map_or(new, |(at, _)| &new[at + 2..]);
            let sentence = pattern!(
                r"^(?:(?:.*\s)?(?i:{refine.use}|{refine.renamed})\s+|.*(?:->|→)\s*|.*\s(?i:{refine.copula})\s+(?P<n>\p{Lu}))"
            );
            lead = sentence.captures(new);
        }
        let start = lead.map_or(0, |found| {
            found.name("n").map_or(found.get_match().end(), |name| name.start())
        });
        new = &new[start..];
        if let [one] = &text::literals::scan(new).quotations[..]
            && !is_negated(&new[..one.start])
        {
            more |= pattern!(r"(?i)^[\s,]*{refine.joint}\s").is_match(&new[one.end..]);
            new = &new[one.clone()];
        }
        if let [one] = &text::literals::scan(old).quotations[..]
            && one.end == old.len()
            && found.name("last").is_none()
        {
            old = &old[one.clone()];
        }
        let people = rest.is_some();
        Some(Self { old: old.to_owned(), new: new.to_owned(), more, people })
    }
}

/// What a point, or what stands before one of its last commas, puts in the place of what; surer forms come first.
fn read(point: &str) -> impl Iterator<Item = Swap> {
    let bare = pattern!(r"^(?P<p>.*\S)\s+\([^()\d]*\)$").captures(point);
    let point = bare.and_then(|found| found.name("p")).map_or(point, |part| part.as_str());
    let stops = point.rmatch_indices([',', '，', '、', '—']).map(|(at, _)| at).take(COMMAS);
    let says_more = |at: &usize| point[*at..].split_whitespace().count() >= MORE;
    let ends = std::iter::once(point.len()).chain(stops.filter(says_more));
    ends.filter(|end| *end <= PHRASED).flat_map(move |end| {
        let found = FORMS.iter().filter_map(move |form| form.captures(&point[..end]));
        found.filter_map(move |found| Swap::of(&found, end == point.len()))
    })
}

/// Whether a point names an old thing that the prompt has, and a new one.
pub fn is_swap(work: &Work<'_>, point: &str) -> bool {
    let stands = |swap: &Swap| !work.places(unquoted(&swap.old)).is_empty() && is_phrase(swap);
    renamed(work, point).is_some() || read(point).any(|swap| stands(&swap))
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a point gives a variable another name.
pub fn renames(point: &str) -> bool {
    let marked = |swap: Swap| [swap.old, swap.new].iter().all(|name| name.contains("{{"));
    patterns::reading_all(|| read(point).any(marked))
}

/// Whether the new thing of an exchange is a phrase that can stand where the old one does.
fn is_phrase(swap: &Swap) -> bool {
    let is_quoted = |text: &String| unquoted(text) != text;
    let literal = is_quoted(&swap.old) || is_quoted(&swap.new) && is_named(&swap.old);
    let open = |text: &str| {
        text.contains([',', '…', ';', '?', ':', '(']) || text.split_whitespace().count() > LONGEST
    };
    // What begins with a pronoun or a preposition does not stand alone.
    let leans = pattern!(r"(?i)^(?:{refine.pronoun}|{refine.case})\s");
    // "Into a variable" names a form, not what is to stand there.
    let says = pattern!(r"(?i)(?:^|\s)(?:{refine.clause})(?:\s|$)|^(?:{refine.variable})s?$");
    literal
        || !open(&swap.old)
            && !open(&swap.new)
            && !says.is_match(&swap.new)
            && (leans.is_match(&swap.old) || !leans.is_match(&swap.new))
            && [&swap.old, &swap.new].iter().all(|text| is_named(text))
}

/// Whether a text names something: "do not use it" does not.
fn is_named(text: &str) -> bool {
    let sign = |c: char| c.is_ascii_digit() || "_-/".contains(c);
    !content(text).is_empty() || text.contains(sign) || text.chars().all(char::is_uppercase)
}

/// Carries out an exchange that a point names.
pub fn exchange(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    if let Some((places, new, more)) = renamed(work, point) {
        let done = work.exchange_all(&places, &new).unwrap_or_else(|| work.refused(super::UNFOUND));
        return Some(super::with_rest(work, done, more));
    }
    read(point).find_map(|swap| {
        let quoted = unquoted(&swap.new) != swap.new;
        let numbers = has_digit(&swap.old) && has_digit(&swap.new);
        let done = if numbers && !quoted && content(&swap.old).len() < 2 {
            figures::exchange(work, &swap.old, &swap.new)
        } else {
            words(work, &swap)
        }?;
        Some(super::with_rest(work, done, swap.more))
    })
}

/// Puts the new words wherever a name or quotation stands, else in one place that they fit: what is beside fits the old.
fn words(work: &mut Work<'_>, swap: &Swap) -> Option<Outcome> {
    let [old, new] = [&swap.old, &swap.new].map(|text| bare(text));
    let is_quoted = unquoted(old) != old;
    let (old, mut new) = (unquoted(old), unquoted(new));
    // "The backend expects order_id" names what takes the place of "order_no", as it must be written.
    if old.contains('_') && new.contains(' ') {
        let mut codes = new.split(' ').filter(|word| word.contains('_'));
        new = codes.next().filter(|_| codes.next().is_none())?;
    }
    if new.is_empty() || old.eq_ignore_ascii_case(new) || !is_phrase(swap) {
        return None;
    }
    let mut places = work.places(old);
    if is_quoted && places.iter().any(|place| work.is_literal(place)) {
        places.retain(|place| work.is_literal(place));
    }
    let first = places.first()?;
    let goes_on =
        |place: &Place| pattern!(r"^ \p{Lu}").is_match(&work.text(place.text)[place.range.end..]);
    if (swap.people || old.contains(' ')) && !is_quoted && places.iter().any(goes_on) {
        return None;
    }
    let is_name = |place: &Place| {
        let name = |c: char| c.is_uppercase() || c == '_';
        let (before, behind) = work.text(place.text).split_at(place.range.start);
        // A key among keys.
        let listed = || {
            let before = before.strip_suffix(char::is_whitespace).unwrap_or(before);
            before.ends_with([',', ':']) && behind[place.range.len()..].starts_with([',', '\n'])
        };
        work.at(place).contains(name) || work.is_literal(place) || new.contains('_') && listed()
    };
    let named = is_quoted || places.iter().all(is_name);
    if let [place] = &places[..] {
        new = beyond(work, place, new);
    }
    // A colour takes no place of a thing, and no text in quotation marks that of none.
    let colour = pattern!(r"(?i)^{visual.color}$");
    let none = pattern!(r"^(?:null|true|false)$").is_match(new) && work.is_literal(first);
    let other = none || colour.is_match(new) != colour.is_match(old);
    if other || !named && (places.len() > 1 || work.takes_feedback && !fits(work, first, new)) {
        return None;
    }
    // What the sentence says already would stand there twice: "European Portuguese" for "Brazilian" before "Portuguese".
    let mut fresh = content(new);
    fresh.retain(|word| shared(&[word], old) == 0);
    if work.unit_at(first)?.shares(&fresh) > 0 {
        return None;
    }
    let whole = work.at(first);
    let [upper, other] = [whole, old].map(|text| text.starts_with(char::is_uppercase));
    let raised = upper && !other && whole.contains(char::is_lowercase);
    work.exchange_all(&places, &if raised { capitalize(new) } else { new.to_owned() })
}

/// The new words without those that stand around the place already: "data scientist" for "analyst" behind "data".
fn beyond<'a>(work: &Work<'_>, place: &Place, new: &'a str) -> &'a str {
    let text = work.text(place.text);
    let (before, behind) = (&text[..place.range.start], &text[place.range.end..]);
    let same =
        |own: Option<&str>, other: &str| own.is_some_and(|own| own.eq_ignore_ascii_case(other));
    let mut spaces = new.match_indices(' ').map(|(at, _)| at);
    let end = spaces.find(|at| same(behind.get(..new.len() - at), &new[*at..]));
    let new = &new[..end.unwrap_or(new.len())];
    let spaces = new.rmatch_indices(' ').map(|(at, _)| at + 1);
    let tail = |at: usize| before.get(before.len().checked_sub(at)?..);
    let start = spaces.into_iter().find(|at| same(tail(*at), &new[..*at]));
    &new[start.unwrap_or_default()..]
}

/// Whether words can stand at a place: in English, where none depends on them, as many, of the same number and sound.
fn fits(work: &Work<'_>, place: &Place, new: &str) -> bool {
    let (old, text) = (work.at(place), work.text(place.text));
    let count = |text: &str| text.split_whitespace().count();
    let plural = |text: &str| text.ends_with('s') && !text.ends_with("ss");
    let vowel = |text: &str| text.starts_with(['a', 'e', 'i', 'o', 'u']);
    let before = text::tail(&text[..place.range.start], NEAR);
    let article = pattern!(r"(?i)(?:^|\s){refine.sounding}\s$").is_match(before);
    work.tongue.tag == "en"
        && count(old) == count(new)
        && plural(old) == plural(new)
        && !(article && vowel(old) != vowel(new))
        && has_digit(old) == has_digit(new)
        && !new.contains(char::is_uppercase)
        && work.unit_at(place).is_some_and(|unit| !unit.supplied)
        && ![" (", " \""].iter().any(|mark| text[place.range.end..].starts_with(mark))
}

/// Where a variable is named that a point renames, and its new name. One that is only called a variable may be none.
fn renamed(work: &Work<'_>, point: &str) -> Option<(Vec<Place>, String, bool)> {
    // Names of variables say little of the language of the words around them.
    let renames = pattern!(r"(?i)^(?:{refine.rename})\s");
    let (renames, swaps) =
        patterns::reading_all(|| (renames.is_match(point), read(point).collect::<Vec<_>>()));
    let name = pattern!(
        r"(?i)^(?:(?:{refine.variable}|{refine.article})\s+)*[{\[<$`]*(?P<v>[\p{L}\p{N}_.-]+)[}\]>`]*$"
    );
    let named = |text: &str| Some(name.captures(text)?["v"].to_owned());
    let marked = |text: &str| text.starts_with(['{', '[', '<', '$']);
    swaps.into_iter().find_map(|Swap { old, new, more, .. }| {
        let (old, new) = (bare(&old), bare(&new));
        let marks = marked(old);
        let (old, other) = (named(old)?, named(new)?);
        let mut places = variables(work, &old);
        let texts = work.container.texts();
        if !places.is_empty() {
            let all = work.places(&old).into_iter();
            places.extend(all.filter(|place| texts[place.text].role == Role::Setting));
        }
        let sure =
            if places.is_empty() { renames && marks } else { renames || marked(new) || !marks };
        sure.then_some((places, other, more))
    })
}

/// The name in the markers of variables, tags and the like of all texts.
fn variables(work: &Work<'_>, name: &str) -> Vec<Place> {
    let marker = pattern!(
        r"(?:\{{1,3}[%#/^&]?[ \t]*(?:(?:if|unless|each|with|for) )*|\[|</?|\$)(?P<n>[\p{L}\p{N}_.-]+)"
    );
    let texts = 0..work.container.texts().len();
    let named = |text| {
        let found = marker.captures_iter(work.text(text)).filter_map(|found| found.name("n"));
        let found = found.filter(|inner| inner.as_str() == name).map(|inner| inner.range());
        found.map(move |range| Place { text, range }).collect::<Vec<_>>()
    };
    texts.flat_map(named).collect()
}

/// Puts the quotation of a point in the place of the one that its other words speak of.
pub fn quotation(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    let scanned = text::literals::scan(point);
    let ([quoted], [around]) = (&scanned.quoted[..], &scanned.quotations[..]) else { return None };
    let (lead, behind) = (&point[..around.start], &point[around.end..]);
    let says = pattern!(r"(?i)(?:\b(?:{refine.copula}|{refine.renamed}|{refine.to})|->|→|:|=)\s*$");
    if !says.is_match(lead) || is_negated(lead) {
        return None;
    }
    let labels = content(lead);
    let all = Some(work.quotations()).filter(|all| all.len() <= QUOTATIONS)?;
    let only = usize::from(all.len() == 1 && labels.len() < 2);
    let shares = |place: &Place| work.unit_at(place).map_or(0, |unit| unit.shares(&labels));
    let scores: Vec<usize> = all.iter().map(|place| shares(place).max(only)).collect();
    let most = scores.iter().max().filter(|most| **most > 0)?;
    let mut best = all.iter().zip(&scores).filter(|(_, score)| *score == most);
    let (place, _) = best.next().filter(|_| best.next().is_none())?;
    let same = work.places(work.at(place));
    let places = if same.is_empty() { vec![place.clone()] } else { same };
    let done = work.exchange_all(&places, point[quoted.clone()].trim())?;
    Some(super::with_rest(work, done, !content(behind).is_empty()))
}
