//! In which language a prompt and a feedback are, as far as short texts tell.

use crate::wording::Tongue;
use engine::integrity::language_of;
use patterns::{pattern, words};
use text::language;

/// Tag of the language of a feedback, `und` if it cannot be told.
pub fn of(feedback: &str) -> &'static str {
    match language_of(feedback) {
        "und" => language::detect_other_than_english(feedback).unwrap_or("und"),
        tag => tag,
    }
}

/// Whether a remark from a feedback in `speech` is surely in another language than the prompt, whose language is
/// `tongue`.
pub fn differs(remark: &str, prompt: &str, tongue: Tongue, speech: &str) -> bool {
    let (latin, other) = scripts(remark);
    let (own_latin, own_other) = scripts(&prompt.chars().take(2000).collect::<String>());
    if other > latin || own_other > own_latin {
        return (other > latin) != (own_other > own_latin);
    }
    if let Some(other) = telling(remark, 2) {
        return other != tongue.tag;
    }
    if speech != "und" {
        return language::primary(speech) != tongue.tag;
    }
    tongue.tag != "en" && pattern!(r"(?i)\b{refine_work.english_remark}\b").is_match(remark)
}

/// The language of a prompt; one that is too short to tell is taken to be in that of the feedback, unless it
/// has English words.
pub fn tongue_of(prompt: &str, feedback: &str) -> Tongue {
    let english = pattern!(r"(?i)\b{refine_work.english_prompt}\b");
    let certain = language_of(prompt) != "und"
        || language::detect_other_than_english(prompt).is_some()
        || english.is_match(prompt);
    let told = || telling(prompt, 1).or_else(|| telling(&format!("{prompt}\n{feedback}"), 2));
    match told().filter(|_| !certain) {
        Some(tag) => Tongue::named(tag),
        None => Tongue::of(prompt),
    }
}

/// The language, other than English, that at least so many words of its own tell.
fn telling(text: &str, least: usize) -> Option<&'static str> {
    let languages: &[(&'static str, &str)] = words!("refine_work.telling");
    let text: String = text.chars().take(2000).flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphabetic()).collect();
    let hits = |known: &str| {
        words.iter().filter(|word| known.split(' ').any(|known| known == **word)).count()
    };
    let counted = languages.iter().map(|(tag, known)| (hits(known), *tag));
    let best = counted.filter(|(count, _)| *count >= least).max_by_key(|(count, _)| *count);
    best.map(|(_, tag)| tag)
}

/// How many letters are Latin, and how many are of other scripts; ideographs say more than letters.
fn scripts(text: &str) -> (usize, usize) {
    let is_latin = |c: char| c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c);
    let (latin, other): (Vec<char>, Vec<char>) =
        text.chars().filter(|c| c.is_alphabetic()).partition(|c| is_latin(*c));
    (latin.len(), other.len() * 2)
}
