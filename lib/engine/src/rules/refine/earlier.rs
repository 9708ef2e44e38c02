//! Where a prompt states a setting already, in six languages.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::settings;
use super::work::Work;
use crate::rules::dialect::Part;
use crate::rules::outline::Outline;
use crate::rules::slots;
use crate::rules::wording::tag_named;
use patterns::{Pattern, pattern};

/// What stands in a prompt, and what takes its place.
pub type Exchange = (Range<usize>, String);

/// The value behind a label on a line or in a sentence of its own: "Tone: friendly."
pub fn labelled(work: &Work<'_>, labels: &str) -> Vec<Range<usize>> {
    let Ok(pattern) = regex::Regex::new(&format!(
        r"(?i)^\**(?:(?:the|der|die|das|le|la|el|il|lo|o|a) )?(?:{labels})\**(?:\s*[:：]\s*\**\s*|\s(?:is|are|should be|ist|sind|est|es|è|é|deve ser)\s)(?P<v>[^\n]*?[^\s.])\s*\.?$"
    )) else {
        return Vec::new();
    };
    work.sentences()
        .iter()
        .cloned()
        .filter_map(|sentence| {
            let found = pattern.captures(&work.prompt[sentence.clone()])?;
            let value = found.name("v")?.range();
            Some(sentence.start + value.start..sentence.start + value.end)
        })
        .filter(|range| !work.is_held(range))
        .collect()
}

/// Where a sentence or item says one thing only.
fn alone(work: &Work<'_>, says: Pattern) -> Option<Range<usize>> {
    let found = work.sentences().iter().filter_map(|sentence| {
        let value = says.captures(&work.prompt[sentence.clone()])?.name("v")?.range();
        Some(sentence.start + value.start..sentence.start + value.end)
    });
    one(found.filter(|range| !work.is_held(range)).collect())
}

/// Where the tone is, with `value` in the form that its place needs.
pub fn tone(work: &Work<'_>, value: &str) -> Option<Exchange> {
    let prompt = work.prompt;
    let places =
        labelled(work, "tone(?: of voice)?|style|ton|tonfall|stil|tono|tom|estilo|stile|voice");
    if let [place] = &places[..] {
        return Some((place.clone(), value.to_owned()));
    }
    if !places.is_empty() || value.split(' ').count() > 4 {
        return None;
    }
    let stated = pattern!(r"(?i)^(?P<v>[\p{L}-]+) {refine_earlier.english_tone}\.?$");
    if let Some(place) = alone(work, stated) {
        return Some((place, value.to_owned()));
    }
    let phrase = match work.tongue.tag {
        "en" => pattern!(
            r"(?i)\b(?P<v>[\p{L}-]+(?:(?:,| {refine_earlier.english_and}|, {refine_earlier.english_and}) [\p{L}-]+){0,2}) {refine_earlier.english_tone}\b|\b{refine_earlier.english_be} (?P<w>[\p{L}-]+(?:(?:,| {refine_earlier.english_and}|, {refine_earlier.english_and}) [\p{L}-]+){0,2})[.!,;\n]|\b{refine_earlier.english_a} (?P<x>[\p{L}-]+(?:(?:,| {refine_earlier.english_and}|, {refine_earlier.english_and}) [\p{L}-]+)?) {refine_earlier.english_text}\b"
        ),
        "de" => pattern!(
            r"(?i)\b(?P<v>[\p{L}-]+(?:(?:,| {refine_earlier.german_and}) [\p{L}-]+){0,2}) {refine_earlier.german_tone}\b|\b{refine_earlier.german_be} (?:{refine_earlier.german_it} )?(?P<w>[\p{L}-]+)[.!,;\n]|\b{refine_earlier.german_a} (?P<x>[\p{L}-]+) {refine_earlier.german_text}\b"
        ),
        "fr" => pattern!(
            r"(?i)\b{refine_earlier.french_tone} (?P<v>[\p{L}-]+(?: {refine_earlier.french_and} [\p{L}-]+)?)|\b{refine_earlier.french_be} (?P<w>[\p{L}-]+)[.!,;\n]"
        ),
        "es" => pattern!(
            r"(?i)\b{refine_earlier.spanish_tone} (?P<v>[\p{L}-]+(?: {refine_earlier.spanish_and} [\p{L}-]+)?)|\b{refine_earlier.spanish_be} (?P<w>[\p{L}-]+)[.!,;\n]"
        ),
        "it" => pattern!(
            r"(?i)\b{refine_earlier.italian_tone} (?P<v>[\p{L}-]+(?: {refine_earlier.italian_and} [\p{L}-]+)?)|\b{refine_earlier.italian_be} (?P<w>[\p{L}-]+)[.!,;\n]"
        ),
        "pt" => pattern!(
            r"(?i)\b{refine_earlier.portuguese_tone} (?P<v>[\p{L}-]+(?: {refine_earlier.portuguese_and} [\p{L}-]+)?)|\b{refine_earlier.portuguese_be} (?P<w>[\p{L}-]+)[.!,;\n]"
        ),
        _ => return None,
    };
    let found: Vec<Range<usize>> = phrase
        .captures_iter(prompt)
        .filter_map(|found| found.name("v").or(found.name("w")).or(found.name("x")))
        .map(|value| value.range())
        .filter(|range| !work.is_held(range))
        .filter(|range| prompt[range.clone()].split([' ', ',']).any(settings::is_tone))
        .map(|range| from_tone(prompt, range))
        .collect();
    let [place] = &found[..] else { return None };
    let old = &prompt[place.clone()];
    let value = if work.tongue.tag == "de" { inflected(old, value) } else { value.to_owned() };
    Some(with_article(prompt, place, &value, work.tongue.tag))
}

