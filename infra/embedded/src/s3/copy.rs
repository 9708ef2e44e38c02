//! Copies of objects inside the storage.

use s3s::{
    S3Request, S3Result,
    dto::{CopyObjectInput, CopyObjectOutput, CopyObjectResult, CopySource, MetadataDirective},
    s3_error,
};

use super::{
    conditions::Conditions,
    object::{Checksums, Description},
    storage::{Storage, internal},
};

impl Storage {
    pub(super) async fn copy_object(
        &self,
        request: S3Request<CopyObjectInput>,
    ) -> S3Result<CopyObjectOutput> {
        let input = request.input;
        let CopySource::Bucket { bucket, key, .. } = &input.copy_source else {
            return Err(s3_error!(NotImplemented, "Only buckets can be copied from."));
        };
        let replace = input
            .metadata_directive
            .as_ref()
            .is_some_and(|directive| directive.as_str() == MetadataDirective::REPLACE);
        if !replace && **bucket == *input.bucket && **key == *input.key {
            return Err(s3_error!(
                InvalidRequest,
                "This copy request is illegal because it is trying to copy an object to itself \
                 without changing the object's metadata."
            ));
        }
        let conditions = Conditions {
            if_match: input.copy_source_if_match.as_ref(),
            if_none_match: input.copy_source_if_none_match.as_ref(),
        };
        // A copy answers 412 where a read would answer 304.
        let (source, mut content) =
            self.open_object(bucket, key, conditions).map_err(|error| match error.code() {
                s3s::S3ErrorCode::NotModified => s3_error!(PreconditionFailed),
                _ => error,
            })?;
        let upload = self.blobs.copy(&mut content).map_err(internal)?;
        let mut properties = source.properties;
        if replace {
            properties.description = Description {
                content_type: input.content_type,
                cache_control: input.cache_control,
                content_disposition: input.content_disposition,
                content_encoding: input.content_encoding,
                content_language: input.content_language,
                metadata: input.metadata.unwrap_or_default(),
            };
        }
        let event = "ObjectCreated:Copy";
        let copy = self.commit(
            &input.bucket,
            &input.key,
            upload,
            properties,
            Conditions::default(),
            event,
        )?;
        let e_tag = Some(copy.etag());
        let last_modified = Some(copy.last_modified());
        let checksums = copy.properties.checksums;
        Ok(CopyObjectOutput {
            copy_object_result: Some(CopyObjectResult {
                checksum_crc32: checksums.crc32,
                checksum_crc32c: checksums.crc32c,
                checksum_crc64nvme: checksums.crc64nvme,
                checksum_sha1: checksums.sha1,
                checksum_sha256: checksums.sha256,
                checksum_type: Some(Checksums::kind()),
                e_tag,
                last_modified,
            }),
            ..Default::default()
        })
    }
}
