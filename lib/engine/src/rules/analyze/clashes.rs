//! Wishes that exclude each other in six languages: two languages for one answer, an element that is wanted and
//! unwanted.

use super::reading::{Medium, Reading};
use super::rule::Spot;
use super::span::Span;
use patterns::{Pattern, pattern};

/// Names of languages in the six languages, by tag.
const NAMES: &[(&str, &str)] = &[
    ("en", "english|englisch|inglés|ingles|anglais|inglese|inglês"),
    ("de", "german|deutsch|alemán|aleman|allemand|tedesco|alemão"),
    ("fr", "french|französisch|francés|frances|français|francese|francês"),
    ("es", "spanish|spanisch|español|castellano|espagnol|spagnolo|espanhol"),
    ("it", "italian|italienisch|italiano|italien"),
    ("pt", "portuguese|portugiesisch|portugués|portugais|portoghese|português"),
    ("nl", "dutch|niederländisch|neerlandés|néerlandais|olandese|holandês|holandés"),
    ("pl", "polish|polnisch|polaco|polonais|polacco|polonês"),
    ("ru", "russian|russisch|ruso|russe|russo"),
    ("uk", "ukrainian|ukrainisch|ucraniano|ukrainien|ucraino"),
    ("ja", "japanese|japanisch|japonés|japonais|giapponese|japonês"),
    ("zh", "chinese|mandarin|chinesisch|chino|chinois|cinese|chinês"),
    ("ko", "korean|koreanisch|coreano|coréen"),
    ("ar", "arabic|arabisch|árabe|arabe|arabo"),
    ("he", "hebrew|hebräisch|hebreo|hébreu|ebraico|hebraico"),
    ("tr", "turkish|türkisch|turco|turc"),
    ("hi", "hindi"),
    ("sv", "swedish|schwedisch|sueco|suédois|svedese"),
    ("da", "danish|dänisch|danés|danois|danese|dinamarquês"),
    ("nb", "norwegian|norwegisch|noruego|norvégien|norvegese|norueguês"),
    ("fi", "finnish|finnisch|finlandés|finnois|finlandese|finlandês"),
    ("el", "greek|griechisch|griego|grec|greco|grego"),
    ("cs", "czech|tschechisch|checo|tchèque|ceco|tcheco"),
];

const STATED: Pattern = pattern!(
    r"(?i)(?-u:\b)(?:{analyze_clashes.answer}(?P<gap>(?: [\p{L}’'-]+){0,5}?) (?:{analyze_clashes.only} )?{analyze_clashes.in_language}|{analyze_clashes.only_in}) (?P<v>\p{L}+)(?P<more>,? {analyze_clashes.another} )?"
);

/// Two languages that the whole answer shall be in.
pub fn conflicting_languages(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let translates = pattern!(r"(?i)(?-u:\b){analyze_clashes.translation}");
    if !reading.has_known_words()
        || reading.is_about(&["translation"])
        || translates.is_match(&source.prose)
    {
        return Vec::new();
    }
    let mut first: Option<(&str, Span)> = None;
    let mut spots = Vec::new();
    for found in STATED.captures_iter(&source.prose) {
        let Some(value) = found.name("v") else { continue };
        let lower = value.as_str().to_lowercase();
        let tag = NAMES.iter().find(|(_, names)| names.split('|').any(|name| name == lower));
        let scoped = found.name("gap").is_some_and(|gap| names_part(gap.as_str()));
        let (Some((tag, _)), None, false) = (tag, found.name("more"), scoped) else { continue };
        let span = Span::new(value.start(), value.end());
        match &first {
            Some((known, earlier)) if known != tag => {
                spots.push(Spot::naming(span, source.slice(*earlier).to_owned()));
            }
            Some(_) => {}
            None => first = Some((tag, span)),
        }
    }
    spots
}

/// Whether words name a part of an answer, for which rules of its own may hold.
pub fn names_part(text: &str) -> bool {
    pattern!(r"(?i)(?-u:\b){analyze_clashes.part}(?-u:\b)").is_match(text)
}

/// How many things can be wanted or unwanted in an answer; each is a group of `analyze_clashes.element`.
const ELEMENTS: usize = 8;

/// An element that one sentence wants and another refuses: "with emojis", "no emojis".
pub fn conflicting_elements(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text || !reading.has_known_words() {
        return Vec::new();
    }
    let wanted = pattern!(
        r"(?i)(?-u:\b){analyze_clashes.wanted}\s+(?:[\p{L}\d’'-]+\s+){0,2}?{analyze_clashes.element}(?-u:\b)"
    );
    let unwanted = pattern!(
        r"(?i)(?-u:\b){analyze_clashes.unwanted}\s*(?:[\p{L}’'-]+\s+){0,1}?{analyze_clashes.element}(?-u:\b)"
    );
    let mut want: [Option<Span>; ELEMENTS] = [None; ELEMENTS];
    let mut refuse: [Option<Span>; ELEMENTS] = [None; ELEMENTS];
    for (number, sentence) in source.sentences.iter().enumerate() {
        let text = source.prose_of(sentence.span);
        // What holds for a part, or under a condition, excludes nothing elsewhere.
        if text.ends_with('?') || text.len() > LONG_SENTENCE || names_part(&unelemented(text)) {
            continue;
        }
        let span = |found: patterns::Match<'_>| {
            Span::new(sentence.span.start + found.start(), sentence.span.start + found.end())
        };
        let refused: Vec<(usize, Span)> = unwanted
            .captures_iter(text)
            .filter_map(|found| Some((element(&found)?, span(found.get(0)?))))
            .filter(|(_, place)| !is_limited(&source.prose[place.end..]))
            .collect();
        for found in wanted.captures_iter(text) {
            let (Some(what), Some(place)) = (element(&found), found.get(0)) else { continue };
            let place = span(place);
            let negated = refused.iter().any(|(_, other)| other.end == place.end)
                || pattern!(r"(?i){analyze_clashes.negation}\s+(?:\S+\s+)?$")
                    .is_match(&source.prose[sentence.span.start..place.start]);
            // "They sell stickers with emojis" wants none.
            let asked = reading.requests.contains(&number);
            if asked && !negated && !is_limited(&source.prose[place.end..]) {
                want[what].get_or_insert(place);
            }
        }
        for (what, place) in refused {
            refuse[what].get_or_insert(place);
        }
    }
    want.iter()
        .zip(&refuse)
        .filter_map(|(want, refuse)| {
            let (one, other) = ((*want)?, (*refuse)?);
            let (earlier, later) = if one < other { (one, other) } else { (other, one) };
            Some(Spot::naming(later, source.slice(earlier).to_owned()))
        })
        .collect()
}

/// Bytes of a sentence from which on it is no plain wish.
const LONG_SENTENCE: usize = 400;

/// Number of the element that was found.
fn element(found: &patterns::Captures<'_>) -> Option<usize> {
    (0..ELEMENTS).find(|at| found.get(at + 1).is_some())
}

/// A sentence without the elements, some of which are also parts of a text.
fn unelemented(text: &str) -> String {
    pattern!(r"(?i)(?-u:\b){analyze_clashes.no_part}(?-u:\b)").replace_all(text, " ").into_owned()
}

/// Whether what follows says where, or for how much of it, a wish holds.
fn is_limited(rest: &str) -> bool {
    pattern!(r"(?i)^[ ,]*{analyze_clashes.limit}(?-u:\b)").is_match(rest)
}
