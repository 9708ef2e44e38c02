//! Where the embedded services of a data folder answer, for whoever works on the same folder.

use std::{fs, io, path::Path};

use embedded::Embedded;
use serde::{Deserialize, Serialize};

use crate::private_file;

const FILE: &str = "endpoints.json";

/// Addresses of running embedded services.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceEndpoints {
    /// DynamoDB's.
    pub dynamodb: String,
    /// S3's.
    pub s3: String,
    /// SQS's.
    pub sqs: String,
}

impl ServiceEndpoints {
    /// Those of running services.
    pub fn of(embedded: &Embedded) -> Self {
        Self {
            dynamodb: embedded.dynamodb_url().to_owned(),
            s3: embedded.s3_url().to_owned(),
            sqs: embedded.sqs_url().to_owned(),
        }
    }

    /// Leaves them in the folder, readable for its owner only. They mean something as long as a process
    /// holds the folder's lock.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        private_file::write(&folder.join(FILE), &serde_json::to_vec_pretty(self)?)
    }

    /// Those that a process has left in the folder, if any.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn find(folder: &Path) -> io::Result<Option<Self>> {
        match fs::read(folder.join(FILE)) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Takes them away.
    ///
    /// # Errors
    ///
    /// The file cannot be removed.
    pub fn remove(folder: &Path) -> io::Result<()> {
        match fs::remove_file(folder.join(FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
