//! Corrections of single places that keep wording and order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::{courtesy, material};
use crate::changes::Edits;
use crate::rules::wording::{Tongue, Voice};
use patterns::pattern;
use text::{Cover, literals::scan};

/// So many shouted words are a habit; fewer may be meant.
const SHOUTING: usize = 3;
/// Repeated sentences shorter than this may be deliberate.
const SHORTEST_REPETITION: usize = 20;
/// Why a repetition goes.
const SAID: &str = "It is said already.";
/// So often a short line may follow itself.
const LONGEST_RUN: usize = 4;
/// So often a short line may occur at all.
const MOST_REPETITIONS: usize = 200;

/// Finds what can be corrected in place. Code, variables, addresses, quotations and supplied material stay
/// untouched, apart from markers and fences that are broken.
pub fn correct<'a>(prompt: &'a str, tongue: Tongue, voice: &Voice) -> Edits<'a> {
    let literals = scan(prompt);
    let supplied = material::supplied(prompt, &literals);
    let held = Cover::of(
        prompt.len(),
        &[
            &literals.code,
            &literals.variables,
            &literals.addresses,
            &literals.quotations,
            &supplied,
        ],
    );
    let mut local = Local { prompt, held, edits: Edits::new(prompt), voice };
    local.braces(&Cover::of(prompt.len(), &[&literals.code]));
    let sentences = text::sentences(prompt, &local.held);
    local.filler(tongue);
    local.pleasantries(&sentences);
    local.floods();
    local.repetitions(sentences);
    local.doubled_words(tongue);
    local.hedges(tongue);
    local.emphasis();
    local.figures(tongue);
    local.spacing();
    local.fence();
    local.edits
}

/// Lines that repeat others beyond what can be meant, each with the break before it.
fn flooded(prompt: &str, held: &Cover) -> Vec<Range<usize>> {
    let mut lines: Vec<(&str, Range<usize>)> = Vec::new();
    let mut at = 0;
    for line in prompt.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        if !line.trim().is_empty() && !held.touches(&range) {
            lines.push((line.trim(), range));
        }
        at += line.len();
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (line, _) in &lines {
        *counts.entry(line).or_default() += 1;
    }
    let mut seen: HashSet<&str> = HashSet::new();
    let mut run = 0;
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, (line, range)) in lines.iter().enumerate() {
        run = if at > 0 && lines[at - 1].0 == *line { run + 1 } else { 1 };
        let flood = run > LONGEST_RUN || counts[line] > MOST_REPETITIONS;
        if !seen.insert(line) && flood {
            let from = prompt[..range.start].trim_end_matches([' ', '\t', '\r', '\n']).len();
            match found.last_mut().filter(|last| last.end == from) {
                Some(last) => last.end = range.end,
                None => found.push(from..range.end),
            }
        }
    }
    found
}

/// A prompt without lines that repeat others over and over, which say nothing about its language.
pub fn distinct(prompt: &str) -> String {
    let mut text = String::with_capacity(prompt.len());
    let mut at = 0;
    for range in flooded(prompt, &scan(prompt).cover(prompt.len())) {
        text.push_str(&prompt[at..range.start]);
        at = range.end;
    }
    text + &prompt[at..]
}

