//! Listings of a bucket.

use std::collections::BTreeSet;

use base64::{Engine, prelude::BASE64_STANDARD};
use s3s::{
    S3Request, S3Result,
    dto::{CommonPrefix, ListObjectsV2Input, ListObjectsV2Output, Object},
    s3_error,
};

use super::{
    rules,
    storage::{Page, Storage},
};

const MAX_KEYS: i32 = 1000;
const PAGE: usize = 1000;

impl Storage {
    pub(super) async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<ListObjectsV2Output> {
        let input = request.input;
        let max_keys = input.max_keys.unwrap_or(MAX_KEYS).clamp(0, MAX_KEYS);
        let limit = usize::try_from(max_keys).unwrap_or(0);
        let prefix = input.prefix.clone().unwrap_or_default();
        let delimiter = input.delimiter.clone().filter(|delimiter| !delimiter.is_empty());
        let after = match &input.continuation_token {
            Some(token) => decode(token)?,
            None => input.start_after.clone().unwrap_or_default(),
        };

        let mut contents = Vec::new();
        let mut groups = BTreeSet::new();
        let mut truncated = false;
        let mut last = after.clone();
        let (mut from, mut inclusive) =
            if prefix > after { (prefix.clone(), true) } else { (after.clone(), false) };
        'pages: loop {
            let Page { objects, next } = self.page(&input.bucket, &from, inclusive, PAGE)?;
            for (key, object) in objects {
                let Some(rest) = key.strip_prefix(&prefix) else {
                    break 'pages;
                };
                let group = delimiter.as_deref().and_then(|delimiter| {
                    let end = rest.find(delimiter)? + delimiter.len();
                    Some(key[..prefix.len() + end].to_owned())
                });
                // Keys of a group that an earlier page already returned.
                if group.as_ref().is_some_and(|group| {
                    groups.contains(group) || after.starts_with(group.as_str())
                }) {
                    last = key;
                    continue;
                }
                if contents.len() + groups.len() == limit {
                    truncated = limit > 0;
                    break 'pages;
                }
                match group {
                    Some(group) => {
                        groups.insert(group);
                    }
                    None => contents.push(Object {
                        e_tag: Some(object.etag()),
                        last_modified: Some(object.last_modified()),
                        size: Some(object.length()),
                        key: Some(key.clone()),
                        ..Default::default()
                    }),
                }
                last = key;
            }
            let Some(next) = next else { break };
            (from, inclusive) = (next, false);
        }

        let is_encoded = input.encoding_type.is_some();
        let encoded = |text: String| if is_encoded { rules::form_encode(&text) } else { text };
        for object in &mut contents {
            object.key = object.key.take().map(encoded);
        }
        let prefixes =
            groups.into_iter().map(|group| CommonPrefix { prefix: Some(encoded(group)) });
        let common_prefixes: Vec<_> = prefixes.collect();
        let key_count = i32::try_from(contents.len() + common_prefixes.len()).ok();
        Ok(ListObjectsV2Output {
            common_prefixes: Some(common_prefixes),
            contents: Some(contents),
            continuation_token: input.continuation_token,
            delimiter: input.delimiter.map(encoded),
            encoding_type: input.encoding_type,
            is_truncated: Some(truncated),
            key_count,
            max_keys: Some(max_keys),
            name: Some(input.bucket),
            next_continuation_token: truncated.then(|| BASE64_STANDARD.encode(last)),
            prefix: input.prefix.map(encoded),
            start_after: input.start_after.map(encoded),
            ..Default::default()
        })
    }
}

fn decode(token: &str) -> S3Result<String> {
    let bytes = BASE64_STANDARD.decode(token).ok();
    let key = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    key.ok_or_else(|| s3_error!(InvalidArgument, "The continuation token provided is incorrect"))
}
