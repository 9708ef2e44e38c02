//! The shape of the answer: what the user said about it, else what is usual for the task.

use super::fill::fill;
use super::goal::Goal;
use super::slots;
use super::text::local;
use crate::language::Locale;
use patterns::pattern;

/// The sentence on the shape of the answer.
pub fn output(goal: &Goal, locale: &Locale) -> String {
    if let Some(family) = local(goal, locale) {
        return if says_its_form(&goal.objective) {
            locale.as_asked.clone()
        } else {
            family.output.clone()
        };
    }
    let usual = recounted(without_excluded(fill(&goal.task.output, goal), goal), goal);
    if goal.language.is_some() {
        let asked = says_its_form(&goal.objective) && !locale.as_asked.is_empty();
        return if asked { locale.as_asked.clone() } else { usual };
    }
    if let Some(entries) = entries(&goal.text) {
        return entries;
    }
    if let Some(columns) = columns(goal) {
        return format!(
            "Give one table with exactly these columns: {columns}. Besides it only what the task asks for."
        );
    }
    if let Some(format) = &goal.slots.format {
        return with_missing(format_line(format), &goal.text);
    }
    if let Some(stated) = pieces(goal, &usual).or_else(|| short_text(goal)).or_else(|| part(goal)) {
        return stated;
    }
    match &goal.slots.length {
        Some(length) if counts(length, &usual) => {
            format!("{usual} The length asked for ({length}) takes precedence.")
        }
        _ => with_missing(usual, &goal.text),
    }
}

/// The usual sentence with the user's numbers: "one subject line" instead of two.
fn recounted(usual: String, goal: &Goal) -> String {
    if goal.language.is_some() {
        return usual;
    }
    let stated = pattern!(
        r"(?i)\b(?P<n>one|a single|1|{form.number}) (?P<noun>subject line|headline|hashtag|opening sentence)s?\b"
    );
    let mut result = usual;
    for found in stated.captures_iter(&goal.text).take(4) {
        let (number, noun) = (found["n"].to_lowercase(), found["noun"].to_lowercase());
        let number = if number == "a single" { "one" } else { &number };
        let Ok(there) = regex::Regex::new(&format!(
            r"(?i)\b(?:up to )?(?:one|two|three|four|five|\d+) (?:fitting )?{noun}s?(?: options?)?\b"
        )) else {
            continue;
        };
        let plural = if matches!(number, "one" | "1") { "" } else { "s" };
        result = there.replace_all(&result, format!("{number} {noun}{plural}")).into_owned();
    }
    result
}

/// Whether the usual sentence has a number for the same unit as a length that the user gave.
fn counts(length: &str, usual: &str) -> bool {
    let unit =
        length.split_whitespace().last().unwrap_or_default().trim_end_matches('s').to_lowercase();
    unit.len() > 2
        && usual.to_lowercase().contains(&unit)
        && pattern!(r"(?i)\b(?:\d+|two|three|four|five)\b").is_match(usual)
}

/// "study, sample size, finding" of "a table with study, sample size and finding".
fn columns(goal: &Goal) -> Option<String> {
    let text = &goal.text;
    // A text may be about a table with drawers.
    let about = matches!(goal.task.family.as_str(), "creative" | "marketing" | "communication");
    if about && !pattern!(r"(?i)\bcolumns?\b").is_match(text) {
        return None;
    }
    let found = pattern!(
        r"(?i)\btable (?:with|of|that has|having|containing|showing|listing|:)(?: (?:the |these |exactly )*(?:(?:\d|two|three|four|five|six|seven) )?(?:columns?|fields)(?: for| of|:)?)?:? (?P<v>[^.;:!?\n{}]+)"
    )
    .captures(text)?;
    let list = items(found.name("v")?.as_str());
    (list.len() >= 2).then(|| list.join(", "))
}

