//! Reading goals for pictures and clips: what is to be seen, and what was said about how.

use std::collections::BTreeSet;

use patterns::{Pattern, pattern};
use text::tail;

use super::exclude;
use super::language;
use super::parameters::{self, Flags, Setting};
use super::phrase::mended;
use super::ratio;
use super::shots;
use crate::quotes::{self, Kind, Quotes};
use crate::split::{self, squeeze};

/// What a goal says about a picture or clip.
#[derive(Debug, Default)]
pub struct Description {
    /// The language of the user's words, if it is not English.
    pub foreign: Option<&'static str>,
    /// What is to be seen, in the user's words.
    pub subject: String,
    /// Further statements, in the user's words.
    pub details: Vec<String>,
    /// What happens, step by step, if the user says so: two steps or more.
    pub steps: Vec<String>,
    /// Whether the steps are shots of their own, whatever the model.
    pub cuts: bool,
    /// What must not be seen.
    pub exclusions: Vec<String>,
    /// Lettering that must appear exactly.
    pub lettering: Vec<String>,
    /// Spoken lines, for clips.
    pub dialogue: Vec<String>,
    /// Width to height.
    pub ratio: Option<String>,
    /// Length of a clip.
    pub seconds: Option<u32>,
    /// Seed that was asked for.
    pub seed: Option<u32>,
    /// Parameters in the manner of one model, as they were written.
    pub flags: Flags,
    /// Settings of the sampling that were given in words.
    pub sampling: Vec<Setting>,
    /// Aspects that the user described, so that nothing is added about them.
    pub stated: BTreeSet<&'static str>,
    /// What is to be seen, in lower case: the goal without what it excludes.
    pub seen: String,
}

const VIEW: Pattern = pattern!(r"(?i)\b(?:{visual.view}|\d{2,3}mm|f/\d)\b");
/// Words by which aspects are described.
const STATED: [(Pattern, &[&str]); 4] = [
    (pattern!(r"\b{visual.draw}\b"), &["medium"]),
    (pattern!(r"\b{visual.light}\b|{visual.light_scripted}"), &["light"]),
    (pattern!(r"\b{visual.color}\b|#[0-9a-f]{6}\b"), &["palette"]),
    (VIEW, &["composition", "shot"]),
];

/// Reads a goal as a picture, or as a clip if it is `moving`; `guessed` is the language of the whole text.
pub fn read(message: &str, guessed: Option<&'static str>, moving: bool) -> Description {
    let message = &parameters::unpasted(message);
    let (masked, quotes) = Quotes::mask(message, moving);
    let (text, flags, sampling) = parameters::take_all(&masked);
    let mut read = Description {
        foreign: language::of(message, guessed),
        ratio: flags.ratio(),
        seed: flags.get("seed").and_then(|seed| seed.parse().ok()),
        exclusions: flags.exclusions(),
        lettering: quotes.of(Kind::Lettering),
        dialogue: quotes.of(Kind::Dialogue),
        flags,
        sampling,
        ..Description::default()
    };
    if moving {
        read.seconds = end_of_sequence(&text);
    }
    let mut sentences = Vec::new();
    for sentence in split::sentences(&text) {
        let sentence = exclude::take(&sentence, read.foreign, &mut read.exclusions);
        let sentence = read.without_settings(&sentence, moving);
        let sentence = mended(&squeeze(&sentence));
        let shows = |c: char| c.is_alphanumeric() || quotes::is_mark(c);
        if sentence.chars().any(shows) && !is_noise(&sentence) {
            sentences.push(sentence);
        }
    }
    read.seen = sentences.join("\n").to_lowercase();
    if let Some((first, rest)) = sentences.split_first() {
        read.subject = subject_of(first, read.foreign.is_some(), moving);
        read.details = rest.iter().map(|text| detail_of(text)).collect();
    }
    if read.subject.is_empty() {
        read.subject = read.details.pop().unwrap_or_else(|| squeeze(&text));
    }
    if moving {
        let sentences: Vec<String> =
            [&read.subject].into_iter().chain(&read.details).cloned().collect();
        match shots::cuts(&sentences) {
            Some((steps, details)) => {
                (read.steps, read.details, read.cuts) = (steps, details, true);
            }
            None => read.steps = shots::steps(&read.subject),
        }
    }
    read.ratio = read.ratio.take().or_else(|| ratio::for_purpose(&text.to_lowercase()));
    for (words, aspects) in STATED {
        if words.is_match(&read.seen) {
            read.stated.extend(aspects);
        }
    }
    let Description { subject, details, steps, exclusions, .. } = &mut read;
    for text in [subject].into_iter().chain(details).chain(steps).chain(exclusions) {
        *text = quotes.unmask(text);
    }
    read
}

/// Reads an instruction to change what is there, of which only settings are taken out.
pub fn read_edit(message: &str, guessed: Option<&'static str>, moving: bool) -> Description {
    let (masked, quotes) = Quotes::mask(message, false);
    let (mut text, flags) = Flags::take(&masked);
    let mut stated = flags.ratio();
    if stated.is_none()
        && let Some((place, ratio)) = ratio::in_figures(&text)
    {
        text.replace_range(place, "");
        stated = Some(ratio);
    }
    Description {
        foreign: language::of(message, guessed),
        subject: quotes.unmask(&squeeze(&text)),
        exclusions: flags.exclusions(),
        dialogue: if moving { quotes.of(Kind::Dialogue) } else { Vec::new() },
        ratio: stated,
        seed: flags.get("seed").and_then(|seed| seed.parse().ok()),
        flags,
        ..Description::default()
    }
}

