//! Which uploads become objects, through the real SDK.
#![allow(clippy::unwrap_used)]

use crate::support;

use aws_sdk_s3::{
    Client,
    config::{
        ConfigBag, Intercept, RuntimeComponents, interceptors::BeforeTransmitInterceptorContextMut,
    },
    error::BoxError,
    primitives::{ByteStream, SdkBody},
    types::{ChecksumAlgorithm, ChecksumMode},
};
use support::bucket::{BUCKET, code, fixture};

#[tokio::test]
async fn every_checksum_that_the_sdk_calculates_is_accepted_and_kept() {
    let f = fixture().await;
    for algorithm in ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] {
        let put = f.putting(algorithm, "hello");
        let put = put.checksum_algorithm(ChecksumAlgorithm::from(algorithm)).send().await.unwrap();
        let head = f.s3.head_object().bucket(BUCKET).key(algorithm);
        let head = head.checksum_mode(ChecksumMode::Enabled).send().await.unwrap();
        let kept = [
            (put.checksum_crc32(), head.checksum_crc32()),
            (put.checksum_crc32_c(), head.checksum_crc32_c()),
            (put.checksum_crc64_nvme(), head.checksum_crc64_nvme()),
            (put.checksum_sha1(), head.checksum_sha1()),
            (put.checksum_sha256(), head.checksum_sha256()),
        ];
        assert_eq!(kept.iter().filter(|(put, _)| put.is_some()).count(), 1, "{algorithm}");
        assert!(kept.iter().all(|(put, head)| put == head), "{algorithm}");
        assert_eq!(f.text(algorithm).await.unwrap(), "hello");
    }
}

#[tokio::test]
async fn a_large_object_survives_the_round_trip() {
    let f = fixture().await;
    let content: Vec<u8> = (0..5_000_000_u32).map(|n| (n % 251) as u8).collect();
    let body = ByteStream::from(content.clone());
    f.s3.put_object().bucket(BUCKET).key("large").body(body).send().await.unwrap();
    let got = f.s3.get_object().bucket(BUCKET).key("large").send().await.unwrap();
    assert!(got.body.collect().await.unwrap().into_bytes() == content);
}

#[tokio::test]
async fn a_body_that_does_not_fit_its_checksum_is_refused_and_not_stored() {
    let f = fixture().await;
    let crc32 = f.putting("wrong", "hello").checksum_crc32("AAAAAA==").send().await;
    assert_eq!(code(crc32), "BadDigest");
    let md5 = f.putting("wrong", "hello").content_md5("AAAAAAAAAAAAAAAAAAAAAA==").send().await;
    assert_eq!(code(md5), "BadDigest");
    let nonsense = f.putting("wrong", "hello").content_md5("nonsense").send().await;
    assert_eq!(code(nonsense), "InvalidDigest");
    assert_eq!(f.text("wrong").await, None);
}

/// Replaces the body after everything about it has been calculated.
#[derive(Debug)]
struct Replace(&'static str);

impl Intercept for Replace {
    fn name(&self) -> &'static str {
        "Replace"
    }

    fn modify_before_transmit(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        // The length is the one that the SDK has announced.
        let length = context.request().headers().get("content-length").unwrap().parse()?;
        let signature = "0".repeat(64);
        let mut wire = format!("5;chunk-signature={signature}\r\n{}\r\n", self.0).into_bytes();
        wire.resize(length, b'0');
        *context.request_mut().body_mut() = SdkBody::from(wire);
        Ok(())
    }
}

#[tokio::test]
async fn a_streamed_body_has_to_fit_the_signature_of_its_chunks() {
    let folder = support::TestFolder::new("streamed");
    std::fs::create_dir_all(&folder.0).unwrap();
    let path = folder.0.join("file");
    std::fs::write(&path, "hello").unwrap();
    let f = fixture().await;
    let file = ByteStream::from_path(&path).await.unwrap();
    f.s3.put_object().bucket(BUCKET).key("right").body(file).send().await.unwrap();
    let head = f.s3.head_object().bucket(BUCKET).key("right").send().await.unwrap();
    assert_eq!((head.content_length(), head.content_encoding()), (Some(5), None));

    let file = ByteStream::from_path(&path).await.unwrap();
    let put = f.s3.put_object().bucket(BUCKET).key("wrong").body(file);
    let put = put.customize().interceptor(Replace("HELLO")).send().await;
    assert_eq!(code(put), "SignatureDoesNotMatch");
    assert_eq!(f.text("wrong").await, None);
}

