//! A prompt with what the rules found in it.

use super::reading::Reading;
use super::rule::{Rule, Spot};
use super::table::RULES;
use crate::wording::Voice;
use engine::changes::Edits;
use engine::prompt::container::Container;
use engine::{Finding, PromptBrief};
use patterns::pattern;
use text::code_points::CodePoints;
use text::literals::scan;

/// Findings of one rule that are reported; more of them say nothing new.
const MOST_OF_A_RULE: usize = 10;
/// Findings before one that may be about the same place.
const LOOKED_BACK: usize = 20;
/// Characters of a place that its message repeats.
const NAMED: usize = 60;

/// A prompt with what the rules found in it.
pub struct Review<'a> {
    /// What was read of the prompt.
    pub reading: Reading<'a>,
    /// What says so.
    pub voice: Voice,
    /// The places in their order, each with its rule.
    spots: Vec<(Spot, &'static Rule)>,
}

impl<'a> Review<'a> {
    /// Searches a wording of the prompt of a brief, for the brief's model and in the brief's language.
    pub fn of(prompt: &'a str, brief: &PromptBrief) -> Self {
        let attached = !brief.images.is_empty() || !brief.context.trim().is_empty();
        Self::searched(Reading::of(prompt, brief.target_model, attached), &brief.language)
    }

    fn searched(reading: Reading<'a>, language: &str) -> Self {
        let mut spots: Vec<(Spot, &Rule)> = RULES
            .iter()
            .flat_map(|rule| {
                rule.spots(&reading).into_iter().take(MOST_OF_A_RULE).map(move |spot| (spot, rule))
            })
            .collect();
        // The sort is stable, so that places found by several rules keep the order of the rules.
        spots.sort_by_key(|(spot, _)| spot.span);
        // What one rule says of a place needs no second finding of the same metric.
        let mut told: Vec<(Spot, &Rule)> = Vec::new();
        for (spot, rule) in spots {
            let again = |(other, known): &(Spot, &Rule)| {
                known.metric == rule.metric
                    && (other.span.meets(spot.span) || other.span == spot.span)
            };
            if !told.iter().rev().take(LOOKED_BACK).any(again) {
                told.push((spot, rule));
            }
        }
        let spots = told;
        Self { reading, voice: Voice::of(language), spots }
    }

    /// The findings that are reported, in the order of their places.
    pub fn findings(&self) -> Vec<Finding> {
        let mut offsets = CodePoints::of(self.reading.source.text);
        self.spots
            .iter()
            .enumerate()
            .map(|(number, (spot, rule))| {
                let quote = self.reading.source.slice(spot.span);
                let start = offsets.at(spot.span.start);
                let (message, suggestion) = self.said(spot, rule);
                Finding {
                    id: format!("f{}", number + 1),
                    rule_id: rule.id.to_owned(),
                    metric: rule.metric,
                    severity: rule.severity,
                    start,
                    end: start + quote.chars().count(),
                    quote: quote.to_owned(),
                    message,
                    suggestion,
                }
            })
            .collect()
    }

    /// The edits that mend what was found, where that is sure. Nothing inside code, variables, addresses and quotations
    /// is changed, and nothing at all where the form of the prompt is read by a program.
    pub fn mends(&self) -> Edits<'a> {
        let text = self.reading.source.text;
        let mut edits = Edits::new(text);
        if is_container(text) {
            return edits;
        }
        let literals = scan(text).cover();
        for (spot, rule) in &self.spots {
            let mended = rule.mend.and_then(|mend| mend(&self.reading, spot));
            let mended = mended.map(|(span, new)| (span.start..span.end, new));
            if let Some((range, new)) = mended.filter(|(range, _)| !literals.is_cut_by(range)) {
                edits.add(range, &new, &self.said(spot, rule).0, Some(rule.id));
            }
        }
        edits
    }

    /// What is said about a place: the message and the suggestion.
    fn said(&self, spot: &Spot, rule: &Rule) -> (String, String) {
        let short = shortened(self.reading.source.slice(spot.span));
        let values = [spot.value.as_deref().unwrap_or(&short), &short];
        (self.voice.say(rule.id, &values), self.voice.say(&format!("{}.mend", rule.id), &values))
    }
}

/// Whether the form of a prompt is read by a program: an object, a chat, a template, front matter.
pub fn is_container(text: &str) -> bool {
    let container = Container::of(text);
    let framed = text.trim_start().starts_with(['{', '[']) && text.trim_end().ends_with(['}', ']']);
    framed && pattern!(r#""[^"\n]{1,60}"\s*:\s*["\[{\d]"#).is_match(text)
        || !container.is_plain()
        || container.is_yaml()
        || pattern!(r"\{%|<%|\{\{[#/^!>]").is_match(text)
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
