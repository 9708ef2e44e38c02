//! Putting one thing in the place of another: words, names, quotations, variables.

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

/// An old thing and a new one.
struct Swap {
    /// The old thing, as the feedback has it.
    old: String,
    /// The new one.
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
        // "In French" for "German" is "French".
        let is_language = |word: &str| crate::wording::tag_named(word).is_some();
        let last = new.rsplit(' ').next().filter(|last| is_language(last) && is_language(old));
        Some(Swap { old: bare(old).to_owned(), new: bare(last.unwrap_or(new)).to_owned() })
    })
}

/// Whether a point names an old thing that the prompt has, and a new one.
pub fn is_swap(work: &Work<'_>, point: &str) -> bool {
    let stands = |swap: &Swap| !work.places(unquoted(&swap.old)).is_empty();
    renamed(work, point).is_some() || read(point).any(|swap| stands(&swap) && is_phrase(&swap))
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Whether the new thing of an exchange is a phrase that can stand where the old one does.
fn is_phrase(swap: &Swap) -> bool {
    let (old, new) = (unquoted(&swap.old), unquoted(&swap.new));
    let words = |text: &str| text.split_whitespace().count();
    let literal = old != swap.old || new != swap.new;
    let open = new.contains([',', '…', ';', '?', ':', '(']) || old.contains([',', '…', ';']);
    // "Into a variable" names a form, not what is to stand there.
    let says = pattern!(r"(?i)(?:^|\s)(?:{refine.clause})(?:\s|$)|^(?:{refine.variable})s?$");
    literal
        || !(open || says.is_match(new))
            && words(new) <= LONGEST
            && words(old) <= LONGEST
            && (!has_digit(new) || has_digit(old) || words(new) > 3)
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
            figures::exchange(work, point, &swap.old, &swap.new)
        } else {
            words(work, &swap)
        }
    })
}

/// Puts the new words wherever the old ones stand.
fn words(work: &mut Work<'_>, swap: &Swap) -> Option<Outcome> {
    let (old, new) = (unquoted(&swap.old), unquoted(&swap.new));
    if new.is_empty() || old.eq_ignore_ascii_case(new) || !is_phrase(swap) {
        return None;
    }
    let places = work.places(old);
    let first = places.first()?;
    let is_name = |text: &str| text.starts_with(char::is_uppercase);
    // "Company renamed to X" names no name.
    let common = is_name(new) && !is_name(work.at(first));
    if common && swap.new != new && !old.contains(' ') && swap.old == old {
        return None;
    }
    // Only a name is the same thing wherever it stands.
    let named = swap.old != old || old.contains(['_', '{']) || old.chars().any(char::is_uppercase);
    if !named && (places.len() > 1 || work.is_shown(first)) {
        return None;
    }
    // What the sentence says already would stand there twice: "European Portuguese" for "Brazilian" before "Portuguese".
    let unit = work.unit_at(first)?;
    let text = work.text(first.text);
    let around = [
        &text[unit.place.range.start..first.range.start],
        text.get(first.range.end..unit.place.range.end).unwrap_or_default(),
    ];
    if around.iter().any(|part| shared(&content(new), part) > 0) {
        return None;
    }
    // "At night" for the dawn in "at dawn" begins behind the word that both have.
    let before = around[0].split_whitespace().next_back();
    let new = before.and_then(|word| new.strip_prefix(word)?.strip_prefix(' ')).unwrap_or(new);
    let raised = is_name(work.at(first)) && !is_name(old);
    let new = if raised { capitalize(new) } else { new.to_owned() };
    work.exchange_all(&places, &new)
}

