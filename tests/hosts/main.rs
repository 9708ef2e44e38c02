//! What every host of the service must do alike, over HTTP only: on the machine's clock, with the real engine
//! and without a hand on storage. Which host that is, variables say: see `acceptance::host::Host::open`.

mod edge;
mod history;
mod library;
mod operations;
mod presets;
mod prompts;
mod system;
mod table;
mod uploads;
mod webhooks;

use acceptance::host::Host;

async fn host() -> Host {
    Host::open(|name| std::env::var(name).ok()).await
}
