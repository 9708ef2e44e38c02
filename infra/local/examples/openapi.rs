//! Prints the OpenAPI document of all functions: `cargo run -p local --example openapi`.

fn main() -> serde_json::Result<()> {
    println!("{}", local::document::document()?);
    Ok(())
}
