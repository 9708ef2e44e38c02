//! Signing keys: each is for one day.

use std::sync::{Mutex, PoisonError};

use aws_lc_rs::hmac;

use super::{Claim, Refusal, scope_name};
use crate::{Credentials, ServiceName};

/// The signing keys of a service.
pub(super) struct Keys {
    service: ServiceName,
    credentials: Credentials,
    /// The last one, and its day: deriving it takes as long as all else that a verification does.
    last: Mutex<Option<(String, hmac::Key)>>,
}

impl Keys {
    pub(super) fn new(service: ServiceName, credentials: Credentials) -> Self {
        Self { service, credentials, last: Mutex::default() }
    }

    /// The key that a request claims to be signed with.
    pub(super) fn of(&self, claim: &Claim<'_>) -> Result<hmac::Key, Refusal> {
        if claim.access_key != self.credentials.access_key {
            return Err(Refusal::UnknownKey);
        }
        if claim.region != Credentials::REGION || claim.service != scope_name(self.service) {
            return Err(Refusal::Malformed);
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((day, key)) if day == claim.day => Ok(key.clone()),
            _ => {
                let key = derive(&self.credentials, claim.day, self.service);
                *last = Some((claim.day.to_owned(), key.clone()));
                Ok(key)
            }
        }
    }
}

/// The signing key of a day.
pub(super) fn derive(credentials: &Credentials, day: &str, service: ServiceName) -> hmac::Key {
    let key = |bytes: &[u8]| hmac::Key::new(hmac::HMAC_SHA256, bytes);
    let secret = key(format!("AWS4{}", credentials.secret_key).as_bytes());
    let steps = [day, Credentials::REGION, scope_name(service), "aws4_request"];
    steps.iter().fold(secret, |secret, step| key(hmac::sign(&secret, step.as_bytes()).as_ref()))
}
