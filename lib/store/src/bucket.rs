//! Objects: bodies that no item holds.

use aws_sdk_s3::{error::SdkError, operation::get_object::GetObjectError, primitives::ByteStream};

use crate::{Store, StoreError};

impl Store {
    pub(crate) async fn put_object(&self, key: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.clients
            .s3
            .put_object()
            .bucket(&self.names.bucket)
            .key(key)
            .body(ByteStream::from(bytes))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(())
    }

    pub(crate) async fn delete_object(&self, key: &str) -> Result<(), StoreError> {
        self.clients
            .s3
            .delete_object()
            .bucket(&self.names.bucket)
            .key(key)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(())
    }

    pub(crate) async fn get_object(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let request = self.clients.s3.get_object().bucket(&self.names.bucket).key(key);
        let object = match request.send().await {
            Ok(object) => object,
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), GetObjectError::NoSuchKey(_)) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(StoreError::unavailable("bucket", error)),
        };
        let bytes = object
            .body
            .collect()
            .await
            .map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(Some(bytes.to_vec()))
    }
}
