//! Carrying out points of feedback on a prompt for a language model.

use std::ops::Range;

use super::asks::Ask;
use super::items::Point;
use super::place::Place;
use super::{Extent, corrections};
use crate::changes::Edits;
use crate::integrity::{Cover, Literals, scan};
use crate::language;
use crate::rules::optimize::material;
use crate::rules::pattern::regex;
use crate::rules::split::{capitalize, stop};
use crate::rules::wording::{Tongue, Voice};
use crate::rules::{change, edit};
use crate::{Change, FeedbackItem, FeedbackStatus};

use FeedbackStatus::{Applied, NotApplied, PartlyApplied};

/// A word that occurs more often than this is changed at the first places only.
const MOST_PLACES: usize = 2000;

/// What became of a point, and why.
pub type Fate = (FeedbackStatus, String);

/// A prompt under change.
pub struct Refining<'a, 'v> {
    prompt: &'a str,
    literals: Literals,
    tongue: Tongue,
    voice: &'v Voice,
    extent: Extent,
    edits: Edits<'a>,
    /// Lines to add and the point that they come from.
    lines: Vec<(String, String)>,
}

impl<'a, 'v> Refining<'a, 'v> {
    /// A prompt before the first change.
    pub fn new(prompt: &'a str, tongue: Tongue, voice: &'v Voice, extent: Extent) -> Self {
        let (edits, literals) = (Edits::new(prompt), scan(prompt));
        Self { prompt, literals, tongue, voice, extent, edits, lines: Vec::new() }
    }

    /// Carries out one point.
    pub fn carry_out(&mut self, ask: Ask, point: &Point) -> Fate {
        let no = |reason: &str| (NotApplied, self.voice.say(reason, &[]));
        match ask {
            Ask::Nothing => no("It asks for no change."),
            Ask::TooMany => {
                no("There are more points than can be worked on at once; send the rest separately.")
            }
            Ask::Steer => {
                no("It is meant for the service instead of the prompt, so it was not followed.")
            }
            Ask::Answer => no("It asks for an answer, and this service only changes the prompt."),
            Ask::Translate => no("Rules cannot translate a prompt; this takes a language model."),
            Ask::Complain => no("It does not say what should be different."),
            Ask::Question => no("It is a question and does not say what to change."),
            Ask::Target(_) => no("It asks for no change."),
            Ask::Improve | Ask::ShorterPrompt => self.correct(),
            Ask::Replace(old, new) => self.replace(&old, &new),
            Ask::Rename(old, new) => self.rename(&old, &new),
            Ask::Variable { value, name } => self.make_variable(&value, &name),
            Ask::Remove { what, quoted } => self.remove(&what, quoted, point),
            Ask::RemoveEmojis => self.remove_emojis(),
            Ask::Reply(tag) => self.reply_in(tag),
            Ask::Line(name) => match self.tongue.line(name, "") {
                Some(line) => {
                    let open = matches!(name, "specific" | "examples" | "simpler");
                    self.add(line, open)
                }
                None => self.require(point),
            },
            Ask::Setting(name, value) => self.set(name, &value, point),
            Ask::Require(_) | Ask::Fact(_) => self.require(point),
        }
    }

    fn say(&self, reason: &str, values: &[&str]) -> String {
        self.voice.say(reason, values)
    }

    /// Whether words of the prompt may be changed.
    fn may_edit(&self) -> bool {
        self.extent == Extent::Everything
    }

    fn refused(&self) -> Fate {
        (NotApplied, self.say("It would have lost something that the feedback does not name.", &[]))
    }

    /// Adds a line that says what is wanted.
    fn add(&mut self, line: String, open: bool) -> Fate {
        let fate = if open {
            (PartlyApplied, self.say("The prompt asks for it now; how well it is met depends on what the model knows.", &[]))
        } else {
            (Applied, self.say("The prompt asks for it now.", &[]))
        };
        if self.prompt.contains(line.trim_end_matches('.'))
            || self.lines.iter().any(|(known, _)| *known == line)
        {
            return (Applied, self.say("The prompt asks for it already.", &[]));
        }
        self.lines.push((line, fate.1.clone()));
        fate
    }

