//! A prompt with its values.

use domain::preset::{self, Values};

/// Most characters of a prompt with the values of its variables.
const PROMPT_MAX: usize = 100_000;

/// A prompt with values in the place of its variables.
///
/// # Errors
///
/// Why it is too large with them, as what somebody reads who sent the values.
pub fn filled(prompt: &str, values: &Values) -> Result<String, String> {
    let rendered = preset::render(prompt, values).map_err(|error| error.to_string())?.text;
    match rendered.chars().count() {
        ..=PROMPT_MAX => Ok(rendered),
        all => {
            Err(format!("the prompt has {all} characters with its values, more than {PROMPT_MAX}"))
        }
    }
}
