//! Formats and exclusions that goals for pictures and clips state in words, in several languages.

use patterns::{Pattern, pattern, table};

use super::knowledge::Cues;
use super::visual::Vision;

/// Formats, and the ratios that they mean for pictures and for clips.
const FORMATS: [(Pattern, &str, &str); 3] = [
    (
        pattern!(
            r"(?i)[,;]?\s*(?:\b{framing.as}\s+)?(?:\b{framing.article}\s+)?\b{framing.landscape}\b|[、，,;；]?\s*{framing.landscape_scripted}{framing.particle_scripted}?"
        ),
        "16:9",
        "16:9",
    ),
    (
        pattern!(
            r"(?i)[,;]?\s*(?:\b{framing.as}\s+)?(?:\b{framing.article}\s+)?\b{framing.portrait}\b|[、，,;；]?\s*{framing.portrait_scripted}{framing.particle_scripted}?"
        ),
        "2:3",
        "9:16",
    ),
    (
        pattern!(
            r"(?i)[,;]?\s*(?:\b{framing.as}\s+)?(?:\b{framing.article}\s+)?\b{framing.square}\b|[、，,;；]?\s*{framing.square_scripted}{framing.particle_scripted}?"
        ),
        "1:1",
        "1:1",
    ),
];
/// Whole names of things that are often unwanted, by what they are in English.
const NAMES: Cues = table!("unwanted", r"(?i)^{}$");
/// Exclusions in scripts without spaces between words.
const SCRIPTED: Cues = table!("unwanted_scripted", r"[、，,;；]?\s*{}");

/// Takes "wide format", "Hochformat", "横長" and the like out of a sentence.
pub fn take_format(sentence: &str, moving: bool, vision: &mut Vision) -> String {
    let mut text = sentence.to_owned();
    for (pattern, image, video) in FORMATS {
        if pattern.is_match(&text) {
            text = pattern.replace_all(&text, "").into_owned();
            // A ratio in figures says more than a word.
            vision.ratio.get_or_insert_with(|| if moving { video } else { image }.to_owned());
        }
    }
    text
}

/// The rest of a remark about a picture or clip, and the ratio that it asks for in words.
pub fn format_in(clause: &str, moving: bool) -> Option<(String, String)> {
    let mut vision = Vision::default();
    let rest = take_format(clause, moving, &mut vision);
    let rest = pattern!(r"(?i)^{framing.remainder}$|,? {framing.remainder_behind}$")
        .replace(mended(&rest).trim(), "")
        .into_owned();
    vision.ratio.map(|ratio| (rest, ratio))
}

/// Takes "人なし" and the like out of a sentence.
pub fn take_exclusions(sentence: &str, vision: &mut Vision) -> String {
    let mut text = sentence.to_owned();
    let mut exclude = |name: &str| {
        if !vision.exclusions.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            vision.exclusions.push(name.to_owned());
        }
    };
    for (name, pattern) in SCRIPTED {
        let mut taken = String::new();
        let mut end = 0;
        for found in pattern.find_iter(&text) {
            // "无人机" is a drone.
            if !text[found.end()..].starts_with(['机', '機']) {
                taken.push_str(&text[end..found.start()]);
                end = found.end();
                exclude(name);
            }
        }
        taken.push_str(&text[end..]);
        text = taken;
    }
    let other = pattern!(
        r"[、，,;；]?\s*{framing.without_scripted}{framing.any_scripted}?(?P<a>[^\s、，,。；;的没沒不]{1,8})(?P<of>{framing.of_scripted}?)|[、，,;；]\s*(?P<b>[^\s、，,。；;]{1,8}?){framing.lacking_scripted}{framing.particle_scripted}?"
    );
    other
        .replace_all(&text, |found: &patterns::Captures<'_>| {
            let name = found.name("a").or_else(|| found.name("b"));
            exclude(name.map_or("", |name| name.as_str()));
            // "戴眼镜没有帽子的男人" remains "戴眼镜的男人".
            let inside = found
                .get(0)
                .is_some_and(|whole| text[..whole.start()].ends_with(char::is_alphabetic));
            found.name("of").filter(|_| inside).map_or("", |of| of.as_str()).to_owned()
        })
        .into_owned()
}

/// The English name of a thing that is often unwanted, if it is known in another language.
pub fn name_of(item: &str) -> Option<&'static str> {
    let mut names = NAMES.iter();
    names.find(|(_, pattern)| pattern.is_match(item)).map(|(name, _)| *name)
}

/// Mends the punctuation around what was taken out.
pub fn mended(text: &str) -> String {
    let text = pattern!(r"([,;、，])(?:\s*[,;、，])+").replace_all(text, "$1");
    let text = pattern!(r"\s*[,;、，]\s*([.!?。！？]|$)").replace_all(&text, "$1");
    let text = pattern!(r"\s+([,;.])").replace_all(&text, "$1");
    let text = text.trim_matches([' ', ',', ';', '、', '，']).trim_end_matches(['-', ' ']);
    // The sign of a number is no remnant.
    pattern!(r"^(?:[-–\s,;、，]*[-–]\s+|[-–\s,;、，]+(?:(?P<next>[^\d\s])|$))")
        .replace(text, "$next")
        .into_owned()
}

/// The subject inside a sentence: its article in lower case.
pub fn inline(subject: &str) -> String {
    let article = pattern!(r"^{framing.first_article} ");
    if !article.is_match(subject) {
        return subject.to_owned();
    }
    let mut characters = subject.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// Whether an exclusion is about people.
pub fn is_people(exclusion: &str) -> bool {
    pattern!(r"(?i)\b{framing.people}\b").is_match(exclusion)
}