    /// Takes a point over as a requirement in its own words.
    fn require(&mut self, point: &Point) -> Fate {
        let text = point.text.trim();
        let feedback = Tongue::of(text);
        let line = if feedback.tag == "en" {
            edit::requirement(text.trim_end_matches('.'))
        } else {
            stop(&capitalize(text))
        };
        // Words that stand out in a prompt in another script or language are said to do so.
        let foreign =
            crate::integrity::language_of(text) != "und" && feedback.tag != self.tongue.tag;
        let fate = self.add(line, false);
        if foreign && fate.0 == Applied {
            let reason = self.say(
                "Added in the words of the feedback, which is in another language than the prompt.",
                &[],
            );
            if let Some((_, why)) = self.lines.last_mut() {
                why.clone_from(&reason);
            }
            return (PartlyApplied, reason);
        }
        fate
    }

    fn correct(&mut self) -> Fate {
        let nothing = "Rules find nothing to correct in place; more would take a language model.";
        if !self.may_edit() {
            return self.refused();
        }
        let found = corrections(self.prompt, self.tongue, self.voice);
        let count = self.edits.absorb(&found);
        if count == 0 {
            return (NotApplied, self.say(nothing, &[]));
        }
        (
            PartlyApplied,
            self.say(
                "Places corrected: {}; more would take a language model.",
                &[&count.to_string()],
            ),
        )
    }

    /// The places where words stand by themselves, outside code.
    fn places(&self, words: &str, exact: bool) -> Vec<Range<usize>> {
        let code = Cover::of(self.prompt.len(), &[&self.literals.code]);
        let found: Vec<Range<usize>> = if exact {
            self.prompt
                .match_indices(words)
                .take(MOST_PLACES)
                .map(|(at, _)| at..at + words.len())
                .filter(|range| self.is_whole(range))
                .collect()
        } else {
            let Some(pattern) = change::word(words) else { return Vec::new() };
            pattern.find_iter(self.prompt).take(MOST_PLACES).map(|found| found.range()).collect()
        };
        found.into_iter().filter(|range| !code.touches(range)).collect()
    }

    fn is_whole(&self, range: &Range<usize>) -> bool {
        let words = &self.prompt[range.clone()];
        let joins = |inner: Option<char>, outer: Option<char>| {
            let latin = |c: char| c.is_alphanumeric() && c < '\u{2e80}';
            inner.is_some_and(latin) && outer.is_some_and(latin)
        };
        !joins(words.chars().next(), self.prompt[..range.start].chars().next_back())
            && !joins(words.chars().next_back(), self.prompt[range.end..].chars().next())
    }

    fn exchange(&mut self, places: Vec<Range<usize>>, new: &str, reason: &str) -> usize {
        let mut count = 0;
        for place in places {
            count += usize::from(self.edits.add(place, new, reason, None));
        }
        count
    }

    fn replace(&mut self, old: &str, new: &str) -> Fate {
        if !self.may_edit() {
            return self.refused();
        }
        let mut places = self.places(old, true);
        if places.is_empty() {
            places = self.places(old, false);
        }
        if places.is_empty() {
            return (
                NotApplied,
                self.say("It does not occur in the prompt outside code: \"{}\".", &[old]),
            );
        }
        let reason = self.say("\"{}\" was replaced by \"{2}\".", &[old, new]);
        match self.exchange(places, new, &reason) {
            0 => (NotApplied, self.say("Another point changes these words already.", &[])),
            _ => (Applied, reason),
        }
    }

    fn rename(&mut self, old: &str, new: &str) -> Fate {
        let places: Vec<Range<usize>> = self
            .literals
            .variables
            .iter()
            .filter(|range| {
                let name = self.prompt[(*range).clone()].trim_matches(['{', '}', ' ', '\t']);
                name.eq_ignore_ascii_case(old)
                    || name
                        .replace(['_', '-'], " ")
                        .eq_ignore_ascii_case(&old.replace(['_', '-'], " "))
            })
            .cloned()
            .collect();
        if places.is_empty() || !self.may_edit() {
            return (NotApplied, self.say("The prompt has no variable of this name: {}.", &[old]));
        }
        let reason = self.say("The variable {} is called {2} now.", &[old, new]);
        match self.exchange(places, &format!("{{{{{new}}}}}"), &reason) {
            0 => (NotApplied, self.say("Another point changes these words already.", &[])),
            _ => (Applied, reason),
        }
    }

