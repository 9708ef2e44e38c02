//! `cargo run`: the whole service on one machine.

mod banner;
mod options;

use std::{error::Error, io, process::ExitCode, sync::Arc, time::Duration};

use clap::Parser;
use edge::runtime::{SystemClock, SystemRandom, init_logging};
use embedded::{Credentials, Embedded, Options as EmbeddedOptions, Ports};
use engine::Rules;
use llm::EngineConfig;
use local::{
    addresses::Addresses,
    assembly::Assembly,
    identity::Identity,
    official,
    poller::{Fed, Poller},
    resources,
};
use options::Options;
use outbound::{Fetcher, Loopback};
use store::{Store, gate::Caps};
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

/// Pollers of each queue.
const POLLERS: usize = 4;
/// How long requests under way may go on once the service is asked to stop.
const GRACE: Duration = Duration::from_millis(500);

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    init_logging(&format!("dynoxide=error,{}", options.log));
    match serve(options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(options: Options) -> Result<(), Box<dyn Error>> {
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let listener = listen(options.port).await?;
    let port = listener.local_addr()?.port();
    let base_url = format!("http://127.0.0.1:{port}/v1");
    let embedded = Embedded::start(EmbeddedOptions {
        data_dir: options.folder().map(ToOwned::to_owned),
        clock: Arc::new(SystemClock),
        credentials: Credentials::default(),
        ports: Ports::default(),
    })
    .await?;
    if let Some(folder) = options.folder() {
        // Those of a process that was killed.
        Addresses::remove(folder)?;
    }
    // After the folder is locked: two first starts at once must not both make an identity.
    let identity = match options.folder() {
        Some(folder) => Identity::of_folder(folder)?,
        None => Identity::new(),
    };
    let clients = resources::clients(&embedded, |shared| shared);
    let resources = resources::create(&embedded, &clients).await?;
    let store = Store::new(
        clients.clone(),
        resources.names.clone(),
        Arc::new(SystemClock),
        Arc::new(SystemRandom),
    );
    identity.register(&store, options.plan).await?;
    official::import_collection(&store).await?;
    if let Some(folder) = options.folder() {
        Addresses::of(&embedded).leave(folder)?;
    }
    let caps = if options.unlimited { Caps::Lifted } else { Caps::Enforced };
    let loopback = if options.allow_loopback { Loopback::Allowed } else { Loopback::Refused };
    let fetcher = Fetcher::system(Arc::new(SystemClock), loopback)?;
    let uses_rules = engine.uses_rules();
    let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
    let moderator = llm::moderator(&engine, clock.clone(), random.clone()).await?;
    let engine = llm::connect(&engine, clock, random).await?;
    let secrets = identity.secrets()?;
    let assembly = Assembly::new(store, secrets, &base_url, caps, engine, fetcher, moderator);

    if uses_rules {
        // A thread of its own: whoever stops the server need not wait for it.
        std::thread::spawn(Rules::warm_up);
    }
    let (stop, stopped) = watch::channel(false);
    let mut background = JoinSet::new();
    let mut feed = |function: Arc<dyn Fed>, queue_url: String| {
        let poller = Poller { function, clients: clients.clone(), queue_url };
        for _ in 0..POLLERS {
            background.spawn(poller.clone().run(stopped.clone()));
        }
    };
    feed(Arc::new(assembly.processor.clone()), resources.names.operations_queue_url);
    feed(Arc::new(assembly.upload_events.clone()), resources.upload_events_queue_url);
    feed(Arc::new(assembly.library_keeper.clone()), resources.names.library_queue_url);
    // Before the banner: whoever has read it may stop the server at once.
    let asked_to_stop = stop_signal()?;
    banner::show(&options, &base_url, &identity.api_key);
    let mut stopping = stopped.clone();
    let server = axum::serve(listener, assembly.app())
        .with_graceful_shutdown(async move { drop(stopping.wait_for(|stop| *stop).await) });
    let server = tokio::spawn(server.into_future());
    asked_to_stop.await;
    stop.send_replace(true);
    // What is cut off here is not lost: its message is in the queue.
    let _ = tokio::time::timeout(GRACE, async {
        let _ = server.await;
        while background.join_next().await.is_some() {}
    })
    .await;
    background.shutdown().await;
    if let Some(folder) = options.folder() {
        Addresses::remove(folder)?;
    }
    embedded.shutdown().await;
    Ok(())
}

async fn listen(port: u16) -> Result<TcpListener, Box<dyn Error>> {
    match TcpListener::bind(("127.0.0.1", port)).await {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            Err(format!("Port {port} is in use; choose another one with --port.").into())
        }
        bound => Ok(bound?),
    }
}

/// Resolves when the process is asked to stop; listens from the moment of this call.
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
