//! [AWS Signature Version 4](https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html): a request is
//! verified by signing it again.

mod canonical;
mod claim;
mod keys;
mod refusal;
mod sign;

use std::{sync::Arc, time::Duration};

use aws_lc_rs::{digest, hmac};
use domain::{Clock, Timestamp};
use http::request::Parts;
use time::{OffsetDateTime, PrimitiveDateTime, macros::format_description};

use self::{canonical::Canonical, claim::Claim, keys::Keys};
pub(crate) use self::{refusal::Refusal, sign::sign_parts};
use crate::{Credentials, ServiceName, random};

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
const DATE: &str = "x-amz-date";
/// The header with the digest of the body, or with a word in place of it.
pub(crate) const PAYLOAD: &str = "x-amz-content-sha256";
/// The word for a body that the signature does not cover.
pub(crate) const UNSIGNED: &str = "UNSIGNED-PAYLOAD";

/// Verifies the requests to one service.
#[derive(Clone)]
pub(crate) struct Verifier {
    service: ServiceName,
    clock: Arc<dyn Clock>,
    keys: Arc<Keys>,
}

impl Verifier {
    /// Whoever has the credentials may call the service.
    pub(crate) fn new(
        service: ServiceName,
        clock: Arc<dyn Clock>,
        credentials: &Credentials,
    ) -> Self {
        Self { service, clock, keys: Arc::new(Keys::new(service, credentials.clone())) }
    }

    /// Verifies a request by its headers; `payload` is the digest of its body in hex, or a word in place of it.
    pub(crate) fn check_headers(&self, parts: &Parts, payload: &str) -> Result<(), Refusal> {
        let claim = Claim::of_headers(&parts.headers)?;
        let (at, now) = (claim.instant()?, self.clock.now());
        if now.since(at).max(at.since(now)) > tolerance(self.service) {
            return Err(Refusal::Skewed);
        }
        self.compare(&claim, parts, payload)
    }

    /// Verifies a presigned URL.
    pub(crate) fn check_url(&self, parts: &Parts) -> Result<(), Refusal> {
        let query = claim::query(parts);
        let claim = Claim::of_query(&parts.headers, &query)?;
        let (at, now) = (claim.instant()?, self.clock.now());
        if at.since(now) > tolerance(self.service) {
            return Err(Refusal::Skewed);
        }
        if now.since(at) > claim::lifetime(&query)? {
            return Err(Refusal::Expired);
        }
        self.compare(&claim, parts, UNSIGNED)
    }

    fn compare(&self, claim: &Claim<'_>, parts: &Parts, payload: &str) -> Result<(), Refusal> {
        let key = self.keys.of(claim)?;
        let Claim { signed_headers, .. } = *claim;
        let request = Canonical { service: self.service, parts, signed_headers, payload };
        let signed = request.string_to_sign(claim.at, &claim.scope());
        hmac::verify(&key, signed.as_bytes(), &claim.signature).map_err(|_| Refusal::Signature)
    }
}

/// How far a request's time may be from ours:
/// [five minutes](https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html), for S3
/// [fifteen](https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html).
fn tolerance(service: ServiceName) -> Duration {
    Duration::from_secs(match service {
        ServiceName::DynamoDb | ServiceName::Sqs => 300,
        ServiceName::S3 => 900,
    })
}

/// The service's name in scopes.
fn scope_name(service: ServiceName) -> &'static str {
    match service {
        ServiceName::DynamoDb => "dynamodb",
        ServiceName::S3 => "s3",
        ServiceName::Sqs => "sqs",
    }
}

/// The instant of a text like `20130524T000000Z`.
fn instant(text: &str) -> Option<Timestamp> {
    let format = format_description!("[year][month][day]T[hour][minute][second]Z");
    let at = PrimitiveDateTime::parse(text, &format).ok()?.assume_utc();
    Some(Timestamp::from_millis(at.unix_timestamp() * 1000))
}

/// The text of an instant.
fn text(instant: Timestamp) -> String {
    let format = format_description!("[year][month][day]T[hour][minute][second]Z");
    let at = OffsetDateTime::from_unix_timestamp(instant.seconds());
    at.ok().and_then(|at| at.format(&format).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests;

/// The digest of bytes in hex.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    random::hex(digest::digest(&digest::SHA256, bytes).as_ref())
}
