//! The history item in a path.

use domain::{HistoryId, HistoryType};
use edge::{ApiError, Code, input::PathParams};
use serde::Deserialize;
use utoipa::IntoParams;

/// A history item.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ItemPath {
    /// Kind of the item.
    #[serde(rename = "type")]
    #[param(inline)]
    kind: HistoryType,
    /// Identifier of the item.
    #[param(min_length = 1, max_length = 191)]
    id: String,
}

/// The identifier in the path. Text that is not an identifier of its kind is not found.
pub fn named(PathParams(path): PathParams<ItemPath>) -> Result<HistoryId, ApiError> {
    HistoryId::parse(path.kind, &path.id).map_err(|_| not_found())
}

/// There is no such item, or it belongs to another account.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}
