//! How long the answer is, and how many parts it has.

use patterns::{Captures, Pattern, pattern};

use super::{
    Constraint, ConstraintKind as Kind, Relation,
    found::Found,
    number,
    text::{Text, range},
};

/// What is counted, the more specific units first.
const RULES: [(Pattern, Kind); 9] = [
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:bullet(?:ed)?(?:[- ]?(?:points?|items?|lists?))?s?)\b){constraint_count.behind}"
        ),
        Kind::ItemCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>placeholders?\b){constraint_count.behind}"
        ),
        Kind::PlaceholderCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:words?|wörter[n]?|worte?n?|mots|palabras|parole|palavras)\b|слов[ао]?){constraint_count.behind}"
        ),
        Kind::WordCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:sentences?|sätze[n]?|satz|phrases|oraciones|frases|frasi)\b|предложени[йяе]){constraint_count.behind}"
        ),
        Kind::SentenceCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:paragraphs?|stanzas?|verses?|absätze[n]?|paragraphes|párrafos|paragrafi|parágrafos)\b|абзац(?:ев|а)?){constraint_count.behind}"
        ),
        Kind::ParagraphCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:characters?|chars?|zeichen|caractères|caracteres|caratteri)\b|символов){constraint_count.behind}"
        ),
        Kind::CharacterCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:sections?|chapters?|parts|abschnitte[n]?|secciones|sezioni|seções)\b){constraint_count.behind}"
        ),
        Kind::SectionCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:(?:different |distinct |separate |alternative )?(?:responses|answers|versions|variants|variations|alternatives|drafts))\b){constraint_count.behind}"
        ),
        Kind::ResponseCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:items|points|tips|ideas|reasons|examples|steps|questions|facts|recommendations|suggestions|options|names|titles|headlines|slogans|taglines|subject lines|hashtags|rows|columns|recipes|exercises|lines|pages|slides|minutes)\b){constraint_count.behind}"
        ),
        Kind::ItemCount,
    ),
];

/// "The number of words is below 300", "limit the length to 300 words".
const NUMBER_OF: Pattern = pattern!(
    r"(?i)\bnumber of (?P<unit>words|sentences|paragraphs|characters|bullet points|sections)\b[^.!?\n]{0,60}?(?:(?P<lead>{constraint_number.lead})\s*(?:of\s+)?|\b(?:be|is|of|equals?|:)\s+)(?P<n>{constraint_number.number})(?:\s*(?:-|–|to|and)\s*(?P<m>{constraint_number.number}))?(?P<trail>\s+or\s+(?:more|less|fewer))?"
);

