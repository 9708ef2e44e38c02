//! What a picture or clip must not show: "no people", "without cars or signs", "ohne Menschen".
//!
//! Only an element that is an exclusion and nothing else is one: "a house without windows" is a house.

use patterns::pattern;

use super::elements::Element;

/// Words of one thing at most; a longer phrase is no name of one.
const LONGEST_NAME: usize = 3;

/// The elements of a list of exclusions, and what it names.
pub type List = (std::ops::Range<usize>, Vec<String>);

/// The lists of exclusions among the elements of a text that name nothing which the rest of the text shows.
pub fn lists(elements: &[Element<'_>]) -> Vec<List> {
    let mut found: Vec<List> = Vec::new();
    let mut at = 0;
    while at < elements.len() {
        let list = list(&elements[at..]);
        let end = at + list.as_ref().map_or(1, |(length, _)| *length);
        if let Some((_, names)) = list {
            found.push((at..end, names));
        }
        at = end;
    }
    let within = |at: &usize| found.iter().any(|(range, _)| range.contains(at));
    let rest = (0..elements.len()).filter(|at| !within(at)).map(|at| elements[at].text);
    let rest = rest.collect::<Vec<_>>().join(" ");
    let shown: Vec<String> = stems(&rest).collect();
    let lettered = pattern!(r#"["“„«「]"#).is_match(&rest);
    let writing = pattern!(r"(?i)\b{exclude.writing}\b");
    found.retain(|(_, names)| {
        !names.iter().any(|name| {
            stems(name).any(|stem| shown.contains(&stem)) || lettered && writing.is_match(name)
        })
    });
    found
}

/// How many elements the list that begins with the first one has, and what they name: what is often excluded, and what a
/// word joins. A bare noun behind them may be wanted or not: then there is none.
fn list(elements: &[Element<'_>]) -> Option<(usize, Vec<String>)> {
    let mut names = names(excluded(elements.first()?.text)?)?;
    let joined = pattern!(r"(?i)(?:^|\s){exclude.or}\s");
    let usual = pattern!(r"(?i)^(?:\S+ )?{exclude.unwanted}$");
    let open = elements.windows(2).take_while(|pair| !pair[0].closes());
    let open = open.map(|pair| pair[1].text);
    let open = open.take_while(|text| !is_other(text) && excluded(text).is_none());
    let more: Vec<Vec<String>> = open.map_while(self::names).collect();
    let end = (0..more.len()).find(|at| joined.is_match(elements[at + 1].text));
    let is_usual = |names: &&Vec<String>| names.iter().all(|name| usual.is_match(name));
    let length = end.map_or_else(|| more.iter().take_while(is_usual).count(), |at| at + 1);
    if end.is_none() && length < more.len() {
        return None;
    }
    names.extend(more.into_iter().take(length).flatten());
    Some((length + 1, names))
}

/// What an element excludes, if it begins as an exclusion does.
fn excluded(element: &str) -> Option<&str> {
    let lead = pattern!(
        r"(?i)^\s*(?:(?:{exclude.before_exclusion})\s+)*(?:{exclude.exclusion}\s+(?:{exclude.article}\s+)?|{exclude.exclusion_joined}|{framing.without_scripted}{framing.any_scripted}?)"
    );
    let scripted = pattern!(r"{framing.lacking_scripted}{framing.particle_scripted}?\s*$");
    match (lead.find(element), scripted.find(element)) {
        (Some(lead), _) => Some(&element[lead.end()..]),
        (None, Some(end)) => Some(&element[..end.start()]),
        (None, None) => None,
    }
}

/// The things that a text names, if it does nothing else.
fn names(text: &str) -> Option<Vec<String>> {
    let place = pattern!(
        r"(?i)\s+(?:{exclude.in} (?:{exclude.the} )?{exclude.whole_picture}|{exclude.anywhere})\s*$"
    );
    let text = place.replace_all(text.trim(), |_| "");
    let text = pattern!(r"(?i)^{exclude.or}\s+").replace_all(&text, |_| "");
    let between = pattern!(r"(?i)\s+(?:{exclude.or}|&)\s+(?:{exclude.or_article}\s+)?");
    let boundary = pattern!(r"(?i)^(?:\S*\d\S*|{exclude.boundary}|{exclude.verb})$");
    let other = pattern!(r"(?i)^{exclude.no_exclusion}\b");
    let names: Vec<String> = between.split(&text).map(|name| name.trim().to_owned()).collect();
    let is_name = |name: &String| {
        let words = name.split_whitespace().count();
        (1..=LONGEST_NAME).contains(&words)
            && !other.is_match(name)
            && name.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || "-'’/".contains(c))
            && !name.split_whitespace().any(|word| boundary.is_match(word))
    };
    names.iter().all(is_name).then_some(names)
}

/// Whether what could go on a list is plainly something else: a style, a light, a clause.
fn is_other(text: &str) -> bool {
    let style = pattern!(r"(?i)^(?:\dd|\d*k|{exclude.style})$");
    text.split_whitespace().any(|word| style.is_match(word))
}

/// The words of a text without the mark of a plural.
fn stems(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 2)
        .map(|word| word.to_lowercase().trim_end_matches('s').to_owned())
}
