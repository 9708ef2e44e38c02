//! Every prompt brings its own tests: what it demands of its answers becomes checks, and a program runs them.
//!
//! [`of`] reads the checks of a prompt, and [`run`] holds an answer against them. The same texts always have the same verdicts: there is no network, clock or storage, and time is
//! linear in the lengths of prompt and answer. What no program can decide is `undecided`, with the reason.
//! `docs/design/checks.md` says what each kind counts.

mod check;
mod coverage;
mod describe;
mod kinds;
mod output;
mod prompt;
mod run;
mod scope;
mod shape;
mod statement;
mod verdict;

pub use check::{Check, Coverage, Reading, Uncovered, of};
pub use prompt::filled;
pub use run::run;
pub use verdict::{Evidence, Outcome, Reason, Verdict};
