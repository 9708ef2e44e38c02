//! When a searcher reads the vote log.

use std::time::Duration;

use domain::Timestamp;

/// How often a searcher reads the votes, at most.
pub(crate) const INTERVAL: Duration = Duration::from_secs(1);

/// How much older than the present an entry may be when it appears: votes are counted after its position is taken, and
/// written without a transaction. If one is later still, the indexer's count or the next vote follows it.
const OVERLAP: Duration = Duration::from_secs(10);

/// Which votes a searcher has read.
#[derive(Debug)]
pub(crate) struct VotesRead {
    /// The snapshot has all votes before this instant.
    through: Timestamp,
    read_at: Timestamp,
    due_at: Timestamp,
}

impl VotesRead {
    pub(crate) fn new(through: Timestamp) -> Self {
        Self { through, read_at: through, due_at: Timestamp::from_millis(0) }
    }

    /// The instant from which the log has to be read; `None` if that is not due, or somebody else does it.
    pub(crate) fn begin(&mut self, now: Timestamp) -> Option<Timestamp> {
        if now < self.due_at {
            return None;
        }
        self.due_at = now + INTERVAL;
        Some((self.read_at - OVERLAP).max(self.through))
    }

    /// Records that the votes of a reading that began at `read_at` are applied.
    pub(crate) fn end(&mut self, read_at: Timestamp) {
        self.read_at = self.read_at.max(read_at);
    }
}
