//! Contents of objects: immutable files with random names.
//!
//! No client input becomes part of a path. Only the index decides which object a file belongs to; a
//! file that it does not reference is left from an interrupted upload.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read, Write},
    path::PathBuf,
};

use bytes::Bytes;

use crate::random;

const CHUNK: u64 = 64 * 1024;

/// The folder of content files.
#[derive(Debug)]
pub(super) struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// Opens the folder and removes every file that is not in `known`.
    pub(super) fn open(folder: PathBuf, known: &HashSet<String>) -> io::Result<Self> {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if !entry.file_name().to_str().is_some_and(|name| known.contains(name)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(Self { folder })
    }

    /// A new, empty content file.
    pub(super) fn create(&self) -> io::Result<Upload> {
        let name = random::token();
        let path = self.folder.join(&name);
        let file = File::create_new(&path)?;
        Ok(Upload { file, kept: false, path, name })
    }

    /// Opens a content file for reading.
    pub(super) fn read(&self, name: &str) -> io::Result<File> {
        File::open(self.folder.join(name))
    }

    /// A copy of an existing content file.
    pub(super) fn copy(&self, source: &mut File) -> io::Result<Upload> {
        let mut upload = self.create()?;
        io::copy(source, &mut upload.file)?;
        Ok(upload)
    }

    /// Removes a content file; open readers can finish.
    pub(super) fn remove(&self, name: &str) {
        if let Err(error) = fs::remove_file(self.folder.join(name)) {
            tracing::warn!(%error, name, "content file not removed until the next start");
        }
    }
}

/// A content file being written, removed on drop unless it is kept.
#[derive(Debug)]
pub(super) struct Upload {
    file: File,
    path: PathBuf,
    name: String,
    kept: bool,
}

impl Upload {
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// The name to read it by.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Keeps the file: the index references it now.
    pub(super) fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.kept {
            // A file that remains is removed at the next start.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A range of a content file in pieces, for a streamed response.
pub(super) struct Pieces(io::Take<File>);

impl Pieces {
    /// The next `length` bytes of `file`.
    pub(super) fn new(file: File, length: u64) -> Self {
        Self(file.take(length))
    }
}

impl Iterator for Pieces {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut piece = Vec::new();
        match self.0.by_ref().take(CHUNK).read_to_end(&mut piece) {
            Ok(0) => None,
            Ok(_) => Some(Ok(piece.into())),
            Err(error) => Some(Err(error)),
        }
    }
}
