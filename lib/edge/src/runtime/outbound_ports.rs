//! The ports that users' URLs may name.

use outbound::Ports;

use crate::runtime::config::ConfigError;

/// Reads `OUTBOUND_PORTS` through `variable`: ports besides 80 and 443 that URLs of webhook endpoints
/// and of pages may name, separated by commas.
///
/// # Errors
///
/// The list has something that is no port of websites.
pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Ports, ConfigError> {
    let name = "OUTBOUND_PORTS";
    let text = variable(name).unwrap_or_default();
    Ports::parse(&text).map_err(|problem| ConfigError { name, problem })
}
