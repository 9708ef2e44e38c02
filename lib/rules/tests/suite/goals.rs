//! What every prompt of the corpus must be.
#![allow(clippy::expect_used)]

use crate::common;

use std::collections::HashSet;

use common::{brief, corpus, generate, mode_name, run};
use engine::{GenerateBrief, OutputMode};
use regex::Regex;

#[test]
fn the_corpus_has_at_least_two_hundred_goals() {
    assert!(corpus().len() >= 200, "{}", corpus().len());
}

#[test]
fn goals_get_the_expected_mode_or_none_and_rarely_a_wrong_one() {
    let mut undecided = Vec::new();
    let mut wrong = Vec::new();
    for case in corpus() {
        let mode = mode_name(generate(&case.goal).mode);
        if mode != case.mode {
            let told = format!("{} is {mode}, not {}", case.goal, case.mode);
            if mode == "general" { undecided.push(told) } else { wrong.push(told) }
        }
    }
    assert!(wrong.len() * 25 <= corpus().len(), "{wrong:#?}");
    assert!(undecided.len() * 10 <= corpus().len(), "{undecided:#?}");
}

#[test]
fn everything_concrete_survives() {
    for case in corpus() {
        let result = generate(&case.goal);
        let all = format!("{} {}", result.prompt, result.negative_prompt.unwrap_or_default())
            .to_lowercase();
        for text in &case.survives {
            assert!(
                all.contains(&text.to_lowercase()),
                "{text:?} is lost from {:?}:\n{}",
                case.goal,
                result.prompt
            );
        }
    }
}

#[test]
fn every_number_and_url_of_a_goal_survives_in_both_output_modes() {
    let literal = Regex::new(r"https?://\S+|[\w.]+@[\w.]+|\$?\d[\d.,]*\d|\d").expect("a pattern");
    for case in corpus() {
        for output_mode in [OutputMode::ReadyToUse, OutputMode::Reusable] {
            let result = run(&GenerateBrief { output_mode, ..brief(&case.goal) });
            let values: String = result
                .variables
                .iter()
                .filter_map(|variable| variable.default_value.clone())
                .collect::<Vec<_>>()
                .join(" ");
            let parameters = serde_json::to_string(&result.parameters).expect("JSON");
            let all = format!("{} {values} {parameters}", result.prompt);
            for found in literal.find_iter(&case.goal) {
                assert!(
                    all.contains(found.as_str()),
                    "{} is lost from {:?}:\n{all}",
                    found.as_str(),
                    case.goal
                );
            }
        }
    }
}

#[test]
fn every_prompt_says_more_than_its_goal() {
    for case in corpus() {
        let result = generate(&case.goal);
        assert!(result.prompt.len() > case.goal.len() + 60, "{}\n{}", case.goal, result.prompt);
    }
}

#[test]
fn ready_to_use_prompts_have_no_placeholders() {
    let placeholder =
        Regex::new(r"(?i)\[(?:insert|your|name|company)|\btbd\b|<your|\bxxx\b|\{\w+\|")
            .expect("a pattern");
    for case in corpus() {
        let result = generate(&case.goal);
        assert!(!placeholder.is_match(&result.prompt), "{}", result.prompt);
        assert_eq!(result.prompt.contains("{{"), case.goal.contains("{{"), "{}", result.prompt);
    }
}

#[test]
fn prompts_do_not_repeat_how_the_request_was_worded() {
    let wrapping = Regex::new(
        r"(?i)\b(?:help me|i want you to|can you please|could you write|i need you to)\b",
    )
    .expect("a pattern");
    for case in corpus() {
        let result = generate(&case.goal);
        assert!(
            !wrapping.is_match(&result.prompt) || case.goal.contains(", help me"),
            "{}",
            result.prompt
        );
    }
}

