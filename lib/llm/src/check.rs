//! Checks beyond the schema: that a rewritten prompt is still a prompt, and still the same one.

use std::{collections::HashSet, ops::Range};

use engine::{
    ComparedConstraint, Integrity, ModelKind, ProtectedKind,
    integrity::{self, Asked, Removed},
};
use patterns::{Pattern, pattern};
use text::{code_points::CodePoints, language};

use engine::Violation;

/// Beginnings of an assistant's answer or introduction.
const LEAD_IN: Pattern = pattern!(r"(?i)^\W*{answered.lead_in}");
/// Words of requests.
const REQUEST: Pattern = pattern!(r"(?i)\b{answered.request}\b");
/// A polite request in the form of a question.
const POLITE: Pattern = pattern!(r"(?i)^\W*{answered.polite}\b");
/// Beginnings of statements.
const STATEMENT: Pattern = pattern!(r"(?i)^\W*{answered.statement}\b");

/// Words that an answer has at most where it is nothing but a name or a number.
const FEW_WORDS: usize = 3;

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
    /// The violation if the new text answers the original instead of improving it, or has an assistant's words around it.
    ///
    /// A mere suspicion is reported once: in the last answer only what is proven counts.
    pub fn answered(&self, place: &str, is_last: bool) -> Option<Violation> {
        let detail = if LEAD_IN.is_match(self.written) && !LEAD_IN.is_match(self.original) {
            "it begins like an assistant's reply; give the prompt and nothing else"
        } else if self.answers_the_question() {
            "it answers the question of the original; it must ask a model to answer it"
        } else if self.has_nothing_in_common()
            && (!is_last || self.is_statement() || self.is_a_name())
        {
            "it has nothing in common with the original; it must ask for the same thing"
        } else {
            return None;
        };
        Some(Violation::new("answered", place, detail))
    }

    /// As [`Self::answered`] for a prompt that was written for a goal: a longer one may share no
    /// word with it.
    pub fn answered_goal(&self, place: &str, is_last: bool) -> Option<Violation> {
        const SHORT: usize = 60;
        let suspicious = self.written.chars().count() < SHORT || LEAD_IN.is_match(self.written);
        suspicious.then(|| self.answered(place, is_last)).flatten()
    }

    /// Whether a short question became a statement, or a name or number alone.
    fn answers_the_question(&self) -> bool {
        const LONGEST: usize = 300;
        matches!(self.makes, ModelKind::Text | ModelKind::Universal)
            && self.original.trim_end().ends_with('?')
            && is_latin(self.original)
            && self.original.chars().count() <= LONGEST
            && !POLITE.is_match(self.original)
            && (self.is_statement() || self.is_a_name())
    }

    /// Whether there is no task in it, and it reads as a statement.
    fn is_statement(&self) -> bool {
        self.has_no_task() && STATEMENT.is_match(self.written)
    }

    /// Whether it is a word or two that the original does not have.
    fn is_a_name(&self) -> bool {
        let words = self.written.split_whitespace().count();
        words <= FEW_WORDS
            && self.has_no_task()
            && stems(self.original).is_disjoint(&stems(self.written))
    }

    fn has_no_task(&self) -> bool {
        !self.written.contains('?')
            && !self.written.contains("{{")
            && !REQUEST.is_match(self.written)
    }

    /// Whether the original has at least three words and none is left, not even inflected, and no other language was
    /// asked for.
    fn has_nothing_in_common(&self) -> bool {
        const FEWEST: usize = 3;
        let (before, after) = (stems(self.original), stems(self.written));
        before.len() >= FEWEST
            && before.is_disjoint(&after)
            && stems(self.asked).is_disjoint(&after)
            && !integrity::asks_for(self.asked, language::detect(self.written))
    }
}

/// The beginnings of words of at least four letters, in scripts with spaces between words.
fn stems(text: &str) -> HashSet<String> {
    const SHORTEST: usize = 4;
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| is_latin(word) && word.chars().nth(SHORTEST - 1).is_some())
        .map(|word| word.to_lowercase().chars().map(unaccented).take(SHORTEST).collect())
        .collect()
}

/// A letter without its accent: "Bücher" are the plural of "Buch".
const fn unaccented(letter: char) -> char {
    match letter {
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        letter => letter,
    }
}

/// Whether a text is in Latin letters, like the languages that the heuristics know.
fn is_latin(text: &str) -> bool {
    let latin = |c: char| c < '\u{250}' || ('\u{1E00}'..'\u{1F00}').contains(&c);
    text.chars().all(|c| !c.is_alphabetic() || latin(c))
}

