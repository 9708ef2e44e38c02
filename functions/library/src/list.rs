//! `GET /library/items`

use std::collections::HashSet;

use axum::extract::State;
use domain::{
    AccountId, LibraryId,
    library::{Item, Listing},
};
use edge::{
    ApiError, Call, Data,
    input::Query,
    openapi::{Errors, code},
    permission::LibraryRead,
    response::Envelope,
};
use engine::TargetModel;
use futures::future::try_join_all;
use library_search::LibraryIndex;
use search_index::{Query as Search, Sort as Order};
use serde::{Deserialize, Serialize};
use store::library::{Precision, ReactionKind};
use utoipa::{
    IntoParams, ToSchema,
    openapi::{Object, ObjectBuilder, Type},
};

use crate::{Library, item::LibraryItem};

/// Filters and order of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    #[serde(default)]
    #[param(schema_with = scopes)]
    scope: Scope,
    /// Words that an item must have in its title, description, category or prompt, all of them,
    /// ignoring case and accents. The last word also matches as a prefix.
    #[serde(default)]
    #[param(max_length = 200)]
    query: String,
    /// The exact category.
    #[param(max_length = 120)]
    category: Option<String>,
    /// Names of target models, separated by commas; an item must recommend at least one of them.
    #[serde(default)]
    #[param(inline, style = Form, explode = false, required = false)]
    models: Vec<TargetModel>,
    #[serde(default)]
    #[param(schema_with = sorts)]
    sort: Sort,
    /// Number of the page, from 1.
    #[serde(default = "first")]
    #[param(minimum = 1, maximum = 9223372036854775807_i64, default = 1)]
    page: u64,
    /// Most items per page.
    #[serde(default = "full")]
    #[param(minimum = 1, maximum = 30, default = 30)]
    page_size: u32,
}

const fn first() -> u64 {
    1
}

const fn full() -> u32 {
    30
}

/// The listing.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scope {
    #[default]
    My,
    Community,
    Official,
    Saved,
    Upvoted,
}

impl Scope {
    fn shows(self, item: &Item) -> bool {
        match self {
            Scope::My | Scope::Saved | Scope::Upvoted => true,
            Scope::Community => item.is_listed_in(Listing::Community),
            Scope::Official => item.is_listed_in(Listing::Official),
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sort {
    #[default]
    Recent,
    Top,
}

fn choice(description: &'static str, values: &'static [&'static str]) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(values.iter().copied()))
        .default(values.first().map(|value| (*value).into()))
        .build()
}

fn scopes() -> Object {
    choice(
        "Your own items, those of the community or of the operator, or those that you saved or voted for.",
        &["my", "community", "official", "saved", "upvoted"],
    )
}

fn sorts() -> Object {
    choice(
        "Newest first (your own by creation, others by publication), or most votes first.",
        &["recent", "top"],
    )
}

/// A page of items.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LibraryPage {
    /// The items, in order.
    items: Vec<LibraryItem>,
    /// Number of the page, from 1.
    page: u64,
    /// Most items per page.
    page_size: u32,
    /// Whether another page follows.
    has_more: bool,
    /// Number of items on all pages.
    total: u64,
}

/// List library items.
///
/// Your own items, those of the community, the official ones, or those that you saved or voted for
/// and can still see. With `sort=top`, the items with the most votes come first. Changes of items appear at once, also
/// those of others. Counts have every reaction that is more than a second old, the order by votes has those of two
/// seconds ago.
#[utoipa::path(
    get, path = "/library/items",
    security(("bearer" = ["library:read"])),
    params(ListQuery),
    responses(
        (status = 200, description = "A page of items.", body = Envelope<LibraryPage>),
        Errors<code::ContentTooLarge>,
    ),
)]
pub async fn list_library_items(
    State(library): State<Library>,
    call: Call<LibraryRead, Query<ListQuery>>,
) -> Result<Data<LibraryPage>, ApiError> {
    let (_, page) = call.admit_with(|account, Query(query)| page(&library, account, query)).await?;
    Ok(Data::new(page))
}

/// The result of a search.
struct Found {
    ids: Vec<LibraryId>,
    has_more: bool,
    total: u64,
}

async fn page(
    Library { edge, index, .. }: &Library,
    account: AccountId,
    query: ListQuery,
) -> Result<LibraryPage, ApiError> {
    let ListQuery { scope, page, page_size, .. } = query;
    let has_no_terms =
        !query.query.trim().is_empty() && search_index::tokenize(&query.query).is_empty();
    let search = query.search(index);
    let found = match scope {
        // Punctuation is not indexed: return nothing rather than everything.
        _ if has_no_terms => Found { ids: Vec::new(), has_more: false, total: 0 },
        Scope::My => on(index, Listing::Own(account), &search).await?,
        Scope::Community => on(index, Listing::Community, &search).await?,
        Scope::Official => on(index, Listing::Official, &search).await?,
        Scope::Saved => {
            let ids = edge.store().items_reacted_to(account, ReactionKind::Save).await?;
            search_subset(index, account, &search, &ids).await?
        }
        Scope::Upvoted => {
            let ids = edge.store().items_reacted_to(account, ReactionKind::Vote).await?;
            search_subset(index, account, &search, &ids).await?
        }
    };
    let mut summaries =
        edge.store().library_summaries(account, &found.ids, Precision::Recent).await?;
    // Items that left the listing since the search.
    summaries.retain(|summary| scope.shows(&summary.item));
    Ok(LibraryPage {
        items: summaries.into_iter().map(|summary| LibraryItem::new(account, summary)).collect(),
        page,
        page_size,
        has_more: found.has_more,
        total: found.total,
    })
}

impl ListQuery {
    fn search(self, index: &LibraryIndex) -> Search {
        Search {
            words: self.query,
            category: self.category.filter(|category| !category.is_empty()),
            models: index.bits(self.models.iter().map(|model| model.as_str())),
            sort: match self.sort {
                Sort::Recent => Order::Recent,
                Sort::Top => Order::Top,
            },
            // A page number beyond u32 has no items.
            page: u32::try_from(self.page).unwrap_or(u32::MAX),
            page_size: self.page_size,
        }
    }
}

/// A page of one listing.
async fn on(index: &LibraryIndex, listing: Listing, search: &Search) -> Result<Found, ApiError> {
    let page = index.search(listing, search).await?;
    let ids = page.ids.into_iter().map(LibraryId::from_bits).collect();
    Ok(Found { ids, has_more: page.has_more, total: page.total })
}

/// A page of those of `ids` that the account can see, in any listing.
async fn search_subset(
    index: &LibraryIndex,
    account: AccountId,
    search: &Search,
    ids: &[LibraryId],
) -> Result<Found, ApiError> {
    let visible = [Listing::Own(account), Listing::Community, Listing::Official];
    let searches = visible.map(|listing| index.among(listing, search, ids));
    let mut hits: Vec<_> = try_join_all(searches).await?.into_iter().flatten().collect();
    hits.sort_unstable();
    // A published item of the account is in two listings.
    let mut seen = HashSet::new();
    hits.retain(|hit| seen.insert(hit.id));
    let total = hits.len();
    let size = search.page_size as usize;
    let offset = (search.page.max(1) as usize - 1).saturating_mul(size);
    let ids = hits.iter().skip(offset).take(size).map(|hit| hit.id);
    Ok(Found {
        ids: ids.collect(),
        has_more: offset.saturating_add(size) < total,
        total: total as u64,
    })
}
