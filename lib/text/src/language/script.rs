//! Which of the languages that are not written in Latin letters a text is in.

/// Letters that one language has of those that share a script; texts in `und` are of one that is not known.
const OWN: [(&str, &str); 9] = [
    ("ٹڈڑںےھ", "ur"),
    ("پچژگ", "fa"),
    ("ѓќѕ", "mk"),
    ("ђћ", "sr"),
    ("ў", "be"),
    ("їєґ", "uk"),
    ("әғқңөұүһ", "und"),
    ("і", "uk"),
    ("ыэё", "ru"),
];

/// The language of a text in other letters than Latin ones: what letters or statistics tell.
pub fn of_script(sample: &str) -> &'static str {
    let lower = sample.replace(|c: char| c.is_ascii_alphabetic(), "").to_lowercase();
    let own = OWN.iter().find(|(letters, _)| lower.contains(|c: char| letters.contains(c)));
    let guess = || {
        let info = whatlang::detect(&lower)?;
        let tag = two_letters(info.lang().code());
        // The most frequent languages of their scripts.
        (info.is_reliable() || matches!(tag, "ar" | "hi" | "ru")).then_some(tag)
    };
    own.map_or_else(|| guess().unwrap_or("und"), |(_, tag)| tag)
}

/// ISO 639-3 codes of the detector with their tags of two letters.
const CODES: &str = "
    eng en,deu de,fra fr,spa es,ita it,por pt,nld nl,pol pl,rus ru,ukr uk,ces cs,slk sk
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