/// "action items with owner and due date": what each of several entries has.
fn entries(text: &str) -> Option<String> {
    let found = pattern!(
        r"(?i)\b(?P<what>action items|to-?dos|open (?:points|questions|issues)|next steps|decisions|deadlines|tasks|risks)\b[^.;:\n]{0,24}? with (?:their |the |an? |its )?(?P<v>[^.;:!?\n{}]+)"
    )
    .captures(text)?;
    let list = items(found.name("v")?.as_str());
    let fields = list.iter().any(|item| pattern!(r"(?i)\b(?:owners?|due|dates?|deadlines?|status|priority|responsible|assignee|effort|person|name)\b").is_match(item));
    (list.len() >= 2 && fields).then(|| {
        format!(
            "Give one entry for each of the {}, with exactly these fields: {}.",
            found["what"].to_lowercase(),
            list.join(", ")
        )
    })
}

/// The parts of an enumeration up to the first that belongs to something else.
fn items(text: &str) -> Vec<&str> {
    let mut list: Vec<&str> = Vec::new();
    for item in pattern!(r"(?i)\s*,\s*(?:and\s+|&\s+)?|\s+(?:and|&)\s+").split(text) {
        let item = item.trim().trim_matches(['"', '“', '”', '`']);
        let item = pattern!(r"(?i) (?:for (?:each|every|all|the|our|my|an?)|from (?:the|our|my|this|these)|in (?:english|markdown)|sorted|ordered|then|so that)\b.*$").find(item).map_or(item, |rest| &item[..rest.start()]);
        let foreign = pattern!(r"(?i)^(?:in|under|no|without|max|at most|sorted|ordered|keep|use|using|then|about|do|don'?t|one|\d+) ").is_match(item);
        if item.is_empty() || item.split_whitespace().count() > 4 || foreign {
            break;
        }
        list.push(item);
    }
    list
}

/// Puts the value that the user wants for what is missing in the place of the usual one.
fn with_missing(line: String, text: &str) -> String {
    let wanted = pattern!(
        r#"(?ix)(?:\b(?:use|put|write|set|return|output|give|with|insert|fill\ in|enter|leave|mark(?:\ it)?(?:\ as)?|or|and)\ |[,;(.:]\ )(?:it\ to\ |them\ as\ |a\ |an\ |the\ value\ |the\ word\ )?(?P<v>null|none|n/a|na|unknown|nil|empty\ string|"[^"\n]{1,20}"|`[^`\n]{1,20}`)\ (?:if|when|where|for|in)\b[^.;\n]{0,60}?\b(?:missing|unknown|absent|not|no|empty|unavailable|unclear|unsure)"#
    );
    match wanted.captures(text) {
        Some(found) => {
            let value = format!("{} where nothing is known", &found["v"]);
            line.replace("an empty value where nothing is known", &value)
        }
        None => line,
    }
}

/// "5 tweets", "one version only": the number that replaces a usual one.
fn pieces(goal: &Goal, usual: &str) -> Option<String> {
    let counted =
        pattern!(r"(?i)\b(?:one|two|three|four|five|six|seven|eight|ten|twelve|twenty|\d+)\b");
    if !counted.is_match(usual) {
        return None;
    }
    let single = pattern!(
        r"(?i)\b(?:only|just|exactly|a single) (?:one|1|a single)? ?(?:version|variant|variation|option|draft|alternative|suggestion)\b|\b(?:one|1|a single) (?:version|variant|variation|option|draft|alternative|suggestion)(?: only)?\b|\bno (?:other |further |more )?(?:versions|variants|variations|alternatives|options)\b"
    );
    let published = matches!(
        goal.task.family.as_str(),
        "communication" | "marketing" | "creative" | "career" | "longform"
    );
    if published
        && single.is_match(&goal.text)
        && !pattern!(r"(?i)\b(?:each|per|every) (?:version|variant|option)\b").is_match(&goal.text)
    {
        return Some("Give one version, ready to use, and no alternatives.".to_owned());
    }
    let ready = if published { ", each ready to use, without further versions" } else { "" };
    // The number has become a variable.
    if pattern!(r"^\p{L}+(?: me)? \{\{length\}\}").is_match(&goal.objective) {
        return Some(format!("Give exactly {{{{length}}}}, numbered{ready}."));
    }
    let found = pattern!(r"(?i)^(?:write|give|create|suggest|list|draft|generate|make|compose|brainstorm|name|design|come up with|recommend|propose|provide|prepare|find|produce|invent|tell)(?: me| us)?(?: exactly| up to| about| at least| around)? (?P<v>(?:{form.number}) (?:(?:[\w'’-]+,? ){0,3}?)(?P<unit>[\w-]+s))\b")
    .captures(&goal.objective)?;
    let unit = found["unit"].to_lowercase();
    let other = pattern!(
        r"^(?:words?|characters|chars|minutes|mins|seconds|hours|days|weeks|months|years|people|persons|guests|kids|adults|percent|dollars|euros|pages|paragraphs|sentences|lines|bullets|points|slides|students|pupils|employees|colleagues|customers|clients|.*ss|.*ous|is|was|has|this)$"
    );
    (!other.is_match(&unit)).then(|| format!("Give exactly {}, numbered{ready}.", &found["v"]))
}

