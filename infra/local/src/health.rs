//! `prompt-workflow health`: the health check of a container.

use std::{error::Error, time::Duration};

use crate::options::Health;

/// Less than the timeout of a container's health check.
const PATIENCE: Duration = Duration::from_secs(4);

/// Asks the service on this machine.
///
/// # Errors
///
/// It is unreachable or unhealthy.
pub async fn run(options: &Health) -> Result<(), Box<dyn Error>> {
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build()?;
    let url = format!("http://127.0.0.1:{}/v1/health", options.port);
    client.get(url).send().await?.error_for_status()?;
    Ok(())
}
