//! `GET /prompt-presets`

use axum::extract::State;
use domain::AccountId;
use edge::{
    ApiError, Call, Data, Edge, input::Query, permission::PromptsPresetsRead, response::Envelope,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::preset::Preset;

/// Which presets to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only presets whose name or template title contains this text, ignoring case.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Maximum number of presets in the page. **A page may have fewer although more follow**: continue at `offset`
    /// plus the number of `items` while `hasMore` is true.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: u32,
    /// Number of presets before the page.
    #[serde(default)]
    #[param(minimum = 0, maximum = 9223372036854775807_i64, default = 0)]
    offset: u64,
}

fn default_limit() -> u32 {
    25
}

/// A page of presets, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PresetPage {
    /// The presets.
    items: Vec<Preset>,
    /// Maximum number of presets in the page. **Less than requested if the page ends early**
    /// because of its size: the next page begins at `offset` plus the number of `items`.
    limit: u32,
    /// Number of presets before the page.
    offset: u64,
    /// Whether more presets follow. Only this shows the last page: a page that ends early also has
    /// fewer items than requested.
    has_more: bool,
    /// `false` if only the newest 20,000 were searched.
    searched_all: bool,
}

async fn page(edge: &Edge, account: AccountId, query: ListQuery) -> Result<PresetPage, ApiError> {
    let ListQuery { search, limit, offset } = query;
    let search = search.as_deref().filter(|search| !search.is_empty());
    let found = edge.store().presets(account, search, offset, limit).await?;
    Ok(PresetPage {
        limit: found.truncated_at.unwrap_or(limit),
        items: found.items.into_iter().map(Preset::from).collect(),
        offset,
        has_more: found.has_more,
        searched_all: !found.is_cut_off,
    })
}

/// List presets.
///
/// Newest first. A page has at most 4 MB of presets, counted as a JSON string, or a single larger
/// one. It **ends early** if it would have more: only `hasMore` shows whether others follow. The list can lag behind a
/// change by up to a second: `GET /prompt-presets/{id}` never does.
#[utoipa::path(
    get, path = "/prompt-presets",
    security(("bearer" = ["prompts:presets:read"])),
    params(ListQuery),
    responses((status = 200, description = "A page of presets.", body = Envelope<PresetPage>)),
)]
pub async fn list_presets(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsRead, Query<ListQuery>>,
) -> Result<Data<PresetPage>, ApiError> {
    let (_, page) = call.admit_with(|account, Query(query)| page(&edge, account, query)).await?;
    Ok(Data::new(page))
}
