//! What kind of text it is.
//!
//! The kinds are data: each has cues with weights, either patterns over a sample of the text or names of
//! [signals](super::signals). The kind with the highest sum is taken, if it reaches a threshold.

use std::collections::HashSet;
use std::sync::LazyLock;

use patterns::table;
use regex::Regex;
use serde::Deserialize;

use crate::rules::knowledge::Cues;

/// Sum of weights below which nothing is recognised.
const THRESHOLD: f64 = 2.5;
/// Sum of weights from which a recognition cannot become surer.
const SURE: f64 = 6.0;
/// Characters of the beginning that patterns look at.
const BEGINNING: usize = 6000;
/// Characters of the end that patterns look at.
const END: usize = 1500;

#[derive(Deserialize)]
struct Entry {
    #[serde(flatten)]
    genre: Genre,
    cues: Vec<(f64, String)>,
    #[serde(default)]
    page: bool,
}

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
}

enum Cue {
    Pattern(Regex),
    Signal(String),
}

struct Known {
    genre: Genre,
    cues: Vec<(f64, Cue)>,
    page: bool,
}

static GENRES: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let entries: Vec<Entry> =
        serde_json::from_str(include_str!("../../../knowledge/reversing/genres.json"))
            .expect("genres.json is compiled in");
    entries
        .into_iter()
        .map(|entry| Known {
            genre: entry.genre,
            cues: entry.cues.into_iter().map(cue).collect(),
            page: entry.page,
        })
        .collect()
});

fn cue((weight, text): (f64, String)) -> (f64, Cue) {
    match text.strip_prefix('@') {
        Some(signal) => (weight, Cue::Signal(signal.to_owned())),
        None => {
            let pattern = Regex::new(&format!("(?m){text}")).expect("cues are patterns");
            (weight, Cue::Pattern(pattern))
        }
    }
}

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
pub fn recognise(lower: &str, signals: &HashSet<&'static str>, page: bool) -> Recognised {
    let (score, margin, found) = best(lower, signals, page);
    if let Some(genre) = found {
        // A rival that is close takes away up to half of the certainty.
        let certainty = (score / SURE).min(1.0) * (0.5 + 0.5 * (margin / 2.0).min(1.0));
        return Recognised { genre, certainty };
    }
    if page
        && let (score, _, Some(genre)) = best(lower, signals, false)
        && score >= 2.0 * THRESHOLD
    {
        return Recognised { genre, certainty: 0.5 };
    }
    let fallback = if page { "web_page" } else { "text" };
    let known = GENRES.iter().find(|known| known.genre.id == fallback);
    Recognised { genre: &known.unwrap_or(&GENRES[0]).genre, certainty: 0.0 }
}

fn best(
    lower: &str,
    signals: &HashSet<&'static str>,
    page: bool,
) -> (f64, f64, Option<&'static Genre>) {
    let mut scores: Vec<(f64, &'static Genre)> = GENRES
        .iter()
        .filter(|known| known.page == page)
        .map(|known| {
            let score: f64 = known
                .cues
                .iter()
                .filter(|(_, cue)| match cue {
                    Cue::Pattern(pattern) => pattern.is_match(lower),
                    Cue::Signal(name) => signals.contains(name.as_str()),
                })
                .map(|(weight, _)| weight)
                .sum();
            (score, &known.genre)
        })
        .collect();
    // Stable: of two equal ones the one that stands first in the data wins.
    scores.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (score, genre) = scores[0];
    let margin = score - scores.get(1).map_or(0.0, |next| next.0);
    (score, margin, Some(genre).filter(|_| score >= THRESHOLD))
}

const READERS: Cues = table!("readers", "{}");

/// Whom the text is for, and whether it says so itself.
pub fn readers(lower: &str, genre: &'static Genre) -> (&'static str, bool) {
    let named = READERS
        .iter()
        .map(|(name, cue)| (cue.find_iter(lower).count(), *name))
        .filter(|(count, _)| *count >= 2)
        .fold(None, |best: Option<(usize, &str)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        });
    match named {
        Some((_, name)) => (name, true),
        None => (&genre.readers, false),
    }
}

/// The names that results can use, for checking that all are translated.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    let genres = GENRES.iter().flat_map(|known| [known.genre.name.as_str(), &known.genre.readers]);
    genres.chain(READERS.iter().map(|(name, _)| *name))
}
