//! What a request says of its signature.

use std::time::Duration;

use domain::Timestamp;
use http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts};

use super::{ALGORITHM, DATE, PAYLOAD, Refusal, instant};

/// Longest life of a presigned URL, in seconds.
const WEEK: u64 = 604_800;

/// A signature, and what it was made with.
pub(super) struct Claim<'a> {
    pub(super) access_key: &'a str,
    pub(super) day: &'a str,
    pub(super) region: &'a str,
    pub(super) service: &'a str,
    /// When it was made, like `20130524T000000Z`.
    pub(super) at: &'a str,
    pub(super) signed_headers: &'a str,
    pub(super) signature: Vec<u8>,
}

impl<'a> Claim<'a> {
    /// That of the header `Authorization`. It covers the host and every header of AWS.
    pub(super) fn of_headers(headers: &'a HeaderMap) -> Result<Self, Refusal> {
        let header = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let authorization = header(header::AUTHORIZATION).ok_or(Refusal::Missing)?;
        let (algorithm, fields) = authorization.split_once(' ').ok_or(Refusal::Malformed)?;
        if algorithm != ALGORITHM {
            return Err(Refusal::Malformed);
        }
        let field = |name: &str| {
            let mut fields = fields.split(',').filter_map(|field| field.trim().split_once('='));
            fields.find(|(found, _)| *found == name).map(|(_, value)| value)
        };
        let at = header(HeaderName::from_static(DATE)).ok_or(Refusal::Malformed)?;
        let claim = Self::new(
            field("Credential").ok_or(Refusal::Malformed)?,
            at,
            field("SignedHeaders").ok_or(Refusal::Malformed)?,
            field("Signature").ok_or(Refusal::Malformed)?,
        )?;
        if headers.keys().all(|name| claim.covers_if_ours(name)) {
            Ok(claim)
        } else {
            Err(Refusal::Malformed)
        }
    }

    /// That of a presigned URL. It covers the host, and every header of AWS but the digest of the body: the holder of
    /// the URL may send that, and adds no copy and no encoding.
    pub(super) fn of_query(
        headers: &HeaderMap,
        query: &'a [(String, String)],
    ) -> Result<Self, Refusal> {
        let field = |name| field(query, name).ok_or(Refusal::Malformed);
        if field("X-Amz-Algorithm")? != ALGORITHM {
            return Err(Refusal::Malformed);
        }
        let claim = Self::new(
            field("X-Amz-Credential")?,
            field("X-Amz-Date")?,
            field("X-Amz-SignedHeaders")?,
            field("X-Amz-Signature")?,
        )?;
        let is_digest = |value: &HeaderValue| value.to_str().is_ok_and(|it| from_hex(it).is_some());
        let may_come = |(name, value): (&HeaderName, &HeaderValue)| {
            claim.covers_if_ours(name) || (name == PAYLOAD && is_digest(value))
        };
        if headers.iter().all(may_come) { Ok(claim) } else { Err(Refusal::Malformed) }
    }

    fn new(
        credential: &'a str,
        at: &'a str,
        signed_headers: &'a str,
        signature: &str,
    ) -> Result<Self, Refusal> {
        let fields: Vec<_> = credential.split('/').collect();
        let [access_key, day, region, service, "aws4_request"] = fields[..] else {
            return Err(Refusal::Malformed);
        };
        let signature = from_hex(signature).ok_or(Refusal::Malformed)?;
        let claim = Self { access_key, day, region, service, at, signed_headers, signature };
        if at.starts_with(day) && claim.covers("host") {
            Ok(claim)
        } else {
            Err(Refusal::Malformed)
        }
    }

    /// Whether a header is signed, or none of AWS.
    fn covers_if_ours(&self, header: &HeaderName) -> bool {
        !header.as_str().starts_with("x-amz-") || self.covers(header.as_str())
    }

    fn covers(&self, header: &str) -> bool {
        self.signed_headers.split(';').any(|name| name == header)
    }

    pub(super) fn instant(&self) -> Result<Timestamp, Refusal> {
        instant(self.at).ok_or(Refusal::Malformed)
    }

    pub(super) fn scope(&self) -> String {
        scope(self.day, self.region, self.service)
    }
}

/// What a signature is valid for.
pub(super) fn scope(day: &str, region: &str, service: &str) -> String {
    format!("{day}/{region}/{service}/aws4_request")
}

/// The parameters of a URL.
pub(super) fn query(parts: &Parts) -> Vec<(String, String)> {
    let query = parts.uri.query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// How long a presigned URL is valid.
pub(super) fn lifetime(query: &[(String, String)]) -> Result<Duration, Refusal> {
    let seconds = field(query, "X-Amz-Expires").and_then(|text| text.parse().ok());
    let seconds = seconds.filter(|seconds| *seconds <= WEEK);
    seconds.map(Duration::from_secs).ok_or(Refusal::Malformed)
}

fn field<'a>(query: &'a [(String, String)], name: &str) -> Option<&'a str> {
    query.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.map(byte).collect::<Option<Vec<u8>>>().filter(|bytes| bytes.len() == 32)
}
