//! `DELETE /operations/{id}`

use axum::extract::State;
use domain::{OperationId, Status};
use edge::{
    ApiError, Call, Code, Data, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::OperationsCancel,
    response::Envelope,
    response::OperationObject,
};
use store::operations::settlement::Settled;

/// Cancel an operation that has not started.
///
/// Its credits are returned. Once it has started, the response is 409 `operation_not_cancellable`.
#[utoipa::path(
    delete, path = "/operations/{id}",
    security(("bearer" = ["operations:cancel"])),
    params(PathId<OperationId>),
    responses(
        (status = 200, description = "The cancelled operation.", body = Envelope<OperationObject>),
        Errors<(code::NotFound, code::OperationNotCancellable)>,
    ),
)]
pub async fn cancel_operation(
    State(edge): State<Edge>,
    call: Call<OperationsCancel, PathId<OperationId>>,
) -> Result<Data<OperationObject>, ApiError> {
    let store = edge.store();
    let find = |account, PathId(id)| async move { Ok(store.operation_record(account, id).await?) };
    let (_, found) = call.admit_with(find).await?;
    let operation = found.ok_or_else(|| ApiError::new(Code::NotFound))?;
    if operation.status != Status::Pending {
        return Err(ApiError::new(Code::OperationNotCancellable));
    }
    match store.cancel(&operation).await? {
        Settled::Done(cancelled) => Ok(Data::new(OperationObject::new(&cancelled, None))),
        _ => Err(ApiError::new(Code::OperationNotCancellable)),
    }
}
