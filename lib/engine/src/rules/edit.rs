//! Carrying out what an instruction says about a prompt.

use super::change::{bans_emojis, language_wanted};
use super::dialect::{self, Part, bullets, fence};
use super::fill::fill;
use super::goal::Goal;
use super::imperative;
use super::outline::Outline;
use super::refine::values;
use super::slots::{self, Slots};
use super::split::{capitalize, stop};
use super::text;
use crate::language;
use crate::{GenerateBrief, Section};
use patterns::pattern;

/// A prompt under change.
#[derive(Default)]
pub struct Edit {
    pub prompt: String,
    pub title: Option<String>,
    /// Trailing parameters of a picture's prompt.
    pub flags: String,
    /// What was said about the prompt's goal before.
    pub known: Slots,
    /// Requirements, and whether the engine added them of its own accord.
    pub added: Vec<(String, bool)>,
    /// Notes on what was changed in place.
    pub done: Vec<String>,
    pub language: Option<String>,
    /// Aspect ratio that was asked for.
    pub ratio: Option<String>,
    /// What a picture or clip must not show any more.
    pub excluded: Vec<String>,
    /// Whether the target model takes exclusions in a field of their own.
    pub has_negative: bool,
    /// Whether it is a clip.
    pub moving: bool,
}

impl Edit {
    /// Changes the aspect ratio if that is what a clause asks for.
    fn set_ratio(&mut self, clause: &str) -> bool {
        let Some(found) = pattern!(r"(?i)^(?:make it |in |use |change (?:it )?to |set it to |now )*(?P<r>\d{1,2}:\d{1,2})(?: (?:please|instead|aspect ratio|format|ratio))*$").captures(clause) else {
            return false;
        };
        self.put_ratio(found["r"].to_owned());
        true
    }

    fn put_ratio(&mut self, ratio: String) {
        self.flags =
            pattern!(r"(--ar )\d+:\d+").replace(&self.flags, format!("${{1}}{ratio}")).into_owned();
        self.prompt = pattern!(r"\d+:\d+( aspect ratio)")
            .replace(&self.prompt, format!("{ratio}${{1}}"))
            .into_owned();
        self.done.push(format!("The format was changed to {ratio}."));
        self.ratio = Some(ratio);
    }

    /// Adds exclusions to the trailing parameters, if the prompt has such.
    fn exclude_by_flag(&mut self, unwanted: &str) -> bool {
        if self.flags.is_empty() {
            return false;
        }
        self.flags = if self.flags.contains("--no ") {
            self.flags.replacen("--no ", &format!("--no {unwanted}, "), 1)
        } else {
            format!("{} --no {unwanted}", self.flags)
        };
        true
    }

