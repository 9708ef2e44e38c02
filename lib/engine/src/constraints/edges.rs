//! How the answer begins, ends and is enclosed.

use super::{
    Constraint, ConstraintKind as Kind,
    found::Found,
    number,
    text::{Text, range},
    words::{bare, unquoted},
};
use patterns::pattern;

pub fn find(text: &Text<'_>, found: &mut Found) {
    ends(text, found);
    starts(text, found);
    quotation_marks(text, found);
    postscripts(text, found);
    repeats(text, found);
}

fn ends(text: &Text<'_>, found: &mut Found) {
    let rules = [
        pattern!(
            r#"(?i)\b(?:end|ends|ending|finish(?:es)?|finishing|conclude[sd]?|concluding|close[s]?|closing|sign(?:ing)? off|wrap up)\b(?:\s+(?:it|this|the|your|my|with|entire|whole|email|e-mail|letter|response|answer|reply|post|message|story|essay|article|text|output|poem|speech|everything|off)){0,5}?\s+(?:with|by saying|in|on|using)\s+(?:exactly\s+)?(?:(?:the|this|these|a|an|exact|following|phrase|phrases|words?|sentence|line|question|statement|quote|of|text|call to action|saying|just|reading|closing)\s*)*[:,]?\s*(?P<v>"[^"\n]{1,300}"|“[^”\n]{1,300}”|'[^'\n]{2,200}'|«[^»\n]{1,200}»)"#
        ),
        pattern!(
            r"(?i)\b(?:end|finish|conclude|close)\b[^.!?\n]{0,50}?\bwith\s+(?:the|this|these)\s+(?:exact|following)?\s*(?:phrase|words?|sentence|line|question)[:,]?\s+(?P<v>[^\n.!?]{2,120}[.!?]?)"
        ),
        pattern!(
            r#"(?i)\b(?:last|final)\s+(?:sentence|line|words?|phrase|thing)\b[^.!?\n"“]{0,50}?\b(?:should|must|has to|needs to|will|is to|shall|be|is|read|are)\b[^.!?\n"“]{0,20}(?P<v>"[^"\n]{1,300}"|“[^”\n]{1,300}”|'[^'\n]{2,200}')"#
        ),
        pattern!(
            r#"(?i)\b(?:very )?end\b[^.!?\n"“]{0,40}?\b(?:should|must)\s+(?:read|say|be)\s+(?P<v>"[^"\n]{1,300}"|“[^”\n]{1,300}”)"#
        ),
        pattern!(
            r#"(?i)(?P<v>"[^"\n]{1,300}"|“[^”\n]{1,300}”)\s+(?:should|must)\s+be\s+(?:the\s+)?(?:very\s+)?(?:last|final)\b"#
        ),
        pattern!(
            r"(?i)\b(?:end|ends|finish|conclude|close)\s+(?:it |the \w+ |your \w+ )?with\s+(?:a|an|one|some)\s+(?P<v>(?:\w+\s+){0,2}(?:question|call to action|call-to-action|cta|joke|quote|summary|cliffhanger|question mark|moral|pun|rhyme|next steps?|key takeaways?|conclusion|recommendation))\b"
        ),
    ];
    for rule in rules {
        for captures in text.matches(rule) {
            let range = range(&captures);
            // "Mark it by starting and ending with an asterisk" bounds a passage.
            let both = pattern!(r"(?i)\bstarting and\s*$").is_match(text.before(range.start));
            if !both && !found.overlaps(Kind::EndsWith, &range) && !text.is_negated(range.start) {
                found.push(
                    Constraint::stated(Kind::EndsWith, range).valued(unquoted(&captures["v"])),
                );
            }
        }
    }
}

