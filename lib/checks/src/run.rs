//! Holding an answer against checks.

use text::{head, language};

use crate::kinds::{Demand, Judgement};
use crate::output::Output;
use crate::{Check, Evidence, Outcome, Reason, Verdict};

/// Longest text of a verdict's evidence, in characters.
const LONGEST_TEXT: usize = 200;
/// Steps that holding one answer against one check may take: so many, and so many for each byte of answer and prompt.
const STEPS: u64 = 5_000_000;
const STEPS_A_BYTE: u64 = 1_000;

/// The verdicts on each of some answers, one for each check and in their order. `prompt` is the one that the checks are
/// from. `inflections` says whether a word with another ending of a language that is known is the word: "walks", "walked" and
/// "walking" for "walk". If nothing is said, this is so for words that are demanded: who demands one is content with its
/// plural, and who forbids one has named the form that is not to be read.
pub fn run<'o>(
    checks: &[Check],
    prompt: Option<&str>,
    outputs: impl IntoIterator<Item = &'o str>,
    inflections: Option<bool>,
) -> Vec<Vec<Verdict>> {
    let outputs: Vec<&str> = outputs.into_iter().collect();
    let quotes = || checks.iter().map(|check| check.quote.as_str()).collect::<Vec<_>>().join("\n");
    let asked = prompt.map_or_else(quotes, str::to_owned);
    let first = outputs.first().copied().unwrap_or_default();
    language::reading(&[&asked, first], None, || {
        let outputs: Vec<_> = outputs.iter().map(|output| Output::new(output)).collect();
        let mut verdicts: Vec<_> =
            outputs.iter().map(|_| Vec::with_capacity(checks.len())).collect();
        for check in checks {
            let demand = Demand::of(check, inflections);
            for (output, verdicts) in outputs.iter().zip(&mut verdicts) {
                let bytes = output.text.len() + prompt.map_or(0, str::len);
                let steps = STEPS + STEPS_A_BYTE * bytes as u64;
                let judgement = budget::limited(steps, || demand.judge(output));
                let judgement =
                    judgement.unwrap_or_else(|_| Judgement::undecided(Reason::TooLarge));
                verdicts.push(verdict(check, judgement, output.text));
            }
        }
        verdicts
    })
}

fn verdict(check: &Check, judgement: Judgement, text: &str) -> Verdict {
    let Judgement { outcome, wanted, found, place, reason } = judgement;
    let evidence = (outcome != Outcome::Undecided || found.is_some()).then(|| {
        let quote = place.clone().map(|place| beginning(&text[place]));
        let start = place.as_ref().map(|place| text[..place.start].chars().count());
        let length = place.map(|place| text[place].chars().count());
        let end = start.zip(length).map(|(start, length)| start + length);
        let (wanted, found) = (beginning(&wanted), found.map(|found| beginning(&found)));
        Evidence { wanted, found, start, end, quote }
    });
    Verdict { check_id: check.id.clone(), verdict: outcome, evidence, reason }
}

/// The beginning of a text.
fn beginning(text: &str) -> String {
    head(text, 4 * LONGEST_TEXT).chars().take(LONGEST_TEXT).collect()
}
