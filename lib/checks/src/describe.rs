//! What a check looks at, in a sentence.

use engine::{
    Constraint, ConstraintKind as Kind, ConstraintParameters as Parameters, CountParameters,
};
use text::language::{locale, tag_of};

use crate::kinds::told_apart;
use crate::messages::{filled, message};

/// The sentence that says what is checked, in the language of `tag`.
pub fn description(constraint: &Constraint, tag: &str) -> String {
    let name = constraint.kind.as_str();
    match &constraint.parameters {
        Parameters::Count(count) => counted(constraint.kind, count, tag),
        Parameters::Words(list) if constraint.kind == Kind::ExcludeWords => {
            excluded(&list.words, &constraint.quote, tag)
        }
        Parameters::Words(list) => listed(name, &list.words, tag),
        Parameters::Text(edge) => filled(message(tag, name), &[("value", &edge.text)]),
        Parameters::Value(named) => {
            let value = named.value.as_deref().unwrap_or_default();
            let format = match message(tag, &format!("format.{value}")) {
                "" => value,
                format => format,
            };
            let own = if constraint.kind == Kind::Language { own_name(value, tag) } else { value };
            filled(message(tag, name), &[("format", format), ("value", own)])
        }
        Parameters::None(_) => filled(message(tag, name), &[("words", "…")]),
    }
}

fn listed(name: &str, words: &[String], tag: &str) -> String {
    filled(message(tag, name), &[("words", &words.join(", "))])
}

/// What is forbidden: words themselves, in quotation marks, and what is called so.
fn excluded(words: &[String], quote: &str, tag: &str) -> String {
    let (words, signs) = told_apart(words, quote);
    let words: Vec<String> = words.iter().map(|word| format!("“{word}”")).collect();
    let told = [("exclude_words", words), ("exclude_signs", signs)];
    let told = told.iter().filter(|(_, list)| !list.is_empty());
    told.map(|(name, list)| listed(name, list, tag)).collect::<Vec<_>>().join(" ")
}

fn counted(kind: Kind, count: &CountParameters, tag: &str) -> String {
    let last = count.upper.unwrap_or(count.number);
    let number = if last == 1 { "one" } else { "many" };
    let unit = message(tag, &format!("unit.{}.{number}", kind.as_str()));
    let (number, upper) = (count.number.to_string(), last.to_string());
    let relation = message(tag, &format!("relation.{}", count.relation.as_str()));
    let amount = filled(relation, &[("n", &number), ("upper", &upper), ("unit", unit)]);
    let name = match (kind, &count.of) {
        (Kind::NumberRange, _) => "number_range",
        (Kind::ItemCount, Some(_)) => "items_of",
        (Kind::SectionCount, Some(_)) => "marked",
        _ => "counted",
    };
    let of = count.of.as_deref().unwrap_or_default();
    let values = [("amount", amount.as_str()), ("of", of), ("n", &number), ("upper", &upper)];
    filled(message(tag, name), &values)
}

/// The name of a language in that of `tag`, by its English name.
fn own_name<'a>(english: &'a str, tag: &str) -> &'a str {
    let named = tag_of(english).and_then(|named| locale(tag).languages.get(named));
    named.map_or(english, String::as_str)
}
