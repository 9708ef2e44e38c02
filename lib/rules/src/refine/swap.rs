//! Putting one thing in the place of another: words, names, quotations, variables, values behind labels.

use super::figures;
use super::words::{bare, content, shared, unquoted};
use super::work::{Outcome, Place, Work, brief};
use crate::container::Role;
use crate::split::capitalize;
use patterns::{Pattern, pattern};

/// Longest thing that is put in the place of another, in words.
pub const LONGEST: usize = 8;

/// The forms in which feedback names an old thing and a new one.
const FORMS: [Pattern; 10] = [
    pattern!(r"(?i)^(?P<x>.+?)\s*(?:->|→|=>|⇒)\s*(?P<y>.+)$"),
    pattern!(r"(?i)^(?:{refine.change})\s+(?P<x>.+?)\s+(?:{refine.to})\s+(?P<y>.+)$"),
    pattern!(
        r"(?i)^(?:{refine.instead})(?:\s+|\b)(?P<x>.+?)(?:,\s*(?:(?:{refine.use})\s+)?|\s+(?:{refine.use})\s+)(?P<y>.+)$"
    ),
    pattern!(
        r"(?i)^(?:(?:{refine.use})\s+)?(?P<y>.+?),?\s+(?:{refine.instead})(?:\s+|\b)(?P<x>.+)$"
    ),
    pattern!(r"(?i)^(?P<x>.+?)\s+(?:{refine.renamed})\s+(?P<y>.+)$"),
    pattern!(
        r"(?i)^(?:{refine.negated})\s+(?P<x>.+?)(?:,\s+(?:(?:{refine.joint}|{refine.contrast}|{refine.now})\s+)?|\s+(?:{refine.contrast})\s+)(?P<y>.+)$"
    ),
    pattern!(r"(?i)^(?:(?:{refine.use})\s+)?(?P<y>.+?),?\s+(?:{refine.negated})\s+(?P<x>.+)$"),
    pattern!(r"(?i)^(?P<y>.*\d.*?),\s+(?:{refine.never})\s+(?P<x>\D{0,12}\d.*)$"),
    pattern!(r"^(?:{refine.taken})(?P<x>.+?)(?:{refine.becomes})(?P<y>.+)$"),
    pattern!(r"^(?P<x>.+?)(?:{refine.takes})(?P<y>.+?)(?:{refine.becomes})$"),
];

/// An old thing and a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swap {
    /// The old thing, as the feedback has it.
    pub old: String,
    /// The new one.
    pub new: String,
}

/// What a point puts in the place of what, in the order in which its forms are sure.
fn read(point: &str) -> impl Iterator<Item = Swap> {
    FORMS.iter().filter_map(move |form| {
        let found = form.captures(point)?;
        let (old, new) = (found.name("x")?.as_str().trim(), found.name("y")?.as_str().trim());
        let tail = pattern!(r"(?i)[,]?\s+(?:{refine.now}|{refine.courtesy}|{refine.rename_tail})$");
        let old = tail.find(old).map_or(old, |found| &old[..found.start()]);
        let new = tail.find(new).map_or(new, |found| &new[..found.start()]);
        let copula = pattern!(r"(?i)^.{0,40}\b(?:{refine.copula})\s+(?P<v>[\x22“„«「].+)$");
        let new =
            copula.captures(new).and_then(|found| found.name("v")).map_or(new, |v| v.as_str());
        let lead = pattern!(r"(?i)^(?:(?:{refine.use})\s+)+");
        let new = lead.find(new).map_or(new, |found| &new[found.end()..]);
        let quoted = text::literals::scan(new).quotations;
        let new = if let [one] = &quoted[..] { &new[one.clone()] } else { new };
        let tongue = new.rsplit(' ').next().filter(|last| {
            crate::wording::tag_named(last).is_some() && crate::wording::tag_named(old).is_some()
        });
        let new = tongue.unwrap_or(new);
        Some(Swap { old: bare(old).to_owned(), new: bare(new).to_owned() })
    })
}

/// Whether a point names an old thing that the prompt has, and a new one.
pub fn is_swap(work: &Work<'_>, point: &str) -> bool {
    let stands = |swap: &Swap| !work.places(unquoted(&swap.old)).is_empty();
    variables(work, point).is_some() || read(point).any(|swap| stands(&swap) && is_phrase(&swap))
}

