//! Rules about wording that can be understood in more than one way, or says nothing.

use std::collections::HashSet;

use super::reading::{Medium, Reading};
use super::rule::{Edit, Rule, Spot, phrases};
use super::span::Span;
use super::{filler, lexicon, mends};
use crate::split::capitalize;
use engine::MetricName::{Clarity, Specificity};
use engine::Severity::{High, Info, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("vague_quality", Clarity, Middling, vague_quality),
    Rule::code("hedging", Clarity, Low, hedging).mended(say_plainly),
    Rule::code("filler", Clarity, Low, filler::find).mended(filler::leave_out),
    Rule::code("doubled_word", Clarity, Info, doubled_word).mended(mends::cut),
    Rule::code("unresolved_reference", Clarity, High, unresolved_reference),
    Rule::code("over_emphasis", Clarity, Low, over_emphasis).mended(lower_voice),
    Rule::code("long_sentence", Clarity, Low, long_sentence),
    Rule::code("undefined_abbreviation", Clarity, Info, undefined_abbreviation),
    Rule::phrases("outdated_trick", Clarity, Low),
    Rule::code("vague_quantity", Specificity, Low, vague_quantity),
    Rule::code("vague_length", Specificity, Low, vague_length),
    Rule::code("vague_subject", Specificity, Middling, vague_subject),
    Rule::code("vague_criterion", Specificity, Low, vague_criterion),
    Rule::code("vague_time", Specificity, Low, vague_time),
    Rule::code("open_list", Specificity, Low, open_list),
];

/// The phrases of a rule in a prompt for a text, unless a condition excuses them.
fn unless(excused: bool, reading: &Reading<'_>, rule: &str) -> Vec<Spot> {
    if excused || reading.medium != Medium::Text { Vec::new() } else { phrases(reading, rule) }
}

/// Words of a prompt from which on a single loose word does little harm.
const AT_LENGTH: usize = 60;

/// The phrases of a rule about loose words.
fn loose(excused: bool, reading: &Reading<'_>, rule: &str) -> Vec<Spot> {
    soften(unless(excused, reading, rule), reading)
}

/// Makes a single spot of a long prompt a remark.
fn soften(spots: Vec<Spot>, reading: &Reading<'_>) -> Vec<Spot> {
    if spots.len() == 1 && reading.source.words.len() >= AT_LENGTH {
        return spots.into_iter().map(|spot| spot.at(Info)).collect();
    }
    spots
}

fn vague_criterion(reading: &Reading<'_>) -> Vec<Spot> {
    loose(false, reading, "vague_criterion")
}

fn open_list(reading: &Reading<'_>) -> Vec<Spot> {
    loose(false, reading, "open_list")
}

fn vague_quality(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots = unless(false, reading, "vague_quality");
    // What follows "better" may say in which respect.
    spots.retain(|spot| {
        let rest = reading.source.prose[spot.span.end..].trim_start();
        let compares =
            pattern!(r"(?i){analyze_wording.better}$").is_match(reading.source.slice(spot.span));
        !(compares && pattern!(r"^(?i:{analyze_wording.measure})(?-u:\b)").is_match(rest))
    });
    spots
}

fn hedging(reading: &Reading<'_>) -> Vec<Spot> {
    // A question may well be about what is likely.
    let hits = reading.phrases("hedging");
    let said = hits.filter(|hit| !reading.sentence(hit.sentence).ends_with('?'));
    soften(said.map(|hit| Spot::new(hit.span)).collect(), reading)
}

/// Takes a hedge out of an instruction; elsewhere, as in "the one who may perhaps", it says how certain a fact is.
fn say_plainly(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let source = &reading.source;
    let idle = pattern!(r"^(?i:{analyze_wording.idle_hedge})$").is_match(source.slice(spot.span));
    let number = source.sentences.partition_point(|sentence| sentence.span.end <= spot.span.start);
    let Some(sentence) = source.sentences.get(number).filter(|_| idle) else { return Vec::new() };
    let words = source.words_of(sentence);
    let next = words.iter().find(|word| word.span.start >= spot.span.end);
    let orders = next.is_some_and(|next| super::lexicon::is_order(source.language, &next.lower));
    let before = &source.prose[sentence.span.start..spot.span.start];
    let clause = before.rsplit([',', ';', ':', '(']).next().unwrap_or_default();
    let states =
        pattern!(r"(?i)(?-u:\b){analyze_wording.no_hedge_behind}(?-u:\b)").is_match(clause);
    if states || !orders && !reading.requests.contains(&number) {
        return Vec::new();
    }
    mends::cut(reading, spot)
}

