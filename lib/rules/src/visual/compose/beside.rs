//! What goes beside the text of a prompt: parameters, and what must not be seen.

use patterns::pattern;

use super::Work;
use crate::visual::{exclude, kinds, parameters::Flags, phrase::each_once};

impl Work {
    /// The parameters of the prompt: the user's own, then what is usual for such a picture.
    pub(super) fn flags(&self, ratio: Option<&str>) -> Flags {
        let mut flags = self.read.flags.clone();
        if let Some(ratio) = ratio {
            flags.default_to("ar", ratio);
        }
        if self.is_edit {
            return flags;
        }
        let own = flags.get("no").is_some();
        for item in &self.read.exclusions {
            flags.set("no", item);
        }
        if !own && self.read.lettering.is_empty() && !self.kind.graphic {
            flags.set("no", "text");
            flags.set("no", "watermark");
        }
        let drawn = kinds::style(&self.read.seen).is_some_and(|style| !style.photo);
        let strength = match () {
            () if self.kind.graphic => "50",
            () if drawn => "250",
            () => "100",
        };
        flags.default_to("s", strength);
        flags.default_to("c", "5");
        if let Some(seed) = self.read.seed {
            flags.default_to("seed", &seed.to_string());
        }
        flags
    }

    /// What must not be seen, and faults that are usual.
    pub(super) fn negative(&self) -> String {
        let read = &self.read;
        let deserted = read.exclusions.iter().any(|item| exclude::is_people(item));
        let silent = read.lettering.is_empty() && read.dialogue.is_empty();
        let fits = |fault: &&str| {
            !(deserted && pattern!("{video.body}").is_match(fault))
                && (silent || !pattern!("{image.writing}").is_match(fault))
        };
        let usual = self.kind.negative.split(", ").filter(|_| !self.is_edit).filter(fits);
        let unwanted = read.exclusions.iter().cloned();
        each_once(unwanted.chain(usual.map(str::to_owned))).join(", ")
    }
}
