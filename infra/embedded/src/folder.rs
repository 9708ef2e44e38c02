//! The data folder of the services: locked, and temporary unless a path is given.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use rusqlite::Connection;

use crate::{
    credentials::{self, Credentials},
    error::StartError,
    private_file, random,
};

/// A folder that only this process uses. A temporary one is removed when dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    ephemeral: bool,
    /// The exclusive lock; the operating system frees it when the process dies.
    _lock: File,
}

impl Folder {
    /// Opens, creates and locks `path`; `None` creates a temporary folder.
    ///
    /// # Errors
    /// [`StartError`] if the folder cannot be created, or another process uses it.
    pub fn open(path: Option<PathBuf>) -> Result<Self, StartError> {
        let ephemeral = path.is_none();
        let path = path
            .unwrap_or_else(|| std::env::temp_dir().join(format!("embedded-{}", random::token())));
        let failed = |path: &Path| {
            let path = path.to_owned();
            |reason: io::Error| StartError::DataDir { path, reason }
        };
        private_file::create_folder(&path).map_err(failed(&path))?;
        let lock_path = path.join(private_file::LOCK);
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(failed(&lock_path))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => StartError::DataDirInUse { path: path.clone() },
            TryLockError::Error(reason) => failed(&lock_path)(reason),
        })?;
        Ok(Self { path, ephemeral, _lock: lock })
    }

    /// The key of the folder; a temporary one has a new key.
    pub(crate) fn credentials(&self) -> Result<Credentials, StartError> {
        if self.ephemeral {
            return Ok(Credentials::random());
        }
        Credentials::of_folder(&self.path).map_err(|reason| StartError::DataDir {
            path: self.path.join(credentials::FILE),
            reason,
        })
    }

    /// The path of the database file `name`, or `None` if the database is in memory.
    pub(crate) fn database_path(&self, name: &str) -> Option<PathBuf> {
        (!self.ephemeral).then(|| self.path.join(name))
    }

    /// Opens the SQLite database `name` and creates its tables with `schema`, which must be
    /// idempotent: it runs at every start.
    pub(crate) fn database(&self, name: &str, schema: &str) -> rusqlite::Result<Connection> {
        let connection = match self.database_path(name) {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
        )?;
        connection.execute_batch(schema)?;
        Ok(connection)
    }

    /// The subfolder `name`, created if missing.
    pub(crate) fn subfolder(&self, name: &str) -> Result<PathBuf, StartError> {
        let path = self.path.join(name);
        match fs::create_dir_all(&path) {
            Ok(()) => Ok(path),
            Err(reason) => Err(StartError::DataDir { path, reason }),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.ephemeral
            && let Err(error) = fs::remove_dir_all(&self.path)
        {
            tracing::warn!(%error, path = %self.path.display(), "temporary folder not removed");
        }
    }
}
