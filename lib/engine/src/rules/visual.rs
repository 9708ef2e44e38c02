//! Reading goals for pictures and clips: what is to be seen, and what was said about how.

use serde_json::{Map, Value};

use super::draft::Omitted;
use super::exclude;
use super::flags::{self, Flags, Setting};
use super::framing;
use super::goal::Goal;
use super::imperative;
use super::quotes::{self, Quotes};
use super::split::{self, squeeze};
use patterns::{Pattern, pattern};

/// What a goal says about a picture or clip.
#[derive(Debug, Default)]
pub struct Vision {
    /// What is to be seen, as a noun phrase in the user's words.
    pub subject: String,
    /// Further statements, in the user's words.
    pub details: Vec<String>,
    /// What must not be seen.
    pub exclusions: Vec<String>,
    /// Lettering that must appear exactly.
    pub lettering: Vec<String>,
    /// Spoken lines, for clips.
    pub dialogue: Vec<String>,
    /// Width to height.
    pub ratio: Option<String>,
    /// Seed that was asked for.
    pub seed: Option<u32>,
    /// Parameters in the manner of one model, as they were written.
    pub flags: Flags,
    /// Settings of the sampling that were given in words.
    pub sampling: Vec<Setting>,
    /// Whether light, colours, place or mood are stated.
    pub stated: Stated,
    /// The whole goal in lower case.
    pub lower: String,
    /// What is to be seen, in lower case: the goal without what it excludes.
    pub seen: String,
}

/// Aspects that the user described, so that nothing is added about them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stated {
    /// Time of day or light.
    pub light: bool,
    /// Colours.
    pub colour: bool,
    /// Lens or framing.
    pub framing: bool,
}

/// Whether the beginning of a goal asks for a picture.
pub fn asks_for_image(message: &str) -> bool {
    let text: String = message.chars().take(200).collect();
    pattern!(r"(?i)\b(?:{visual.create_picture}\b[^.?!\n]{0,30}\b{visual.picture_wanted}s?\b|^(?:{visual.article} )?(?:[\w-]+ ){0,4}{visual.picture} {visual.picture_of}\b|(?:midjourney|stable diffusion|dall-?e|flux|{visual.image}) {visual.prompt}\b|{visual.request_for_picture}|^{visual.draw} |^(?:{visual.one} )?(?:[\w-]+ ){0,2}{visual.designed}\b|\b{visual.into_picture}\b)")
        .is_match(&text)
        && !pattern!(r"(?i)\b{visual.no_picture}\b").is_match(&text.replace("describing", ""))
}

/// Whether the beginning of a goal asks for a clip.
pub fn asks_for_video(message: &str) -> bool {
    let text: String = message.chars().take(200).collect();
    pattern!(r"(?i)\b(?:{visual.create_video}\b[^.?!\n]{0,40}\b{visual.video_wanted}\b|^(?:{visual.one} )?(?:[\w-]+ ){0,3}{visual.video} {visual.video_of}\b|(?:veo|sora|kling|runway|{visual.moving}) {visual.prompt}\b)")
        .is_match(&text)
        && !pattern!(r"(?i)\b{visual.no_video}\b").is_match(&text)
}

