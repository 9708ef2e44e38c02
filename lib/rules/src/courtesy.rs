//! Greetings, thanks and good wishes around a request, which say nothing that a model needs.

use crate::imperative::unwrapped;
use patterns::pattern;

/// Longer sentences than this say something beside being polite, in bytes.
const LONGEST: usize = 90;

/// Whether a whole sentence is only polite.
pub fn is_idle(sentence: &str) -> bool {
    let text = sentence.trim();
    if text.len() > LONGEST || text.ends_with([':', '：']) {
        return false;
    }
    let plain = text
        .trim_start_matches(['¡', '¿'])
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
    // "Yes" or "no" as a line of its own may be one of the answers that a prompt lists.
    let answers = pattern!(r"(?i)^{courtesy.yes_or_no}?$").is_match(plain);
    let polite = pattern!(
        r"(?ix)^(?:{courtesy.greeting_line}|(?:{courtesy.before_thanks},?\ )*{courtesy.thanks_line}|{courtesy.wish_line})$"
    );
    is_pleasantry(text) && !answers || polite.is_match(plain)
}

/// A greeting in front of a request, up to where the request begins: "Hi Claude, please " of "Hi Claude,
/// please write …".
pub fn greeting(prompt: &str) -> Option<usize> {
    let end = salutation(prompt)?;
    let plea = pattern!(r"(?i)^{courtesy.please},? (?P<next>\p{L})");
    let next = plea.captures(&prompt[end..]).and_then(|found| found.name("next"));
    Some(end + next.map_or(0, |next| next.start()))
}

fn salutation(prompt: &str) -> Option<usize> {
    let named = pattern!(
        r"(?i)^\s*(?:(?:{courtesy.salutation}|{courtesy.salutation_with_name}) (?:claude|chatgpt|gpt|gemini|copilot|grok|mistral|deepseek|{courtesy.addressee})|{courtesy.salutation}) ?[,!.–-]+[ \t]+"
    );
    let bare = pattern!(r"(?i)^\s*{courtesy.bare_salutation} ?[,!.]+[ \t]+");
    if let Some(found) = named.find(prompt) {
        return begins(&prompt[found.end()..]).then_some(found.end());
    }
    let found = bare.find(prompt)?;
    let rest = &prompt[found.end()..];
    let asks = pattern!(r"(?i)^(?:{courtesy.request_start} |{courtesy.request_contraction})")
        .is_match(rest)
        || crate::imperative::starts_work(rest.lines().next().unwrap_or_default());
    (asks && begins(rest)).then_some(found.end())
}

fn begins(rest: &str) -> bool {
    rest.starts_with(char::is_alphabetic)
}

/// Whether greetings, thanks and the like are all there is.
fn is_pleasantry(sentence: &str) -> bool {
    let text = sentence.trim().trim_end_matches(['.', '!', '?', ',', ' ', ')', ':']);
    let is_polite = |text: &str| {
        pattern!(r"(?i)^{sentence.pleasantry}$").is_match(text.trim_start_matches('¿'))
    };
    text.is_empty() || is_polite(text) || is_polite(unwrapped(text))
}