/// Compares a rewritten prompt and what stands `beside` it with its original, and reports what was lost.
pub(crate) fn preserved(
    original: &str,
    written: &str,
    beside: &str,
    asked: &Asked<'_>,
    place: &str,
) -> (Integrity, Option<Violation>) {
    let integrity = integrity::check(original, written, beside, asked);
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
    let (before, after) = (&integrity.language_in, &integrity.language_out);
    let is_translated = integrity::differ(before, after);
    if !is_translated {
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
    let asked_for =
        integrity.requested.iter().any(|requested| requested.kind == ProtectedKind::Language);
    if is_translated && !asked_for {
        lost.push(format!("its language, {before}, became {after}"));
    }
    let detail = format!("these parts of the original are lost: {}", lost.join("; "));
    let violation = Violation::new("integrity", place, detail);
    (integrity, Some(violation))
}

/// The violation if variables, code or URLs are gone without being listed, but in the last answer.
pub(crate) fn unlisted(
    integrity: &Integrity,
    removed: &[Removed],
    is_last: bool,
) -> Option<Violation> {
    let is_literal = |kind: ProtectedKind| {
        matches!(kind, ProtectedKind::Variable | ProtectedKind::Code | ProtectedKind::Url)
    };
    let silent = integrity.requested.iter().filter(|one| {
        is_literal(one.kind) && !removed.iter().any(|entry| entry.text.contains(&one.text))
    });
    let silent: Vec<&str> = silent.map(|one| one.text.as_str()).collect();
    let detail = format!("these are gone and must be listed: {}", silent.join(" · "));
    (!silent.is_empty() && !is_last).then(|| Violation::new("removed", "/removed", detail))
}

/// The range of a `quote` in `text`, in code points: the `occurrence`th, counted from 1, or the only one. Marks of
/// quotation, apostrophes and dashes may be written in another way.
pub(crate) fn locate(text: &str, quote: &str, occurrence: usize) -> Option<(usize, usize)> {
    if quote.is_empty() {
        let end = text.chars().count();
        return Some((end, end));
    }
    let (all, length) = places(text, quote);
    let start = match all.as_slice() {
        [only] => *only,
        all => *all.get(occurrence.checked_sub(1)?)?,
    };
    Some((start, start + length))
}

/// The first place of a quote in a text, in bytes, as [`locate`] finds it.
pub(crate) fn found(text: &str, quote: &str) -> Option<Range<usize>> {
    let (all, length) = places(text, quote);
    let start = *all.first()?;
    let mut bytes = CodePoints::of(text);
    Some(bytes.byte_at(start)..bytes.byte_at(start + length))
}

/// Where a quote begins in a text, as it is or with other marks, and its length; in code points.
fn places(text: &str, quote: &str) -> (Vec<usize>, usize) {
    let exact: Vec<usize> = text.match_indices(quote).map(|(at, _)| chars(&text[..at])).collect();
    if !exact.is_empty() {
        return (exact, chars(quote));
    }
    let (text, quote) = (plain(text), plain(quote.trim()));
    let similar = text.match_indices(&quote).map(|(at, _)| chars(&text[..at])).collect();
    (similar, chars(&quote))
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// A text with plain marks of quotation, apostrophes and dashes, of the same length in characters.
fn plain(text: &str) -> String {
    let plain = |c| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '‚' => '\'',
        '–' | '—' | '‑' => '-',
        '\u{a0}' | '\u{202f}' => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}
#[cfg(test)]
mod tests {
    use super::*;

    fn rejects(original: &str, written: &str) -> bool {
        rewrite(original, written).answered("", true).is_some()
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
        let described = rewrite(original, "The cat on the moon is grey and sits on a rock");
        assert!(described.answered("", true).is_some());
        assert!(Rewrite { makes: ModelKind::Image, ..described }.answered("", true).is_none());
        assert!(!rejects("Can you draw a cat on the moon?", "A cat on the moon is grey"));
    }

    #[test]
    fn a_request_with_any_verb_is_no_answer() {
        for (original, written) in [
            (
                "What should I cook tonight?",
                "Suggest three dinners for tonight, ready in 30 minutes.",
            ),
            ("How do I learn chess?", "Teach me chess in ten short lessons for beginners."),
            ("Which laptop is best?", "Recommend three laptops under 1000 euros with reasons."),
            ("How long does a move take?", "Estimate how long a move of three rooms takes."),
            ("Welches Buch soll ich lesen?", "Empfiehl drei Bücher für den Urlaub."),
            ("Was kostet ein Umzug?", "Schätze die Kosten eines Umzugs mit drei Zimmern."),
            ("¿Qué visito en Roma?", "Propón tres lugares que visitar en Roma."),
            ("Que faire à Lyon?", "Propose trois sorties à Lyon pour un week-end."),
        ] {
            assert!(rewrite(original, written).answered("", false).is_none(), "{written}");
        }
    }

    #[test]
    fn a_suspicion_is_reported_once_and_a_proof_always() {
        let suspicious = rewrite("Describe the harbour at night", "List three museums");
        assert!(suspicious.answered("", false).is_some());
        assert!(suspicious.answered("", true).is_none());
        assert!(Rewrite { asked: "Ask for museums", ..suspicious }.answered("", false).is_none());
        let german = "Beschreibe bitte meinen alten Garten";
        let translated = rewrite(german, "Describe the old place behind our house, please");
        let asked = Rewrite { asked: "auf Englisch", ..translated };
        assert!(asked.answered("", false).is_none());
    }

    #[test]
    fn only_a_short_text_counts_as_the_answer_to_a_goal() {
        assert!(rewrite("what is the capital of Peru?", "Lima").answered_goal("", true).is_some());
        let prompt = "Write an email to my manager that asks for five days of leave in August.";
        let goal = "Ich brauche eine Nachricht wegen Urlaub";
        assert!(rewrite(goal, prompt).answered_goal("", true).is_none());
    }

    #[test]
    fn quotes_are_located_in_code_points() {
        assert_eq!(locate("äö🙂 abc abc", "abc", 2), Some((8, 11)));
        assert_eq!(locate("äö🙂 abc", "abc", 2), Some((4, 7)), "it is the only one");
        assert_eq!(locate("abc abc", "abc", 3), None);
        assert_eq!(locate("say “hi” now", "\"hi\"", 1), Some((4, 8)));
        assert_eq!(locate("ä🙂", "", 1), Some((2, 2)));
    }
}
