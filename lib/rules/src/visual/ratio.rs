//! The format of pictures and clips, in figures and in words.

use std::ops::Range;

use patterns::{Pattern, pattern};

use super::phrase::mended;

/// Formats that pictures and clips have; other pairs of numbers are times, scores or scales.
const USUAL: [&str; 19] = [
    "1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9", "9:21", "2:1", "1:2",
    "16:10", "10:16", "5:7", "7:5", "3:1", "1:3",
];
/// Words for formats, and the ratios that they mean for pictures and for clips.
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
/// What pictures are for, and the ratio that they need; these words stay in the description.
const PURPOSES: [(Pattern, &str); 6] = [
    (pattern!(r"\b{visual.use_square}\b"), "1:1"),
    (pattern!(r"\b{visual.use_upright}\b"), "9:16"),
    (pattern!(r"\b{visual.use_wide}\b"), "16:9"),
    (pattern!(r"\b{visual.use_very_wide}\b"), "21:9"),
    (pattern!(r"\b{visual.use_cover}\b"), "2:3"),
    (pattern!(r"\b{visual.use_post}\b"), "4:5"),
];

/// Takes the format out of a sentence about a picture, or a clip if it is `moving`. Figures say more than words.
pub fn take(sentence: &str, moving: bool) -> (String, Option<String>) {
    let mut text = sentence.to_owned();
    let mut ratio = None;
    if let Some((place, stated)) = in_figures(&text) {
        text.replace_range(place, "");
        ratio = Some(stated);
    }
    for (pattern, picture, clip) in FORMATS {
        if pattern.is_match(&text) {
            text = pattern.replace_all(&text, "").into_owned();
            ratio.get_or_insert_with(|| if moving { clip } else { picture }.to_owned());
        }
    }
    (text, ratio)
}

/// The rest of a remark about a picture or clip, and the ratio that it asks for in words.
pub fn in_remark(remark: &str, moving: bool) -> Option<(String, String)> {
    let (_, picture, clip) = FORMATS.iter().find(|(pattern, ..)| pattern.is_match(remark))?;
    let rest = FORMATS
        .iter()
        .fold(remark.to_owned(), |text, (pattern, ..)| pattern.replace_all(&text, "").into_owned());
    let rest = pattern!(r"(?i)^{framing.remainder}$|,? {framing.remainder_behind}$")
        .replace(mended(&rest).trim(), "")
        .into_owned();
    Some((rest, if moving { clip } else { picture }.to_string()))
}

/// The format that follows from what a picture is for; the description is in lower case.
pub fn for_purpose(lower: &str) -> Option<String> {
    PURPOSES.iter().find(|(words, _)| words.is_match(lower)).map(|(_, ratio)| ratio.to_string())
}

/// The first ratio of a text in figures, with the place of its statement. A usual pair of numbers is one if
/// something calls it a format, or if it stands alone between commas.
pub fn in_figures(text: &str) -> Option<(Range<usize>, String)> {
    let pair = pattern!(
        r"(?i)(?P<lead>(?:^|[,;(]|\s)\s*(?:{visual.before_ratio} )?(?:{visual.one} )?(?P<way>(?:{visual.format} )?{visual.shape}(?:[ -]{visual.orientation})?\s+)?(?:(?:{visual.ratio}|--ar|ar)(?: {visual.ratio_of})?:?\s*)?)(?P<w>\d{1,2})(?::|x)(?P<h>\d{1,2})(?P<after>[- ]{visual.after_ratio}\b)?"
    );
    // Pairs stand apart from each other, so none hides in the lead of another.
    pair.captures_iter(text).find_map(|found| {
        let (whole, lead) = (found.get(0)?, found.name("lead")?);
        let figures = found.name("w")?.start()..found.name("h")?.end();
        let ratio = format!("{}:{}", &found["w"], &found["h"]);
        let rest = &text[figures.end..];
        let digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        if rest.starts_with(|c: char| c.is_alphanumeric() || c == ':')
            || rest.strip_prefix(['.', '-', '–', '/', ',']).is_some_and(digit)
        {
            return None;
        }
        let after = found.name("after").map_or("", |after| after.as_str());
        let called = pattern!(r"(?i){visual.ratio_stem}|\bar\b").is_match(lead.as_str())
            || pattern!(r"(?i){visual.ratio_stem}|{visual.aspect}").is_match(after);
        if !called && !USUAL.contains(&ratio.as_str()) {
            return None;
        }
        let closes = |from: usize| pattern!(r"^\s*(?:$|[.,;)!、，。]|--)").is_match(&text[from..]);
        let shaped = found.name("way").is_some()
            || pattern!(r"(?i)^[- ]{visual.shape_behind}$").is_match(after);
        if shaped && closes(whole.end()) {
            return Some((whole.range(), ratio));
        }
        let behind = usize::from(rest.starts_with([' ', '-']));
        if pattern!(r"(?i){visual.picture_behind}").is_match(after) {
            // "A 9:16 video of …" remains "a video of …".
            let article = pattern!(r"(?i)\b{visual.one} $").find(lead.as_str());
            let start = article.map_or(whole.start(), |article| lead.start() + article.end());
            let gap = start > 0 && text[..start].ends_with(' ');
            return Some((start..figures.end + if gap { behind } else { 0 }, ratio));
        }
        if shaped {
            return Some((figures.start..figures.end + behind, ratio));
        }
        // "In 16:9" is a format, unless a time or a score follows.
        let inside = pattern!(r"(?i)\b{visual.in_ratio} (?:{visual.one} )?$")
            .is_match(lead.as_str())
            && !pattern!(r"(?i)^\s*{visual.no_ratio}").is_match(rest);
        let bare = !pattern!(r"\p{L}").is_match(lead.as_str());
        let before = text[..whole.start()].trim_end();
        let opens = before.is_empty()
            || lead.as_str().trim_start().starts_with([',', ';', '('])
            || before.ends_with(['.', ',', ';', ':', '、', '，']);
        // At the end of the goal a format that is no time of day needs no comma.
        let last = matches!(
            ratio.as_str(),
            "16:9" | "21:9" | "4:5" | "5:4" | "2:3" | "3:2" | "3:4" | "4:3"
        );
        let alone = bare && closes(figures.end) && (opens || last);
        (called || inside || alone).then(|| (whole.range(), ratio))
    })
}
