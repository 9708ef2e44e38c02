//! `cargo run -- aws`: only the embedded AWS services, for functions that run elsewhere.

use std::{error::Error, io::Write as _, sync::Arc};

use edge::runtime::{SystemClock, SystemRandom};
use embedded::{Credentials, Embedded, Options as EmbeddedOptions, Ports};
use local::{
    environment, identity::Identity, official, poller::Poller, remote_function::RemoteFunction,
    resources, service_endpoints::ServiceEndpoints,
};
use store::Store;
use tokio::{sync::watch, task::JoinSet};

use crate::options::Aws;

/// Serves DynamoDB, S3 and SQS until `stop` resolves, and feeds functions from the queues if
/// requested.
///
/// # Errors
///
/// A port or the folder is in use, or storage failed.
pub async fn run(options: &Aws, stop: impl Future<Output = ()>) -> Result<(), Box<dyn Error>> {
    let on = |port| format!("http://127.0.0.1:{port}");
    let mut addresses = ServiceEndpoints {
        dynamodb: on(options.dynamodb_port),
        s3: on(options.s3_port),
        sqs: on(options.sqs_port),
        credentials: Credentials::of_folder(&options.data_dir)?,
    };
    if options.print {
        return print(&addresses, &Identity::of_folder(&options.data_dir)?, options);
    }
    let embedded = Embedded::start(EmbeddedOptions {
        data_dir: Some(options.data_dir.clone()),
        clock: Arc::new(SystemClock),
        ports: Ports {
            dynamodb: options.dynamodb_port,
            s3: options.s3_port,
            sqs: options.sqs_port,
        },
        origins: vec![options.base_url.trim_end_matches("/v1").to_owned()],
    })
    .await?;
    addresses.credentials = embedded.credentials().clone();
    ServiceEndpoints::remove(&options.data_dir)?;
    let identity = Identity::of_folder(&options.data_dir)?;
    let clients = resources::clients(addresses.clone(), |shared| shared);
    let resources = resources::create(&addresses, &clients).await?;
    let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
    let store = Store::new(clients.clone(), resources.names.clone(), clock, random);
    identity.register(&store, options.plan).await?;
    official::import_collection(&store).await?;
    addresses.write(&options.data_dir)?;
    print(&addresses, &identity, options)?;

    let (stopping, stopped) = watch::channel(false);
    let mut pollers = JoinSet::new();
    for (function, queue_url) in
        resources.event_source_mappings().into_iter().filter(|_| options.feed.is_some())
    {
        let address = options.feed.as_deref().unwrap_or_default();
        let function = Arc::new(RemoteFunction::new(address, function)?);
        let poller = Poller { function, clients: clients.clone(), queue_url: queue_url.to_owned() };
        pollers.spawn(poller.run(stopped.clone()));
    }
    stop.await;
    stopping.send_replace(true);
    // Messages in progress stay in their queue.
    pollers.shutdown().await;
    ServiceEndpoints::remove(&options.data_dir)?;
    embedded.shutdown().await;
    Ok(())
}

fn print(
    addresses: &ServiceEndpoints,
    identity: &Identity,
    options: &Aws,
) -> Result<(), Box<dyn Error>> {
    let variables = environment::of(addresses, identity, &options.base_url);
    let mut output = std::io::stdout().lock();
    output.write_all(environment::exports(&variables).as_bytes())?;
    Ok(output.flush()?)
}
