//! Letters, capitals and commas.

use super::{
    Constraint, ConstraintKind as Kind, Relation,
    found::Found,
    number,
    text::{Text, range},
};
use patterns::{Pattern, pattern};

const LETTER: Pattern = pattern!(
    r#"(?i)\bletters?\s+["'“‘]?(?P<v>[\p{L}#&@!?])["'”’]?(?:\W[^.!?\n]{0,60}?|\W)\b(?:(?P<lead>{constraint_number.lead})\s*)?(?:(?P<n>{constraint_number.number})\s+(?:or (?P<or>more|less|fewer) )?times?|(?P<once>once|twice|thrice))"#
);
const HASHTAGS: Pattern = pattern!(
    r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)?\b(?P<n>{constraint_number.number})(?:\s*(?:-|to)\s*(?P<m>{constraint_number.number}))?\s+(?:[a-z]+\s+){0,2}hashtags?"
);
const CAPITAL_WORDS: [Pattern; 3] = [
    pattern!(
        r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)?(?:\b(?P<n>{constraint_number.number}|a few|some)\s+)?(?:[a-z]+\s+){0,1}?\bwords?(?: or phrases)?\s+{constraint_letters.capitals}(?P<tail>[^.!?\n]{0,80})"
    ),
    pattern!(
        r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)?(?:\b(?P<n>{constraint_number.number}|a few|some)\s+)?(?:fully )?(?:all[- ]caps|all[- ]capital|capitali[sz]ed|upper ?case)\s+words?\b(?P<tail>[^.!?\n]{0,60})"
    ),
    pattern!(
        r"(?i)\b(?:words?|phrases?)\s+(?:which|that)\s+(?:are|is)\s+(?:fully )?capitali[sz]ed(?P<lead>\b)?(?P<n>\b)?(?P<tail>[^.!?\n]{0,60})"
    ),
];
const TIMES: Pattern =
    pattern!(r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)(?P<n>{constraint_number.number})\b");

pub fn find(text: &Text<'_>, found: &mut Found) {
    commas(text, found);
    frequencies(text, found);
    capital_words(text, found);
    lowercase(text, found);
    uppercase(text, found);
}

fn commas(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:(?:do|does|should|must|may|can|could|would)(?: not|n'?t|n’t)|cannot|can'?t|never|not|without|avoid(?:ing)?|refrain(?:ing)? from|no|zero|free of|exclud(?:e|ing)|omit(?:ting)?|skip(?:ping)?|leave out)\b(?:\s+(?:to|be|use|using|usage|the use of|the usage of|uses?|contain(?:ing)?|includ(?:e|ing)|have|having|put(?:ting)?|add(?:ing)?|insert(?:ing)?|any|a|single|the|all|of|even|one|writing|write|with|placing|place|employ(?:ing)?|kind of|type of)){0,6}\s+commas?\b|\bcommas? (?:are|is|must be|should be) (?:not (?:allowed|permitted|used)|forbidden|banned|prohibited|avoided|off[- ]limits)|\bkeine(?:rlei|n)? kommas?\b|\bverzichte (?:auf|bitte auf) kommas?\b|\b(?:no uses?|evita(?: las| usar)?) comas\b|(?:\bn.utilise[rz]? pas de|évite[rz]? les) virgules?\b|\bnon usare (?:le )?virgole\b|\b(?:não use|evite) vírgulas\b|不要(?:使用|用)逗号|без запятых|\bcomma[- ]free\b|\bcommas? (?:should|must|may|can) ?not\b|\bcommas? (?:cannot|can'?t|shouldn'?t|mustn'?t)\b|\bohne (?:ein )?kommas?\b|\bsans (?:aucune )?virgules?\b|\bsin (?:usar )?comas\b|\bsenza (?:usare )?virgole\b|\bsem (?:usar )?vírgulas\b"
    );
    for captures in text.matches(rule) {
        found.push(Constraint::stated(Kind::NoCommas, range(&captures)));
    }
}

