//! The inputs that fuzzing has kept, for tests.

use std::{fs, path::Path};

/// Gives every input that is kept for `target` to `hold`, in the order of their names. A failing test prints the name of
/// the last one.
pub fn each(target: &str, mut hold: impl FnMut(&[u8])) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = package.ancestors().map(|folder| folder.join("fuzz/corpus").join(target));
    let folder = folder.into_iter().find(|folder| folder.is_dir()).expect("a corpus");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        println!("{}", file.display());
        hold(&fs::read(&file).expect("bytes"));
    }
}
