//! Composing prompts for pictures and clips.

mod beside;

use patterns::pattern;
use serde_json::Map;

use crate::draft::{Draft, Omitted};
use crate::split::{capitalize, stop};
use crate::title;
use crate::visual::camera;
use crate::visual::chosen;
use crate::visual::description::{self, Description};
use crate::visual::dialect::{self, Dialect, Fields};
use crate::visual::edit;
use crate::visual::exclude;
use crate::visual::kinds::{self, Kind};
use crate::visual::notes::{self, Known};
use crate::visual::phrase::{each_once, sentence};
use crate::visual::sequence;
use crate::visual::settings;
use crate::visual::shots::{self, Shot};
use crate::visual::wording::{self, Wording};
use engine::{Mode, Model, ModelKind, Section, TargetModel};

/// A format for what names none, with the remark that tells where it is from.
pub type Frame = (String, String);

/// Writes the prompt for a picture or clip; `guessed` is the language of the goal, if it is surely not English.
pub fn compose(
    message: &str,
    guessed: Option<&'static str>,
    mode: Mode,
    target: TargetModel,
    frame: Option<Frame>,
) -> Draft {
    let moving = mode == Mode::Video;
    let is_edit = edit::is_edit(message);
    let read = if is_edit { description::read_edit } else { description::read };
    let mut read = read(message, guessed, moving);
    let framed = frame.filter(|_| read.ratio.is_none()).map(|(ratio, note)| {
        read.ratio = Some(ratio);
        note
    });
    let mut draft = Work::new(read, target, moving, is_edit).draft();
    draft.assumptions.splice(0..0, framed);
    Draft { mode, ..draft }
}

/// What must not be seen, as a model without a field for it reads it, in English.
pub fn free_of(model: &Model, moving: bool, unwanted: &[&str]) -> String {
    let own = dialect::of(model, moving).free.as_deref();
    let usual = wording::of("en").map(|english| english.free.as_str());
    own.or(usual).unwrap_or("{}").replace("{}", &unwanted.join(", "))
}

struct Work {
    read: Description,
    target: TargetModel,
    model: &'static Model,
    dialect: &'static Dialect,
    kind: &'static Kind,
    wording: Option<&'static Wording>,
    fields: Fields,
    /// The shots of a clip, where they are told one by one.
    shots: Vec<Shot>,
    /// Camera moves beyond the one.
    left_out: Vec<String>,
    /// Exclusions that are said by their opposite or not at all.
    turned: Vec<String>,
    seconds: u32,
    moving: bool,
    is_edit: bool,
    /// Whether the user names the camera move.
    is_moved: bool,
    /// Whether each shot names who or what it shows.
    repeats: bool,
}

impl Work {
    fn new(read: Description, target: TargetModel, moving: bool, is_edit: bool) -> Self {
        let model = target.model();
        let deserted = read.exclusions.iter().any(|item| exclude::is_people(item));
        Self {
            target,
            model,
            dialect: dialect::of(model, moving),
            kind: kinds::of(&read.subject.to_lowercase(), &read.seen, moving, deserted),
            wording: wording::of(read.foreign.unwrap_or("en")),
            fields: Fields::new(read.foreign.is_none()),
            shots: Vec::new(),
            left_out: Vec::new(),
            turned: Vec::new(),
            seconds: read.seconds.unwrap_or_else(|| settings::usual_seconds(model)),
            moving,
            is_edit,
            is_moved: false,
            repeats: false,
            read,
        }
    }