/// "The the".
fn doubled_word(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let said_twice = |pair: &&[super::source::Word]| {
        pair[0].lower == pair[1].lower
            && pattern!(r"^{analyze_wording.doubled}$").is_match(&pair[0].lower)
            && source.text[pair[0].span.end..pair[1].span.start].chars().all(|c| c == ' ')
    };
    source.words.windows(2).filter(said_twice).map(|pair| Spot::new(pair[1].span)).collect()
}

/// "Fix it" with nothing before it that "it" could be.
fn unresolved_reference(reading: &Reading<'_>) -> Vec<Spot> {
    let Some(first) = reading.source.sentences.first() else { return Vec::new() };
    if reading.has_material() || reading.medium != Medium::Text {
        return Vec::new();
    }
    let words = reading.source.words_of(first);
    let named = words
        .iter()
        .find(|word| !lexicon::is_generic(reading.source.language, &word.lower))
        .map_or(first.span.end, |word| word.span.start);
    let mut hits = reading.phrases("unresolved");
    let found = hits.find(|hit| hit.sentence == 0 && hit.span.start <= named);
    found.map(|hit| Spot::new(hit.span)).into_iter().collect()
}

/// Words in capitals from which on they emphasise nothing.
const LOUD: usize = 3;

/// The words in capitals that are no abbreviation that everybody knows.
fn loud_words(reading: &Reading<'_>) -> Vec<Span> {
    let loud = |text: &str| {
        text.chars().count() >= 4 && text.chars().all(char::is_uppercase) && !is_known(text)
    };
    let words = reading.source.words.iter().map(|word| word.span);
    words.filter(|span| loud(reading.source.slice(*span))).collect()
}

/// Whether an abbreviation needs no explanation.
fn is_known(word: &str) -> bool {
    pattern!(r"^(?:{analyze_wording.known_abbreviations})$").is_match(word)
}

fn over_emphasis(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut spots: Vec<Spot> = pattern!(r"[!！]{2,}|\?{3,}")
        .find_iter(&source.prose)
        .map(|found| Spot::new(found.range().into()))
        .collect();
    // Single words in capitals are names or a fair emphasis.
    let loud = loud_words(reading);
    let words = source.words.iter().map(|word| word.span);
    let shouted: Vec<Span> = words.filter(|span| is_shouted(source.slice(*span))).collect();
    if loud.len() >= LOUD {
        spots.extend(
            [0_usize, 7].into_iter().filter_map(|at| loud.get(at)).map(|span| Spot::new(*span)),
        );
    } else if shouted.len() >= LOUD && shouted.len() * RARE >= source.words.len() {
        spots.push(Spot::new(shouted[0]));
    }
    spots
}

/// One word that only emphasises among so many may be meant.
const RARE: usize = 60;

fn is_shouted(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && pattern!(r"^{analyze_wording.shouted}$").is_match(word)
}

/// One sign instead of many, and the words that only emphasise in small letters.
fn lower_voice(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let source = &reading.source;
    let place = source.slice(spot.span);
    if let Some(sign) = place.chars().next().filter(|c| !c.is_alphabetic()) {
        return vec![Edit::new(spot.span, sign)];
    }
    // Among other words in capitals it would only look stranger in small letters.
    let capital = |at: Option<usize>| {
        let word = at.and_then(|at| source.words.get(at)).map(|word| source.slice(word.span));
        word.is_some_and(|word| {
            word.len() > 1 && word.chars().all(char::is_uppercase) && !is_shouted(word)
        })
    };
    let lone = |at: usize| !capital(at.checked_sub(1)) && !capital(Some(at + 1));
    let words = source.words.iter().map(|word| word.span).enumerate();
    words
        .filter(|(at, span)| is_shouted(source.slice(*span)) && lone(*at))
        .map(|(_, span)| {
            let before = source.text[..span.start].trim_end_matches([' ', '*', '_']);
            let begins =
                before.is_empty() || before.ends_with(['.', '!', '?', '\n', '-', '•', ':']);
            let lower = source.slice(span).to_lowercase();
            Edit::new(span, if begins { capitalize(&lower) } else { lower })
        })
        .collect()
}

