//! The requests that are not published, and the words by which they are known.

use std::sync::LazyLock;

use patterns::expression;

use crate::dangers;
use crate::intent::Intent;
use crate::words::Words;

/// All kinds of requests.
pub(crate) static INTENTS: LazyLock<Vec<Intent>> =
    LazyLock::new(|| harms().into_iter().chain(dangers::intents()).collect());

fn harms() -> [Intent; 6] {
    [
        Intent {
            rule_id: "sexual_minors",
            message: "Sexual content that involves minors must not be published.",
            object: Words::new(expression!("{moderation_sexual_minors.object}")),
            asks: vec![Words::new(expression!("{moderation_sexual_minors.minors}"))],
            insists: Words::new(expression!("{moderation_sexual_minors.insists}")),
            opposes: Words::new(expression!(
                "{moderation_common.opposition}|{moderation_sexual_minors.opposes}"
            )),
            excuses: Words::new(expression!("{moderation_sexual_minors.excuses}")),
        },
        Intent {
            rule_id: "weapons",
            message: "Instructions for explosives, untraceable guns or weapons of mass harm must not be published.",
            object: Words::new(expression!("{moderation_weapons.object}")),
            asks: vec![Words::new(expression!("{moderation_weapons.asks}"))],
            insists: Words::new(expression!("{moderation_weapons.insists}")),
            opposes: Words::new(expression!(
                "{moderation_common.opposition}|{moderation_weapons.opposes}"
            )),
            excuses: Words::new(expression!("{moderation_weapons.excuses}")),
        },
        Intent {
            rule_id: "malware",
            message: "Requests for malicious software must not be published.",
            object: Words::new(expression!("{moderation_malware.object}")),
            asks: vec![Words::new(expression!("{moderation_malware.asks}"))],
            insists: Words::new(expression!("{moderation_malware.insists}")),
            opposes: Words::new(expression!(
                "{moderation_common.opposition}|{moderation_malware.opposes}"
            )),
            excuses: Words::new(expression!("{moderation_malware.excuses}")),
        },
        Intent {
            rule_id: "phishing",
            message: "Requests for deception that takes credentials or money must not be published.",
            object: Words::new(expression!("{moderation_phishing_pages.object}")),
            asks: vec![Words::new(expression!("{moderation_common.request}"))],
            insists: Words::new(expression!("{moderation_phishing_pages.insists}")),
            opposes: Words::new(expression!(
                "{moderation_common.opposition}|{moderation_phishing_pages.opposes}"
            )),
            excuses: Words::new(expression!("{moderation_phishing_pages.excuses}")),
        },
        Intent {
            rule_id: "phishing",
            message: "Requests for deception that takes credentials or money must not be published.",
            object: Words::new(expression!("{moderation_phishing_data.object}")),
            asks: vec![
                Words::new(expression!("{moderation_phishing_data.pretends}")),
                Words::new(expression!("{moderation_phishing_data.takes}")),
            ],
            insists: Words::new(expression!("{moderation_phishing_data.insists}")),
            opposes: Words::new(expression!(
                "{moderation_common.opposition}|{moderation_phishing_data.opposes}"
            )),
            excuses: Words::new(expression!("{moderation_phishing_data.excuses}")),
        },
        Intent {
            rule_id: "violence_against_group",
            message: "Calls for violence against a group of people must not be published.",
            object: Words::new(expression!("{moderation_groups.object}")),
            asks: vec![Words::new(expression!(
                "{moderation_common.request}|{moderation_groups.asks}"
            ))],
            insists: Words::new(expression!("{moderation_groups.insists}")),
            opposes: Words::new(expression!(
                "{moderation_common.opposition}|{moderation_groups.opposes}"
            )),
            excuses: Words::new(expression!("{moderation_groups.excuses}")),
        },
    ]
}
