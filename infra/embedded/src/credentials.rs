//! The access key of the services.

use std::{fmt, fs, io, path::Path};

use serde::{Deserialize, Serialize};

use crate::{private_file, random};

/// Its file in the data folder.
pub(crate) const FILE: &str = "access-key.json";

/// The one AWS identity that the services know: requests are signed with it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials {
    /// The access key id.
    #[serde(rename = "accessKeyId")]
    pub access_key: String,
    /// The secret access key.
    #[serde(rename = "secretAccessKey")]
    pub secret_key: String,
}

impl Credentials {
    /// The region of all services.
    pub const REGION: &str = "us-east-1";

    /// A key that nobody knows yet: 256 random bits.
    pub fn random() -> Self {
        Self {
            access_key: format!("LOCAL{}", random::token().to_uppercase()),
            secret_key: format!("{}{}", random::token(), random::token()),
        }
    }

    /// The key of a data folder, made at its first use, folder and all.
    ///
    /// # Errors
    /// The file cannot be read or written, or its contents are invalid.
    pub fn of_folder(folder: &Path) -> io::Result<Self> {
        let file = folder.join(FILE);
        if !file.exists() {
            private_file::create_folder(folder)?;
            private_file::create(&file, &serde_json::to_vec_pretty(&Self::random())?)?;
        }
        // Another process may have been faster.
        serde_json::from_slice(&fs::read(&file)?).map_err(|error| {
            io::Error::other(format!("{} cannot be read: {error}", file.display()))
        })
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("access_key", &self.access_key).finish_non_exhaustive()
    }
}
