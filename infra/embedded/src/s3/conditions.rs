//! Conditional requests: If-Match and If-None-Match against the stored object.

use s3s::{S3Result, dto::ETagCondition, s3_error};

use super::object::Object;

/// The conditions of a request; absent ones are true.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conditions<'a> {
    pub(super) if_match: Option<&'a ETagCondition>,
    pub(super) if_none_match: Option<&'a ETagCondition>,
}

impl Conditions<'_> {
    /// Checks a read of `object`.
    pub(super) fn check_read(self, object: &Object) -> S3Result<()> {
        if self.if_match.is_some_and(|condition| !matches(condition, object)) {
            return Err(s3_error!(PreconditionFailed));
        }
        if self.if_none_match.is_some_and(|condition| matches(condition, object)) {
            return Err(s3_error!(NotModified));
        }
        Ok(())
    }

    /// Checks a write over `object`, if it exists.
    pub(super) fn check_write(self, object: Option<&Object>) -> S3Result<()> {
        if let Some(condition) = self.if_match {
            let object = object.ok_or_else(|| s3_error!(NoSuchKey))?;
            if !matches(condition, object) {
                return Err(s3_error!(PreconditionFailed));
            }
        }
        if let (Some(condition), Some(object)) = (self.if_none_match, object)
            && matches(condition, object)
        {
            return Err(s3_error!(PreconditionFailed));
        }
        Ok(())
    }
}

fn matches(condition: &ETagCondition, object: &Object) -> bool {
    match condition {
        ETagCondition::Any => true,
        ETagCondition::ETag(etag) => etag.value() == object.properties.etag,
    }
}
