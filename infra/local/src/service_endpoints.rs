//! Where a data folder's DynamoDB, S3 and SQS are, for other processes that use the same folder.

use std::{fs, io, path::Path};

use embedded::{Credentials, Embedded, private_file};
use serde::{Deserialize, Serialize};

const FILE: &str = "endpoints.json";

/// Addresses of running services, and their key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceEndpoints {
    /// URL of DynamoDB.
    pub dynamodb: String,
    /// URL of S3.
    pub s3: String,
    /// URL of SQS.
    pub sqs: String,
    /// What requests are signed with. The folder has it in a file of its own.
    #[serde(skip, default = "Credentials::random")]
    pub credentials: Credentials,
}

impl ServiceEndpoints {
    /// The addresses of running services.
    pub fn of(embedded: &Embedded) -> Self {
        Self {
            dynamodb: embedded.dynamodb_url().to_owned(),
            s3: embedded.s3_url().to_owned(),
            sqs: embedded.sqs_url().to_owned(),
            credentials: embedded.credentials().clone(),
        }
    }

    /// All services at one address.
    pub fn at(url: &str, credentials: Credentials) -> Self {
        let [dynamodb, s3, sqs] = [url; 3].map(ToOwned::to_owned);
        Self { dynamodb, s3, sqs, credentials }
    }

    /// Writes them to the folder, readable only by its owner. They are valid while a process holds
    /// the folder's lock.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        private_file::write(&folder.join(FILE), &serde_json::to_vec_pretty(self)?)
    }

    /// The addresses that a process wrote to the folder, if any.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn find(folder: &Path) -> io::Result<Option<Self>> {
        match fs::read(folder.join(FILE)) {
            Ok(bytes) => {
                let found: Self = serde_json::from_slice(&bytes)?;
                Ok(Some(Self { credentials: Credentials::of_folder(folder)?, ..found }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes the file.
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
