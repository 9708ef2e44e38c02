//! Sets that a prompt names, and examples that break them.

use std::collections::{BTreeMap, BTreeSet};

use patterns::pattern;

use super::reading::Reading;
use super::rule::{LOOKED_AT, Spot};
use engine::prompt::Span;
use engine::prompt::mask::{Kind, lines};
use text::list;

/// Labels of examples that are looked at.
const MOST_LABELS: usize = 400;
/// Members of a series from which on it is one.
const FEWEST: usize = 3;
/// Characters of a label.
const LONGEST_LABEL: usize = 24;

/// Values to choose from.
struct Set<'a> {
    /// The key that they are for, if they are for one only.
    key: Option<&'a str>,
    values: Vec<&'a str>,
    /// Different values that examples must share with it before another one is strange.
    shared: usize,
}

/// Rows of values by what stands around them: words that say so, a key, or nothing.
fn named<'a>(reading: &'a Reading<'_>) -> Vec<Set<'a>> {
    let (text, prose) = (reading.source.text, reading.source.prose.as_str());
    let choice = pattern!(
        r"[\x22<](?P<key>\w{2,40})(?:\x22 ?: ?\x22|>)(?P<row>[\p{L}\d_ -]{1,24}(?:\x22? ?\| ?\x22?[\p{L}\d_ -]{1,24}){1,20})[\x22<]"
    );
    let keyed = pattern!(
        r"\b(?P<key>\w{2,40})[\x22`]?(?: ?: ?| ?\()(?P<one>(?i:{analyze.among}) )?(?P<row>[^.:;!?：；。！？()\[\]{}\n]{5,200}?)(?P<of>{analyze.among_behind})?\s*(?:[.;)\n]|$)"
    );
    let labels = pattern!(
        r"(?i)\b(?:{analyze.labels}(?: {analyze.are})?(?: \([^()\n]{1,40}\)| \p{L}{1,12})?:(?:[ \t]*\r?\n)?|{analyze.one_of}:?) ?(?P<row>[^.:;!?：；。！？\n]{5,200})"
    );
    let bare = pattern!(r"(?m)(?:^|[:：] ?)(?P<row>[^.:;!?：；。！？\n]{5,200})");
    // "YYYY-MM-DD" stands for a date.
    let layout = pattern!(r"^[A-Z]{1,4}(?:[-./:][A-Z]{1,4})+$");
    let short = |item: &&str| {
        let few = item.split_whitespace().count() <= 2 && item.chars().count() <= LONGEST_LABEL;
        few && !layout.is_match(item)
    };
    let mut sets = Vec::new();
    let forms = [(text, 0, choice), (text, 1, keyed), (prose, 1, labels), (prose, 2, bare)];
    for (whole, shared, form) in forms {
        for found in form.captures_iter(whole).take(LOOKED_AT) {
            let key = found.name("key").map(|key| &whole[key.range()]);
            let row = found.name("row").map_or("", |row| &whole[row.range()]);
            let values = list::row(row);
            if values.len() >= 2 && values.iter().all(short) {
                // "priority: one of low, high" leaves no other value.
                let sure = ["one", "of"].iter().any(|group| found.name(group).is_some());
                sets.push(Set { key, values, shared: if sure { 0 } else { shared } });
            }
        }
    }
    let define =
        pattern!(r"(?m)^[ \t*•-]*(?P<label>(?P<p>[A-Z]{1,3})\d{1,2})\**(?: [\p{L}–—(-]|[.:)])");
    let mut series: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for found in define.captures_iter(text).take(LOOKED_AT) {
        let [prefix, label] =
            ["p", "label"].map(|name| found.name(name).map_or(0..0, |it| it.range()));
        series.entry(&text[prefix]).or_default().push(&text[label]);
    }
    series.retain(|_, values| values.len() >= FEWEST);
    let set = |(prefix, values)| Set { key: Some(prefix), values, shared: FEWEST };
    sets.extend(series.into_iter().map(set));
    sets
}

