//! What a kind finds.

use std::ops::Range;

use engine::{CountParameters, Relation};

use crate::{Outcome, Reason};

/// What a kind makes of an answer; its place is in bytes.
#[derive(Debug)]
pub struct Judgement {
    pub outcome: Outcome,
    pub wanted: String,
    pub found: Option<String>,
    pub place: Option<Range<usize>>,
    pub reason: Option<Reason>,
}

impl Judgement {
    /// A verdict on something that is wanted.
    pub fn of(passes: bool, wanted: impl Into<String>) -> Self {
        let outcome = if passes { Outcome::Passed } else { Outcome::Failed };
        Self { outcome, wanted: wanted.into(), found: None, place: None, reason: None }
    }

    /// None, with the reason.
    pub fn undecided(reason: Reason) -> Self {
        let outcome = Outcome::Undecided;
        Self { outcome, reason: Some(reason), ..Self::of(false, "") }
    }

    /// The same with what was found.
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = Some(found.into());
        self
    }

    /// The same with the place that decided it, if there is one.
    pub fn at(mut self, place: Option<Range<usize>>) -> Self {
        self.place = place;
        self
    }

    /// Whether something stands in the answer, and where.
    pub fn present(wanted: impl Into<String>, place: Option<Range<usize>>) -> Self {
        Self::of(place.is_some(), wanted).at(place)
    }

    /// Whether there are as many as a bound allows.
    pub fn number(found: usize, count: &CountParameters) -> Self {
        let (least, most) = count.bounds();
        Self::of((least..=most).contains(&found), wanted(count)).found(found.to_string())
    }

    /// Whether there are as many places as a bound allows; if there are too many, those that are.
    pub fn places(places: &[Range<usize>], count: &CountParameters) -> Self {
        let (_, most) = count.bounds();
        let excess = places.get(most).zip(places.last());
        let excess = excess.map(|(first, last)| first.start..last.end);
        Self::number(places.len(), count).at(excess)
    }
}

/// A bound in signs.
pub fn wanted(count: &CountParameters) -> String {
    let (least, most) = count.bounds();
    match count.relation {
        Relation::AtLeast => format!("≥ {least}"),
        Relation::AtMost => format!("≤ {most}"),
        _ if least == most => least.to_string(),
        _ => format!("{least}–{most}"),
    }
}
