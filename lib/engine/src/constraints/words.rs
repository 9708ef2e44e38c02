//! Which words occur, and how often.

use super::{
    Constraint, ConstraintKind as Kind, Relation,
    found::Found,
    number,
    text::{Text, range},
};
use patterns::{Pattern, pattern};

const FREQUENCIES: [Pattern; 3] = [
    // The word X should appear at least 3 times.
    pattern!(
        r"(?i)\b(?:words?|keywords?|key words?|phrases?|terms?|name)\s+(?P<v>{constraint_words.word})[^.!?\n]{0,60}?\b(?:(?P<lead>{constraint_number.lead})\s*)?(?:(?P<n>{constraint_number.number})\s+(?:or (?P<or>more|less|fewer) )?{constraint_words.times}|(?P<once>once|twice|thrice))"
    ),
    // Mention "X" at least 3 times.
    pattern!(
        r"(?i)\b(?:use|uses|using|mention|mentions|mentioning|include|includes|including|repeat|say|says|contain|contains|write|place|put)\s+(?:the )?(?:(?:exact )?(?:word|keyword|phrase|term) )?(?P<v>{constraint_words.quoted})[^.!?\n]{0,40}?\b(?:(?P<lead>{constraint_number.lead})\s*)?(?:(?P<n>{constraint_number.number})\s+(?:or (?P<or>more|less|fewer) )?{constraint_words.times}|(?P<once>once|twice|thrice))"
    ),
    // At least 3 mentions of X.
    pattern!(
        r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)(?P<n>{constraint_number.number})\s+(?:mentions|occurrences|instances|uses|repetitions)\s+of\s+(?:the )?(?:word |keyword |phrase |term )?(?P<v>{constraint_words.word})(?P<once>\b)?"
    ),
];

const EXCLUSIONS: [Pattern; 8] = [
    // Do not use the words X or Y; avoid the keywords: X, Y.
    pattern!(
        r"(?i)\b{constraint_words.negation}\b[^.!?\n:;]{0,40}?\b(?:words?|keywords?|key words?|phrases?|terms?|expressions?)\b(?:\s*:|\s+(?:such as|like))?\s*[\[(]?(?P<v>{constraint_words.word})"
    ),
    // Do not mention "X"; don't include 'can' and 'ride'.
    pattern!(
        r"(?i)\b{constraint_words.negation}\s+(?:ever |even |explicitly )?(?:to )?(?:be )?(?:includ(?:e|ing)|us(?:e|ing)|mention(?:ing)?|say(?:ing)?|contain(?:ing)?|writ(?:e|ing)|refer(?:ring)? to|talk(?:ing)? about|have|having)\s+(?:any |the )?(?:[a-z]+ )?(?P<v>{constraint_words.quoted})"
    ),
    // The word X should not appear; words X and Y are not allowed.
    pattern!(
        r"(?i)\b(?:words?|keywords?|phrases?|terms?)\s+(?P<v>{constraint_words.word})(?:[^.!?\n:;]{0,60}?)\b(?:should not|shouldn'?t|must not|mustn'?t|cannot|can ?not|can'?t|may not|does not|doesn'?t|doesn’t|do not|don'?t|are not|is not|isn'?t|aren'?t|never|not)\s+(?:be\s+)?(?:appear|occur|show|allowed|used|included?|in\b|present|mentioned|permitted|shown|be\b)"
    ),
    // The following words must not appear: X, Y.
    pattern!(
        r"(?i)\b(?:following|these)\s+(?:key ?)?(?:words?|phrases?|terms?|expressions?)\s+(?:should not|shouldn'?t|must not|mustn'?t|cannot|can'?t|may not|are not|never)\b[^.!?\n:]{0,40}:\s*(?P<v>{constraint_words.word})"
    ),
    // Ohne das Wort X, sans le mot X, sin la palabra X, senza la parola X, sem a palavra X.
    pattern!(
        r"(?i)(?:\b(?:ohne|nicht|nie|vermeide|sans|sin|no|nunca|evita|senza|non|sem|não|evite)|évite[rz]?|без|(?:^|\s)не)\s+[^.!?\n:;]{0,30}?(?:\bwort|\bwörter|\bbegriffe?|\bmots?|\bpalabras?|\bparol[ae]|\bpalavras?|слов[ао]?)\s*:?\s+(?P<v>{constraint_words.word})"
    ),
    // X is forbidden.
    pattern!(
        r"(?i)\b(?:words?|keywords?|phrases?|terms?)\s*:?\s*(?P<v>{constraint_words.word})[^.!?\n;]{0,60}?\b(?:is|are)\s+(?:forbidden|banned|prohibited|off[- ]limits|taboo)"
    ),
    pattern!(
        r"(?i)\b(?:forbidden|banned|prohibited|taboo) (?:words?|keywords?|phrases?|terms?)\s*(?::|are|is)?\s*(?P<v>{constraint_words.word})"
    ),
    // Don't mention the price, avoid jargon: everyday exclusions.
    pattern!(
        r"(?i)\b(?:do not|don'?t|don’t|never|without|avoid)\s+(?:(?:ever|explicitly|actually)\s+)?(?:us(?:e|ing)|mention(?:ing)?|includ(?:e|ing)|saying|say|refer(?:ring)? to)\s+(?:any\s+|the\s+|our\s+|my\s+)?(?P<v>jargon|emojis?|hashtags?|buzzwords|clich[eé]s|slang|profanity|acronyms|abbreviations|technical (?:terms|jargon)|marketing (?:speak|language|jargon)|passive voice|adverbs|adjectives|contractions|exclamation (?:marks?|points?)|price[s]?|pricing|competitors?|names?|dates?|numbers?|first person|markdown|headings|links|urls|quotes|rhymes?|metaphors|filler(?: words)?|external libraries|third[- ]party libraries|loops|recursion|regex)\b"
    ),
];