/// Reads the goal as a picture (or clip, if `moving`).
pub fn read(goal: &Goal, message: &str, moving: bool) -> Vision {
    let foreign = language(goal).is_some();
    let (message, quotes) = Quotes::mask(message, moving);
    let (message, mut flags) = Flags::take(&message);
    let (message, settings) = flags::worded(&message);
    let (message, unwanted) = exclude::take_negative(&message);
    for item in &unwanted {
        flags.set("no", item);
    }
    let (own, sampling): (Vec<_>, Vec<_>) = settings.into_iter().partition(Setting::is_flag);
    for setting in &own {
        flags.default_to(setting.name, &setting.value);
    }
    let mut vision = Vision {
        sampling,
        lower: message.to_lowercase(),
        ratio: flags.ratio(),
        seed: flags.get("seed").and_then(|seed| seed.parse().ok()),
        exclusions: flags.exclusions(),
        lettering: quotes.of(quotes::Kind::Lettering),
        dialogue: quotes.of(quotes::Kind::Dialogue),
        ..Vision::default()
    };
    let source = split::separate(&message);
    let sentences = split::sentences(&source.prose);
    let mut rest: Vec<String> = Vec::new();
    for sentence in &sentences {
        let sentence = take_settings(sentence, &mut vision);
        let sentence = framing::take_format(&sentence, moving, &mut vision);
        let sentence = exclude::take(&sentence, foreign, &mut vision);
        let sentence = framing::mended(&squeeze(&sentence));
        vision.seen.push_str(&sentence.to_lowercase());
        vision.seen.push('\n');
        let shows = |c: char| c.is_alphanumeric() || quotes::is_mark(c);
        if !sentence.chars().any(shows) || is_noise(&sentence) {
            continue;
        }
        if vision.subject.is_empty() {
            vision.subject = subject_of(&sentence, foreign, moving);
        } else {
            rest.push(sentence);
        }
    }
    vision.ratio = vision.ratio.or_else(|| goal.format.clone());
    vision.details.extend(rest.iter().map(|text| detail_of(text)));
    vision.details.extend(source.material.iter().map(|text| quotes.original(&squeeze(text))));
    if vision.subject.is_empty() {
        vision.subject = vision.details.pop().unwrap_or_else(|| squeeze(&message));
    }
    read_words(&mut vision);
    for text in
        [&mut vision.subject].into_iter().chain(&mut vision.details).chain(&mut vision.exclusions)
    {
        *text = quotes.unmask(text);
    }
    vision.flags = flags;
    vision
}

fn is_noise(sentence: &str) -> bool {
    pattern!(r"(?i)^{visual.greeting}[\s!.,]*$").is_match(sentence)
}

/// Formats that pictures and clips have; other pairs of numbers are times, scores or scales.
const USUAL_RATIOS: [&str; 19] = [
    "1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9", "9:21", "2:1", "1:2",
    "16:10", "10:16", "5:7", "7:5", "3:1", "1:3",
];