    pub fn instruct(&mut self, clause: &str, visual: bool) {
        let clause = clause.trim().trim_end_matches(['.', '!']);
        if !clause.chars().any(char::is_alphanumeric)
            || pattern!(
                r"(?i)^(?:thanks?(?: you)?|please|ok(?:ay)?|great|hi|hello|perfect|yes|nice)$"
            )
            .is_match(clause)
        {
            return;
        }
        if super::convert::names_target(clause) {
            return;
        }
        if pattern!(r"(?i)^(?:undo|revert|roll back)\b").is_match(clause) {
            self.done
                .push(format!("\"{clause}\" was left out: earlier versions are in the history."));
            return;
        }
        if visual && let Some((rest, ratio)) = super::framing::format_in(clause, self.moving) {
            self.put_ratio(ratio);
            return self.instruct(&rest, visual);
        }
        if let Some(found) = pattern!(r#"(?i)^(?:please )?(?:replace|change|rename|swap|switch) (?:the (?:word|name|phrase|variable|text) )?["“'`]?(?P<a>.+?)["”'`]? (?:with|by|to|into|for) ["“'`]?(?P<b>.+?)["”'`]?$"#).captures(clause) {
            let (old, new) = (&found["a"], &found["b"]);
            if self.prompt.contains(old) && old.chars().count() > 2 {
                self.prompt = self.prompt.replace(old, new);
                self.retitle(old, new);
                self.done.push(format!("\"{old}\" was replaced by \"{new}\"."));
                return;
            }
        }
        if bans_emojis(clause) {
            self.prompt = self.prompt.chars().filter(|c| !is_emoji(*c)).collect();
            self.add("Do not use emojis.");
            return;
        }
        if !visual && let Some(tag) = language_wanted(clause) {
            self.language = Some(tag.to_owned());
            self.remove_lines(|line| {
                language::asked_for(line)
                    || pattern!(r"(?i)^-? ?(?:respond in|antworte)\b").is_match(line)
            });
            let english =
                language::locale("en").respond.replace("{}", &language::english_name(tag));
            let own = language::respond_in(tag);
            if own != english && language::detect_other_than_english(&self.prompt).is_some()
                || pattern!(r"(?i)\b(?:auf|en|em|bitte|por favor|per favore)\b").is_match(clause)
            {
                self.add(&own);
            } else {
                self.add(&english);
            }
            return;
        }
        if !visual && pattern!(r"(?i)^(?:please |can you |now )*(?:make (?:it|this|the (?:answer|text|output|result|email|post|prompt))(?: a (?:bit|little))?(?: much)? )?(?:shorter|more concise|briefer|more compact)$|^shorten(?: it| this)?$|^(?:be )?more concise$").is_match(clause) {
            self.remove_length_lines();
            self.add("Keep the result to about half of the length that would be usual; cut background and repetition first.");
            return;
        }
        if !visual && pattern!(r"(?i)^(?:please |now )*(?:make (?:it|this) )?(?:much )?(?:longer|more detailed|more in-depth)$|^(?:expand|extend)(?: it| this)?$|^add more detail$").is_match(clause) {
            self.remove_length_lines();
            self.add("Go into more depth: give reasons, examples and edge cases, at about twice the usual length.");
            return;
        }
        if pattern!(r"(?i)^(?:please |can you |could you )*(?:improve|optimi[sz]e|enhance|refine|polish|upgrade|rework|strengthen|fix|restructure)(?: (?:it|this|my|the|prompt|this prompt|my prompt|the prompt))*$|^make (?:it|this|this prompt|my prompt|the prompt) (?:much )?better$").is_match(clause) {
            return;
        }
        let removes =
            pattern!(r"(?i)^(?:remove|drop|without|no|leave out|don't show)\b").is_match(clause);
        if !(visual && removes) && self.reword(clause, visual) {
            return;
        }
        if !visual && self.set_slot(clause) {
            return;
        }
        if visual && self.set_ratio(clause) {
            return;
        }
        if visual && self.set_scene(clause) {
            return;
        }
        if visual {
            if let Some(found) = pattern!(r"(?i)^(?:please |and )*(?:remove|drop|without|no|leave out|don't show) (?:the |any )?(?P<v>.+)$").captures(clause) {
                let unwanted = found["v"].to_owned();
                let before = self.prompt.clone();
                if !self.reword(clause, true) {
                    self.excluded.push(unwanted.clone());
                }
                // What is gone needs no mention where a mention could bring it back.
                if self.exclude_by_flag(&unwanted) || self.has_negative || self.prompt != before {
                    return;
                }
            }
            self.add(&visual_phrase(clause));
        } else {
            self.add(&requirement(clause));
        }
    }

    /// Takes a clause over as a requirement without looking for settings in it.
    pub fn require(&mut self, clause: &str) {
        self.added.push((requirement(clause), false));
    }

    pub(super) fn add(&mut self, requirement: &str) {
        let requirement = requirement.to_owned();
        if !self.added.iter().any(|(known, _)| *known == requirement) {
            self.added.push((requirement, false));
        }
    }

