//! Guessing what language a text is in.
//!
//! Scripts and letters that only one language has decide first, then the frequent small words of a language, then
//! statistics over groups of three letters (`whatlang`). Where they contradict each other nothing is guessed.

use crate::rules::pattern::regex;

/// Frequent small words by language. What is looked for in texts of a few words stands first.
const FREQUENT: [(&str, &str); 20] = [
    (
        "en",
        "the a an for my i to of and with that write me is in how create make need this about on help it you",
    ),
    (
        "de",
        "der die das ein eine einen einer einem für fuer mit und ich mir mein meine meinen meiner bitte schreib schreibe erstelle über auf zum zur wie ist den dem des von nicht erkläre im aus nach sind wird werden",
    ),
    (
        "es",
        "el la los las un una para con por que mi mis escribe escribir crea del de en necesito quiero y sobre cómo como sin es al se lo más",
    ),
    (
        "fr",
        "le la les un une des pour avec mon ma mes je du de et écris ecris rédige redige crée sur dans est aide moi comment au à qui que ne pas sont aux",
    ),
    (
        "it",
        "il lo la gli le un una uno per con mio mia miei che di del della scrivi crea e sul sulla come ho bisogno in è sono nel non alla dei delle",
    ),
    (
        "pt",
        "o os as um uma para com meu minha que de do da dos das escreva crie e sobre em não preciso como no na é ao por são mais",
    ),
    (
        "nl",
        "de het een en van voor met ik mijn je op te niet dat dit schrijf maak wat hoe is zijn naar bij over aan om ook uit door wordt worden",
    ),
    (
        "sv",
        "och att det en ett som på är för med av till inte den jag mitt min om skriv från hur de har kan vad eller skapa",
    ),
    (
        "da",
        "og at det en et som på er for med af til ikke den jeg mit min om skriv fra hvordan de har kan hvad eller lav efter",
    ),
    (
        "nb",
        "og å det en et som på er for med av til ikke den jeg mitt min om skriv fra hvordan de har kan hva eller lag etter",
    ),
    (
        "fi",
        "ja on ei se että en minun tämä kirjoita mikä kun ovat oli joka mutta kuin sekä myös tai ole miten",
    ),
    (
        "pl",
        "i w na z do nie się jest to że o mi napisz jak dla po od za co przez oraz są lub ze mój moja",
    ),
    (
        "cs",
        "a v na se je že do s z o pro mi napiš jak které by jsou ale nebo jako není při podle můj moje",
    ),
    (
        "tr",
        "ve bir bu için ile da de ne çok bana yaz nasıl olan olarak en gibi daha ama değil kadar mı mi",
    ),
    (
        "ro",
        "și de la în un o pe cu că nu este din pentru care scrie mai sunt să despre cum sau după fi al",
    ),
    (
        "hu",
        "a az és egy hogy nem is van meg ez írj el de ki mint vagy csak ha már azt a magyar egész",
    ),
    (
        "ca",
        "el la els les un una per amb que i de del és en meu meva escriu com més al no són dels ser",
    ),
    (
        "id",
        "yang dan di untuk dengan ini itu dari tidak saya ke pada adalah tulis buat bagaimana dalam akan atau oleh",
    ),
    (
        "vi",
        "và là của một cho không tôi trong các được với có những này hãy viết về như để người bằng",
    ),
    ("hr", "i u je na se da za su od s o što koji nije kako ili ali sam kao napiši biti moj moja"),
];

/// The languages that short texts may be taken for; others are told by more words.
const SOON_TOLD: usize = 6;

/// Texts at least this long are left to statistics; shorter ones are too uncertain.
const LONG_ENOUGH: usize = 60;
/// Only this much of a text is looked at.
const LOOKED_AT: usize = 1500;

/// What is looked at of a text, without the names of `--parameters`: they are of no language.
fn sample(text: &str) -> String {
    let sample: String = text.chars().take(LOOKED_AT).collect();
    regex!(r"(^|\s)--[a-z]+").replace_all(&sample, "$1").into_owned()
}

/// Tag of the language of `text`, if it is surely another one than English.
pub fn detect_other_than_english(text: &str) -> Option<&'static str> {
    let sample = sample(text);
    let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
    if letters == 0 {
        return None;
    }
    let foreign = sample.chars().filter(|c| c.is_alphabetic() && !is_latin(*c)).count();
    if foreign * 10 > letters * 3 {
        Some(of_script(&sample))
    } else {
        of_latin(&sample).filter(|tag| *tag != "und")
    }
}

