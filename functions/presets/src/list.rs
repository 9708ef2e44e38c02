//! `GET /prompt-presets`

use axum::extract::State;
use domain::AccountId;
use edge::{
    ApiError, Call, Data, Edge, input::Query, openapi::CommonErrors,
    permission::PromptsPresetsRead, response::Envelope,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::preset::Preset;

/// Which presets to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only presets whose name or template title contains this, whatever its case.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Presets of a page, at most. **A page may have fewer though more follow**, since it has no more than
    /// 4 MB: go on at `offset` plus the number of `items`, as long as `hasMore` says so.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: u32,
    /// Presets before the page. Behind the last one pages are empty.
    #[serde(default)]
    #[param(minimum = 0, default = 0)]
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
    /// Presets that the page may have. **Less than what was asked for if the page ends early**, since its
    /// presets would be too large for one answer: the next page begins at `offset` plus the number of
    /// `items`.
    limit: u32,
    /// Presets before the page.
    offset: u64,
    /// Whether there are more behind it. This alone tells the last page: one that ends early has fewer
    /// items than were asked for, too.
    has_more: bool,
}

/// List presets.
///
/// Newest first. A page has at most 4 MB of presets as a string within JSON, or a single one, and **ends
/// early** where it would have more: `hasMore` alone tells whether others follow, and the next page begins
/// at `offset` plus the number of `items`.
#[utoipa::path(
    get,
    path = "/prompt-presets",
    operation_id = "listPresets",
    tag = "Presets",
    security(("bearer" = ["prompts:presets:read"])),
    params(ListQuery),
    responses(
        (status = 200, description = "A page of presets.", body = Envelope<PresetPage>),
        CommonErrors,
    ),
)]
pub async fn list_presets(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsRead, Query<ListQuery>>,
) -> Result<Data<PresetPage>, ApiError> {
    let find = |account, Query(query)| page(&edge, account, query);
    let (_, page) = call.admit_with(find).await?;
    Ok(Data::new(page))
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
    })
}
