//! Tables of files that are refused.

use media::{MediaType, verify_bytes};

/// A name, the declared type, the file and the message that refuses it.
pub type Row = (&'static str, MediaType, Vec<u8>, &'static str);

/// Checks every row, and that there are at least `least`.
pub fn check(rows: &[Row], least: usize) {
    let mut wrong = Vec::new();
    for (name, declared, file, message) in rows {
        match verify_bytes(*declared, file) {
            Err(refusal) if refusal.to_string() == *message => {}
            Err(refusal) => wrong.push(format!("{name}: {refusal:?}: {refusal}")),
            Ok(facts) => wrong.push(format!("{name} is taken: {facts:?}")),
        }
    }
    println!("{} files, {} wrong", rows.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows.len() >= least, "{} rows are fewer than {least}", rows.len());
}