/// A text whose length is given in sentences, paragraphs or lines has room for nothing else.
fn short_text(goal: &Goal) -> Option<String> {
    if matches!(goal.task.family.as_str(), "code" | "automation" | "agent" | "data") {
        return None;
    }
    let stated = goal.slots.length.clone()?;
    let stated = if stated.starts_with("{{") { slots::read(&goal.text).length? } else { stated };
    let length = stated.as_str();
    let unit = pattern!(
        r"(?i)^(?:(?:under|below|max\w*(?: of)?|at most|up to|no more than|no longer than|less than|fewer than|about|around|approximately|approx\.?|roughly|exactly|within) )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|a few)(?:(?: ?[-–] ?| to )\d{1,2})?[ -](?:sentences?|paragraphs?|lines?|bullets?|bullet points?)\b"
    );
    let few_words = matches!(
        goal.task.id.as_str(),
        "product_description" | "resume" | "article" | "blog_post" | "essay"
    ) && pattern!(r"(?i)^(?:\D+ )?(?P<n>\d{1,2})[ -]words?\b")
        .captures(length)
        .is_some_and(|found| found["n"].parse().is_ok_and(|words: u32| words <= 80));
    if !unit.is_match(length) && !few_words {
        return None;
    }
    let pattern = format!(
        r"(?i)\b(?:with|plus|including|then|followed by|and)(?: an?| the)? {0}|{0} (?:each|per|every|apiece|for each|intro\w*|hook|opening|closing|teaser|conclusion)\b|\b(?:each|every)(?: \w+)? (?:has |have |in |with |of )?{0}",
        regex::escape(length)
    );
    if regex::Regex::new(&pattern).is_ok_and(|part| part.is_match(&goal.text)) {
        return None;
    }
    let what = if length.to_lowercase().contains("bullet") { "the list" } else { "the text" };
    Some(format!("Give only {what} asked for, in the length stated, ready to use."))
}

/// A part of a document is not the whole document.
fn part(goal: &Goal) -> Option<String> {
    let found = match goal.task.id.as_str() {
        "resume" => pattern!(
            r"(?i)\b(?:r[ée]sum[ée]|cv|linkedin|professional|profile) (?P<v>summary|headline|about(?: section)?|bullets?(?: points?)?|bio|section)\b"
        )
        .captures(&goal.objective),
        _ => None,
    }?;
    Some(format!(
        "Give only the {} asked for, ready to paste, then a list of missing figures worth adding.",
        &found["v"]
    ))
}

