//! DynamoDB: the crate `dynoxide` on a loopback listener.

use std::{fmt::Display, sync::Arc, time::Duration};

use domain::Clock;
use dynoxide::{Database, ImportOptions, server};
use serde_json::Value;

use crate::{
    error::{ImportError, StartError, SweepError},
    folder::Folder,
    service::{self, Service},
};

const NAME: &str = "DynamoDB";
/// A sweep reads the whole table.
const SWEEP_PERIOD: Duration = Duration::from_secs(60);

/// The database and its server.
pub(crate) struct DynamoDb {
    database: Database,
    pub(crate) service: Service,
}

impl DynamoDb {
    /// Opens the database in `folder` and serves it.
    pub(crate) fn start(
        folder: &Folder,
        clock: Arc<dyn Clock>,
        port: u16,
    ) -> Result<Self, StartError> {
        let database = open(folder, clock)?;
        let served = database.clone();
        let service = Service::start(NAME, port, |listener, stop| async move {
            let swept = served.clone();
            service::repeat(SWEEP_PERIOD, move || {
                if let Err(error) = swept.sweep_ttl() {
                    tracing::warn!(%error, "expired items were not removed");
                }
            });
            let stopped = stop.requested();
            if let Err(error) = server::serve_with_shutdown(listener, served, stopped).await {
                tracing::error!(error, "DynamoDB ended");
            }
        })?;
        Ok(Self { database, service })
    }

    /// Puts items, each in DynamoDB's JSON, into a table at once. Blocking.
    pub(crate) fn import(&self, table: &str, items: Vec<Value>) -> Result<(), ImportError> {
        let failed = |reason: &dyn Display| ImportError(reason.to_string());
        let items: Result<_, _> = items.into_iter().map(serde_json::from_value).collect();
        let items = items.map_err(|error| failed(&error))?;
        let imported = self.database.import_items(table, items, ImportOptions::default());
        imported.map(|_| ()).map_err(|error| failed(&error))
    }

    /// Removes the expired items and returns how many. Blocking.
    pub(crate) fn sweep_expired(&self) -> Result<usize, SweepError> {
        self.database.sweep_ttl().map_err(|error| SweepError(error.to_string()))
    }
}

/// Opens the database in `folder`.
pub(crate) fn open(folder: &Folder, clock: Arc<dyn Clock>) -> Result<Database, StartError> {
    let failed = |reason: String| StartError::Storage { service: NAME, reason };
    match folder.database_path("dynamodb.sqlite") {
        Some(path) => {
            let path = path.to_str().ok_or_else(|| failed("its path is not UTF-8".into()))?;
            Database::new(path)
        }
        None => Database::memory_with_clock(Arc::new(Seconds(clock))),
    }
    .map_err(|error| failed(error.to_string()))
}

/// A [`Clock`] in seconds, the unit of dynoxide.
struct Seconds(Arc<dyn Clock>);

impl dynoxide::storage_backend::Clock for Seconds {
    fn now_unix_secs(&self) -> u64 {
        u64::try_from(self.0.now().seconds()).unwrap_or(0)
    }

    fn now_unix_secs_f64(&self) -> f64 {
        self.0.now().millis() as f64 / 1000.0
    }
}
