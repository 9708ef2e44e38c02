//! Capital and small letters, hashtags and emojis.

use std::ops::Range;

use patterns::pattern;

use super::judgement::Judgement;
use crate::Reason;
use crate::output::Output;

/// Words with a number sign before them.
pub fn hashtags(output: &Output<'_>) -> Vec<Range<usize>> {
    let tag = pattern!(r"(?:^|[^\p{L}\p{M}\p{N}_&/#])(?P<v>#[\p{L}\p{M}\p{N}_]+)");
    let tags = tag.captures_iter(output.text).filter_map(|found| found.name("v"));
    tags.map(|tag| tag.range()).collect()
}

/// The signs of a text that are shown as pictures where nothing else is said; those that are joined to one are one.
pub fn emojis(text: &str) -> Vec<Range<usize>> {
    let sign = pattern!(
        r"(?:[\x{1f1e6}-\x{1f1ff}]{2}|[\x{1f000}-\x{1faff}\x{2600}-\x{26ff}\x{231a}\x{231b}\x{23e9}-\x{23f3}\x{2702}-\x{2712}\x{2714}\x{2716}\x{2728}\x{274c}\x{274e}\x{2753}-\x{2757}\x{2763}\x{2764}\x{2795}-\x{2797}\x{2b50}\x{2b55}\x{2b1b}\x{2b1c}][\x{fe0f}\x{1f3fb}-\x{1f3ff}]*)(?:\x{200d}[\x{1f000}-\x{1faff}\x{2600}-\x{27ff}\x{2b50}][\x{fe0f}\x{1f3fb}-\x{1f3ff}]*)*"
    );
    sign.find_iter(text).map(|found| found.range()).collect()
}

pub fn lowercase(output: &Output<'_>) -> Judgement {
    first(output, "a–z", char::is_uppercase)
}

pub fn uppercase(output: &Output<'_>) -> Judgement {
    // Some small letters have no capital ones.
    first(output, "A–Z", |c| c.is_lowercase() && !c.to_uppercase().eq([c]))
}

/// Passes if no character is of a sort; undecided in a script without capitals.
fn first(output: &Output<'_>, wanted: &str, is_of: impl Fn(char) -> bool) -> Judgement {
    if !output.text.chars().any(|c| c.is_lowercase() || c.is_uppercase()) {
        return Judgement::undecided(Reason::Unmarked);
    }
    let places = output.text.char_indices().filter(|(_, c)| is_of(*c));
    let place = places.clone().next().map(|(at, character)| at..at + character.len_utf8());
    Judgement::of(place.is_none(), wanted).found(places.count().to_string()).at(place)
}
