//! `GET /operations/{id}`

use axum::extract::State;
use domain::OperationId;
use edge::{
    ApiError, Call, Code, Data, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::OperationsRead,
    response::Envelope,
    response::OperationObject,
};
use workflow::task::result_of;

/// Read an operation.
///
/// Poll this until the status is `SUCCEEDED`, `FAILED` or `CANCELLED`. The result is kept for 24
/// hours, the record for 90 days.
#[utoipa::path(
    get, path = "/operations/{id}",
    security(("bearer" = ["operations:read"])),
    params(PathId<OperationId>),
    responses((status = 200, description = "The operation.", body = Envelope<OperationObject>), Errors<code::NotFound>),
)]
pub async fn get_operation(
    State(edge): State<Edge>,
    call: Call<OperationsRead, PathId<OperationId>>,
) -> Result<Data<OperationObject>, ApiError> {
    let find = |account, PathId(id)| async move { Ok(edge.store().operation(account, id).await?) };
    let (_, found) = call.admit_with(find).await?;
    let found = found.ok_or_else(|| ApiError::new(Code::NotFound))?;
    let result = found.body.as_deref().and_then(result_of);
    Ok(Data::new(OperationObject::new(&found.operation, result)))
}
