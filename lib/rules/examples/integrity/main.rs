//! Rewrites 2,000 prompts whose literals are known, and counts what the rewrites lose.
//!
//! `cargo run -q -p rules --release --example integrity`

mod planting;
mod sweep;

/// Prompts that are rewritten.
const COUNT: usize = 2_000;

fn main() {
    let report = sweep::run(COUNT);
    println!("{report}");
    std::process::exit(i32::from(!report.is_clean()));
}