    fn draft(mut self) -> Draft {
        let named = shots::unlabelled(&self.read.subject);
        let named =
            pattern!(r"[,;:.。、，](?:\s|$)|[。、，]").split(named).next().unwrap_or_default();
        let title = title::shorten(&capitalize(named));
        if self.is_edit {
            self.keep();
        } else {
            for (aspect, phrase) in
                chosen::aspects(&self.read, self.kind, self.wording, self.moving)
            {
                self.fields.set(aspect, phrase);
            }
            if self.moving {
                self.move_camera();
            }
            self.describe();
        }
        self.exclude();
        let mut sections = self.sections();
        let ratio =
            self.read.ratio.clone().or_else(|| (!self.is_edit).then(|| self.kind.ratio.clone()));
        let seconds = (self.moving && !self.is_edit).then_some(self.seconds);
        let mut parameters = Map::new();
        let mut unread = Vec::new();
        let mut prompt = self.joined(&sections);
        if self.dialect.flags {
            let flags = self.flags(ratio.as_deref());
            if !flags.is_empty() {
                let trailing = flags.trailing();
                prompt = format!("{} {trailing}", prompt.replace('\n', " "));
                sections.push(Section { heading: "Parameters".to_owned(), text: trailing });
            }
            parameters.extend(flags.settings());
        } else {
            parameters =
                settings::of(self.model, self.moving, ratio.as_deref(), seconds, self.read.seed);
            unread = self.read.flags.untranslatable();
        }
        unread.extend(settings::apply(&self.read.sampling, &mut parameters));
        let negative = self.model.negative_prompt.then(|| self.negative());
        let negative = negative.filter(|list| !list.is_empty());
        let omitted: Vec<Omitted> = [
            (!unread.is_empty()).then_some(Omitted::Parameters(unread)),
            (!self.left_out.is_empty()).then(|| Omitted::Moves(self.left_out.clone())),
            (!self.turned.is_empty()).then(|| Omitted::Exclusions(self.turned.clone())),
        ]
        .into_iter()
        .flatten()
        .collect();
        let known = self.known(ratio.unwrap_or_default(), negative.is_some());
        let told = omitted.iter().map(|omitted| omitted.told(&self.model.name));
        Draft {
            title,
            prompt,
            negative_prompt: negative,
            parameters,
            sections,
            assumptions: known.assumptions().into_iter().chain(told).collect(),
            questions: known.questions(),
            techniques: known.techniques(),
            usage: known.usage(),
            omitted,
            ..Draft::default()
        }
    }

    /// An edit: the instruction, and that all else stays.
    fn keep(&mut self) {
        self.fields.set("subject", &self.read.subject);
        let keep = self.wording.map_or("", |wording| wording.keep.as_str());
        if !edit::says_what_stays(&self.read.subject) {
            self.fields.set("keep", keep);
        }
    }

    /// Where a model takes a list of shots, or the user cuts, each shot has its camera; elsewhere one move stays.
    fn move_camera(&mut self) {
        let foreign = self.read.foreign.is_some();
        if self.read.cuts || self.dialect.lists_shots() {
            let again = self.wording.map_or("", |wording| wording.again.as_str());
            (self.shots, self.repeats) =
                sequence::told(&mut self.read, self.dialect.lists_shots(), again);
            if self.shots.len() > 1 && !self.read.cuts {
                self.fields.set("same", self.wording.map_or("", |wording| wording.same.as_str()));
            }
            return;
        }
        let several =
            self.read.steps.len() > 1 || description::names_several_views(&self.read.seen);
        let Description { subject, details, seen, .. } = &mut self.read;
        let kept = if foreign {
            camera::is_named_abroad(seen).then(String::new)
        } else {
            let mut texts: Vec<&mut String> = [subject].into_iter().chain(details).collect();
            let (kept, left_out) = camera::settle(&mut texts);
            self.left_out = left_out;
            kept
        };
        let default = self.wording.map_or("", |wording| wording.camera.as_str());
        match kept {
            // Several shots have no one move.
            _ if several => {
                for aspect in ["move", "camera"] {
                    self.fields.clear(aspect);
                }
            }
            Some(kept) => {
                self.is_moved = true;
                for aspect in ["move", "shot"] {
                    self.fields.clear(aspect);
                }
                self.fields
                    .set("camera", self.wording.map_or("", |wording| wording.stated.as_str()));
                if !foreign {
                    self.fields.set("command", dialect::command(&kept));
                }
            }
            None if foreign => {
                self.fields.set("camera", default);
                self.fields.set("command", dialect::command("push"));
            }
            None if self.read.stated.contains("shot") => {
                for aspect in ["move", "camera"] {
                    self.fields.clear(aspect);
                }
            }
            None => self.fields.set("command", dialect::command(&self.kind.aspects["move"])),
        }
    }

    /// What the user described.
    fn describe(&mut self) {
        let Self { read, fields, .. } = self;
        fields.set("subject", &read.subject);
        let details: Vec<String> = if self.dialect.is_list() {
            read.details.clone()
        } else {
            read.details.iter().map(|text| sentence(text)).collect()
        };
        fields.set("details", &details.join(if self.dialect.is_list() { ", " } else { " " }));
        let Some(wording) = self.wording else { return };
        if !read.lettering.is_empty() && !self.moving {
            fields.set("lettering", &wording.lettering);
        }
        if !read.dialogue.is_empty() {
            fields.set("dialogue", &wording.spoken);
        }
        let ratio = read.ratio.as_ref().unwrap_or(&self.kind.ratio);
        fields.set("ratio", &wording.format.replace("{}", ratio));
        for name in &self.dialect.without {
            fields.clear(name);
        }
    }

