//! What callers are told of a workflow without a result.

use std::time::Duration;

use domain::{Failure, Loss, Problem};
use engine::{EngineError, Violation, violation};
use outbound::{FetchError, Unreachable};

use crate::run::Abort;

/// When a call is worth another try while the operator's budget is spent: the operator may raise it at any time.
const BUDGET_INTERVAL: Duration = Duration::from_secs(3_600);

fn problem(code: &str, message: impl Into<String>) -> Problem {
    Problem { code: code.to_owned(), message: message.into() }
}

fn failure(code: &str, message: impl Into<String>) -> Failure {
    problem(code, message).into()
}

pub(crate) fn source_gone() -> Problem {
    problem("source_conflict", "The history item to continue was deleted or is full.")
}

/// The failure that ends the operation; logs what callers are not told.
pub(crate) fn failure_of(abort: Abort) -> Failure {
    match abort {
        Abort::Engine(error) => failure_of_engine(error),
        Abort::Fetch(FetchError::Unsafe(reason)) => {
            failure("unsafe_url", format!("The address cannot be read: {reason}."))
        }
        Abort::Fetch(FetchError::Unreachable(Unreachable::Resolver)) => {
            failure("dns_unavailable", "The host name cannot be resolved at present.")
        }
        Abort::Fetch(FetchError::Unreachable(reason)) => {
            failure("url_unreachable", format!("The address cannot be read: {reason}."))
        }
        Abort::SourceGone => source_gone().into(),
        Abort::FileGone => {
            failure("attachment_not_ready", "An upload's file is gone; upload it again.")
        }
        Abort::Spent(_) => failure("content_too_large", compute::TOO_MUCH_WORK),
        Abort::Malformed | Abort::Store(_) => {
            tracing::error!(error = %abort, "a stored document cannot be read");
            failure("internal_error", "Something went wrong on our side.")
        }
    }
}

fn failure_of_engine(error: EngineError) -> Failure {
    let unavailable = |message: String, retry_after| Failure {
        retry_after,
        ..failure("provider_unavailable", message)
    };
    match error {
        EngineError::Rejected { reason } => {
            failure("content_rejected", format!("The content cannot be processed: {reason}."))
        }
        EngineError::TooLarge => failure(
            "content_too_large",
            "The content is more than the language model takes; shorten it, or attach less.",
        ),
        EngineError::Unavailable { retry_after } => {
            unavailable("The engine is unavailable at present.".to_owned(), retry_after)
        }
        EngineError::BudgetSpent { until } => unavailable(
            format!(
                "The operator's budget for language models is spent; the next one begins at {until}."
            ),
            Some(BUDGET_INTERVAL),
        ),
        EngineError::Timeout => unavailable("The engine did not respond in time.".to_owned(), None),
        EngineError::Unusable { violations } => {
            let reason = violation::summary(&violations);
            tracing::error!(reason, "the engine gave no usable answer");
            Failure { lost: losses(&violations), ..unusable(&violations) }
        }
    }
}

/// Names the first violations: who polls the operation sees nothing else.
fn unusable(violations: &[Violation]) -> Failure {
    const NAMED: usize = 3;
    const LONGEST: usize = 120;
    let shown = |violation: &Violation| shortened(&violation.to_string(), LONGEST);
    let named: Vec<_> = violations.iter().take(NAMED).map(shown).collect();
    let more = match violations.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let message = format!("The engine gave no usable result: {}{more}.", named.join("; "));
    failure("unusable_result", message)
}

/// The violations as the record keeps them: as many and as much of each as is certain to fit.
fn losses(violations: &[Violation]) -> Vec<Loss> {
    const MOST: usize = 20;
    const LONGEST: usize = 300;
    let loss = |violation: &Violation| Loss {
        path: violation.place.clone(),
        message: shortened(&violation.detail, LONGEST),
    };
    violations.iter().take(MOST).map(loss).collect()
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
