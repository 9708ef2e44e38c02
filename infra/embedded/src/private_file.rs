//! Files and folders that only their owner can read.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::random;

/// The file that a process locks while it uses a data folder.
pub(crate) const LOCK: &str = "lock";

/// Atomically writes a file that only its owner can read.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::rename(draft(path, bytes)?, path)
}

/// The same, unless there is a file by then: of several processes one writes it.
///
/// # Errors
/// The file cannot be written.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft(path, bytes)?;
    match fs::hard_link(&draft, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(draft, path),
        Ok(()) | Err(_) => fs::remove_file(draft),
    }
}

/// Writes the file under a name that no other process uses.
fn draft(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let draft = path.with_extension(format!("draft-{}", random::token()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(draft)
}

/// Makes a folder one that only its owner can enter, on Unix. A missing one is created, and so are those above it. One
/// that holds other things than this service's stays as it is.
///
/// # Errors
/// The folder cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    let is_empty = fs::read_dir(path)?.next().is_none();
    if (is_empty || path.join(LOCK).exists())
        && let Err(error) = close(path)
    {
        // Some file systems and volumes of containers know no such rights.
        tracing::warn!(%error, path = %path.display(), "the data folder stays open to other users");
    }
    Ok(())
}

#[cfg(unix)]
fn close(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7700))
}

#[cfg(not(unix))]
fn close(_: &Path) -> io::Result<()> {
    Ok(())
}
