//! Remarks on a scene: its weather and hour, and how a thing in it looks.

use std::ops::Range;

use super::work::phrase;
use patterns::pattern;

const COLOUR: &str = r"(?:(?:dark|light|bright|pale|deep|pastel|neon)[ -])?(?:white|black|gr[ae]y|red|blue|green|yellow|orange|purple|violet|pink|brown|gold(?:en)?|silver|beige|turquoise|teal|cyan|magenta|crimson|scarlet|navy|ivory|cream|lavender|maroon)";
const SIZE: &str = r"(?:(?:much |very )?(?:big(?:ger)?|small(?:er)?|larger?|tiny|huge|giant|little|tall(?:er)?|short(?:er)?|wider?|narrow(?:er)?))";
const AGE: &str = r"(?:old(?:er)?|new(?:er)?|young(?:er)?|ancient|modern|antique|vintage)";
const STUFF: &str =
    r"(?:wooden|metal|steel|glass|leather|velvet|plastic|stone|marble|concrete|cotton|silk)";
const LIGHT: &str =
    r"(?:(?:much |very )?(?:dark(?:er)?|bright(?:er)?|dim(?:mer)?|sunny|sunlit|moonlit|candlelit))";

/// What "make it rain outside" says of a scene: "it is raining outside".
pub fn weather(remark: &str) -> Option<String> {
    let found = pattern!(
        r"(?i)^{refine_scene.make_it} (?:{refine_scene.be} )?(?:{refine_scene.start} )?(?P<v>{refine_scene.weather}){refine_scene.weather_ending}?(?P<r>\b.*)$"
    )
    .captures(remark);
    if let Some(found) = found {
        return Some(format!(
            "it is {}ing{}",
            found["v"].to_lowercase().replace("drizzle", "drizzl"),
            &found["r"]
        ));
    }
    pattern!(
        r"(?i)^{refine_scene.make_it} (?:{refine_scene.be} )?(?P<v>(?:{refine_common.a_or_an} )?(?:{refine_scene.which_hour} )?{refine_scene.hour}{refine_scene.hour_ending}?)$"
    )
    .captures(remark)
    .map(|found| format!("it is {}", found["v"].to_lowercase()))
}

/// Whether a remark says what happens: "make it zoom in".
pub fn happens(words: &str) -> bool {
    pattern!(r"(?i)^{refine_scene.happens}\b").is_match(words)
}

/// The thing and its new look in "make the sofa blue".
pub fn look(remark: &str) -> Option<(String, String)> {
    let found = pattern!(r"(?i)^{refine_scene.give_look} {refine_scene.whose} (?P<n>[\p{L}-]+(?: [\p{L}-]+)??) (?:{refine_scene.to_look} )?(?P<v>{refine_scene.colour}|{refine_scene.size}|{refine_scene.age}|{refine_scene.stuff}|{refine_scene.light})(?: {refine_scene.instead})?$")
    .captures(remark)?;
    let general = pattern!(r"(?i)^{refine_scene.whole_picture}$");
    (!general.is_match(&found["n"])).then(|| (found["n"].to_owned(), found["v"].to_lowercase()))
}

/// Where a look goes: in the place of the thing's earlier look of the same kind, else before the thing; with
/// the article in the form that it needs. `None` if the thing is not there just once.
pub fn with_look(prompt: &str, thing: &str, look: &str) -> Option<(Range<usize>, String)> {
    let noun = phrase(thing)?;
    let places: Vec<_> = noun.find_iter(prompt).map(|found| found.range()).collect();
    let [place] = &places[..] else { return None };
    let kind = [COLOUR, SIZE, AGE, STUFF, LIGHT].into_iter().find(|kind| {
        regex::Regex::new(&format!("(?i)^(?:{kind})$")).is_ok_and(|kind| kind.is_match(look))
    })?;
    let before = &prompt[..place.start];
    let from = before.char_indices().rev().nth(59).map_or(0, |(at, _)| at);
    let attributes = regex::Regex::new(&format!(
        r"(?i)(?:^|[^\p{{L}}])(?P<all>(?:(?P<a>an?) )?(?:(?P<old>{kind}) )(?P<gap>(?:[\p{{L}}-]+ ){{0,2}}))$"
    ))
    .ok()?;
    if let Some(found) = attributes.captures(&before[from..]) {
        let (all, gap) = (found.name("all")?, &found["gap"]);
        let stops = pattern!(r"(?i)\b{refine_scene.stops}\b").is_match(gap);
        if !stops {
            return Some((
                from + all.start()..place.start,
                put(found.name("a").map(|a| a.as_str()), look, gap),
            ));
        }
    }
    let article =
        pattern!(r"(?i)(?:^|[^\p{L}])(?P<a>{refine_common.a_or_an}) $").captures(&before[from..]);
    match article.and_then(|found| found.name("a")) {
        Some(article) => {
            Some((from + article.start()..place.start, put(Some(article.as_str()), look, "")))
        }
        None => Some((place.start..place.start, format!("{look} "))),
    }
}

fn put(article: Option<&str>, look: &str, gap: &str) -> String {
    let Some(article) = article else { return format!("{look} {gap}") };
    let vowel = look.starts_with(['a', 'e', 'i', 'o', 'u']);
    let right = match (article.starts_with('A'), vowel) {
        (true, true) => "An",
        (true, false) => "A",
        (false, true) => "an",
        (false, false) => "a",
    };
    format!("{right} {look} {gap}")
}
