//! What is signed, see
//! [create a signed request](https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).

use http::request::Parts;
use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode, utf8_percent_encode,
};

use super::{ALGORITHM, claim, sha256};
use crate::ServiceName;

const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const PATH: &AsciiSet = &VALUE.remove(b'/');

/// A request as it is signed.
pub(super) struct Canonical<'a> {
    pub(super) service: ServiceName,
    pub(super) parts: &'a Parts,
    /// Names in lower case, sorted, between semicolons.
    pub(super) signed_headers: &'a str,
    /// The digest of the body in hex, or a word in place of it.
    pub(super) payload: &'a str,
}

impl Canonical<'_> {
    pub(super) fn string_to_sign(&self, at: &str, scope: &str) -> String {
        let request = sha256(self.text().as_bytes());
        format!("{ALGORITHM}\n{at}\n{scope}\n{request}")
    }

    fn text(&self) -> String {
        let Self { parts, signed_headers, payload, .. } = self;
        let (method, path, query) = (&parts.method, self.path(), self.query());
        let headers: String = signed_headers
            .split(';')
            .map(|name| format!("{name}:{}\n", self.header(name)))
            .collect();
        format!("{method}\n{path}\n{query}\n{headers}\n{signed_headers}\n{payload}")
    }

    /// The path, encoded once for S3 and twice for others, however the client has sent it.
    fn path(&self) -> String {
        let decoded: Vec<u8> = percent_decode_str(self.parts.uri.path()).collect();
        let encoded = percent_encode(&decoded, PATH).to_string();
        match self.service {
            ServiceName::S3 => encoded,
            ServiceName::DynamoDb | ServiceName::Sqs => {
                utf8_percent_encode(&encoded, PATH).to_string()
            }
        }
    }

    /// The parameters in order, without the signature itself.
    fn query(&self) -> String {
        let encoded = |text: &str| utf8_percent_encode(text, VALUE).to_string();
        let mut query: Vec<_> = claim::query(self.parts)
            .into_iter()
            .filter(|(name, _)| name != "X-Amz-Signature")
            .map(|(name, value)| (encoded(&name), encoded(&value)))
            .collect();
        query.sort();
        let query: Vec<_> = query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        query.join("&")
    }

    /// The values of a header, with single spaces.
    fn header(&self, name: &str) -> String {
        let values = self.parts.headers.get_all(name).into_iter().map(|value| {
            let value = String::from_utf8_lossy(value.as_bytes());
            value.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
        });
        values.collect::<Vec<_>>().join(",")
    }
}
