//! Reading goals for pictures and clips: what is to be seen, and what was said about how.

use super::framing;
use super::goal::Goal;
use super::imperative;
use super::pattern::regex;
use super::split::{self, squeeze};

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
    /// Surroundings.
    pub place: bool,
    /// Lens or framing.
    pub framing: bool,
    /// Atmosphere.
    pub mood: bool,
}

/// Whether the beginning of a goal asks for a picture.
pub fn asks_for_image(message: &str) -> bool {
    let text: String = message.chars().take(200).collect();
    regex!(r"(?i)\b(?:(?:create|generate|make|draw|design|paint|need|want|give me|produce|render|imagine|illustrate)\b[^.?!\n]{0,30}\b(?:image|picture|photo|photograph|illustration|drawing|painting|logo|icon|poster|wallpaper|artwork|sketch|portrait|infographic|sticker|tattoo|thumbnail|mascot|album cover|book cover|character design|pixel art)s?\b|^(?:an? |the )?(?:[\w-]+ ){0,4}(?:image|picture|photo|photograph|illustration|painting|logo|portrait|poster|watercolou?r|headshot|render|wallpaper|icon|sketch|pixel art) (?:of|for|showing|with|depicting)\b|(?:midjourney|stable diffusion|dall-?e|flux|image) prompt\b|(?:erstelle|generiere|zeichne|male)\b.{0,25}\b(?:bild|foto|logo|illustration)|(?:crea|genera|dibuja)\b.{0,20}\b(?:imagen|foto|logo|ilustraci[óo]n)|(?:crée|génère|dessine)\b.{0,20}\b(?:image|photo|logo|illustration)|^draw |^paint |^(?:an? )?(?:[\w-]+ ){0,2}(?:tattoo|logo|icon|poster|sticker|mascot|album cover|book cover|character|t-shirt|packaging) design\b|\binto an? (?:image|picture|illustration|photo|drawing|painting)\b)")
        .is_match(&text)
        && !regex!(r"(?i)\b(?:caption|alt text|tattoo artist|description|script|code|function|css|html|copy|email|blog|prompt engineer|article|essay|post|brief|ideas|names?|slogan|upload|compress|resize|classif\w+|library|api|app that|tool that|website)\b").is_match(&text.replace("describing", ""))
}

/// Whether the beginning of a goal asks for a clip.
pub fn asks_for_video(message: &str) -> bool {
    let text: String = message.chars().take(200).collect();
    regex!(r"(?i)\b(?:(?:create|generate|make|produce|render|animate|need|want|give me)\b[^.?!\n]{0,40}\b(?:video|clip|animation|film shot|footage|timelapse|time-lapse|commercial|reel)\b|^(?:an? )?(?:[\w-]+ ){0,3}(?:video|clip|drone shot|timelapse|footage|tracking shot|animation) (?:of|showing|where|with)\b|(?:veo|sora|kling|runway|video) prompt\b)")
        .is_match(&text)
        && !regex!(r"(?i)\b(?:script|caption|title|description|ideas|strategy|outline|transcript|code|css|html|editor|app|website|hook|course|call|conferenc\w+|game|subtitles?|channel|calendar|storyboard|summary|summari[sz]e)\b").is_match(&text)
}

