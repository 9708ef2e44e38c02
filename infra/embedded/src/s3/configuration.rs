//! Requests that configure a bucket: lifecycle and notifications. What the rules here cannot do is refused.

use std::time::Duration;

use s3s::{
    S3Request, S3Result,
    dto::{
        ExpirationStatus, FilterRule, FilterRuleName, LifecycleRule, LifecycleRuleFilter,
        PutBucketLifecycleConfigurationInput, PutBucketLifecycleConfigurationOutput,
        PutBucketNotificationConfigurationInput, PutBucketNotificationConfigurationOutput,
        QueueConfiguration,
    },
    s3_error,
};

use super::storage::Storage;

/// Why a rule is refused.
const ONLY_EXPIRY: &str =
    "A rule can only expire the objects under a prefix after a number of days.";
const DAY: Duration = Duration::from_secs(86_400);

impl Storage {
    /// Takes rules that expire a prefix after days.
    pub(super) async fn put_bucket_lifecycle_configuration(
        &self,
        request: S3Request<PutBucketLifecycleConfigurationInput>,
    ) -> S3Result<PutBucketLifecycleConfigurationOutput> {
        let rules = request.input.lifecycle_configuration.map(|configuration| configuration.rules);
        let enabled = |rule: &LifecycleRule| rule.status.as_str() == ExpirationStatus::ENABLED;
        let rules = rules.into_iter().flatten().filter(enabled);
        let ages = rules
            .map(|rule| age_of(rule).ok_or_else(|| s3_error!(NotImplemented, "{ONLY_EXPIRY}")));
        self.expire(&request.input.bucket, ages.collect::<S3Result<_>>()?)?;
        Ok(PutBucketLifecycleConfigurationOutput::default())
    }

    /// Takes queues that are told of the objects created under a prefix.
    pub(super) async fn put_bucket_notification_configuration(
        &self,
        request: S3Request<PutBucketNotificationConfigurationInput>,
    ) -> S3Result<PutBucketNotificationConfigurationOutput> {
        let input = request.input;
        let wanted = input.notification_configuration;
        let others = [
            wanted.event_bridge_configuration.is_some(),
            wanted.lambda_function_configurations.is_some_and(|all| !all.is_empty()),
            wanted.topic_configurations.is_some_and(|all| !all.is_empty()),
        ];
        if others.contains(&true) {
            return Err(s3_error!(NotImplemented));
        }
        let queues = wanted.queue_configurations.into_iter().flatten();
        let queues =
            queues.map(|queue| subscription_of(queue).ok_or_else(|| s3_error!(NotImplemented)));
        let is_checked = input.skip_destination_validation != Some(true);
        self.notify(&input.bucket, queues.collect::<S3Result<_>>()?, is_checked)?;
        Ok(PutBucketNotificationConfigurationOutput::default())
    }
}

/// Prefix and age of a rule, if it says nothing else.
fn age_of(rule: LifecycleRule) -> Option<(String, Duration)> {
    let others = [
        rule.transitions.is_some_and(|all| !all.is_empty()),
        rule.noncurrent_version_transitions.is_some_and(|all| !all.is_empty()),
        rule.noncurrent_version_expiration.is_some(),
        rule.abort_incomplete_multipart_upload.is_some(),
    ];
    if others.contains(&true) {
        return None;
    }
    let days = u32::try_from(rule.expiration?.days?).ok()?;
    let filter = rule.filter.unwrap_or_default();
    let prefix = filter.prefix.clone().or(rule.prefix);
    let only_prefix = LifecycleRuleFilter { prefix: filter.prefix.clone(), ..Default::default() };
    (filter == only_prefix).then(|| (prefix.unwrap_or_default(), DAY * days))
}

/// Prefix and queue of a configuration, if it says nothing else.
fn subscription_of(wanted: QueueConfiguration) -> Option<(String, String)> {
    let key = wanted.filter.and_then(|filter| filter.key);
    let prefix = match key.and_then(|key| key.filter_rules).unwrap_or_default().as_slice() {
        [] => String::new(),
        [FilterRule { name: Some(name), value }]
            if name.as_str().eq_ignore_ascii_case(FilterRuleName::PREFIX) =>
        {
            value.clone().unwrap_or_default()
        }
        _ => return None,
    };
    let (_, queue) = wanted.queue_arn.rsplit_once(':')?;
    let created = wanted.events.iter().all(|event| event.as_ref() == "s3:ObjectCreated:*");
    created.then(|| (prefix, queue.to_owned()))
}