/// Where a variable is named that a point renames, and its new name.
fn renamed(work: &Work<'_>, point: &str) -> Option<(Vec<Place>, String)> {
    // Names of variables say little of the language of the words around them.
    let renames = pattern!(r"(?i)^(?:{refine.rename})\s");
    let renames = patterns::reading_all(|| renames.is_match(point));
    let swaps = || read(point).collect::<Vec<_>>();
    let swaps = if renames { patterns::reading_all(swaps) } else { swaps() };
    let bare_name = |text: &str| text.trim_matches(|c| "{}[]<>$`\"' ".contains(c)).to_owned();
    let braced = |text: &str| text.starts_with(['{', '[', '<', '$']);
    let article = pattern!(r"(?i)^(?:(?:{refine.variable}|{refine.article})\s+)*(?P<v>\S+)$");
    swaps.into_iter().find_map(|Swap { old, new }| {
        let name = article.captures(&old).map_or(old.clone(), |found| found["v"].to_owned());
        let (name, other) = (bare_name(&name), bare_name(&new));
        let is_name = pattern!(r"^[\p{L}\p{N}_. -]+$").is_match(&other)
            && (braced(&new) || !other.contains(' '));
        let mut places = places_of_variable(work, &name, renames || braced(&old));
        if renames && braced(&old) && (places.is_empty() || !is_name) {
            return Some((Vec::new(), other));
        }
        if places.is_empty() || !is_name || !(renames || braced(&new) || !braced(&old)) {
            return None;
        }
        let texts = work.container.texts();
        let setting = |place: &Place| texts[place.text].role == Role::Setting;
        places.extend(work.places(&name).into_iter().filter(setting));
        Some((places, other))
    })
}

/// The names in the markers of a variable in any text; `any` asks for tags and the like too.
fn places_of_variable(work: &Work<'_>, name: &str, any: bool) -> Vec<Place> {
    let marker = pattern!(
        r"\{{1,3}[%#/^&]?[ \t]*(?:(?:if|unless|each|with|for) )*(?P<n>[\p{L}\p{N}_.-]+)[^{}\n]{0,20}\}{1,3}|\[(?P<m>[\p{Lu}\p{N}_ -]+)\]|\[(?P<a>[\p{L}\p{N}_ -]+)\]|</?(?P<t>[\p{L}\p{N}_-]+)[^<>{}\n]*>|\$(?P<d>[\p{L}_][\p{L}\p{N}_]*)"
    );
    let texts = 0..work.container.texts().len();
    let found = texts.flat_map(|text| {
        let named = marker.captures_iter(work.text(text)).filter_map(|found| {
            let other = || ["a", "t", "d"].into_iter().find_map(|mark| found.name(mark));
            let inner = found.name("n").or(found.name("m")).or(other().filter(|_| any))?;
            (inner.as_str() == name).then(|| inner.range())
        });
        named.map(move |range| Place { text, range })
    });
    found.collect()
}

/// Puts the quotation of a point in the place of the one that its other words speak of.
pub fn quotation(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    let scanned = text::literals::scan(point);
    let [quoted] = &scanned.quoted[..] else { return None };
    let around = scanned.quotations.first()?;
    let (lead, behind) = (&point[..around.start], &point[around.end..]);
    let says = pattern!(r"(?i)(?:\b(?:{refine.copula}|{refine.renamed}|{refine.to})|->|→|:|=)\s*$");
    if !says.is_match(lead) || super::read::is_negated(lead) {
        return None;
    }
    let labels = content(lead);
    let texts = work.own().flat_map(|text| {
        let quoted = &work.readings[text].literals.quoted;
        quoted.iter().map(move |range| Place { text, range: range.clone() })
    });
    let all: Vec<Place> = texts.collect();
    let only = usize::from(all.len() == 1 && labels.len() < 2);
    let shares = |place: &Place| work.unit_at(place).map_or(0, |unit| unit.shares(&labels));
    let most = all.iter().map(|place| shares(place).max(only)).max().filter(|most| *most > 0)?;
    let mut best = all.iter().filter(|place| shares(place).max(only) == most);
    let place = best.next().filter(|place| best.next().is_none() && !work.is_rigid(place))?;
    let same = work.places(work.at(place));
    let places = if same.is_empty() { vec![place.clone()] } else { same };
    let done = work.exchange_all(&places, &point[quoted.clone()])?;
    Some(if content(behind).is_empty() { done } else { super::both(done, work.pass_on()) })
}
