//! Points of one feedback that cannot all be met.

use super::asks::Ask;
use super::settings;
use patterns::pattern;

/// For each ask the later one that asks for something that cannot stand beside it, if there is one;
/// `clashes` tells it of two points where their asks do not. An ask that is overruled itself overrules nothing.
pub fn overruled(asks: &[Ask], clashes: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; asks.len()];
    for later in (1..asks.len()).rev() {
        if found[later].is_some() {
            continue;
        }
        for earlier in 0..later {
            if found[earlier].is_none()
                && (excludes(&asks[earlier], &asks[later]) || clashes(earlier, later))
            {
                found[earlier] = Some(later);
            }
        }
    }
    found
}

/// Joins the tones that can stand beside each other into the first of them; tells which point each other one
/// has become a part of.
pub fn join_tones(asks: &mut [Ask], overruled: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut part_of = vec![None; asks.len()];
    let mut first: Option<usize> = None;
    for at in 0..asks.len() {
        let Ask::Tone(tone) = &asks[at] else { continue };
        if overruled[at].is_some() {
            continue;
        }
        let tone = settings::without_degree(tone);
        match first {
            Some(first) => {
                if let Ask::Tone(known) = &mut asks[first] {
                    let joined = settings::without_degree(known);
                    let known_already = joined.split(' ').any(|word| word == tone);
                    *known = if known_already {
                        joined
                    } else {
                        format!("{} and {tone}", joined.replace(" and ", ", "))
                    };
                    part_of[at] = Some(first);
                }
            }
            None => first = Some(at),
        }
    }
    part_of
}

/// Whether a later ask leaves no room for an earlier one.
fn excludes(earlier: &Ask, later: &Ask) -> bool {
    let size = |ask: &Ask| match ask {
        Ask::Shorter => Some(50),
        Ask::Longer => Some(150),
        Ask::Scale(percent) => Some(*percent),
        _ => None,
    };
    if let (Some(one), Some(other)) = (size(earlier), size(later)) {
        let both_scaled = matches!((earlier, later), (Ask::Scale(_), Ask::Scale(_)));
        return (one < 100) != (other < 100) || both_scaled && one != other;
    }
    match (earlier, later) {
        (Ask::Length(one), Ask::Length(other)) => one.excludes(other),
        (Ask::Language(one, _), Ask::Language(other, _)) => one != other,
        (Ask::Target(one), Ask::Target(other)) => one != other,
        (Ask::Format(one), Ask::Format(other)) => settings::formats_clash(one, other),
        (Ask::Tone(one), Ask::Tone(other)) => settings::tones_clash(one, other),
        (Ask::Audience(one), Ask::Audience(other)) | (Ask::Role(one), Ask::Role(other)) => {
            !alike(one, other)
        }
        (Ask::Count { number: one, noun }, Ask::Count { number: other, noun: same }) => {
            alike(noun, same) && one != other
        }
        (Ask::Value { noun, value: one }, Ask::Value { noun: same, value: other }) => {
            alike(noun, same) && one != other
        }
        (Ask::Rename { old, new: one }, Ask::Rename { old: same, new: other }) => {
            old == same && one != other
        }
        (Ask::Fill { name, value: one }, Ask::Fill { name: same, value: other }) => {
            name == same && one != other
        }
        (Ask::Replace { old, new: one, .. }, Ask::Replace { old: same, new: other, .. }) => {
            alike(old, same) && one != other
        }
        (Ask::Include(one), Ask::Exclude(other) | Ask::Remove { what: other, .. })
        | (Ask::Exclude(one) | Ask::Remove { what: one, .. }, Ask::Include(other)) => {
            alike(one, other)
        }
        (Ask::NoEmojis, Ask::Include(what)) | (Ask::Include(what), Ask::NoEmojis) => {
            pattern!(r"(?i)^(?:\p{L}+ ){0,2}{refine_conflicts.emojis}$").is_match(what)
        }
        _ => false,
    }
}

/// Whether two phrases name the same, whatever their articles and case.
fn alike(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        let article =
            pattern!(r"^(?:(?:{refine_apply.articles}|{refine_conflicts.which}) ?\b\s*)+");
        article.replace(&text, "").trim_end_matches('s').to_owned()
    };
    plain(one) == plain(other)
}