/// Reads the goal as a picture (or clip, if `moving`).
pub fn read(goal: &Goal, message: &str, moving: bool) -> Vision {
    let mut vision = Vision { lower: message.to_lowercase(), ..Vision::default() };
    let source = split::separate(message);
    let sentences = split::sentences(&source.prose);
    let mut rest: Vec<String> = Vec::new();
    for sentence in &sentences {
        let sentence = take_settings(sentence, &mut vision);
        let sentence = framing::take_format(&sentence, moving, &mut vision);
        let sentence = take_exclusions(&sentence, &mut vision);
        let sentence = framing::take_exclusions(&sentence, goal.language.is_some(), &mut vision);
        let sentence = framing::mended(&squeeze(&sentence));
        vision.seen.push_str(&sentence.to_lowercase());
        vision.seen.push('\n');
        if !sentence.chars().any(char::is_alphanumeric) || is_noise(&sentence) {
            continue;
        }
        if vision.subject.is_empty() {
            vision.subject = subject_of(&sentence, goal.language.is_some(), moving);
        } else {
            rest.push(sentence);
        }
    }
    vision.details.extend(rest.iter().map(|text| detail_of(text)));
    vision.details.extend(source.material.iter().map(|text| squeeze(text)));
    if vision.subject.is_empty() {
        vision.subject = vision.details.pop().unwrap_or_else(|| squeeze(message));
    }
    read_words(message, moving, &mut vision);
    // Lettering has a place of its own: said twice, it is painted twice.
    if !vision.lettering.is_empty() {
        vision.subject = regex!(r#"(?i),? (?:and )?(?:with )?(?:the )?(?:text|words?|title|headline|slogan|lettering):? (?:"[^"]*"|“[^”]*”)"#)
            .replace(&vision.subject, "")
            .into_owned();
    }
    vision
}

fn is_noise(sentence: &str) -> bool {
    regex!(r"(?i)^(?:hi|hello|hey|thanks?(?: you)?|please|thx|cheers)[\s!.,]*$").is_match(sentence)
}

/// Formats that a bare pair of numbers can mean; others are times or scores.
const USUAL_RATIOS: [&str; 19] = [
    "1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9", "9:21", "2:1", "1:2",
    "16:10", "10:16", "5:7", "7:5", "3:1", "1:3",
];

/// The first width to height of a text, with the place of its statement. A pair of numbers that nothing calls a
/// format is one only if it is usual and does not stand where a time of day would.
pub fn stated_ratio(text: &str) -> Option<(std::ops::Range<usize>, String)> {
    let pattern = regex!(
        r"(?i)[,;]?\s*(?P<named>--ar\s+|(?:in |with )?(?:an? )?(?:aspect[- ]ratio(?: of)?|ratio|format)?:?\s*)\b(?P<w>\d{1,2}):(?P<h>\d{1,2})\b(?P<after> (?:aspect )?(?:ratio|format|wide|vertical))?"
    );
    let joins = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '-' | '–');
    pattern.captures_iter(text).find_map(|found| {
        let (whole, named) = (found.get(0)?, found.name("named")?);
        let ratio = format!("{}:{}", &found["w"], &found["h"]);
        let called = named.as_str().contains(['-', 'r', 'R', 'f', 'F']) || found.name("after").is_some();
        let rest = &text[whole.end()..];
        let before = text[..found.name("w")?.start()].trim_end();
        let time = regex!(r"(?i)(?:^|\W)(?:at|by|from|until|till|to|since|before|after|around|um|ab|bis|von|à|dès|vers|a las|las|alle|às|as)$").is_match(before)
            || regex!(r"(?i)^\s*(?:[ap]\.?m\b|o'clock|uhr\b)").is_match(rest);
        let continues = rest.starts_with(|c: char| joins(c) && c != '.')
            || rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit())
            || before.len() == found.name("w")?.start() && before.ends_with(joins);
        let usual = USUAL_RATIOS.contains(&ratio.as_str());
        (called || usual && !time && !continues).then(|| (whole.range(), ratio))
    })
}

/// Takes ratio and seed out of a sentence.
fn take_settings(sentence: &str, vision: &mut Vision) -> String {
    let mut text = sentence.to_owned();
    if let Some((place, ratio)) = stated_ratio(&text) {
        vision.ratio = Some(ratio);
        text.replace_range(place, "");
    }
    if let Some(found) =
        regex!(r"(?i)[,;]?\s*(?:--|with |use )?seed:?\s*(?P<s>\d{1,9})\b").captures(&text)
    {
        vision.seed = found["s"].parse().ok();
        let whole = found[0].to_owned();
        text = text.replacen(&whole, "", 1);
    }
    text
}