fn frequencies(text: &Text<'_>, found: &mut Found) {
    for captures in text.matches(LETTER) {
        let once = captures.name("once").map(|once| once.as_str().to_lowercase());
        let number = match once.as_deref() {
            Some("once") => Some(1),
            Some("twice") => Some(2),
            Some(_) => Some(3),
            None => captures.name("n").and_then(|n| number::value(n.as_str())),
        };
        let Some(number) = number else { continue };
        let lead = captures.name("lead").map_or("", |found| found.as_str());
        let trail = captures.name("or").map_or(String::new(), |or| format!("or {}", or.as_str()));
        let amount = number::amount(lead, number, None, &trail);
        let letter = captures["v"].to_lowercase();
        let constraint = Constraint::stated(Kind::LetterFrequency, range(&captures));
        found.push(constraint.counted(amount).valued(letter));
    }
    for captures in text.matches(HASHTAGS) {
        let Some(number) = number::value(&captures["n"]) else { continue };
        let lead = captures.name("lead").map_or("", |found| found.as_str());
        let upper = captures.name("m").and_then(|m| number::value(m.as_str()));
        let amount = number::amount(lead, number, upper, "");
        let constraint = Constraint::stated(Kind::LetterFrequency, range(&captures));
        found.push(constraint.counted(amount).valued("#"));
    }
    signs(text, found);
    let none = pattern!(
        r#"(?i)\b(?:(?:do|does|should|must)(?: not|n'?t|n’t)|cannot|never|without|avoid(?:ing)?|no)\b[^.!?\n]{0,40}?\bletter\s+["'“‘]?(?P<v>\p{L})["'”’]?(?:\W|$)"#
    );
    for captures in text.matches(none) {
        let amount = number::Amount { relation: Relation::AtMost, number: 0, upper: None };
        let letter = captures["v"].to_lowercase();
        let constraint = Constraint::stated(Kind::LetterFrequency, range(&captures));
        found.push(constraint.counted(amount).valued(letter));
    }
}

/// Signs that have a name: "use the exclamation mark at least twice", "at most 3 question marks".
fn signs(text: &Text<'_>, found: &mut Found) {
    const RULES: [Pattern; 2] = [
        pattern!(
            r"(?i)\b{constraint_letters.sign}s?\b[^.!?\n]{0,40}?\b(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?P<or> or (?:more|less|fewer))? times\b"
        ),
        pattern!(
            r"(?i)\b(?P<lead>{constraint_number.lead})\s*(?P<n>{constraint_number.number})(?P<or> or (?:more|less|fewer))? {constraint_letters.sign}s?\b"
        ),
    ];
    for rule in RULES {
        for captures in text.matches(rule) {
            let Some(number) = number::value(&captures["n"]) else { continue };
            let lead = captures.name("lead").map_or("", |lead| lead.as_str());
            let trail = captures.name("or").map_or("", |or| or.as_str());
            let amount = number::amount(lead, number, None, trail);
            let sign = match captures["v"].to_lowercase().as_str() {
                "question mark" => "?",
                "semicolon" => ";",
                "hyphen" => "-",
                "dash" => "–",
                "colon" => ":",
                "emoji" => "emoji",
                _ => "!",
            };
            let constraint = Constraint::stated(Kind::LetterFrequency, range(&captures));
            found.push(constraint.counted(amount).valued(sign));
        }
    }
}

fn capital_words(text: &Text<'_>, found: &mut Found) {
    for rule in CAPITAL_WORDS {
        for captures in text.matches(rule) {
            let range = range(&captures);
            // "All words in capital letters" bounds the case, not a number of words.
            let all = pattern!(r"(?i)\b(?:all|every|each|the)(?: of the)?\s*$")
                .is_match(text.before(range.start));
            let tail = captures.name("tail").map_or("", |found| found.as_str());
            let is_no = pattern!(r"(?i)\b(?:no|without)\s*$").is_match(text.before(range.start));
            if found.overlaps(Kind::CapitalWordFrequency, &range)
                || all && captures.name("n").is_none() && TIMES.find(tail).is_none()
            {
                continue;
            }
            let (lead, number) = match (captures.name("n"), TIMES.captures(tail)) {
                (Some(n), _) if number::value(n.as_str()).is_some() => (
                    captures.name("lead").map_or("", |found| found.as_str()).to_owned(),
                    number::value(n.as_str()),
                ),
                (_, Some(times)) => (times["lead"].to_owned(), number::value(&times["n"])),
                _ => ("at least".to_owned(), Some(1)),
            };
            let amount = if is_no {
                number::Amount { relation: Relation::AtMost, number: 0, upper: None }
            } else {
                number::amount(&lead, number.unwrap_or(1), None, "")
            };
            found.push(Constraint::stated(Kind::CapitalWordFrequency, range).counted(amount));
        }
    }
}

