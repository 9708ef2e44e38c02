//! A number within a range.

use engine::CountParameters;
use patterns::pattern;

use super::judgement::{Judgement, wanted};
use crate::Reason;
use crate::output::{Output, lowered};

/// What a number may mean: "1,000" is one in some languages, and a thousand in others.
fn meanings(number: &str) -> Vec<f64> {
    let number = number.replace('−', "-").replace(',', ".");
    let grouped = pattern!(r"^-?\d{1,3}(?:\.\d{3})+$").is_match(&number);
    let thousands = grouped.then(|| number.replace('.', ""));
    [Some(number), thousands].into_iter().flatten().filter_map(|text| text.parse().ok()).collect()
}

/// Whether the number lies within bounds that follows its name or stands before "of" the upper bound, else the only one.
pub fn within(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let (least, most) = count.bounds();
    let inside = |value: &f64| (least as f64..=most as f64).contains(value);
    let name = lowered(count.of.as_deref().unwrap_or_default());
    let rule = pattern!(
        r"(?P<n>[-−]?\d+(?:[.,]\d+)*)(?:\s*(?:/|{check_units.out_of}\s)\s*(?P<upper>\d+))?"
    );
    let (mut all, mut named) = (Vec::new(), Vec::new());
    for found in rule.captures_iter(output.text) {
        let Some(number) = found.name("n") else { continue };
        let upper = found.name("upper").map(|upper| upper.as_str() == most.to_string());
        // "8/100" is no number up to ten.
        let meanings = meanings(number.as_str());
        if upper == Some(false) || meanings.is_empty() {
            continue;
        }
        let before = text::tail(&output.lower()[..number.start()], 40);
        let line = before.rsplit('\n').next().unwrap_or(before);
        // To search for a longer name costs its length, at each number.
        let near = (1..=line.len()).contains(&name.len())
            && line.rfind(&name).is_some_and(|at| !line[at..].contains(|c: char| c.is_numeric()));
        let one = (meanings, number.range());
        if upper.is_some() || near { &mut named } else { &mut all }.push(one);
    }
    let has_named = !named.is_empty();
    let candidates = if has_named { named } else { all };
    let (passing, failing): (Vec<_>, Vec<_>) =
        candidates.iter().partition(|(values, _)| values.iter().all(inside));
    let is_doubtful = failing.iter().any(|(values, _)| values.iter().any(inside));
    if is_doubtful || !has_named && !passing.is_empty() && !failing.is_empty() {
        return Judgement::undecided(Reason::Unmarked);
    }
    let judgement = Judgement::of(failing.is_empty() && !passing.is_empty(), wanted(count));
    let Some((values, place)) = failing.first().or(passing.first()) else { return judgement };
    judgement.found(values[0].to_string()).at(Some(place.clone()))
}