/// Chinese, Japanese and Korean wordings: a rule, what it counts and how the number is meant.
const CJK: [(Pattern, Kind, Relation); 10] = [
    (
        pattern!(
            r"(?:给出|列出|列举|提供|写出|写|举出|推荐|提出|想出)\s*(?P<n>{constraint_count.figure})\s*(?:个|条|种|点|项|款)"
        ),
        Kind::ItemCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure})\s*(?:つ|個)(?:の[^。\n]{1,20})?(?:を)?(?:挙げ|教え|提案|書い|出し|リスト|考え)"
        ),
        Kind::ItemCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure})\s*(?:가지|개)(?:를|을)?\s*(?:[가-힣]{1,10}\s*)?(?:알려|제안|추천|적어|써|말해|나열)"
        ),
        Kind::ItemCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"用\s*(?P<m>{constraint_count.figure})\s*(?:个)?(?:句话|句子)|(?P<n>{constraint_count.figure})\s*(?:문장으로|文で)"
        ),
        Kind::SentenceCount,
        Relation::Exactly,
    ),
    (
        pattern!(r"(?P<n>{constraint_count.figure})\s*(?:个段落|段落で|문단으로|단락으로)"),
        Kind::ParagraphCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"(?:不超过|不多于|最多|少于|至多)\s*(?P<n>{constraint_count.figure}){constraint_count.letters}"
        ),
        Kind::CharacterCount,
        Relation::AtMost,
    ),
    (
        pattern!(
            r"(?:不少于|至少|最少|多于)\s*(?P<n>{constraint_count.figure}){constraint_count.letters}"
        ),
        Kind::CharacterCount,
        Relation::AtLeast,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}(?:以内|以下|まで|이내|이하)"
        ),
        Kind::CharacterCount,
        Relation::AtMost,
    ),
    (
        pattern!(r"(?P<n>{constraint_count.figure}){constraint_count.letters}(?:以上|이상)"),
        Kind::CharacterCount,
        Relation::AtLeast,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}(?:左右|程度|정도|ほど)"
        ),
        Kind::CharacterCount,
        Relation::About,
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    let amounts = pattern!(r"(?i)(?:{constraint_number.lead}\s*)?{constraint_number.number}");
    let amounts: Vec<usize> = amounts.find_iter(text.read()).map(|amount| amount.start()).collect();
    for (rule, kind) in RULES {
        let mut from = 0;
        for start in &amounts {
            if *start < from {
                continue;
            }
            let Some(captures) = rule.captures_anchored(text.read(), *start) else { continue };
            from = range(&captures).end;
            if joins(group(&captures, "adj")) {
                // "One in two sentences": another thing is counted by this number, not by the next.
                from = captures.name("n").map_or(from, |number| number.end());
            } else if let Some(constraint) = counted(text, &captures, kind) {
                found.push(constraint);
            }
        }
    }
    things(text, found);
    for captures in text.matches(NUMBER_OF) {
        let kind = match captures["unit"].to_lowercase().as_str() {
            "words" => Kind::WordCount,
            "sentences" => Kind::SentenceCount,
            "paragraphs" => Kind::ParagraphCount,
            "characters" => Kind::CharacterCount,
            "sections" => Kind::SectionCount,
            _ => Kind::ItemCount,
        };
        let about_capitals = pattern!(r"(?i)^[^.!?\n]{0,30}\bin (?:all )?cap")
            .is_match(text.after(range(&captures).start + 10));
        if let Some(amount) = amount(&captures, "trail").filter(|_| !about_capitals) {
            found.push(Constraint::stated(kind, range(&captures)).counted(amount));
        }
    }
    for (rule, kind, relation) in CJK {
        for captures in text.matches(rule) {
            let number = captures.name("n").or(captures.name("m"));
            let Some(number) = number.and_then(|n| number::value(n.as_str())) else { continue };
            let amount = number::Amount { relation, number, upper: None };
            found.push(Constraint::stated(kind, range(&captures)).counted(amount));
        }
    }
    responses(text, found);
    repeatedly(text, found);
    later_placeholders(text, found);
    placeholders(text, found);
}

fn group<'t>(captures: &'t Captures<'_>, name: &str) -> &'t str {
    captures.name(name).map_or("", |found| found.as_str())
}

fn amount(captures: &Captures<'_>, trail: &str) -> Option<number::Amount> {
    let first = number::value(group(captures, "n"))?;
    let second = captures.name("m").and_then(|m| number::value(m.as_str()));
    let said = format!("{} {}", group(captures, trail), group(captures, "after"));
    Some(number::amount(group(captures, "lead"), first, second, &said))
}

