//! The results of every operation over the inputs.

use std::{
    fs::File,
    io::{BufWriter, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
};

use domain::Timestamp;
use engine::{
    Answer, Beside, Engine, GenerateBrief, Material, Mode, OutputMode, PreviousVersion,
    PromptBrief, RefineBrief, ReverseBrief, TargetModel, catalogue,
};
use futures::FutureExt;
use rules::Rules;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    compare,
    inputs::{self, Input},
};

const UNTIL: Timestamp = Timestamp::from_millis(0);
/// Languages of the results, of which the digest of a text chooses one.
const LANGUAGES: [&str; 8] = ["en", "en", "en", "de", "fr", "es", "it", "pt"];

/// Writes a line for each input and operation, in the order of the inputs.
pub fn dump(out: &str, files: &[&str]) -> Result<(), String> {
    let (inputs, feedback) = inputs::read(files)?;
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let mut lines: Vec<(usize, String)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut lines = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(input) = inputs.get(index) else { return lines };
                        lines.push((index, results(input, &feedback)));
                    }
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("panics are caught")).collect()
    });
    lines.sort_by_key(|(index, _)| *index);
    let mut file = BufWriter::new(File::create(out).map_err(|error| format!("{out}: {error}"))?);
    for (_, line) in &lines {
        file.write_all(line.as_bytes()).map_err(|error| error.to_string())?;
    }
    file.flush().map_err(|error| format!("{out}: {error}"))?;
    println!("{} inputs", inputs.len());
    Ok(())
}

/// The lines of an input. Its digest chooses what it is combined with, and rendezvous hashing the feedback (Thaler and
/// Ravishankar, 1998), so that a new text changes few results of others.
fn results(input: &Input, feedback: &[String]) -> String {
    let index = compare::digest(compare::EMPTY, &input.text) as usize;
    let weight = |feedback: &&String| compare::digest(index as u64, feedback);
    let feedback = feedback.iter().min_by_key(weight).cloned().unwrap_or_default();
    let language = LANGUAGES[index % LANGUAGES.len()].to_owned();
    let models = catalogue();
    let target_model = match index % 3 {
        0 => TargetModel::try_from(models[index / 3 % models.len()].name.as_str())
            .unwrap_or_default(),
        _ => TargetModel::default(),
    };
    let text = &input.text;
    let prompt = PromptBrief {
        prompt: text.clone(),
        context: String::new(),
        language: language.clone(),
        target_model,
        variations: 2,
        images: Vec::new(),
    };
    let goal = GenerateBrief {
        message: text.clone(),
        mode: Mode::Auto,
        output_mode: if (index / LANGUAGES.len()).is_multiple_of(4) {
            OutputMode::Reusable
        } else {
            OutputMode::ReadyToUse
        },
        target_model,
        language: language.clone(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    };
    let continued = GenerateBrief {
        message: feedback.clone(),
        previous: Some(PreviousVersion {
            beside: Beside::default(),
            message: "A prompt".to_owned(),
            prompt: text.clone(),
            title: "A prompt".to_owned(),
        }),
        ..goal.clone()
    };
    let refinement = RefineBrief {
        beside: Beside::default(),
        prompt: text.clone(),
        feedback: feedback.clone(),
        language: language.clone(),
        target_model,
        images: Vec::new(),
    };
    let material = ReverseBrief { material: Material::Text(text.clone()), language, target_model };
    let rules = Rules;
    let of: [(&str, Value); 7] = [
        ("generate", result(|| rules.generate(&goal, UNTIL))),
        ("continue", result(|| rules.generate(&continued, UNTIL))),
        ("analyze", result(|| rules.analyze(&prompt, UNTIL))),
        ("optimize", result(|| rules.optimize(&prompt, UNTIL))),
        ("analyzeAndOptimize", result(|| rules.analyze_and_optimize(&prompt, UNTIL))),
        ("refine", result(|| rules.refine(&refinement, UNTIL))),
        ("reverse", result(|| rules.reverse(&material, UNTIL))),
    ];
    let line = |(operation, result)| {
        json!({"operation": operation, "source": input.source, "text": text, "result": result})
            .to_string()
            + "\n"
    };
    of.into_iter().map(line).collect()
}

/// What an operation comes to, be it an error or a panic.
fn result<'a, T: Serialize>(work: impl FnOnce() -> Answer<'a, T>) -> Value {
    match catch_unwind(AssertUnwindSafe(|| work().now_or_never())) {
        Ok(Some(Ok(result))) => json!(result),
        Ok(Some(Err(error))) => json!({"error": error.to_string()}),
        Ok(None) => json!({"error": "it waits"}),
        Err(_) => json!({"error": "it panics"}),
    }
}