    /// What must not be seen, where the prompt says it.
    fn exclude(&mut self) {
        if self.model.negative_prompt || self.dialect.flags || self.read.exclusions.is_empty() {
            return;
        }
        let own = self.wording.filter(|_| self.read.foreign.is_some());
        let turns = self.dialect.opposites && self.read.foreign.is_none();
        let (mut phrases, mut names) = (Vec::new(), Vec::new());
        for item in &self.read.exclusions {
            let opposite = exclude::fault(item).filter(|_| turns).and_then(dialect::opposite);
            if opposite.is_some() || turns && exclude::is_quality(item) {
                phrases.extend(opposite.map(str::to_owned));
                self.turned.push(item.clone());
            } else {
                names.push(own.map_or(item.as_str(), |own| own.name(item)));
            }
        }
        if !names.is_empty() {
            phrases.push(match own {
                Some(own) => own.free.replace("{}", &names.join(", ")),
                None => free_of(self.model, self.moving, &names),
            });
        }
        self.fields.set("exclusions", &each_once(phrases.into_iter()).join("; "));
    }

    fn sections(&mut self) -> Vec<Section> {
        let shots = !self.shots.is_empty();
        let parts = if self.is_edit { dialect::edit() } else { self.dialect.parts(shots) };
        let mut sections = Vec::new();
        for part in parts {
            let (heading, forms) = part.split_first().expect("parts have a heading");
            if forms.iter().any(|form| form == "{shots}") {
                let first = match self.wording {
                    Some(wording) if self.read.foreign.is_some() => wording.camera.as_str(),
                    _ => self.kind.aspects["move"].as_str(),
                };
                let (shots, forms) = (&self.shots, self.dialect.shot());
                sections.extend(sequence::sections(
                    shots,
                    forms,
                    self.wording,
                    first,
                    self.seconds,
                ));
            } else if let Some(text) = self.fields.fill(forms) {
                let text = match () {
                    // An instruction stays as it was written.
                    () if self.is_edit && sections.is_empty() => stop(&text),
                    () if self.is_edit || !self.dialect.is_list() => sentence(&text),
                    () => text.trim_end_matches(['.', ',', '。', '、', '，']).to_owned(),
                };
                sections.push(Section { heading: heading.clone(), text });
            }
        }
        sections
    }

    fn joined(&self, sections: &[Section]) -> String {
        let dialect = self.dialect;
        let join = match dialect.join.as_str() {
            _ if self.is_edit => " ",
            " " if self.shots.len() > 1 => "\n",
            join => join,
        };
        let labels = dialect.labels && !self.is_edit && self.read.foreign.is_none();
        let mut text = String::new();
        for section in sections {
            // The full stop of some scripts holds its own space.
            if !(text.is_empty() || join == " " && text.ends_with('。')) {
                text.push_str(if dialect.labels && !labels { " " } else { join });
            }
            if labels {
                text.push_str(&format!("{}: ", section.heading));
            }
            text.push_str(&section.text);
        }
        text
    }

    /// What is known about the prompt, for what is said beside it.
    fn known(&self, ratio: String, negative: bool) -> Known<'static> {
        let (read, used) = (&self.read, &self.fields.used);
        let is_used = |aspect: &str| used.contains(aspect);
        let is_chosen = |aspect: &&str| match *aspect {
            "move" if !self.shots.is_empty() => {
                self.dialect.lists_shots() && self.shots.iter().all(|shot| shot.camera.is_none())
            }
            "move" => is_used("move") || is_used("command") && !self.is_moved,
            "camera" => is_used("camera") && read.foreign.is_some(),
            aspect => is_used(aspect),
        };
        let aspects = ["medium", "look", "composition", "light", "shot", "move", "camera"];
        let chosen = notes::names(aspects.into_iter().filter(is_chosen));
        let facts = [
            ("picture", !self.moving),
            ("clip", self.moving),
            ("edit", self.is_edit),
            ("ratio", read.ratio.is_some()),
            ("seconds", read.seconds.is_some()),
            ("palette stated", read.stated.contains("palette")),
            ("graphic", self.kind.graphic && !self.is_edit),
            ("lettering", !read.lettering.is_empty()),
            ("dialogue", !read.dialogue.is_empty()),
            ("negative", negative),
            ("flags", self.dialect.flags),
            ("shots", self.shots.len() > 1),
            ("repeats", self.repeats),
            ("chosen", !chosen.is_empty()),
            ("generator", matches!(self.model.kind, ModelKind::Image | ModelKind::Video)),
        ];
        Known {
            facts: facts.into_iter().filter(|(_, holds)| *holds).map(|(fact, _)| fact).collect(),
            values: vec![
                ("ratio", ratio),
                ("seconds", self.seconds.to_string()),
                ("model", self.target.to_string()),
                ("chosen", chosen),
            ],
        }
    }
}