/// Whether a goal in any of the languages with a locale says how many results it wants, or in which form.
fn says_its_form(objective: &str) -> bool {
    pattern!(r"(?ix)
        ^\W*(?:\p{L}+)(?:\ (?:mir|uns|bitte|moi|me|mi|nos|genau|exactement|exactamente|esattamente|exatamente))*\ (?:\d{1,3}|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|deux|trois|quatre|cinq|six|sept|huit|dix|dos|tres|cuatro|cinco|seis|siete|ocho|diez|due|tre|quattro|cinque|sei|dieci|dois|duas|três|quatro|dez)\ (?:\p{L}+\ ){0,2}?\p{L}*(?:tweets?|posts?|slogans?|titel|überschriften|ideen|namen|fragen|beispiele|varianten|versionen|fassungen|vorschläge|betreffzeilen|hashtags|titres|idées|noms|questions|exemples|variantes|propositions|versions|títulos|ideas|nombres|preguntas|ejemplos|titoli|idee|nomi|domande|esempi|varianti|ideias|nomes|perguntas|exemplos)\b
      | \b(?:in|en|em)\ (?:genau\ |höchstens\ |maximal\ |exactement\ |exactamente\ |esattamente\ |exatamente\ )?(?:\d{1,2}|einem|zwei|drei|vier|fünf|sechs|une?|deux|trois|quatre|cinq|una|dos|tres|cuatro|cinco|due|tre|quattro|cinque|uma|duas|três|quatro)\ (?:kurzen\ )?(?:sätzen|satz|absätzen|absatz|zeilen|stichpunkten|phrases?|paragraphes?|lignes|frases?|párrafos?|líneas|frasi|frase|paragraf[io]|righe|parágrafos?|linhas)\b
      | \b(?:nur|genau)\ (?:eine|1)\ (?:version|variante|fassung)\b | \bune\ seule\ version\b | \b(?:una\ sola|solo\ una|una\ única)\ versi[óo]n\w*\b | \bapenas\ uma\ versão\b
      | \btabelle\ mit\ (?:den\ )?(?:spalten\b|\p{L}+,) | \btableau\ avec\ (?:les\ )?(?:colonnes\b|\p{L}+,) | \btabla\ con\ (?:las\ )?(?:columnas\b|\p{L}+,) | \btabella\ con\ (?:le\ )?(?:colonne\b|\p{L}+,) | \btabela\ com\ (?:as\ )?(?:colunas\b|\p{L}+,)
    ")
    .is_match(objective)
}

/// Whether a line of guidance agrees with what the user said about the form.
pub fn fits(line: &str, goal: &Goal) -> bool {
    let lower = line.to_lowercase();
    let excluded = excluded(goal);
    let bulletless = goal.slots.length.as_deref().is_some_and(|length| {
        pattern!(r"(?i)\b(?:sentences?|paragraphs?|lines?)$").is_match(length)
    });
    !(bulletless && pattern!(r"\bbullets?\b").is_match(&lower))
        && (excluded.is_empty() || {
            // "No hype" agrees with whoever asks for none.
            let wanted = slots::without_refusals(&lower);
            !excluded.iter().any(|noun| wanted.contains(noun.as_str()))
        })
}

/// The sentence that asks for a format.
pub fn format_line(format: &str) -> String {
    let lower = format.to_lowercase();
    let strict = ["json", "csv", "yaml", "yml", "xml"].iter().any(|name| lower.contains(name));
    if strict {
        format!(
            "Return only the {} without any text around it; use the same keys or columns throughout and an empty value where nothing is known.",
            lower
                .replace("json", "JSON")
                .replace("csv", "CSV")
                .replace("yaml", "YAML")
                .replace("xml", "XML")
        )
    } else {
        format!("Present the result as {}{}.", article(&lower), lower)
    }
}

/// Drops the clauses of an output description that a requirement ("no hashtags") forbids.
fn without_excluded(output: String, goal: &Goal) -> String {
    let mut result = output;
    for noun in excluded(goal) {
        let Ok(clause) = regex::Regex::new(&format!(
            r"(?i)(?:, (?:then |and )?|; | then )[^,.;]*\b{}\w*[^,.;]*",
            regex::escape(&noun)
        )) else {
            continue;
        };
        result = clause.replace_all(&result, "").into_owned();
    }
    result
}

/// Stems of what the requirements exclude.
fn excluded(goal: &Goal) -> Vec<String> {
    goal.requirements
        .iter()
        .filter_map(|requirement| pattern!(r"(?i)^(?:no|without(?: any)?|avoid|don't (?:use|include|mention|add)|do not (?:use|include|mention|add)) (?P<v>[a-z]{4,})").captures(requirement))
        .map(|found| found["v"].to_lowercase().trim_end_matches('s').to_owned())
        .collect()
}

fn article(format: &str) -> &'static str {
    if format.ends_with('s')
        || matches!(format, "markdown" | "html" | "latex" | "plain text" | "mermaid")
    {
        ""
    } else if format.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an "
    } else {
        "a "
    }
}
