//! AWS clients for the environment that the process runs in.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig, timeout::TimeoutConfig};

use crate::Clients;

/// Time limit of one try of a call. A second try still fits into a request's deadline.
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
    let timeouts = TimeoutConfig::builder()
        .operation_attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(CALL_TIMEOUT)
        .build();
    let bodies = TimeoutConfig::builder().operation_timeout(BODY_TIMEOUT).build();
    let dynamodb = aws_sdk_dynamodb::config::Builder::from(config).timeout_config(timeouts.clone());
    let s3 = aws_sdk_s3::config::Builder::from(config)
        .timeout_config(bodies)
        .force_path_style(path_style);
    let sqs = aws_sdk_sqs::config::Builder::from(config).timeout_config(timeouts);
    // Endpoints from the environment apply unless another one is given. Each given endpoint has its
    // own retry partition: by default all clients of a service and region in a process share one
    // retry budget.
    let dynamodb = match endpoints.dynamodb {
        Some(endpoint) => dynamodb
            .retry_partition(aws_sdk_dynamodb::config::retry::RetryPartition::new(endpoint.clone()))
            .endpoint_url(endpoint),
        None => dynamodb,
    };
    let s3 = match endpoints.s3 {
        Some(endpoint) => s3
            .retry_partition(aws_sdk_s3::config::retry::RetryPartition::new(endpoint.clone()))
            .endpoint_url(endpoint),
        None => s3,
    };
    let sqs = match endpoints.sqs {
        Some(endpoint) => sqs
            .retry_partition(aws_sdk_sqs::config::retry::RetryPartition::new(endpoint.clone()))
            .endpoint_url(endpoint),
        None => sqs,
    };
    Clients {
        dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb.build()),
        s3: aws_sdk_s3::Client::from_conf(s3.build()),
        sqs: aws_sdk_sqs::Client::from_conf(sqs.build()),
    }
}