/// Takes "no text", "without people" and the like out of a sentence.
fn take_exclusions(sentence: &str, vision: &mut Vision) -> String {
    let pattern = regex!(
        r"(?i)(?:^|[,;]\s*|\s+(?:and|but|with)\s+|\s+)(?:and |but |please )?(?:no|without(?: any)?|don'?t (?:include|show|add|use|have)(?: any)?|do not (?:include|show|add|use)(?: any)?|avoid(?: any)?|--no)\s+(?P<v>[\w][\w' -]{1,40}?(?:(?:,| or| and| nor) (?:no )?[\w' -]{2,25}?){0,3}(?:\s+in the (?:background|foreground|frame|picture|image|scene|shot|distance)\b)?)(?P<end>[.,;!]|\s+(?:in|on|at|with|but|please|behind|around)\b|$)"
    );
    let mut text = sentence.to_owned();
    while let Some(found) = pattern.captures(&text) {
        for item in
            regex!(r"(?i),\s*(?:no |or |and )?| or (?:no )?| and (?:no )?| nor ").split(&found["v"])
        {
            let item = item.trim();
            if !item.is_empty() && !vision.exclusions.iter().any(|known| known == item) {
                vision.exclusions.push(item.to_owned());
            }
        }
        let (whole, end) = (found[0].to_owned(), found["end"].to_owned());
        text = text.replacen(&whole, &end, 1);
    }
    text
}

/// The noun phrase that names what is to be seen.
fn subject_of(sentence: &str, foreign: bool, moving: bool) -> String {
    if foreign {
        let sentence = regex!(r"(?i)^(?:bitte )?(?:erstelle?|generiere?|zeichne|male|crea|genera|dibuja|haz|crée|génère|dessine|fais|disegna|crie|gere|desenhe)(?: mir| me| moi|-moi|mi)?\s+").replace(sentence, "");
        let sentence = regex!(r"(?i)^(?:ein(?:e|en)? )?(?:bild|foto|illustration) (?:von |mit )|^(?:una? |uma )?(?:imagen|foto|ilustraci[óo]n|immagine|illustrazione|imagem|ilustração) (?:de |di |del |com |con )|^(?:une? )?(?:image|photo|illustration|dessin) (?:de |d['’]|avec )").replace(&sentence, "");
        return sentence.trim_end_matches(['.', '!', '?', '。', '！', '？']).to_owned();
    }
    let text = imperative::unwrapped(sentence);
    let text = regex!(r"(?i)^(?:i(?:'d| would)? (?:like|need|want|love)(?: to (?:see|have|get))?|(?:i am|i'm|we're|we are) looking for|we (?:need|want)|give me|show me|imagine|visuali[sz]e) ").replace(text, "");
    let text = regex!(r"(?i)^(?:to )?(?:please )?(?:create|generate|make|draw|design|paint|produce|render|illustrate|animate|film|shoot|photograph|sketch|write)(?: me| us| up)? ").replace(&text, "");
    let text = regex!(r"(?i)^(?:an? |the |some )?(?:(?:midjourney|stable diffusion|dall-?e|flux|veo|sora|kling|runway|image|video|ai) )+prompt (?:of|for|to (?:create|generate|make)) ").replace(&text, "");
    let wrapper = if moving {
        regex!(
            r"(?i)^(?:an? |the |some )?(?:(?P<len>\d+[- ]?(?:second|sec|s)) )?(?:(?:short|quick|ai|beautiful|nice|cool|amazing|high[- ]quality|4k|hd|little|realistic|seamless|looping|vertical|horizontal) )*(?:video clip|videos?|clips?|footage|film|movie)(?: (?:of|showing|where|in which|with|that shows|about|depicting))? "
        )
    } else {
        regex!(
            r"(?i)^(?:an? |the |some )?(?:(?:beautiful|nice|cool|amazing|stunning|high[- ]quality|4k|hd|8k|ai|detailed|realistic|photorealistic|professional) )*(?:images?|pictures?|pics?|photos?|photographs?|artworks?|visuals?)(?: (?:of|showing|where|in which|with|that shows|depicting))? "
        )
    };
    let text = wrapper.replace(&text, "");
    let text = text.trim().trim_end_matches(['.', '!', '?', ' ']);
    // "convert my living room idea into an image: …" describes the picture after the colon.
    let text = regex!(r"(?i)^(?:convert|turn|transform|make) [^:]{3,60} into an? (?:image|picture|illustration|photo|drawing|painting)(?: of)?[:,]\s*").replace(text, "");
    let text = regex!(r"(?i)^(?:an? |the )?(?:header|hero|cover|banner|featured|stock|title|website|blog) (?:image|picture|photo|illustration) for (?:an?|the|my|our) (?:[\w-]+ ){0,2}(?:article|post|blog|blog post|page|newsletter|website|story|guide|essay) (?:about|on) (?P<v>.+)$").replace(&text, "$v");
    let text = without_author(&text);
    let text = text.as_str();
    let text = regex!(r"(?i)\b(?:my|our) (?P<rest>(?:[\w&'-]+ ){0,2}(?:shop|store|business|company|brand|startup|cafe|café|bakery|restaurant|app|website|blog|channel|podcast|product|band|team|book|novel|agency|studio|salon|gym|clinic|newsletter|shelter|farm|brewery|school|club|festival|food truck|portfolio)s?)\b")
        .replace_all(text, |found: &regex::Captures<'_>| {
            let rest = &found["rest"];
            let article = if rest.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            format!("{article} {rest}")
        });
    with_article(&text)
}

