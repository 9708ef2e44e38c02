//! `GET /operations`

use axum::extract::State;
use domain::{AccountId, Kind, OperationId, Status};
use edge::{
    ApiError, Call, Code, Data, Detail, Edge,
    input::Query,
    input::cursor::{self, Binding},
    permission::OperationsRead,
    response::Envelope,
    response::OperationObject,
};
use serde::{Deserialize, Serialize};
use store::operations::Filter;
use utoipa::{IntoParams, ToSchema};

/// Which operations to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only operations with this status.
    #[param(inline)]
    status: Option<Status>,
    /// Only operations of exactly this kind, for example `generatePrompt`.
    #[param(max_length = 100)]
    kind: Option<String>,
    /// Maximum number of operations in the page.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: u32,
    /// The `nextCursor` of the previous page, which must have had the same filters.
    #[param(pattern = "^[A-Za-z0-9_-]{24,100}$")]
    cursor: Option<String>,
}

fn default_limit() -> u32 {
    25
}

/// A page of operations, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationPage {
    /// The operations, without their results.
    items: Vec<OperationObject>,
    /// The `cursor` of the next page; null on the last one.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// List operations.
///
/// AI operations, newest first. Without a filter, the list has every operation that was started before. With `status`
/// or `kind`, it can lag behind by up to a second: `GET /operations/{id}` never does.
#[utoipa::path(
    get, path = "/operations",
    security(("bearer" = ["operations:read"])),
    params(ListQuery),
    responses((status = 200, description = "A page of operations.", body = Envelope<OperationPage>)),
)]
pub async fn list_operations(
    State(edge): State<Edge>,
    call: Call<OperationsRead, Query<ListQuery>>,
) -> Result<Data<OperationPage>, ApiError> {
    let (_, page) = call.admit_with(|account, Query(query)| page(&edge, account, query)).await?;
    Ok(Data::new(page))
}

async fn page(
    edge: &Edge,
    account: AccountId,
    query: ListQuery,
) -> Result<OperationPage, ApiError> {
    let list = format!("operations {:?} {:?}", query.status, query.kind);
    let binding = Binding { account, list: &list };
    let before = query.cursor.as_deref().map(|text| position(edge, binding, text)).transpose();
    let before =
        before.map_err(|detail| ApiError::new(Code::InvalidRequest).with_details(vec![detail]))?;
    let kind = query.kind.as_deref().map(Kind::named);
    if kind == Some(None) {
        return Ok(OperationPage { items: Vec::new(), next_cursor: None });
    }
    let filter = Filter { status: query.status, kind: kind.flatten() };
    // One more than the page shows whether there is another page.
    let mut found = edge.store().operations(account, filter, before, query.limit + 1).await?;
    let more = found.len() > query.limit as usize;
    found.truncate(query.limit as usize);
    let last = found.last().filter(|_| more);
    let next_cursor =
        last.map(|last| cursor::encode(edge.secrets(), binding, last.id.unique().as_bytes()));
    let items = found.iter().map(OperationObject::listed).collect();
    Ok(OperationPage { items, next_cursor })
}

fn position(edge: &Edge, binding: Binding<'_>, text: &str) -> Result<OperationId, Detail> {
    let unique = cursor::decode(edge.secrets(), binding, text)?;
    std::str::from_utf8(&unique)
        .ok()
        .and_then(|unique| OperationId::from_unique(unique).ok())
        .ok_or_else(|| Detail::new("query.cursor", "is not a cursor of this list"))
}
