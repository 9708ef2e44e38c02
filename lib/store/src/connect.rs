//! AWS clients for the environment that the process runs in.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::config::retry::{RetryPartition, TokenBucket};

use crate::{Clients, attempt_timeout::AttemptTimeout, response_time::ResponseTime};

/// Time limit of one try of a call to a service that answers quickly; a slow one gets more. A second try still fits
/// into a request's deadline.
const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(1_500);
/// Time limit of a call with all its tries.
const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// Time limit of a call that carries a body, with all its tries: less than a lease leaves for
/// settling.
const BODY_TIMEOUT: Duration = Duration::from_secs(3);

/// The retry quota of one client. A retry takes [`RETRY_COST`] tokens, and each call that succeeds brings one. So every
/// tenth call may fail once, and an outage is met with five calls more than were asked for
/// ([retry quota](https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html)).
const RETRY_TOKENS: usize = 50;
const RETRY_COST: u32 = 10;
const SUCCESS_REWARD: f32 = 1.0;

/// Clients with region, credentials and endpoints from the environment, as all AWS SDKs read it.
/// For `path_style` see [`from_config`].
pub async fn clients(path_style: bool) -> Clients {
    let config = aws_config::load_defaults(BehaviorVersion::latest()).await;
    from_config(&config, path_style, Endpoints::default())
}

/// Endpoints that replace the ones of AWS.
#[derive(Clone, Debug, Default)]
pub struct Endpoints {
    /// DynamoDB.
    pub dynamodb: Option<String>,
    /// S3.
    pub s3: Option<String>,
    /// SQS.
    pub sqs: Option<String>,
}

/// Clients for a given SDK configuration.
///
/// With `path_style` buckets are addressed by path: a custom endpoint has no host name for each
/// bucket.
pub fn from_config(config: &SdkConfig, path_style: bool, endpoints: Endpoints) -> Clients {
    let timeouts = TimeoutConfig::builder()
        .operation_attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(CALL_TIMEOUT)
        .build();
    let bodies = TimeoutConfig::builder().operation_timeout(BODY_TIMEOUT).build();
    let response_time = || ResponseTime::new(ATTEMPT_TIMEOUT, CALL_TIMEOUT);
    let table_response_time = response_time();
    let mut dynamodb = aws_sdk_dynamodb::config::Builder::from(config)
        .timeout_config(timeouts.clone())
        .interceptor(AttemptTimeout::new(table_response_time.clone()))
        .retry_partition(retry_quota("DynamoDB"));
    let mut s3 = aws_sdk_s3::config::Builder::from(config)
        .timeout_config(bodies)
        .retry_partition(retry_quota("S3"))
        .force_path_style(path_style);
    let mut sqs = aws_sdk_sqs::config::Builder::from(config)
        .timeout_config(timeouts)
        .interceptor(AttemptTimeout::new(response_time()))
        .retry_partition(retry_quota("SQS"));
    // Endpoints from the environment apply unless another one is given.
    if let Some(endpoint) = endpoints.dynamodb {
        dynamodb = dynamodb.endpoint_url(endpoint);
    }
    if let Some(endpoint) = endpoints.s3 {
        s3 = s3.endpoint_url(endpoint);
    }
    if let Some(endpoint) = endpoints.sqs {
        sqs = sqs.endpoint_url(endpoint);
    }
    Clients {
        dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb.build()),
        s3: aws_sdk_s3::Client::from_conf(s3.build()),
        sqs: aws_sdk_sqs::Client::from_conf(sqs.build()),
        table_response_time,
    }
}

/// The retries of one client.
fn retry_quota(service: &'static str) -> RetryPartition {
    let tokens = TokenBucket::builder()
        .capacity(RETRY_TOKENS)
        .retry_cost(RETRY_COST)
        .throttling_retry_cost(RETRY_COST)
        .timeout_retry_cost(RETRY_COST)
        .success_reward(SUCCESS_REWARD)
        .build();
    RetryPartition::custom(service).token_bucket(tokens).build()
}
