//! What a picture or clip must not show: "without a hat", "no cars, people or signs", "ohne Menschen".
//!
//! An exclusion ends with its noun phrase. It goes on behind a comma only where the next element is plainly
//! another item of the same list.

use patterns::{pattern, table};

use super::exclude_words::{
    Word, bare, is_either, is_joining, is_stop, is_style, is_usual, is_verb, words_of,
};
use crate::knowledge::Cues;

/// Words of one item at most; a longer phrase is no name of a thing.
const LONGEST_ITEM: usize = 5;
/// Words of an item that goes on a list behind a comma at most.
const LONGEST_FURTHER: usize = 3;

/// Whole names of things that are often unwanted, by what they are in English.
const NAMES: Cues = table!("unwanted", r"(?i)^{}$");
/// Exclusions in scripts without spaces between words.
const SCRIPTED: Cues = table!("unwanted_scripted", r"[、，,;；]?\s*{}");
/// Faults that have an opposite.
const FAULTS: Cues = table!("faults", r"(?i)^(?:{exclude.too} )?{}$");

/// Takes "no text", "without people", "ohne Menschen" and the like out of a sentence.
pub fn take(sentence: &str, foreign: Option<&str>, unwanted: &mut Vec<String>) -> String {
    let sentence = take_scripted(sentence, unwanted);
    let elements = elements(&sentence);
    let mut kept = String::new();
    let mut index = 0;
    while let Some((text, separator)) = elements.get(index) {
        let read = read(text, foreign, unwanted);
        let mut separator = *separator;
        index += 1;
        if read.open {
            let more = further(&elements[index..]);
            for (element, following) in &elements[index..index + more] {
                items(element, unwanted);
                separator = following;
            }
            index += more;
        }
        // What was cut out leaves no gap in front of the comma.
        kept.push_str(read.kept.trim_end());
        kept.push_str(separator);
    }
    kept
}

/// The pieces between commas, each with the mark behind it.
fn elements(sentence: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for mark in pattern!(r"[,;](?:\s|$)|[、，；]").find_iter(sentence) {
        found.push((&sentence[start..mark.start()], mark.as_str()));
        start = mark.end();
    }
    found.push((&sentence[start..], ""));
    found
}

/// An element without what it excludes.
struct Read {
    kept: String,
    /// Whether it ends inside an exclusion, so that the next element may go on with it.
    open: bool,
}

fn read(element: &str, foreign: Option<&str>, unwanted: &mut Vec<String>) -> Read {
    let mut result = Read { kept: String::new(), open: false };
    let mut at = 0;
    let known = unwanted.len();
    for (start, end) in leads(element, foreign.is_some()) {
        if start < at {
            continue;
        }
        let before = &element[at..start];
        let alone = result.kept.trim().is_empty() && before.trim().is_empty();
        let taken = taken(&element[end..], alone, unwanted);
        // Where nothing nameable follows, the words stay as they are.
        if taken > 0 {
            result.kept.push_str(before);
            at = end + taken;
            result.open = true;
        }
    }
    let rest = &element[at..];
    result.open &= rest.trim().is_empty();
    if at == 0 || !rest.contains(char::is_alphanumeric) {
        result.kept.push_str(rest);
        return result;
    }
    // What goes on behind an exclusion belongs to it where nothing stands before it; else the words stay as they are.
    let words = words_of(rest);
    let belongs = result.kept.trim().is_empty()
        && unwanted.len() == known + 1
        && words.len() <= LONGEST_ITEM
        && !words.iter().any(|word| is_joining(bare(word.text)) || is_verb(bare(word.text)));
    match unwanted.last_mut().filter(|_| belongs) {
        Some(item) => item.push_str(rest.trim_end_matches(['.', '!', '?', ' '])),
        None => {
            unwanted.truncate(known);
            element.clone_into(&mut result.kept);
        }
    }
    result
}

/// Where exclusions begin, and where their noun phrases do, in order.
fn leads(text: &str, foreign: bool) -> Vec<(usize, usize)> {
    let english = pattern!(
        r"(?i)(?:^|\s)(?:{exclude.before_plain_exclusion}\s+)*{exclude.plain_exclusion}\s+(?:{exclude.plain_article}\s+)?"
    );
    // "Not" alone excludes a quality, and only where an element begins with it.
    let quality = pattern!(
        r"(?i)^\s*(?:{exclude.before_not}\s+)*{exclude.not}\s+(?:{exclude.after_not}\s+)?"
    );
    let other = pattern!(
        r"(?i)(?:^|\s)(?:{exclude.before_exclusion}\s+)*{exclude.exclusion}(?:\s+|\b)(?:{exclude.article}\s+)?"
    );
    // "Sin" and the like are words of other meaning in English.
    let spanish = pattern!(
        r"(?i)(?:^|\s)(?:{exclude.before_ambiguous_exclusion}\s+)*{exclude.ambiguous_exclusion}\s+(?:{exclude.ambiguous_article}\s+)?"
    );
    let marked = foreign
        || pattern!(r"(?i)[ñ¿¡áíóú]|\b{exclude.telling}\b|\b{exclude.telling_exclusion}\b")
            .is_match(text);
    let patterns = [
        (!foreign).then_some(english),
        (!foreign).then_some(quality),
        Some(other),
        marked.then_some(spanish),
    ];
    let mut found: Vec<(usize, usize)> = patterns
        .into_iter()
        .flatten()
        .flat_map(|pattern| pattern.find_iter(text))
        .filter(|lead| {
            // "Nicht" and "pas" alone exclude a quality, like "not".
            let quality = pattern!(r"(?i)\b{exclude.not_foreign}\s*$").is_match(lead.as_str());
            let (before, after) = (&text[..lead.start()], &text[lead.end()..]);
            let other = pattern!(r"(?i)^(?:{exclude.no_exclusion}\b|\d|\s|$)");
            (!quality || before.trim().is_empty()) && !other.is_match(after)
        })
        .map(|lead| (lead.start(), lead.end()))
        .collect();
    found.sort_unstable();
    found
}