/// The first width to height of a text, with the place of its statement. A pair of numbers is one if it is
/// usual and something calls it a format, or if it stands alone between commas.
pub fn stated_ratio(text: &str) -> Option<(std::ops::Range<usize>, String)> {
    let pair = pattern!(
        r"(?i)(?P<lead>(?:^|[,;(]|\s)\s*(?:{visual.before_ratio} )?(?:{visual.one} )?(?P<way>(?:{visual.format} )?{visual.shape}(?:[ -]{visual.orientation})?\s+)?(?:(?:{visual.ratio}|--ar|ar)(?: {visual.ratio_of})?:?\s*)?)(?P<w>\d{1,2})(?::|x)(?P<h>\d{1,2})(?P<after>[- ]{visual.after_ratio}\b)?"
    );
    // Pairs stand apart from each other, so none hides in the lead of another.
    pair.captures_iter(text).find_map(|found| {
        let (whole, lead, after) = (found.get(0)?, found.name("lead")?, found.name("after"));
        let ratio = format!("{}:{}", &found["w"], &found["h"]);
        let rest = &text[found.name("h")?.end()..];
        let continues = rest.starts_with(|c: char| c.is_alphanumeric() || c == ':')
            || rest
                .strip_prefix(['.', '-', '–', '/', ','])
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let called = pattern!(r"(?i){visual.ratio_stem}|\bar\b").is_match(lead.as_str())
            || after
                .is_some_and(|after| pattern!(r"(?i){visual.ratio_stem}").is_match(after.as_str()));
        if continues || !called && !USUAL_RATIOS.contains(&ratio.as_str()) {
            return None;
        }
        let closing = |from: usize| pattern!(r"^\s*(?:$|[.,;)!、，。]|--)").is_match(&text[from..]);
        // "Vertical 2:3" and "2:3 vertical" are one statement, and leave the text as one.
        let way = found.name("way");
        let names = |pattern: Pattern| after.is_some_and(|after| pattern.is_match(after.as_str()));
        let aspect = names(pattern!(r"(?i)^[- ]{visual.shape_behind}$"));
        let plain = after.is_none() || names(pattern!(r"(?i){visual.ratio_stem}|{visual.aspect}"));
        if closing(whole.end()) && (aspect || way.is_some() && plain) {
            return Some((whole.range(), ratio));
        }
        if way.is_some() {
            let start = found.name("w").map_or(whole.start(), |width| width.start());
            let end = found.name("h").map_or(whole.end(), |height| height.end());
            return Some((start..end + usize::from(rest.starts_with([' ', '-'])), ratio));
        }
        let picture = after.is_some_and(|after| {
            let word = after.as_str().to_lowercase();
            !matches!(&word[1..], "shot" | "frame")
                || matches!(ratio.as_str(), "16:9" | "9:16" | "21:9" | "4:5" | "2:3")
        });
        // "In 16:9" is a format: no time of day has one digit for its minutes.
        let inside = pattern!(r"(?i)\b{visual.in_ratio} (?:{visual.one} )?$")
            .is_match(lead.as_str())
            && matches!(
                ratio.as_str(),
                "16:9" | "4:5" | "2:3" | "3:2" | "4:3" | "1:1" | "21:9" | "9:16" | "3:4" | "5:4"
            )
            && !pattern!(r"(?i)^\s*{visual.no_ratio}").is_match(rest);
        let before = text[..whole.start()].trim_end();
        let opens = before.is_empty()
            || lead.as_str().trim_start().starts_with([',', ';', '('])
            || before.ends_with(['.', ',', ';', ':', '、', '，']);
        let closes = pattern!(r"^\s*(?:$|[.,;)!、，。]|--)").is_match(rest);
        let bare = !pattern!(r"\p{L}").is_match(lead.as_str());
        let alone = opens && closes && (bare || inside);
        // At the end of the goal a format needs no comma: "a lighthouse at dusk 16:9".
        let last = bare && closes && matches!(ratio.as_str(), "16:9" | "21:9" | "4:5");
        (called || picture || inside || alone || last).then(|| {
            let mut range = whole.range();
            if after.is_some_and(|after| {
                pattern!(r"(?i){visual.picture_behind}").is_match(after.as_str())
            }) {
                // "A 9:16 video of …" remains "a video of …".
                range.end = found.name("h").map_or(range.end, |height| height.end());
                if let Some(article) = pattern!(r"(?i)\b{visual.one} $").find(lead.as_str()) {
                    range.start = lead.start() + article.end();
                }
                range.end += usize::from(
                    rest.starts_with([' ', '-'])
                        && range.start > 0
                        && text[..range.start].ends_with(' '),
                );
            }
            (range, ratio)
        })
    })
}

/// Takes ratio and seed out of a sentence.
fn take_settings(sentence: &str, vision: &mut Vision) -> String {
    let mut text = sentence.to_owned();
    if let Some((place, ratio)) = stated_ratio(&text) {
        vision.ratio.get_or_insert(ratio);
        text.replace_range(place, "");
    }
    if let Some(found) =
        pattern!(r"(?i)[,;]?\s*(?:--|{visual.with_seed} )?seed:?\s*(?P<s>\d{1,9})\b")
            .captures(&text)
    {
        vision.seed = vision.seed.or_else(|| found["s"].parse().ok());
        let whole = found[0].to_owned();
        text = text.replacen(&whole, "", 1);
    }
    text
}

