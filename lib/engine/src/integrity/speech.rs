//! Telling whether a text was translated.

use ::text::language;
use patterns::pattern;

/// Fewer letters than this say too little about their language, unless their script tells it.
const ENOUGH_LETTERS: usize = 40;
/// About this many characters of a text are looked at, spread evenly over it.
const LOOKED_AT: usize = 3000;
/// How many characters are looked at in one place.
const WINDOW: usize = 300;

/// Tag of the language of a text's prose, `und` when it cannot be told for certain.
pub fn language_of(text: &str) -> &'static str {
    let literal = pattern!(
        r"(?ms)^[ \t]*(?:```|~~~).*?^[ \t]*(?:```|~~~)[`~]*[ \t\r]*$|`[^`\n]*`|\{\{[^{}\n]*\}\}|https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]+|</?[A-Za-z][^<>\n]{0,60}>"
    );
    let prose = literal.replace_all(text, " ");
    let sample = sample(&prose);
    let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
    let ideographs = sample.chars().filter(|c| *c >= '\u{2e80}').count();
    if letters + ideographs * 3 < ENOUGH_LETTERS {
        return "und";
    }
    language::told(&sample).unwrap_or("und")
}

/// The whole of a short text; of a long one, pieces from all over it.
fn sample(text: &str) -> String {
    let length = text.chars().count();
    if length <= LOOKED_AT {
        return text.to_owned();
    }
    let stride = length * WINDOW / LOOKED_AT;
    text.chars()
        .enumerate()
        .filter(|(at, _)| at % stride < WINDOW)
        .map(|(_, character)| character)
        .collect()
}

/// Whether two tags name languages that are surely not the same.
pub fn differ(one: &str, other: &str) -> bool {
    const ALIKE: [&[&str]; 6] = [
        &["nb", "nn", "no", "da", "sv"],
        &["hr", "sr", "bs", "sl", "mk", "bg"],
        &["cs", "sk"],
        &["id", "ms", "tl"],
        &["es", "pt", "gl", "ca"],
        &["ru", "uk", "be"],
    ];
    one != "und"
        && other != "und"
        && one != other
        && !ALIKE.iter().any(|group| group.contains(&one) && group.contains(&other))
}

/// Whether a remark asks for a text in the language of `tag`.
pub fn asks_for(remark: &str, tag: &str) -> bool {
    let remark = remark.to_lowercase();
    language::names(tag).iter().any(|name| remark.contains(&name.to_lowercase()))
        || pattern!(r"{integrity.translate}").is_match(&remark)
}