const INCLUSIONS: [Pattern; 5] = [
    // Include the keywords X and Y.
    pattern!(
        r"(?i)\b(?:includ(?:e|es|ing)|contain(?:s|ing)?|us(?:e|es|ing)|mention(?:s|ing)?|incorporat(?:e|es|ing)|ha(?:ve|s|ving)|add|work in|feature[s]?|with|insert)\b[^.!?\n:;]{0,30}?\b(?:(?:key ?)?words?|phrases?|terms?|expressions?|keywords)\b(?:\s*:|\s+of\b|\s+(?:such as|like))?\s*[\[(]?(?P<v>{constraint_words.word})"
    ),
    // Mention "X"; make sure to include 'X'.
    pattern!(
        r"(?i)\b(?:includ(?:e|es|ing)|contain(?:s|ing)?|mention(?:s|ing)?|incorporat(?:e|es|ing)|work in)\s+(?:(?:the|a|an)\s+)?(?:(?:exact|following|call to action|quote|hashtag|slogan|tagline)\s+)*(?P<v>{constraint_words.quoted})"
    ),
    // The words X and Y must appear.
    pattern!(
        r"(?i)\b(?:(?:key ?)?words?|phrases?|terms?)\s+(?P<v>{constraint_words.word})[^.!?\n:;]{0,80}?\b(?:must|should|shall|ha(?:s|ve) to|needs? to)\s+(?:all |both |each )?(?:appear|occur|be (?:used|included|mentioned|present|part))\b"
    ),
    // Verwende das Wort X, utilise le mot X, incluye la palabra X.
    pattern!(
        r"(?i)(?:\b(?:verwende|benutze|nutze|enthält|enthalten|mit|utilise[rz]?|emploie|contient|contenir|inclu[ts]?|avec|usa|utiliza|incluye|contiene|contener|con|includi|inserisci|use|inclua|contém|com)|используй(?:те)?|упомяни(?:те)?)\s+(?:(?:das|den|die|le|les|el|la|las|los|il|lo|i|o|as?|os)\s+)?(?:wort|wörter[n]?|begriffe?|mots?|palabras?|parol[ae]|palavras?|слов[ао]?)\s*:?\s+(?P<v>{constraint_words.word})"
    ),
    // With these keywords: X, Y. Keywords: X, Y.
    pattern!(
        r"(?i)\b(?:(?:with|using|include|use) )?(?:these|the following|following|required|mandatory|target|seo) (?:key ?words?|words|phrases|terms)\b[^.!?\n:]{0,20}:?\s*[\[(]?(?P<v>{constraint_words.word})"
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    frequencies(text, found);
    exclusions(text, found);
    inclusions(text, found);
}

fn frequencies(text: &Text<'_>, found: &mut Found) {
    for rule in FREQUENCIES {
        for captures in text.matches(rule) {
            let range = range(&captures);
            if pattern!(r"(?i)\b(?:in|with) (?:all )?cap").is_match(text.at(range.clone())) {
                continue;
            }
            let once = captures.name("once").map_or("", |found| found.as_str()).to_lowercase();
            let number = match once.as_str() {
                "once" => Some(1),
                "twice" => Some(2),
                "thrice" => Some(3),
                _ => captures.name("n").and_then(|n| number::value(n.as_str())),
            };
            let Some(number) = number else { continue };
            let lead = captures.name("lead").map_or("", |found| found.as_str());
            let trail =
                captures.name("or").map_or(String::new(), |or| format!("or {}", or.as_str()));
            let amount = number::amount(lead, number, None, &trail);
            let word = bare(&captures["v"]);
            found.push(Constraint::stated(Kind::WordFrequency, range).counted(amount).valued(word));
        }
    }
}

fn exclusions(text: &Text<'_>, found: &mut Found) {
    for rule in EXCLUSIONS {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let statement = text.at(range.clone()).to_lowercase();
            // "No less than", "do not change a word of it", "not only".
            if pattern!(r"(?:no|not) (?:less|fewer|more|only|just)\b|(?:other|any|a single|each|every|one|extra|additional|more|few(?:er)?) (?:key)?words?\b|change|repeat|letters?\b|capital|sentence|\bin the (?:key)?words?|(?:not|n't|n’t|never) (?:forget|fail|hesitate|neglect)\b").is_match(&statement) {
                continue;
            }
            let Some(first) = captures.name("v") else { continue };
            if pattern!(r"(?i)^(?:in|that|which|or|and|and/or|from|for|to|with|you|limit|count|of|before|after|than|per|other|should|must|in|is|are|at|as|by|on|like|such)$").is_match(first.as_str()) {
                continue;
            }
            let values = enumeration(text.read(), first.start());
            push_words(found, Kind::ExcludeWords, range, values);
        }
    }
}

