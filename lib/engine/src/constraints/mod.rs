//! Finding the checkable constraints of a prompt: what its answers can be held against.
//!
//! The kinds are those of `instruction_following_eval` (Zhou et al., 2023, arXiv:2311.07911), and everyday ones. Each file
//! has the rules of a family of kinds. Rules read whole clauses; what the prompt carries to work on states nothing.

mod count;
mod found;
mod items;
mod number;
mod options;
mod owner;
mod schema;
mod statement;
mod structure;
mod text;
mod wordings;

pub use self::number::value as number_of;
pub use self::statement::Statement;
use self::{found::Found, text::Text};
use crate::Constraint;
use ::text::code_points::CodePoints;

/// The constraints of a prompt, in the order of their statements.
pub fn of(prompt: &str) -> Vec<Constraint> {
    list(prompt, &extract(prompt))
}

/// What was extracted from a prompt, as results list it.
pub fn list(prompt: &str, statements: &[Statement]) -> Vec<Constraint> {
    let mut points = CodePoints::of(prompt);
    let listed = statements.iter().enumerate().map(|(number, statement)| {
        let quote = &prompt[statement.start..statement.end];
        let start = points.at(statement.start);
        Constraint {
            id: format!("c{}", number + 1),
            kind: statement.kind,
            parameters: statement.parameters.clone(),
            start,
            end: start + quote.chars().count(),
            quote: quote.to_owned(),
        }
    });
    listed.collect()
}

/// The constraints that `text` states, in the order of their statements.
///
/// Linear in the length of the text.
pub fn extract(text: &str) -> Vec<Statement> {
    ::text::language::reading(&[text], None, || {
        let text = Text::new(text);
        let mut found = Found::default();
        count::find(&text, &mut found);
        items::things(&text, &mut found);
        items::characters(&text, &mut found);
        wordings::find(&text, &mut found);
        structure::columns(&text, &mut found);
        structure::ranges(&text, &mut found);
        schema::find(&text, &mut found);
        let mut found = found.all;
        found.retain(|one| !owner::is_told(&text, one));
        // What is longer is no parameter.
        found.retain(|one| {
            let longest = one.kind.longest_text();
            one.parameters.texts().iter().all(|value| value.chars().nth(longest).is_none())
        });
        for one in &mut found {
            let stated = text.at(one.start..one.end).trim_end();
            one.end = one.start + stated.len();
            one.start = one.end - stated.trim_start().trim_start_matches([',', ' ']).len();
        }
        found.sort_by_key(|one| (one.start, one.kind, one.end));
        // Two wordings of one rule may match the same statement.
        let number = |one: &Statement| one.parameters.count().map(|count| count.number);
        found.dedup_by(|later, earlier| {
            later.kind == earlier.kind
                && later.start < earlier.end
                && number(later) == number(earlier)
        });
        found
    })
}
