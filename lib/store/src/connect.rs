//! AWS clients for the environment that the process runs in.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig, timeout::TimeoutConfig};

use crate::Clients;

/// One try of a call; a second one follows within a request's own deadline.
const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(1_500);
/// All tries of a call.
const CALL_TIMEOUT: Duration = Duration::from_secs(4);

/// Clients configured the way that the AWS SDKs share: region, credentials and endpoints from the
/// environment. For `path_style` see [`from_config`].
pub async fn clients(path_style: bool) -> Clients {
    from_config(&aws_config::load_defaults(BehaviorVersion::latest()).await, path_style)
}

/// Clients over a given SDK configuration.
///
/// With `path_style` buckets are addressed by path: an endpoint of one's own has no name for each
/// bucket.
pub fn from_config(config: &SdkConfig, path_style: bool) -> Clients {
    let timeouts = TimeoutConfig::builder()
        .operation_attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(CALL_TIMEOUT)
        .build();
    let dynamodb = aws_sdk_dynamodb::config::Builder::from(config).timeout_config(timeouts);
    let s3 = aws_sdk_s3::config::Builder::from(config).force_path_style(path_style);
    Clients {
        dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb.build()),
        s3: aws_sdk_s3::Client::from_conf(s3.build()),
        sqs: aws_sdk_sqs::Client::new(config),
    }
}
