//! Cursors of lists.

use rmcp::{ErrorData, model::PaginatedRequestParams};

/// A list of a single page has no cursors, so that every cursor is invalid.
pub(crate) fn reject_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(invalid_cursor()),
    }
}

/// A cursor that does not belong to its list.
pub(crate) fn invalid_cursor() -> ErrorData {
    ErrorData::invalid_params("The cursor does not belong to this list.", None)
}
