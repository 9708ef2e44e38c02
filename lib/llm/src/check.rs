//! Checks beyond the schema: that a rewritten prompt is still a prompt, and still the same one.

use std::{collections::HashSet, sync::LazyLock};

use engine::{ComparedConstraint, Integrity, ModelKind, integrity};
use regex::{Regex, RegexBuilder};

use crate::violation::Violation;

/// Beginnings of an assistant's answer or introduction, in the languages of prompts.
static LEAD_IN: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^\W*(?:
          (?:sure|certainly|of\ course|absolutely|okay|ok|alright|no\ problem)\b\s*[,!.:–—-]
        | here(?:['’]s|\ is|\ are)\ (?:the|your|an?|my)\b.{0,60}\b(?:prompt|version|answer|rewrite|result)\b
        | as\ an\ ai\b | i(?:['’]m|\ am)\ (?:sorry|unable)\b | i\ (?:cannot|can['’]t|can\ not)\b
        | (?:natürlich|klar|gerne?|selbstverständlich)\b\s*[,!.:–—-]
        | hier\ (?:ist|sind)\ (?:der|die|das|dein|ihr|eine?)\b.{0,60}\b(?:prompt|version|fassung|antwort)
        | als\ ki\b | es\ tut\ mir\ leid\b
        | (?:claro|por\ supuesto|com\ certeza)\b(?:\ que\ sí)?\s*[,!.:–—-]
        | aquí\ (?:tienes|tiene|está)\b | lo\ siento\b | aqui\ (?:está|vai)\b | (?:desculpe|lamento)\b
        | (?:bien\ sûr|certainement|volontiers)\b\s*[,!.:–—-]
        | voici\ (?:le|la|votre|ton|une?)\b.{0,60}\b(?:prompt|version|réponse) | je\ suis\ désolée?\b
        | (?:certo|certamente)\b\s*[,!.:–—-] | ecco\ (?:il|la|a\ te)\b | mi\ dispiace\b
        )",
    )
});

/// Words of requests, in the same languages.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"\b(?:
          answer|explain|write|list|name|state|give|tell|describe|identify|provide|respond|return|find|
          determine|calculate|compute|compare|summari[sz]e|show|create|generate|act\ as|you\ are|your\ task|
          please|must|should|
          antworten?|beantworten?|erklären?|erkläre|schreiben?|nennen?|nenne|gib|geben|beschreiben?|bitte|
          berechnen?|erstellen?|zeigen?|du\ bist|sie\ sind|vergleichen?|
          responde[r]?|responda|explica[r]?|explique|escribe|escriba|enumera|indica|indique|describe|eres|
          réponds|répondez|expliquez?|écris|écrivez|indiquez?|donnez?|donne|décris|décrivez|tu\ es|vous\ êtes|
          rispondi|risponda|spiega|scrivi|elenca|indica|descrivi|sei\ un|
          responde|explique|escreva|escreve|liste|descreva|você\ é
        )\b",
    )
});

fn constant(pattern: &str) -> Regex {
    #[allow(clippy::expect_used, reason = "a constant")]
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .ignore_whitespace(true)
        .build()
        .expect("a constant")
}

/// A polite request in the form of a question.
static POLITE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^\W*(?:(?:can|could|would|will)\ you | (?:kannst|könntest|würdest)\ du
        | (?:können|könnten|würden)\ sie | (?:me\ )?(?:puedes|podrías|puede|podría)
        | (?:peux|pourrais)-tu | (?:pouvez|pourriez)-vous | (?:puoi|potresti|può|potrebbe)
        | (?:você\ )?(?:pode|poderia|podes|podias))\b",
    )
});

/// A rewritten prompt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rewrite<'a> {
    /// The original.
    pub original: &'a str,
    /// The feedback to follow, or empty.
    pub asked: &'a str,
    /// The new text.
    pub written: &'a str,
    /// The kind of the target model: prompts for pictures and clips describe, they do not ask.
    pub makes: ModelKind,
}