    /// Puts a variable in the place of a value that the feedback quotes, or of one that the prompt names.
    fn make_variable(&mut self, value: &str, name: &str) -> Fate {
        let marker = format!("{{{{{name}}}}}");
        let particular = value.chars().any(|c| c.is_uppercase() || c.is_ascii_digit());
        let mut value = value.to_owned();
        let mut places = if particular { self.places(&value, true) } else { Vec::new() };
        let mut name = name.to_owned();
        if places.is_empty() {
            let thing = regex!(r"(?i)^(?:the|my|our|der|die|das|den|le|la|el|il|o|a) ")
                .replace(&value, "")
                .into_owned();
            let stated = regex::Regex::new(&format!(
                r#"(?i)\b{}(?: (?:is|are|ist|est|es|è|é|called|named|heißt)|:| =)\s+["“„«]?(?P<v>[^"”“»,.;:!?\n{{}}]{{2,60}})"#,
                regex::escape(&thing)
            ));
            if let Some(found) = stated.ok().and_then(|pattern| pattern.captures(self.prompt))
                && let Some(stated) = found.name("v")
            {
                value = stated.as_str().trim().to_owned();
                places = self.places(&value, true);
            }
            if places.is_empty() && !particular {
                places = self.places(&thing, true);
            }
            if name.is_empty() {
                name = thing;
            }
        } else if name.is_empty() {
            name.clone_from(&value);
        }
        let variables = Cover::of(self.prompt.len(), &[&self.literals.variables]);
        places.retain(|place| !variables.touches(place));
        let reason = self.say("\"{}\" is the variable {2} now.", &[&value, &marker]);
        if self.may_edit() && self.exchange(places, &marker, &reason) > 0 {
            return (Applied, reason);
        }
        let label = capitalize(&name.replace('_', " "));
        let reason = self.say(
            "The prompt does not give its value, so a line with the variable {} was added.",
            &[&marker],
        );
        self.lines.push((format!("{label}: {marker}."), reason.clone()));
        (PartlyApplied, reason)
    }

    fn remove(&mut self, what: &str, quoted: bool, point: &Point) -> Fate {
        if !self.may_edit() {
            return self.refused();
        }
        let reason = self.say("\"{}\" was removed.", &[what]);
        let mut places = self.places(what, quoted);
        if places.is_empty() && quoted {
            places = self.places(what, false);
        }
        if places.is_empty() {
            // What is not there can still be ruled out.
            let line = self.tongue.line("exclude", what);
            return match line.filter(|_| !quoted && what.split_whitespace().count() <= 6) {
                Some(line) => {
                    let (status, _) = self.add(line, false);
                    let why = self.say(
                        "It does not occur in the prompt, which now says to leave it out.",
                        &[],
                    );
                    if let Some((_, known)) = self.lines.last_mut() {
                        known.clone_from(&why);
                    }
                    (status, why)
                }
                None => (
                    NotApplied,
                    self.say("It does not occur in the prompt outside code: \"{}\".", &[what]),
                ),
            };
        }
        let held = self.literals.cover(self.prompt.len());
        let sentences = material::sentences(self.prompt, &held);
        let whole = !quoted
            || regex!(r"(?i)\b(?:part|section|sentence|paragraph|bullet|line|point|teil|abschnitt|satz|punkt|partie|phrase|parte|sección|frase|sezione|seção)s?\b").is_match(&point.text);
        let mut count = 0;
        for place in places {
            let sentence =
                sentences.get(sentences.partition_point(|range| range.end <= place.start));
            let range = match sentence.filter(|range| range.start <= place.start) {
                Some(sentence) if whole && sentences.len() > 1 => self.line_of(sentence),
                _ if !whole || sentences.len() == 1 => self.with_space(&place),
                _ => place,
            };
            count += usize::from(self.edits.add(range, "", &reason, None));
        }
        match count {
            0 => (NotApplied, self.say("Another point changes these words already.", &[])),
            _ => (Applied, reason),
        }
    }

