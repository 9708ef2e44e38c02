//! The target of a command: a deployment, or a data folder of the development server.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use edge::{
    Secrets,
    runtime::{SystemClock, SystemRandom},
};
use embedded::{Embedded, Options, StartError};
use local::{identity::Identity, resources, service_endpoints::ServiceEndpoints};
use store::{Clients, Names, Store};

use crate::{failure::Failure, options::TargetOptions};

/// Default data folder of the development server.
const FOLDER: &str = ".data";
/// For how long a process that holds a data folder may say nothing.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// How long to wait before another look at it.
const PAUSE: Duration = Duration::from_millis(100);

/// Source of the server secret.
enum Secret {
    Given(Option<String>),
    In(PathBuf),
}

/// An open target.
pub struct Target {
    pub store: Store,
    /// Description, for confirmations.
    pub name: String,
    /// Queues with their URLs: on a deployment, those that are configured.
    pub queues: Vec<(&'static str, String)>,
    secret: Secret,
    /// The previous server secret.
    previous_secret: Option<String>,
    /// The services of a data folder that no server is running on.
    embedded: Option<Embedded>,
}

impl Target {
    /// Connects to the deployment or to the folder's running server; without one, serves the folder
    /// until [`close`](Self::close).
    pub async fn open(
        options: TargetOptions,
        server_secret: Option<String>,
        previous_secret: Option<String>,
    ) -> Result<Self, Failure> {
        let previous_secret = previous_secret.filter(|secret| !secret.is_empty());
        match options.table_name.filter(|name| !name.is_empty()) {
            Some(table) => {
                let name = format!("the deployment with the table {table}");
                let names = Names {
                    table,
                    bucket: options.bucket_name.unwrap_or_default(),
                    operations_queue_url: options.operations_queue_url.unwrap_or_default(),
                    library_queue_url: options.library_queue_url.unwrap_or_default(),
                    deliveries_queue_url: options.deliveries_queue_url.unwrap_or_default(),
                    slow_deliveries_queue_url: options
                        .slow_deliveries_queue_url
                        .unwrap_or_default(),
                };
                let queues = [
                    ("operations", names.operations_queue_url.clone()),
                    ("library", names.library_queue_url.clone()),
                    ("deliveries", names.deliveries_queue_url.clone()),
                    ("slow-deliveries", names.slow_deliveries_queue_url.clone()),
                    ("upload-events", options.upload_events_queue_url.unwrap_or_default()),
                ];
                let clients = store::connect::clients(options.s3_path_style).await;
                Ok(Self {
                    store: store(clients, names),
                    name,
                    queues: queues.into_iter().filter(|(_, url)| !url.is_empty()).collect(),
                    secret: Secret::Given(server_secret),
                    previous_secret,
                    embedded: None,
                })
            }
            None => {
                let folder = options.data_dir.unwrap_or_else(|| FOLDER.into());
                Self::of_folder(folder, previous_secret).await
            }
        }
    }

    async fn of_folder(folder: PathBuf, previous_secret: Option<String>) -> Result<Self, Failure> {
        let shown = folder.display();
        let name = format!("the data folder {shown}");
        if !folder.is_dir() {
            return Err(Failure::Refused(format!(
                "There is no data folder {shown}. Start the server once, name another folder with \
                 --data-dir, or set TABLE_NAME to work on a deployment."
            )));
        }
        let (clients, resources, embedded) = match services(&folder).await? {
            Services::Own(embedded) => {
                let addresses = ServiceEndpoints::of(&embedded);
                let clients = resources::clients(addresses.clone(), |shared| shared);
                let made = resources::create(&addresses, &clients).await;
                let made = made.map_err(|error| Failure::Refused(error.to_string()))?;
                (clients, made, Some(*embedded))
            }
            Services::Running(addresses) => {
                let named = resources::named(&addresses);
                (resources::clients(addresses, |shared| shared), named, None)
            }
        };
        let queues = vec![
            ("operations", resources.names.operations_queue_url.clone()),
            ("library", resources.names.library_queue_url.clone()),
            ("deliveries", resources.names.deliveries_queue_url.clone()),
            ("slow-deliveries", resources.names.slow_deliveries_queue_url.clone()),
            ("upload-events", resources.upload_events_queue_url),
        ];
        Ok(Self {
            store: store(clients, resources.names),
            name,
            queues,
            secret: Secret::In(folder),
            previous_secret,
            embedded,
        })
    }

    /// The keys that sign and encrypt, needed to create API keys; and those of the previous secret,
    /// if that is set.
    pub fn secrets(&self) -> Result<Secrets, Failure> {
        let derived = match &self.secret {
            Secret::Given(None) => {
                return Err(Failure::Refused(
                    "SERVER_SECRET of the deployment is not set.".to_owned(),
                ));
            }
            Secret::Given(Some(secret)) => Secrets::derive(secret.as_bytes()),
            Secret::In(folder) => Identity::of_folder(folder)
                .map_err(|error| Failure::Refused(format!("{error}.")))?
                .secrets(),
        };
        let derived =
            derived.map_err(|error| Failure::Refused(format!("SERVER_SECRET: {error}.")))?;
        match &self.previous_secret {
            None => Ok(derived),
            Some(previous) => derived
                .with_previous(previous.as_bytes())
                .map_err(|error| Failure::Refused(format!("SERVER_SECRET_PREVIOUS: {error}."))),
        }
    }

    /// Stops the services that this command started.
    pub async fn close(self) {
        if let Some(embedded) = self.embedded {
            embedded.shutdown().await;
        }
    }
}

fn store(clients: Clients, names: Names) -> Store {
    Store::new(clients, names, Arc::new(SystemClock), Arc::new(SystemRandom))
}

/// Who serves a data folder.
enum Services {
    /// This process.
    Own(Box<Embedded>),
    /// Another one, at these addresses.
    Running(ServiceEndpoints),
}

/// Serves a data folder, or finds who does. A process that just starts or ends holds the folder for a moment and does not
/// answer.
async fn services(folder: &Path) -> Result<Services, Failure> {
    let mut waited = Duration::ZERO;
    loop {
        let data_dir = Some(folder.to_owned());
        let options = Options { data_dir, ..Options::ephemeral(Arc::new(SystemClock)) };
        // The lock decides, not the addresses: those may be from a process that was killed.
        match Embedded::start(options).await {
            Ok(embedded) => return Ok(Services::Own(Box::new(embedded))),
            Err(StartError::DataDirInUse { .. }) => match running(folder) {
                Ok(addresses) => return Ok(Services::Running(addresses)),
                Err(failure) if waited >= LONGEST_WAIT => return Err(failure),
                Err(_) => {
                    waited += PAUSE;
                    tokio::time::sleep(PAUSE).await;
                }
            },
            Err(error) => return Err(Failure::Refused(error.to_string())),
        }
    }
}

/// The addresses of the running server of the folder.
fn running(folder: &Path) -> Result<ServiceEndpoints, Failure> {
    let shown = folder.display();
    match ServiceEndpoints::find(folder) {
        Ok(Some(addresses)) => Ok(addresses),
        Ok(None) => Err(Failure::Refused(format!(
            "The data folder {shown} is in use by a process that does not say where it answers; try again."
        ))),
        Err(error) => {
            Err(Failure::Refused(format!("The data folder {shown} cannot be read: {error}.")))
        }
    }
}
