//! A number within a range.

use engine::CountParameters;
use patterns::pattern;

use super::judgement::{Judgement, wanted};
use crate::Reason;
use crate::output::Output;

/// What a number may mean: "1,000" is one in some languages, and a thousand in others.
fn meanings(number: &str) -> Vec<f64> {
    let number = number.replace('−', "-").replace(',', ".");
    let grouped = pattern!(r"^-?\d{1,3}(?:\.\d{3})+$").is_match(&number);
    let thousands = grouped.then(|| number.replace('.', ""));
    [Some(number), thousands].into_iter().flatten().filter_map(|text| text.parse().ok()).collect()
}

/// Whether the number lies within bounds that stands before "of" the upper bound, else the only one.
pub fn within(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let (least, most) = count.bounds();
    let inside = |value: &f64| (least as f64..=most as f64).contains(value);
    let rule = pattern!(
        r"(?P<n>[-−]?\d+(?:[.,]\d+)*)(?:\s*(?:/|{check_units.out_of}\s)\s*(?P<upper>\d+))?"
    );
    let (mut rated, mut others) = (Vec::new(), Vec::new());
    for found in rule.captures_iter(output.text) {
        match (found.name("n"), found.name("upper")) {
            (Some(number), None) => others.push(number),
            (Some(number), Some(upper)) if upper.as_str() == most.to_string() => rated.push(number),
            // "8/100" is no number up to ten.
            _ => {}
        }
    }
    let candidates = if rated.is_empty() { others } else { rated };
    let Some(number) = candidates.first() else { return Judgement::of(false, wanted(count)) };
    let values = meanings(number.as_str());
    let fitting = values.iter().filter(|value| inside(value)).count();
    if candidates.len() > 1 || fitting > 0 && fitting < values.len() {
        return Judgement::undecided(Reason::Unmarked);
    }
    Judgement::of(fitting > 0, wanted(count)).found(number.as_str()).at(Some(number.range()))
}