    /// A sentence with the space before it, or its whole line if it is the only one there.
    fn line_of(&self, sentence: &Range<usize>) -> Range<usize> {
        let line = self.prompt[..sentence.start].rfind('\n').map_or(0, |at| at + 1);
        let lead = &self.prompt[line..sentence.start];
        let tail = &self.prompt[sentence.end..];
        let alone = regex!(r"^\s*(?:(?:[-*•–]|\(?\d{1,3}[.)])\s+)?$").is_match(lead);
        let ends = tail.is_empty() || tail.starts_with(['\n', '\r']);
        if alone && ends {
            return if line > 0 {
                line - 1..sentence.end
            } else {
                0..sentence.end + tail.len().min(1)
            };
        }
        self.with_space(sentence)
    }

    /// A place with one of the spaces around it.
    fn with_space(&self, place: &Range<usize>) -> Range<usize> {
        if self.prompt[..place.start].ends_with(' ') {
            place.start - 1..place.end
        } else if self.prompt[place.end..].starts_with(' ') {
            place.start..place.end + 1
        } else {
            place.clone()
        }
    }

    fn remove_emojis(&mut self) -> Fate {
        let code = Cover::of(self.prompt.len(), &[&self.literals.code]);
        let reason = self.say("Emojis were removed.", &[]);
        let places: Vec<Range<usize>> = self
            .prompt
            .char_indices()
            .filter(|(_, c)| edit::is_emoji(*c))
            .map(|(at, c)| at..at + c.len_utf8())
            .filter(|range| !code.touches(range))
            .collect();
        if self.may_edit() && self.exchange(places, "", &reason) > 0 {
            return (Applied, reason);
        }
        match self.tongue.line("emojis", "") {
            Some(line) => self.add(line, false),
            None => (NotApplied, self.say("The prompt has no emojis.", &[])),
        }
    }

    /// Asks for answers in a language, in the place of the sentence that asks for another one.
    fn reply_in(&mut self, tag: &'static str) -> Fate {
        let line = self.tongue.respond_in(tag);
        let held = self.literals.cover(self.prompt.len());
        let earlier = material::sentences(self.prompt, &held)
            .into_iter()
            .find(|range| language::asked_for(&self.prompt[range.clone()]));
        let reason = self.say("The prompt asks for answers in this language now.", &[]);
        if let Some(range) = earlier.filter(|_| self.may_edit()) {
            if self.prompt[range.clone()] == line {
                return (Applied, self.say("The prompt asks for it already.", &[]));
            }
            if self.edits.add(range, &line, &reason, None) {
                return (Applied, reason);
            }
        }
        self.add(line, false)
    }

    /// States a setting, in the place of the earlier one where that is certain.
    fn set(&mut self, name: &'static str, value: &str, point: &Point) -> Fate {
        let reason = self.say("The prompt states it in the place of the earlier value.", &[]);
        let held = self.literals.cover(self.prompt.len());
        let earlier: Vec<Range<usize>> = match name {
            "length" => lengths(self.prompt, value),
            "format" => formats(self.prompt),
            _ => Vec::new(),
        };
        if let Some(line) = self.tongue.line(name, value)
            && let Some(range) = self.stated(name, &held)
            && self.may_edit()
            && self.edits.add(range, &line, &reason, None)
        {
            return (Applied, reason);
        }
        let earlier: Vec<Range<usize>> =
            earlier.into_iter().filter(|range| !held.touches(range)).collect();
        if let [range] = &earlier[..]
            && self.may_edit()
        {
            let new = fitted(&self.prompt[range.clone()], value, name);
            if new == self.prompt[range.clone()] {
                return (Applied, self.say("The prompt asks for it already.", &[]));
            }
            if self.edits.add(range.clone(), &new, &reason, None) {
                return (Applied, reason);
            }
        }
        match self.tongue.line(name, value) {
            Some(line) => self.add(line, false),
            None => self.require(point),
        }
    }