fn counted(text: &Text<'_>, captures: &Captures<'_>, kind: Kind) -> Option<Constraint> {
    let range = range(captures);
    let (before, after) = (text.before(range.start), text.after(range.end));
    let adjectives = group(captures, "adj").to_lowercase();
    let unit = group(captures, "unit").to_lowercase();
    let bare = captures.name("lead").is_none()
        && group(captures, "trail").is_empty()
        && group(captures, "after").is_empty();
    // "These two paragraphs", "the last 3 sentences", "my 500-word essay": material.
    let points = pattern!(
        r"(?i)\b(?:these|those|this|that|my|his|her|their|whose|last|previous|following|above|original|following)\s*$"
    );
    if points.is_match(before)
        || bare && pattern!(r"(?i)\b(?:the|first|every|each|per|another)\s*$").is_match(before)
    {
        return None;
    }
    if pattern!(r"(?i)^\s*(?:ago|per minute|a minute|of code|long wait|old|below|above|of view|that (?:i|we) (?:wrote|have))").is_match(after) {
        return None;
    }
    let mut amount = amount(captures, "trail")?;
    if bare && amount.relation == Relation::Exactly && limits(before) {
        amount.relation = Relation::AtMost;
    }
    if let Some(turned) = turned(before, group(captures, "lead"), group(captures, "n")) {
        amount = turned;
    }
    if describes(before) || kind == Kind::CharacterCount && is_about_input(text, before) {
        return None;
    }
    match kind {
        Kind::WordCount => {
            let others = pattern!(
                r"(?i)^\s*(?:or phrases |or more words )?(?:[\p{L} ]{0,40}\b(?:should|must|need to|have to|to) (?:be |appear )?(?:written )?)?(?:(?:with|in|that are|which are|written in) (?:all |only )?(?:cap|upper)|all caps)"
            );
            if others.is_match(after)
                || adjectives.contains("capital")
                || adjectives.contains("key")
            {
                return None;
            }
            // "Use one word for it", "two words: thank you".
            if bare && amount.number < 3 && unit != "word" {
                return None;
            }
            if bare
                && amount.number == 1
                && !pattern!(r"(?i)\b(?:in|with|use|using|just|only)\s*$").is_match(before)
            {
                return None;
            }
        }
        // English phrases are no sentences.
        Kind::SentenceCount
            if unit == "phrases"
                && !pattern!(r"(?i)^(?:deux|trois|quatre|cinq|dix)$")
                    .is_match(group(captures, "n"))
                && !pattern!(r"(?i)\ben\s*$").is_match(before)
                && !pattern!(r"(?i)\bau |maximum").is_match(group(captures, "after")) =>
        {
            return None;
        }
        Kind::SectionCount if unit == "parts" && bare && !states(before) => return None,
        Kind::SectionCount
            if pattern!(r"(?i)highlight|italic|bold").is_match(before)
                || pattern!(r"(?i)text|highlight|italic").is_match(&adjectives)
                || pattern!(r"(?i)^[^,]{0,40}(?:highlight|italic|bold)").is_match(after) =>
        {
            return None;
        }
        Kind::ParagraphCount | Kind::SentenceCount | Kind::SectionCount
            if bare && amount.number == 1 && !states(before) =>
        {
            return None;
        }
        Kind::ResponseCount if bare && !states(before) => return None,
        Kind::ItemCount
            if bare && unit != "bullet" && !unit.starts_with("bullet") && !states(before) =>
        {
            return None;
        }
        _ => {}
    }
    let constraint = Constraint::stated(kind, range).counted(amount);
    Some(if kind == Kind::ItemCount { constraint.valued(unit) } else { constraint })
}

/// Whether what stands between a number and a unit joins it to something else.
fn joins(adjectives: &str) -> bool {
    pattern!(r"(?i)\b(?:times?|to|with|for|and|or|the|in|of|per|into)\b").is_match(adjectives)
        && !pattern!(r"(?i)^\s*(?:of|to)?\s*$").is_match(adjectives)
}

