//! `prompt-workflow health`: what a container's health check asks.

use std::{error::Error, time::Duration};

use crate::options::Health;

/// Less than a health check is given.
const PATIENCE: Duration = Duration::from_secs(4);

/// Asks the service on this machine.
///
/// # Errors
///
/// It cannot be reached, or is not well.
pub async fn run(options: &Health) -> Result<(), Box<dyn Error>> {
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build()?;
    let url = format!("http://127.0.0.1:{}/v1/health", options.port);
    client.get(url).send().await?.error_for_status()?;
    Ok(())
}
