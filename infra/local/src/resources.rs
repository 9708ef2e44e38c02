//! Clients of DynamoDB, S3 and SQS on this machine, and the resources of a deployment.

use std::{error::Error, time::Duration};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_s3::error::ProvideErrorMetadata;
use aws_sdk_s3::types::{
    BucketLifecycleConfiguration, Event, ExpirationStatus, FilterRule, FilterRuleName,
    LifecycleExpiration, LifecycleRule, LifecycleRuleFilter, NotificationConfiguration,
    NotificationConfigurationFilter, QueueConfiguration, S3KeyFilter,
};
use aws_sdk_sqs::config::{Credentials, SharedCredentialsProvider};
use aws_sdk_sqs::types::QueueAttributeName;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use domain::upload::RETENTION;
use store::{
    Clients, Names,
    connect::{self, Endpoints},
    schema,
    uploads::files::UPLOADS_PREFIX,
};

use crate::service_endpoints::ServiceEndpoints;

const NAME: &str = "prompt-workflow";
const OPERATIONS: &str = "operations";
const UPLOAD_EVENTS: &str = "upload-events";
const LIBRARY: &str = "library";
const DELIVERIES: &str = "deliveries";
const SLOW_DELIVERIES: &str = "slow-deliveries";
/// Visibility timeout in seconds. An attempt that has claimed an operation hides its message as long as its lease.
const VISIBILITY_SECONDS: u64 = 20;
/// The same for deliveries: a receiver has ten seconds, and recording the result takes time, too.
const DELIVERY_VISIBILITY_SECONDS: u64 = 30;
/// Age at which temporary objects expire, as in the deployed bucket's lifecycle.
const TEMPORARY_AGE: Duration = Duration::from_secs(2 * 86_400);

/// An HTTP client without TLS: the services are on this machine.
pub fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().build_http()
}

/// Clients of the services at these addresses. `adjust` may change their shared configuration, for
/// tests that count or disturb calls.
pub fn clients(
    addresses: ServiceEndpoints,
    adjust: impl FnOnce(SdkConfig) -> SdkConfig,
) -> Clients {
    let embedded::Credentials { access_key, secret_key } = addresses.credentials;
    let credentials = Credentials::new(access_key, secret_key, None, None, "embedded");
    let base = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static(embedded::Credentials::REGION))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .http_client(http_client())
        .build();
    let endpoints = Endpoints {
        dynamodb: Some(addresses.dynamodb),
        s3: Some(addresses.s3),
        sqs: Some(addresses.sqs),
    };
    connect::from_config(&adjust(base), true, endpoints)
}

/// The resources of a deployment.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Names that the store uses.
    pub names: Names,
    /// The queue of the bucket's upload events.
    pub upload_events_queue_url: String,
}