/// Labels that examples show, by the place where they stand: behind an arrow or a quotation, behind a name or a key, in
/// a list.
fn shown<'a>(reading: &Reading<'a>) -> BTreeMap<String, Vec<(Span, &'a str)>> {
    let text = reading.source.text;
    let mut labels: Vec<(String, Span)> = Vec::new();
    let behind = pattern!(
        r"(?m)^[ \t]*(?:[-*] )?(?:[\x22“„«「][^\n]{2,300}[\x22”“»」][ \t]*(?:[:-]?->|=>|→|⇒|:|：)?|[^\n]{3,200}?(?:->|=>|→|⇒))[ \t]*(?P<label>[\p{L}_-]+(?: [\p{L}_-]+)?)[ \t]*(?:$|, )"
    );
    let found = behind.captures_iter(text).filter_map(|found| found.name("label"));
    labels.extend(found.map(|label| ("→".to_owned(), label.range().into())));
    for part in reading.source.mask.of_kind(Kind::Example) {
        for (span, line) in lines(reading.source.slice(part)) {
            let Some((name, value)) = line.split_once([':', '：']) else { continue };
            let (end, value) = (part.start + span.end, value.trim());
            if !value.is_empty() && !value.starts_with(['{', '[', '<']) {
                labels.push((name.trim().to_owned(), Span::new(end - value.len(), end)));
            }
        }
    }
    let pair = pattern!(
        r"[\x22<](?P<key>\w{2,40})(?:\x22 ?: ?\x22|>)(?P<value>[\p{L}\d_ -]{2,24})(?:\x22 ?[,}\n]|\x22$|</)"
    );
    let stands_for = pattern!(r"(?i)^(?:string|text|number|integer|boolean|enum|value|null)$");
    for found in pair.captures_iter(text).filter(|found| !stands_for.is_match(&found["value"])) {
        let value = found.name("value").map(|value| value.range().into());
        labels.extend(value.map(|value| (format!("\"{}", &found["key"]), value)));
    }
    let list = pattern!(r"\[(?:\x22[\p{L}\d_ -]{2,24}\x22,? ?){2,12}\]");
    let item = pattern!(r"\x22(?P<v>[^\x22]+)\x22");
    for found in list.find_iter(text) {
        let items = item.captures_iter(found.as_str()).filter_map(|item| item.name("v"));
        let place = |item: patterns::Match<'_>| Span::from(item.range()).moved(found.start());
        labels.extend(items.map(|item| ("[".to_owned(), place(item))));
    }
    let member = pattern!(r"\b(?P<p>[A-Z]{1,3})\d{1,2}\b");
    let place = |found: patterns::Captures<'_>| {
        (format!("#{}", &found["p"]), Span::from(found.get_match().range()))
    };
    labels.extend(member.captures_iter(text).map(place));
    let mut groups: BTreeMap<String, Vec<(Span, &str)>> = BTreeMap::new();
    for (name, span) in labels.into_iter().take(MOST_LABELS) {
        groups.entry(name).or_default().push((span, reading.source.slice(span)));
    }
    groups
}

