//! Goals that a conversation states: the request may stand in an earlier turn, and later ones correct it.

use std::collections::HashSet;

use crate::dialect::Part;
use crate::goal::{self, Goal, as_sentence};
use crate::imperative;
use crate::outline::Outline;
use crate::sentence::{is_pleasantry, is_takeover};
use crate::slots::{self, Slots};
use crate::split::{self, squeeze, stop};
use engine::{GenerateBrief, Mode, Role, Turn};
use patterns::pattern;
use text::language::{self, Locale};

/// Words of a message that may be an answer or a remark, rather than a goal of its own.
const MOST_WORDS: (usize, usize) = (12, 25);
/// Characters of an answer to a question; a longer one is a request.
const LONGEST_ANSWER: usize = 240;

/// Reads the goal of a brief, earlier turns included.
pub fn understand(brief: &GenerateBrief, mode: Mode) -> Goal {
    let locale = language::locale(&brief.language);
    let (mut earlier, answers) = turns(&brief.conversation);
    let message = brief.message.as_str();
    let words = message.split_whitespace().count();
    let asked = brief.conversation.last().and_then(question_of);
    // "Yes, go ahead" or "under 100 words" is about the request before it.
    let is_go_ahead = is_go_ahead(message);
    let is_answer = asked.is_some() && words <= MOST_WORDS.0 && !imperative::starts_work(message);
    let is_remark = !earlier.is_empty() && (is_go_ahead || is_answer || is_follow_up(message));
    let mut goal = goal::read(if is_remark { earlier.remove(0) } else { message }, mode);
    for text in &earlier {
        goal.absorb(text, !is_remark, locale);
    }
    if is_remark && !is_go_ahead {
        match asked {
            Some(_) if words <= 3 => goal.answer(message, locale),
            Some(question) if is_answer && !imperative::is_request(message) => {
                goal.absorb(&format!("{question} {message}"), false, locale);
            }
            _ => goal.absorb(message, false, locale),
        }
    }
    for answer in answers {
        goal.slots.update(slots::read(&answer));
        goal.context.push(answer);
    }
    goal
}

/// What the user said before, and the answers to questions, each behind its question.
fn turns(conversation: &[Turn]) -> (Vec<&str>, Vec<String>) {
    let mut earlier: Vec<&str> = Vec::new();
    let mut answers = Vec::new();
    for (index, turn) in conversation.iter().enumerate() {
        if turn.role != Role::User {
            continue;
        }
        let question = index.checked_sub(1).and_then(|before| question_of(&conversation[before]));
        // "How can I help?" is answered by the goal itself.
        let is_goal = earlier.is_empty() && turn.content.split_whitespace().count() >= 3;
        match question {
            Some(question) if !is_goal && turn.content.chars().count() <= LONGEST_ANSWER => {
                answers.push(format!("{question} {}", stop(&squeeze(&turn.content))));
            }
            _ => earlier.push(&turn.content),
        }
    }
    (earlier, answers)
}

/// The last question of an assistant's turn.
fn question_of(turn: &Turn) -> Option<String> {
    let sentences = split::sentences(&turn.content);
    let question = sentences.iter().rev().find(|sentence| sentence.ends_with('?'))?;
    (turn.role == Role::Assistant).then(|| squeeze(question))
}

/// "Now write it", "Yes, go ahead": only the word to begin.
fn is_go_ahead(message: &str) -> bool {
    pattern!(r"(?i)^(?:{goal.go_ahead}(?:[\s,.!-]+|$))+$").is_match(message.trim())
}

/// Short remarks without a request of their own.
fn is_follow_up(message: &str) -> bool {
    let words = message.split_whitespace().count();
    words <= MOST_WORDS.1 && pattern!(r"(?i)^{goal.follow_up}\b").is_match(message.trim())
        || words <= MOST_WORDS.0 && !imperative::is_request(message)
}

