//! Which of the languages that are not written in Latin letters a text is in.

use patterns::words;

/// Frequent small words by language.
pub const SMALL: &[(&str, &str)] = words!("language.small");

/// What a language has in a list.
pub fn of(list: &[(&str, &'static str)], tag: &str) -> &'static str {
    list.iter().find(|(known, _)| *known == tag).map_or("", |(_, words)| words)
}

/// The language of a text in other letters than Latin ones.
pub fn of_script(sample: &str) -> &'static str {
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
        "cyrillic" => of_letters(sample).unwrap_or_else(|| told(sample, &["ru", "bg", "uk"])),
        "arabic" if has("ٹڈڑںےھ") => "ur",
        "arabic" if has("پچژگ") || sample.contains('ک') && sample.contains('ی') => "fa",
        "arabic" => "ar",
        "devanagari" => told(sample, &["hi", "mr", "ne"]),
        "zh" if sample.contains(|c: char| ('\u{3040}'..='\u{30ff}').contains(&c)) => "ja",
        other => other,
    }
}

/// The language in Cyrillic letters that letters of its own tell.
fn of_letters(sample: &str) -> Option<&'static str> {
    let lower = sample.to_lowercase();
    let has = |letters: &str| lower.contains(|c: char| letters.contains(c));
    let own = [
        ("ѓќѕ", "mk"),
        ("ђћ", "sr"),
        ("љњџј", told(&lower, &["sr", "mk"])),
        ("ў", "be"),
        ("їєґ", "uk"),
        ("әғқңөұүһ", "und"),
        ("і", if has("ыэ") { "be" } else { "uk" }),
        ("ыэё", "ru"),
    ];
    own.into_iter().find(|(letters, _)| has(letters)).map(|(_, tag)| tag)
}

/// The one of these languages whose small words are most in a text; `und` where none is ahead, or statistics tell another.
fn told(sample: &str, tags: &[&'static str]) -> &'static str {
    let lower = sample.to_lowercase();
    let mut counts: Vec<(usize, &str)> = tags.iter().map(|tag| (says(&lower, tag), *tag)).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let guessed = whatlang::detect(&lower).map(|info| two_letters(info.lang().code()));
    match counts.as_slice() {
        [(most, tag), (second, _), ..] if most > second => tag,
        [(0, _), ..] => guessed.filter(|tag| tags.contains(tag) && *tag == "ru").unwrap_or("und"),
        _ => "und",
    }
}

/// Number of small words of a language in a text.
fn says(text: &str, tag: &str) -> usize {
    text.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation() || c == '।')
        .filter(|word| of(SMALL, tag).split_whitespace().any(|known| known == *word))
        .count()
}

/// ISO 639-3 codes of the detector with their tags of two letters.
const CODES: &str = "
    deu de,fra fr,spa es,ita it,por pt,nld nl,pol pl,rus ru,ukr uk,ces cs,slk sk
    slv sl,hrv hr,srp sr,bul bg,ron ro,hun hu,ell el,tur tr,swe sv,dan da,nob nb
    fin fi,est et,lav lv,lit lt,cat ca,mkd mk,ara ar,heb he,yid he,pes fa,urd ur
    hin hi,ben bn,tam ta,tel te,mar mr,guj gu,kan kn,mal ml,pan pa,nep ne,sin si
    tha th,vie vi,ind id,jav id,tgl tl,jpn ja,kor ko,cmn zh,amh am,afr af,zul zu
    kat ka,hye hy,aze az,uzb uz,epo eo,lat la,bel be,mya my,khm km
";

/// The tag of two letters for a code of the detector, where there is one.
pub fn two_letters(code: &'static str) -> &'static str {
    let pairs = CODES.split([',', '\n']).filter_map(|pair| pair.trim().split_once(' '));
    pairs.into_iter().find(|(long, _)| *long == code).map_or(code, |(_, tag)| tag)
}
