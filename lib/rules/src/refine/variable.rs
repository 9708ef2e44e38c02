//! Naming, filling and making variables.

use super::courtesy::unquoted;
use super::exchange::{Exchange, Kind};
use super::op::Op;
use super::state::{brief, exchange_all};
use super::value;
use super::work::{Outcome, Work};
use crate::split::capitalize;
use engine::FeedbackStatus;
use patterns::pattern;
use text::variables;

const MISSING: &str = "The prompt does not say \"{}\".";

/// What a remark asks to do with variables, if anything.
pub fn read(text: &str, prompt: &str) -> Option<Op> {
    let is_known = |name: &str| variables::find(prompt).iter().any(|found| found.name == name);
    let bare = |text: &str| {
        unquoted(text).trim_start_matches("{{").trim_end_matches("}}").trim().to_owned()
    };
    let removes = pattern!(
        r"(?i)^{refine_variable.remove_verb} (?:{refine_variable.remove_article} )?(?:{refine_variable.variable_noun} (?P<a>\S{1,60})|(?P<b>\S{1,60}?)[- ]{refine_variable.variable_behind})$"
    );
    if let Some(found) = removes.captures(text)
        && let Some(name) = found.name("a").or(found.name("b"))
    {
        let name = bare(name.as_str());
        if is_known(&name) {
            return Some(Op::Remove {
                what: format!("{{{{{name}}}}}"),
                quoted: false,
                part: false,
            });
        }
    }
    let rename = pattern!(
        r"(?i)^{refine_variable.rename_verb} (?:{refine_variable.rename_article} )?(?:{refine_variable.name_of} )?(?:(?:{refine_common.the} )?{refine_variable.variable_before}[ :]+)?(?P<old>\S.{0,80}?) {refine_variable.rename_to} (?:(?:{refine_common.the} )?{refine_variable.new_variable}[ :]+)?(?P<new>\S.{0,80}?)(?: {refine_variable.particle})?$"
    );
    if let Some(found) = rename.captures(text) {
        let (old, new) = (bare(&found["old"]), bare(&found["new"]));
        let marked = found["new"].contains("{{")
            || pattern!(r"(?i)^{refine_variable.rename_stem}").is_match(text);
        let mentions = found["old"].contains("{{")
            || pattern!(r"(?i)\b{refine_variable.variable_noun}\b").is_match(text);
        if marked && is_name(&new) && (mentions || is_known(&old)) {
            return Some(Op::Rename { old, new: new.replace(' ', "_") });
        }
        let renames = pattern!(r"(?i)^{refine_variable.rename_stem}").is_match(text);
        if renames && !mentions {
            let (old, new) =
                (unquoted(&found["old"]).to_owned(), unquoted(&found["new"]).to_owned());
            let kind = Kind::Order;
            return Some(Op::Replace(Exchange { old, new, quoted: false, kind }));
        }
        if mentions && !marked && !old.is_empty() {
            return Some(Op::Fill { name: old, value: unquoted(&found["new"]).to_owned() });
        }
    }
    let fill = pattern!(
        r"(?i)^(?:{refine_variable.fill_verb} )?(?:{refine_common.the} )?(?:{refine_variable.fill_noun}[ :]+)?(?P<name>\{\{[^{}\n]+\}\}) (?:=|{refine_variable.fill_with}) ?(?P<v>.{1,500})$"
    );
    if let Some(found) = fill.captures(text) {
        let name = bare(&found["name"]);
        if !found["v"].contains("{{") {
            return Some(Op::Fill { name, value: unquoted(&found["v"]).to_owned() });
        }
    }
    let make = pattern!(
        r"(?i)^{refine_variable.make_verb} (?:{refine_variable.make_article} )?(?P<v>.{1,120}?) (?:{refine_variable.make_to} )?(?:{refine_variable.make_a} )?(?:{refine_variable.template} )?{refine_variable.make_variable}(?: {refine_variable.particle})?(?: {refine_variable.called} (?P<name>.{1,60}))?$"
    );
    let parametrize = pattern!(
        r"(?i)^{refine_variable.insert_verb} (?:{refine_variable.insert_a} )?{refine_variable.variable_behind} (?:{refine_variable.insert_called} (?P<name>\S{1,60}) )?{refine_variable.for} (?:{refine_common.article_or_possessive} )?(?P<v>.{1,120}?)(?: {refine_common.added_particle})?$"
    );
    let found = make.captures(text).or_else(|| parametrize.captures(text))?;
    let thing = found["v"].trim();
    if let Some(name) = found.name("name") {
        let name = bare(name.as_str());
        return is_name(&name).then(|| Op::Variables(vec![(thing.to_owned(), name)]));
    }
    let several = pattern!(r"(?i)\b{refine_variable.variables}\b").is_match(text);
    let things: Vec<&str> = if several {
        pattern!(r"(?i)\s*,\s*(?:{refine_common.and} )?|\s+{refine_common.and}\s+")
            .split(thing)
            .collect()
    } else {
        vec![thing]
    };
    let article = pattern!(r"(?i)^{refine_common.article_or_possessive}\s+");
    let list: Vec<(String, String)> = things
        .into_iter()
        .map(|thing| article.replace(thing.trim(), "").into_owned())
        .map(|thing| (thing.clone(), name_of(unquoted(&thing))))
        .filter(|(_, name)| is_name(name))
        .collect();
    (!list.is_empty()).then_some(Op::Variables(list))
}

