//! A request that is repeated before it is answered.

use text::code_points::byte_at;
use text::{Cover, sentences};

use super::judgement::Judgement;
use crate::output::{Output, lowered};
use crate::{Check, Reason};

/// Fewest characters of a request that is told from the answer.
const SHORTEST: usize = 10;

/// What a prompt may mean by the request, in lower case with single spaces: the whole prompt, what stands before the
/// demand to repeat it, or what follows that.
pub fn requests(check: &Check, prompt: &str) -> Vec<String> {
    budget::spend(prompt.len());
    let byte = |point: usize| byte_at(prompt, point);
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
    candidates
        .into_iter()
        .flatten()
        .map(|text| squeezed(&lowered(text)))
        .filter(|text| text.chars().count() >= SHORTEST)
        .collect()
}

/// Whether the answer begins with one of the requests. Any of them will do, since the answer repeats more than its own
/// words anyway.
pub fn of(output: &Output<'_>, requests: &[String]) -> Judgement {
    let Some(shortest) = requests.iter().min_by_key(|request| request.len()) else {
        return Judgement::undecided(Reason::Unclear);
    };
    let answer = squeezed(output.lower());
    let signs = |c: char| !c.is_alphanumeric();
    let answer = answer.trim_start_matches(signs);
    let repeated =
        requests.iter().any(|request| answer.starts_with(request.trim_start_matches(signs)));
    Judgement::of(repeated, shortest.as_str())
}

/// A text with a single space in the place of those between its words.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