    /// Takes over a statement about audience, tone, length and the like in place of the earlier one.
    ///
    /// A clause that says more than the value stays whole as a requirement.
    fn set_slot(&mut self, clause: &str) -> bool {
        // What a part is to take leaves the whole as it is.
        let of_part = values::part_in(clause).is_some_and(|(part, _)| !self.gives_length_to(part));
        if clause.split_whitespace().count() > 14 || of_part {
            return false;
        }
        let found = slots::read(clause);
        let known = self.known.clone();
        if self.set_foreign_length(clause) {
            return true;
        }
        if let Some(audience) = audience_of(clause, &found) {
            self.remove_lines(|line| {
                pattern!(r"(?i)^[-*•]? ?(?:audience:|for .{1,40} readers\.?$)").is_match(line)
            });
            self.put_in_place(known.audience.as_deref(), &audience);
            self.add(&format!(
                "Audience: {audience}. Choose vocabulary, examples and arguments for them."
            ));
            self.known.audience = Some(audience);
            return true;
        }
        if let Some(length) = &found.length {
            self.remove_length_lines();
            self.put_in_place(known.length.as_deref(), length);
            let more = says_more(clause, length);
            self.add(&if more { requirement(clause) } else { format!("Length: {length}.") });
            self.known.length = Some(length.clone());
            return true;
        }
        if let Some(format) = &found.format
            && !says_more(clause, format)
        {
            self.remove_lines(|line| {
                pattern!(r"(?i)^[-*•]? ?(?:format:|(?:as|in) (?:an? |valid |plain )*(?:json|csv|ya?ml|xml|html|markdown|tables?|list|bullets?|bullet points|prose)\.?$)").is_match(line)
            });
            let line = text::format_line(format);
            let outline = Outline::of(&self.prompt);
            if outline.text(Part::Output).is_some() {
                self.prompt = outline.with_text(Part::Output, &line);
                self.done.push(format!("The output format was changed to {format}."));
            } else {
                self.add(&line);
            }
            return true;
        }
        let manner = pattern!(r"(?i)\b(?:(?:more|less|not so|not as|too|a (?:bit|little)) \w+(?:ly)?|funnier|warmer|friendlier|simpler|calmer|bolder|softer|lighter|kinder|nicer|stricter|firmer|plainer|livelier|politer|cooler|sharper)$")
            .find(clause)
            .map(|found| found.as_str().to_owned())
            .filter(|manner| !pattern!(r"(?i)\b(?:detail(?:s|ed)?|examples?|information|specific|concise|general|text|often|time|compact|words?|ideas?|options?)$").is_match(manner));
        let tone = found.tone.clone().filter(|_| {
            pattern!(r"(?i)^(?:now |please |but |and )*(?:(?:change|set|switch) the (?:tone|style|voice) to|make (?:it|this|the \w+)|be\b|sound|use an?|in an?|with an?|tone|more|less|keep (?:it|the)|write (?:it )?in|the tone|it should)|tone$|^[\w-]+(?: (?:and|but) [\w-]+)?$").is_match(clause)
        });
        if let Some(value) = tone.or(manner) {
            self.remove_lines(|line| {
                pattern!(r"(?i)^[-*•]? ?(?:tone:|(?:[\w-]+,? ){0,4}tone\.?$|a \w+ tone here means)")
                    .is_match(line)
            });
            let value = pattern!(r"(?i)^(?:now |please )*(?:(?:change|set|switch) the (?:tone|style|voice) to|make (?:it|this|the \w+)|be|sound|keep it|use an?|in an?|with an?|it should be) (?P<v>.+?)(?: tone| style)?$")
                .captures(clause)
                .map_or(value, |found| found["v"].to_owned());
            self.add(&format!("Tone: {value}."));
            return true;
        }
        // A bare new value ("5 days", "budget is now 4000 euros") replaces the old one where it stands.
        for (old, new, label) in [
            (&known.budget, &found.budget, "Budget"),
            (&known.duration, &found.duration, "Duration"),
            (&known.deadline, &found.deadline, "Deadline"),
            (&known.platform, &found.platform, "Platform"),
        ] {
            if let (Some(old), Some(new)) = (old, new)
                && old != new
                && !says_more(clause, new)
            {
                let before = self.prompt.clone();
                // "under 1000 EUR" stays a limit when only the sum changes.
                let sum =
                    pattern!(r"(?i)^(?:under|below|up to|max(?:imum)?|about|around|less than) ");
                let old = if sum.is_match(new) { old.as_str() } else { &sum.replace(old, "") };
                self.put_in_place(Some(old), new);
                if self.prompt == before {
                    self.add(&format!("{label}: {new}."));
                }
                return true;
            }
        }
        false
    }

