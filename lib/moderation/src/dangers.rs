//! Requests that endanger individuals: drugs, self-harm, planned violence, persecution.

use patterns::expression;

use crate::intent::Intent;
use crate::words::Words;

/// The requests, by rule.
pub(crate) fn intents() -> Vec<Intent> {
    vec![drugs(), self_harm(), violence(), persecution(), exposure()]
}

fn drugs() -> Intent {
    Intent {
        rule_id: "illegal_goods",
        message: "Instructions for making illegal drugs must not be published.",
        object: Words::new(expression!("{moderation_drugs.object}")),
        asks: vec![Words::new(expression!("{moderation_drugs.asks}"))],
        insists: Words::new(expression!("{moderation_drugs.insists}")),
        opposes: Words::new(expression!(
            "{moderation_common.opposition}|{moderation_common.help}|{moderation_drugs.opposes}"
        )),
        excuses: Words::new(expression!("{moderation_common.subject}|{moderation_drugs.excuses}")),
    }
}

fn self_harm() -> Intent {
    Intent {
        rule_id: "self_harm",
        message: "Encouraging or planning suicide or self-harm must not be published.",
        object: Words::new(expression!("{moderation_self_harm.object}")),
        asks: vec![Words::new(expression!("{moderation_self_harm.asks}"))],
        insists: Words::new(expression!("{moderation_self_harm.insists}")),
        opposes: Words::new(expression!(
            "{moderation_common.opposition}|{moderation_common.help}|{moderation_self_harm.opposes}"
        )),
        excuses: Words::new(expression!(
            "{moderation_common.subject}|{moderation_self_harm.excuses}"
        )),
    }
}

fn violence() -> Intent {
    Intent {
        rule_id: "violence",
        message: "Planning violence against people must not be published.",
        object: Words::new(expression!("{moderation_violence.object}")),
        asks: vec![Words::new(expression!(
            "{moderation_common.request}|{moderation_violence.asks}"
        ))],
        insists: Words::new(expression!("{moderation_violence.insists}")),
        opposes: Words::new(expression!(
            "{moderation_common.opposition}|{moderation_common.help}|{moderation_violence.opposes}"
        )),
        excuses: Words::new(expression!(
            "{moderation_common.subject}|{moderation_violence.excuses}"
        )),
    }
}

fn persecution() -> Intent {
    Intent {
        rule_id: "harassment",
        message: "Watching or following a person in secret must not be asked for.",
        object: Words::new(expression!("{moderation_stalking.object}")),
        asks: vec![
            Words::new(expression!("{moderation_common.request}|{moderation_stalking.asks}")),
            Words::new(expression!("{moderation_stalking.secretly}")),
        ],
        insists: Words::new(expression!("{moderation_stalking.insists}")),
        opposes: Words::new(expression!(
            "{moderation_common.opposition}|{moderation_common.help}|{moderation_stalking.opposes}"
        )),
        excuses: Words::new(expression!(
            "{moderation_common.subject}|{moderation_stalking.excuses}"
        )),
    }
}

fn exposure() -> Intent {
    Intent {
        rule_id: "harassment",
        message: "Intimate images of a real person must not be asked for.",
        object: Words::new(expression!("{moderation_exposure.object}")),
        asks: vec![
            Words::new(expression!("{moderation_common.request}|{moderation_exposure.asks}")),
            Words::new(expression!("{moderation_exposure.person}")),
            Words::new(expression!("{moderation_exposure.picture}")),
        ],
        insists: Words::new(expression!("{moderation_exposure.insists}")),
        // Without the opposition of others: "remove" means harm here.
        opposes: Words::new(expression!("{moderation_common.help}|{moderation_exposure.opposes}")),
        excuses: Words::new(expression!(
            "{moderation_common.subject}|{moderation_exposure.excuses}"
        )),
    }
}
