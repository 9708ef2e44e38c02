//! The operations of the protocol, one function each.

use std::{pin::Pin, sync::Arc};

use futures::{StreamExt, stream};
use http::StatusCode;
use s3s::{
    S3, S3Error, S3ErrorCode, S3Request, S3Response, S3Result,
    dto::{
        CopyObjectInput, CopyObjectOutput, CreateBucketInput, CreateBucketOutput,
        DeleteObjectInput, DeleteObjectOutput, DeleteObjectsInput, DeleteObjectsOutput,
        DeletedObject, Error, GetObjectInput, GetObjectOutput, HeadBucketInput, HeadBucketOutput,
        HeadObjectInput, HeadObjectOutput, ListObjectsV2Input, ListObjectsV2Output,
        PutBucketLifecycleConfigurationInput, PutBucketLifecycleConfigurationOutput,
        PutBucketNotificationConfigurationInput, PutBucketNotificationConfigurationOutput,
        PutObjectInput, PutObjectOutput, StreamingBlob,
    },
    s3_error,
};

use super::{
    blobs::Pieces,
    conditions::Conditions,
    digests::Digests,
    object::{Checksums, Description, Properties},
    storage::{Storage, internal},
};

/// Implements the interface of `s3s`.
pub(super) struct Operations(pub(super) Arc<Storage>);

/// Implements [`S3`] by [`Storage`] methods of the same names.
macro_rules! operations {
    ($($name:ident: $input:ident => $output:ident,)*) => {
        impl S3 for Operations {
            $(
                fn $name<'a, 'b>(
                    &'a self,
                    request: S3Request<$input>,
                ) -> Pin<Box<dyn Future<Output = S3Result<S3Response<$output>>> + Send + 'b>>
                where
                    'a: 'b,
                    Self: 'b,
                {
                    Box::pin(async move { self.0.$name(request).await.map(S3Response::new) })
                }
            )*
        }
    };
}

operations! {
    create_bucket: CreateBucketInput => CreateBucketOutput,
    put_bucket_lifecycle_configuration:
        PutBucketLifecycleConfigurationInput => PutBucketLifecycleConfigurationOutput,
    put_bucket_notification_configuration:
        PutBucketNotificationConfigurationInput => PutBucketNotificationConfigurationOutput,
    head_bucket: HeadBucketInput => HeadBucketOutput,
    put_object: PutObjectInput => PutObjectOutput,
    get_object: GetObjectInput => GetObjectOutput,
    head_object: HeadObjectInput => HeadObjectOutput,
    copy_object: CopyObjectInput => CopyObjectOutput,
    delete_object: DeleteObjectInput => DeleteObjectOutput,
    delete_objects: DeleteObjectsInput => DeleteObjectsOutput,
    list_objects_v2: ListObjectsV2Input => ListObjectsV2Output,
}

impl Storage {
    async fn create_bucket(
        &self,
        request: S3Request<CreateBucketInput>,
    ) -> S3Result<CreateBucketOutput> {
        let bucket = request.input.bucket;
        self.add_bucket(&bucket)?;
        Ok(CreateBucketOutput { location: Some(format!("/{bucket}")) })
    }

    async fn head_bucket(&self, request: S3Request<HeadBucketInput>) -> S3Result<HeadBucketOutput> {
        self.require_bucket(&request.input.bucket)?;
        let bucket_region = Some(self.region().to_owned());
        Ok(HeadBucketOutput { bucket_region, ..Default::default() })
    }

    /// Streams the content into an unreferenced file, and makes it an object only after its length,
    /// signature and digests are verified.
    async fn put_object(
        &self,
        mut request: S3Request<PutObjectInput>,
    ) -> S3Result<PutObjectOutput> {
        self.require_bucket(&request.input.bucket)?;
        let mut digests = Digests::new(&request)?;
        let mut upload = self.blobs.create().map_err(internal)?;
        if let Some(mut body) = request.input.body.take() {
            while let Some(piece) = body.next().await {
                let piece = piece.map_err(upload_error)?;
                digests.update(&piece);
                upload.write(&piece).map_err(internal)?;
            }
        }
        let trailers = request.trailing_headers.and_then(|trailers| trailers.take());
        let (size, etag, checksums) = digests.finish(trailers.as_ref())?;
        let input = request.input;
        if input.content_length.is_some_and(|announced| u64::try_from(announced) != Ok(size)) {
            return Err(s3_error!(IncompleteBody));
        }
        let description = Description {
            content_type: input.content_type,
            cache_control: input.cache_control,
            content_disposition: input.content_disposition,
            content_encoding: input.content_encoding.and_then(without_transfer_encoding),
            content_language: input.content_language,
            metadata: input.metadata.unwrap_or_default(),
        };
        let conditions = Conditions {
            if_match: input.if_match.as_ref(),
            if_none_match: input.if_none_match.as_ref(),
        };
        let properties = Properties { size, etag, checksums, description };
        let event = "ObjectCreated:Put";
        let object =
            self.commit(&input.bucket, &input.key, upload, properties, conditions, event)?;
        let etag = object.etag();
        let checksums = object.properties.checksums;
        Ok(PutObjectOutput {
            e_tag: Some(etag),
            checksum_crc32: checksums.crc32,
            checksum_crc32c: checksums.crc32c,
            checksum_crc64nvme: checksums.crc64nvme,
            checksum_sha1: checksums.sha1,
            checksum_sha256: checksums.sha256,
            checksum_type: Some(Checksums::kind()),
            ..Default::default()
        })
    }

