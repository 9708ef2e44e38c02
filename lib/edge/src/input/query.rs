//! The query, validated against the parameters that the OpenAPI document shows.

use http::request::Parts;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use super::{
    DeclaredOnly, Input, RawRequest,
    parameters::{self, Given},
};
use crate::ApiError;

/// Query parameters, validated against their declarations in `T`. Others have no effect, unless they are a misspelling
/// of a declared one: its sender expects an effect.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

fn pairs(head: &Parts) -> Vec<(String, Given)> {
    if let Some(DeclaredOnly { query }) = head.extensions.get() {
        let values = query.iter();
        return values.map(|(name, value)| (name.clone(), Given::Json(value.clone()))).collect();
    }
    let query = head.uri.query().unwrap_or_default().as_bytes();
    let texts = form_urlencoded::parse(query).into_owned();
    texts.map(|(name, text)| (name, Given::Text(text))).collect()
}

impl<T: IntoParams + DeserializeOwned + Send + 'static> Input for Query<T> {
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        let pairs = pairs(&raw.head).into_iter();
        let (content, query) = parameters::read::<T>("query", pairs);
        raw.content = content;
        query.map(Self)
    }
}