/// Words of a sentence from which on it is hard to follow.
const LONG_SENTENCE: usize = 55;
/// Words of a sentence from which on it is several without a stop.
const RUN_ON: usize = 75;

fn long_sentence(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if !source.is_spaced() || reading.medium != Medium::Text {
        return Vec::new();
    }
    let counted =
        source.sentences.iter().map(|sentence| (sentence, source.words_of(sentence).len()));
    counted
        .filter(|(_, count)| *count > LONG_SENTENCE)
        .map(|(sentence, count)| {
            let spot = Spot::naming(sentence.span, count.to_string());
            // A prompt that is one long breath has no parts at all.
            let runs_on = source.sentences.len() <= 3 && count > RUN_ON;
            if runs_on { spot.at(Middling) } else { spot }
        })
        .collect()
}

fn undefined_abbreviation(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut seen = HashSet::new();
    let mut capitals = 0;
    let mut found = Vec::new();
    for word in &source.words {
        let text = source.slice(word.span);
        if text.len() < 2 || !text.bytes().all(|byte| byte.is_ascii_uppercase()) {
            continue;
        }
        capitals += 1;
        let behind = source.text[word.span.end..].trim_start();
        // A number behind it makes it a name: "ICE 578".
        let explained = behind.starts_with(|c: char| c == '(' || c.is_ascii_digit())
            || source.text[..word.span.start].ends_with('(');
        if (3..=6).contains(&text.len()) && seen.insert(text) && !explained && !is_known(text) {
            found.push(word.span);
        }
    }
    // A prompt in capitals has no abbreviations that could be told.
    let loud = loud_words(reading).len() >= LOUD;
    if reading.medium != Medium::Text || capitals * 3 > source.words.len() || loud {
        return Vec::new();
    }
    let defined: HashSet<&str> = pattern!(r"\([A-Z]{3,6}\)")
        .find_iter(source.text)
        .map(|found| found.as_str().trim_matches(['(', ')']))
        .collect();
    found.retain(|span| !defined.contains(source.slice(*span)));
    let severity = if found.len() >= LOUD { Low } else { Info };
    found.into_iter().take(LOUD).map(|span| Spot::new(span).at(severity)).collect()
}

fn vague_quantity(reading: &Reading<'_>) -> Vec<Spot> {
    // "What are some good books?" is how people ask.
    loose(reading.asks(), reading, "vague_quantity")
}

fn vague_length(reading: &Reading<'_>) -> Vec<Spot> {
    loose(reading.has_exact_length(), reading, "vague_length")
}

/// Words of a prompt up to which no sentence around "something" says what is meant.
const BRIEF: usize = 40;

fn vague_subject(reading: &Reading<'_>) -> Vec<Spot> {
    let excused = reading.source.words.len() > BRIEF || reading.asks();
    let mut spots = unless(excused, reading, "vague_subject");
    // "Something to read on the train" says what for.
    spots.retain(|spot| {
        let rest = reading.source.prose[spot.span.end..].trim_start();
        !pattern!(r"^(?i:{analyze_wording.what_for})(?-u:\b)").is_match(rest)
    });
    spots
}

fn vague_time(reading: &Reading<'_>) -> Vec<Spot> {
    let dated = pattern!(
        r"(?-u:\b)(?:19|20)\d\d(?-u:\b)|(?-u:\b){analyze_specificity.last} (?:\d+|{analyze_specificity.few}) {analyze_specificity.time}(?-u:\b)"
    );
    loose(dated.is_match(&reading.source.prose), reading, "vague_time")
}
