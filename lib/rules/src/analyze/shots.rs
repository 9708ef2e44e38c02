//! Worked examples in a prompt: pairs of labelled lines ("Q:" and "A:", "Text:" and "Sentiment:"), numbered
//! examples, lines with an arrow.

use patterns::{Pattern, pattern};

/// What the examples of a prompt show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shots {
    /// Whether input stands beside the output that is expected for it.
    pub shown: bool,
    /// Whether the last of them is left open for the answer.
    pub open: bool,
}

/// Lines that are looked at.
const LOOKED_AT: usize = 2000;
/// Names of expected output.
const OUTPUT: Pattern = pattern!(r"(?i)^(?:json|sql|{analyze_shots.output})$");

/// Reads the worked examples of a prompt.
pub fn of(text: &str) -> Shots {
    let mut pairs: Vec<(String, String, usize)> = Vec::new();
    let mut last: Option<(String, bool)> = None;
    let mut arrows = 0;
    for line in text.lines().take(LOOKED_AT) {
        let line = line.trim();
        arrows += usize::from(
            pattern!(r"^\S[^<>=→-]{0,80}\s(?:->|=>|→|⇒)\s*\S[^<>]{0,80}$").is_match(line),
        );
        let Some(found) = pattern!(
            r"^[-*#> ]{0,6}\**(?P<label>\p{L}[\p{L}_ ]{0,24}?) ?\d{0,3}\** ?[:：]\**(?P<rest>.*)$"
        )
        .captures(line) else {
            continue;
        };
        let label = found["label"].to_lowercase();
        let rest = found["rest"].trim();
        let filled = !rest.is_empty() && !rest.starts_with("{{");
        if let Some((before, true)) = &last
            && *before != label
            && filled
        {
            match pairs.iter_mut().find(|(one, other, _)| one == before && *other == label) {
                Some((.., count)) => *count += 1,
                None => pairs.push((before.clone(), label.clone(), 1)),
            }
        }
        // "Input:" may stand above its content.
        last = Some((label, true));
    }
    let labelled = |label: &str| OUTPUT.is_match(label);
    let shown = arrows >= 2
        || pairs.iter().any(|(_, output, count)| *count >= 2 || labelled(output) && *count >= 1)
            && pairs.iter().any(|(.., count)| *count >= 2)
        || pairs.iter().any(|(_, output, _)| labelled(output))
            && pattern!(r"(?im)^\W*{analyze_shots.example}\W{0,3}\d").is_match(text)
        || pairs.iter().any(|(_, output, _)| labelled(output))
            && last.as_ref().is_some_and(|(label, _)| labelled(label));
    let end = text.trim_end();
    let end = end.lines().last().unwrap_or_default();
    let open = shown
        && (last.is_some_and(|(label, _)| {
            labelled(&label) || pairs.iter().any(|(_, other, count)| *other == label && *count >= 2)
        }))
        && (end.ends_with([':', '：']) || end.contains("{{"))
        || arrows >= 2 && end.ends_with(['>', '→', '⇒']);
    Shots { shown, open }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_turns_are_examples() {
        for text in [
            "Input: 2+2\nOutput: 4\nInput: 3+5\nOutput: 8\nInput: 7\nOutput:",
            "Q: Who?\nA: Ann\n\nQ: Where?\nA:",
            "Text: good\nSentiment: positive\nText: bad\nSentiment: negative\nText: so\nSentiment:",
            "sea otter => loutre de mer\ncheese => fromage\nplush =>",
        ] {
            assert_eq!(of(text), Shots { shown: true, open: true }, "{text}");
        }
    }

    #[test]
    fn labels_alone_are_none() {
        for text in [
            "Task: write a poem\nTone: warm\nLength: 80 words",
            "Note: see below",
            "Role: editor\nTask: cut\nFormat: list",
            "",
        ] {
            assert_eq!(of(text), Shots::default(), "{text}");
        }
    }
}
