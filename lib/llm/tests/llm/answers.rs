//! Valid answers of a model to the briefs of the tests.

use serde_json::{Value, json};

pub fn variable(name: &str) -> Value {
    json!({"name": name, "description": "What to fill in.", "defaultValue": null})
}

pub fn technique() -> Value {
    json!({"id": "output_format", "label": "Output format", "why": "Fixes the shape."})
}

pub fn generation(prompt: &str) -> Value {
    json!({
        "mode": "writing",
        "title": "Kettle text",
        "prompt": prompt,
        "systemPrompt": null,
        "negativePrompt": null,
        "parameters": [],
        "sections": [{"heading": "Task", "begins": prompt}],
        "removed": [],
        "variables": [],
        "assumptions": ["The readers are customers of the shop."],
        "clarifyingQuestions": ["Which kettle is it?"],
        "techniques": [technique()],
        "usageGuide": ["Paste the prompt.", "Read the result."],
    })
}

pub fn finding(quote: &str) -> Value {
    json!({
        "ruleId": "vague_quality",
        "metric": "specificity",
        "severity": "medium",
        "quote": quote,
        "occurrence": 1,
        "message": "It does not say what is good.",
        "suggestion": "Name two qualities.",
    })
}

pub fn analysis(findings: Value) -> Value {
    // A score below 100 names a finding.
    let found: Vec<&str> = findings
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["metric"].as_str())
        .collect();
    let metric = |name: &str, score: u8| {
        let score = if found.contains(&name) { score } else { 100 };
        json!({"score": score, "reason": "So it is."})
    };
    json!({
        "summary": "A short prompt that leaves much open.",
        "metrics": {
            "clarity": metric("clarity", 70),
            "specificity": metric("specificity", 40),
            "context": metric("context", 50),
            "goalOrientation": metric("goalOrientation", 60),
            "structure": metric("structure", 65),
            "constraints": metric("constraints", 30),
        },
        "strengths": ["It names the audience."],
        "weaknesses": ["It has no length."],
        "findings": findings,
        "modelFit": {"score": 55, "notes": ["No output format."]},
        "suggestedUseCases": ["Product pages"],
        "difficulty": "beginner",
        "variables": [],
    })
}

pub fn version(label: &str, prompt: &str) -> Value {
    json!({
        "label": label,
        "prompt": prompt,
        "systemPrompt": null,
        "negativePrompt": null,
        "parameters": [],
        "variables": [],
        "techniques": [technique()],
        "rationale": "It says how long and how.",
        "expectedImpact": "Fewer rewrites.",
        "bestFor": "Product pages",
        "scoreAfter": 84,
    })
}

pub fn optimization(versions: Value) -> Value {
    json!({
        "scoreBefore": 52,
        "versions": versions,
        "implementationAdvice": ["Name the kettle."],
    })
}

pub fn refinement(prompt: &str, items: Value) -> Value {
    json!({
        "reasoning": "The text should be shorter.",
        "prompt": prompt,
        "systemPrompt": null,
        "negativePrompt": null,
        "parameters": [],
        "removed": [],
        "feedbackItems": items,
        "variables": [],
    })
}

pub fn item(text: &str, status: &str) -> Value {
    json!({"text": text, "status": status, "reason": "It is asked for."})
}

pub fn reversal(prompt: &str) -> Value {
    json!({
        "description": "A note on making coffee.",
        "format": "how_to_guide",
        "outline": ["Grinding", "Brewing"],
        "keyElements": [
            {"category": "tone", "value": "plain", "confidence": 0.6},
            {"category": "purpose", "value": "instruction", "confidence": 0.9},
        ],
        "prompt": prompt,
        "confidence": 0.7,
        "limitations": ["The audience is a guess."],
    })
}

pub fn element(category: &str, confidence: f64) -> Value {
    json!({"category": category, "value": "plain", "confidence": confidence})
}
