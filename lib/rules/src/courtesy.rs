//! Greetings, thanks and good wishes around a request, which say nothing that a model needs.

use crate::imperative::{starts_work, unwrapped};
use patterns::pattern;

/// Longer sentences than this say something beside being polite, in bytes.
const LONGEST: usize = 90;

/// Whether a whole sentence is only polite.
pub fn is_idle(sentence: &str) -> bool {
    let text = sentence.trim().trim_start_matches(['¡', '¿']);
    if text.len() > LONGEST || text.ends_with([':', '：']) {
        return false;
    }
    let plain = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
    let polite = pattern!(
        r"(?ix)^(?:{courtesy.greeting_line}|(?:{courtesy.before_thanks},?\ )*{courtesy.thanks_line}|{courtesy.wish_line})$"
    );
    let pleasant = pattern!(r"(?i)^{sentence.pleasantry}$");
    polite.is_match(plain) || pleasant.is_match(plain) || pleasant.is_match(unwrapped(plain))
}

/// A greeting in front of a request, up to where the request begins: "Hi Claude, please " of "Hi Claude,
/// please write …".
pub fn greeting(prompt: &str) -> Option<usize> {
    let named = pattern!(
        r"(?i)^\s*(?:(?:{courtesy.salutation}|{courtesy.salutation_with_name}) (?:claude|chatgpt|gpt|gemini|copilot|grok|mistral|deepseek|{courtesy.addressee})|{courtesy.salutation}) ?[,!.–-]+[ \t]+"
    );
    let bare = pattern!(r"(?i)^\s*{courtesy.bare_salutation} ?[,!.]+[ \t]+");
    let asks = |rest: &str| {
        pattern!(r"(?i)^(?:{courtesy.request_start} |{courtesy.request_contraction})")
            .is_match(rest)
            || starts_work(rest.lines().next().unwrap_or_default())
    };
    let bare = || bare.find(prompt).filter(|found| asks(&prompt[found.end()..]));
    let rest = &prompt[named.find(prompt).or_else(bare)?.end()..];
    let plea = pattern!(r"(?i)^{courtesy.please},? (?P<next>\p{L})");
    let next = plea.captures(rest).and_then(|found| found.name("next"));
    let end = prompt.len() - rest.len() + next.map_or(0, |next| next.start());
    rest.starts_with(char::is_alphabetic).then_some(end)
}