fn starts(text: &Text<'_>, found: &mut Found) {
    let paragraph = pattern!(
        r#"(?i)\b(?:(?P<o>first|second|third|fourth|fifth|sixth|last|\d+(?:st|nd|rd|th)?)\s+paragraph|paragraph\s+(?P<n>\d+|one|two|three|four|five))\b[^.!?\n]{0,40}?\b(?:start|begin|open)s?\b[^.!?\n]{0,20}?\b(?:with|by)\s+(?:the\s+)?(?:word\s+|words\s+)?(?P<v>"[^"\n]{1,60}"|'[^'\n]{1,60}'|“[^”\n]{1,60}”|[\p{L}\p{N}-]+)|\b(?:start|begin|open)s?\s+(?:the\s+)?(?:(?P<o2>first|second|third|fourth|fifth|sixth|last|\d+(?:st|nd|rd|th)?)\s+paragraph|paragraph\s+(?P<n2>\d+|one|two|three|four|five))\s+with\s+(?:the\s+)?(?:word\s+|words\s+)?(?P<v2>"[^"\n]{1,60}"|'[^'\n]{1,60}'|“[^”\n]{1,60}”|[\p{L}\p{N}-]+)"#
    );
    for captures in text.matches(paragraph) {
        let named = ["o", "n", "o2", "n2"].into_iter().find_map(|name| captures.name(name));
        let value = captures.name("v").or(captures.name("v2"));
        let mut constraint = Constraint::stated(Kind::ParagraphStart, range(&captures));
        constraint.number = named.and_then(|ordinal| ordinal_value(ordinal.as_str()));
        constraint.values = value.map(|value| bare(value.as_str())).into_iter().collect();
        found.push(constraint);
    }
    let whole = pattern!(
        r#"(?i)\b(?:start|starts|starting|begin|begins|beginning|open|opens)\b(?:\s+(?:it|every|each|all|this|the|your|my|entire|whole|email|letter|response|answer|reply|post|message|story|essay|article|text|output|poem|speech)){0,4}?\s+(?:with|by saying)\s+(?:exactly\s+)?(?:(?:the|this|these|a|an|exact|following|phrase|words?|sentence|line|question|hook)\s*)*[:,]?\s*(?P<v>"[^"\n]{1,200}"|“[^”\n]{1,200}”|'[^'\n]{2,120}')|\b(?:start|begin|open)\s+(?:it |the \w+ |your \w+ )?with\s+(?:a|an|one)\s+(?P<w>(?:\w+\s+){0,2}(?:question|hook|quote|statistic|story|anecdote|summary|greeting|joke|tl;?dr))\b"#
    );
    let first = pattern!(
        r#"(?i)\b(?:very )?(?:first|opening) (?:words?|sentence|line|phrase)\b[^.!?\n"“:]{0,40}?\b(?:must|should|has to|have to|needs to|is|are|will|shall)\b[^.!?\n"“]{0,20}?(?P<v>"[^"\n]{1,200}"|“[^”\n]{1,200}”|'[^'\n]{2,120}')"#
    );
    for captures in text.matches(first) {
        let (range, value) = (range(&captures), unquoted(&captures["v"]));
        if !found.overlaps(Kind::ParagraphStart, &range) && !text.is_negated(range.start) {
            found.push(Constraint::stated(Kind::StartsWith, range).valued(value));
        }
    }
    for captures in text.matches(whole) {
        let range = range(&captures);
        let Some(value) = captures.name("v").or(captures.name("w")) else { continue };
        if !found.overlaps(Kind::ParagraphStart, &range)
            && !found.overlaps(Kind::SectionCount, &range)
            && !text.is_negated(range.start)
        {
            found
                .push(Constraint::stated(Kind::StartsWith, range).valued(unquoted(value.as_str())));
        }
    }
}

fn ordinal_value(text: &str) -> Option<u32> {
    Some(match text.to_lowercase().as_str() {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        other => return number::value(other),
    })
}