    /// Replaces the number of words in a prompt of another language than English.
    fn set_foreign_length(&mut self, clause: &str) -> bool {
        let length = pattern!(
            r"(?i)\b(?:(?:maximal|höchstens|max\.?|unter|rund|etwa|maximum|moins de|au plus|environ|máximo(?: de)?|hasta|menos de|unas|massimo|meno di|circa|até|cerca de) )?(?P<n>\d[\d.]*) (?P<unit>wörter|worte|mots|palabras|parole|palavras|sätze|phrases|frases|frasi)\b(?: máximo| maximum)?"
        );
        let Some(found) = length.captures(clause) else { return false };
        let unit = found["unit"].to_lowercase();
        let before = self.prompt.clone();
        self.prompt = prose(&self.prompt, |line| {
            Some(
                length
                    .replace_all(line, |old: &patterns::Captures<'_>| {
                        if old["unit"].to_lowercase() == unit {
                            found[0].to_owned()
                        } else {
                            old[0].to_owned()
                        }
                    })
                    .into_owned(),
            )
        });
        self.prompt != before && !says_more(clause, &found[0])
    }

    /// Replaces an earlier value in the prose of the prompt, never inside fences, quotations or variables.
    fn put_in_place(&mut self, old: Option<&str>, new: &str) {
        let Some(old) = old.filter(|old| old.chars().count() >= 3) else { return };
        let pattern = format!(
            r#"(?P<keep>"[^"\n]*"|“[^”\n]*”|\{{\{{[^{{}}]*\}}\}}|https?://\S+)|{}{}"#,
            if old.starts_with(char::is_alphanumeric) { r"\b" } else { "" },
            regex::escape(old)
        );
        let Ok(pattern) = regex::RegexBuilder::new(&pattern).case_insensitive(true).build() else {
            return;
        };
        let new = match pattern!(r"^(\d+) (\w+?)s?$").captures(new) {
            Some(parts) if old.contains('-') => format!("{}-{}", &parts[1], &parts[2]),
            _ => new.to_owned(),
        };
        let replaced = prose(&self.prompt, |line| {
            let line = pattern.replace_all(line, |found: &regex::Captures<'_>| {
                found.name("keep").map_or_else(|| new.clone(), |keep| keep.as_str().to_owned())
            });
            Some(line.into_owned())
        });
        if replaced != self.prompt {
            self.prompt = replaced;
            self.done.push(format!("\"{old}\" was replaced by \"{new}\"."));
        }
    }

    fn remove_length_lines(&mut self) {
        self.remove_lines(|line| {
            pattern!(r"(?i)^[-*•]? ?(?:length:|(?:(?:under|below|at most|max(?:imum)?(?: of)?|up to|no more than|less than|about|around|exactly|keep (?:it|the body) (?:under|to))? ?\d[\d,]*(?:(?: to |-)\d[\d,]*)? (?:words|characters|sentences|paragraphs|pages)(?: max| at most)?\.?$)|keep the result to about half|go into more depth: give reasons|(?:keep it )?(?:very )?(?:short|brief)\.?$|one page(?: at most)?\.?$)").is_match(line)
        });
    }

    /// Removes whole list items that were superseded, never a line with a variable, quotation or URL.
    pub fn remove_lines(&mut self, superseded: impl Fn(&str) -> bool) {
        self.added.retain(|(line, _)| !superseded(line));
        self.prompt = prose(&self.prompt, |line| {
            let keeps = !superseded(line.trim())
                || line.contains("{{")
                || line.contains("://")
                || line.contains('"');
            keeps.then(|| line.to_owned())
        });
    }

    /// Adds what experts look for, for prompts that only state a wish.
    pub fn strengthen(&mut self, goal: &Goal, brief: &GenerateBrief) {
        let locale = language::locale(&brief.language);
        let lines: Vec<String> = match locale.families.get(&goal.task.family) {
            Some(family) => family.guidance.clone(),
            None => goal.task.guidance.iter().take(4).map(|line| fill(line, goal)).collect(),
        };
        self.added.extend(lines.into_iter().map(|line| (line, true)));
    }

    /// The changed prompt of a picture or clip: additions are further descriptions.
    pub fn finish_visual(&self) -> (String, Vec<Section>) {
        let added: Vec<&str> = self.added.iter().map(|(text, _)| text.as_str()).collect();
        let mut prompt = self.prompt.trim_end().trim_end_matches(',').to_owned();
        if !added.is_empty() {
            let addition = added.join(", ");
            prompt = if prompt.ends_with('.') {
                format!("{prompt} {}", stop(&capitalize(&addition)))
            } else {
                format!("{prompt}, {addition}")
            };
        }
        if !self.flags.is_empty() {
            prompt = format!("{} {}", prompt.replace('\n', " "), self.flags);
        }
        let sections = vec![Section { heading: "Prompt".to_owned(), text: prompt.clone() }];
        (prompt, sections)
    }

    /// The changed prompt for a language model, with its parts.
    pub fn finish(&self, brief: &GenerateBrief, material: &[String]) -> (String, Vec<Section>) {
        let locale = language::locale(&brief.language);
        let outline = Outline::of(&self.prompt);
        let lines: Vec<String> = self.added.iter().map(|(text, _)| text.clone()).collect();
        let mut prompt = if outline.has_headings() {
            let heading = dialect::heading(Part::Requirements, brief.target_model, locale);
            // The final check of earlier versions speaks of a single requirement.
            outline
                .with_requirements(&lines, &heading)
                .replace("\n- the requirement above is met.", "\n- every requirement above is met.")
        } else {
            into_free_text(&self.prompt, &lines, &locale.headings["requirements"])
        };
        for block in material {
            prompt = format!("{}\n\n{}", prompt.trim_end(), fence(block));
        }
        let outline = Outline::of(&prompt);
        let sections = if outline.has_headings() {
            outline.sections()
        } else {
            vec![Section { heading: "Prompt".to_owned(), text: prompt.clone() }]
        };
        (prompt, sections)
    }
}

