//! The query, validated against the parameters that the OpenAPI document shows.

use http::Uri;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use super::{Input, Problems, RawRequest, parameters};

/// Query parameters, validated against their declarations in `T`. Others have no effect, unless they are a misspelling
/// of a declared one: its sender expects an effect.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

fn pairs(uri: &Uri) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned()
}

impl<T: IntoParams + DeserializeOwned + Send + 'static> Input for Query<T> {
    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        parameters::read::<T>("query", pairs(&raw.head.uri), raw.is_declared_only()).map(Self)
    }
}
