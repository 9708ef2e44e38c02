//! Routes: which path invokes which function.

use std::{error::Error, process::Command};

use serde_json::Value;

/// The router's path for `$default`, the route of all other paths.
pub const DEFAULT: &str = "/{*rest}";

/// Paths and functions in the workspace's `Cargo.toml`, as for `cargo lambda watch`.
///
/// # Errors
///
/// Cargo fails, or the routes are missing.
pub fn of_workspace() -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let asked = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let told = Command::new("cargo").args(asked).output()?;
    if !told.status.success() {
        return Err(String::from_utf8_lossy(&told.stderr).into());
    }
    let metadata: Value = serde_json::from_slice(&told.stdout)?;
    let router = &metadata["metadata"]["lambda"]["watch"]["router"];
    let routes = router.as_object().ok_or("Cargo.toml has no routes for `cargo lambda watch`.")?;
    let route = |(path, function): (&String, &Value)| match function.as_str() {
        Some(function) => Ok((path.clone(), function.to_owned())),
        None => Err(format!("{path} has a function for each method; one for all is expected.")),
    };
    Ok(routes.iter().map(route).collect::<Result<_, _>>()?)
}