/// Adds requirements in the form that the text has: sentences, list items, or a list of its own.
fn into_free_text(prompt: &str, lines: &[String], heading: &str) -> String {
    if lines.is_empty() {
        return prompt.to_owned();
    }
    let prompt = prompt.trim_end();
    let last = prompt.lines().next_back().unwrap_or_default();
    if pattern!(r"^\s*[-*•] \S").is_match(last) {
        let bullet: String =
            last.chars().take_while(|c| !c.is_alphanumeric() && *c != '"').collect();
        let items: Vec<String> = lines.iter().map(|line| format!("{bullet}{line}")).collect();
        return format!("{prompt}\n{}", items.join("\n"));
    }
    let running = !last.trim_end().ends_with("```")
        && last.split_whitespace().count() > 2
        && lines.len() <= 3
        && prompt.split_whitespace().count() <= 150;
    if running {
        let sentences: Vec<String> = lines.iter().map(|line| spoken(line)).collect();
        return format!("{} {}", stop(prompt), sentences.join(" "));
    }
    if let [line] = lines {
        return format!("{prompt}\n\n{}", spoken(line));
    }
    format!("{prompt}\n\n{heading}:\n{}", bullets(lines))
}

/// A labelled requirement as a sentence of running text.
fn spoken(line: &str) -> String {
    for (label, sentence) in [
        ("Length: ", "Keep it to this length: "),
        ("Audience: ", "Write for this audience: "),
        ("Tone: ", "Use this tone: "),
    ] {
        if let Some(value) = line.strip_prefix(label) {
            return format!("{sentence}{value}");
        }
    }
    line.to_owned()
}

/// Changes or drops the lines of a prompt that lie outside fences.
pub fn prose(prompt: &str, change: impl Fn(&str) -> Option<String>) -> String {
    let mut fence: Option<usize> = None;
    let mut lines = Vec::new();
    for line in prompt.split('\n') {
        let ticks = line.trim_start().chars().take_while(|c| *c == '`').count();
        match fence {
            Some(open) if ticks >= open && line.trim().chars().all(|c| c == '`') => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            Some(_) => {}
            None => {
                lines.extend(change(line));
                continue;
            }
        }
        lines.push(line.to_owned());
    }
    lines.join("\n")
}

