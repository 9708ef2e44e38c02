//! What each account has of the pool.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU32, Ordering},
    },
};

use domain::AccountId;
use tokio::sync::{AcquireError, Semaphore, SemaphorePermit};

/// Accounts that are remembered before those without work are forgotten.
const REMEMBERED: usize = 64;

/// The accounts with work.
pub struct Accounts {
    share: usize,
    known: Mutex<HashMap<AccountId, Weak<Account>>>,
}

/// What one account has of the pool.
#[derive(Debug)]
pub struct Account {
    turns: Semaphore,
    places: AtomicU32,
}

/// A place among the computations of an account; free again when it is dropped.
#[derive(Debug)]
pub struct Place(Arc<Account>);

impl Accounts {
    /// Accounts with at most `share` threads each.
    pub fn of(share: usize) -> Self {
        Self { share, known: Mutex::default() }
    }

    /// What an account has.
    pub fn of_account(&self, id: AccountId) -> Arc<Account> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(account) = known.get(&id).and_then(Weak::upgrade) {
            return account;
        }
        if known.len() >= REMEMBERED {
            known.retain(|_, account| account.strong_count() > 0);
        }
        let account =
            Arc::new(Account { turns: Semaphore::new(self.share), places: AtomicU32::new(0) });
        known.insert(id, Arc::downgrade(&account));
        account
    }
}

impl Account {
    /// Waits until the account has fewer threads than its share.
    pub async fn turn(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
        self.turns.acquire().await
    }

    /// A place, if fewer than `limit` are taken.
    pub fn place(self: Arc<Self>, limit: u32) -> Option<Place> {
        let taken = self.places.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| {
            (taken < limit).then_some(taken + 1)
        });
        taken.ok().map(|_| Place(self))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.places.fetch_sub(1, Ordering::Relaxed);
    }
}