impl Resources {
    /// Functions with their event source queues.
    pub fn event_source_mappings(&self) -> [(&'static str, &str); 5] {
        [
            ("processor", &self.names.operations_queue_url),
            ("deliveries", &self.names.deliveries_queue_url),
            ("deliveries", &self.names.slow_deliveries_queue_url),
            ("upload-events", &self.upload_events_queue_url),
            ("library-indexer", &self.names.library_queue_url),
        ]
    }
}

/// Creates table, bucket and queues in the services at these addresses, unless they exist.
pub async fn create(
    addresses: &ServiceEndpoints,
    clients: &Clients,
) -> Result<Resources, Box<dyn Error>> {
    schema::create_table(&clients.dynamodb, NAME).await?;
    create_queues(clients).await?;
    let resources = named(addresses);
    create_bucket(clients, NAME, &resources.upload_events_queue_url).await?;
    Ok(resources)
}

/// Receives of a message of a queue before it moves to the dead-letter queue: as many as `template.yaml` allows, where
/// many receives may lead to no invocation.
pub fn max_receives(queue: &str) -> u32 {
    match queue {
        OPERATIONS | DELIVERIES | SLOW_DELIVERIES => 50,
        UPLOAD_EVENTS => 22,
        _ => 10,
    }
}

/// Creates the queues, unless they exist.
async fn create_queues(clients: &Clients) -> Result<(), Box<dyn Error>> {
    for name in [OPERATIONS, UPLOAD_EVENTS, LIBRARY] {
        create_queue(clients, name, name, VISIBILITY_SECONDS).await?;
    }
    for lane in [DELIVERIES, SLOW_DELIVERIES] {
        create_queue(clients, lane, DELIVERIES, DELIVERY_VISIBILITY_SECONDS).await?;
    }
    Ok(())
}

/// Creates a bucket, unless it exists, whose temporary objects expire and which tells a queue of each uploaded file.
async fn create_bucket(
    clients: &Clients,
    bucket: &str,
    upload_events_queue_url: &str,
) -> Result<(), Box<dyn Error>> {
    if let Err(error) = clients.s3.create_bucket().bucket(bucket).send().await
        && error.code() != Some("BucketAlreadyOwnedByYou")
    {
        return Err(error.into());
    }
    let ages = [("temporary/", TEMPORARY_AGE), (UPLOADS_PREFIX, RETENTION)];
    expire(clients, bucket, &ages).await?;
    notify(clients, bucket, upload_events_queue_url).await
}

/// Expires objects under prefixes at an age, in whole days.
async fn expire(
    clients: &Clients,
    bucket: &str,
    ages: &[(&str, Duration)],
) -> Result<(), Box<dyn Error>> {
    let mut rules = BucketLifecycleConfiguration::builder();
    for (prefix, age) in ages {
        let days = i32::try_from(age.as_secs() / 86_400)?;
        let rule = LifecycleRule::builder()
            .filter(LifecycleRuleFilter::builder().prefix(*prefix).build())
            .expiration(LifecycleExpiration::builder().days(days).build())
            .status(ExpirationStatus::Enabled);
        rules = rules.rules(rule.build()?);
    }
    let put = clients.s3.put_bucket_lifecycle_configuration().bucket(bucket);
    put.lifecycle_configuration(rules.build()?).send().await?;
    Ok(())
}

/// Tells a queue of each uploaded file.
async fn notify(clients: &Clients, bucket: &str, queue_url: &str) -> Result<(), Box<dyn Error>> {
    let uploads = FilterRule::builder().name(FilterRuleName::Prefix).value(UPLOADS_PREFIX).build();
    let key = S3KeyFilter::builder().filter_rules(uploads).build();
    let queue = QueueConfiguration::builder()
        .queue_arn(queue_arn(clients, queue_url).await?)
        .events(Event::S3ObjectCreated)
        .filter(NotificationConfigurationFilter::builder().key(key).build())
        .build()?;
    let queues = NotificationConfiguration::builder().queue_configurations(queue).build();
    let put = clients.s3.put_bucket_notification_configuration().bucket(bucket);
    put.notification_configuration(queues).send().await?;
    Ok(())
}

/// The resources that [`create`] has created in these services.
pub fn named(addresses: &ServiceEndpoints) -> Resources {
    let url = |queue| format!("{}/000000000000/{queue}", addresses.sqs);
    Resources {
        names: Names {
            table: NAME.to_owned(),
            bucket: NAME.to_owned(),
            operations_queue_url: url(OPERATIONS),
            library_queue_url: url(LIBRARY),
            deliveries_queue_url: url(DELIVERIES),
            slow_deliveries_queue_url: url(SLOW_DELIVERIES),
        },
        upload_events_queue_url: url(UPLOAD_EVENTS),
    }
}

/// Creates a queue whose dead-letter queue is that of `owner`: its own, or a shared one. A queue that exists gets
/// these attributes.
async fn create_queue(
    clients: &Clients,
    name: &str,
    owner: &str,
    visibility_seconds: u64,
) -> Result<(), Box<dyn Error>> {
    let dead = clients.sqs.create_queue().queue_name(format!("{owner}-dead")).send().await?;
    let dead_arn = queue_arn(clients, dead.queue_url().unwrap_or_default()).await?;
    let redrive = serde_json::json!({
        "deadLetterTargetArn": dead_arn,
        "maxReceiveCount": max_receives(name),
    });
    let queue = clients.sqs.create_queue().queue_name(name).send().await?;
    clients
        .sqs
        .set_queue_attributes()
        .queue_url(queue.queue_url().unwrap_or_default())
        .attributes(QueueAttributeName::VisibilityTimeout, visibility_seconds.to_string())
        .attributes(QueueAttributeName::RedrivePolicy, redrive.to_string())
        .send()
        .await?;
    Ok(())
}

async fn queue_arn(clients: &Clients, queue_url: &str) -> Result<String, Box<dyn Error>> {
    let name = QueueAttributeName::QueueArn;
    let request = clients.sqs.get_queue_attributes().queue_url(queue_url);
    let answer = request.attribute_names(name.clone()).send().await?;
    let mut attributes = answer.attributes.unwrap_or_default();
    Ok(attributes.remove(&name).ok_or("a queue has no ARN")?)
}
