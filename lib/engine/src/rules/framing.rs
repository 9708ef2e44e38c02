//! Formats and exclusions that goals for pictures and clips state in words, in several languages.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::pattern::regex;
use super::visual::Vision;

#[derive(Deserialize)]
struct Data {
    formats: Vec<Format>,
    without: Without,
}

#[derive(Deserialize)]
struct Format {
    cues: Vec<String>,
    /// Expressions of scripts that have no spaces between words.
    scripted: Vec<String>,
    image: String,
    video: String,
}

#[derive(Deserialize)]
struct Without {
    nouns: Vec<Noun>,
    scripted: Vec<Noun>,
}

#[derive(Deserialize)]
struct Noun {
    name: String,
    cues: Vec<String>,
}

struct Knowledge {
    formats: Vec<(Regex, Format)>,
    /// Whole names of things that are often unwanted, and what they are in English.
    names: Vec<(Regex, String)>,
    /// Exclusions in scripts without spaces between words.
    scripted: Vec<(Regex, String)>,
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    let data: Data = serde_json::from_str(include_str!("../../knowledge/framing.json"))
        .expect("framing.json is compiled in");
    let compiled = |pattern: String| Regex::new(&pattern).expect("cues are compiled in");
    let names = data
        .without
        .nouns
        .into_iter()
        .map(|noun| (compiled(format!(r"(?i)^(?:{})$", noun.cues.join("|"))), noun.name));
    let scripted =
        data.without.scripted.into_iter().map(|noun| {
            (compiled(format!(r"[、，,;；]?\s*(?:{})", noun.cues.join("|"))), noun.name)
        });
    Knowledge {
        names: names.collect(),
        scripted: scripted.collect(),
        formats: data
            .formats
            .into_iter()
            .map(|format| {
                let pattern = format!(
                    r"(?i)[,;]?\s*(?:\b(?:in|im|en|au|als|with|as)\s+)?(?:\b(?:an?|the|ein(?:em)?|un)\s+)?\b(?:{})\b|[、，,;；]?\s*(?:{})(?:で|の)?",
                    format.cues.join("|"),
                    format.scripted.join("|")
                );
                (compiled(pattern), format)
            })
            .collect(),
    }
});

/// Takes "wide format", "Hochformat", "横長" and the like out of a sentence.
pub fn take_format(sentence: &str, moving: bool, vision: &mut Vision) -> String {
    let mut text = sentence.to_owned();
    for (pattern, format) in &KNOWLEDGE.formats {
        if pattern.is_match(&text) {
            text = pattern.replace_all(&text, "").into_owned();
            // A ratio in figures says more than a word.
            vision.ratio.get_or_insert_with(|| {
                if moving { format.video.clone() } else { format.image.clone() }
            });
        }
    }
    text
}

/// The rest of a remark about a picture or clip, and the ratio that it asks for in words.
pub fn format_in(clause: &str, moving: bool) -> Option<(String, String)> {
    let mut vision = Vision::default();
    let rest = take_format(clause, moving, &mut vision);
    let rest = regex!(
        r"(?i)^(?:make it|use|change (?:it )?to|set it to|now|please|and)$|,? (?:and|please)$"
    )
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
    for (pattern, name) in &KNOWLEDGE.scripted {
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
    let other = regex!(
        r"[、，,;；]?\s*(?:没有|沒有|不要)(?:任何)?(?P<a>[^\s、，,。；;的没沒不]{1,8})(?P<of>的?)|[、，,;；]\s*(?P<b>[^\s、，,。；;]{1,8}?)(?:なし|無し|抜き)(?:で|の)?"
    );
    other
        .replace_all(&text, |found: &regex::Captures<'_>| {
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
    let mut names = KNOWLEDGE.names.iter();
    names.find(|(pattern, _)| pattern.is_match(item)).map(|(_, name)| name.as_str())
}

/// Mends the punctuation around what was taken out.
pub fn mended(text: &str) -> String {
    let text = regex!(r"([,;、，])(?:\s*[,;、，])+").replace_all(text, "$1");
    let text = regex!(r"\s*[,;、，]\s*([.!?。！？]|$)").replace_all(&text, "$1");
    let text = regex!(r"\s+([,;.])").replace_all(&text, "$1");
    let text = text.trim_matches([' ', ',', ';', '、', '，']).trim_end_matches(['-', ' ']);
    // The sign of a number is no remnant.
    regex!(r"^(?:[-–\s,;、，]*[-–]\s+|[-–\s,;、，]+(?:(?P<next>[^\d\s])|$))")
        .replace(text, "$next")
        .into_owned()
}

/// The subject inside a sentence: its article in lower case.
pub fn inline(subject: &str) -> String {
    let article = regex!(
        r"^(?:A|An|The|Some|One|Two|Three|Four|Five|Many|Several|Ein|Eine|Einen|Der|Die|Das|Un|Una|Une|Uno|Um|Uma|Le|La|El|Il) "
    );
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
    regex!(r"(?i)\b(?:people|persons?|humans?|crowds?|figures|man|woman|men|women)\b")
        .is_match(exclusion)
}
