//! Features that all packages share: see `Cargo.toml`.
