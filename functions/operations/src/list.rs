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
use store::operations::list::{Filter, PageQuery};
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
    /// The `cursor` of the next page; null on the last one. With a filter, others may be short, too.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// List operations.
///
/// AI operations, newest first. With `status` or `kind`, the list can lag behind by up to a second; without, it has
/// every operation that was started before.
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
    let edge = &edge;
    let (caller, (list, found)) = call
        .admit_with(|account, Query(list)| async move {
            let found = match page_query(edge, account, &list)? {
                Some(query) => Some((query, edge.store().operations(query).await?)),
                None => None,
            };
            Ok((list, found))
        })
        .await?;
    let Some((query, page)) = found else {
        return Ok(Data::new(OperationPage { items: Vec::new(), next_cursor: None }));
    };
    let active = caller.admission.credits.running;
    let page = edge.store().add_active(query, page, active).await?;
    let name = list.name();
    let binding = Binding { account: query.account, list: &name };
    let next_cursor =
        page.next.map(|next| cursor::encode(edge.secrets(), binding, next.unique().as_bytes()));
    let items = page.operations.iter().map(OperationObject::listed).collect();
    Ok(Data::new(OperationPage { items, next_cursor }))
}

impl ListQuery {
    /// What a cursor of this list is bound to.
    fn name(&self) -> String {
        format!("operations {:?} {:?}", self.status, self.kind)
    }
}

/// The page to read; `None` if nothing is of that kind.
fn page_query(
    edge: &Edge,
    account: AccountId,
    list: &ListQuery,
) -> Result<Option<PageQuery>, ApiError> {
    let binding = Binding { account, list: &list.name() };
    let before = list.cursor.as_deref().map(|text| position(edge, binding, text)).transpose();
    let before =
        before.map_err(|detail| ApiError::new(Code::InvalidRequest).with_details(vec![detail]))?;
    let kind = list.kind.as_deref().map(Kind::named);
    if kind == Some(None) {
        return Ok(None);
    }
    let filter = Filter { status: list.status, kind: kind.flatten() };
    Ok(Some(PageQuery { account, filter, before, limit: list.limit }))
}

fn position(edge: &Edge, binding: Binding<'_>, text: &str) -> Result<OperationId, Detail> {
    let unique = cursor::decode(edge.secrets(), binding, text)?;
    std::str::from_utf8(&unique)
        .ok()
        .and_then(|unique| OperationId::from_unique(unique).ok())
        .ok_or_else(|| Detail::new("query.cursor", "is not a cursor of this list"))
}