/// A key of an example that its form or a row of keys does not have, in place of one that it has.
fn strange_keys(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let sign = pattern!(
        r"[{}]|\x22(?P<key>[\p{L}_][\p{L}\d_-]{1,40})\x22 ?: ?(?:(?:true|false|null|None)\b|(?P<form>\x22?(?:\.\.\.|…|<)|\x22[^\x22\n]{0,40}(?:\||\x22 ?\|)|\p{L}))?"
    );
    let row = pattern!(
        r"[\x22`]\w{2,40}[\x22`](?:,? ?(?:\p{L}{1,3} )?[\x22`]\w{2,40}[\x22`]){1,20}|(?m:(?:^[ \t]*[-*•] [`\x22]?[a-z]\w{1,40}[`\x22]?(?: ?[:(–-][^\n]*)?(?:\r?\n|\z)){2,30})"
    );
    let (name, item) =
        (pattern!(r"[\x22`]\w{2,40}[\x22`]"), pattern!(r"(?m)^[ \t]*[-*•] [\x22`]?\w{2,40}"));
    let names = |row: patterns::Match<'_>| {
        let name = if row.as_str().contains('\n') { item } else { name };
        let names = name.find_iter(&source.text[row.range()]);
        names.map(|it| it.as_str().trim_matches(['"', '`', ' ', '\t', '-', '*', '•'])).collect()
    };
    let rows = row.find_iter(source.text).take(LOOKED_AT);
    let rows = rows.filter(|row| !source.text[row.end()..].trim_start().starts_with(':'));
    let mut forms: BTreeSet<BTreeSet<&str>> = rows.map(names).collect();
    let (mut open, mut objects) = (vec![(Vec::new(), false)], Vec::new());
    for found in sign.captures_iter(source.text).take(MOST_LABELS) {
        match (found.name("key"), found.get_match().as_str()) {
            (Some(key), _) => {
                let Some((keys, is_form)) = open.last_mut() else { continue };
                keys.push(Span::from(key.range()));
                *is_form |= found.name("form").is_some();
            }
            (None, "{") => open.push((Vec::new(), false)),
            _ => objects.extend(open.pop()),
        }
    }
    objects.append(&mut open);
    let of =
        |keys: &[Span]| -> BTreeSet<&str> { keys.iter().map(|key| source.slice(*key)).collect() };
    forms.extend(objects.iter().filter(|(_, is_form)| *is_form).map(|(keys, _)| of(keys)));
    let shown = objects.iter().filter(|(keys, is_form)| !is_form && keys.len() > 1);
    // Where an example has the form, the others are what is worked on.
    let answers = forms.len() == 1 && !shown.clone().any(|(keys, _)| forms.contains(&of(keys)));
    let strange = shown.filter_map(|(keys, _)| {
        let own = of(keys);
        let is_example = || keys.iter().all(|key| source.mask.holds(*key, &[Kind::Example]));
        let renames = |form: &&BTreeSet<&str>| {
            let shared = form.intersection(&own).count();
            form.len() == own.len() && (shared >= 2 || (shared == 1 || answers) && is_example())
        };
        let form = forms.iter().find(renames)?;
        let key = keys.iter().find(|key| !form.contains(source.slice(**key)))?;
        let named: Vec<&str> = form.iter().copied().collect();
        Some(Spot::naming(*key, named.join(", ")))
    });
    strange.collect()
}

/// An example's label or key that is none of those named, or is spelled in another way.
pub fn example_outside_set(reading: &Reading<'_>) -> Vec<Spot> {
    let sets = named(reading);
    let mut spots = strange_keys(reading);
    for (name, group) in shown(reading) {
        for set in &sets {
            // A member of a series is no label of another set.
            let key = name.strip_prefix(['"', '#']);
            if set.key.map_or(name.starts_with('#'), |own| key != Some(own)) {
                continue;
            }
            // Several labels at once are no label of their own.
            let is_named = |label: &str| set.values.contains(&label);
            let is_known =
                |label: &str| is_named(label) || list::row(label).into_iter().all(is_named);
            let (known, wrong): (Vec<_>, Vec<_>) =
                group.iter().partition(|(_, label)| is_known(label));
            let labels = |list: &[&(Span, &str)]| -> usize {
                list.iter().map(|(_, label)| *label).collect::<BTreeSet<_>>().len()
            };
            let enough = set.shared == 0
                || labels(&known) >= set.shared
                    && known.len() >= wrong.len()
                    && (set.shared == 1 || labels(&known) >= labels(&wrong));
            if enough {
                let spot = |(span, _): &&(Span, &str)| Spot::naming(*span, set.values.join(", "));
                spots.extend(wrong.iter().map(spot));
            }
        }
    }
    spots.sort_by_key(|spot| spot.span);
    spots.dedup_by_key(|spot| spot.span);
    spots
}
