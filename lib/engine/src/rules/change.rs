//! Changes that name words of the prompt: removing, replacing, exchanging.

use regex::{Regex, RegexBuilder};

use super::edit::{Edit, prose};
use super::outline::Outline;
use super::refine::{instead, scene};
use super::split::{capitalize, stop};
use crate::integrity::{self, Cover};
use crate::{GenerateBrief, language};
use patterns::pattern;

impl Edit {
    /// Carries out "remove the boat", "night instead of dawn" or "change Monday to Friday"; tells whether it
    /// could.
    pub fn reword(&mut self, clause: &str, visual: bool) -> bool {
        if let Some((old, new)) = instead::asked(clause)
            && let Some(fits) = self.swap(&old, &new)
        {
            if !fits {
                self.add(&stop(&capitalize(clause)));
            }
            return true;
        }
        if let Some((old, new)) = exchange(clause)
            && (self.exchange(&old, &new)
                || hyphenated(&old)
                    .zip(hyphenated(&new))
                    .is_some_and(|(old, new)| self.exchange(&old, &new)))
        {
            return true;
        }
        let Some(found) = pattern!(r"(?i)^(?:and |also )?(?:remove|drop|delete|take out|get rid of|cut|omit|leave out|lose|forget)(?: about)? (?:the |any |all |that |those |my |our )?(?:mention of |(?:line|part|bit|requirement|sentence|bullet|point|section) (?:about|on|that|with) )?(?:the |any |an? )?(?P<v>[^.;:]{2,60})$").captures(clause) else {
            return false;
        };
        let unwanted =
            pattern!(r"(?i) (?:from (?:it|the \w+)|please|again|completely|entirely|altogether)$")
                .replace(&found["v"], "")
                .into_owned();
        let Some(word) = word(&unwanted) else { return false };
        if visual {
            self.remove_phrase(&word);
            self.excluded.push(unwanted);
            return true;
        }
        let removed = self.remove_items(&word);
        let rephrased = self.remove_phrase(&word);
        if removed || rephrased {
            self.done.push(format!("\"{unwanted}\" was removed."));
        }
        // What could not be cut out of a sentence has to be forbidden.
        (removed || rephrased) && !word.is_match(&outside_checks(&self.prompt))
    }

    /// Asks for answers in the language of the brief, if the prompt is for another one.
    pub fn settle_language(&mut self, brief: &GenerateBrief, made_here: bool) {
        if self.language.is_some() {
            return;
        }
        let wanted = language::primary(&brief.language);
        let outline = Outline::of(&self.prompt);
        let headings = outline.sections();
        let locale = language::locale_of_text(&self.prompt).unwrap_or_else(|| {
            language::locale_of_headings(headings.iter().map(|section| section.heading.as_str()))
        });
        let written = if outline.has_headings() {
            language::tag_of_locale(locale)
        } else {
            language::detect_other_than_english(&self.prompt).unwrap_or("en")
        };
        let asked = language::respond_in(&brief.language);
        if self.prompt.contains(asked.trim_end_matches('.')) {
            return;
        }
        let other = language::asked_for(&self.prompt);
        if written != wanted && (made_here || wanted != "en") || made_here && other {
            self.remove_lines(language::asked_for);
            self.added.push((asked, false));
        }
    }

    /// Exchanges words of the title, whatever their case.
    pub fn retitle(&mut self, old: &str, new: &str) {
        let Some(word) = word(old) else { return };
        let new = super::split::capitalize(new);
        self.title =
            self.title.as_deref().map(|title| word.replace_all(title, new.as_str()).into_owned());
    }

    /// Changes the weather of a scene or how a thing in it looks, if that is what a clause asks for.
    pub fn set_scene(&mut self, clause: &str) -> bool {
        if let Some(weather) = scene::weather(clause) {
            self.add(&weather);
            return true;
        }
        let Some((thing, look)) = scene::look(clause) else { return false };
        match scene::with_look(&self.prompt, &thing, &look) {
            Some((place, new)) => {
                self.prompt.replace_range(place, &new);
                self.done.push(format!("The {thing} is {look} now."));
            }
            None => self.add(&format!("{look} {thing}")),
        }
        true
    }

    /// Whether the prompt's own length or duration stands before a noun: "a 45-minute lesson".
    pub fn gives_length_to(&self, noun: &str) -> bool {
        let stated = [self.known.length.as_deref(), self.known.duration.as_deref()];
        stated.into_iter().flatten().any(|stated| {
            let figure: String = stated.chars().filter(char::is_ascii_digit).collect();
            regex::Regex::new(&format!(
                r"(?i)\b{figure}[ -]\p{{L}}+ (?:[\p{{L}}-]+ )?{}\b",
                regex::escape(noun)
            ))
            .is_ok_and(|pattern| !figure.is_empty() && pattern.is_match(&self.prompt))
        })
    }

