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
    pattern!(r"(?i)\b(?:(?:create|generate|make|draw|design|paint|need|want|give me|produce|render|imagine|illustrate)\b[^.?!\n]{0,30}\b(?:image|picture|photo|photograph|illustration|drawing|painting|logo|icon|poster|wallpaper|artwork|sketch|portrait|infographic|sticker|tattoo|thumbnail|mascot|album cover|book cover|character design|pixel art)s?\b|^(?:an? |the )?(?:[\w-]+ ){0,4}(?:image|picture|photo|photograph|illustration|painting|logo|portrait|poster|watercolou?r|headshot|render|wallpaper|icon|sketch|pixel art) (?:of|for|showing|with|depicting)\b|(?:midjourney|stable diffusion|dall-?e|flux|image) prompt\b|(?:erstelle|generiere|zeichne|male)\b.{0,25}\b(?:bild|foto|logo|illustration)|(?:crea|genera|dibuja)\b.{0,20}\b(?:imagen|foto|logo|ilustraci[óo]n)|(?:crée|génère|dessine)\b.{0,20}\b(?:image|photo|logo|illustration)|^draw |^paint |^(?:an? )?(?:[\w-]+ ){0,2}(?:tattoo|logo|icon|poster|sticker|mascot|album cover|book cover|character|t-shirt|packaging) design\b|\binto an? (?:image|picture|illustration|photo|drawing|painting)\b)")
        .is_match(&text)
        && !pattern!(r"(?i)\b(?:caption|alt text|tattoo artist|description|script|code|function|css|html|copy|email|blog|prompt engineer|article|essay|post|brief|ideas|names?|slogan|upload|compress|resize|classif\w+|library|api|app that|tool that|website)\b").is_match(&text.replace("describing", ""))
}

