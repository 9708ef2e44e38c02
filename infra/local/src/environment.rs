//! Environment variables of functions that run elsewhere and use the embedded services.

use std::fmt::Write as _;

use embedded::Credentials;

use crate::{identity::Identity, resources, service_endpoints::ServiceEndpoints};

/// Names and values, in the order of their names.
pub fn of(
    addresses: &ServiceEndpoints,
    identity: &Identity,
    base_url: &str,
) -> Vec<(&'static str, String)> {
    let names = resources::named(addresses).names;
    let Credentials { access_key, secret_key } = addresses.credentials.clone();
    let region = Credentials::REGION.to_owned();
    vec![
        ("API_KEY", identity.api_key.clone()),
        ("AWS_ACCESS_KEY_ID", access_key),
        ("AWS_DEFAULT_REGION", region.clone()),
        ("AWS_ENDPOINT_URL_DYNAMODB", addresses.dynamodb.clone()),
        ("AWS_ENDPOINT_URL_S3", addresses.s3.clone()),
        ("AWS_ENDPOINT_URL_SQS", addresses.sqs.clone()),
        ("AWS_REGION", region),
        ("AWS_SECRET_ACCESS_KEY", secret_key),
        ("BASE_URL", base_url.to_owned()),
        ("BUCKET_NAME", names.bucket),
        ("DELIVERIES_QUEUE_URL", names.deliveries_queue_url),
        ("LIBRARY_QUEUE_URL", names.library_queue_url),
        ("OPERATIONS_QUEUE_URL", names.operations_queue_url),
        ("S3_PATH_STYLE", true.to_string()),
        ("SERVER_SECRET", identity.server_secret().to_owned()),
        ("SLOW_DELIVERIES_QUEUE_URL", names.slow_deliveries_queue_url),
        ("TABLE_NAME", names.table),
    ]
}

/// The same as lines for a shell. No value has a character that needs quoting.
pub fn exports(variables: &[(&'static str, String)]) -> String {
    variables.iter().fold(String::new(), |mut lines, (name, value)| {
        let _ = writeln!(lines, "export {name}={value}");
        lines
    })
}
