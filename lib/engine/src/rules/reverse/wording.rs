//! Saying things in the language of the result.

use crate::{language, messages};

/// Speaks the language of a tag, English where there are no texts in it.
#[derive(Clone, Debug)]
pub struct Words {
    tag: String,
}

impl Words {
    /// Speaks the language of `tag`.
    pub fn of(tag: &str) -> Self {
        let tag = if language::has_locale(tag) { language::primary(tag) } else { "en".to_owned() };
        Self { tag }
    }

    /// The tag of the language that is spoken.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The text with this English wording; `{1}` stands for the first value, `{2}` for the second and so on.
    pub fn say(&self, english: &str, values: &[&str]) -> String {
        let template = messages::phrase(&self.tag, english).unwrap_or(english);
        let mut result = String::with_capacity(template.len());
        let mut rest = template;
        // One pass, so that a value is never taken for a place.
        while let Some(start) = rest.find('{') {
            result.push_str(&rest[..start]);
            let value = rest[start..].find('}').and_then(|end| {
                let number: usize = rest[start + 1..start + end].parse().ok()?;
                Some((values.get(number.checked_sub(1)?)?, end))
            });
            match value {
                Some((value, end)) => {
                    result.push_str(value);
                    rest = &rest[start + end + 1..];
                }
                None => {
                    result.push('{');
                    rest = &rest[start + 1..];
                }
            }
        }
        result.push_str(rest);
        result
    }

    /// A name without values.
    pub fn name(&self, english: &str) -> String {
        self.say(english, &[])
    }

    /// Names in a list.
    pub fn list(&self, english: &[&str]) -> String {
        english.iter().map(|name| self.name(name)).collect::<Vec<_>>().join(", ")
    }

    /// The name of a kind of text as a label: without its article.
    pub fn label(&self, english: &str) -> String {
        let name = self.name(english);
        let label = name.split_once(' ').map_or(name.as_str(), |(_, label)| label);
        let mut characters = label.chars();
        match characters.next() {
            Some(first) => first.to_uppercase().chain(characters).collect(),
            None => String::new(),
        }
    }

    /// The name of a language, without its region; in English where there is no translation of it.
    pub fn language(&self, tag: &str) -> String {
        self.name(&language::english_name(&language::primary(tag)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const SOURCES: [&str; 4] = [
        include_str!("prompt.rs"),
        include_str!("describe.rs"),
        include_str!("picture.rs"),
        include_str!("mod.rs"),
    ];

    /// Everything that is said: literals given to `say`, names from the data, and lists of names.
    fn said() -> BTreeSet<String> {
        let literal = patterns::pattern!(r#"(?s)\b(?:say|name)\(\s*"((?:[^"\\]|\\.)*)""#);
        let mut all: BTreeSet<String> = SOURCES
            .iter()
            .flat_map(|source| literal.captures_iter(source))
            .map(|found| found[1].replace("\\\"", "\""))
            .collect();
        all.extend(super::super::genre::names().map(str::to_owned));
        all.extend(super::super::names().into_iter().map(str::to_owned));
        all
    }

    #[test]
    fn everything_that_is_said_is_said_in_every_language() {
        let said = said();
        assert!(said.len() > 150, "{}", said.len());
        for tag in ["de", "es", "fr", "it", "pt"] {
            let missing: Vec<&String> =
                said.iter().filter(|text| messages::phrase(tag, text).is_none()).collect();
            assert!(missing.is_empty(), "{tag}: {missing:#?}");
            for text in &said {
                let translated = messages::phrase(tag, text).expect("checked");
                for place in ["{1}", "{2}", "{3}"] {
                    assert_eq!(text.contains(place), translated.contains(place), "{tag}: {text}");
                }
            }
        }
    }

    #[test]
    fn a_value_is_never_taken_for_a_place() {
        let words = Words::of("en");
        assert_eq!(words.say("{1} and {2}", &["{2}", "{1} {"]), "{2} and {1} {");
        assert_eq!(words.say("a { b {9} {x}", &[]), "a { b {9} {x}");
    }
}