/// Without a word before the first tone: "in friendly" has only one.
fn from_tone(prompt: &str, range: Range<usize>) -> Range<usize> {
    let text = &prompt[range.clone()];
    let lead =
        text.split(' ').take_while(|word| !settings::is_tone(word.trim_matches(','))).count();
    let skipped: usize = text.split(' ').take(lead).map(|word| word.len() + 1).sum();
    range.start + skipped..range.end
}

/// A German adjective with the ending of another: "förmlich" as in "freundlichen".
fn inflected(old: &str, new: &str) -> String {
    let first = old.split([' ', ',']).next().unwrap_or_default();
    let ending = ["en", "em", "er", "es", "e"]
        .into_iter()
        .find(|ending| first.strip_suffix(ending).is_some_and(settings::is_tone))
        .unwrap_or_default();
    new.split(' ')
        .map(|word| {
            let (bare, comma) = word.strip_suffix(',').map_or((word, ""), |bare| (bare, ","));
            if settings::is_tone(bare) { format!("{bare}{ending}{comma}") } else { word.to_owned() }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// An exchange together with the English article before it, which depends on the next sound.
pub fn with_article(prompt: &str, place: &Range<usize>, new: &str, tag: &str) -> Exchange {
    let before = &prompt[..place.start];
    let from = before.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
    let article =
        pattern!(r"(?i)(?:^|[^\p{L}])(?P<a>{refine_common.a_or_an}) $").captures(&before[from..]);
    let Some(article) = article.and_then(|found| found.name("a")).filter(|_| tag == "en") else {
        return (place.clone(), new.to_owned());
    };
    let vowel = new.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u'])
        || pattern!(r"^(?:8|11\b|18\b|80)").is_match(new);
    let right = match (article.as_str().starts_with('A'), vowel) {
        (true, true) => "An",
        (true, false) => "A",
        (false, true) => "an",
        (false, false) => "a",
    };
    if right == article.as_str() {
        return (place.clone(), new.to_owned());
    }
    (from + article.start()..place.end, format!("{right} {new}"))
}

/// Where the readers are named, if that is one place.
pub fn audience(work: &Work<'_>) -> Vec<Range<usize>> {
    let places = labelled(
        work,
        "(?:target )?audience|write for this audience|readers?|zielgruppe|schreibe für diese zielgruppe|público(?: objetivo|-alvo)?|escribe para este público|public(?: cible)?|écris pour ce public|pubblico|scrivi per questo pubblico|escreva para este público",
    );
    if !places.is_empty() {
        return one(places).into_iter().collect();
    }
    if let Some(place) =
        alone(work, pattern!(r"(?i)^{refine_earlier.meant_for} (?P<v>[^.\n]{3,60})\.?$"))
    {
        return vec![place];
    }
    if work.tongue.tag == "en" {
        // What a guideline says of "the buyer" names no readers.
        let task = Outline::of(work.prompt).text(Part::Task);
        let known = slots::read(task.as_deref().unwrap_or(work.prompt)).audience;
        // "for 30 people" says how many there are, which new readers leave as it is.
        let counts = |readers: &String| {
            readers.contains(|c: char| c.is_numeric()) && !readers.contains("year")
        };
        let known = known.filter(|readers| !counts(readers));
        let places = known.map(|readers| work.places(&readers)).unwrap_or_default();
        let leads = |place: &Range<usize>| {
            pattern!(r"(?i)\b{refine_earlier.english_for}\s+$")
                .is_match(&work.prompt[..place.start])
        };
        return if places.iter().all(|place| leads(place) && !work.is_held(place)) {
            places
        } else {
            Vec::new()
        };
    }
    let people = match work.tongue.tag {
        "de" => pattern!(
            r"(?i)\b{refine_earlier.german_for} (?P<v>(?:{refine_earlier.german_which} ){0,2}{refine_earlier.german_readers}{refine_earlier.german_reader_endings}?)\b"
        ),
        "fr" => pattern!(
            r"(?i)\b{refine_earlier.french_for} (?P<v>(?:{refine_earlier.french_which} ){0,2}{refine_earlier.french_readers})\b"
        ),
        "es" => pattern!(
            r"(?i)\b{refine_earlier.spanish_for} (?P<v>(?:{refine_earlier.spanish_which} ){0,2}{refine_earlier.spanish_readers})\b"
        ),
        "it" => pattern!(
            r"(?i)\b{refine_earlier.italian_for} (?P<v>(?:{refine_earlier.italian_which} ){0,2}{refine_earlier.italian_readers})\b"
        ),
        "pt" => pattern!(
            r"(?i)\b{refine_earlier.portuguese_for} (?P<v>(?:{refine_earlier.portuguese_which} ){0,2}{refine_earlier.portuguese_readers})\b"
        ),
        _ => return Vec::new(),
    };
    let found = people.captures_iter(work.prompt).filter_map(|found| found.name("v"));
    one(found.map(|place| place.range()).filter(|range| !work.is_held(range)).collect())
        .into_iter()
        .collect()
}

/// Where the form of the answer is, with `value` in its place. A sentence that says nothing else gives way to
/// `line`.
pub fn format(work: &Work<'_>, value: &str, line: Option<&str>) -> Option<Exchange> {
    let mut places = labelled(
        work,
        "(?:output |answer )?format|ausgabeformat|formato(?: de salida| di output| de saída)?|format de sortie",
    );
    places.retain(|range| settings::is_format(work.prompt[range.clone()].trim_end_matches('.')));
    if !places.is_empty() {
        return one(places).map(|place| (place, value.to_owned()));
    }
    let (stated, whole) = format_patterns(work.tongue.tag)?;
    let found = stated.captures_iter(work.prompt).filter_map(|found| found.name("v"));
    let found: Vec<_> =
        found.map(|place| place.range()).filter(|range| !work.is_held(range)).collect();
    if !found.is_empty() {
        return one(found).map(|place| (place, value.to_owned()));
    }
    let sentences: Vec<_> = work
        .sentences()
        .iter()
        .filter(|range| whole.is_match(&work.prompt[(*range).clone()]) && !work.is_held(range))
        .cloned()
        .collect();
    one(sentences).zip(line).map(|(place, line)| (place, line.to_owned()))
}

/// How a language states a format within a sentence, and sentences that state nothing else.
fn format_patterns(tag: &str) -> Option<&'static (Regex, Regex)> {
    static PATTERNS: LazyLock<HashMap<&'static str, (Regex, Regex)>> = LazyLock::new(|| {
        let article = r"(?:(?:an?|the|eine[rnm]?|ein|une?|una?|uma?)\s+)?";
        let formats = settings::format_words();
        [
            ("en", "as|in|into", "return|output|give(?: me)?|produce|present|provide"),
            (
                "de",
                r"als|in form (?:einer?|von)|im format|in",
                "gib(?: mir)?|liefere|erstelle|zeige",
            ),
            (
                "fr",
                r"sous (?:la )?forme d['’](?:une? )?|sous forme de|au format|en|comme",
                "présente|donne(?:-moi)?|fournis",
            ),
            ("es", "en forma de|en formato|como|en", "devuelve|presenta|da|dame|entrega"),
            ("it", "in forma di|sotto forma di|in formato|come|in", "restituisci|presenta|fornisci"),
            ("pt", "em forma de|em formato|na forma de|como|em", "apresente|devolva|forneça"),
        ]
        .into_iter()
        .map(|(tag, lead, verbs)| {
            let stated = Regex::new(&format!(
                r"(?i)\b(?:{lead})\s*\b(?P<v>{article}(?:valid |gültiges |valides? )?(?:{formats}))(?: format)?(?P<end>[\s.,;:!?)]|$)"
            ))
            .expect("formats are compiled in");
            let whole = Regex::new(&format!(
                r"(?i)^(?:please |bitte )?(?:{verbs})\s+(?P<v>{article}(?:valid )?(?:{formats}))(?: zurück| aus)?[.!]?$"
            ))
            .expect("formats are compiled in");
            (tag, (stated, whole))
        })
        .collect()
    });
    PATTERNS.get(tag)
}