/// Tag of the language of `text`; `und` where nothing speaks for English and no other language is sure.
pub fn detect(text: &str) -> &'static str {
    if let Some(tag) = detect_other_than_english(text) {
        return tag;
    }
    let sample = sample(text);
    let lower = sample.to_lowercase();
    let words = words(&lower);
    if words.is_empty() {
        return "und";
    }
    let english = hits(0, &words);
    let doubtful = english == 0 && words.len() >= 3 || english * 12 < words.len();
    let accents = lower.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
    let unlike = || {
        whatlang::detect(&sample)
            .is_some_and(|info| info.lang() != whatlang::Lang::Eng && info.confidence() > 0.5)
    };
    // Longer small words of one language stand in no other.
    let told = |word: &&str| {
        word.chars().count() >= 4
            && !matches!(*word, "door" | "over")
            && FREQUENT[1..].iter().any(|(_, list)| list.split(' ').any(|known| known == *word))
    };
    let strange = words.iter().any(told) || accents * 30 > sample.len() || unlike();
    if of_latin(&sample).is_some() || doubtful && strange { "und" } else { "en" }
}

fn words(lower: &str) -> Vec<&str> {
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// How many of the words are small words of a language.
fn hits(language: usize, words: &[&str]) -> usize {
    words.iter().filter(|word| FREQUENT[language].1.split(' ').any(|known| known == **word)).count()
}

/// The language of a text in Latin letters.
fn of_latin(sample: &str) -> Option<&'static str> {
    let lower = sample.to_lowercase();
    let words = words(&lower);
    let counts: Vec<usize> = (0..FREQUENT.len()).map(|language| hits(language, &words)).collect();
    let english = counts[0];
    let most = counts[1..].iter().copied().max().unwrap_or(0);
    let leaders: Vec<usize> = (1..FREQUENT.len()).filter(|at| counts[*at] == most).collect();
    let statistics = whatlang::detect(sample);
    let guessed = statistics.as_ref().map(|info| two_letters(info.lang().code()));
    let confirmed = || leaders.iter().any(|at| guessed == Some(FREQUENT[*at].0));
    let ahead = most >= 2
        && (most > english + 1 || most > english && confirmed())
        && most * 8 >= words.len();
    if ahead {
        if let [only] = leaders[..] {
            let second = (1..FREQUENT.len()).filter(|at| *at != only).map(|at| counts[at]).max();
            let clear = most >= second.unwrap_or(0) + 2 || only < SOON_TOLD;
            if clear || guessed == Some(FREQUENT[only].0) {
                return Some(refined(FREQUENT[only].0, &lower));
            }
        }
        // Neighbours share small words: letters and statistics tell them apart.
        let close = |at: &usize| counts[*at] + 1 >= most;
        if let Some(at) = (1..FREQUENT.len())
            .filter(close)
            .find(|at| guessed == Some(FREQUENT[*at].0) || marked(FREQUENT[*at].0, &lower))
        {
            return Some(refined(FREQUENT[at].0, &lower));
        }
        if let Some(first) = leaders
            .first()
            .filter(|first| **first < SOON_TOLD && leaders[1..].iter().all(|at| *at >= SOON_TOLD))
        {
            return Some(FREQUENT[*first].0);
        }
        return if sample.chars().count() >= LONG_ENOUGH { Some("und") } else { None };
    }
    let info = statistics?;
    let tag = guessed?;
    let known = FREQUENT.iter().position(|(known, _)| *known == tag);
    let borne_out = known.is_none_or(|at| counts[at] + 1 >= most);
    if sample.chars().count() >= LONG_ENOUGH
        && english * 8 < words.len()
        && info.is_reliable()
        && info.lang() != whatlang::Lang::Eng
        && borne_out
    {
        return Some(refined(tag, &lower));
    }
    None
}

/// Letters that speak for one of several neighbouring languages.
fn marked(language: &str, lower: &str) -> bool {
    let letters = match language {
        "de" => "ßü",
        "es" => "ñ¿¡",
        "fr" => "çœèêù",
        "pt" => "ãõ",
        "it" => "òì",
        "pl" => "łżźśćęąń",
        "cs" => "řěů",
        "tr" => "ğış",
        "ro" => "țșă",
        "hu" => "őű",
        "vi" => "ơưạếđ",
        "sv" => "ä",
        _ => return false,
    };
    lower.contains(|c: char| letters.contains(c))
}

