//! `GET /history`

use axum::extract::State;
use domain::{AccountId, HistoryType};
use edge::{ApiError, Call, Data, Edge, input::Query, permission::HistoryRead, response::Envelope};
use serde::{Deserialize, Serialize};
use utoipa::{
    IntoParams, ToSchema,
    openapi::{Object, ObjectBuilder, Type},
};
use workflow::history::HistoryEntry;

/// Which items to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Kind of the items.
    #[serde(rename = "type", default)]
    #[param(schema_with = types)]
    kind: HistoryType,
    /// Only items whose title or excerpt contains this text, ignoring case.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Maximum number of items in the page.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: u32,
    /// Number of items before the page.
    #[serde(default)]
    #[param(minimum = 0, maximum = 9223372036854775807_i64, default = 0)]
    offset: u64,
}

/// The schema of the types, with the default.
fn types() -> Object {
    let names = HistoryType::ALL.map(HistoryType::as_str);
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("Kind of the items."))
        .enum_values(Some(names))
        .default(Some(HistoryType::default().as_str().into()))
        .build()
}

fn default_limit() -> u32 {
    25
}

/// A page of history items, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// The items.
    items: Vec<HistoryEntry>,
    /// Maximum number of items in the page.
    limit: u32,
    /// Number of items before the page.
    offset: u64,
    /// Whether more items follow.
    has_more: bool,
    /// `false` if only the newest 20,000 were searched.
    searched_all: bool,
}

async fn page(edge: &Edge, account: AccountId, query: ListQuery) -> Result<HistoryPage, ApiError> {
    let ListQuery { kind, search, limit, offset } = query;
    let search = search.as_deref().filter(|search| !search.is_empty());
    let found = edge.store().histories(account, kind, search, offset, limit).await?;
    let items = found.items.iter().map(HistoryEntry::from).collect();
    let (has_more, searched_all) = (found.has_more, !found.is_cut_off);
    Ok(HistoryPage { items, limit, offset, has_more, searched_all })
}

/// List history.
///
/// Items of one type, newest first. The list can lag behind an operation, a change or a deletion by up to a second:
/// `GET /history/{type}/{id}` never does.
#[utoipa::path(
    get, path = "/history",
    security(("bearer" = ["history:read"])),
    params(ListQuery),
    responses((status = 200, description = "A page of history items.", body = Envelope<HistoryPage>)),
)]
pub async fn list_history(
    State(edge): State<Edge>,
    call: Call<HistoryRead, Query<ListQuery>>,
) -> Result<Data<HistoryPage>, ApiError> {
    let (_, page) = call.admit_with(|account, Query(query)| page(&edge, account, query)).await?;
    Ok(Data::new(page))
}