/// The noun phrase that names what is to be seen.
fn subject_of(sentence: &str, foreign: bool, moving: bool) -> String {
    if foreign {
        let sentence = pattern!(r"(?i)^(?:{visual.please} )?{visual.create}(?: {visual.for_me}|{visual.for_me_joined})?\s+").replace(sentence, "");
        let sentence = pattern!(r"(?i)^{visual.a_picture_of} |^{visual.a_picture_of_joined}|^(?:{visual.southern_article} )?{visual.southern_picture} {visual.southern_of} ").replace(&sentence, "");
        return sentence.trim_end_matches(['.', '!', '?', '。', '！', '？']).to_owned();
    }
    let text = imperative::unwrapped(sentence);
    let text = pattern!(r"(?i)^{visual.wish} ").replace(text, "");
    let text =
        pattern!(r"(?i)^(?:{visual.to} )?(?:{visual.kindly} )?{visual.make}(?: {visual.me})? ")
            .replace(&text, "");
    let text = pattern!(r"(?i)^(?:{visual.any_article} )?(?:(?:midjourney|stable diffusion|dall-?e|flux|veo|sora|kling|runway|{visual.kind_of_prompt}) )+{visual.prompt} {visual.prompt_for} ").replace(&text, "");
    let wrapper = if moving {
        pattern!(
            r"(?i)^(?:{visual.any_article} )?(?:(?P<len>\d+[- ]?(?:{visual.second}|s)) )?(?:{visual.praise_of_video} )*{visual.video_named}(?: {visual.video_showing})? "
        )
    } else {
        pattern!(
            r"(?i)^(?:{visual.any_article} )?(?:{visual.praise_of_picture} )*{visual.picture_named}(?: {visual.picture_showing})? "
        )
    };
    let text = wrapper.replace(&text, "");
    let text = text.trim().trim_end_matches(['.', '!', '?', ' ']);
    // "convert my living room idea into an image: …" describes the picture after the colon.
    let text =
        pattern!(r"(?i)^{visual.convert} [^:]{3,60} {visual.into_picture}(?: {visual.of})?[:,]\s*")
            .replace(text, "");
    let text = pattern!(r"(?i)^(?:{visual.article} )?{visual.place_of_picture} {visual.picture_for} {visual.for} {visual.owner_or_article} (?:[\w-]+ ){0,2}{visual.publication} {visual.about} (?P<v>.+)$").replace(&text, "$v");
    let text = without_author(&text);
    let text = text.as_str();
    let text = pattern!(r"(?i)\b{visual.my} (?P<rest>(?:[\w&'-]+ ){0,2}{visual.owned}s?)\b")
        .replace_all(text, |found: &patterns::Captures<'_>| {
            let rest = &found["rest"];
            let article =
                if rest.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            format!("{article} {rest}")
        });
    with_article(&text)
}

/// "our new oak desk" becomes "a new oak desk": a picture does not know who speaks.
fn without_author(text: &str) -> String {
    let Some(found) =
        pattern!(r"(?i)^{visual.my} (?P<rest>(?P<head>[^,]+?)(?: {visual.after_head}\b.*|,.*)?)$")
            .captures(text)
    else {
        return text.to_owned();
    };
    let rest = &found["rest"];
    let plural = pattern!(r"(?i)[^s]s$|\b{visual.plural}$").is_match(&found["head"]);
    let article = match (plural, rest.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u'])) {
        (true, _) => "",
        (_, true) => "an ",
        _ => "a ",
    };
    format!("{article}{rest}")
}

/// "logo for …" becomes "a logo for …"; other phrases stay.
fn with_article(text: &str) -> String {
    if pattern!(r"(?i)^(?:[\w-]+ ){0,2}{visual.kind_of_picture}\b").is_match(text)
        && !pattern!(r"(?i)^(?:{visual.determined}|\d+)\b").is_match(text)
    {
        let article =
            if text.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        return format!("{article} {text}");
    }
    text.to_owned()
}

/// A further statement without "it should be" and the like.
fn detail_of(text: &str) -> String {
    let text = pattern!(r"(?i)^{visual.addition} ").replace(text, "");
    text.trim().trim_end_matches(['.', '!', ' ']).to_owned()
}

fn read_words(vision: &mut Vision) {
    if vision.ratio.is_none() {
        vision.ratio = [
            (pattern!(r"\b{visual.use_square}\b"), "1:1"),
            (pattern!(r"\b{visual.use_upright}\b"), "9:16"),
            (pattern!(r"\b{visual.use_wide}\b"), "16:9"),
            (pattern!(r"\b{visual.use_very_wide}\b"), "21:9"),
            (pattern!(r"\b{visual.use_cover}\b"), "2:3"),
            (pattern!(r"\b{visual.use_post}\b"), "4:5"),
        ]
        .into_iter()
        .find(|(words, _)| words.is_match(&vision.lower))
        .map(|(_, ratio)| ratio.to_owned());
    }
    let lower = &vision.lower;
    vision.stated = Stated {
        light: pattern!(r"\b{visual.light}\b|{visual.light_scripted}").is_match(lower),
        colour: pattern!(r"\b{visual.color}\b|#[0-9a-f]{6}\b").is_match(lower),
        framing: pattern!(r"\b(?:{visual.view}|\d{2,3}mm|f/\d)\b").is_match(lower),
    };
}