fn lowercase(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:(?:all|only|entirely|in|be|be in|use|with|using)\s+)?(?:all\s+)?(?:the\s+)?(?:lower[- ]?cases?|small letters)\b(?: letters)?|\b(?:no|without|not|n'?t|n’t|avoid(?:ing)?|never)\b(?:\s+(?:use|using|any|the|contain|containing|include|including|have|having|be)){0,4}\s+(?:capital(?:s|i[sz]ations?)?(?: letters?)?|upper[- ]?case)\b|\bcapital letters? (?:are|is) not (?:allowed|permitted)|\ball letters? in (?:the |your )?(?:response|answer|output|text) (?:are|should be|must be) lower|\b(?:in|komplett|alles|nur) (?:kleinbuchstaben|kleingeschrieben)\b|\ben minuscules?\b|\ben minúsculas?\b|\bin minuscolo\b|\bem minúsculas?\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let before = text.before(range.start);
        let negated = pattern!(r"(?i)\b(?:no|not|without|any|convert(?:s|ing)?|from)\s*$|\b(?:not a single|no) (?:word|letter|character)\b[^.]{0,60}$|\b(?:functions?|methods?|scripts?|programs?|strings?|columns?|regex|code)\b[^,]{0,60}$").is_match(before)
            || pattern!(r"(?i)^\s*(?:function|method|string|column|keys?|not allowed|is not|are not|input|and (?:one )?(?:upper|number|digit)|variable)").is_match(text.after(range.end));
        let own_no = pattern!(r"(?i)^(?:no|without)\b.*lower").is_match(text.at(range.clone()));
        let count = pattern!(r"(?i)^[^,]{0,20}(?:less|fewer|more|at (?:least|most)) ")
            .is_match(text.after(range.end));
        if !negated && !own_no && !count {
            found.push(Constraint::stated(Kind::Lowercase, range));
        }
    }
}

fn uppercase(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:in|use|using|with|and|only|entirely|be|all)\s+(?:(?:all|only|full|entirely)\s+)*(?:in\s+)?(?:capital letters|capitals|all[- ]caps|caps\b|upper[- ]?case(?: letters)?|block letters)|\bcapitali[sz]e (?:every|each|all)(?: the)?(?: single)? (?:letters?|characters?|words?)|\ball (?:the )?letters? (?:[^.!?\n]{0,40})\b(?:should|must|are|be)\b[^.!?\n]{0,12}(?:capitali[sz]ed|capital|upper)|\ball[- ]caps\b|\bno lower[- ]?case(?: letters?)?\b|\b(?:in|komplett|alles|nur) (?:großbuchstaben|versalien)\b|\ben majuscules?\b|\ben mayúsculas?\b|\bin maiuscolo\b|\bem maiúsculas?\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let before = text.before(range.start);
        let negated = pattern!(
            r"(?i)\b(?:no|not|without|any|avoid|never|don'?t|don’t|n't|n’t)\b(?:\s+\w+){0,2}\s*$"
        )
        .is_match(before)
            && !pattern!(r"(?i)^no lower").is_match(text.at(range.clone()));
        let of_words = pattern!(
            r"(?i)\b(?:words?|acronyms?|headings?|titles?|names?|variables?|constants?|keys?)\s*$"
        )
        .is_match(before)
            && !pattern!(r"(?i)\ball (?:the )?(?:words?|letters?)\s*$").is_match(before);
        let programs = pattern!(r"(?i)^\s*(?:function|method|string|column|and (?:one )?(?:lower|number|digit)|to (?:highlight|emphasi[sz]e)|words?\b|\w* ?words? )").is_match(text.after(range.end));
        // 'The label "PURE" in capital letters' is about the label.
        let of_words = of_words || before.trim_end().ends_with(['"', '”', '\'', '’']);
        if !found.overlaps(Kind::CapitalWordFrequency, &range) && !negated && !of_words && !programs
        {
            found.push(Constraint::stated(Kind::Uppercase, range));
        }
    }
}
