//! AWS clients for the environment that the process runs in.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use aws_config::{BehaviorVersion, SdkConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::config::retry::{RetryPartition, TokenBucket};

use crate::{
    Clients, OnFirstUse, attempt_timeout::AttemptTimeout, request_metadata::NoRequestMetadata,
    response_time::ResponseTime,
};

/// Time limit of one try of a call to a service that answers quickly; a slow one gets more. A second try still fits
/// into a request's deadline.
const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(1_500);
/// Time limit of a call with all its tries.
const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// Time limit of a call that carries a body, with all its tries: less than a lease leaves for
/// settling.
const BODY_TIMEOUT: Duration = Duration::from_secs(3);

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
    let (config, retries) = (config.clone(), retry_budget());
    let timeouts = TimeoutConfig::builder()
        .operation_attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(CALL_TIMEOUT)
        .build();
    let bodies = TimeoutConfig::builder().operation_timeout(BODY_TIMEOUT).build();
    let response_time = || ResponseTime::new(ATTEMPT_TIMEOUT, CALL_TIMEOUT);
    let table_response_time = response_time();
    let mut dynamodb = aws_sdk_dynamodb::config::Builder::from(&config)
        .timeout_config(timeouts.clone())
        .interceptor(NoRequestMetadata)
        .interceptor(AttemptTimeout::new(table_response_time.clone()))
        .retry_partition(retries.clone());
    // Endpoints from the environment apply unless another one is given.
    if let Some(endpoint) = endpoints.dynamodb {
        dynamodb = dynamodb.endpoint_url(endpoint);
    }
    let s3 = {
        let (config, retries) = (config.clone(), retries.clone());
        on_first_use(move || {
            let mut s3 = aws_sdk_s3::config::Builder::from(&config)
                .timeout_config(bodies)
                .interceptor(NoRequestMetadata)
                .retry_partition(retries)
                .force_path_style(path_style);
            if let Some(endpoint) = endpoints.s3 {
                s3 = s3.endpoint_url(endpoint);
            }
            aws_sdk_s3::Client::from_conf(s3.build())
        })
    };
    let sqs = on_first_use(move || {
        let mut sqs = aws_sdk_sqs::config::Builder::from(&config)
            .timeout_config(timeouts)
            .interceptor(NoRequestMetadata)
            .interceptor(AttemptTimeout::new(response_time()))
            .retry_partition(retries);
        if let Some(endpoint) = endpoints.sqs {
            sqs = sqs.endpoint_url(endpoint);
        }
        aws_sdk_sqs::Client::from_conf(sqs.build())
    });
    let dynamodb = aws_sdk_dynamodb::Client::from_conf(dynamodb.build());
    Clients { dynamodb, s3, sqs, table_response_time }
}

/// A client that is made when it is used: making it takes twice the work of a call, and most requests need DynamoDB
/// alone.
fn on_first_use<T>(make: impl FnOnce() -> T + Send + 'static) -> OnFirstUse<T> {
    Arc::new(LazyLock::new(Box::new(make)))
}

/// The budget of the process's retries: two to begin with and at most, and one more for each ten
/// calls that succeed.
///
/// The SDK's default begins with fifty, for each service. So each process that starts in an outage would try its first
/// calls several times, and in an outage many processes start: those before them fail, or were stopped.
fn retry_budget() -> RetryPartition {
    let bucket = TokenBucket::builder()
        .capacity(2)
        .retry_cost(1)
        .timeout_retry_cost(1)
        .throttling_retry_cost(1)
        .success_reward(0.1)
        .build();
    RetryPartition::custom("storage").token_bucket(bucket).build()
}