/// Danish and Norwegian are told apart by what only one of them writes; Swedish has letters of its own.
fn refined(tag: &'static str, lower: &str) -> &'static str {
    if !matches!(tag, "da" | "nb" | "sv") {
        return tag;
    }
    let has = |known: &str| {
        words(lower).into_iter().any(|word| known.split(' ').any(|other| other == word))
    };
    if lower.contains(['ä', 'ö']) && !lower.contains(['æ', 'ø'])
        || has("och att är ett från inte jag")
    {
        return if has("og ikke jeg") { "und" } else { "sv" };
    }
    let danish = has("af at hvad lav efter mellem kun uden nogle bliver meget også selv hvilke");
    let norwegian =
        has("å av hva lag etter mellom bare uten noen blir mye selv hvilke lage skrive");
    match (danish, norwegian) {
        (true, false) => "da",
        (false, true) => "nb",
        _ if tag == "sv" => "und",
        _ => tag,
    }
}

/// The language of a text in other letters than Latin ones.
fn of_script(sample: &str) -> &'static str {
    let has = |letters: &str| sample.contains(|c: char| letters.contains(c));
    let count = |from: char, to: char| sample.chars().filter(|c| (from..=to).contains(c)).count();
    let scripts = [
        ("ja", count('\u{3040}', '\u{30ff}') * 3),
        ("ko", count('\u{ac00}', '\u{d7a3}') + count('\u{1100}', '\u{11ff}')),
        ("zh", count('\u{3400}', '\u{9fff}')),
        ("cyrillic", count('\u{400}', '\u{4ff}')),
        ("arabic", count('\u{620}', '\u{6ff}')),
        ("he", count('\u{5d0}', '\u{5ea}')),
        ("devanagari", count('\u{900}', '\u{97f}')),
        ("el", count('\u{370}', '\u{3ff}')),
        ("th", count('\u{e00}', '\u{e7f}')),
    ];
    let (script, most) = scripts
        .iter()
        .copied()
        .fold(("", 0), |best, next| if next.1 > best.1 { next } else { best });
    if most == 0 {
        return whatlang::detect_lang(sample).map_or("und", |lang| two_letters(lang.code()));
    }
    match script {
        "cyrillic" => cyrillic(&sample.to_lowercase()),
        "arabic" if has("ٹڈڑںےھ") => "ur",
        "arabic" if has("پچژگ") || sample.contains('ک') && sample.contains('ی') => "fa",
        "arabic" => "ar",
        "devanagari" => devanagari(sample),
        "zh" if sample.contains(|c: char| ('\u{3040}'..='\u{30ff}').contains(&c)) => "ja",
        other => other,
    }
}

/// Which of the languages in Cyrillic letters; their letters differ.
fn cyrillic(lower: &str) -> &'static str {
    let has = |letters: &str| lower.contains(|c: char| letters.contains(c));
    let words = words(lower);
    let says = |known: &str| {
        words.iter().filter(|word| known.split(' ').any(|other| other == **word)).count()
    };
    if has("ѓќѕ") {
        return "mk";
    }
    if has("ђћ") {
        return "sr";
    }
    if has("љњџј") {
        return if says("во и на од за да се со ова") > says("у и на од за да се са ово")
        {
            "mk"
        } else {
            "sr"
        };
    }
    if has("ў") {
        return "be";
    }
    if has("їєґ") {
        return "uk";
    }
    if has("әғқңөұүһ") {
        return "und";
    }
    if has("і") {
        return if has("ыэ") { "be" } else { "uk" };
    }
    if has("ыэё") {
        return "ru";
    }
    let russian = says(
        "и в не на я с что как по это для мне напиши из к у о от до или его она они мы вы если чтобы был текст",
    );
    let bulgarian = says(
        "и на за да се от с е в не са как ми напиши че който която тази този ще или при до по като най със във",
    );
    let ukrainian = says("і в не на я з що як по це для мені напиши та до від або про у");
    let best = russian.max(bulgarian).max(ukrainian);
    if has("ъ") && bulgarian >= russian && bulgarian > 0 {
        return "bg";
    }
    let detected = whatlang::detect(lower);
    let guessed = detected.as_ref().map(|info| two_letters(info.lang().code()));
    match guessed {
        Some("ru") if russian >= bulgarian && russian >= ukrainian => "ru",
        Some("bg") if bulgarian > russian => "bg",
        Some("uk") if ukrainian > russian => "uk",
        _ if best == russian && russian > bulgarian && russian > ukrainian => "ru",
        _ if russian == 0 && lower.contains("ть") | lower.contains("те ") => "ru",
        _ => "und",
    }
}