impl Rewrite<'_> {
    /// The violation if the new text answers the original instead of improving it, or has an
    /// assistant's words around it.
    ///
    /// Reports only certain cases; besides, the model itself states whether it answered.
    pub fn answered(&self, place: &str) -> Option<Violation> {
        let detail = if LEAD_IN.is_match(self.written) && !LEAD_IN.is_match(self.original) {
            "it begins like an assistant's reply; give the prompt and nothing else"
        } else if self.lost_the_question() {
            "it answers the question of the original; it must ask a model to answer it"
        } else if self.has_nothing_in_common() {
            "it has nothing in common with the original; it must ask for the same thing"
        } else {
            return None;
        };
        Some(Violation::new("answered", place, detail))
    }

    /// As [`Self::answered`] for a prompt that was written for a goal: a longer one may share no
    /// word with it.
    pub fn answered_goal(&self, place: &str) -> Option<Violation> {
        const SHORT: usize = 60;
        let suspicious = self.written.chars().count() < SHORT || LEAD_IN.is_match(self.written);
        suspicious.then(|| self.answered(place)).flatten()
    }

    /// Whether a short question became a text without a question or request.
    fn lost_the_question(&self) -> bool {
        const LONGEST: usize = 300;
        matches!(self.makes, ModelKind::Text | ModelKind::Universal)
            && self.original.trim_end().ends_with('?')
            && is_latin(self.original)
            && self.original.chars().count() <= LONGEST
            && !POLITE.is_match(self.original)
            && !self.written.contains('?')
            && !self.written.contains("{{")
            && !REQUEST.is_match(self.written)
    }

    /// Whether the original has at least three words and none is left, not even inflected.
    fn has_nothing_in_common(&self) -> bool {
        const MIN_REQUEST_TIME: usize = 3;
        let (before, after) = (stems(self.original), stems(self.written));
        before.len() >= MIN_REQUEST_TIME
            && before.is_disjoint(&after)
            && stems(self.asked).is_disjoint(&after)
    }
}

/// The beginnings of words of at least four letters, in scripts with spaces between words.
fn stems(text: &str) -> HashSet<String> {
    const SHORTEST: usize = 4;
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| is_latin(word) && word.chars().nth(SHORTEST - 1).is_some())
        .map(|word| word.to_lowercase().chars().take(SHORTEST).collect())
        .collect()
}

/// Whether a text is in Latin letters, like the languages that the heuristics know.
fn is_latin(text: &str) -> bool {
    let latin = |c: char| c < '\u{250}' || ('\u{1E00}'..'\u{1F00}').contains(&c);
    text.chars().all(|c| !c.is_alphabetic() || latin(c))
}

/// Compares a rewritten prompt with its original, and reports what was lost.
pub(crate) fn preserved(
    original: &str,
    written: &str,
    waived: &str,
    place: &str,
) -> (Integrity, Option<Violation>) {
    let integrity = integrity::check(original, written, waived);
    if integrity.passed {
        return (integrity, None);
    }
    let mut lost = Vec::new();
    let mut tell = |what: &str, names: &[String]| {
        if !names.is_empty() {
            lost.push(format!("{what}: {}", names.join(" · ")));
        }
    };
    let markers: Vec<_> =
        integrity.variables.lost.iter().map(|name| format!("{{{{{name}}}}}")).collect();
    tell("variables", &markers);
    tell("numbers", &integrity.numbers_lost);
    tell("quotations", &integrity.quoted_literals_lost);
    tell("URLs", &integrity.urls_lost);
    if integrity.language_in == integrity.language_out {
        let stated = |one: &ComparedConstraint| match &one.new_quote {
            Some(new) => format!("{} (became: {new})", one.quote),
            None => one.quote.clone(),
        };
        let constraints = &integrity.constraints;
        for (what, all) in
            [("constraints", &constraints.lost), ("loosened constraints", &constraints.loosened)]
        {
            let missed = all.iter().filter(|one| !one.requested);
            tell(what, &missed.map(stated).collect::<Vec<_>>());
        }
    }
    if integrity.code_blocks.lost > 0 {
        lost.push(format!("{} code blocks", integrity.code_blocks.lost));
    }
    if integrity.language_in != integrity.language_out {
        let (before, after) = (&integrity.language_in, &integrity.language_out);
        lost.push(format!("its language, {before}, became {after}"));
    }
    let detail = format!("these parts of the original are lost: {}", lost.join("; "));
    let violation = Violation::new("integrity", place, detail);
    (integrity, Some(violation))
}