/// A name for the variable that stands for a phrase.
fn name_of(phrase: &str) -> String {
    let words: Vec<String> = phrase
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(4)
        .map(str::to_lowercase)
        .collect();
    words.join("_")
}

fn is_name(name: &str) -> bool {
    (1..=60).contains(&name.chars().count()) && !name.contains(['{', '}', '\n', '"'])
}

/// Names a variable otherwise wherever it stands.
pub fn rename(work: &mut Work<'_>, old: &str, new: &str) -> Outcome {
    if variables::find(work.prompt).iter().any(|found| found.name == new) {
        return work.refused("The prompt has a variable named \"{}\" already.", &[new]);
    }
    let names = work.markers(old).into_iter().map(|(_, name)| name).collect();
    let told = work.applied("The variable \"{}\" is named \"{2}\" now.", &[old, new]);
    exchange_all(work, names, new, told)
        .unwrap_or_else(|| work.refused(MISSING, &[&format!("{{{{{old}}}}}")]))
}

/// Puts a value in the place of a variable.
pub fn fill(work: &mut Work<'_>, name: &str, value: &str) -> Outcome {
    let markers = work.markers(name).into_iter().map(|(marker, _)| marker).collect();
    let told = work.applied("The variable \"{}\" was filled in.", &[name]);
    exchange_all(work, markers, value.trim_end_matches('.'), told)
        .unwrap_or_else(|| work.refused(MISSING, &[&format!("{{{{{name}}}}}")]))
}

/// Makes a variable of each thing, by its name.
pub fn make(work: &mut Work<'_>, list: &[(String, String)]) -> Outcome {
    let told: Vec<Outcome> =
        list.iter().map(|(thing, name)| parametrize(work, thing, name)).collect();
    let refused = told.iter().filter(|(status, _)| *status == FeedbackStatus::NotApplied).count();
    let status = match refused {
        0 => FeedbackStatus::Applied,
        some if some == told.len() => FeedbackStatus::NotApplied,
        _ => FeedbackStatus::PartlyApplied,
    };
    let reasons: Vec<String> = told.into_iter().map(|(_, reason)| reason).collect();
    (status, reasons.join(" "))
}

/// Puts a variable where its value stands, or asks for one in a line of its own.
fn parametrize(work: &mut Work<'_>, thing: &str, name: &str) -> Outcome {
    let marker = format!("{{{{{name}}}}}");
    if variables::find(work.prompt).iter().any(|found| found.name == name) {
        return work.applied("The prompt has the variable \"{}\" already.", &[name]);
    }
    let value = value::value_of(work, thing);
    let places = match &value {
        Some(value) => work.places(value),
        None => value::mentions(work, thing),
    };
    let shown = brief(&value.unwrap_or_else(|| unquoted(thing).to_owned()));
    let told = work.applied("\"{}\" is the variable \"{2}\" now.", &[&shown, name]);
    if let Some(done) = exchange_all(work, places, &marker, told) {
        return done;
    }
    if unquoted(thing) != thing {
        return work.refused(MISSING, &[&shown]);
    }
    let told =
        work.applied("The prompt has the variable \"{}\" in a line of its own now.", &[name]);
    work.add_line(&format!("{}: {marker}", capitalize(thing)), &told.1);
    told
}