/// Whether the new thing of an exchange is a phrase that can stand where the old one does.
fn is_phrase(swap: &Swap) -> bool {
    let (old, new) = (unquoted(&swap.old), unquoted(&swap.new));
    let words = |text: &str| text.split_whitespace().count();
    let literal = old != swap.old || new != swap.new;
    let figure = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let open = new.contains([',', '…', ';', '?', ':']) || old.contains([',', '…', ';']);
    let says = pattern!(r"(?i)(?:^|\s)(?:{refine.clause})(?:\s|$)").is_match(new);
    literal
        || !(open || says)
            && words(new) <= LONGEST
            && words(old) <= LONGEST
            && (!figure(new) || figure(old) || words(new) > 3)
}

/// Carries out an exchange that a point names.
pub fn exchange(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    if let Some((places, new)) = variables(work, point) {
        return work.exchange_all(&places, &new).or_else(|| Some(work.refused(super::UNFOUND)));
    }
    for swap in read(point) {
        let numeric = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        let quoted = unquoted(&swap.new) != swap.new;
        if numeric(&swap.old)
            && numeric(&swap.new)
            && content(&swap.old).len() < 2
            && !quoted
            && !swap.old.contains(", ")
        {
            if let Some(done) = figures::exchange(work, point, &swap.old, &swap.new) {
                return Some(done);
            }
            if swap.old.starts_with(['-', '$', '€', '£']) {
                let value = pattern!(r"[-$€£]\d[\d.,]*").find(&swap.new);
                let value = value.map_or(swap.new.clone(), |found| found.as_str().to_owned());
                if let Some(done) = words(work, &Swap { new: value, ..swap.clone() }) {
                    return Some(done);
                }
            }
        } else if let Some(done) = words(work, &swap) {
            return Some(done);
        }
    }
    None
}

/// Puts the new words wherever the old ones stand.
fn words(work: &mut Work<'_>, swap: &Swap) -> Option<Outcome> {
    let (old, new) = (unquoted(&swap.old), unquoted(&swap.new));
    // "Into a variable" names a form, not what is to stand there.
    if pattern!(r"(?i)^(?:{refine.variable})s?$").is_match(new) {
        return None;
    }
    if new.is_empty() || old.eq_ignore_ascii_case(new) || !is_phrase(swap) {
        return None;
    }
    let places = work.places(old);
    let first = places.first()?;
    // "Company renamed to X" names no name.
    let common =
        new.starts_with(char::is_uppercase) && !work.at(first).starts_with(char::is_uppercase);
    if common && swap.new != new && old.split(' ').count() == 1 && swap.old == old {
        return None;
    }
    // Only a name is the same thing wherever it stands.
    let named = swap.old != old || old.contains(['_', '{']) || old.chars().any(char::is_uppercase);
    if !named && (places.len() > 1 || work.is_shown(first)) {
        return None;
    }
    // What the sentence says already would stand there twice: "European Portuguese" for "Brazilian" before "Portuguese".
    let fresh = content(new);
    let said = work.unit_at(first).is_some_and(|unit| {
        let range =
            first.range.start - unit.place.range.start..first.range.end - unit.place.range.start;
        let sentence = work.at(&unit.place);
        let around = [&sentence[..range.start], sentence.get(range.end..).unwrap_or_default()];
        around.into_iter().any(|part| shared(&fresh, part) > 0)
    });
    if said {
        return None;
    }
    let told = work.applied("\"{}\" was replaced by \"{2}\".", &[&brief(old), &brief(new)]);
    let mut done = 0;
    for place in &places {
        let raised =
            work.at(place).starts_with(char::is_uppercase) && !old.starts_with(char::is_uppercase);
        // "At night" for the dawn in "at dawn" begins behind the word that both have.
        let before = work.text(place.text)[..place.range.start].split_whitespace().next_back();
        let rest = before.and_then(|word| new.strip_prefix(word)?.strip_prefix(' ')).unwrap_or(new);
        let new = if raised { capitalize(rest) } else { rest.to_owned() };
        done += usize::from(work.exchange(place, &new, &told.1));
    }
    if done == 0 {
        return None;
    }
    Some(if places.len() > done {
        work.partly(
            "\"{}\" was replaced by \"{2}\"; this still stands: \"{3}\".",
            &[old, &brief(new), old],
        )
    } else {
        told
    })
}

