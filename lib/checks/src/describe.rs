//! What a check looks at, in a sentence.

use engine::{
    Constraint, ConstraintKind as Kind, ConstraintParameters as Parameters, CountParameters,
};
use text::language::{locale, tag_of};

use crate::kinds::meanings;

/// The sentence that says what is checked, in the language of `tag`.
pub fn description(constraint: &Constraint, tag: &str) -> String {
    let name = constraint.kind.as_str();
    match &constraint.parameters {
        Parameters::Count(count) => counted(constraint.kind, count, tag),
        Parameters::Words(list) => {
            // What is forbidden: words themselves, or what is called so.
            let is_sign = constraint.kind == Kind::ExcludeWords
                && meanings(&list.words, &constraint.quote).all(|class| class.is_some());
            let name = if is_sign { "exclude_signs" } else { name };
            filled(tag, name, &[("words", &list.words.join(", "))])
        }
        Parameters::Text(edge) => filled(tag, name, &[("value", &edge.text)]),
        Parameters::Value(named) => {
            let value = named.value.as_deref().unwrap_or_default();
            let known = line(tag, &format!("format.{value}"));
            let format = if known.is_empty() { value } else { known };
            // The name of a language in that of the caller.
            let own = tag_of(value).and_then(|named| locale(tag).languages.get(named));
            let own = own.filter(|_| constraint.kind == Kind::Language);
            let own = own.map_or(value, String::as_str);
            filled(tag, name, &[("format", format), ("value", own)])
        }
        Parameters::None(_) => filled(tag, name, &[("words", "…")]),
    }
}

fn counted(kind: Kind, count: &CountParameters, tag: &str) -> String {
    let last = count.upper.unwrap_or(count.number);
    let number = if last == 1 { "one" } else { "many" };
    let unit = line(tag, &format!("unit.{}.{number}", kind.as_str()));
    let (number, upper) = (count.number.to_string(), last.to_string());
    let relation = serde_json::json!(count.relation);
    let relation = format!("relation.{}", relation.as_str().unwrap_or_default());
    let amount = filled(tag, &relation, &[("n", &number), ("upper", &upper), ("unit", unit)]);
    let name = match (kind, &count.of) {
        (Kind::NumberRange, _) => "number_range",
        (Kind::ItemCount, Some(_)) => "items_of",
        (Kind::SectionCount, Some(_)) => "marked",
        _ => "counted",
    };
    let of = count.of.as_deref().unwrap_or_default();
    filled(tag, name, &[("amount", &amount), ("of", of), ("n", &number), ("upper", &upper)])
}

/// The line of checks with this name in the language of `tag`.
fn line(tag: &str, name: &str) -> &'static str {
    locale(tag).line(&format!("check.{name}"))
}

/// A line with values in its places, each of which stands in braces. Values may have braces themselves.
fn filled(tag: &str, name: &str, values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name);
    let parts = line(tag, name).split(['{', '}']).enumerate();
    parts
        .map(
            |(at, part)| {
                if at % 2 == 0 { part } else { value(part).map_or("", |(_, value)| value) }
            },
        )
        .collect()
}
