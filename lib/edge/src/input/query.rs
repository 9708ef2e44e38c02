//! The query, validated against the parameters that the OpenAPI document shows.

use http::Uri;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use super::{Input, Problems, RawRequest, parameters};
use crate::Detail;

/// Query parameters, validated against their declarations in `T`.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

fn pairs(uri: &Uri) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned()
}

/// A problem for each parameter of a query that no operation reads.
pub(crate) fn unknown(uri: &Uri) -> Vec<Detail> {
    pairs(uri).map(|(name, _)| parameters::unknown_parameter("query", &name)).collect()
}

impl<T: IntoParams + DeserializeOwned + Send + 'static> Input for Query<T> {
    const READS_QUERY: bool = true;

    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        parameters::read::<T>("query", pairs(&raw.head.uri)).map(Self)
    }
}
