//! Bringing a prompt for a picture or clip into the form that its model reads, with its own words.

use serde_json::{Map, Value};

use super::family;
use super::flags::Flags;
use super::picture;
pub use super::picture::Picture;
use engine::{Mode, PromptBrief, TargetModel};

/// The settings that the prompt itself ends with or, for most models, those beside it.
pub fn settings(prompt: &str, brief: &PromptBrief, mode: Mode) -> Map<String, Value> {
    if family::of(brief.target_model.model()).flags {
        return Flags::take(prompt).1.settings();
    }
    settled(prompt, brief, mode).parameters
}

/// What kind of visual prompt a model takes, if it takes only such.
pub fn mode_of(target: TargetModel) -> Option<Mode> {
    family::mode_of(target.model())
}

/// Whether a prompt has parameters that its target model does not read.
pub fn has_foreign_parameters(brief: &PromptBrief) -> bool {
    let model = brief.target_model.model();
    mode_of(brief.target_model).is_some()
        && !family::of(model).flags
        && !Flags::take(&brief.prompt).1.is_empty()
}

/// The prompt's own words, with settings and exclusions moved to where the model wants them.
pub fn settled(prompt: &str, brief: &PromptBrief, mode: Mode) -> Picture {
    picture::of(prompt, mode, brief.target_model, false)
}

/// The same without words that only ask for a picture, and with what the model wants said.
pub fn recomposed(prompt: &str, brief: &PromptBrief, mode: Mode) -> Picture {
    picture::of(prompt, mode, brief.target_model, true)
}