/// Words that tell the language of a short description.
const TELLING: [(&str, &[&str]); 5] = [
    (
        "de",
        &[
            "ein",
            "eine",
            "einen",
            "einem",
            "einer",
            "der",
            "das",
            "den",
            "dem",
            "und",
            "mit",
            "ohne",
            "kein",
            "keine",
            "bei",
            "im",
            "auf",
            "aus",
            "am",
            "vor",
            "unter",
            "nicht",
            "für",
            "diesem",
            "dieses",
            "diese",
            "von",
            "beim",
            "vom",
            "zum",
            "zur",
            "über",
            "hochformat",
            "querformat",
            "seitenverhältnis",
        ],
    ),
    (
        "fr",
        &[
            "une", "le", "les", "des", "sur", "dans", "avec", "sans", "et", "du", "au", "aux",
            "chez", "sous", "cette", "ce", "de", "à",
        ],
    ),
    ("es", &["una", "el", "los", "las", "con", "sin", "y", "del", "sobre", "bajo", "en", "de"]),
    (
        "it",
        &["il", "gli", "su", "una", "che", "della", "nella", "sulla", "con", "senza", "di", "sul"],
    ),
    ("pt", &["uma", "um", "os", "com", "sem", "na", "não", "num", "numa", "em", "de"]),
];

/// The language of a goal, if it is surely another than English. A few nouns with their articles are enough
/// here, since nothing but a description is expected.
pub fn language(goal: &Goal) -> Option<&'static str> {
    let lower: String = goal.text.chars().take(400).collect::<String>().to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let count = |list: &[&str]| words.iter().filter(|word| list.contains(word)).count();
    let of = |tag| TELLING.iter().find(|(known, _)| *known == tag).map(|(_, list)| count(list));
    // The first of equals is taken.
    let best =
        TELLING.iter().rev().map(|(tag, list)| (count(list), *tag)).max_by_key(|best| best.0);
    let (most, tag) = best?;
    let surely = [
        "ein",
        "eine",
        "einen",
        "einem",
        "ohne",
        "kein",
        "keine",
        "und",
        "hochformat",
        "querformat",
        "une",
        "dans",
        "avec",
        "una",
        "uma",
        "sem",
        "senza",
    ];
    let sure = count(&surely);
    // Statistics take a list of nouns and names for any language; English words tell it apart.
    let latin = !lower.chars().any(|c| c.is_alphabetic() && u32::from(c) > 0x24F);
    let told = english_words(&words);
    let told_enough = match goal.language {
        Some(known) if of(known).is_none() => told >= 3,
        _ => told > 0,
    };
    if latin && sure == 0 && told_enough && told > 2 * most {
        return None;
    }
    if let Some(known) = goal.language {
        // Close relatives are told apart by these words more surely.
        return Some(if of(known).is_some_and(|own| most > own) { tag } else { known });
    }
    let english =
        ["the", "of", "with", "and", "at", "without", "is", "on", "by", "no", "from", "a"];
    if count(&english) > 0 && sure == 0 {
        return None;
    }
    (most >= 2 || most == 1 && words.len() <= 5 && sure > 0).then_some(tag)
}

/// How many words are of English alone: small words, and those that descriptions of pictures are made of.
fn english_words(words: &[&str]) -> usize {
    let known = pattern!(r"^{visual.english}$");
    words.iter().filter(|word| known.is_match(word)).count()
}

/// What of another model's parameters has no equivalent, with further settings that it has none for.
pub fn omitted(flags: &Flags, others: &[String]) -> Option<Omitted> {
    let mut list = flags.untranslatable();
    list.extend(others.iter().cloned());
    (!list.is_empty()).then_some(Omitted::Parameters(list))
}

/// Sets what the model has a parameter for; gives the statements that it has none for.
pub fn apply(settings: &[Setting], parameters: &mut Map<String, Value>) -> Vec<String> {
    let mut unread = Vec::new();
    for setting in settings {
        match parameters.get_mut(setting.name) {
            Some(value) => *value = setting.number(),
            None => unread.push(setting.words.clone()),
        }
    }
    unread
}

/// Each item once, whatever its case.
pub fn each_once(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    items.filter(|item| !item.is_empty() && seen.insert(item.to_lowercase())).collect()
}