/// Where the language of the answer is: a sentence that asks for nothing else gives way to `line`, within a
/// sentence only its name to `name`.
pub fn language(work: &Work<'_>, line: &str, name: &str) -> Option<Exchange> {
    let label = labelled(
        work,
        "(?:output |answer )?language|(?:ausgabe)?sprache|langue|idioma|lingua|língua",
    );
    let named = |range: &Range<usize>| tag_named(work.prompt[range.clone()].trim()).is_some();
    let label: Vec<_> = label.into_iter().filter(named).collect();
    if !label.is_empty() {
        return one(label).map(|place| (place, name.to_owned()));
    }
    let sentence = pattern!(
        r"(?i)^(?:{refine_earlier.please} )?{refine_earlier.respond}\b(?: \p{L}+){0,4}? {refine_earlier.in_language} (?P<l>\p{L}+)[.!]?$"
    );
    let whole: Vec<Range<usize>> = work
        .sentences()
        .iter()
        .filter(|range| {
            let text = &work.prompt[(*range).clone()];
            text.split_whitespace().count() <= 10
                && (crate::language::asked_for(text)
                    || sentence
                        .captures(text)
                        .is_some_and(|found| tag_named(&found["l"]).is_some()))
        })
        .filter(|range| {
            !work.is_held(range) && is_only_about_language(&work.prompt[(*range).clone()])
        })
        .cloned()
        .collect();
    if !whole.is_empty() {
        return one(whole).map(|place| (place, line.to_owned()));
    }
    let inside = pattern!(
        r"(?i)\b{refine_earlier.in_language} (?P<l>\p{L}{4,})(?:[.,;:!?)\n]|$| {refine_earlier.after_language}\b)"
    );
    let found: Vec<Range<usize>> = inside
        .captures_iter(work.prompt)
        .filter_map(|found| found.name("l"))
        .filter(|name| tag_named(name.as_str()).is_some())
        .map(|name| name.range())
        .filter(|range| !work.is_held(range))
        .collect();
    one(found).map(|place| (place, name.to_owned()))
}

/// "Write an essay about tea in English" asks for more than a language.
fn is_only_about_language(sentence: &str) -> bool {
    !pattern!(r"(?i)\b{refine_earlier.about_or_text}\b").is_match(sentence)
}

/// The short sentences that ask for a short answer, or for a long one.
pub fn sizes(work: &Work<'_>, short: bool) -> Vec<Range<usize>> {
    let brief = pattern!(r"(?i)^{refine_earlier.be_brief}[.!]?$");
    let full = pattern!(r"(?i)^{refine_earlier.be_detailed}[.!]?$");
    let pattern = if short { brief } else { full };
    work.sentences()
        .iter()
        .filter(|range| pattern.is_match(&work.prompt[(*range).clone()]) && !work.is_held(range))
        .cloned()
        .collect()
}

fn one(mut places: Vec<Range<usize>>) -> Option<Range<usize>> {
    if places.len() == 1 { places.pop() } else { None }
}