#[test]
fn prompts_have_no_broken_grammar() {
    let broken = Regex::new(r"(?i)\b(?:a a|an an|the the|a an|an a|a the|to to|of of|for for|write a write|create a create|write write|create create|a my|the my|a some|for to)\b|[,;:]\.|\.\.(?:[^.]|$)|\?\.|!\.|,,|\s,|\(\s*\)").expect("a pattern");
    for case in corpus() {
        let result = generate(&case.goal);
        if let Some(found) = broken.find(&result.prompt)
            && !case.goal.contains(found.as_str())
        {
            panic!("{:?} in:\n{}", found.as_str(), result.prompt);
        }
    }
}

#[test]
fn no_section_is_empty_and_each_is_found_in_the_prompt() {
    for case in corpus() {
        let result = generate(&case.goal);
        assert!(!result.sections.is_empty());
        for section in &result.sections {
            assert!(
                !section.text.trim().is_empty() && !section.heading.is_empty(),
                "{}",
                result.prompt
            );
            assert!(
                result.prompt.contains(&section.text),
                "{:?} is not in\n{}",
                section.text,
                result.prompt
            );
        }
    }
}

#[test]
fn titles_are_short_specific_and_different() {
    let mut titles = HashSet::new();
    for case in corpus() {
        let title = generate(&case.goal).title;
        assert!((3..=80).contains(&title.chars().count()), "{title:?}");
        assert!(!title.to_lowercase().starts_with("help me"), "{title:?}");
        assert!(!title.ends_with(['.', ',']), "{title:?}");
        titles.insert(title);
    }
    assert!(titles.len() + 2 >= corpus().len(), "only {} titles", titles.len());
}

#[test]
fn prompts_for_different_goals_are_different() {
    let shingles: Vec<(String, HashSet<String>)> = corpus()
        .iter()
        .map(|case| {
            let mut prompt = generate(&case.goal).prompt.to_lowercase();
            for word in case.goal.to_lowercase().split_whitespace() {
                prompt = prompt.replace(&format!(" {word} "), " ");
            }
            let words: Vec<&str> = prompt.split_whitespace().collect();
            (case.goal.clone(), words.windows(3).map(|window| window.join(" ")).collect())
        })
        .collect();
    let mut similar = 0;
    let mut pairs = 0;
    for (index, (first_goal, first)) in shingles.iter().enumerate() {
        for (second_goal, second) in &shingles[index + 1..] {
            let shared = first.intersection(second).count();
            let all = first.union(second).count();
            assert!(shared < all, "the same prompt for {first_goal:?} and {second_goal:?}");
            pairs += 1;
            similar += usize::from(shared * 2 > all);
        }
    }
    assert!(similar * 100 < pairs, "{similar} of {pairs} pairs share more than half of their text");
}

#[test]
fn results_have_useful_companions() {
    for case in corpus() {
        let result = generate(&case.goal);
        assert!((2..=5).contains(&result.usage_guide.len()), "{:?}", result.usage_guide);
        assert!(result.clarifying_questions.len() <= 4);
        assert!((2..=9).contains(&result.techniques.len()));
        assert!(result.token_estimate.input > 20);
    }
}

#[test]
fn reusable_prompts_list_their_variables_with_the_right_number_of_occurrences() {
    let mut with_variables = 0;
    for case in corpus() {
        let result = run(&GenerateBrief { output_mode: OutputMode::Reusable, ..brief(&case.goal) });
        for variable in &result.variables {
            let marker = format!("{{{{{}}}}}", variable.name);
            assert_eq!(
                result.prompt.matches(&marker).count(),
                variable.occurrences as usize,
                "{marker} in\n{}",
                result.prompt
            );
        }
        with_variables += usize::from(!result.variables.is_empty());
    }
    assert!(with_variables > 120, "{with_variables}");
}

#[test]
fn the_same_brief_gives_the_same_result() {
    for case in corpus().iter().take(60) {
        assert_eq!(generate(&case.goal), generate(&case.goal));
    }
}
