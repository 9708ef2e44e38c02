//! Words are part of the patterns of every package that has some: all of them are compiled again when words change.

fn main() {
    println!("cargo::rerun-if-changed=../../knowledge");
}
