//! Where a prompt states a setting already, in six languages.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::settings;
use super::work::Work;
use crate::rules::slots;
use crate::rules::wording::tag_named;
use patterns::pattern;

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
    let phrase = match work.tongue.tag {
        "en" => pattern!(
            r"(?i)\b(?P<v>[\p{L}-]+(?:(?:,| and|, and) [\p{L}-]+){0,2}) (?:tone|style|voice|manner|language)\b|\b(?:keep it|make it|be|sound|stay) (?P<w>[\p{L}-]+(?:(?:,| and|, and) [\p{L}-]+){0,2})[.!,;\n]|\b(?:an?|the|this) (?P<x>[\p{L}-]+(?:(?:,| and|, and) [\p{L}-]+)?) (?:e-?mail|essay|letter|post|article|message|text|note|reply|speech|story|blog|newsletter|summary|report|description|ad|tweet|review|announcement|invitation|poem)\b"
        ),
        "de" => pattern!(
            r"(?i)\b(?P<v>[\p{L}-]+(?:(?:,| und) [\p{L}-]+){0,2}) (?:Ton(?:fall)?|Stil|Sprache|Weise)\b|\b(?:schreibe?|formuliere|bleib|sei) (?:es |ihn |sie )?(?P<w>[\p{L}-]+)[.!,;\n]|\b(?:eine[nm]?r?|ein) (?P<x>[\p{L}-]+) (?:E-?Mail|Aufsatz|Brief|Beitrag|Artikel|Nachricht|Text|Notiz|Antwort|Rede|Geschichte|Bericht|Beschreibung|Einladung)\b"
        ),
        "fr" => pattern!(
            r"(?i)\b(?:ton|style) (?P<v>[\p{L}-]+(?: et [\p{L}-]+)?)|\b(?:sois|reste) (?P<w>[\p{L}-]+)[.!,;\n]"
        ),
        "es" => pattern!(
            r"(?i)\b(?:tono|estilo) (?P<v>[\p{L}-]+(?: [ye] [\p{L}-]+)?)|\b(?:sé|mantén un tono) (?P<w>[\p{L}-]+)[.!,;\n]"
        ),
        "it" => pattern!(
            r"(?i)\b(?:tono|stile) (?P<v>[\p{L}-]+(?: e [\p{L}-]+)?)|\b(?:sii) (?P<w>[\p{L}-]+)[.!,;\n]"
        ),
        "pt" => pattern!(
            r"(?i)\b(?:tom|estilo) (?P<v>[\p{L}-]+(?: e [\p{L}-]+)?)|\b(?:seja) (?P<w>[\p{L}-]+)[.!,;\n]"
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
    let article = pattern!(r"(?i)(?:^|[^\p{L}])(?P<a>an?) $").captures(&before[from..]);
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
pub fn audience(work: &Work<'_>) -> Option<Range<usize>> {
    let places = labelled(
        work,
        "(?:target )?audience|write for this audience|readers?|zielgruppe|schreibe für diese zielgruppe|público(?: objetivo|-alvo)?|escribe para este público|public(?: cible)?|écris pour ce public|pubblico|scrivi per questo pubblico|escreva para este público",
    );
    if !places.is_empty() {
        return one(places);
    }
    if work.tongue.tag == "en" {
        let known = slots::read(work.prompt).audience?;
        let place =
            one(work.places(&known).into_iter().filter(|range| !work.is_held(range)).collect())?;
        let leads = pattern!(r"(?i)\b(?:for|at|to)\s+$").is_match(&work.prompt[..place.start]);
        // "for 30 people" says how many there are, which new readers leave as it is.
        let readers = &work.prompt[place.clone()];
        let counts = readers.contains(|c: char| c.is_numeric()) && !readers.contains("year");
        return (leads && !counts).then_some(place);
    }
    let people = match work.tongue.tag {
        "de" => pattern!(
            r"(?i)\bfür (?P<v>(?:(?:die|den|das|unsere|junge|ältere|absolute|erfahrene) ){0,2}(?:anfänger|einsteiger|laien|kinder|jugendliche|schüler|studierende|studenten|kunden|kundinnen|fachleute|experten|expertinnen|entwickler|eltern|manager|führungskräfte|rentner|senioren|erwachsene|lehrer|lehrkräfte|leser|anwender|nutzer|patienten)(?:n|innen)?)\b"
        ),
        "fr" => pattern!(
            r"(?i)\bpour (?P<v>(?:(?:des|les|de|nos|vos|jeunes|grands) ){0,2}(?:débutante?s?|enfants|adolescents|élèves|étudiante?s?|cliente?s?|experte?s?|spécialistes|développeurs|parents|cadres|retraités|seniors|adultes|enseignants|lecteurs|utilisateurs|patients))\b"
        ),
        "es" => pattern!(
            r"(?i)\bpara (?P<v>(?:(?:los|las|unos|nuestros|jóvenes) ){0,2}(?:principiantes|niños|adolescentes|alumnos|estudiantes|clientes|expertos|especialistas|desarrolladores|padres|directivos|jubilados|mayores|adultos|profesores|lectores|usuarios|pacientes))\b"
        ),
        "it" => pattern!(
            r"(?i)\bper (?P<v>(?:(?:i|gli|dei|degli|nostri|giovani) ){0,2}(?:principianti|bambini|ragazzi|adolescenti|alunni|studenti|clienti|esperti|specialisti|sviluppatori|genitori|dirigenti|pensionati|anziani|adulti|insegnanti|lettori|utenti|pazienti))\b"
        ),
        "pt" => pattern!(
            r"(?i)\bpara (?P<v>(?:(?:os|as|uns|nossos|jovens) ){0,2}(?:iniciantes|principiantes|crianças|adolescentes|alunos|estudantes|clientes|especialistas|peritos|desenvolvedores|pais|gestores|reformados|idosos|adultos|professores|leitores|utilizadores|usuários|pacientes))\b"
        ),
        _ => return None,
    };
    let found = people.captures_iter(work.prompt).filter_map(|found| found.name("v"));
    one(found.map(|place| place.range()).filter(|range| !work.is_held(range)).collect())
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
        r"(?i)^(?:please )?(?:respond|answer|reply|write|output|antworte|schreibe?|réponds|écris|rédige|responde|escribe|rispondi|scrivi|responda|escreva)\b(?: \p{L}+){0,4}? (?:in|auf|en|em) (?P<l>\p{L}+)[.!]?$"
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
        r"(?i)\b(?:in|auf|en|em) (?P<l>\p{L}{4,})(?:[.,;:!?)\n]|$| (?:and|und|et|y|e|as|als|for|für|with|mit)\b)"
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
    !pattern!(r"(?i)\b(?:about|on|essay|email|story|post|poem|article|letter|report|über|aufsatz|text|brief|sur|essai|article|lettre|sobre|ensayo|artículo|carta|sul|sulla|saggio|articolo|ensaio|artigo)\b").is_match(sentence)
}

/// The short sentences that ask for a short answer, or for a long one.
pub fn sizes(work: &Work<'_>, short: bool) -> Vec<Range<usize>> {
    let brief = pattern!(
        r"(?i)^(?:(?:be|keep it|stay|make it|keep the answer|keep your answers?) (?:very |as )?(?:brief|short|concise|succinct)(?: as possible)?|fasse? dich kurz|halte es kurz|sei (?:kurz|knapp)|schreibe? kurz|sois (?:bref|concis)|fais court|sé (?:breve|conciso)|sii (?:breve|conciso)|seja (?:breve|conciso))[.!]?$"
    );
    let full = pattern!(
        r"(?i)^(?:(?:be|keep it|make it) (?:very |as )?(?:detailed|thorough|comprehensive|long|exhaustive)(?: as possible)?|go into (?:great )?detail|sei ausführlich|schreibe? ausführlich|sois (?:détaillé|exhaustif)|sé (?:detallado|exhaustivo)|sii (?:dettagliato|esauriente)|seja (?:detalhado|exaustivo))[.!]?$"
    );
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
