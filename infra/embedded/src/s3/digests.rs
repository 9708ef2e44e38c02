//! Digests of an upload: computed while it streams in, compared with those that the client sent.

use base64::{Engine, prelude::BASE64_STANDARD};
use http::HeaderMap;
use s3s::{
    S3Request, S3Result,
    checksum::ChecksumHasher,
    crypto::{Checksum as _, Crc32, Crc32c, Crc64Nvme, Md5, Sha1, Sha256},
    dto::PutObjectInput,
    s3_error,
};

use super::object::Checksums;
use crate::random;

/// The digests of one upload.
pub(super) struct Digests {
    md5: Md5,
    checksums: ChecksumHasher,
    size: u64,
    expected_md5: Option<Vec<u8>>,
    expected: Checksums,
    /// Names of the headers that will follow the body, in lower case.
    trailer: String,
}

impl Digests {
    /// Prepares every digest that the request names in a header, a trailer or as its algorithm; by
    /// default CRC-64/NVME, as S3 does.
    pub(super) fn new(request: &S3Request<PutObjectInput>) -> S3Result<Self> {
        let input = &request.input;
        let expected_md5 = match &input.content_md5 {
            Some(text) => {
                let bytes = BASE64_STANDARD.decode(text).ok().filter(|bytes| bytes.len() == 16);
                Some(bytes.ok_or_else(|| s3_error!(InvalidDigest))?)
            }
            None => None,
        };
        let trailer = request.headers.get("x-amz-trailer").and_then(|names| names.to_str().ok());
        let trailer = trailer.unwrap_or_default().to_ascii_lowercase();
        let algorithm = input.checksum_algorithm.as_ref().map_or("", |name| name.as_str());
        let wanted = |announced: &Option<String>, name: &str| {
            announced.is_some()
                || algorithm.eq_ignore_ascii_case(name)
                || trailer.split(',').any(|header| {
                    header.trim().strip_prefix("x-amz-checksum-")
                        == Some(&name.to_ascii_lowercase())
                })
        };
        let expected = Checksums {
            crc32: input.checksum_crc32.clone(),
            crc32c: input.checksum_crc32c.clone(),
            crc64nvme: input.checksum_crc64nvme.clone(),
            sha1: input.checksum_sha1.clone(),
            sha256: input.checksum_sha256.clone(),
        };
        let mut checksums = ChecksumHasher {
            crc32: wanted(&expected.crc32, "CRC32").then(Crc32::new),
            crc32c: wanted(&expected.crc32c, "CRC32C").then(Crc32c::new),
            sha1: wanted(&expected.sha1, "SHA1").then(Sha1::new),
            sha256: wanted(&expected.sha256, "SHA256").then(Sha256::new),
            crc64nvme: wanted(&expected.crc64nvme, "CRC64NVME").then(Crc64Nvme::new),
        };
        if checksums.crc32.is_none()
            && checksums.crc32c.is_none()
            && checksums.sha1.is_none()
            && checksums.sha256.is_none()
        {
            checksums.crc64nvme.get_or_insert_with(Crc64Nvme::new);
        }
        Ok(Self { md5: Md5::new(), checksums, size: 0, expected_md5, expected, trailer })
    }

    /// Adds the next bytes.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.md5.update(bytes);
        self.checksums.update(bytes);
        self.size += bytes.len() as u64;
    }

    /// Compares every expected digest, also of `trailers`, with the content. Returns the size, the
    /// MD5 in hex and the checksums.
    pub(super) fn finish(self, trailers: Option<&HeaderMap>) -> S3Result<(u64, String, Checksums)> {
        let md5 = self.md5.finalize();
        if self.expected_md5.is_some_and(|expected| expected != md5) {
            return Err(s3_error!(
                BadDigest,
                "The Content-MD5 you specified did not match what we received."
            ));
        }
        let calculated = self.checksums.finalize();
        let calculated = Checksums {
            crc32: calculated.checksum_crc32,
            crc32c: calculated.checksum_crc32c,
            crc64nvme: calculated.checksum_crc64nvme,
            sha1: calculated.checksum_sha1,
            sha256: calculated.checksum_sha256,
        };
        let trailer = |name: &str| {
            let value = trailers.and_then(|trailers| trailers.get(name));
            value.and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let expected = self.expected;
        for (announced, header, calculated) in [
            (expected.crc32, "x-amz-checksum-crc32", &calculated.crc32),
            (expected.crc32c, "x-amz-checksum-crc32c", &calculated.crc32c),
            (expected.crc64nvme, "x-amz-checksum-crc64nvme", &calculated.crc64nvme),
            (expected.sha1, "x-amz-checksum-sha1", &calculated.sha1),
            (expected.sha256, "x-amz-checksum-sha256", &calculated.sha256),
        ] {
            let announced = announced.or_else(|| trailer(header));
            if announced.is_none() && self.trailer.split(',').any(|name| name.trim() == header) {
                return Err(s3_error!(InvalidRequest, "The trailer {} is missing.", header));
            }
            if announced.is_some() && announced != *calculated {
                return Err(s3_error!(
                    BadDigest,
                    "The checksum {} you specified did not match what we received.",
                    header
                ));
            }
        }
        Ok((self.size, random::hex(&md5), calculated))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use http::{HeaderValue, Method};
    use s3s::S3ErrorCode;

    use super::*;

    /// Uploads "hello" with the CRC-32 in a trailer.
    fn upload(trailers: &[(&'static str, &'static str)]) -> S3Result<(u64, String, Checksums)> {
        let input = PutObjectInput::builder().bucket("b".into()).key("k".into());
        let mut headers = HeaderMap::new();
        headers.insert("x-amz-trailer", HeaderValue::from_static("x-amz-checksum-crc32"));
        let request = S3Request {
            input: input.build().unwrap(),
            method: Method::PUT,
            uri: "/b/k".parse().unwrap(),
            headers,
            extensions: http::Extensions::new(),
            credentials: None,
            region: None,
            service: None,
            trailing_headers: None,
        };
        let mut digests = Digests::new(&request)?;
        digests.update(b"hel");
        digests.update(b"lo");
        let mut received = HeaderMap::new();
        for (name, value) in trailers {
            received.insert(*name, HeaderValue::from_static(value));
        }
        digests.finish(Some(&received))
    }

    #[test]
    fn a_checksum_in_a_trailer_is_kept_if_it_fits() {
        let (size, etag, checksums) = upload(&[("x-amz-checksum-crc32", "NhCmhg==")]).unwrap();
        assert_eq!((size, etag.as_str()), (5, "5d41402abc4b2a76b9719d911017c592"));
        let crc32 = Some("NhCmhg==".to_owned());
        assert_eq!(checksums, Checksums { crc32, ..Checksums::default() });
    }

    #[test]
    fn a_checksum_in_a_trailer_is_refused_if_it_does_not_fit() {
        let error = upload(&[("x-amz-checksum-crc32", "AAAAAA==")]).unwrap_err();
        assert_eq!(*error.code(), S3ErrorCode::BadDigest);
    }

    #[test]
    fn an_announced_trailer_has_to_follow() {
        assert_eq!(*upload(&[]).unwrap_err().code(), S3ErrorCode::InvalidRequest);
    }
}