    /// Puts what is wanted in the place of what is not; tells whether it fits there, `None` if it is not there.
    fn swap(&mut self, old: &str, new: &str) -> Option<bool> {
        let word = word(instead::bare(old))?;
        let tag = language::detect_other_than_english(&self.prompt).unwrap_or("en");
        let held = integrity::scan(&self.prompt);
        let cover = Cover::of(self.prompt.len(), &[&held.code, &held.variables, &held.addresses]);
        let places: Vec<_> = word
            .find_iter(&self.prompt)
            .map(|found| found.range())
            .filter(|place| !cover.touches(place))
            .collect();
        let fits: Vec<_> = places
            .iter()
            .map(|place| instead::fit(&self.prompt, place, new, tag))
            .filter(|fit| fit.is_some() || !instead::is_number(old))
            .collect();
        if fits.is_empty() {
            return (!places.is_empty()).then_some(false);
        }
        let Some(fits) = fits.into_iter().collect::<Option<Vec<_>>>() else {
            return Some(false);
        };
        for (range, text) in fits.into_iter().rev() {
            let raised = self.prompt[range.clone()].starts_with(char::is_uppercase)
                && old.starts_with(char::is_lowercase);
            let text = if raised { capitalize(&text) } else { text };
            self.prompt.replace_range(range, &text);
        }
        self.retitle(instead::bare(old), instead::bare(new));
        self.done.push(format!("\"{old}\" was replaced by \"{new}\"."));
        Some(true)
    }

    fn exchange(&mut self, old: &str, new: &str) -> bool {
        let Some(word) = word(old) else { return false };
        let exchanged = |text: &str| {
            word.replace_all(text, |found: &regex::Captures<'_>| {
                if found[0].starts_with(char::is_uppercase) && !old.starts_with(char::is_uppercase)
                {
                    super::split::capitalize(new)
                } else {
                    new.to_owned()
                }
            })
            .into_owned()
        };
        let prompt = prose(&self.prompt, |line| Some(exchanged(line)));
        if prompt == self.prompt {
            return false;
        }
        self.prompt = prompt;
        self.title = self.title.as_deref().map(exchanged);
        self.done.push(format!("\"{old}\" was replaced by \"{new}\"."));
        true
    }

    /// Removes list items that mention a word, except those of the final check.
    fn remove_items(&mut self, word: &Regex) -> bool {
        let before = self.prompt.clone();
        self.prompt = prose(&self.prompt, |line| {
            let item = pattern!(r"^\s*[-*•] ").is_match(line)
                && line.split_whitespace().count() <= 25
                && !line.contains("{{");
            (!(item && word.is_match(line))).then(|| line.to_owned())
        });
        self.prompt != before
    }

    /// Removes a word from running text, with the preposition or comma that ties it to the rest.
    fn remove_phrase(&mut self, word: &Regex) -> bool {
        const LEAD: &str =
            r"(?:(?:an?|the|some|one|two|three|its|his|her|our|my|\d+%?)\s+)?(?:[\w%-]+\s+){0,2}?";
        let word = word.as_str().trim_start_matches("(?i)");
        let patterns = [
            format!(
                r"(?i),?\s+(?:and|with|plus|beside|besides|near|next to|behind|in front of|featuring|including|showing|mentioning|offering|alongside)\s+{LEAD}{word}(?P<end>[,.;:\s]|$)"
            ),
            format!(r"(?i),\s*{LEAD}{word}(?P<end>[,.;]|$)"),
        ];
        let before = self.prompt.clone();
        for pattern in patterns {
            let Ok(pattern) = Regex::new(&pattern) else { continue };
            let cut = |text: &str| pattern.replace_all(text, "${end}").into_owned();
            self.prompt = prose(&self.prompt, |line| Some(cut(line)));
            self.title = self.title.as_deref().map(cut);
        }
        self.prompt != before
    }
}

