//! `GET /operations`

use axum::extract::State;
use domain::{AccountId, Kind, OperationId, Status};
use edge::{
    ApiError, Call, Data, Edge, Sent,
    input::Query,
    input::cursor::{self, Binding},
    permission::OperationsRead,
    response::Envelope,
    response::OperationObject,
};
use serde::{Deserialize, Serialize};
use store::operations::list::{Active, Filter, PageQuery};
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
    let (edge, counted_at) = (&edge, call.arrived());
    let call = call.check(|sent| {
        let Sent { account, content, .. } = sent;
        let status = Status::deserialize(&content["status"]).ok();
        let name = name(status, content["kind"].as_str());
        let cursor = content["cursor"].as_str();
        position(edge, Binding { account: *account, list: &name }, cursor).err()
    });
    let (caller, (list, found)) = call
        .admit_with(|account, Query(list)| async move {
            let found = match page_query(edge, account, &list)? {
                Some((query, left)) => Some((query, left, edge.store().operations(query).await?)),
                None => None,
            };
            Ok((list, found))
        })
        .await?;
    let Some((query, left, page)) = found else {
        return Ok(Data::new(OperationPage { items: Vec::new(), next_cursor: None }));
    };
    let count = left.min(caller.admission.credits.running);
    let page = edge.store().add_active(query, page, Active { count, counted_at }).await?;
    let name = list.name();
    let binding = Binding { account: query.account, list: &name };
    let next_cursor = page.next.map(|next| {
        let position = format!("{}{}", next.unique(), page.active_left);
        cursor::encode(edge.secrets(), binding, position.as_bytes())
    });
    let items = page.operations.iter().map(OperationObject::listed).collect();
    Ok(Data::new(OperationPage { items, next_cursor }))
}

impl ListQuery {
    fn name(&self) -> String {
        name(self.status, self.kind.as_deref())
    }
}

/// What a cursor of a list with these filters is bound to.
fn name(status: Option<Status>, kind: Option<&str>) -> String {
    format!("operations {status:?} {kind:?}")
}

/// The page to read, and how many operations have not ended there and on the next ones, at most; `None` if nothing is
/// of that kind.
fn page_query(
    edge: &Edge,
    account: AccountId,
    list: &ListQuery,
) -> Result<Option<(PageQuery, u32)>, ApiError> {
    let binding = Binding { account, list: &list.name() };
    let position = position(edge, binding, list.cursor.as_deref())?;
    let kind = list.kind.as_deref().map(Kind::named);
    if kind == Some(None) {
        return Ok(None);
    }
    let filter = Filter { status: list.status, kind: kind.flatten() };
    let (before, left) = match position {
        Some((before, left)) => (Some(before), left),
        None => (None, u32::MAX),
    };
    Ok(Some((PageQuery { account, filter, before, limit: list.limit }, left)))
}

/// The last operation of the page before, and how many of the older ones have not ended.
fn position(
    edge: &Edge,
    binding: Binding<'_>,
    cursor: Option<&str>,
) -> Result<Option<(OperationId, u32)>, ApiError> {
    let Some(cursor) = cursor else { return Ok(None) };
    let position = cursor::decode(edge.secrets(), binding, cursor)?;
    let read = || {
        let position = str::from_utf8(&position).ok()?;
        let (unique, left) = position.split_at_checked(OperationId::UNIQUE_CHARS)?;
        // Cursors of earlier versions end here.
        Some((OperationId::from_unique(unique).ok()?, left.parse().unwrap_or(u32::MAX)))
    };
    read().map(Some).ok_or_else(cursor::foreign)
}