/// Reads the items at the beginning of a text; gives the length of what names them.
fn taken(text: &str, alone: bool, unwanted: &mut Vec<String>) -> usize {
    let words = words_of(text);
    let mut end = 0;
    let mut from = 0;
    while let Some(first) = words.get(from) {
        let mut to = from;
        while let Some(word) = words.get(to) {
            let bare = bare(word.text);
            let ends = is_joining(bare)
                || to > from && (is_stop(bare) || is_verb(bare) && !alone)
                || to > from && !alone && bare.ends_with("ing");
            if ends || to - from >= LONGEST_ITEM {
                break;
            }
            to += 1;
            if word.closes {
                break;
            }
        }
        if to == from || is_stop(bare(first.text)) && from > 0 {
            break;
        }
        let named = to;
        let place;
        (to, place) = with_place(&words, from, to, alone);
        // What is not wanted on screen is not wanted at all.
        let name = &words[if place == Place::Anywhere { named } else { to } - 1];
        let item = &text[first.start..name.end];
        exclude(item.trim_end_matches(['.', '!', '?', ':']), unwanted);
        let last = &words[to - 1];
        let phrase = &text[first.start..last.end];
        end = last.end - phrase.len() + phrase.trim_end_matches(['.', '!', '?', ':']).len();
        let Some(joint) = words.get(to).filter(|word| is_joining(bare(word.text)) && !last.closes)
        else {
            break;
        };
        let next = without_article(&words, to + 1, is_either(bare(joint.text)));
        if next >= words.len() || !is_either(bare(joint.text)) && !goes_on(&words[next..]) {
            break;
        }
        from = next;
    }
    end
}

/// Where in the picture something is not wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing is said.
    Unsaid,
    /// In a part of it.
    Part,
    /// In the whole of it.
    Anywhere,
}

