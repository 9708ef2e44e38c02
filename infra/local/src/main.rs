//! `cargo run`: the whole service on one machine.

mod aws;
mod banner;
mod gateway;
mod health;
mod listen;
mod options;

use std::{error::Error, io, net::IpAddr, process::ExitCode, sync::Arc, time::Duration};

use clap::Parser;
use domain::operation::CALL_DEADLINE;
use edge::{
    Edge,
    authentication::issuers,
    runtime::{SystemClock, SystemRandom, init_logging, outbound_ports},
};
use embedded::{Credentials, Embedded, Folder, Options as EmbeddedOptions, Ports};
use engine::EngineKind;
use llm::{EngineConfig, ProviderKeys};
use local::{
    application::Application,
    files::Files,
    identity::Identity,
    in_process,
    issuer::Issuer,
    official,
    pages::{self, Pages},
    poller::Poller,
    resources,
    server::{self, Bounds},
    service_endpoints::ServiceEndpoints,
};
use options::{Command, Options};
use outbound::{GuardedClient, Loopback, SystemResolver};
use rules::Rules;
use sqs_consumer::SqsHandler;
use store::{Store, admission::Limits};
use tokio::{net::TcpListener, sync::watch, task::JoinSet};
use workflow::Deadlines;

/// Pollers of each queue.
const POLLERS: usize = 4;
/// Pollers of deliveries, each of which may wait ten seconds for a receiver.
const DELIVERY_POLLERS: usize = 16;
/// Pollers of deliveries to slow or failing endpoints.
const SLOW_DELIVERY_POLLERS: usize = 8;
/// Time for running requests to finish after a stop request.
const GRACE: Duration = Duration::from_millis(500);

