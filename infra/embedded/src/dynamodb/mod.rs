//! DynamoDB: the crate `dynoxide` on a loopback listener.

mod api;
mod transaction_tokens;

use std::{fmt::Display, sync::Arc, time::Duration};

use axum::middleware;
use domain::Clock;
use dynoxide::ImportOptions;
use serde_json::Value;

pub(crate) use self::api::Api;

use crate::{
    credentials::Credentials,
    error::{ImportError, StartError, SweepError},
    folder::Folder,
    service::{self, Service},
    web_pages,
};

const NAME: &str = "DynamoDB";
/// A sweep reads the whole table.
const SWEEP_PERIOD: Duration = Duration::from_secs(60);

/// The database and its server.
pub(crate) struct DynamoDb {
    api: Api,
    pub(crate) service: Service,
}

impl DynamoDb {
    /// Opens the database in `folder` and serves it.
    pub(crate) fn start(
        folder: &Folder,
        clock: Arc<dyn Clock>,
        credentials: &Credentials,
        port: u16,
    ) -> Result<Self, StartError> {
        let api = Api::open(folder, clock.clone(), credentials)?;
        let served = api.clone();
        let date = middleware::from_fn_with_state(clock, service::date);
        let router =
            |_: &str, _| served.router().layer(middleware::from_fn(web_pages::refuse)).layer(date);
        let swept = api.clone();
        let sweep = move || {
            if let Err(error) = swept.database.sweep_ttl() {
                tracing::warn!(%error, "expired items were not removed");
            }
        };
        let background = || service::repeat(SWEEP_PERIOD, sweep);
        let service = Service::start(NAME, port, router, background)?;
        Ok(Self { api, service })
    }

    /// Puts items, each in DynamoDB's JSON, into a table at once. Blocking.
    pub(crate) fn import(&self, table: &str, items: Vec<Value>) -> Result<(), ImportError> {
        let failed = |reason: &dyn Display| ImportError(reason.to_string());
        let items: Result<_, _> = items.into_iter().map(serde_json::from_value).collect();
        let items = items.map_err(|error| failed(&error))?;
        let imported = self.api.database.import_items(table, items, ImportOptions::default());
        imported.map(|_| ()).map_err(|error| failed(&error))
    }

    /// Removes the expired items and returns how many. Blocking.
    pub(crate) fn sweep_expired(&self) -> Result<usize, SweepError> {
        self.api.database.sweep_ttl().map_err(|error| SweepError(error.to_string()))
    }
}
