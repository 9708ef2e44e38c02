//! Which demands are sure to be of the whole answer, and which a program can decide.
//!
//! A number has its noun from the constraint that was read. Here it gets its owner: what stands before it in its sentence,
//! the label of its line and the heading above it must say nothing but that the answer is written, and no other demand of
//! the prompt may bound the same. So a demand of a part, of each part, under a condition or within material becomes no
//! check.

use std::collections::BTreeMap;

use engine::{Constraint, ConstraintKind as Kind, ConstraintParameters as Parameters};
use patterns::pattern;

use crate::kinds::{are_words_executable, is_decidable, is_question, is_schema, options};
use crate::statement::{
    Prompt, Statement, heads_rules, is_neutral, names_a_part, names_a_piece, names_the_answer,
    orders_text,
};

/// Fewest words that are no things.
const FEW: u32 = 30;
/// Marks that open a quotation.
const QUOTES: [char; 8] = ['"', '“', '„', '«', '\'', '‘', '「', '『'];

/// Whether a program can decide what a constraint demands.
pub fn is_executable(constraint: &Constraint) -> bool {
    let quote = constraint.quote.as_str();
    match (&constraint.parameters, constraint.kind) {
        (_, Kind::Audience | Kind::Tone) => false,
        (Parameters::Words(list), Kind::ExcludeWords) => are_words_executable(&list.words, quote),
        (Parameters::Text(edge), Kind::StartsWith | Kind::EndsWith) => {
            is_decidable(&edge.text, quote)
        }
        (Parameters::Value(named), Kind::JsonSchema) => {
            named.value.as_deref().is_some_and(is_schema)
        }
        _ => true,
    }
}

/// Whether each of the constraints of a prompt, whose statements begin at some bytes, is sure to be demanded of every
/// answer as a whole.
///
/// Of several that bound the same differently, the only one that names the answer is.
pub fn are_sure(text: &str, stated: &[(usize, Constraint)]) -> Vec<bool> {
    let prompt = Prompt::of(text);
    let claims: Vec<Claim> = stated
        .iter()
        .map(|(start, one)| prompt.statement(*start..start + one.quote.len()).claim(one))
        .collect();
    // The first demand that bounds something, and whether another one does so differently.
    let mut bounds: BTreeMap<_, (&Parameters, bool)> = BTreeMap::new();
    for ((_, one), claim) in stated.iter().zip(&claims) {
        let Some(bounded) = bounded(one) else { continue };
        for named in [false, true].into_iter().filter(|named| !named || *claim == Claim::Named) {
            let first = bounds.entry((bounded, named)).or_insert((&one.parameters, false));
            first.1 |= *first.0 != one.parameters;
        }
    }
    let is_sure = |(one, claim): (&Constraint, Claim)| {
        let others = bounded(one).and_then(|bounded| bounds.get(&(bounded, claim == Claim::Named)));
        claim != Claim::Unsure && others.is_none_or(|(_, differ)| !differ)
    };
    stated.iter().map(|(_, one)| one).zip(claims).map(is_sure).collect()
}

/// How sure it is that a demand is of the whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Unsure,
    /// Nothing else is named.
    Implied,
    /// The answer is.
    Named,
}

/// What a constraint bounds that an answer has once.
fn bounded(constraint: &Constraint) -> Option<(Kind, &str)> {
    match &constraint.parameters {
        Parameters::Count(count) if constraint.kind != Kind::WordFrequency => {
            Some((constraint.kind, count.of.as_deref().unwrap_or_default()))
        }
        Parameters::Value(_) if constraint.kind != Kind::JsonSchema && !is_anywhere(constraint) => {
            Some((constraint.kind, ""))
        }
        _ => None,
    }
}