/// The readers that a clause such as "now for parents of schoolchildren" names, in the user's words.
fn audience_of(clause: &str, found: &Slots) -> Option<String> {
    let plural = pattern!(
        r"(?i)^(?:now |please |and )*for (?:(?:our|my|the|all|young|older) )?(?:[a-z'-]+ ){0,4}[a-z'-]+s$"
    );
    if found.audience.is_none() && !plural.is_match(clause) {
        return None;
    }
    pattern!(r"(?i)^(?:now |please |actually,? |no,? |it(?:'?s| is| should be) |make (?:it|this) |and |but |change it |rewrite it |audience:? |the (?:target )?audience (?:is|should be) )*(?:suitable |write it |written |adapt(?:ed)?(?: it)? |aimed |meant |target it |the same )?(?:(?:for|at|to|towards) )?(?P<v>[^.,;:]{3,90}?)(?:,? not (?:for )?[^.;:]{3,60})?$")
        .captures(clause)
        .filter(|_| pattern!(r"(?i)\b(?:for|at|to|towards|audience)\b").is_match(clause))
        .map(|found| found["v"].trim_end_matches(" instead").to_owned())
        .filter(|who| !pattern!(r"(?i)\b(?:make|write|add|tell|mention|include|explain|words|sentences)\b").is_match(who))
}

/// Whether a clause says something besides the value.
fn says_more(clause: &str, value: &str) -> bool {
    clause.replacen(value, " ", 1).split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| {
        !word.is_empty()
            && !matches!(
                word.to_lowercase().as_str(),
                "make"
                    | "it"
                    | "to"
                    | "be"
                    | "keep"
                    | "the"
                    | "a"
                    | "an"
                    | "in"
                    | "as"
                    | "at"
                    | "of"
                    | "only"
                    | "limit"
                    | "actually"
                    | "set"
                    | "up"
                    | "raise"
                    | "increase"
                    | "lower"
                    | "reduce"
                    | "cut"
                    | "oh"
                    | "no"
                    | "our"
                    | "my"
                    | "should"
                    | "must"
                    | "result"
                    | "text"
                    | "answer"
                    | "output"
                    | "please"
                    | "now"
                    | "and"
                    | "but"
                    | "use"
                    | "instead"
                    | "is"
                    | "this"
                    | "length"
                    | "budget"
                    | "format"
                    | "just"
                    | "change"
                    | "return"
                    | "give"
                    | "me"
                    | "with"
                    | "for"
                    | "so"
                    | "that"
                    | "we"
                    | "have"
            )
    })
}

/// An instruction about the text becomes a requirement of the text.
pub(super) fn requirement(clause: &str) -> String {
    let text = pattern!(
        r"(?i)^(?:i (?:want|need|would like|'d like) (?:it |you )?to (?:be )?|make sure (?:that )?)"
    )
    .replace(clause, |found: &patterns::Captures<'_>| {
        if found[0].to_lowercase().starts_with("make sure") {
            found[0].to_owned()
        } else {
            String::new()
        }
    });
    let text =
        pattern!(r"(?i)^make (?:it|this|the (?:prompt|text|output|answer|result)) (?P<rest>.+)$")
            .replace(&text, "Make the result $rest");
    let text = pattern!(r"(?i)^(?:make )?(?:it )?more (?P<rest>[\w -]+)$")
        .replace(&text, "Make the result more $rest");
    let text =
        pattern!(r"(?i)^(?P<verb>add|include) (?P<rest>.+?)(?: to (?:it|the prompt|this))?$")
            .replace(&text, "Include $rest");
    let text = pattern!(r"(?i)^(?:remove|drop|delete|leave out) (?P<rest>.+)$")
        .replace(&text, "Leave out $rest");
    stop(&capitalize(imperative::unwrapped(&text)))
}

fn visual_phrase(clause: &str) -> String {
    let text = pattern!(r"(?i)^(?:please |now )*(?:make (?:it|this|the (?:image|picture|video|scene)) |add |include |with |it should (?:be|have) |i want (?:it )?(?:to be )?|turn it into |set it )").replace(clause, "");
    let text = pattern!(r"(?i)^(?:remove|drop|without|no|leave out) (?:the |any )?(?P<rest>.+)$")
        .replace(&text, "free of $rest");
    text.trim().to_owned()
}

pub(super) fn is_emoji(character: char) -> bool {
    matches!(u32::from(character), 0x1F300..=0x1FAFF | 0x2600..=0x27BF | 0xFE0F | 0x1F1E6..=0x1F1FF)
}