/// "our new oak desk" becomes "a new oak desk": a picture does not know who speaks.
fn without_author(text: &str) -> String {
    let Some(found) = regex!(r"(?i)^(?:my|our) (?P<rest>(?P<head>[^,]+?)(?: (?:in|on|at|as|with|under|near|from|by|flying|sitting|standing|holding|playing|running|sleeping)\b.*|,.*)?)$").captures(text) else {
        return text.to_owned();
    };
    let rest = &found["rest"];
    let plural =
        regex!(r"(?i)[^s]s$|\b(?:people|children|kids|men|women)$").is_match(&found["head"]);
    let article = match (plural, rest.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u'])) {
        (true, _) => "",
        (_, true) => "an ",
        _ => "a ",
    };
    format!("{article}{rest}")
}

/// "logo for …" becomes "a logo for …"; other phrases stay.
fn with_article(text: &str) -> String {
    if regex!(r"(?i)^(?:[\w-]+ ){0,2}(?:logo|icon|poster|portrait|illustration|sketch|painting|flyer|banner|thumbnail|infographic|diagram|mascot|pattern|watercolou?r|sticker|tattoo|headshot|mockup|cover|card|invitation|shot|timelapse|animation|commercial|ad)\b").is_match(text)
        && !regex!(r"(?i)^(?:an?|the|my|our|his|her|two|three|four|\d+|some|this)\b").is_match(text)
    {
        let article = if text.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        return format!("{article} {text}");
    }
    text.to_owned()
}

/// A further statement without "it should be" and the like.
fn detail_of(text: &str) -> String {
    let text = regex!(r"(?i)^(?:please |also |and |make sure (?:that )?|i(?:'d| would)? (?:want|like) (?:it |this |the (?:image|picture|photo|video) )?(?:to )?|it (?:should|must|needs to) (?:be |have |look |feel |show )?|the (?:image|picture|photo|video|style|mood|clip) (?:should|must|needs to) (?:be |have |look |feel |show )?|make it |keep it |use |add |include |the (?:style|mood|vibe) is )").replace(text, "");
    text.trim().trim_end_matches(['.', '!', ' ']).to_owned()
}