impl Statement<'_> {
    /// How sure it is that a constraint is stated here of every answer, as a whole.
    fn claim(&self, constraint: &Constraint) -> Claim {
        let quote = constraint.quote.as_str();
        // "Each section" is what is counted.
        let counted = if constraint.kind == Kind::SectionCount { "" } else { quote };
        if self.is_conditional() || self.is_material() || self.is_of_each(counted) {
            return Claim::Unsure;
        }
        let is = |holds: bool| if holds { Claim::Implied } else { Claim::Unsure };
        match constraint.kind {
            Kind::Audience | Kind::Tone => Claim::Unsure,
            Kind::JsonSchema | Kind::NumberRange => Claim::Implied,
            Kind::IncludeWords | Kind::ExcludeWords | Kind::WordFrequency => {
                is(self.is_of_words(constraint))
            }
            Kind::Language => is(self.is_of_language()),
            Kind::TableColumns | Kind::CodeLanguage => is(!self.is_denied() && !self.exists()),
            // A table, a list or a block is looked for anywhere in the answer.
            Kind::Format if is_anywhere(constraint) => {
                let definite = pattern!(r"(?i)\b{check_scope.definite}\s+\p{L}+$");
                let is_other = definite.is_match(quote) || self.exists() || self.is_denied();
                is(!is_other && !self.is_bracketed() && !names_a_part(self.clause()))
            }
            Kind::Choice => {
                let behind = &self.prompt.text[self.place.end..];
                let of_scale = pattern!(r"(?i)\b{check_scope.scale}\b").is_match(self.behind);
                let is_quoted = quote.contains(QUOTES) || self.behind.contains(QUOTES);
                let is_only = self.is_all() && !of_scale && (is_quoted || !self.goes_on());
                is(is_only && !options(quote, behind).is_empty())
            }
            Kind::StartsWith | Kind::EndsWith => {
                let is_said = quote.contains(QUOTES)
                    || is_open(constraint)
                    || pattern!(r"(?i)\b{constraint_count.exactly_said}\b").is_match(quote);
                is(is_said && !self.is_in_a_part() && !names_a_part(self.before))
            }
            Kind::Lowercase | Kind::Uppercase => {
                let of_all = pattern!(r"(?i)^\s*(?:$|[,;:)]|{check_scope.case_behind}\b)");
                if of_all.is_match(self.behind) { self.of_all(quote) } else { Claim::Unsure }
            }
            Kind::Format | Kind::QuotationMarks => self.of_all(quote),
            // "Name 10 words" asks for things.
            Kind::WordCount if is_few(constraint) && self.asks_for() => Claim::Unsure,
            Kind::ItemCount
                if is_uncounted(constraint)
                    || self.prompt.orders > 1 && self.is_late()
                    || !self.is_among_rules() =>
            {
                Claim::Unsure
            }
            _ if self.leaves_out() || self.goes_on() || self.is_in_a_part() => Claim::Unsure,
            _ => self.of_all(quote),
        }
    }

    /// Whether words are those that are meant, of the whole answer.
    fn is_of_words(&self, constraint: &Constraint) -> bool {
        let is_denied = match constraint.kind {
            Kind::IncludeWords => self.is_denied(),
            _ => self.is_doubly_denied(&constraint.quote),
        };
        let is_of_a_part = names_a_piece(self.clause()) || self.is_in_a_part();
        !is_denied && !self.leaves_out() && !is_of_a_part && are_words(constraint)
    }

    /// Whether a language is that of the answer: "translate it into", "write a story in", "answer in".
    fn is_of_language(&self) -> bool {
        // "Translate key terms into English"
        let of_words = pattern!(r"(?i)\b{check_scope.spoken}\b");
        let others = pattern!(r"(?i)\b{constraint_manner.languages}\b");
        let translates = pattern!(r"(?i)\b{constraint_manner.translate}\b");
        let is_written = orders_text(self.before) && !self.is_of_given(self.before);
        (translates.is_match(self.before) || is_written || self.is_all())
            && !of_words.is_match(self.before)
            && !others.is_match(self.behind)
            && !self.is_denied()
            && !self.goes_on()
    }

    /// Whether nothing that it may be of is named but the answer.
    fn is_all(&self) -> bool {
        let [label, earlier, held, clause] = &self.parts();
        let says_all =
            |text: &&String| is_neutral(text) && !names_a_piece(text) || self.orders_all(text);
        // "Two, three sentences" are neither.
        let is_vague = pattern!(r"(?i){constraint_number.number}\s*[,、]\s*$").is_match(earlier)
            && clause.trim().is_empty();
        // "An introduction (80 words), a list and …": there is more than what has it.
        let is_one_of_many =
            self.is_bracketed() && pattern!(r"^[^)）]{0,40}[)）]\s*,").is_match(self.behind);
        !is_vague
            && !is_one_of_many
            && !self.is_denied()
            && !self.exists()
            && !self.is_of_given(held)
            && (label.trim().is_empty()
                || heads_rules(label)
                || names_the_answer(label)
                || self.orders_all(label))
            && [label, held, clause].iter().all(says_all)
            && !names_a_part(earlier)
            && !names_a_part(self.head)
    }

    /// How sure it is that it is of the answer as a whole.
    fn of_all(&self, quote: &str) -> Claim {
        let [label, _, held, clause] = &self.parts();
        let names = [label, held, clause]
            .iter()
            .any(|text| names_the_answer(text) || self.orders_all(text))
            || names_the_answer(quote)
            || orders_text(quote)
            || pattern!(r"(?i)^[\s-]*(?:\p{L}+\s)?{check_scope.answer}\b").is_match(self.behind);
        match self.is_all() {
            true if names => Claim::Named,
            true if self.is_among_rules() && !self.follows_a_part() => Claim::Implied,
            _ => Claim::Unsure,
        }
    }
}

/// Whether a beginning or an end is a question.
fn is_open(constraint: &Constraint) -> bool {
    matches!(&constraint.parameters, Parameters::Text(edge) if is_question(&edge.text))
}

/// Whether a format may stand anywhere in the answer.
fn is_anywhere(constraint: &Constraint) -> bool {
    matches!(&constraint.parameters, Parameters::Value(named)
        if matches!(named.value.as_deref(), Some("table" | "numbered_list" | "bullet_list" | "code_block" | "diagram")))
}

/// Whether the words are those that are meant: quoted, several, or "the word tea". What stands in code is none.
fn are_words(constraint: &Constraint) -> bool {
    let quote = constraint.quote.as_str();
    match &constraint.parameters {
        Parameters::Words(list) => {
            let named = pattern!(r"(?i)(?:\b{check_scope.word}\s+|:\s*)\p{L}+$").is_match(quote);
            let words = pattern!(r"(?i)\b{constraint_words.words_avoided}\b").is_match(quote);
            // "No emoji" has a word for what is forbidden.
            let is_class = constraint.kind == Kind::ExcludeWords && !words;
            let is_quoted = quote.contains(QUOTES);
            !quote.contains('`') && (is_quoted || named || is_class || list.words.len() > 1)
        }
        _ => true,
    }
}

/// Whether so many words may be the things that are asked for.
fn is_few(constraint: &Constraint) -> bool {
    matches!(&constraint.parameters, Parameters::Count(count) if count.number < FEW)
}

/// Whether no program counts the unit: pages, or columns for things, which stand beside one that names the rows.
fn is_uncounted(constraint: &Constraint) -> bool {
    let uncounted = pattern!(r"(?i)^(?:{check_scope.uncounted}|{check_units.columns})$");
    matches!(&constraint.parameters, Parameters::Count(count)
        if count.of.as_deref().is_some_and(|unit| uncounted.is_match(unit)))
}