// The engine's work keeps a thread for up to half a second. With more threads than cores, it keeps nobody else waiting.
#[tokio::main(worker_threads = 16)]
async fn main() -> ExitCode {
    let options = Options::parse();
    init_logging(&format!("dynoxide=error,rmcp=error,{}", options.log));
    let ran = match &options.command {
        Some(command) => until_stopped(command).await,
        None => serve(options).await,
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn until_stopped(command: &Command) -> Result<(), Box<dyn Error>> {
    let stop = stop_signal()?;
    match command {
        Command::Listen(options) => listen::run(options, stop).await,
        Command::Aws(options) => aws::run(options, stop).await,
        Command::Gateway(options) => gateway::run(options, stop).await,
        Command::Health(options) => health::run(options).await,
    }
}

/// Whether addresses of this machine may be connected to: in development only.
fn loopback(options: &Options) -> Result<Loopback, &'static str> {
    if !options.allow_loopback {
        return Ok(Loopback::Refused);
    }
    if std::env::var_os("AWS_LAMBDA_FUNCTION_NAME").is_some() {
        return Err("--allow-loopback is refused on AWS Lambda.");
    }
    eprintln!(
        "Warning: --allow-loopback allows requests and webhooks to this machine. Never use it in production."
    );
    Ok(Loopback::Allowed)
}

async fn serve(options: Options) -> Result<(), Box<dyn Error>> {
    let loopback = loopback(&options)?;
    // Receivers on this machine listen where they can.
    let ports = match loopback {
        Loopback::Allowed => outbound::Ports::All,
        Loopback::Refused => outbound_ports::read(|name| std::env::var(name).ok())?,
    };
    let env = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let listener = bind(options.listen, options.port).await?;
    let port = listener.local_addr()?.port();
    let origin = format!("http://127.0.0.1:{port}");
    let base_url = options.base_url.clone().unwrap_or_else(|| format!("{origin}/v1"));
    let public_origin = base_url.trim_end_matches("/v1");
    let (addresses, embedded, _folder) = match &options.endpoint_url {
        // The services of another maker lock no folder.
        Some(url) => {
            let folder = options.folder().map(|folder| Folder::open(Some(folder.to_owned())));
            let folder = folder.transpose()?;
            let credentials = options.folder().map(Credentials::of_folder).transpose()?;
            let credentials = credentials.unwrap_or_else(Credentials::random);
            (ServiceEndpoints::at(url, credentials), None, folder)
        }
        None => {
            let embedded = Embedded::start(EmbeddedOptions {
                data_dir: options.folder().map(ToOwned::to_owned),
                clock: Arc::new(SystemClock),
                ports: Ports::default(),
                origins: vec![public_origin.to_owned(), format!("http://localhost:{port}")],
            })
            .await?;
            (ServiceEndpoints::of(&embedded), Some(embedded), None)
        }
    };
    if let Some(folder) = options.folder() {
        // From a process that was killed.
        ServiceEndpoints::remove(folder)?;
    }
    // After the folder is locked: two concurrent first starts must not both create an identity.
    let identity = match options.folder() {
        Some(folder) => Identity::of_folder(folder)?,
        None => Identity::new(),
    };
    let clients = resources::clients(addresses.clone(), |shared| match &embedded {
        Some(embedded) => {
            shared.into_builder().http_client(in_process::http_client(embedded)).build()
        }
        None => shared,
    });
    let resources = resources::create(&addresses, &clients).await?;
    let store = Store::new(
        clients.clone(),
        resources.names.clone(),
        Arc::new(SystemClock),
        Arc::new(SystemRandom),
    );
    let files = Files::new(public_origin, &addresses.s3)?;
    let store = if options.is_hosted() { store.reached_by(Arc::new(files.clone())) } else { store };
    identity.register(&store, options.plan).await?;
    official::import_collection(&store).await?;
    if let Some(folder) = options.folder() {
        addresses.write(folder)?;
    }
    let limits = if options.unlimited { Limits::Lifted } else { Limits::Enforced };
    let client = GuardedClient::on_first_use(Arc::new(SystemResolver), loopback, ports);
    let budget = engine.budget.clone();
    let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
    let keys = ProviderKeys::fetch(&engine, &*clock).await?;
    let moderator = llm::moderator(&engine, &keys, clock.clone(), random.clone())?;
    let engine = llm::connect(&engine, &keys, Arc::new(Rules), clock, random)?;
    let engine_identity = engine.identity();
    let audiences = issuers::audiences(&base_url, env("OAUTH_AUDIENCE"));
    // A token for the MCP endpoint must not be valid elsewhere.
    let named = audiences.iter().cloned().chain([format!("{base_url}/mcp")]).collect();
    // The service itself fetches the issuer's keys, so the issuer keeps its address on this
    // machine.
    let issuer = Issuer::new(options.folder(), &origin, named)?;
    let mut trusted = issuers::parse_list(&env("OAUTH_ISSUERS").unwrap_or_default());
    trusted.push(issuer.url().to_owned());
    // The local issuer is on loopback. The operator configures the trusted issuers, so this opens
    // nothing to requests.
    let tokens =
        issuers::resource_server(&trusted, audiences, Arc::new(SystemClock), Loopback::Allowed)?;
    let tokens = tokens.map(|tokens| tokens.renamed(issuer.url(), issuer.first_url()));
    let edge = Edge::new(store, identity.secrets()?, &base_url, limits)
        .with_resource_server(tokens)
        .with_api_tokens_at_mcp(env("MCP_ACCEPTS_API_TOKENS").as_deref() == Some("true"));
    // What rules do fits in a call. What a killed server leaves behind is done again the sooner.
    let deadlines = match engine_identity.kind {
        EngineKind::Rules => Deadlines::new(CALL_DEADLINE),
        EngineKind::Llm => Deadlines::default(),
    };
    let engine = (engine, budget, deadlines);
    let application = Application::new(|_| edge.clone(), engine, client, moderator)
        .with_documentation(&format!("{public_origin}{}", pages::DOCS));

    // A separate thread: stopping the server must not wait for it.
    std::thread::spawn(Rules::warm_up);
    let (stop, stopped) = watch::channel(false);
    let mut background = JoinSet::new();
    let mut feed = |function: Arc<dyn SqsHandler>, queue_url: String, pollers: usize| {
        let poller = Poller { function, clients: clients.clone(), queue_url };
        for _ in 0..pollers {
            background.spawn(poller.clone().run(stopped.clone()));
        }
    };
    feed(
        Arc::new(application.processor.clone()),
        resources.names.operations_queue_url.clone(),
        POLLERS,
    );
    for (lane, pollers) in [
        (resources.names.deliveries_queue_url, DELIVERY_POLLERS),
        (resources.names.slow_deliveries_queue_url, SLOW_DELIVERY_POLLERS),
    ] {
        feed(Arc::new(application.deliveries.clone()), lane, pollers);
    }
    feed(Arc::new(application.upload_events.clone()), resources.upload_events_queue_url, POLLERS);
    feed(Arc::new(application.library_indexer.clone()), resources.names.library_queue_url, POLLERS);
    // Before the banner: its reader may stop the server at once.
    let asked_to_stop = stop_signal()?;
    let pages = if options.is_hosted() {
        Pages::new(&format!("{public_origin}/"))
    } else {
        Pages::new(&addresses.s3).with_key(&identity.api_key, port)
    };
    let opened = pages.addresses(public_origin);
    banner::show(&options, &base_url, &opened, &identity.api_key, &issuer, &engine_identity);
    let mut stopping = stopped.clone();
    let beside = issuer.router().merge(pages.router()).merge(files.router());
    let app = beside.fallback_service(application.router());
    let server = tokio::spawn(server::serve(listener, app, Bounds::default(), async move {
        drop(stopping.wait_for(|stop| *stop).await);
    }));
    asked_to_stop.await;
    stop.send_replace(true);
    // Cancelled work is not lost: its message is in the queue.
    let _ = tokio::time::timeout(GRACE, async {
        let _ = server.await;
        while background.join_next().await.is_some() {}
    })
    .await;
    background.shutdown().await;
    if let Some(folder) = options.folder() {
        ServiceEndpoints::remove(folder)?;
    }
    if let Some(embedded) = embedded {
        embedded.shutdown().await;
    }
    Ok(())
}

async fn bind(address: IpAddr, port: u16) -> Result<TcpListener, Box<dyn Error>> {
    match TcpListener::bind((address, port)).await {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            Err(format!("Port {port} is in use; choose another one with --port.").into())
        }
        bound => Ok(bound?),
    }
}

/// Resolves when the process is asked to stop; signals are caught from this call on.
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
