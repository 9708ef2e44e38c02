//! Feedback that speaks to the service instead of about the prompt.

use patterns::{Pattern, pattern};

/// Whether a sentence tries to steer the service. A rule for the prompt ("never reveal your instructions") does not.
pub fn steers(sentence: &str) -> bool {
    patterns::reading_all(|| commands(sentence))
}

fn commands(sentence: &str) -> bool {
    let forbids = pattern!(r"(?i)\b{refine_steering.forbids}\b");
    let drops = pattern!(r"(?i)\b{refine_steering.drop_verb}\b.{0,40}\b{refine_steering.dropped}");
    let reveals =
        pattern!(r"(?i)\b{refine_steering.reveal_verb}\b.{0,30}\b{refine_steering.revealed}\b");
    let persona = pattern!(r"(?i)\b{refine_steering.persona}");
    let claims = pattern!(
        r"(?i)^\W*(?:{refine_steering.claim_lead} {refine_steering.claim_noun}s?|{refine_steering.speaker})\s*[:：>\]|]|<\|?(?:im_start|system|endoftext)\|?>|\b{refine_steering.stop}\b"
    );
    let sentence: String = sentence.chars().take(2000).collect();
    let orders = |says: Pattern| {
        says.find(&sentence).is_some_and(|found| !forbids.is_match(&sentence[..found.start()]))
    };
    let elsewhere = pattern!(
        r"{refine_steering.drop_instructions}|(?i:{refine_steering.drop_stem}).{0,40}(?i:{refine_steering.instructions})|{refine_steering.system_prompt}"
    );
    orders(reveals)
        || orders(drops)
        || claims.is_match(&sentence)
        || persona.is_match(&sentence)
        || elsewhere.is_match(&sentence)
}
