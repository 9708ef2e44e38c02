//! The storage of a function, as its environment names it.

use std::sync::Arc;

use aws_secrets::{Environment, SdkConfig};
use store::{Names, Store};

use crate::{
    Secrets,
    runtime::{
        SystemClock, SystemRandom,
        config::{ConfigError, required},
        server_secret::{SecretError, ServerSecret},
    },
};

/// A resource besides the table, which every function uses. A function is deployed with the
/// variables of those that it names, and with no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The bucket.
    Bucket,
    /// The queue of operations.
    OperationsQueue,
    /// The queue of the library's background jobs.
    LibraryQueue,
    /// The queue of webhook events and deliveries.
    DeliveriesQueue,
    /// The queue of deliveries to slow or failing endpoints.
    SlowDeliveriesQueue,
}

impl Resource {
    /// All resources.
    pub const ALL: [Self; 5] = [
        Self::Bucket,
        Self::OperationsQueue,
        Self::LibraryQueue,
        Self::DeliveriesQueue,
        Self::SlowDeliveriesQueue,
    ];

    /// The variable with its name.
    fn variable(self) -> &'static str {
        match self {
            Self::Bucket => "BUCKET_NAME",
            Self::OperationsQueue => "OPERATIONS_QUEUE_URL",
            Self::LibraryQueue => "LIBRARY_QUEUE_URL",
            Self::DeliveriesQueue => "DELIVERIES_QUEUE_URL",
            Self::SlowDeliveriesQueue => "SLOW_DELIVERIES_QUEUE_URL",
        }
    }
}

/// The storage of a function, and its log.
#[derive(Clone, Debug)]
pub struct Storage {
    /// Resources of the deployment; those that the function does not use have no name.
    pub names: Names,
    /// Whether to address buckets by path: for custom S3 endpoints.
    s3_path_style: bool,
    /// Filter of the log.
    pub log: String,
    /// How AWS is called.
    environment: Environment,
}

impl Storage {
    /// Reads `TABLE_NAME` and the names of `resources` through `variable`. Optional: `LOG`,
    /// `S3_PATH_STYLE`, and the variables of AWS's SDKs.
    ///
    /// # Errors
    ///
    /// The first variable that is missing.
    pub fn read(
        resources: &[Resource],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let used = |resource: Resource| {
            if resources.contains(&resource) {
                required(&variable, resource.variable())
            } else {
                Ok(String::new())
            }
        };
        Ok(Self {
            names: Names {
                table: required(&variable, "TABLE_NAME")?,
                bucket: used(Resource::Bucket)?,
                operations_queue_url: used(Resource::OperationsQueue)?,
                library_queue_url: used(Resource::LibraryQueue)?,
                deliveries_queue_url: used(Resource::DeliveriesQueue)?,
                slow_deliveries_queue_url: used(Resource::SlowDeliveriesQueue)?,
            },
            s3_path_style: variable("S3_PATH_STYLE").as_deref() == Some("true"),
            log: variable("LOG").unwrap_or_else(|| "info".to_owned()),
            environment: Environment::read(&variable),
        })
    }

    /// Connects to the deployment's resources. Opens the connection to the table at once, while the
    /// init phase has full CPU.
    pub async fn connect(self) -> Store {
        let aws = self.environment.load().await;
        self.connect_on(&aws).await
    }

    /// The same, and the server's keys. Neither waits for the other.
    ///
    /// # Errors
    ///
    /// The server's secret cannot be read.
    pub async fn connect_with(self, secret: ServerSecret) -> Result<(Store, Secrets), SecretError> {
        let aws = self.environment.load().await;
        let (store, secrets) =
            futures::join!(self.connect_on(&aws), secret.fetch(&aws, &SystemClock));
        Ok((store, secrets?))
    }

    async fn connect_on(self, aws: &SdkConfig) -> Store {
        let clients = store::connect::from_config(aws, self.s3_path_style, Default::default());
        let store = Store::new(clients, self.names, Arc::new(SystemClock), Arc::new(SystemRandom));
        if let Err(error) = store.ping().await {
            tracing::warn!(error = %error, "the table did not answer at start");
        }
        store
    }
}
