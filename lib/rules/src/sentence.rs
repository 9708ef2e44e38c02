//! What a sentence does: it is polite, states a rule for the result, or tries to command whoever reads it.

use super::imperative::unwrapped;
use engine::constraints;
use patterns::pattern;

/// Whether greetings, thanks and the like are all there is.
pub fn is_pleasantry(sentence: &str) -> bool {
    let text = sentence.trim().trim_end_matches(['.', '!', '?', ',', ' ', ')', ':']);
    let is_polite = |text: &str| {
        pattern!(r"(?i)^{sentence.pleasantry}$").is_match(text.trim_start_matches('¿'))
    };
    text.is_empty() || is_polite(text) || is_polite(unwrapped(text))
}

/// Whether a sentence tries to command whatever model reads it, outside quotation marks.
pub fn is_takeover(sentence: &str) -> bool {
    let unquoted = pattern!(r#""[^"]*"|“[^”]*”|'[^']{12,}'|`[^`]*`"#).replace_all(sentence, "");
    pattern!(r"(?i)\b{sentence.override}\b.{0,30}\b{sentence.before_rules}\b.{0,20}\b{sentence.rules}\b|\b{sentence.takeover}\b|^\s*\[?{sentence.speaker}\]?\s*:")
        .is_match(&unquoted)
}

/// Whether a whole sentence states what the result must be.
pub fn is_requirement(sentence: &str) -> bool {
    let text = sentence.trim();
    is_rule(text)
        || pattern!(r"(?i)^{sentence.rule_sentence}\b").is_match(text)
        || text.contains(", ") && text.trim_end_matches('.').split(", ").all(is_manner)
}

/// Whether a sentence, or a clause behind a comma, states a rule for the result and nothing else.
pub fn is_rule(clause: &str) -> bool {
    let text = without_joint(clause);
    !pattern!(r"(?i)^{sentence.no_rule}").is_match(text)
        && (pattern!(r"(?i)^(?:{sentence.rule}(?:$|[\s,.:;!]|\b)|{sentence.bound}\b.{0,40}\d)")
            .is_match(text)
            || is_manner(text)
            || is_constraint(text))
}

/// Whether a clause names a tone, a length or a span of time and nothing else: "ton ferme", "massimo una pagina".
fn is_manner(clause: &str) -> bool {
    let text = without_joint(clause.trim_end_matches(['.', '!', ' ']));
    pattern!(r"(?i)^(?:(?:{sentence.tone} )?(?:{slots.very} )?{slots.tones}(?:(?:,? {slots.and}(?: {slots.but_not})? |, ?){slots.tones})*(?: {sentence.tone})?|(?:{slots.bound} )?(?:\d[\d,.]*(?: ?[-–] ?\d[\d,.]*)?|{slots.short_number}|{sentence.one})[ -]?(?:{slots.unit}|{slots.time})(?: {slots.at_most})?)$")
        .is_match(text)
}

/// Whether a clause begins with a ban, which is a rule of its own even behind "and".
pub fn is_ban(clause: &str) -> bool {
    pattern!(r"(?i)^{sentence.ban}\b").is_match(clause)
}

/// The rules behind a label: what follows "Rules:".
pub fn behind_label(sentence: &str) -> Option<&str> {
    let found = pattern!(r"(?i)^{sentence.label}\s*:\s*(?P<v>\S.*)$").captures(sentence.trim())?;
    Some(found.name("v")?.as_str())
}

/// The clause without the words that only join it to what stood before it.
pub fn without_joint(clause: &str) -> &str {
    let text = clause.trim();
    pattern!(r"(?i)^(?:{sentence.joint}[,:]?\s+)+")
        .find(text)
        .map_or(text, |joint| &text[joint.end()..])
}

/// Whether a clause says little else than one checkable constraint: "friendly tone", "120 words".
fn is_constraint(text: &str) -> bool {
    const LONGEST: usize = 120;
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    text.len() <= LONGEST
        && constraints::extract(text)
            .iter()
            .any(|found| letters(&text[found.start..found.end]) * 3 >= letters(text) * 2)
}