/// Where a variable is named that a point renames or fills, and what is to stand there.
fn variables(work: &Work<'_>, point: &str) -> Option<(Vec<Place>, String)> {
    let fills = pattern!(
        r"(?i)^(?:{refine.fill})\s+(?P<x>\{{1,2}[^{}]+\}{1,2}|[\w.]+)\s+(?:{refine.to}|=|:)\s+(?P<y>.+)$"
    );
    // Names of variables say little of the language of the words around them.
    let renames = pattern!(r"(?i)^(?:{refine.rename})\s");
    let renames = patterns::reading_all(|| renames.is_match(point));
    let swaps = || read(point).map(|swap| (swap.old, swap.new, false)).collect::<Vec<_>>();
    let swaps = if renames { patterns::reading_all(swaps) } else { swaps() };
    let filled =
        fills.captures(point).map(|found| (found["x"].to_owned(), found["y"].to_owned(), true));
    let bare_name = |text: &str| text.trim_matches(|c| "{}[]<>$`\"' ".contains(c)).to_owned();
    let article = pattern!(r"(?i)^(?:(?:{refine.variable}|{refine.article})\s+)*(?P<v>\S+)$");
    for (old, new, fills) in filled.into_iter().chain(swaps) {
        let name = article.captures(&old).map_or(old.clone(), |found| found["v"].to_owned());
        let (name, other) = (bare_name(&name), bare_name(&new));
        let braced = |text: &str| text.trim().starts_with(['{', '[', '<', '$']);
        let is_name = pattern!(r"^[\p{L}\p{N}_. -]+$").is_match(&other)
            && (braced(&new) || !other.contains(' '));
        let marked = places_of_variable(work, &name, renames || braced(&old));
        if renames && braced(&old) && (marked.is_empty() || !is_name) {
            return Some((Vec::new(), other));
        }
        if marked.is_empty() || name.is_empty() {
            continue;
        }
        if !fills && is_name && (renames || braced(&new) || !braced(&old)) {
            let mut places = marked.into_iter().map(|(_, inner)| inner).collect::<Vec<_>>();
            let texts = work.container.texts();
            let setting = |place: &Place| texts[place.text].role == Role::Setting;
            places.extend(work.places(&name).into_iter().filter(setting));
            return Some((places, other));
        }
        if fills || braced(&old) {
            return Some((
                marked.into_iter().map(|(whole, _)| whole).collect(),
                unquoted(&new).to_owned(),
            ));
        }
    }
    None
}

/// The markers of a variable in any text, and its name in each; `any` asks for tags and the like too.
fn places_of_variable(work: &Work<'_>, name: &str, any: bool) -> Vec<(Place, Place)> {
    let marker = pattern!(
        r"\{{1,3}[%#/^&]?[ \t]*(?:(?:if|unless|each|with|for) )*(?P<n>[\p{L}\p{N}_.-]+)[^{}\n]{0,20}\}{1,3}|\[(?P<m>[\p{Lu}\p{N}_ -]+)\]|\[(?P<a>[\p{L}\p{N}_ -]+)\]|</?(?P<t>[\p{L}\p{N}_-]+)[^<>{}\n]*>|\$(?P<d>[\p{L}_][\p{L}\p{N}_]*)"
    );
    let texts = 0..work.container.texts().len();
    let found = texts.flat_map(|text| {
        let all = marker.captures_iter(work.text(text));
        let named = all.filter_map(|found| {
            let other = || ["a", "t", "d"].into_iter().find_map(|mark| found.name(mark));
            let inner = found.name("n").or(found.name("m")).or(other().filter(|_| any))?;
            (inner.as_str() == name).then(|| Some((found.get(0)?.range(), inner.range())))?
        });
        named
            .map(move |(whole, inner)| (Place { text, range: whole }, Place { text, range: inner }))
    });
    found.collect()
}