/// The end of an item with "in the background", "on screen" or "on his head", which belong to it.
fn with_place(words: &[Word<'_>], from: usize, to: usize, alone: bool) -> (usize, Place) {
    let anywhere = pattern!(r"(?i)^{exclude.whole_picture}$");
    let part = pattern!(r"(?i)^{exclude.part_of_picture}$");
    let preposition = pattern!(r"(?i)^{exclude.in}$");
    let article = pattern!(r"(?i)^{exclude.the}$");
    let own = pattern!(r"(?i)^{exclude.own}$");
    let at = |index: usize| words.get(index).map_or("", |word| bare(word.text));
    if to <= from || words[to - 1].closes || !preposition.is_match(at(to)) {
        if at(to).eq_ignore_ascii_case("onscreen") || at(to).eq_ignore_ascii_case("anywhere") {
            return (to + 1, Place::Anywhere);
        }
        return (to, Place::Unsaid);
    }
    let skip = usize::from(article.is_match(at(to + 1)) || own.is_match(at(to + 1)));
    let noun = at(to + 1 + skip);
    if noun.is_empty() {
        (to, Place::Unsaid)
    } else if own.is_match(at(to + 1)) && pattern!(r"(?i)^{exclude.near}$").is_match(at(to)) {
        (to + 3, Place::Part)
    } else if anywhere.is_match(noun) {
        (to + 2 + skip, Place::Anywhere)
    } else if part.is_match(noun)
        // "…, no cars on the road, …": nothing else is there that it could belong to.
        || alone && skip == 1 && words.len() == to + 3
    {
        (to + 2 + skip, Place::Part)
    } else {
        (to, Place::Unsaid)
    }
}

/// Where an item begins behind "or a".
fn without_article(words: &[Word<'_>], from: usize, articles: bool) -> usize {
    let extra = words.get(from).is_some_and(|word| {
        let known = if articles {
            pattern!(r"(?i)^{exclude.determiner}$")
        } else {
            pattern!(r"(?i)^{exclude.none}$")
        };
        known.is_match(word.text)
    });
    from + usize::from(extra)
}

/// Whether what stands behind "and" is another thing that must not be seen: bare nouns, nothing more.
fn goes_on(words: &[Word<'_>]) -> bool {
    let own = words
        .iter()
        .take_while(|word| !is_joining(bare(word.text)))
        .take(LONGEST_FURTHER + 1)
        .collect::<Vec<_>>();
    (1..=LONGEST_FURTHER).contains(&own.len())
        && own.iter().all(|word| !is_stop(bare(word.text)) && !is_style(bare(word.text)))
        && !own[0].text.ends_with("ing")
}

/// How many of the following elements go on with the list.
fn further(elements: &[(&str, &str)]) -> usize {
    let mut count = 0;
    let mut surely = 0;
    for (element, _) in elements {
        let words = words_of(element);
        if !leads(element, false).is_empty() || !leads(element, true).is_empty() {
            break;
        }
        let Some(first) = words.first() else { break };
        let either = words.iter().any(|word| is_either(bare(word.text)));
        let plus = words.iter().any(|word| is_joining(bare(word.text)));
        let skip = usize::from(is_joining(bare(first.text)));
        let parts: Vec<&[Word<'_>]> =
            words[skip..].split(|word| is_joining(bare(word.text))).collect();
        let short = parts.iter().all(|part| {
            let part = &part[if either { without_article(part, 0, true) } else { 0 }..];
            goes_on(part)
        });
        if !short {
            break;
        }
        count += 1;
        let known = |part: &&[Word<'_>]| part.last().is_some_and(|word| is_usual(bare(word.text)));
        if either || plus && parts.iter().any(&known) {
            surely = count;
            break;
        }
        // A bare noun goes on a list only if it is often unwanted.
        if parts.iter().all(known) && surely + 1 == count {
            surely = count;
        }
    }
    surely
}

/// Records the items of an element that goes on with a list.
fn items(element: &str, unwanted: &mut Vec<String>) {
    let separators = pattern!(r"(?i)(?:^|\s){exclude.or}\s+(?:{exclude.or_article}\s+)?");
    for item in separators.split(element) {
        exclude(item.trim_end_matches(['.', '!', '?']), unwanted);
    }
}

/// The name of a fault that has an opposite: "not too dark".
pub fn fault(item: &str) -> Option<&'static str> {
    let mut faults = FAULTS.iter();
    faults.find(|(_, words)| words.is_match(item.trim())).map(|(name, _)| *name)
}

/// Whether an exclusion is a quality, which nothing can be free of: "not ugly".
pub fn is_quality(item: &str) -> bool {
    pattern!(r"(?i)^(?:{exclude.very} )?{exclude.adjective}$").is_match(item.trim())
        && !pattern!(r"(?i)^{exclude.noun}$").is_match(item.trim())
}

fn exclude(item: &str, unwanted: &mut Vec<String>) {
    let item = pattern!(r"(?i)^(?:{exclude.leading_article} |{exclude.elided_article})")
        .replace(item.trim(), "")
        .into_owned();
    let item = name_of(&item).map_or(item, str::to_owned);
    if !item.is_empty() && !unwanted.iter().any(|known| known.eq_ignore_ascii_case(&item)) {
        unwanted.push(item);
    }
}

/// Takes "人なし" and the like out of a sentence.
fn take_scripted(sentence: &str, unwanted: &mut Vec<String>) -> String {
    let mut text = sentence.to_owned();
    for (name, pattern) in SCRIPTED {
        let mut taken = String::new();
        let mut end = 0;
        for found in pattern.find_iter(&text) {
            // "无人机" is a drone.
            if !text[found.end()..].starts_with(['机', '機']) {
                taken.push_str(&text[end..found.start()]);
                end = found.end();
                exclude(name, unwanted);
            }
        }
        taken.push_str(&text[end..]);
        text = taken;
    }
    let other = pattern!(
        r"[、，,;；]?\s*{framing.without_scripted}{framing.any_scripted}?(?P<a>[^\s、，,。；;的没沒不]{1,8})(?P<of>{framing.of_scripted}?)|[、，,;；]\s*(?P<b>[^\s、，,。；;]{1,8}?){framing.lacking_scripted}{framing.particle_scripted}?"
    );
    other
        .replace_all(&text, |found: &patterns::Captures<'_>| {
            let name = found.name("a").or_else(|| found.name("b"));
            exclude(name.map_or("", |name| name.as_str()), unwanted);
            // "戴眼镜没有帽子的男人" remains "戴眼镜的男人".
            let inside = found
                .get(0)
                .is_some_and(|whole| text[..whole.start()].ends_with(char::is_alphabetic));
            found.name("of").filter(|_| inside).map_or("", |of| of.as_str()).to_owned()
        })
        .into_owned()
}

/// The English name of a thing that is often unwanted, if it is known in another language.
fn name_of(item: &str) -> Option<&'static str> {
    let mut names = NAMES.iter();
    names.find(|(_, pattern)| pattern.is_match(item)).map(|(name, _)| *name)
}

/// Whether an exclusion is about people.
pub fn is_people(exclusion: &str) -> bool {
    pattern!(r"(?i)\b{framing.people}\b").is_match(exclusion)
}