/// Old and new words of "night instead of dawn", "change Monday to Friday".
fn exchange(clause: &str) -> Option<(String, String)> {
    let patterns = [
        pattern!(
            r#"(?i)^(?:now |please |and |but )*(?:make (?:it|this|that)|use|show|have|set it (?:at|in)|let it be|write|say|put|it should be|it's|with)? ?(?:at |in |on )?["“]?(?P<new>[^".;:]{1,60}?)["”]? (?:instead of|rather than|in place of) (?:at |in |on )?["“]?(?P<old>[^".;:]{1,60}?)["”]?$"#
        ),
        pattern!(
            r#"(?i)^instead of ["“]?(?P<old>[^".;:,]{1,60}?)["”]?,? (?:make it|use|show|have|write|say|put|let it be)? ?["“]?(?P<new>[^".;:]{1,60}?)["”]?$"#
        ),
        pattern!(
            r#"(?i)^(?:now |please |and |but )*(?:replace|change|rename|swap|switch|turn) (?:the (?:word|name|phrase|date|text) )?["“'`]?(?P<old>.{1,80}?)["”'`]? (?:with|by|to|into|for) ["“'`]?(?P<new>.{1,80}?)["”'`]?$"#
        ),
    ];
    let found = patterns.into_iter().find_map(|pattern| pattern.captures(clause))?;
    let bare =
        |text: &str| pattern!(r"(?i)^(?:the|an?|it|my|our) ").replace(text.trim(), "").into_owned();
    let (old, new) = (bare(&found["old"]), bare(&found["new"]));
    // Settings have lines of their own, and "it" is no word of the prompt.
    let setting = pattern!(
        r"(?i)^(?:it|this|that|tone|style|voice|language|format|aspect ratio|ratio|length|audience|budget|deadline|prompt|text|output|answer|result|duration)$"
    );
    (!setting.is_match(&old) && !old.is_empty() && !new.is_empty()).then_some((old, new))
}

/// The word or phrase at word boundaries, in any number and case.
pub(super) fn word(text: &str) -> Option<Regex> {
    let text = text.trim();
    if text.chars().filter(|c| c.is_alphanumeric()).count() < 2 {
        return None;
    }
    let edge = |character: Option<char>| {
        if character.is_some_and(|c| c.is_alphanumeric()) { r"\b" } else { "" }
    };
    let (left, right) = (edge(text.chars().next()), edge(text.chars().next_back()));
    let plural = if text.ends_with(|c: char| c.is_lowercase() && c != 's') { "s?" } else { "" };
    RegexBuilder::new(&format!("(?i){left}{}{plural}{right}", regex::escape(text))).build().ok()
}

/// "5 days" as it stands before a noun: "5-day".
fn hyphenated(text: &str) -> Option<String> {
    let found = pattern!(r"^(\d+) ([a-z]+?)s?$").captures(text)?;
    Some(format!("{}-{}", &found[1], &found[2]))
}

fn outside_checks(prompt: &str) -> String {
    Outline::of(prompt).text(super::dialect::Part::Task).unwrap_or_default()
}

/// The language that a clause asks for, if it asks for nothing else: "in German, please", "make it Spanish".
pub(super) fn language_wanted(clause: &str) -> Option<&'static str> {
    let clause =
        &*pattern!(r",(?P<p> (?:please|bitte|por favor|per favore))$").replace(clause, "$p");
    let named = pattern!(
        r"^(?:[Nn]ow |[Pp]lease )*(?:(?P<made>[Mm]ake (?:it|this|that) )|(?P<bare>))(?P<l>\p{Lu}\p{Ll}+)(?: please| instead)*$"
    );
    if let Some(found) = named.captures(clause)
        // "Polish" by itself is a verb as well.
        && (found.name("made").is_some() || &found["l"] != "Polish")
        && let Some(tag) = language::tag_of(&found["l"].to_lowercase())
    {
        return Some(tag);
    }
    let found = pattern!(r"(?i)^(?:now |please |make it |write it |answer |respond |translate (?:it |this |the prompt |the output |the answer )?|the (?:answer|output|result) (?:should|must) be |do it |same )*(?:in|into|to|auf|en|em|po|på) (?P<l>[a-zäöüçñê]+)(?: please| instead| bitte| por favor| s'il vous pla[iî]t| s'il te pla[iî]t| per favore)*$").captures(clause)?;
    match found["l"].to_lowercase().as_str() {
        "deutsch" => Some("de"),
        "español" | "spanisch" => Some("es"),
        "französisch" | "français" => Some("fr"),
        "italienisch" | "italiano" => Some("it"),
        "portugiesisch" | "português" => Some("pt"),
        "englisch" | "inglés" | "anglais" | "inglese" | "inglês" => Some("en"),
        name => language::tag_of(name),
    }
}

/// Whether a clause wants no emojis.
pub(super) fn bans_emojis(clause: &str) -> bool {
    pattern!(r"(?i)\b(?:remove|drop|no|without|delete|strip)\b.{0,12}\bemojis?\b").is_match(clause)
}