impl Description {
    /// Takes format, seed and length out of a sentence.
    fn without_settings(&mut self, sentence: &str, moving: bool) -> String {
        let (mut text, ratio) = ratio::take(sentence, moving);
        self.ratio = self.ratio.take().or(ratio);
        let seed = pattern!(r"(?i)[,;]?\s*(?:--|{visual.with_seed} )?seed:?\s*(?P<s>\d{1,9})\b");
        if let Some(found) = seed.captures(&text) {
            self.seed = self.seed.or_else(|| found["s"].parse().ok());
            text = seed.replace(&text, "").into_owned();
        }
        if moving && !shots::is_labelled(sentence) {
            self.seconds = self.seconds.or_else(|| seconds(&text));
            text = without_seconds(&text);
        }
        text
    }
}

/// Bytes before a length that tell whether it is a moment.
const NEAR: usize = 60;

/// How long a clip is to be; "after 3 seconds" says something else.
fn seconds(text: &str) -> Option<u32> {
    let inside = pattern!(r"(?i){video.moment}\s+(?:{video.the} )?$");
    pattern!(r"(?i)\b(\d{1,3})[- ]?(?:{video.seconds}\b|s\b|{video.seconds_scripted})")
        .captures_iter(text)
        .filter(|found| !inside.is_match(tail(&text[..found.get_match().start()], NEAR)))
        .find_map(|found| found[1].parse().ok().filter(|seconds| (1..=120).contains(seconds)))
}

/// The end of the last of several spans of time: "0-3 s: …, 3-8 s: …".
fn end_of_sequence(text: &str) -> Option<u32> {
    let span = pattern!(r"(?i)\b\d{1,3} ?s? ?[-–] ?(\d{1,3}) ?(?:{video.seconds}\b|s\b)");
    let ends: Vec<u32> =
        span.captures_iter(text).filter_map(|found| found[1].parse().ok()).collect();
    ends.iter().copied().max().filter(|last| ends.len() > 1 && (1..=120).contains(last))
}

/// The text without the statement of a clip's length.
fn without_seconds(text: &str) -> String {
    let alone = pattern!(
        r"(?i)(?:^|[,;、，]\s*|\s)(?:{video.lasting} )*\d{1,3}[- ]?(?:{video.seconds}|s|{video.seconds_scripted})(?: {video.long})?(?P<end>[.,;、，]|$)"
    );
    let inside = pattern!(r"(?i){video.moment}(?: {video.the})?$");
    alone
        .replace_all(text, |found: &patterns::Captures<'_>| {
            let before = tail(&text[..found.get_match().start()], NEAR);
            let moment = inside.is_match(before.trim_end());
            if moment { found[0].to_owned() } else { found["end"].to_owned() }
        })
        .into_owned()
}

/// Whether a text names several views, each of which is a shot of its own.
pub fn names_several_views(text: &str) -> bool {
    VIEW.find_iter(text).nth(1).is_some()
}

/// Whether a text names a view or a lens.
pub fn names_view(text: &str) -> bool {
    VIEW.is_match(text)
}

fn is_noise(sentence: &str) -> bool {
    pattern!(r"(?i)^{visual.greeting}[\s!.,]*$").is_match(sentence)
}

/// What is to be seen, without the words that only ask for a picture of it.
fn subject_of(sentence: &str, foreign: bool, moving: bool) -> String {
    // "Draw" and "paint" say what kind of picture it is.
    if !foreign && pattern!(r"(?i)^{visual.draw}\b").is_match(sentence) {
        return sentence.trim_end_matches(['.', '!', ' ']).to_owned();
    }
    let asking = pattern!(
        r"(?i)^(?:(?:{visual.please}|{visual.wish}|(?:{visual.to} )?{visual.create}(?: {visual.for_me}|{visual.for_me_joined})?)[,:]?\s+)+"
    );
    let text = asking.replace(sentence, "");
    let text = pattern!(
        r"(?i)^(?:midjourney|stable diffusion|dall-?e|flux|veo|sora|kling|runway)\b[^:]{0,12}: "
    )
    .replace(&text, "")
    .into_owned();
    let text = text.trim_end_matches(['.', '!', '?', ' ', '。', '！', '？']);
    if foreign {
        return text.to_owned();
    }
    let text = pattern!(r"(?i)^(?:{visual.any_article} )?(?:(?:midjourney|stable diffusion|dall-?e|flux|veo|sora|kling|runway|{visual.kind_of_prompt}) )+{visual.prompt} {visual.prompt_for} ").replace(text, "");
    // "Convert my living room idea into an image: …" describes the picture behind the colon.
    let text =
        pattern!(r"(?i)^{visual.convert} [^:]{3,60} {visual.into_picture}(?: {visual.of})?[:,]\s*")
            .replace(&text, "");
    let wrapper = if moving {
        pattern!(
            r"(?i)^(?:{visual.any_article} )?(?:\d+[- ]?(?:{visual.second}|s) )?(?:{visual.praise_of_video} )*{visual.video_named}(?: {visual.video_showing})? "
        )
    } else {
        pattern!(
            r"(?i)^(?:{visual.any_article} )?(?:{visual.praise_of_picture} )*{visual.picture_named}(?: {visual.picture_showing})? "
        )
    };
    let bare = wrapper.replace(&text, "");
    let clause = pattern!(r"(?i)^{visual.clause}\b").is_match(&bare);
    if clause { text.trim().to_owned() } else { bare.trim().to_owned() }
}

/// A further statement without "it should be" and the like.
fn detail_of(text: &str) -> String {
    let text = pattern!(r"(?i)^{visual.addition} ").replace(text, "");
    text.trim().trim_end_matches(['.', '!', ' ']).to_owned()
}
