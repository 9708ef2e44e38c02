//! Counting tokens: equal to the reference tokenizer, and fast on every text.

use crate::tokens_texts;

use std::collections::HashSet;
use std::time::Duration;

use cpu_time::ThreadTime;

use engine::tokens::{estimate, measure};
use engine::{TargetModel, TokenMethod, catalogue};
use tokens_texts::{Random, classes, nasty};

fn count(text: &str) -> u32 {
    estimate(text, TargetModel::default()).input
}

fn target(name: &str) -> TargetModel {
    TargetModel::try_from(name).expect("a model of the catalogue")
}

fn reference(text: &str) -> u32 {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u32
}

#[track_caller]
fn assert_equal(text: &str) {
    assert_eq!(count(text), reference(text), "{text:?}");
}

#[test]
fn nasty_texts_count_as_the_reference_counts_them() {
    for text in nasty() {
        assert_equal(text);
        for other in ["a", "A", " ", "\n", "'", "1", "!", "\u{301}", "的"] {
            assert_equal(&format!("{other}{text}"));
            assert_equal(&format!("{text}{other}"));
            assert_equal(&format!("{text}{other}{text}"));
        }
    }
}

#[test]
fn runs_of_every_class_count_as_the_reference_counts_them() {
    for length in [1, 2, 3, 4, 7, 16, 31, 32, 33, 48, 95, 96, 97, 98, 193, 333, 600] {
        for (_, text) in classes(length) {
            assert_equal(&text);
        }
    }
}

#[test]
fn random_mixtures_of_characters_count_as_the_reference_counts_them() {
    let mut random = Random::new(1);
    for _ in 0..3000 {
        let length = 1 + random.below(40);
        assert_equal(&(0..length).map(|_| random.telling()).collect::<String>());
    }
}

#[test]
fn random_unicode_counts_as_the_reference_counts_it() {
    let mut random = Random::new(2);
    for _ in 0..600 {
        let length = 1 + random.below(60);
        assert_equal(&(0..length).map(|_| random.character()).collect::<String>());
    }
}

#[test]
fn random_joins_of_nasty_texts_count_as_the_reference_counts_them() {
    let mut random = Random::new(3);
    for _ in 0..600 {
        let length = 1 + random.below(12);
        assert_equal(
            &(0..length).map(|_| nasty()[random.below(nasty().len())]).collect::<String>(),
        );
    }
}

#[test]
fn every_character_counts_as_the_reference_counts_it_between_letters() {
    // Hangul and Han make up most of Unicode and are alike: one in 16 of them will do.
    let characters = ('\0'..=char::MAX).filter(|c| match *c as u32 {
        0x3400..0x9FFF | 0xAC00..0xD7A3 | 0x1_7000..0x1_8D00 | 0x2_0000..0x3_3480 => {
            (*c as u32).is_multiple_of(16)
        }
        point => point < 0x2_0000 || point.is_multiple_of(251),
    });
    let mut batch = String::new();
    for (i, character) in characters.enumerate() {
        batch.extend(["x", "X", " ", "'s", "\n"][i % 5].chars().chain([character]));
        if batch.len() > 4000 {
            assert_equal(&batch);
            batch.clear();
        }
    }
    assert_equal(&batch);
}

#[test]
fn published_vectors_hold() {
    for (text, tokens) in [
        ("", 0),
        ("hello world", 2),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 8),
        ("<|endoftext|>", 7),
    ] {
        assert_eq!(count(text), tokens, "{text:?}");
    }
}

#[test]
fn long_texts_add_up_line_by_line() {
    // A line end closes a piece when a letter follows, so the parts do not see one another.
    let mut random = Random::new(4);
    for (name, text) in classes(3000) {
        let line = format!("{}\n", text.replace(['\r', '\n'], "x").trim_end());
        let times = 1 + random.below(20);
        let whole = format!("a{line}").repeat(times);
        assert_eq!(count(&whole), count(&format!("a{line}")) * times as u32, "{name}");
    }
}

