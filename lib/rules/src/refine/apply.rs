//! Applying an operation to the prompt.

use super::courtesy::core;
use super::op::Op;
use super::work::{Outcome, Work};
use super::{remove, replace, set, size, state, value, variable};
use crate::analyze::Review;

/// Applies what a wish asks for to the prompt and tells what became of it.
pub fn apply(work: &mut Work<'_>, op: Op, wish: &str) -> Outcome {
    match op {
        Op::Keep => work.applied("It stays as it is.", &[]),
        Op::Improve => improve(work),
        Op::Replace(exchange) => replace::replace(work, &exchange, wish),
        Op::Value { noun, value } => value::set_value(work, &noun, &value),
        Op::Rename { old, new } => variable::rename(work, &old, &new),
        Op::Fill { name, value } => variable::fill(work, &name, &value),
        Op::Variables(list) => variable::make(work, &list),
        Op::Role(role) => value::set_role(work, &role),
        Op::Count { number, noun } => value::set_count(work, &number, &noun, wish),
        Op::Remove { what, quoted, part } => remove::remove(work, &what, quoted, part, wish),
        Op::Manner(name) => size::manner(work, name, wish),
        Op::Scale(percent) => size::scale(work, percent, wish),
        Op::NoEmojis => size::no_emojis(work, wish),
        Op::Length(length) => size::length(work, &length, wish),
        Op::Tone(tone) => set::tone(work, &tone, wish),
        Op::Audience(audience) => set::audience(work, &audience, wish),
        Op::Format(format) => set::format(work, &format, wish),
        Op::Language { tag, ambiguous } => set::language(work, tag, ambiguous),
        Op::Include(what) => state::include(work, &what, wish),
        Op::Exclude(what) => state::exclude(work, &what, wish),
        Op::Require(text) => {
            value::update(work, &text).unwrap_or_else(|| state::require(work, &text))
        }
        // The caller lays the finished text out, and prompts for pictures have the rest.
        Op::LayOut(_) | Op::Describe { .. } | Op::Ratio(_) | Op::Seconds(_) | Op::Flag { .. } => {
            state::require(work, core(wish).0)
        }
    }
}

fn improve(work: &mut Work<'_>) -> Outcome {
    if !work.rewords {
        return work
            .refused("Nothing was found that can be corrected without knowing the matter.", &[]);
    }
    let mends = Review::bare(work.prompt, work.voice.tag()).mends();
    if work.edits.absorb(&mends) == 0 {
        return work
            .refused("Nothing was found that can be corrected without knowing the matter.", &[]);
    }
    work.partly(
        "Repetitions, filler and slips were corrected; a new wording takes a language model.",
        &[],
    )
}
