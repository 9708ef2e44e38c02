//! The examples of
//! [AWS](https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
#![allow(clippy::unwrap_used)]

use domain::clock::Sleep;
use http::Request;

use super::*;

/// 24 May 2013, 00:00.
const DAY: Timestamp = Timestamp::from_millis(1_369_353_600_000);
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[derive(Debug)]
struct At(Timestamp);

impl Clock for At {
    fn now(&self) -> Timestamp {
        self.0
    }

    fn sleep_until(&self, _: Timestamp) -> Sleep {
        Box::pin(std::future::pending())
    }
}

fn verifier(seconds: u64) -> Verifier {
    let credentials = Credentials {
        access_key: "AKIAIOSFODNN7EXAMPLE".to_owned(),
        secret_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
    };
    let clock = At(DAY + Duration::from_secs(seconds));
    Verifier::new(ServiceName::S3, Arc::new(clock), &credentials)
}

fn parts(target: &str, headers: &[(&str, &str)]) -> Parts {
    let request = Request::get(target).header("host", "examplebucket.s3.amazonaws.com");
    let add = |request: http::request::Builder, (name, value): &(&str, &str)| {
        request.header(*name, *value)
    };
    headers.iter().fold(request, add).body(()).unwrap().into_parts().0
}

fn signed(target: &str, names: &str, signature: &str, others: &[(&str, &str)]) -> Parts {
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
         SignedHeaders={names},Signature={signature}"
    );
    let headers =
        [("authorization", &*authorization), (DATE, "20130524T000000Z"), (PAYLOAD, EMPTY)];
    parts(target, &[&headers, others].concat())
}

#[test]
fn the_examples_of_signed_headers_are_right() {
    let object = signed(
        "/test.txt",
        "host;range;x-amz-content-sha256;x-amz-date",
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        &[("range", "bytes=0-9")],
    );
    let lifecycle = signed(
        "/?lifecycle",
        "host;x-amz-content-sha256;x-amz-date",
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        &[],
    );
    let list = signed(
        "/?max-keys=2&prefix=J",
        "host;x-amz-content-sha256;x-amz-date",
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        &[],
    );
    for request in [object, lifecycle, list] {
        assert_eq!(verifier(0).check_headers(&request, EMPTY), Ok(()), "{}", request.uri);
        assert_eq!(verifier(900).check_headers(&request, EMPTY), Ok(()));
        assert_eq!(verifier(901).check_headers(&request, EMPTY), Err(Refusal::Skewed));
        let other = sha256(b"another body");
        assert_eq!(verifier(0).check_headers(&request, &other), Err(Refusal::Signature));
    }
}

#[test]
fn the_example_of_a_presigned_url_is_right() {
    let target = "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
        &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
        &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
        &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
    let url = parts(target, &[]);
    assert_eq!(verifier(86_400).check_url(&url), Ok(()));
    assert_eq!(verifier(86_401).check_url(&url), Err(Refusal::Expired));
    let longer = parts(&target.replace("86400", "86401"), &[]);
    assert_eq!(verifier(0).check_url(&longer), Err(Refusal::Signature));
    let other = parts(&target.replace("test.txt", "other.txt"), &[]);
    assert_eq!(verifier(0).check_url(&other), Err(Refusal::Signature));
    let endless = parts(&target.replace("86400", "604801"), &[]);
    assert_eq!(verifier(0).check_url(&endless), Err(Refusal::Malformed));
}

#[test]
fn a_header_of_aws_that_is_not_signed_is_refused() {
    let request = signed(
        "/test.txt",
        "host;range;x-amz-content-sha256;x-amz-date",
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        &[("range", "bytes=0-9"), ("x-amz-target", "another operation")],
    );
    assert_eq!(verifier(0).check_headers(&request, EMPTY), Err(Refusal::Malformed));
}
