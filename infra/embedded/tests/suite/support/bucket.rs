//! A bucket to try things on.

use std::sync::Arc;

use aws_sdk_s3::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    operation::{
        put_bucket_lifecycle_configuration::builders::PutBucketLifecycleConfigurationFluentBuilder,
        put_bucket_notification_configuration::builders::PutBucketNotificationConfigurationFluentBuilder,
        put_object::builders::PutObjectFluentBuilder,
    },
    primitives::ByteStream,
    types::{
        BucketLifecycleConfiguration, Event, ExpirationStatus, FilterRule, FilterRuleName,
        LifecycleExpiration, LifecycleRule, LifecycleRuleFilter, NotificationConfiguration,
        NotificationConfigurationFilter, QueueConfiguration, S3KeyFilter,
        builders::LifecycleRuleBuilder,
    },
};
use embedded::Embedded;

use super::ManualClock;

pub const BUCKET: &str = "things";

pub struct Fixture {
    pub embedded: Embedded,
    pub clock: Arc<ManualClock>,
    pub s3: Client,
}

/// An empty bucket.
pub async fn fixture() -> Fixture {
    let (embedded, clock) = super::start().await;
    let s3 = super::Caller::of(&embedded, &clock).s3();
    s3.create_bucket().bucket(BUCKET).send().await.unwrap();
    Fixture { embedded, clock, s3 }
}

/// A rule that removes objects under a prefix after days.
pub fn expiring(prefix: &str, days: i32) -> LifecycleRuleBuilder {
    LifecycleRule::builder()
        .filter(LifecycleRuleFilter::builder().prefix(prefix).build())
        .expiration(LifecycleExpiration::builder().days(days).build())
        .status(ExpirationStatus::Enabled)
}

impl Fixture {
    pub fn putting(&self, key: &str, body: &'static str) -> PutObjectFluentBuilder {
        let body = ByteStream::from_static(body.as_bytes());
        self.s3.put_object().bucket(BUCKET).key(key).body(body)
    }

    pub async fn put(&self, key: &str, body: &'static str) {
        self.putting(key, body).send().await.unwrap();
    }

    /// The request for a lifecycle of one rule.
    pub fn putting_rule(
        &self,
        rule: LifecycleRuleBuilder,
    ) -> PutBucketLifecycleConfigurationFluentBuilder {
        let rules = BucketLifecycleConfiguration::builder().rules(rule.build().unwrap());
        let put = self.s3.put_bucket_lifecycle_configuration().bucket(BUCKET);
        put.lifecycle_configuration(rules.build().unwrap())
    }

    /// The subscription of the queue "events" to objects under a prefix.
    pub fn notifying(&self, prefix: &str) -> PutBucketNotificationConfigurationFluentBuilder {
        let prefix = FilterRule::builder().name(FilterRuleName::Prefix).value(prefix).build();
        let key = S3KeyFilter::builder().filter_rules(prefix).build();
        let queue = QueueConfiguration::builder()
            .queue_arn("arn:aws:sqs:us-east-1:000000000000:events")
            .events(Event::S3ObjectCreated)
            .filter(NotificationConfigurationFilter::builder().key(key).build());
        let queues = NotificationConfiguration::builder();
        let queues = queues.queue_configurations(queue.build().unwrap()).build();
        let put = self.s3.put_bucket_notification_configuration().bucket(BUCKET);
        put.notification_configuration(queues)
    }

    pub async fn text(&self, key: &str) -> Option<String> {
        let result = self.s3.get_object().bucket(BUCKET).key(key).send().await;
        match result {
            Ok(object) => {
                let bytes = object.body.collect().await.unwrap().into_bytes();
                Some(String::from_utf8(bytes.to_vec()).unwrap())
            }
            Err(error) => {
                assert!(error.into_service_error().is_no_such_key());
                None
            }
        }
    }

    pub async fn keys(&self, prefix: &str) -> Vec<String> {
        let listed = self.s3.list_objects_v2().bucket(BUCKET).prefix(prefix).send().await.unwrap();
        listed.contents().iter().map(|object| object.key().unwrap().to_owned()).collect()
    }
}

pub fn code<E: ProvideErrorMetadata + std::fmt::Debug, T: std::fmt::Debug>(
    result: Result<T, SdkError<E>>,
) -> String {
    let error = result.unwrap_err();
    let status = error.raw_response().map(|response| response.status().as_u16());
    error.code().map(str::to_owned).or(status.map(|status| status.to_string())).unwrap()
}
