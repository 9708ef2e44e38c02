//! Reading descriptions of pictures and clips: what is a setting, and what is to be seen.
//!
//! Only what states a setting and nothing else is taken out: parameters, labelled lists, and elements such as "2:3",
//! "8 seconds" and "no people". All other words stay as they were written, in their order.

use std::collections::HashSet;

use patterns::pattern;
use serde_json::{Map, Value};

use super::elements;
use super::exclude;
use super::flags::Flags;
use super::ratio;
use crate::reverse::found;

/// The longest clip that a length can mean, in seconds.
const LONGEST: u32 = 120;

/// What a text says about a picture or clip.
#[derive(Debug, Default)]
pub struct Description {
    /// What is to be seen, in the user's words.
    pub words: String,
    /// Width to height.
    pub ratio: Option<String>,
    /// Length of a clip.
    pub seconds: Option<u32>,
    /// Whether the text speaks of seconds at all.
    pub is_timed: bool,
    /// What must not be seen, taken out of the words.
    pub unwanted: Vec<String>,
    /// Parameters, as they were written.
    pub flags: Flags,
    /// Statements that became settings.
    pub taken: Vec<String>,
    /// Settings that a generator wrote behind the words, by its own names.
    pub pasted: Map<String, Value>,
}

/// Where statements may be taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// Nowhere: the words stay whole.
    Nothing,
    /// Settings only.
    Settings,
    /// Settings and exclusions.
    Exclusions,
}

/// Reads a text as a picture, or as a clip if it is `moving`. Where nothing would be left to be seen, all stays.
pub fn read(whole: &str, moving: bool, taking: Taking) -> Description {
    let read = taken(whole, moving, taking);
    let shows = read.words.contains(char::is_alphanumeric) || taking == Taking::Nothing;
    if shows { read } else { taken(whole, moving, Taking::Nothing) }
}

fn taken(whole: &str, moving: bool, taking: Taking) -> Description {
    let mut read = Description::default();
    let pasted = (taking != Taking::Nothing).then(|| found::infotext(whole)).flatten();
    let pasted = pasted.filter(|one| !one.parameters.is_empty());
    let (text, flags) = Flags::take(pasted.as_ref().map_or(whole, |one| &one.prompt));
    let (text, labelled) = labelled(&text);
    read.unwanted.extend(labelled.into_iter().chain(flags.unwanted.iter().cloned()));
    read.ratio = flags.get("ar").map(str::to_owned);
    if let Some(pasted) = pasted {
        let size = pasted.parameters.get("Size").and_then(Value::as_str);
        read.ratio = size.and_then(ratio::of_size).or(read.ratio);
        read.unwanted.extend(pasted.negative.iter().flat_map(|list| items(list)));
        read.taken.push(whole.replacen(&pasted.prompt, "", 1));
        read.pasted = pasted.parameters;
    }
    read.flags = flags;
    let mut elements = elements::split(&text);
    for element in &mut elements {
        element.is_gone = read.setting(element.text, moving) && taking != Taking::Nothing;
    }
    // What a text begins with is what it shows: "no parking sign, a wall".
    let lists = if taking == Taking::Exclusions { exclude::lists(&elements) } else { Vec::new() };
    for (range, names) in lists.into_iter().filter(|(at, _)| at.start > 0) {
        elements[range].iter_mut().for_each(|element| element.is_gone = true);
        read.unwanted.extend(names);
    }
    read.words = match taking {
        Taking::Nothing => whole.trim().to_owned(),
        _ if elements.iter().any(|element| element.is_gone) => elements::joined(&elements),
        _ => text.trim().to_owned(),
    };
    read.ratio = read.ratio.or_else(|| ratio::inside(&text));
    if moving {
        read.is_timed = pattern!(r"(?i)\d[ -]?(?:s\b|{video.seconds}\b)").is_match(&text);
        read.seconds = length(&text).or(read.seconds);
    }
    let mut known = HashSet::new();
    read.unwanted.retain(|item| known.insert(item.to_lowercase()));
    read
}

impl Description {
    /// Reads an element that states a setting and nothing else.
    fn setting(&mut self, element: &str, moving: bool) -> bool {
        let length = pattern!(
            r"(?i)^\s*(?:{video.lasting} )*(?P<v>\d{1,3})[- ]?(?:{video.seconds}|s|{video.seconds_scripted})(?: {video.long})?\s*$"
        );
        let statement = element.trim().to_owned();
        if let Some(ratio) = ratio::of(element, moving) {
            self.ratio.get_or_insert(ratio);
            self.taken.push(statement);
        } else if let Some(found) = length.captures(element).filter(|_| moving) {
            let Some(seconds) = possible(&found["v"]) else { return false };
            self.seconds.get_or_insert(seconds);
            self.taken.push(statement);
        } else {
            return false;
        }
        true
    }
}

/// Takes "Negative prompt: people, cars" out of a text: to the end of its line where it begins one, to the end of the
/// sentence elsewhere. Gives the rest and the items.
fn labelled(text: &str) -> (String, Vec<String>) {
    let stated = pattern!(
        r"(?im)(?:^[ \t]*(?:{exclude.negative_prompt}|{exclude.negative})[ \t]*[:：][ \t]*(?P<line>[^\n]+)\n?|(?:[,;.|]\s*(?:{exclude.negative_prompt}|{exclude.negative})|\s{exclude.negative_prompt})[ \t]*[:：=][ \t]*(?P<inline>(?:[^\n.]|\.\S)+))"
    );
    let lists = stated.captures_iter(text);
    let lists = lists.filter_map(|found| found.name("line").or_else(|| found.name("inline")));
    let unwanted: Vec<String> = lists.flat_map(|list| items(list.as_str())).collect();
    if unwanted.is_empty() {
        return (text.to_owned(), unwanted);
    }
    (stated.replace_all(text, |_| "").trim().to_owned(), unwanted)
}

fn items(list: &str) -> Vec<String> {
    let bare = |item: &str| item.trim_matches([' ', '.', '"', '“', '”']).to_owned();
    list.split([',', ';', '\n']).map(bare).filter(|item| !item.is_empty()).collect()
}

/// The length that a sentence gives the clip: "a 12 second clip".
fn length(text: &str) -> Option<u32> {
    let named = pattern!(
        r"(?i)\b(?P<v>\d{1,3})[- ]?(?:{video.seconds}|s) (?:[\w-]+ ){0,2}{visual.video_wanted}\b"
    );
    let mut found = named.captures_iter(text).filter_map(|found| possible(&found["v"]));
    found.next().filter(|_| found.next().is_none())
}

/// A length that a clip can have.
fn possible(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|seconds| (1..=LONGEST).contains(seconds))
}