fn quotation_marks(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:put|place|use|add)\b[^.!?\n]{0,20}?\b(?:quotes|quotations? marks?)\b[^.!?\n]{0,20}?\b(?:around|at both ends|surrounding)\b[^.!?\n]{0,30}?\b(?:entire|whole|complete|your|the) ?(?:whole |entire )?(?:response|answer|reply|output|email|message|text|essay|article|story|poem|letter)\b|\b(?:wrap(?:ped|ping)?|put|enclosed?|enclosing|surround(?:ed|ing)?|placed?|placing|inside|within|encased?|write|return|between)\b[^.!?\n]{0,120}?\b(?:in|with|by|inside|within|using|between|around)?\s*(?:double[- ]?|single[- ]?)?(?:quotations? marks?|quotes|quote marks|quotations)\b|\b(?:double[- ]?|single[- ]?)?(?:quotes|quotations? marks?|quotation marks)\b[^.!?\n]{0,40}?\b(?:should|must|placed|put|around|surround|enclose|wrap)[^.!?\n]{0,40}?\b(?:entire|whole|response|answer|reply|output|email|everything)|\bput double quotations marks around\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let statement = text.at(range.clone()).to_lowercase();
        let answer = pattern!(r"response|answer|reply|output|everything|entire|whole|email|letter|it in|text in|message|essay|article|story|poem").is_match(&statement);
        // "Your whole response should be wrapped in quotation marks" names it before.
        let named = answer
            || pattern!(r"(?i)\b(?:response|answer|reply|output|whole (?:email|letter|message|text|essay|article|story|poem))\b").is_match(text.before(range.start));
        let strings = pattern!(r"string|title|each|every|names?\b|dialogue|words? in|values?|sources?|stock quotes|famous").is_match(&statement)
            || !answer && pattern!(r"(?i)\b(?:strings?|titles?|each|every|fields?|values?|quotations? from)\b").is_match(text.before(range.start));
        if named && !strings && !text.is_negated(range.start) {
            found.push(Constraint::stated(Kind::QuotationMarks, range));
        }
    }
}

fn postscripts(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r#"(?i)\b(?:add|include|with|append|end|finish|write|have|has|contain|contains|put|and|plus|attach)\b[^.!?\n]{0,60}?\bpost[- ]?script\b(?:[^.!?\n]{0,40}?(?P<v>P\.?\s?P\.?\s?S\.?|P\.\s?S\.?|PS\b))?|\b(?:start|starts|starting|begin|beginning|starting off)\s+with\s+["'“]?(?P<w>P\.?\s?P\.?\s?S\.?|P\.\s?S\.?|PS\b)|\b(?:add|include|end with|with|append|write|finish with)\s+(?:a|an|the|one)?\s*["'“]?(?P<x>P\.?\s?P\.?\s?S\.?|P\.\s?S\.?|PS\b)["'”]?"#
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let marker = captures.name("v").or(captures.name("w")).or(captures.name("x"));
        let marker = marker.map_or("P.S.".to_owned(), |marker| marker.as_str().to_owned());
        if !found.has(Kind::Postscript) && !text.is_negated(range.start) {
            found.push(Constraint::stated(Kind::Postscript, range).valued(marker));
        }
    }
}

fn repeats(text: &Text<'_>, found: &mut Found) {
    let first = pattern!(r"(?i)\b(?:first|before|above|below|exact|exactly|word (?:for|by) word|verbatim|without (?:any )?chang|beginning|entire|then (?:give|answer|reply))\b").is_match(text.read());
    let rule = pattern!(
        r"(?i)\b(?:repl?eat|restate|copy|echo|reproduce)(?:ing)?\b[^.!?\n]{0,80}?\b(?:request|prompt|question|instructions?|sentence|text|line|paragraph|query)\b|\b(?:repl?eat|copy|say)\b[^\n]{0,300}?\bword (?:for|by) word\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let before = text.before(range.start);
        let negated = pattern!(
            r"(?i)\b(?:not|n't|n’t|never|avoid|without|no need to|before|after you)\b[^,]{0,20}$"
        )
        .is_match(before);
        if !found.has(Kind::RepeatRequest) && !negated && first {
            found.push(Constraint::stated(Kind::RepeatRequest, range));
        }
    }
}