#[test]
fn two_hundred_thousand_characters_of_anything_are_counted_in_time() {
    for (name, text) in classes(200_000) {
        let begin = ThreadTime::now();
        let measure = measure(&text);
        let elapsed = begin.elapsed();
        println!("{name:24} {:8.1} ms {:8} tokens", elapsed.as_secs_f64() * 1e3, measure.tokens);
        assert_eq!(measure.characters, 200_000, "{name}");
        // Generous for builds without optimisation; `examples/tokens.rs` prints real figures.
        assert!(elapsed < Duration::from_secs(2), "{name} took {elapsed:?}");
    }
}

#[test]
fn the_method_is_exact_where_the_tokenizer_is_public() {
    for model in catalogue() {
        let estimate = estimate("Translate this into French, please.", target(&model.name));
        let exact = model.name == "Universal" || model.name.starts_with("GPT-");
        assert_eq!(estimate.method == TokenMethod::Exact, exact, "{}", model.name);
        assert_eq!(estimate.tokenizer == "o200k_base", exact, "{}", model.name);
        assert!(estimate.tokenizer.starts_with("o200k_base"), "{}", model.name);
    }
}

#[test]
fn every_model_is_in_one_entry_and_agrees_with_its_estimate() {
    let text = "Summarise the attached report in five bullet points. 総括してください。";
    let counts = measure(text).by_tokenizer;
    let mut seen = HashSet::new();
    for count in &counts {
        for name in &count.models {
            assert!(seen.insert(name.as_str()), "{name} twice");
            let estimate = estimate(text, target(name));
            assert_eq!(
                (estimate.input, estimate.method, &estimate.tokenizer),
                (count.tokens, count.method, &count.tokenizer),
                "{name}"
            );
        }
    }
    assert_eq!(seen.len(), catalogue().len());
    let names: HashSet<_> = counts.iter().map(|count| &count.tokenizer).collect();
    assert_eq!(names.len(), counts.len());
}

#[test]
fn an_approximation_is_never_below_the_public_count() {
    for (_, text) in classes(500) {
        let exact = count(&text);
        for count in measure(&text).by_tokenizer {
            match count.method {
                TokenMethod::Exact => assert_eq!(count.tokens, exact),
                TokenMethod::Approximate => assert!(count.tokens > exact, "{count:?}"),
            }
        }
    }
}

#[test]
fn a_measure_counts_code_points_and_words() {
    for (text, characters, words) in [
        ("", 0, 0),
        ("Don't panic: it's 3.14!", 23, 4),
        ("naïve café", 10, 2),
        ("今日は晴れ", 5, 5),
        ("カタカナ ひら", 7, 3),
        ("한국어 단어", 6, 2),
        ("👩‍👩‍👧‍👦 \u{301} ...", 13, 0),
    ] {
        let measure = measure(text);
        assert_eq!((measure.characters, measure.words), (characters, words), "{text:?}");
        assert_eq!(measure.tokens, reference(text));
    }
}

#[test]
fn scripts_are_estimated_apart() {
    let kimi = target("Kimi K3");
    let factor = |text: &str| f64::from(estimate(text, kimi).input) / f64::from(count(text));
    let english = "Write a short note about the weather in “plain” words — no jargon.\n".repeat(50);
    let russian = "Напишите короткую заметку о погоде простыми словами.\n".repeat(50);
    assert!((1.25..1.26).contains(&factor(&english)), "{}", factor(&english));
    assert!((1.50..=1.61).contains(&factor(&russian)), "{}", factor(&russian));
    let mixed = factor(&(english + &russian));
    assert!((1.30..1.50).contains(&mixed), "{mixed}");
}

#[test]
fn an_empty_text_has_no_tokens_for_any_model() {
    assert!(measure("").by_tokenizer.iter().all(|count| count.tokens == 0));
}

#[test]
fn a_measure_is_written_in_camel_case() {
    let json = serde_json::to_value(measure("hello world")).expect("JSON");
    assert_eq!(json["byTokenizer"][0]["tokenizer"], "o200k_base");
    assert_eq!(json["byTokenizer"][0]["method"], "exact");
    assert_eq!((&json["characters"], &json["words"]), (&11.into(), &2.into()));
}
