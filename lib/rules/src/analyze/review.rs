//! A prompt with what the rules found in it.

use std::cell::OnceCell;

use super::mends;
use super::reading::Reading;
use super::registry;
use super::rule::{Edit, Rule, Spot};
use super::texts::{self, Texts};
use crate::facts::Facts;
use crate::wording::Tongue;
use crate::{material, repeated};
use engine::changes::Edits;
use engine::{Finding, PromptBrief, Severity, TargetModel};
use text::code_points::CodePoints;
use text::{Cover, literals::scan};

/// Findings of one rule that are reported; more of them say nothing new.
const MOST_OF_A_RULE: usize = 10;
/// Characters of a place that its message repeats.
const NAMED: usize = 60;

/// A prompt with what the rules found in it.
pub struct Review<'a> {
    /// What was understood of the prompt.
    pub reading: Reading<'a>,
    /// What can be said in it.
    pub texts: &'static Texts,
    /// What the caller says and the prompt lacks.
    pub facts: Facts,
    /// The places in their order, each with its rule.
    spots: Vec<(Spot, &'static Rule)>,
    held: OnceCell<Held>,
}

/// What of a prompt is to stay as it is.
struct Held {
    literals: Cover,
    /// Examples and content to work on.
    supplied: Cover,
}

impl<'a> Review<'a> {
    /// Searches a wording of the prompt of a brief, for the brief's model and in the brief's language.
    pub fn of(prompt: &'a str, brief: &PromptBrief) -> Self {
        let mut reading = Reading::of(prompt, brief.target_model, !brief.images.is_empty());
        let mut facts = Facts::default();
        if !brief.context.trim().is_empty() {
            facts = Facts::of(&brief.context, prompt);
            if !facts.sentences.is_empty() && points_elsewhere(&reading) {
                facts.keep_whole();
            }
            reading.unstated = facts.lines(Tongue::of(&repeated::without(prompt)));
            reading.explain(&brief.context);
        }
        Self { facts, ..Self::searched(reading, &brief.language) }
    }

    /// Searches a prompt of which nothing is known but its words; `language` is that of what is said about it.
    pub fn bare(prompt: &'a str, language: &str) -> Self {
        Self::searched(Reading::of(prompt, TargetModel::default(), false), language)
    }

    fn searched(reading: Reading<'a>, language: &str) -> Self {
        let mut spots: Vec<(Spot, &Rule)> = registry::rules()
            .flat_map(|rule| rule.spots(&reading).into_iter().map(move |spot| (spot, rule)))
            .collect();
        // The sort is stable, so that places found by several rules keep the order of the rules.
        spots.sort_by_key(|(spot, _)| spot.span);
        let texts = texts::of(language);
        let facts = Facts::default();
        let mut review = Self { reading, texts, facts, spots, held: OnceCell::new() };
        let found = std::mem::take(&mut review.spots);
        review.spots = found.into_iter().filter(|(spot, rule)| review.is_own(spot, rule)).collect();
        review
    }

    /// Whether a place is the author's: the wording of examples and of supplied content is not.
    fn is_own(&self, spot: &Spot, rule: &Rule) -> bool {
        let wording = rule.mend.is_some() && rule.severity <= Severity::Low;
        !wording || !self.held().supplied.touches(&(spot.span.start..spot.span.end))
    }

    fn held(&self) -> &Held {
        self.held.get_or_init(|| {
            let text = self.reading.source.text;
            let literals = scan(text);
            let supplied = Cover::of(text.len(), &[&material::supplied(text, &literals)]);
            Held { literals: literals.cover(text.len()), supplied }
        })
    }

    /// The findings that are reported, in the order of their places.
    pub fn findings(&self) -> Vec<Finding> {
        let mut offsets = CodePoints::of(self.reading.source.text);
        let mut counts = std::collections::HashMap::new();
        let reported = self.spots.iter().filter(|(_, rule)| {
            let count = counts.entry(rule.id).or_insert(0);
            *count += 1;
            *count <= MOST_OF_A_RULE
        });
        reported
            .enumerate()
            .map(|(number, (spot, rule))| {
                let quote = self.reading.source.slice(spot.span);
                let start = offsets.at(spot.span.start);
                let (message, suggestion) = self.said(spot, rule);
                Finding {
                    id: format!("f{}", number + 1),
                    rule_id: rule.id.to_owned(),
                    metric: rule.metric,
                    severity: spot.severity.unwrap_or(rule.severity),
                    start,
                    end: start + quote.chars().count(),
                    quote: quote.to_owned(),
                    message,
                    suggestion,
                }
            })
            .collect()
    }

    /// The edits that mend what was found. Nothing inside code, variables, addresses, quotations, examples and
    /// supplied content is changed; what says again what has been said may go with the literals in it.
    pub fn mends(&self) -> Edits<'a> {
        let text = self.reading.source.text;
        let mut found: Vec<(Edit, &Spot, &Rule)> = Vec::new();
        for (spot, rule) in &self.spots {
            for edit in rule.mend.map_or_else(Vec::new, |mend| mend(&self.reading, spot)) {
                match found.last_mut().filter(|(last, ..)| is_next(text, last, &edit)) {
                    // "Please, if possible, write": what stands side by side goes as one.
                    Some((last, ..)) => last.span.end = last.span.end.max(edit.span.end),
                    None => found.push((edit, spot, rule)),
                }
            }
        }
        // Where a sentence goes, nothing in it needs mending.
        found.sort_by_key(|(edit, ..)| std::cmp::Reverse(edit.span.end - edit.span.start));
        let held = self.held();
        let mut edits = Edits::new(text);
        for (edit, spot, rule) in found {
            let (span, new) = match edit.text {
                Some(new) => (edit.span, new),
                None => mends::closed(text, edit.span),
            };
            let range = span.start..span.end;
            if !held.literals.is_cut_by(&range) && !held.supplied.touches(&range) {
                edits.add(range, &new, &self.said(spot, rule).0, Some(rule.id));
            }
        }
        edits
    }

    /// What is said about a place: the message and the suggestion.
    fn said(&self, spot: &Spot, rule: &Rule) -> (String, String) {
        let short = || shortened(self.reading.source.slice(spot.span));
        let named = spot.value.clone().unwrap_or_else(short);
        let (message, suggestion) = &self.texts.rules[rule.id];
        (texts::fill(message, &named, ""), texts::fill(suggestion, &named, ""))
    }
}

/// Whether the prompt points to content that it does not have: what came with it is this content.
fn points_elsewhere(reading: &Reading<'_>) -> bool {
    registry::rules()
        .filter(|rule| matches!(rule.id, "missing_material" | "unresolved_reference"))
        .any(|rule| !rule.spots(reading).is_empty())
}

/// Whether nothing but a comma and spaces stands between two places that go.
fn is_next(text: &str, last: &Edit, next: &Edit) -> bool {
    let gap = text.get(last.span.end..next.span.start);
    let apart = |gap: &str| gap.len() <= 3 && gap.chars().all(|c| matches!(c, ' ' | ','));
    last.text.is_none() && next.text.is_none() && gap.is_some_and(apart)
}

/// A place on one line that is short enough for a message.
fn shortened(quote: &str) -> String {
    let line = crate::split::squeeze(quote);
    if line.chars().count() <= NAMED {
        return line;
    }
    let kept: String = line.chars().take(NAMED - 1).collect();
    format!("{}…", kept.trim_end())
}
