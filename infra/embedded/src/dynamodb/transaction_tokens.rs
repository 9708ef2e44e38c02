//! `ClientRequestToken`: a transaction that is sent again within ten minutes is answered, not done again
//! ([TransactWriteItems](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html)).
//!
//! `dynoxide` has this too, but looks through all tokens of ten minutes at every transaction.

use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::Timestamp;
use dynoxide::{
    DynoxideError,
    actions::transact_write_items::{TransactWriteItemsRequest, TransactWriteItemsResponse},
};

/// Longest token, in bytes.
const MAX_LENGTH: usize = 36;

/// How long a token is known after its transaction.
const KNOWN_FOR: Duration = Duration::from_secs(600);

/// The transactions of the last ten minutes that had a token.
#[derive(Default)]
pub(super) struct TransactionTokens(Mutex<Known>);

/// Tokens and requests by their hashes: there may be tens of thousands.
#[derive(Default)]
struct Known {
    hasher: RandomState,
    answers: HashMap<u64, Answered>,
    /// Tokens in order of their transactions.
    oldest_first: VecDeque<(Timestamp, u64)>,
}

struct Answered {
    request: u64,
    answer: TransactWriteItemsResponse,
}

impl TransactionTokens {
    /// The answer to a request: that of the transaction with its token, or what `transact` says. One at a time, as
    /// the database does it anyway.
    pub fn answer(
        &self,
        mut request: TransactWriteItemsRequest,
        body: &[u8],
        now: Timestamp,
        transact: impl FnOnce(
            TransactWriteItemsRequest,
        ) -> Result<TransactWriteItemsResponse, DynoxideError>,
    ) -> Result<TransactWriteItemsResponse, DynoxideError> {
        let Some(token) = request.client_request_token.take() else { return transact(request) };
        if !(1..=MAX_LENGTH).contains(&token.len()) {
            return Err(DynoxideError::ValidationException(
                "1 validation error detected: Value at 'clientRequestToken' failed to satisfy constraint: \
                 Member must have length between 1 and 36"
                    .to_owned(),
            ));
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.forget(now);
        let (token, digest) = (known.hasher.hash_one(token), known.hasher.hash_one(body));
        match known.answers.get(&token) {
            Some(answered) if answered.request == digest => Ok(answered.answer.clone()),
            Some(_) => Err(DynoxideError::IdempotentParameterMismatchException(
                "The token belongs to another transaction".to_owned(),
            )),
            None => {
                let answer = transact(request)?;
                known.oldest_first.push_back((now, token));
                known.answers.insert(token, Answered { request: digest, answer: answer.clone() });
                Ok(answer)
            }
        }
    }
}

impl Known {
    fn forget(&mut self, now: Timestamp) {
        while let Some((answered_at, token)) = self.oldest_first.front()
            && now.since(*answered_at) >= KNOWN_FOR
        {
            self.answers.remove(token);
            self.oldest_first.pop_front();
        }
    }
}
