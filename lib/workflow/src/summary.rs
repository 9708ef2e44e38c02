//! What history lists show of a result.

use engine::TargetModel;
use store::history::Summary;

/// Characters of a prompt in a list.
const EXCERPT: usize = 160;

pub(crate) fn summary(
    title: String,
    prompt: &str,
    target_model: TargetModel,
    language: &str,
) -> Summary {
    Summary {
        title,
        excerpt: excerpt(prompt),
        target_model: target_model.as_str().to_owned(),
        language: language.to_owned(),
    }
}

/// The beginning of a prompt, on one line.
fn excerpt(prompt: &str) -> String {
    let mut excerpt = String::new();
    for word in prompt.split_whitespace() {
        if !excerpt.is_empty() {
            excerpt.push(' ');
        }
        excerpt.push_str(word);
        if excerpt.chars().nth(EXCERPT).is_some() {
            return excerpt.chars().take(EXCERPT).collect();
        }
    }
    excerpt
}
