//! A new file of words is part of the patterns, which know only those that there were.

fn main() {
    println!("cargo::rerun-if-changed=../../knowledge");
}