/// What a comparison means that is denied: "must not be longer than 5 sentences".
fn turned(before: &str, lead: &str, first: &str) -> Option<number::Amount> {
    let denied = pattern!(
        r"(?i)\b(?:not|none|no one|nobody|never|cannot|don['’]t|shouldn['’]t|mustn['’]t|can['’]t)\b(?P<gap>[^,]{0,30})$"
    );
    let gap = denied.captures(before)?;
    if pattern!(r"(?i)\b(?:and|but|then)\b").is_match(&gap["gap"]) {
        return None;
    }
    let relation = if pattern!(r"(?i)^(?:more|greater|longer|larger) than|^(?:over|above)$")
        .is_match(lead)
    {
        Relation::AtMost
    } else if pattern!(r"(?i)^(?:less|fewer|shorter|smaller) than|^(?:under|below)$").is_match(lead)
    {
        Relation::AtLeast
    } else {
        return None;
    };
    Some(number::Amount { relation, number: number::value(first)?, upper: None })
}

/// Whether a number without more is a limit: "keep it to 50 words".
fn limits(before: &str) -> bool {
    pattern!(r"(?i)\b(?:limit|keep|restrict|cap|confin|stick)\w*\b[^,]{0,60}\bto\s*$")
        .is_match(before)
}

/// Whether the words before a number describe something that exists: "our page has 2 sections".
fn describes(before: &str) -> bool {
    let told = pattern!(
        r"(?i)\b(?:(?:i|we|he|she|they) (?:had|have|has|did|would|could|read|wrote|said|was|were)|i['’]ve|ich habe|wir haben|j['’]ai|nous avons|(?:he|hemos|ho|abbiamo) \p{L}+(?:[aiuí]do|[aiu]to|tto|sto|cho)) (?:\p{L}+ ){0,3}$"
    );
    if told.is_match(before) {
        return true;
    }
    pattern!(r"(?i)\b(?:my|our|his|her|their|a|an|the (?:original|dataset|data|table|file|contract|book|novel|film|song))\s+(?:[\w-]+\s+){0,2}(?:has|have|had|contains|contained|consists of)\s*$").is_match(before)
}

/// Whether characters are those of what a program is given.
fn is_about_input(text: &Text<'_>, before: &str) -> bool {
    pattern!(r"(?i)\b(?:passwords?|user ?names?|input|(?:text |input |form )?fields?|strings?|columns?|identifiers?|variables?)\b").is_match(before)
        || pattern!(r"(?i)\b(?:regular expression|regex|validate|validation|create a form|form with|input field)\b").is_match(text.read())
}

/// Things of any name that are asked for: "list five benefits", "nenne drei Gründe".
fn things(text: &Text<'_>, found: &mut Found) {
    const THINGS: Pattern = pattern!(
        r"(?i){constraint_count.ask}\s+(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?:\s*(?:-|–|to|and|bis|à|y|e|a)\s*(?P<m>{constraint_number.number}))?(?P<trail>\+| or (?:more|less|fewer))?\s+(?P<thing>[\p{L}’'-]{3,30})(?P<more>(?: [\p{L}’'-]{3,30}){0,3})"
    );
    // Other kinds count these, or they are measures.
    let others = pattern!(
        r"(?i)^(?:words?|sentences?|paragraphs?|stanzas?|verses?|characters?|chars?|sections?|chapters?|parts|responses?|answers?|versions?|variants?|variations?|alternatives?|drafts?|bullets?|bullet-points?|placeholders?|times?|minutes?|hours?|days?|weeks?|months?|years?|dollars?|euros?|percent|points?-of|wörter|worte|sätze|absätze|zeichen|mots|phrases|paragraphes|palabras|frases|oraciones|párrafos|parole|frasi|paragrafi|palavras|parágrafos|слов[ао]?|предложени[йяе]|абзац\w*|символ\w*|highlighted|hashtags?)$"
    );
    for captures in text.matches(THINGS) {
        let thing = &captures["thing"];
        let mut names = std::iter::once(thing).chain(captures["more"].split_whitespace());
        let plural = pattern!(
            r"(?i)s$|[^\x00-\x7F]|(?:en|er|e|i)$|^(?:people|children|men|women|criteria|phenomena)$"
        );
        let Some(amount) = amount(&captures, "trail").filter(|amount| amount.number > 1) else {
            continue;
        };
        // The thing is the first noun in the plural.
        let end = captures.name("thing").map_or(0, |thing| thing.end());
        let range = range(&captures).start..end;
        let other = std::iter::once(thing)
            .chain(captures["more"].split_whitespace())
            .take_while(|name| {
                !pattern!(r"(?i)^(?:of|for|with|from|that|which|about|and|in)$").is_match(name)
            })
            .any(|name| others.is_match(name));
        let Some(name) = names.find(|name| plural.is_match(name)).filter(|_| !other) else {
            continue;
        };
        if !found.overlaps(Kind::ItemCount, &range) && !text.is_negated(range.start) {
            let constraint = Constraint::stated(Kind::ItemCount, range).counted(amount);
            found.push(constraint.valued(name.to_lowercase()));
        }
    }
}