    async fn get_object(&self, request: S3Request<GetObjectInput>) -> S3Result<GetObjectOutput> {
        let input = request.input;
        let conditions = Conditions {
            if_match: input.if_match.as_ref(),
            if_none_match: input.if_none_match.as_ref(),
        };
        let (object, mut content) = self.open_object(&input.bucket, &input.key, conditions)?;
        let size = object.properties.size;
        let range = match &input.range {
            Some(range) => range.check(size)?,
            None => 0..size,
        };
        std::io::Seek::seek(&mut content, std::io::SeekFrom::Start(range.start))
            .map_err(internal)?;
        let length = range.end - range.start;
        // A checksum covers the whole content and would not match a part of it.
        let whole = input.range.is_none() && input.checksum_mode.is_some();
        let checksums =
            if whole { object.properties.checksums.clone() } else { Checksums::default() };
        let content_range =
            input.range.map(|_| format!("bytes {}-{}/{size}", range.start, range.end - 1));
        let e_tag = Some(object.etag());
        let last_modified = Some(object.last_modified());
        let content_type = Some(object.content_type());
        let description = object.properties.description;
        Ok(GetObjectOutput {
            accept_ranges: Some("bytes".into()),
            body: Some(StreamingBlob::wrap(stream::iter(Pieces::new(content, length)))),
            cache_control: description.cache_control,
            checksum_crc32: checksums.crc32,
            checksum_crc32c: checksums.crc32c,
            checksum_crc64nvme: checksums.crc64nvme,
            checksum_sha1: checksums.sha1,
            checksum_sha256: checksums.sha256,
            checksum_type: whole.then(Checksums::kind),
            content_disposition: description.content_disposition,
            content_encoding: description.content_encoding,
            content_language: description.content_language,
            content_length: i64::try_from(length).ok(),
            content_range,
            content_type,
            e_tag,
            last_modified,
            metadata: Some(description.metadata),
            ..Default::default()
        })
    }

    async fn head_object(&self, request: S3Request<HeadObjectInput>) -> S3Result<HeadObjectOutput> {
        let input = request.input;
        let conditions = Conditions {
            if_match: input.if_match.as_ref(),
            if_none_match: input.if_none_match.as_ref(),
        };
        let (object, _) = self.open_object(&input.bucket, &input.key, conditions)?;
        let whole = input.checksum_mode.is_some();
        let checksums =
            if whole { object.properties.checksums.clone() } else { Checksums::default() };
        let e_tag = Some(object.etag());
        let last_modified = Some(object.last_modified());
        let content_type = Some(object.content_type());
        let content_length = Some(object.length());
        let description = object.properties.description;
        Ok(HeadObjectOutput {
            accept_ranges: Some("bytes".into()),
            cache_control: description.cache_control,
            checksum_crc32: checksums.crc32,
            checksum_crc32c: checksums.crc32c,
            checksum_crc64nvme: checksums.crc64nvme,
            checksum_sha1: checksums.sha1,
            checksum_sha256: checksums.sha256,
            checksum_type: whole.then(Checksums::kind),
            content_disposition: description.content_disposition,
            content_encoding: description.content_encoding,
            content_language: description.content_language,
            content_length,
            content_type,
            e_tag,
            last_modified,
            metadata: Some(description.metadata),
            ..Default::default()
        })
    }

    async fn delete_object(
        &self,
        request: S3Request<DeleteObjectInput>,
    ) -> S3Result<DeleteObjectOutput> {
        let input = request.input;
        let conditions = Conditions { if_match: input.if_match.as_ref(), if_none_match: None };
        self.delete(&input.bucket, &input.key, conditions)?;
        Ok(DeleteObjectOutput::default())
    }

    async fn delete_objects(
        &self,
        request: S3Request<DeleteObjectsInput>,
    ) -> S3Result<DeleteObjectsOutput> {
        let input = request.input;
        self.require_bucket(&input.bucket)?;
        if input.delete.objects.len() > 1000 {
            return Err(s3_error!(MalformedXML));
        }
        let mut deleted = Vec::new();
        let mut errors = Vec::new();
        for object in input.delete.objects {
            let key = Some(object.key.clone());
            match self.delete(&input.bucket, &object.key, Conditions::default()) {
                Ok(()) => deleted.push(DeletedObject { key, ..Default::default() }),
                Err(error) => errors.push(Error {
                    key,
                    code: Some(error.code().as_str().to_owned()),
                    message: error.message().map(str::to_owned),
                    ..Default::default()
                }),
            }
        }
        let quiet = input.delete.quiet == Some(true);
        Ok(DeleteObjectsOutput {
            deleted: (!quiet).then_some(deleted),
            errors: Some(errors),
            ..Default::default()
        })
    }
}

/// Why a body could not be read: a wrong digest or signature, or a broken connection.
fn upload_error(error: s3s::StdError) -> S3Error {
    // The error types are private to `s3s`; only their text tells them apart.
    let text = error.to_string();
    if text.contains("Sha256Mismatch") {
        let mut mismatch = S3Error::with_message(
            S3ErrorCode::Custom("XAmzContentSHA256Mismatch".into()),
            "The provided 'x-amz-content-sha256' header does not match what was computed.",
        );
        mismatch.set_status_code(StatusCode::BAD_REQUEST);
        return mismatch;
    }
    let code = match text.contains("SignatureMismatch") {
        true => S3ErrorCode::SignatureDoesNotMatch,
        false => S3ErrorCode::IncompleteBody,
    };
    S3Error::with_source(code, error)
}

/// The content encoding without `aws-chunked`, which belongs to the transfer alone.
fn without_transfer_encoding(encoding: String) -> Option<String> {
    let kept: Vec<_> =
        encoding.split(',').map(str::trim).filter(|name| *name != "aws-chunked").collect();
    Some(kept.join(",")).filter(|kept| !kept.is_empty())
}