/// Whether the beginning of a goal asks for a clip.
pub fn asks_for_video(message: &str) -> bool {
    let text: String = message.chars().take(200).collect();
    pattern!(r"(?i)\b(?:(?:create|generate|make|produce|render|animate|need|want|give me)\b[^.?!\n]{0,40}\b(?:video|clip|animation|film shot|footage|timelapse|time-lapse|commercial|reel)\b|^(?:an? )?(?:[\w-]+ ){0,3}(?:video|clip|drone shot|timelapse|footage|tracking shot|animation) (?:of|showing|where|with)\b|(?:veo|sora|kling|runway|video) prompt\b)")
        .is_match(&text)
        && !pattern!(r"(?i)\b(?:script|caption|title|description|ideas|strategy|outline|transcript|code|css|html|editor|app|website|hook|course|call|conferenc\w+|game|subtitles?|channel|calendar|storyboard|summary|summari[sz]e)\b").is_match(&text)
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
    pattern!(r"(?i)^(?:hi|hello|hey|thanks?(?: you)?|please|thx|cheers)[\s!.,]*$")
        .is_match(sentence)
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
        r"(?i)(?P<lead>(?:^|[,;(]|\s)\s*(?:(?:in|with|as|use|im|en|au|mit) )?(?:an? )?(?P<way>(?:format |formato )?(?:vertical|horizontal|portrait|landscape|square|widescreen|upright|vertikal|hochkant|hochformat|querformat|breitbild|quadratisch(?:es)?|paysage|carré|cuadrado|apaisado|retrato|verticale|orizzontale|quadrato|quadrado|paisagem)(?:[ -](?:orientation|mode))?\s+)?(?:(?:aspect[- ]?ratio|ratio|format|formato|seitenverhältnis|bildformat|--ar|ar)(?: of| von| de)?:?\s*)?)(?P<w>\d{1,2})(?::|x)(?P<h>\d{1,2})(?P<after>[- ](?:aspect(?:[- ]ratio)?|ratio|format|formato|seitenverhältnis|wide(?:screen)?|vertical|horizontal|landscape|portrait|square|hochformat|querformat|hochkant|breitbild|quadratisch|paysage|carré|cuadrado|apaisado|retrato|verticale|orizzontale|quadrato|quadrado|paisagem|crop|frame|composition|image|picture|photo|video|clip|poster|banner|wallpaper|shot)\b)?"
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
        let called = pattern!(r"(?i)ratio|format|verhältnis|\bar\b").is_match(lead.as_str())
            || after.is_some_and(|after| pattern!(r"(?i)ratio|format|verhältnis").is_match(after.as_str()));
        if continues || !called && !USUAL_RATIOS.contains(&ratio.as_str()) {
            return None;
        }
        let closing = |from: usize| pattern!(r"^\s*(?:$|[.,;)!、，。]|--)").is_match(&text[from..]);
        // "Vertical 2:3" and "2:3 vertical" are one statement, and leave the text as one.
        let way = found.name("way");
        let names = |pattern: Pattern| after.is_some_and(|after| pattern.is_match(after.as_str()));
        let aspect = names(pattern!(r"(?i)^[- ](?:vertical\w*|horizontal|landscape|portrait|square|wide\w*|hochformat|querformat|hochkant|breitbild|quadrat\w*|paysage|carré|cuadrado|apaisado|retrato|orizzontale|paisagem)$"));
        let plain = after.is_none() || names(pattern!(r"(?i)ratio|aspect|format|verhältnis"));
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
        let inside = pattern!(r"(?i)\b(?:in|im|en|as) (?:an? )?$").is_match(lead.as_str())
            && matches!(ratio.as_str(), "16:9" | "4:5" | "2:3" | "3:2" | "4:3" | "1:1" | "21:9" | "9:16" | "3:4" | "5:4")
            && !pattern!(r"(?i)^\s*(?:(?:in the )?(?:morning|evening|afternoon)|[ap]\.?m\b|o'clock|uhr\b|win|lead|score|victory|defeat|loss|draw|final|scale|mixture|slope)").is_match(rest);
        let before = text[..whole.start()].trim_end();
        let opens = before.is_empty() || lead.as_str().trim_start().starts_with([',', ';', '(']) || before.ends_with(['.', ',', ';', ':', '、', '，']);
        let closes = pattern!(r"^\s*(?:$|[.,;)!、，。]|--)").is_match(rest);
        let bare = !pattern!(r"\p{L}").is_match(lead.as_str());
        let alone = opens && closes && (bare || inside);
        // At the end of the goal a format needs no comma: "a lighthouse at dusk 16:9".
        let last = bare && closes && matches!(ratio.as_str(), "16:9" | "21:9" | "4:5");
        (called || picture || inside || alone || last).then(|| {
            let mut range = whole.range();
            if after.is_some_and(|after| {
                pattern!(r"(?i)image|picture|photo|video|clip|poster|banner|wallpaper|shot|frame|composition|vertical|landscape|portrait|square").is_match(after.as_str())
            }) {
                // "A 9:16 video of …" remains "a video of …".
                range.end = found.name("h").map_or(range.end, |height| height.end());
                if let Some(article) = pattern!(r"(?i)\b(?:an?) $").find(lead.as_str()) {
                    range.start = lead.start() + article.end();
                }
                range.end += usize::from(rest.starts_with([' ', '-']) && range.start > 0 && text[..range.start].ends_with(' '));
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
        pattern!(r"(?i)[,;]?\s*(?:--|with |use )?seed:?\s*(?P<s>\d{1,9})\b").captures(&text)
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
        let sentence = pattern!(r"(?i)^(?:bitte )?(?:erstelle?|generiere?|zeichne|male|crea|genera|dibuja|haz|crée|génère|dessine|fais|disegna|crie|gere|desenhe)(?: mir| me| moi|-moi|mi)?\s+").replace(sentence, "");
        let sentence = pattern!(r"(?i)^(?:ein(?:e|en)? )?(?:bild|foto|illustration) (?:von |mit )|^(?:una? |uma )?(?:imagen|foto|ilustraci[óo]n|immagine|illustrazione|imagem|ilustração) (?:de |di |del |com |con )|^(?:une? )?(?:image|photo|illustration|dessin) (?:de |d['’]|avec )").replace(&sentence, "");
        return sentence.trim_end_matches(['.', '!', '?', '。', '！', '？']).to_owned();
    }
    let text = imperative::unwrapped(sentence);
    let text = pattern!(r"(?i)^(?:i(?:'d| would)? (?:like|need|want|love)(?: to (?:see|have|get))?|(?:i am|i'm|we're|we are) looking for|we (?:need|want)|give me|show me|imagine|visuali[sz]e) ").replace(text, "");
    let text = pattern!(r"(?i)^(?:to )?(?:please )?(?:create|generate|make|draw|design|paint|produce|render|illustrate|animate|film|shoot|photograph|sketch|write)(?: me| us| up)? ").replace(&text, "");
    let text = pattern!(r"(?i)^(?:an? |the |some )?(?:(?:midjourney|stable diffusion|dall-?e|flux|veo|sora|kling|runway|image|video|ai) )+prompt (?:of|for|to (?:create|generate|make)) ").replace(&text, "");
    let wrapper = if moving {
        pattern!(
            r"(?i)^(?:an? |the |some )?(?:(?P<len>\d+[- ]?(?:second|sec|s)) )?(?:(?:short|quick|ai|beautiful|nice|cool|amazing|high[- ]quality|4k|hd|little|realistic|seamless|looping|vertical|horizontal) )*(?:video clip|videos?|clips?|footage|film|movie)(?: (?:of|showing|where|in which|with|that shows|about|depicting))? "
        )
    } else {
        pattern!(
            r"(?i)^(?:an? |the |some )?(?:(?:beautiful|nice|cool|amazing|stunning|high[- ]quality|4k|hd|8k|ai|detailed|realistic|photorealistic|professional) )*(?:images?|pictures?|pics?|photos?|photographs?|artworks?|visuals?)(?: (?:of|showing|where|in which|with|that shows|depicting))? "
        )
    };
    let text = wrapper.replace(&text, "");
    let text = text.trim().trim_end_matches(['.', '!', '?', ' ']);
    // "convert my living room idea into an image: …" describes the picture after the colon.
    let text = pattern!(r"(?i)^(?:convert|turn|transform|make) [^:]{3,60} into an? (?:image|picture|illustration|photo|drawing|painting)(?: of)?[:,]\s*").replace(text, "");
    let text = pattern!(r"(?i)^(?:an? |the )?(?:header|hero|cover|banner|featured|stock|title|website|blog) (?:image|picture|photo|illustration) for (?:an?|the|my|our) (?:[\w-]+ ){0,2}(?:article|post|blog|blog post|page|newsletter|website|story|guide|essay) (?:about|on) (?P<v>.+)$").replace(&text, "$v");
    let text = without_author(&text);
    let text = text.as_str();
    let text = pattern!(r"(?i)\b(?:my|our) (?P<rest>(?:[\w&'-]+ ){0,2}(?:shop|store|business|company|brand|startup|cafe|café|bakery|restaurant|app|website|blog|channel|podcast|product|band|team|book|novel|agency|studio|salon|gym|clinic|newsletter|shelter|farm|brewery|school|club|festival|food truck|portfolio)s?)\b")
        .replace_all(text, |found: &patterns::Captures<'_>| {
            let rest = &found["rest"];
            let article = if rest.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            format!("{article} {rest}")
        });
    with_article(&text)
}

/// "our new oak desk" becomes "a new oak desk": a picture does not know who speaks.
fn without_author(text: &str) -> String {
    let Some(found) = pattern!(r"(?i)^(?:my|our) (?P<rest>(?P<head>[^,]+?)(?: (?:in|on|at|as|with|under|near|from|by|flying|sitting|standing|holding|playing|running|sleeping)\b.*|,.*)?)$").captures(text) else {
        return text.to_owned();
    };
    let rest = &found["rest"];
    let plural =
        pattern!(r"(?i)[^s]s$|\b(?:people|children|kids|men|women)$").is_match(&found["head"]);
    let article = match (plural, rest.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u'])) {
        (true, _) => "",
        (_, true) => "an ",
        _ => "a ",
    };
    format!("{article}{rest}")
}

/// "logo for …" becomes "a logo for …"; other phrases stay.
fn with_article(text: &str) -> String {
    if pattern!(r"(?i)^(?:[\w-]+ ){0,2}(?:logo|icon|poster|portrait|illustration|sketch|painting|flyer|banner|thumbnail|infographic|diagram|mascot|pattern|watercolou?r|sticker|tattoo|headshot|mockup|cover|card|invitation|shot|timelapse|animation|commercial|ad)\b").is_match(text)
        && !pattern!(r"(?i)^(?:an?|the|my|our|his|her|two|three|four|\d+|some|this)\b").is_match(text)
    {
        let article = if text.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        return format!("{article} {text}");
    }
    text.to_owned()
}

/// A further statement without "it should be" and the like.
fn detail_of(text: &str) -> String {
    let text = pattern!(r"(?i)^(?:please |also |and |make sure (?:that )?|i(?:'d| would)? (?:want|like) (?:it |this |the (?:image|picture|photo|video) )?(?:to )?|it (?:should|must|needs to) (?:be |have |look |feel |show )?|the (?:image|picture|photo|video|style|mood|clip) (?:should|must|needs to) (?:be |have |look |feel |show )?|make it |keep it |use |add |include |the (?:style|mood|vibe) is )").replace(text, "");
    text.trim().trim_end_matches(['.', '!', ' ']).to_owned()
}

fn read_words(vision: &mut Vision) {
    if vision.ratio.is_none() {
        vision.ratio = [
            (pattern!(r"\b(?:square|profile picture|avatar|album cover)\b"), "1:1"),
            (pattern!(r"\b(?:vertical|phone wallpaper|instagram stor(?:y|ies)|tiktok|reels?|youtube shorts?|stories)\b"), "9:16"),
            (pattern!(r"\b(?:youtube thumbnail|thumbnail|widescreen|desktop wallpaper|cinematic wide|website (?:hero|header)|hero image|presentation slide)\b"), "16:9"),
            (pattern!(r"\b(?:banner|header image|panorama|panoramic)\b"), "21:9"),
            (pattern!(r"\b(?:book cover|movie poster)\b"), "2:3"),
            (pattern!(r"\b(?:instagram post|portrait format)\b"), "4:5"),
        ]
        .into_iter()
        .find(|(words, _)| words.is_match(&vision.lower))
        .map(|(_, ratio)| ratio.to_owned());
    }
    let lower = &vision.lower;
    vision.stated = Stated {
        light: pattern!(r"\b(?:sunset|sunrise|dawn|dusk|night|nighttime|golden hour|blue hour|noon|moonlight|moonlit|moon|candle-?lit|candlelight|neon|backlit|lighting|light|lit|sunny|sunlight|sunlit|overcast|foggy|fog|rain|rainy|storm|stormy|dark|bright|shadows?|morning|evening|afternoon|midnight|twilight|firelight|lantern|aurora|northern lights|nacht|nachts|abend\w*|morgen\w*|licht|sonne\w*|nebel|regen|sturm|nuit|soir|matin|lumière|soleil|brouillard|pluie|noche|luz|atardecer|amanecer|sol|niebla|lluvia|notte|luce|tramonto|alba|noite|entardecer)\b|[夜夕朝晚光阳陽雨霧雾]").is_match(lower),
        colour: pattern!(r"\b(?:red|blue|green|yellow|orange|purple|pink|black|white|gold|golden|silver|teal|navy|beige|pastels?|colou?rs?|monochrome|turquoise|brown|grey|gray|crimson|emerald|ivory|maroon|lavender|mint|coral|sepia|rainbow|black-and-white|palette)\b|#[0-9a-f]{6}\b").is_match(lower),
        framing: pattern!(r"\b(?:close-?up|wide shot|aerial|top[- ]down|bird'?s[- ]eye|macro|from (?:above|below|behind)|full[- ]body|\d{2,3}mm|f/\d|fisheye|panoram\w+|low angle|high angle|over the shoulder|pov|symmetrical|centered|centred|isometric|drone)\b").is_match(lower),
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
    let known = pattern!(
        r"^(?:the|of|with|and|at|without|from|over|under|into|through|behind|near|by|an|his|her|its|their|this|that|during|across|along|above|against|around|between|people|boats?|ships?|cars?|trees?|birds?|dogs?|cats?|horses?|streets?|roads?|houses?|buildings?|bridge|beach|mountains?|forest|river|lake|sea|ocean|waves|snow|rain|fog|clouds?|sky|sun|sunrise|sunset|dawn|dusk|night|morning|evening|light|lights|shadows?|flight|shot|close|closeup|wide|slow|fast|view|aerial|background|woman|man|girl|boy|child|children|old|young|small|big|tall|empty|quiet|dark|bright|soft|warm|cold|red|blue|green|yellow|black|white|golden|city|village|market|window|door|flowers?|leaves|water|fire|smoke|painting|watercolou?r|drawing|picture|lighthouse|castle|desert|kitchen|table|chair|glass|cup|coffee|bread|[a-z]{2,}(?:ing|ness|ful))$"
    );
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