impl Goal {
    /// Takes a short answer to a question as a requirement.
    fn answer(&mut self, text: &str, locale: &Locale) {
        let text = pattern!(r"(?i)[,;]?\s*\b{goal.thanks}\b").replace_all(text, "");
        let slots = slots::read(&text);
        self.drop_superseded(&slots);
        let bare = text.trim().trim_end_matches(['.', '!', ',']).to_lowercase();
        let tone = slots.tone.as_ref().filter(|tone| tone.eq_ignore_ascii_case(&bare));
        let requirement = tone.map_or_else(|| as_sentence(&text), |_| locale.line("tone", &bare));
        self.slots.update(slots);
        if requirement.contains(char::is_alphanumeric) {
            self.requirements.push(requirement);
        }
        self.text.push('\n');
        self.text.push_str(&text);
    }

    /// Adds what another message of the conversation says.
    fn absorb(&mut self, text: &str, is_earlier: bool, locale: &Locale) {
        let parts = split::separate(text);
        self.material.extend(parts.material);
        let slots = slots::read(&parts.prose);
        if is_earlier {
            let newer = std::mem::replace(&mut self.slots, slots);
            self.slots.subject.clone_from(&newer.subject);
            self.slots.update(newer);
        } else {
            self.drop_superseded(&slots);
            self.slots.update(slots);
        }
        // Repetition says nothing new, and this keeps long conversations cheap.
        let mut seen = HashSet::new();
        for sentence in split::statements(&parts.prose) {
            if is_pleasantry(&sentence) || !seen.insert(sentence.clone()) {
                continue;
            }
            if is_takeover(&sentence) {
                self.quoted.push(sentence);
            } else if is_earlier && imperative::is_request(&sentence) {
                self.context.push(locale.line("earlier", &stop(&sentence)));
            } else if !(is_earlier && contradicts(&self.slots, &sentence)) {
                self.place(&sentence);
            }
        }
        self.text.push('\n');
        self.text.push_str(text);
    }

    /// Removes requirements that a later remark about the same thing replaces.
    fn drop_superseded(&mut self, later: &Slots) {
        for name in ["length", "tone", "format"] {
            if let (Some(old), Some(_)) = (self.slots.get(name), later.get(name)) {
                let (old, most) = (old.to_lowercase(), old.chars().count() + 25);
                self.requirements.retain(|requirement| {
                    requirement.chars().count() >= most
                        || !requirement.to_lowercase().contains(&old)
                });
            }
        }
    }

    /// Takes over what an earlier goal says about the same matter: facts, content and lasting rules.
    pub fn keep_facts_of(
        &mut self,
        task: &Self,
        outline: &Outline,
        first: Option<Self>,
        locale: &Locale,
    ) {
        let items = |part: Part| -> Vec<String> {
            let text = outline.text(part).unwrap_or_default();
            text.lines().filter_map(|line| line.strip_prefix("- ").map(str::to_owned)).collect()
        };
        let (mut facts, mut rules) = (items(Part::Context), items(Part::Requirements));
        if let Some(first) = first {
            facts.extend(first.context);
            rules.extend(first.requirements);
            if self.material.is_empty() {
                self.material = first.material;
            }
        }
        facts.extend(task.context.iter().cloned());
        facts.push(locale.line("earlier", &task.objective));
        facts.retain(|fact| !self.context.contains(fact));
        self.context.extend(facts);
        rules.retain(|rule| {
            pattern!(r"(?i)^{goal.lasting}\b").is_match(rule) && !self.requirements.contains(rule)
        });
        self.requirements.extend(rules);
    }
}

/// Whether an earlier sentence is only about something that was corrected later.
fn contradicts(now: &Slots, sentence: &str) -> bool {
    let then = slots::read(sentence);
    sentence.split_whitespace().count() <= 10
        && ["length", "tone", "audience", "budget"].iter().any(|name| {
            let (then, now) = (then.get(name), now.get(name));
            then.is_some() && now.is_some() && then != now
        })
}