/// The range of the `occurrence`th `quote` in `text`, counted from 1, in code points.
pub(crate) fn locate(text: &str, quote: &str, occurrence: usize) -> Option<(usize, usize)> {
    if quote.is_empty() {
        let end = text.chars().count();
        return Some((end, end));
    }
    let (at, _) = text.match_indices(quote).nth(occurrence.checked_sub(1)?)?;
    let start = text[..at].chars().count();
    Some((start, start + quote.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejects(original: &str, written: &str) -> bool {
        rewrite(original, written).answered("").is_some()
    }

    fn rewrite<'a>(original: &'a str, written: &'a str) -> Rewrite<'a> {
        Rewrite { original, asked: "", written, makes: ModelKind::Text }
    }

    #[test]
    fn an_answer_to_a_question_is_told_from_a_better_question() {
        assert!(rejects("What is the capital of France?", "Paris."));
        assert!(rejects("What is the capital of France?", "The capital of France is Paris."));
        assert!(!rejects(
            "What is the capital of France?",
            "Name the capital of France. Answer with the city alone."
        ));
        assert!(!rejects("What is the capital of France?", "Which city is the capital of France?"));
        assert!(rejects("Wie heißt die Hauptstadt von Frankreich?", "Die Hauptstadt heißt Paris."));
        assert!(!rejects(
            "Wie heißt die Hauptstadt von Frankreich?",
            "Nennen Sie die Hauptstadt von Frankreich."
        ));
    }

    #[test]
    fn a_reply_around_the_prompt_is_rejected_in_six_languages() {
        for reply in [
            "Sure, write a poem about the sea.",
            "Here is your improved prompt:\nWrite a poem about the sea.",
            "Certainly! Write a poem about the sea.",
            "I'm sorry, but I cannot write a poem about the sea.",
            "Natürlich! Schreibe a poem about the sea.",
            "Hier ist die verbesserte Fassung: poem about the sea",
            "Claro, aquí: a poem about the sea",
            "Bien sûr : a poem about the sea",
            "Ecco il prompt: a poem about the sea",
            "Com certeza! a poem about the sea",
        ] {
            assert!(rejects("Write a poem about the sea.", reply), "{reply}");
        }
    }

    #[test]
    fn prompts_that_look_a_little_like_replies_are_kept() {
        for (original, written) in [
            ("Write a poem about the sea.", "Write a short poem about the sea. Use four lines."),
            ("Sure, write a poem about the sea", "Sure, write a poem about the northern sea."),
            ("You are a host. Say hello to guests.", "As a host, say hello to guests."),
            (
                "Here are my notes. Summarize them.",
                "Here are my notes. Summarize them in 3 points.",
            ),
            ("翻訳してください。東京の天気は？", "次の質問に答えてください。東京の天気"),
            ("Сколько будет дважды два?", "Посчитай: дважды два."),
            ("Fix", "Correct the mistakes in the text below."),
            ("", "Ask me anything."),
        ] {
            assert!(!rejects(original, written), "{written}");
        }
    }

    #[test]
    fn a_text_without_a_word_of_the_original_is_rejected() {
        assert!(rejects(
            "Write a limerick about my neighbour's cat",
            "There once was a feline named Lou"
        ));
        assert!(!rejects(
            "Write a limerick about my cat",
            "Compose something: a limerick, on cats"
        ));
    }

    #[test]
    fn a_picture_is_described_and_not_asked_for() {
        let original = "What would a cat on the moon look like?";
        let described = rewrite(original, "A cat on the moon, wide shot");
        assert!(described.answered("").is_some());
        assert!(Rewrite { makes: ModelKind::Image, ..described }.answered("").is_none());
        assert!(!rejects("Can you draw a cat on the moon?", "A cat on the moon, wide shot"));
    }

    #[test]
    fn words_of_the_feedback_are_something_in_common() {
        let original = "Describe the harbour at night";
        let replaced = rewrite(original, "List three museums");
        assert!(replaced.answered("").is_some());
        assert!(Rewrite { asked: "Ask for museums", ..replaced }.answered("").is_none());
    }

    #[test]
    fn only_a_short_text_counts_as_the_answer_to_a_goal() {
        assert!(rewrite("what is the capital of Peru?", "Lima").answered_goal("").is_some());
        let prompt = "Write an email to my manager that asks for five days of leave in August.";
        let goal = "Ich brauche eine Nachricht wegen Urlaub";
        assert!(rewrite(goal, prompt).answered_goal("").is_none());
    }

    #[test]
    fn quotes_are_located_in_code_points() {
        assert_eq!(locate("äö🙂 abc abc", "abc", 2), Some((8, 11)));
        assert_eq!(locate("äö🙂 abc", "abc", 2), None);
        assert_eq!(locate("abc", "abc", 0), None);
        assert_eq!(locate("ä🙂", "", 1), Some((2, 2)));
    }
}
