//! Signing a request in its headers, as SDKs do.

use aws_lc_rs::hmac;
use bytes::Bytes;
use domain::Timestamp;
use http::{HeaderName, HeaderValue, Request, header, request::Parts};

use super::{
    ALGORITHM, Canonical, DATE, PAYLOAD, claim::scope, keys::derive, scope_name, sha256, text,
};
use crate::{Credentials, ServiceName, random};

impl Credentials {
    /// Signs a request to a service, for clients that are no SDK. Its URI names the host.
    pub fn sign(
        &self,
        service: ServiceName,
        request: Request<Bytes>,
        now: Timestamp,
    ) -> Request<Bytes> {
        let (mut parts, body) = request.into_parts();
        if let Some(host) = parts.uri.authority().map(ToString::to_string) {
            insert(&mut parts, header::HOST, host);
        }
        sign_parts(self, service, &mut parts, &sha256(&body), now);
        Request::from_parts(parts, body)
    }
}

/// Signs a request whose body has this digest, or this word in place of it.
pub(crate) fn sign_parts(
    credentials: &Credentials,
    service: ServiceName,
    parts: &mut Parts,
    payload: &str,
    now: Timestamp,
) {
    let at = text(now);
    insert(parts, HeaderName::from_static(DATE), at.clone());
    insert(parts, HeaderName::from_static(PAYLOAD), payload.to_owned());
    let is_signed = |name: &&str| *name == "host" || name.starts_with("x-amz-");
    let mut names: Vec<_> =
        parts.headers.keys().map(HeaderName::as_str).filter(is_signed).collect();
    names.sort_unstable();
    let signed_headers = names.join(";");
    let day = at.get(..8).unwrap_or_default();
    let scope = scope(day, Credentials::REGION, scope_name(service));
    let request = Canonical { service, parts, signed_headers: &signed_headers, payload };
    let signed = request.string_to_sign(&at, &scope);
    let signature = hmac::sign(&derive(credentials, day, service), signed.as_bytes());
    let (access_key, signature) = (&credentials.access_key, random::hex(signature.as_ref()));
    let authorization = format!(
        "{ALGORITHM} Credential={access_key}/{scope}, SignedHeaders={signed_headers}, Signature={signature}"
    );
    insert(parts, header::AUTHORIZATION, authorization);
}

fn insert(parts: &mut Parts, name: HeaderName, value: String) {
    if let Ok(value) = HeaderValue::from_str(&value) {
        parts.headers.insert(name, value);
    }
}