/// Whether the words before a number ask for so many.
fn states(before: &str) -> bool {
    pattern!(r"(?i)(?:\b(?:in|of|with|into|using|use|have|has|contain|contains|containing|include|includes|including|write|give|gives|giving|list|lists|provide|suggest|name|generate|create|make|produce|recommend|me|us|be|top|the (?:top|best)|exactly|draft|return|output|add|and|show|offer|brainstorm|propose|find|pick|are|is|need|want|share|present|limit (?:it )?to|keep (?:it )?to|to|schreibe|nenne|gib|liste|en|mit|donne|dame|escribe|scrivi|dammi|escreva)|écris)\s*(?:me |us |it )?$").is_match(before)
}

/// Several answers at once: "give two different responses".
fn responses(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:give|write|provide|generate|recommend|create|rewrite|make|offer)\b[^.!?\n]{0,60}?\b(?:exactly )?(?P<n>two|2|three|3)\s+(?:completely |entirely |very )?(?:different |distinct |alternative |separate )?(?:responses|answers|versions|jokes|poems|critiques|options|movies|variants|alternatives)\b"
    );
    for captures in text.matches(rule) {
        let Some(number) = number::value(&captures["n"]) else { continue };
        let amount = number::Amount { relation: Relation::Exactly, number, upper: None };
        found.push(Constraint::stated(Kind::ResponseCount, range(&captures)).counted(amount));
    }
}

/// "Answer twice".
fn repeatedly(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:answer|respond|reply)(?: to)?(?: this| it| the question| me)? (?P<n>twice|three times)\b"
    );
    for captures in text.matches(rule) {
        let number = if captures["n"].eq_ignore_ascii_case("twice") { 2 } else { 3 };
        let amount = number::Amount { relation: Relation::Exactly, number, upper: None };
        found.push(Constraint::stated(Kind::ResponseCount, range(&captures)).counted(amount));
    }
}

/// Placeholders that are counted in a later clause: "and use at least five of them".
fn later_placeholders(text: &Text<'_>, found: &mut Found) {
    const RULE: Pattern = pattern!(
        r"(?i)\bplaceholders?\b[^.!?\n]{0,60}?\b(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?P<trail> or (?:more|less|fewer))? of (?:them|these)\b"
    );
    for captures in text.matches(RULE) {
        if let Some(amount) = amount(&captures, "trail") {
            let constraint = Constraint::stated(Kind::PlaceholderCount, range(&captures));
            found.push(constraint.counted(amount));
        }
    }
}

/// Placeholders without a count: "use placeholders in square brackets".
fn placeholders(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:include|contain|contains|use|have|has|with|leave|add|insert)\b[^.!?\n]{0,50}?\bplaceholders?\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        if !found.overlaps(Kind::PlaceholderCount, &range)
            && !text.is_negated(range.end - 1)
            && !text.is_negated(range.start)
        {
            let amount = number::Amount { relation: Relation::AtLeast, number: 1, upper: None };
            found.push(Constraint::stated(Kind::PlaceholderCount, range).counted(amount));
        }
    }
}