#[tokio::test]
async fn a_refused_body_leaves_the_object_as_it_was() {
    let f = fixture().await;
    f.put("kept", "old").await;
    let put = f.putting("kept", "new").checksum_crc32("AAAAAA==").send().await;
    assert_eq!(code(put), "BadDigest");
    assert_eq!(f.text("kept").await.unwrap(), "old");
}

#[tokio::test]
async fn a_put_can_demand_that_nothing_is_there() {
    let f = fixture().await;
    f.putting("once", "first").if_none_match("*").send().await.unwrap();
    let again = f.putting("once", "second").if_none_match("*").send().await;
    assert_eq!(code(again), "PreconditionFailed");
    assert_eq!(f.text("once").await.unwrap(), "first");
}

#[tokio::test]
async fn a_put_can_demand_the_etag_that_is_there() {
    let f = fixture().await;
    let missing = f.putting("key", "x").if_match("\"5d41402abc4b2a76b9719d911017c592\"");
    assert_eq!(code(missing.send().await), "NoSuchKey");
    f.put("key", "hello").await;
    let wrong = f.putting("key", "x").if_match("\"00000000000000000000000000000000\"");
    assert_eq!(code(wrong.send().await), "PreconditionFailed");
    let right = f.putting("key", "x").if_match("\"5d41402abc4b2a76b9719d911017c592\"");
    right.send().await.unwrap();
    assert_eq!(f.text("key").await.unwrap(), "x");
}

#[tokio::test]
async fn no_key_escapes_the_bucket() {
    let folder = support::TestFolder::new("traversal");
    let embedded = support::start_in(&folder).await;
    let s3 = support::Caller::of(&embedded, &support::ManualClock::new()).s3();
    s3.create_bucket().bucket(BUCKET).send().await.unwrap();
    // A name that nobody else uses in the folder of temporary files.
    let name = format!("escaped-{}", std::process::id());
    let outside = folder.0.parent().unwrap().join(&name);
    for key in [
        &format!("../../{name}"),
        &format!("/../{name}"),
        &format!("a/../../../{name}"),
        "..",
        "nul\u{7f}",
        &format!("%2e%2e/{name}"),
        &"k".repeat(1024),
    ] {
        let body = ByteStream::from_static(b"x");
        // Refusing such a key would be as good as keeping it inside.
        let put = s3.put_object().bucket(BUCKET).key(key).body(body).send().await;
        if put.is_ok() {
            let got = s3.get_object().bucket(BUCKET).key(key).send().await.unwrap();
            assert_eq!(got.body.collect().await.unwrap().into_bytes(), "x", "{key}");
        }
    }
    assert!(!outside.exists());
    let mut inside: Vec<_> = std::fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.contains(".sqlite"))
        .collect();
    inside.sort();
    assert_eq!(inside, ["access-key.json", "lock", "objects"]);
    for blob in std::fs::read_dir(folder.0.join("objects")).unwrap() {
        assert_eq!(blob.unwrap().file_name().len(), 32);
    }
}

#[tokio::test]
async fn the_longest_key_is_accepted() {
    let f = fixture().await;
    let key = "k".repeat(1024);
    f.put(&key, "x").await;
    assert_eq!(f.text(&key).await.unwrap(), "x");
}

#[tokio::test]
async fn a_request_with_a_wrong_secret_is_refused() {
    let f = fixture().await;
    let key = &f.embedded.credentials().access_key;
    let wrong = aws_sdk_s3::config::Credentials::new(key, "wrong", None, None, "test");
    let config = f.s3.config().to_builder().credentials_provider(wrong).build();
    let put = Client::from_conf(config).put_object().bucket(BUCKET).key("k").send().await;
    assert_eq!(code(put), "SignatureDoesNotMatch");
}
