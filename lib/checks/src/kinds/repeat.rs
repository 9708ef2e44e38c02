//! A request that is repeated before it is answered.

use text::{Cover, sentences};

use super::judgement::Judgement;
use crate::output::{Output, lowered};
use crate::{Check, Reason};

/// Fewest characters of a request that is told from the answer.
const SHORTEST: usize = 10;

/// Whether the answer begins with the request. What the request is, prompts say in many ways: the whole prompt, what
/// stands before the demand to repeat it, or what follows that. Any of them will do, since the answer repeats more than
/// its own words anyway.
pub fn of(output: &Output<'_>, check: &Check, prompt: Option<&str>) -> Judgement {
    let Some(prompt) = prompt else { return Judgement::undecided(Reason::NeedsPrompt) };
    let byte = |point: usize| prompt.char_indices().nth(point).map_or(prompt.len(), |(at, _)| at);
    let (start, end) = (byte(check.start), byte(check.end));
    let all = sentences(prompt, &Cover::default());
    let before = all.iter().take_while(|sentence| sentence.end <= start).last();
    let after = all.iter().find(|sentence| sentence.start >= end);
    let paragraph = prompt[end..].find("\n\n").map(|at| end + at);
    let candidates = [
        Some(prompt),
        before.map(|last| &prompt[..last.end]),
        after.map(|next| &prompt[next.start..]),
        paragraph.map(|at| &prompt[at..]),
    ];
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let candidates: Vec<String> = candidates
        .into_iter()
        .flatten()
        .map(|text| squeezed(&lowered(text)))
        .filter(|text| text.chars().count() >= SHORTEST)
        .collect();
    if candidates.is_empty() {
        return Judgement::undecided(Reason::Unclear);
    }
    let answer = squeezed(output.lower());
    let signs = |c: char| !c.is_alphanumeric();
    let answer = answer.trim_start_matches(signs);
    let repeated =
        candidates.iter().any(|request| answer.starts_with(request.trim_start_matches(signs)));
    let shortest = candidates.into_iter().min_by_key(String::len).unwrap_or_default();
    Judgement::of(repeated, shortest)
}