    /// The only sentence that says nothing but the tone or the audience.
    fn stated(&self, name: &str, held: &Cover) -> Option<Range<usize>> {
        let pattern = match name {
            "tone" => regex!(
                r"(?i)^(?:the tone (?:is|should be|must be)|(?:use|write in|keep) an? [\p{L}-]+(?: and [\p{L}-]+)? (?:tone|style)|der ton (?:ist|soll)|le ton (?:est|doit)|el tono (?:es|debe)|il tono (?:è|deve)|o tom (?:é|deve)|verwende einen [\p{L}]+ ton|utilise un ton|usa un tono|use um tom)\b.*|^(?:tone|ton|tono|tom) ?:.*"
            ),
            "audience" => regex!(
                r"(?i)^(?:(?:target )?audience:|write for this audience:|zielgruppe:|schreibe für diese zielgruppe:|public ?:|écris pour ce public ?:|público:|escribe para este público:|pubblico:|scrivi per questo pubblico:|escreva para este público:).*"
            ),
            _ => return None,
        };
        let mut found = material::sentences(self.prompt, held).into_iter().filter(|range| {
            let sentence = &self.prompt[range.clone()];
            sentence.split_whitespace().count() <= 10
                && pattern.is_match(sentence)
                && !held.touches(range)
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Puts the new lines among the requirements, or where the author speaks last.
    pub fn add_lines(&mut self, statuses: &mut [FeedbackItem]) {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return;
        }
        let place = Place::of(self.prompt, &self.literals, self.tongue, lines.len());
        let range = place.at..place.at;
        if !self.edits.is_free(&range) {
            let reason = self.say("Another point changes these words already.", &[]);
            for (_, why) in &lines {
                for status in statuses.iter_mut().filter(|status| status.reason == *why) {
                    status.status = NotApplied;
                    status.reason.clone_from(&reason);
                }
            }
            return;
        }
        let last = lines.len() - 1;
        for (index, (line, reason)) in lines.iter().enumerate() {
            let text = place.text(line, index == 0, index == last);
            self.edits.add(range.clone(), &text, reason, None);
        }
    }

    /// Everything that was taken out.
    pub fn removed(&self) -> String {
        let changes = self.edits.changes();
        let old: Vec<&str> = changes.iter().map(|change| change.old_text.as_str()).collect();
        old.join("\n")
    }

    /// The changed prompt and its edits.
    pub fn finish(self) -> (String, Vec<Change>) {
        (self.edits.result(), self.edits.changes())
    }
}

/// A new value in the grammar of the earlier one.
fn fitted(old: &str, value: &str, name: &str) -> String {
    if name != "length" {
        return value.to_owned();
    }
    // "under 100 words" takes the place of "300 words" in "keep it under 300 words" without its own "under".
    let figure = regex!(r"(?i)\d[\d.,]*.*$");
    match (figure.find(old), figure.find(value)) {
        (Some(before), Some(after)) if before.start() == 0 => after.as_str().to_owned(),
        _ => value.to_owned(),
    }
}

/// Statements of a length in the unit of `value`.
fn lengths(prompt: &str, value: &str) -> Vec<Range<usize>> {
    let unit = value.rsplit(|c: char| c.is_whitespace()).find(|word| {
        !regex!(r"(?i)^(?:max(?:imum)?|maximal|máximo|massimo|most|at)$").is_match(word)
    });
    let Some(unit) = unit.map(str::to_lowercase) else { return Vec::new() };
    let stem: String = unit.chars().take(unit.chars().count().min(5)).collect();
    let length = regex!(
        r"(?i)\d[\d.,]*(?:\s?(?:-|–|to|bis|à|a)\s?\d[\d.,]*)? (?P<u>words?|sentences?|paragraphs?|characters?|pages?|lines?|bullets?|bullet points?|wörter\w*|worte|sätze\w*|absätze|zeichen|seiten|mots|phrases|paragraphes|caractères|palabras|frases|oraciones|párrafos|caracteres|páginas|parole|frasi|paragrafi|caratteri|pagine|palavras|parágrafos)\b"
    );
    length
        .captures_iter(prompt)
        .filter(|found| found["u"].to_lowercase().starts_with(&stem))
        .filter_map(|found| Some(found.get(0)?.range()))
        .collect()
}

/// Statements of a format.
fn formats(prompt: &str) -> Vec<Range<usize>> {
    regex!(r"(?i)\b(?:as|in|als|en|como|come|em) (?P<v>(?:an? |ein(?:e|en)? |un[ae]? |uma? )?(?:valid )?(?:json|csv|ya?ml|xml|html|markdown(?: table)?|table|tabelle|tableau|tabla|tabella|tabela|(?:bulleted |numbered )?list|liste|lista|bullet points|stichpunkten))\b")
        .captures_iter(prompt)
        .filter_map(|found| Some(found.name("v")?.range()))
        .collect()
}
