//! Putting one thing in the place of another where the feedback names both: names, quotations, variables.

use super::figures;
use super::words::{bare, content, shared, unquoted};
use super::work::{Outcome, Place, Work};
use crate::container::Role;
use crate::split::capitalize;
use patterns::{Pattern, pattern};

/// Longest thing that is put in the place of another, in words.
const LONGEST: usize = 8;

/// The forms in which feedback names an old thing and a new one.
const FORMS: [Pattern; 5] = [
    pattern!(r"(?i)^(?P<x>.+?)\s*(?:->|→|=>|⇒)\s*(?P<y>.+)$"),
    pattern!(r"(?i)^(?:{refine.change})\s+(?P<x>.+?)\s+(?:{refine.to})\s+(?P<y>.+)$"),
    pattern!(
        r"(?i)^(?:(?:{refine.use})\s+)?(?P<y>.+?),?\s+(?:{refine.instead})(?:\s+|\b)(?P<x>.+)$"
    ),
    pattern!(r"(?i)^(?P<x>.+?)\s+(?:{refine.renamed})\s+(?P<y>.+)$"),
    pattern!(r"(?i)^(?:(?:{refine.use})\s+)?(?P<y>.+?),?\s+(?:{refine.negated})\s+(?P<x>.+)$"),
];

/// An old thing and a new one, as the feedback has them.
struct Swap {
    old: String,
    new: String,
}

/// What a point puts in the place of what, in the order in which its forms are sure.
fn read(point: &str) -> impl Iterator<Item = Swap> {
    FORMS.iter().filter_map(move |form| {
        let found = form.captures(point)?;
        let tail = pattern!(r"(?i)[,]?\s+(?:{refine.now}|{refine.courtesy}|{refine.rename_tail})$");
        let lead = pattern!(r"(?i)^(?:(?:{refine.use})\s+)+");
        let part = |name: &str| {
            let text = found.name(name)?.as_str().trim();
            Some(tail.find(text).map_or(text, |found| &text[..found.start()]))
        };
        let (old, new) = (part("x")?, part("y")?);
        let new = lead.find(new).map_or(new, |found| &new[found.end()..]);
        let quoted = text::literals::scan(new).quotations;
        let new = if let [one] = &quoted[..] { &new[one.clone()] } else { new };
        Some(Swap { old: bare(old).to_owned(), new: bare(new).to_owned() })
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

/// Whether the new thing of an exchange is a phrase that can stand where the old one does.
fn is_phrase(swap: &Swap) -> bool {
    let literal = unquoted(&swap.old) != swap.old || unquoted(&swap.new) != swap.new;
    let open = |text: &str| {
        text.contains([',', '…', ';', '?', ':', '(']) || text.split_whitespace().count() > LONGEST
    };
    // "Into a variable" names a form, not what is to stand there.
    let says = pattern!(r"(?i)(?:^|\s)(?:{refine.clause})(?:\s|$)|^(?:{refine.variable})s?$");
    literal || !open(&swap.old) && !open(&swap.new) && !says.is_match(&swap.new)
}

/// Carries out an exchange that a point names.
pub fn exchange(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    if let Some((places, new)) = renamed(work, point) {
        return work.exchange_all(&places, &new).or_else(|| Some(work.refused(super::UNFOUND)));
    }
    read(point).find_map(|swap| {
        let quoted = unquoted(&swap.new) != swap.new;
        let numbers = has_digit(&swap.old) && has_digit(&swap.new);
        if numbers && !quoted && content(&swap.old).len() < 2 {
            figures::exchange(work, &swap.old, &swap.new)
        } else {
            words(work, &swap)
        }
    })
}

/// Puts the new words wherever the old ones stand: a name, or what is quoted here or there. Of other words only one
/// place is taken, and only where the feedback cannot be passed on: what stands beside them may not fit the new ones.
fn words(work: &mut Work<'_>, swap: &Swap) -> Option<Outcome> {
    let (old, new) = (unquoted(&swap.old), unquoted(&swap.new));
    if new.is_empty() || old.eq_ignore_ascii_case(new) || !is_phrase(swap) {
        return None;
    }
    let places = work.places(old);
    let first = places.first()?;
    let is_name = |place: &Place| {
        let name = |c: char| c.is_uppercase() || c == '_';
        work.at(place).contains(name) || work.is_literal(place)
    };
    let named = swap.old != old || places.iter().all(is_name);
    if !named && (work.takes_feedback || places.len() > 1) {
        return None;
    }
    // What the sentence says already would stand there twice: "European Portuguese" for "Brazilian" before "Portuguese".
    let mut fresh = content(new);
    fresh.retain(|word| shared(&[word], old) == 0);
    if work.unit_at(first)?.shares(&fresh) > 0 {
        return None;
    }
    let upper = |text: &str| text.starts_with(char::is_uppercase);
    let whole = work.at(first);
    let raised = upper(whole) && !upper(old) && whole.contains(char::is_lowercase);
    work.exchange_all(&places, &if raised { capitalize(new) } else { new.to_owned() })
}

/// Where a variable is named that a point renames, and its new name. One that is only called a variable may be none.
fn renamed(work: &Work<'_>, point: &str) -> Option<(Vec<Place>, String)> {
    // Names of variables say little of the language of the words around them.
    let renames = pattern!(r"(?i)^(?:{refine.rename})\s");
    let (renames, swaps) =
        patterns::reading_all(|| (renames.is_match(point), read(point).collect::<Vec<_>>()));
    let name = pattern!(
        r"(?i)^(?:(?:{refine.variable}|{refine.article})\s+)*[{\[<$`]*(?P<v>[\p{L}\p{N}_.-]+)[}\]>`]*$"
    );
    let named = |text: &str| Some(name.captures(text)?["v"].to_owned());
    let marked = |text: &str| text.starts_with(['{', '[', '<', '$']);
    swaps.into_iter().find_map(|Swap { old, new }| {
        let marks = marked(&old);
        let (old, other) = (named(&old)?, named(&new)?);
        let mut places = variables(work, &old);
        let texts = work.container.texts();
        if !places.is_empty() {
            let all = work.places(&old).into_iter();
            places.extend(all.filter(|place| texts[place.text].role == Role::Setting));
        }
        let sure =
            if places.is_empty() { renames && marks } else { renames || marked(&new) || !marks };
        sure.then_some((places, other))
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
    if !says.is_match(lead) || super::read::is_negated(lead) {
        return None;
    }
    let labels = content(lead);
    let all: Vec<Place> = work.quotations();
    let only = usize::from(all.len() == 1 && labels.len() < 2);
    let shares = |place: &Place| work.unit_at(place).map_or(0, |unit| unit.shares(&labels));
    let scores: Vec<usize> = all.iter().map(|place| shares(place).max(only)).collect();
    let most = scores.iter().max().filter(|most| **most > 0)?;
    let mut best = all.iter().zip(&scores).filter(|(_, score)| *score == most);
    let (place, _) = best.next().filter(|_| best.next().is_none())?;
    let same = work.places(work.at(place));
    let places = if same.is_empty() { vec![place.clone()] } else { same };
    let done = work.exchange_all(&places, &point[quoted.clone()])?;
    Some(if content(behind).is_empty() { done } else { super::both(done, work.pass_on()) })
}
