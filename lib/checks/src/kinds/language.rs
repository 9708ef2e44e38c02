//! The language of an answer.

use text::head;
use text::language::{detect, primary, tag_of};

use super::judgement::Judgement;
use crate::Reason;
use crate::output::{LineKind, Output, is_unspaced};

/// Fewest letters that tell a language, outside the scripts that do so by themselves.
const FEWEST_LETTERS: usize = 25;
const FEWEST_UNSPACED: usize = 6;
/// The most of an answer that is looked at, in bytes.
const LOOKED_AT: usize = 6_000;

/// Whether the answer is in a language, given by its English name.
pub fn of(output: &Output<'_>, name: &str) -> Judgement {
    let Some(wanted) = tag_of(name) else { return Judgement::undecided(Reason::Unclear) };
    let lines = output.markdown().lines.iter().filter(|line| line.kind != LineKind::Code);
    let prose: Vec<&str> = lines.map(|line| output.at(&line.range)).collect();
    let prose = prose.join("\n");
    let prose = head(&prose, LOOKED_AT);
    let letters = prose.chars().filter(|c| c.is_alphabetic()).count();
    let unspaced = prose.chars().filter(|c| is_unspaced(*c)).count();
    if letters < FEWEST_LETTERS && unspaced < FEWEST_UNSPACED {
        return Judgement::undecided(Reason::TooShort);
    }
    // Small words tell the languages that share an alphabet, statistics those that have one of their own. Where one of
    // them says that it is the language, nobody can say that it is not.
    let told = detect(prose);
    let guessed = whatlang::detect(prose);
    let is_guessed = guessed.as_ref().is_some_and(|info| called(info.lang()) == name);
    if primary(told) == primary(wanted) || is_guessed {
        return Judgement::of(true, wanted).found(wanted);
    }
    // What the statistics do not know they take for a neighbour of it.
    let is_known = whatlang::Lang::all().iter().any(|language| called(*language) == name);
    let sure = guessed.filter(|info| info.is_reliable()).map(|info| called(info.lang()));
    let found = sure.map_or(told, |language| tag_of(language).unwrap_or(language));
    if !is_known || sure.is_none() && (told == "und" || wanted == "en") {
        return Judgement::undecided(Reason::NotExecutable);
    }
    Judgement::of(false, wanted).found(found)
}

/// The name that constraints have for a language.
fn called(language: whatlang::Lang) -> &'static str {
    match language {
        whatlang::Lang::Cmn => "Chinese",
        whatlang::Lang::Nob => "Norwegian",
        other => other.eng_name(),
    }
}