fn read_words(message: &str, moving: bool, vision: &mut Vision) {
    let quoted = regex!(
        r#""([^"\n]{1,160})"|“([^”\n]{1,160})”|„([^“”\n]{1,160})[“”]|«\s?([^»\n]{1,160}?)\s?»"#
    );
    for found in quoted.captures_iter(message) {
        let Some(words) = (1..=4).find_map(|group| found.get(group)) else { continue };
        let before: String = message[..words.start()]
            .chars()
            .rev()
            .take(30)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let spoken = moving && regex!(r"(?i)\b(?:says?|said|saying|whispers?|shouts?|asks?|yells?|tells?|voice-?over|narrat\w+|speaks?|dialogue|sagt|dice|dit)\b[^.]*$").is_match(&before);
        if spoken {
            vision.dialogue.push(words.as_str().to_owned())
        } else {
            vision.lettering.push(words.as_str().to_owned())
        }
    }
    if vision.lettering.is_empty()
        && let Some(found) = regex!(r"\b(?:called|named|titled|that says|saying|with the (?:text|words|name|title|slogan))\s+(?P<v>[A-Z0-9][\w'’&-]*(?:\s+(?:[A-Z0-9&][\w'’&-]*|of|the|and|for|&))*)").captures(message)
    {
        vision.lettering.push(found["v"].trim().to_owned());
    }
    if vision.ratio.is_none() {
        vision.ratio = [
            (regex!(r"\b(?:square|profile picture|avatar|album cover)\b"), "1:1"),
            (regex!(r"\b(?:vertical|phone wallpaper|instagram stor(?:y|ies)|tiktok|reels?|youtube shorts?|stories)\b"), "9:16"),
            (regex!(r"\b(?:youtube thumbnail|thumbnail|widescreen|desktop wallpaper|cinematic wide|website (?:hero|header)|hero image|presentation slide)\b"), "16:9"),
            (regex!(r"\b(?:banner|header image|panorama|panoramic)\b"), "21:9"),
            (regex!(r"\b(?:book cover|movie poster)\b"), "2:3"),
            (regex!(r"\b(?:instagram post|portrait format)\b"), "4:5"),
        ]
        .into_iter()
        .find(|(words, _)| words.is_match(&vision.lower))
        .map(|(_, ratio)| ratio.to_owned());
    }
    let lower = &vision.lower;
    vision.stated = Stated {
        light: regex!(r"\b(?:sunset|sunrise|dawn|dusk|night|nighttime|golden hour|blue hour|noon|moonlight|moonlit|moon|candle-?lit|candlelight|neon|backlit|lighting|light|lit|sunny|sunlight|sunlit|overcast|foggy|fog|rain|rainy|storm|stormy|dark|bright|shadows?|morning|evening|afternoon|midnight|twilight|firelight|lantern|aurora|northern lights)\b").is_match(lower),
        colour: regex!(r"\b(?:red|blue|green|yellow|orange|purple|pink|black|white|gold|golden|silver|teal|navy|beige|pastels?|colou?rs?|monochrome|turquoise|brown|grey|gray|crimson|emerald|ivory|maroon|lavender|mint|coral|sepia|rainbow|black-and-white|palette)\b|#[0-9a-f]{6}\b").is_match(lower),
        place: regex!(r"\b(?:in|on|at|inside|under|underneath|beside|near|across|through|over|above|along|among|between|against|behind|floating|surrounded|background|backdrop)\b (?:an?|the|\w+)").is_match(&vision.subject.to_lowercase()) || lower.contains("background"),
        framing: regex!(r"\b(?:close-?up|wide shot|aerial|top[- ]down|bird'?s[- ]eye|macro|from (?:above|below|behind)|full[- ]body|\d{2,3}mm|f/\d|fisheye|panoram\w+|low angle|high angle|over the shoulder|pov|symmetrical|centered|centred|isometric|drone)\b").is_match(lower),
        mood: regex!(r"\b(?:mood|moody|cozy|cosy|dramatic|peaceful|calm|serene|eerie|scary|happy|joyful|sad|romantic|mysterious|epic|playful|elegant|minimalist|minimal|melanchol\w+|whimsical|dreamy|nostalgic|gritty|luxur\w+|cute|fun|funny|energetic|modern|vintage|retro|rustic)\b").is_match(lower),
    };
}

/// A choice that is the same for the same goal and spreads over different goals (FNV-1a).
pub fn choose<'a>(options: &'a [String], seed: &str) -> &'a str {
    if options.is_empty() {
        return "";
    }
    let hash = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let index = usize::try_from((hash >> 32) % options.len() as u64).unwrap_or(0);
    &options[index]
}
