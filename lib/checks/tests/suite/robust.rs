//! Any answer is judged.

use checks::of;

use crate::builders::LANGUAGES;
use crate::common::{Chance, of_every_kind, prompts, run};

#[test]
fn any_answer_is_judged_and_places_lie_in_it() {
    let chance = &mut Chance::of(5);
    let prompts = prompts();
    let every = of_every_kind();
    let marks = [
        "*",
        "**",
        "```",
        "```json\n",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "# ",
        "|",
        "|---|",
        "[",
        "]",
        "<<",
        ">>",
        "{",
        "}",
        "\"",
        "“",
        "İ",
        "ß",
        "\u{301}",
        "\u{200d}",
        "👍🏽",
        "🇩🇪",
        "\0",
        "。",
        "雨",
        "P.S.",
        ",",
        "\r\n",
        "'",
        "…",
        "***",
        "---",
        "#tag",
        "7/10",
        "\u{feff}",
    ];
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..chance.within(0, 25) {
            match chance.below(3) {
                0 => text.push_str(marks[chance.below(marks.len())]),
                1 => text.push_str(&chance.pick(&LANGUAGES).words(2, &mut Chance::of(1))),
                _ => text.push([' ', '\u{a0}', 'a', 'B', 'ä', '.', '?'][chance.below(7)]),
            }
        }
        let prompt = &prompts[chance.below(prompts.len())];
        let own = of(prompt, "de");
        for checks in [&every, &own.checks] {
            let verdicts = run(checks, Some(prompt), &text);
            assert_eq!(verdicts, run(checks, Some(prompt), &text), "{text:?}");
            assert_eq!(verdicts.len(), checks.len());
            let points: Vec<char> = text.chars().collect();
            for (check, verdict) in checks.iter().zip(&verdicts) {
                assert_eq!(check.id, verdict.check_id);
                assert_eq!(verdict.reason.is_some(), verdict.verdict == checks::Outcome::Undecided);
                let Some(evidence) = &verdict.evidence else { continue };
                if let (Some(start), Some(end)) = (evidence.start, evidence.end) {
                    let place: String = points[start..end].iter().take(200).collect();
                    assert_eq!(Some(&place), evidence.quote.as_ref(), "{text:?} {verdict:?}");
                }
            }
        }
    }
}