/// The words of a sentence.
fn bare(sentence: &str) -> String {
    let plain: String = sentence
        .chars()
        .filter(|c| c.is_alphanumeric() || c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Local<'a, 'v> {
    prompt: &'a str,
    held: Cover,
    edits: Edits<'a>,
    voice: &'v Voice,
}

impl Local<'_, '_> {
    fn edit(&mut self, range: Range<usize>, new: &str, reason: &str, rule: &str) -> bool {
        !self.held.touches(&range)
            && self.edits.add(range, new, &self.voice.say(reason, &[]), Some(rule))
    }

    /// Whether the braces of a place pair up within its line, as those of JSON do.
    fn is_nested(&self, range: &Range<usize>) -> bool {
        let start = self.prompt[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.prompt[start..].lines().next().unwrap_or_default();
        line.matches('{').count() == line.matches('}').count()
            && pattern!(r"[\x22'\w][ \t]*:[ \t]*[\[{\x22'\d]").is_match(line)
    }

    /// `{{name}` and `{name}}`.
    fn braces(&mut self, code: &Cover) {
        const WHY: &str = "A variable needs two braces on either side to be filled in.";
        let marker = pattern!(
            r"(?P<open>\{+)[ \t]*(?P<name>[\p{L}_][\p{L}\d_.-]*(?: [\p{L}\d_.-]+){0,3})[ \t]*(?P<close>\}+)"
        );
        let broken: Vec<Range<usize>> = marker
            .captures_iter(self.prompt)
            .filter(|found| matches!((found["open"].len(), found["close"].len()), (1, 2) | (2, 1)))
            .filter_map(|found| found.get(0).map(|whole| whole.range()))
            .filter(|range| !code.touches(range) && !self.is_nested(range))
            .collect();
        for range in broken {
            let name = self.prompt[range.clone()].trim_matches(['{', '}', ' ', '\t']).to_owned();
            let reason = self.voice.say(WHY, &[]);
            self.edits.add(range, &format!("{{{{{name}}}}}"), &reason, Some("unbalanced_variable"));
        }
    }

    /// Lines that stand there over and over, whether or not they are sentences.
    fn floods(&mut self) {
        for range in flooded(self.prompt, &self.held) {
            self.edit(range, "", SAID, "duplicate_instruction");
        }
    }

    /// Sentences and lines that stand there already.
    fn repetitions(&mut self, sentences: Vec<Range<usize>>) {
        let plain: Vec<String> =
            sentences.iter().map(|range| bare(&self.prompt[range.clone()])).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for text in &plain {
            *counts.entry(text).or_default() += 1;
        }
        let mut seen: HashSet<&str> = HashSet::new();
        let mut run = 0;
        for (at, range) in sentences.into_iter().enumerate() {
            let text = plain[at].as_str();
            run = if at > 0 && plain[at - 1] == text { run + 1 } else { 1 };
            let long = text.chars().count() >= SHORTEST_REPETITION && text.contains(' ');
            let flood = run > LONGEST_RUN || counts[text] > MOST_REPETITIONS;
            if seen.insert(text) || text.is_empty() || !(long || flood) {
                continue;
            }
            // A whole line goes with its break and bullet, a sentence with the space before it.
            let line = self.prompt[..range.start].rfind('\n').map_or(0, |at| at + 1);
            let lead = &self.prompt[line..range.start];
            let tail = &self.prompt[range.end..];
            let bullet = pattern!(r"^\s*(?:[-*•]\s+)?$").is_match(lead);
            let ends = tail.is_empty() || tail.starts_with(['\n', '\r']);
            let whole = if bullet && ends && line > 0 {
                line - 1..range.end
            } else if lead.trim().is_empty() {
                range.start..range.end + (tail.len() - tail.trim_start_matches(' ').len())
            } else {
                range.start - (lead.len() - lead.trim_end().len())..range.end
            };
            self.edit(whole, "", SAID, "duplicate_instruction");
        }
    }

    /// "the the".
    fn doubled_words(&mut self, tongue: Tongue) {
        if tongue.tag != "en" {
            return;
        }
        let pairs = pattern!(
            r"(?i)\b(?:{optimize_local.the_en} (?P<a>{optimize_local.the_en})|{optimize_local.a_en} (?P<b>{optimize_local.a_en})|{optimize_local.and_en} (?P<c>{optimize_local.and_en})|{optimize_local.of_en} (?P<d>{optimize_local.of_en})|{optimize_local.to_en} (?P<e>{optimize_local.to_en})|{optimize_local.with_en} (?P<f>{optimize_local.with_en})|{optimize_local.for_en} (?P<g>{optimize_local.for_en})|{optimize_local.is_en} (?P<h>{optimize_local.is_en}))\b "
        );
        let found: Vec<Range<usize>> = pairs
            .captures_iter(self.prompt)
            .filter_map(|found| found.iter().skip(1).flatten().next().map(|word| word.range()))
            .collect();
        for word in found {
            self.edit(word.start - 1..word.end, "", "The word is doubled.", "doubled_word");
        }
    }

    /// Greetings and thanks that are sentences of their own.
    fn pleasantries(&mut self, sentences: &[Range<usize>]) {
        const WHY: &str = "It says nothing that the model needs.";
        let idle = |range: &&Range<usize>| courtesy::is_idle(&self.prompt[(*range).clone()]);
        let polite: Vec<&Range<usize>> = sentences.iter().filter(idle).collect();
        // Nothing but a greeting is the whole request.
        if polite.len() == sentences.len() {
            return;
        }
        for range in polite {
            let before = self.prompt[..range.start].trim_end_matches(' ').len();
            let after = &self.prompt[range.end..];
            let gap = after.len() - after.trim_start_matches(' ').len();
            let whole = if self.prompt[..before].is_empty() || self.prompt[..before].ends_with('\n')
            {
                range.start..range.end + gap
            } else {
                before..range.end
            };
            self.edit(whole, "", WHY, "filler");
        }
    }

    /// Courtesies and lead-ins before a request. What follows begins the sentence.
    fn filler(&mut self, tongue: Tongue) {
        const WHY: &str = "It says nothing that the model needs.";
        if let Some(end) = courtesy::greeting(self.prompt) {
            let next = self.prompt[end..].chars().next().into_iter();
            let capital: String = next.clone().flat_map(char::to_uppercase).collect();
            let length: usize = next.map(char::len_utf8).sum();
            self.edit(0..end + length, &capital, WHY, "filler");
        }
        let opening = match tongue.tag {
            "en" => pattern!(
                r"(?im)(?:^|[.!?] )(?P<x>(?:{optimize_local.greeting_en}[,!.]? )?(?:{optimize_local.wanting_en} (?:{optimize_local.please_en} )?|{optimize_local.please_en},? (?:{optimize_local.can_you_en} )?|{optimize_local.opener_en} ))(?P<next>\p{L})"
            ),
            "de" => {
                pattern!(
                    r"(?im)(?:^|[.!?] )(?P<x>(?:{optimize_local.greeting_de}[,!]? )?{optimize_local.please_de},? )(?P<next>\p{L})"
                )
            }
            "fr" => pattern!(
                r"(?im)(?:^|[.!?] )(?P<x>(?:{optimize_local.greeting_fr}[,!]? )?{optimize_local.please_fr},? )(?P<next>\p{L})"
            ),
            "es" => pattern!(
                r"(?im)(?:^|[.!?] )(?P<x>(?:{optimize_local.greeting_es}[,!]? )?{optimize_local.please_es},? )(?P<next>\p{L})"
            ),
            "it" => pattern!(
                r"(?im)(?:^|[.!?] )(?P<x>(?:{optimize_local.greeting_it}[,!]? )?{optimize_local.please_it},? )(?P<next>\p{L})"
            ),
            "pt" => {
                pattern!(
                    r"(?im)(?:^|[.!?] )(?P<x>(?:{optimize_local.greeting_pt}[,!]? )?{optimize_local.please_pt},? )(?P<next>\p{L})"
                )
            }
            _ => return,
        };
        let found: Vec<(Range<usize>, String)> = opening
            .captures_iter(self.prompt)
            .filter_map(|found| {
                let (filler, next) = (found.name("x")?, found.name("next")?);
                let capital: String = next.as_str().chars().flat_map(char::to_uppercase).collect();
                Some((filler.start()..next.end(), capital))
            })
            .collect();
        for (range, capital) in found {
            self.edit(range, &capital, WHY, "filler");
        }
        let inside = match tongue.tag {
            "en" => pattern!(r"(?i) {optimize_local.filler_en}\b,?(?P<end>[ .!?\n]|$)"),
            "de" => pattern!(r"(?i) {optimize_local.please_de}\b,?(?P<end>[ .!?\n]|$)"),
            "fr" => {
                pattern!(r"(?i) {optimize_local.please_inside_fr}\b,?(?P<end>[ .!?\n]|$)")
            }
            "es" | "pt" => pattern!(
                r"(?i) (?:{optimize_local.please_es}|{optimize_local.please_pt})\b,?(?P<end>[ .!?\n]|$)"
            ),
            "it" => pattern!(r"(?i) {optimize_local.please_it}\b,?(?P<end>[ .!?\n]|$)"),
            _ => return,
        };
        let found: Vec<Range<usize>> = inside
            .captures_iter(self.prompt)
            .filter_map(|found| Some(found.get(0)?.start()..found.name("end")?.start()))
            .collect();
        for mut range in found {
            if self.prompt[..range.start].ends_with(',') {
                range.start -= 1;
            }
            self.edit(range, "", WHY, "filler");
        }
    }

    /// "try to", "maybe", "kind of".
    fn hedges(&mut self, tongue: Tongue) {
        const WHY: &str = "It weakens the instruction; said plainly, it is followed more reliably.";
        if tongue.tag == "en" {
            let opening = pattern!(
                r"(?m)(?:^|[.!?] |^[-*•] )(?P<x>(?:{optimize_local.hedge_opening_en} (?:{optimize_local.try_en} )?|{optimize_local.try_opening_en} )(?P<next>{optimize_local.hedged_verb_en}))\b"
            );
            let found: Vec<(Range<usize>, String)> = opening
                .captures_iter(self.prompt)
                .filter_map(|found| {
                    let verb = crate::rules::split::capitalize(&found["next"]);
                    Some((found.name("x")?.range(), verb))
                })
                .collect();
            for (range, verb) in found {
                self.edit(range, &verb, WHY, "hedging");
            }
        }
        let hedge = match tongue.tag {
            "en" => pattern!(r"(?i) {optimize_local.hedge_en}(?P<end> \p{L})"),
            "de" => {
                pattern!(r"(?i) {optimize_local.hedge_de}(?P<end> \p{L})")
            }
            "fr" => pattern!(r"(?i) {optimize_local.hedge_fr}(?P<end> \p{L})"),
            "es" => pattern!(r"(?i) {optimize_local.hedge_es}(?P<end> \p{L})"),
            "it" => pattern!(r"(?i) {optimize_local.hedge_it}(?P<end> \p{L})"),
            "pt" => pattern!(r"(?i) {optimize_local.hedge_pt}(?P<end> \p{L})"),
            _ => return,
        };
        let found: Vec<Range<usize>> = hedge
            .captures_iter(self.prompt)
            .filter(|found| {
                // A hedge is one only inside an instruction; a fact may well be uncertain, and "do not try
                // to" forbids the attempt.
                let start = found.get(0).map_or(0, |whole| whole.start());
                let before = &self.prompt[..start];
                let from = before.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
                let asked = pattern!(r"(?i)^(?:{optimize_local.please_en} )?{optimize_local.asking_en}(?: {optimize_local.please_en})?$");
                let instruction = crate::rules::imperative::starts_work(before[from..].trim())
                    || asked.is_match(before[from..].trim())
                    || tongue.tag != "en";
                instruction
                    && !pattern!(r"(?i)\b{optimize_local.no_hedge_behind}$")
                        .is_match(before[from..].trim_end())
            })
            .filter_map(|found| Some(found.get(0)?.start()..found.name("end")?.start()))
            .collect();
        for range in found {
            self.edit(range, "", WHY, "hedging");
        }
    }

    /// "!!!", and words in capitals where there are many of them.
    fn emphasis(&mut self) {
        const WHY: &str = "Emphasis on everything emphasises nothing.";
        let marks: Vec<(Range<usize>, &str)> = pattern!(r"!{2,}|\?{3,}|！{2,}")
            .find_iter(self.prompt)
            .map(|found| {
                let sign = found.as_str().chars().next().map_or(1, char::len_utf8);
                (found.range(), &self.prompt[found.start()..found.start() + sign])
            })
            .collect();
        for (range, mark) in marks {
            let mark = mark.to_owned();
            self.edit(range, &mark, WHY, "over_emphasis");
        }
        let shouted: Vec<Range<usize>> = pattern!(r"\b{optimize_local.shouted}\b")
            .find_iter(self.prompt)
            .map(|found| found.range())
            .filter(|range| !self.held.touches(range))
            .collect();
        if shouted.len() < SHOUTING {
            return;
        }
        for range in shouted {
            let before = self.prompt[..range.start].trim_end_matches([' ', '*', '_']);
            let begins =
                before.is_empty() || before.ends_with(['.', '!', '?', '\n', '-', '•', ':']);
            let lower = self.prompt[range.clone()].to_lowercase();
            let plain = if begins { crate::rules::split::capitalize(&lower) } else { lower };
            self.edit(range, &plain, WHY, "over_emphasis");
        }
    }

    /// "a few ideas" where the text says elsewhere how many.
    fn figures(&mut self, tongue: Tongue) {
        const WHY: &str = "The prompt itself gives the number.";
        if tongue.tag != "en" {
            return;
        }
        let vague =
            pattern!(r"(?i)\b(?P<q>{optimize_local.vague_amount_en}) (?P<noun>[a-z]{3,}s)\b");
        let exact = pattern!(r"(?i)\b(?P<n>\d{1,3}) (?P<noun>[a-z]{3,}s)\b");
        let mut known: std::collections::HashMap<String, HashSet<String>> = Default::default();
        for found in exact.captures_iter(self.prompt) {
            known.entry(found["noun"].to_lowercase()).or_default().insert(found["n"].to_owned());
        }
        let found: Vec<(Range<usize>, String)> = vague
            .captures_iter(self.prompt)
            .filter_map(|found| {
                let numbers = known.get(&found["noun"].to_lowercase())?;
                let [number] = numbers.iter().collect::<Vec<_>>()[..] else { return None };
                Some((found.name("q")?.range(), number.clone()))
            })
            .collect();
        for (range, number) in found {
            self.edit(range, &number, WHY, "vague_quantity");
        }
    }

    /// Runs of spaces, spaces before commas and at line ends, and more than one blank line.
    fn spacing(&mut self) {
        const WHY: &str = "Tidies spacing and punctuation.";
        let prompt = self.prompt;
        let found: Vec<(Range<usize>, &str)> = pattern!(r"(?P<end>[ \t]+)(?:\r?\n|$)|\n(?P<blank>(?:[ \t]*\r?\n){2,})|\S(?P<run> {2,})\S|[\p{L}\d](?P<comma> +)[,;](?:\s|$)")
            .captures_iter(prompt)
            .filter_map(|found| {
                if let Some(blank) = found.name("blank") {
                    return Some((blank.range(), "\n"));
                }
                if let Some(run) = found.name("run") {
                    return Some((run.range(), " "));
                }
                found.name("end").or_else(|| found.name("comma")).map(|gap| (gap.range(), ""))
            })
            .collect();
        for (range, new) in found {
            // Two spaces at the end of a line break it in Markdown.
            let line = prompt[..range.start].rfind('\n').map_or(0, |at| at + 1);
            let table = prompt[line..].trim_start().starts_with('|');
            if !(table || new.is_empty() && &prompt[range.clone()] == "  ") {
                self.edit(range, new, WHY, "spacing");
            }
        }
    }

    /// A code block that is never closed.
    fn fence(&mut self) {
        let mut open: Option<(char, usize)> = None;
        for line in self.prompt.lines() {
            let line = line.trim_start();
            let Some(sign) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else {
                continue;
            };
            let run = line.chars().take_while(|c| *c == sign).count();
            open = match open {
                None if run >= 3 && !line[run..].contains('`') => Some((sign, run)),
                Some((own, length))
                    if sign == own && run >= length && line[run..].trim().is_empty() =>
                {
                    None
                }
                other => other,
            };
        }
        if let Some((sign, length)) = open {
            let end = self.prompt.len();
            let fence: String = std::iter::repeat_n(sign, length).collect();
            let lead = if self.prompt.ends_with('\n') { "" } else { "\n" };
            let reason = self
                .voice
                .say("Closes the code block, so that nothing after it is read as code.", &[]);
            self.edits.add(
                end..end,
                &format!("{lead}{fence}"),
                &reason,
                Some("unclosed_code_fence"),
            );
        }
    }
}
