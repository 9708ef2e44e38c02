//! What kind of text it is.
//!
//! The kinds are data: each has cues with weights, either concepts of the tables below or, behind `@`, names of
//! [marks of form](super::form). The kind with the highest sum is taken, if it reaches a threshold.

use std::sync::LazyLock;

use patterns::table;
use serde::Deserialize;

use super::form::Form;
use crate::knowledge::{Cues, cue};

/// Sum of weights below which nothing is recognised.
const THRESHOLD: f64 = 2.5;
/// Sum of weights from which a recognition cannot become surer.
const SURE: f64 = 6.0;
/// Characters of the beginning that patterns look at.
const BEGINNING: usize = 6000;
/// Characters of the end that patterns look at.
const END: usize = 1500;

/// What speaks for a kind: words, beginnings of lines, and marks of any place.
const CUES: [Cues; 3] = [
    table!("reverse_genre", r"\b{}(?:\b|$)"),
    table!("reverse_genre_lines", "(?m)^{}"),
    table!("reverse_genre_marks", "(?m){}"),
];
const READERS: Cues = table!("readers", "{}");

/// A kind of text.
#[derive(Debug, Deserialize)]
pub struct Genre {
    /// Its id in results.
    pub id: String,
    /// Its English name, with an article.
    pub name: String,
    /// Family of tasks whose localized role writes it.
    pub family: String,
    /// Who writes it best, in English.
    pub role: String,
    /// Whom it is usually for, in English.
    pub readers: String,
    /// Weights and names of what speaks for it.
    cues: Vec<(f64, String)>,
    /// Whether it is a kind of page.
    #[serde(default)]
    page: bool,
}

impl Genre {
    /// Whether tone, person and the like mean anything for it.
    pub fn speaks(&self) -> bool {
        self.family != "data" && self.id != "program"
    }
}

static GENRES: LazyLock<Vec<Genre>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/reversing/genres.json"))
        .expect("genres.json is compiled in")
});

/// A recognition.
#[derive(Debug)]
pub struct Recognised {
    /// The kind.
    pub genre: &'static Genre,
    /// From 0, nothing speaks for it, to 1.
    pub certainty: f64,
}

/// The beginning and the end of a text in lower case: where kinds of text show what they are.
pub fn sample(text: &str) -> String {
    let count = text.chars().count();
    let mut sample: String = text.chars().take(BEGINNING).collect();
    if count > BEGINNING {
        sample.push('\n');
        sample.extend(text.chars().skip(BEGINNING.max(count - END)));
    }
    sample.to_lowercase().replace('’', "'")
}

/// The kind that most speaks for, among those of texts or of pages. A page of no particular kind whose words
/// surely are of a kind of text is taken as that.
pub fn recognise(lower: &str, form: &Form, page: bool) -> Recognised {
    let (score, margin, genre) = best(lower, form, page);
    if score >= THRESHOLD {
        // A rival that is close takes away up to half of the certainty.
        let certainty = (score / SURE).min(1.0) * (0.5 + 0.5 * (margin / 2.0).min(1.0));
        return Recognised { genre, certainty };
    }
    let (score, _, genre) = best(lower, form, false);
    if page && score >= 2.0 * THRESHOLD {
        return Recognised { genre, certainty: 0.5 };
    }
    let fallback = if page { "web_page" } else { "text" };
    let known = GENRES.iter().find(|genre| genre.id == fallback);
    Recognised { genre: known.unwrap_or(&GENRES[0]), certainty: 0.0 }
}

/// The score of the kind that most speaks for, how far it is ahead, and the kind.
fn best(lower: &str, form: &Form, page: bool) -> (f64, f64, &'static Genre) {
    let speaks = |name: &str| match name.strip_prefix('@') {
        Some(mark) => form.has(mark),
        None => CUES.iter().any(|cues| cue(cues, name).is_some_and(|cue| cue.is_match(lower))),
    };
    let score = |genre: &'static Genre| -> f64 {
        genre.cues.iter().filter(|(_, name)| speaks(name)).map(|(weight, _)| weight).sum()
    };
    let kinds = GENRES.iter().filter(|genre| genre.page == page);
    let mut scores: Vec<(f64, &'static Genre)> = kinds.map(|genre| (score(genre), genre)).collect();
    // Stable: of two equal ones the one that stands first in the data wins.
    scores.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (score, genre) = scores[0];
    (score, score - scores.get(1).map_or(0.0, |next| next.0), genre)
}

/// Whom the text is for, and whether it says so itself.
pub fn readers(lower: &str, genre: &'static Genre) -> (&'static str, bool) {
    let named = READERS.iter().map(|(name, cue)| (cue.find_iter(lower).count(), *name));
    // The first of those that are named equally often.
    match named.filter(|(count, _)| *count >= 2).rev().max_by_key(|(count, _)| *count) {
        Some((_, name)) => (name, true),
        None => (&genre.readers, false),
    }
}