fn inclusions(text: &Text<'_>, found: &mut Found) {
    for rule in INCLUSIONS {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let Some(first) = captures.name("v") else { continue };
            let statement = text.at(range.clone()).to_lowercase();
            let is_count = pattern!(r"\d+\s+(?:key)?words|(?:with|in) (?:all )?cap|one of the following|words? (?:in|with|or) |in other words|letter|exactly one of|\buses? of\b|(?:must|should) not\b|(?:key)?words? limit").is_match(&statement) || pattern!(r"(?i)\bone of\s*$").is_match(text.before(range.start));
            let leads_edge = pattern!(r"(?i)\b(?:end|ends|ending|finish|start|starts|begin|begins|conclude|close|sign)\w*\b[^.]{0,40}$").is_match(text.before(range.start))
                || pattern!(r"(?i)\b(?:end|finish|start|begin|conclude|close)").is_match(&statement);
            let taken = found.overlaps(Kind::ExcludeWords, &range)
                || found.overlaps(Kind::WordFrequency, &range);
            if taken || is_count || leads_edge || text.is_negated(range.start) {
                continue;
            }
            if pattern!(r"(?i)^(?:in|that|which|or|and|from|for|to|with|you|limit|count|of|before|after|than|per|should|must|is|are|at|as|by|on|like|such|but|if|when|the|a|an|it|they)$").is_match(first.as_str()) {
                continue;
            }
            // Said of a count, the word is no value: "use words at least 3 times".
            let values = enumeration(text.read(), first.start());
            push_words(found, Kind::IncludeWords, range, values);
        }
    }
}

fn push_words(found: &mut Found, kind: Kind, range: std::ops::Range<usize>, values: Vec<String>) {
    if values.is_empty() || found.overlaps(kind, &range) {
        return;
    }
    let mut constraint = Constraint::stated(kind, range);
    constraint.relation = None::<Relation>;
    constraint.values = values;
    found.push(constraint);
}

/// The words of a list that begins at `start`: "X", "Y" and "Z".
fn enumeration(text: &str, start: usize) -> Vec<String> {
    const ITEM: Pattern = pattern!(r"^{constraint_words.word}");
    let joint = pattern!(
        r"(?i)^\s*(?:,\s*(?:and|or|und|et|y|e|ou|o)?\s*|;\s*|/\s*|\s(?:and|or|und|oder|et|y|e|ou|o)\s+)"
    );
    let mut values = Vec::new();
    let mut rest = &text[start..];
    while let Some(item) = ITEM.find(rest) {
        let quoted = item.as_str().starts_with(['"', '“', '\'', '‘', '`']);
        // A list of quoted words ends where something else begins.
        if values.len() > 39
            || !values.is_empty()
                && !quoted
                && text[start..].starts_with(['"', '“', '\'', '‘', '`'])
        {
            break;
        }
        values.push(bare(item.as_str()));
        rest = &rest[item.end()..];
        match joint.find(rest) {
            Some(found) => rest = &rest[found.end()..],
            None => break,
        }
    }
    values
}

/// A word without its quotation marks and what punctuates the sentence around it.
pub fn bare(word: &str) -> String {
    unquoted(word).trim_end_matches([',', '.']).to_owned()
}

/// A phrase without its quotation marks; its own punctuation is part of it.
pub fn unquoted(phrase: &str) -> String {
    phrase.trim_matches(['"', '“', '”', '„', '«', '»', '\'', '‘', '’', '`', ' ']).to_owned()
}
