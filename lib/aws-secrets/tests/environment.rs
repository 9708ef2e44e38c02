//! Whose certificates count, as the environment says.

use aws_secrets::Environment;

/// On Lambda in Frankfurt, with one more variable.
fn with(name: &str, value: &str) -> Environment {
    Environment::read(|asked| match asked {
        _ if asked == name => Some(value.to_owned()),
        "AWS_ACCESS_KEY_ID" => Some("key".to_owned()),
        "AWS_REGION" => Some("eu-central-1".to_owned()),
        _ => None,
    })
}

#[tokio::test]
async fn amazons_roots_can_be_read() {
    let on_lambda = with("LOG", "info");
    let aws = on_lambda.load().await;
    assert!(aws.http_client().is_some(), "not the SDK's own");
}

#[tokio::test]
async fn another_host_may_have_any_of_the_systems_roots() {
    for (name, value) in [
        ("AWS_ENDPOINT_URL_S3", "https://files.example.com"),
        ("AWS_REGION", "cn-north-1"),
        ("AWS_REGION", "us-isob-east-1"),
        ("HTTPS_PROXY", "proxy.example.com:3128"),
        ("SSL_CERT_FILE", "/etc/roots.pem"),
    ] {
        assert!(with(name, value).load().await.http_client().is_none(), "{name}");
    }
    let without_tls = with("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9000");
    assert_eq!(without_tls, with("LOG", "info"), "nobody is trusted there");
}

#[test]
fn credentials_that_are_in_no_variable_are_looked_for() {
    let elsewhere = Environment::read(|name| (name == "AWS_REGION").then(|| "eu-central-1".into()));
    assert_ne!(elsewhere, with("LOG", "info"));
}