/// Which of the languages in Devanagari letters; their small words differ.
fn devanagari(sample: &str) -> &'static str {
    let says = |known: &str| {
        sample
            .split(|c: char| c.is_whitespace() || matches!(c, '।' | ',' | '.' | '?'))
            .filter(|word| known.split(' ').any(|other| other == *word))
            .count()
    };
    let counts = [
        ("hi", says("है हैं का की के में से को और एक लिए पर यह कि ने मुझे लिखें करें लिखो में।")),
        ("mr", says("आहे आहेत आणि च्या मध्ये ला एक साठी हे ही हा मला लिहा करा नाही")),
        ("ne", says("छ छन् र को मा लाई एक गर्नुहोस् यो हो मलाई भएको लेख्नुहोस् पनि")),
    ];
    let (tag, most) = counts
        .iter()
        .copied()
        .fold(("und", 0), |best, next| if next.1 > best.1 { next } else { best });
    if counts.iter().filter(|(_, count)| *count == most).count() == 1 { tag } else { "und" }
}

fn is_latin(character: char) -> bool {
    matches!(character, 'a'..='z' | 'A'..='Z' | 'ª' | 'º' | 'À'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// ISO 639-3 codes of the detector as two-letter tags.
fn two_letters(code: &'static str) -> &'static str {
    match code {
        "deu" => "de",
        "fra" => "fr",
        "spa" => "es",
        "ita" => "it",
        "por" => "pt",
        "nld" => "nl",
        "pol" => "pl",
        "rus" => "ru",
        "ukr" => "uk",
        "ces" => "cs",
        "slk" => "sk",
        "slv" => "sl",
        "hrv" => "hr",
        "srp" => "sr",
        "bul" => "bg",
        "ron" => "ro",
        "hun" => "hu",
        "ell" => "el",
        "tur" => "tr",
        "swe" => "sv",
        "dan" => "da",
        "nob" => "nb",
        "fin" => "fi",
        "est" => "et",
        "lav" => "lv",
        "lit" => "lt",
        "cat" => "ca",
        "mkd" => "mk",
        "ara" => "ar",
        "heb" | "yid" => "he",
        "pes" => "fa",
        "urd" => "ur",
        "hin" => "hi",
        "ben" => "bn",
        "tam" => "ta",
        "tel" => "te",
        "mar" => "mr",
        "guj" => "gu",
        "kan" => "kn",
        "mal" => "ml",
        "pan" => "pa",
        "nep" => "ne",
        "sin" => "si",
        "tha" => "th",
        "vie" => "vi",
        "ind" => "id",
        "jav" => "id",
        "tgl" => "tl",
        "jpn" => "ja",
        "kor" => "ko",
        "cmn" => "zh",
        "amh" => "am",
        "afr" => "af",
        "zul" => "zu",
        "kat" => "ka",
        "hye" => "hy",
        "aze" => "az",
        "uzb" => "uz",
        "epo" => "eo",
        "lat" => "la",
        "bel" => "be",
        "mya" => "my",
        "khm" => "km",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tag, short request, longer one.
    fn rows() -> Vec<[&'static str; 3]> {
        include_str!("../../tests/suite/analyzing_languages.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let mut fields = line.split('\t');
                std::array::from_fn(|_| fields.next().expect("three fields"))
            })
            .collect()
    }

    #[test]
    fn longer_texts_are_told_in_thirty_languages() {
        let wrong: Vec<String> = rows()
            .iter()
            .filter(|[tag, _, long]| detect(long) != *tag)
            .map(|[tag, _, long]| format!("{tag}: {} for {long}", detect(long)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn short_texts_are_told_or_left_open_but_never_mistaken() {
        let mut open = 0;
        let mut wrong = Vec::new();
        for [tag, short, _] in rows() {
            match detect(short) {
                guess if guess == tag => {}
                "und" => open += 1,
                guess => wrong.push(format!("{tag}: {guess} for {short}")),
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(open <= 8, "{open} left open");
    }

    #[test]
    fn names_and_keywords_are_no_foreign_language() {
        for text in [
            "marketing",
            "Mona Lisa",
            "whale, sea, dusk, woodcut, wide shot, mist, blue, foam",
            "Refactor this Python class",
            "Fix login bug",
            "Blog post ideas, vegan recipes",
            "Socratic dialogue between Plato and Confucius",
            "photorealistic portrait, golden hour, 85mm lens, shallow depth of field",
        ] {
            assert_eq!(detect(text), "en", "{text}");
        }
    }
}
