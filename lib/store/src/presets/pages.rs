//! Pages of presets.

use std::collections::HashMap;

use domain::{AccountId, Preset, PresetId};
use futures::{StreamExt, TryStreamExt, stream};

use super::id_of;
use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader},
    keys,
    list::offset_index::List,
};

/// Bytes of a page's presets in a Lambda response (see [`domain::response_size::escaped_len`]). A
/// page ends early rather than exceed this, unless its first preset alone does.
pub const PAGE_BYTES: u64 = 4_000_000;
/// Contents of a page that are read at once.
const AT_ONCE: usize = 10;

/// A page of presets, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetPage {
    /// Its presets.
    pub items: Vec<Preset>,
    /// Whether older presets follow.
    pub has_more: bool,
    /// Whether a search has read as much as it may, and older presets are left.
    pub is_cut_off: bool,
    /// Number of presets that the page covers, if it ends early because of its size.
    pub truncated_at: Option<u32>,
}

/// Whether the index entry has the preset's content.
fn is_whole(entry: &Attributes) -> bool {
    entry.contains_key("bs")
}

/// Bytes of an item's preset in a response.
fn answer_bytes(item: &Attributes) -> Result<u64, StoreError> {
    Ok(ItemReader(item).number("sb")?.unsigned_abs())
}

/// How many items of these sizes fit into a page; at least the first one.
fn fitting(sizes: impl Iterator<Item = u64>) -> usize {
    let mut bytes = 0;
    let fits = |(position, size): &(usize, u64)| {
        bytes += size;
        *position == 0 || bytes <= PAGE_BYTES
    };
    sizes.enumerate().take_while(fits).count()
}

impl Store {
    /// Lists presets, newest first, from `offset`; at most `limit` of them, and fewer if they would
    /// be too large together. With `search`, only those whose name or template title contains it,
    /// ignoring case.
    ///
    /// The index is eventually consistent.
    pub async fn presets(
        &self,
        account: AccountId,
        search: Option<&str>,
        offset: u64,
        limit: u32,
    ) -> Result<PresetPage, StoreError> {
        let mut page = self.entries(List::presets(account), search, offset, limit).await?;
        let asked = page.entries.len();
        let sizes = page.entries.iter().map(answer_bytes).collect::<Result<Vec<_>, _>>()?;
        page.entries.truncate(fitting(sizes.into_iter()));
        let records = self.records_beside(account, &page.entries).await?;
        let entries = page.entries.iter();
        let read: Vec<_> = entries.map(|entry| self.listed(account, entry, &records)).collect();
        let mut found: Vec<_> = stream::iter(read).buffered(AT_ONCE).try_collect().await?;
        // Some may have grown since the index was updated; those that are gone count as covered.
        let size = |found: &Option<(u64, Preset)>| found.as_ref().map_or(0, |(size, _)| *size);
        found.truncate(fitting(found.iter().map(size)));
        let covered = found.len();
        let truncated_at = (covered < asked).then(|| u32::try_from(covered).unwrap_or(limit));
        Ok(PresetPage {
            items: found.into_iter().flatten().map(|(_, preset)| preset).collect(),
            has_more: page.has_more || truncated_at.is_some(),
            is_cut_off: page.is_cut_off && truncated_at.is_none(),
            truncated_at,
        })
    }

    /// The preset of an index entry and its bytes in a response; `None` if it is gone. `records`
    /// has the items of entries without content.
    async fn listed(
        &self,
        account: AccountId,
        entry: &Attributes,
        records: &HashMap<PresetId, Attributes>,
    ) -> Result<Option<(u64, Preset)>, StoreError> {
        let id = id_of(entry)?;
        let record = if is_whole(entry) { Some(entry) } else { records.get(&id) };
        if let Some(record) = record
            && let Some(preset) = self.read_preset(id, record).await?
        {
            return Ok(Some((answer_bytes(record)?, preset)));
        }
        // Neither index nor batch are consistent reads; this one is.
        let found = self.preset_item(account, id).await?;
        found.map(|(item, preset)| Ok((answer_bytes(&item)?, preset))).transpose()
    }

    /// The items of entries without content.
    async fn records_beside(
        &self,
        account: AccountId,
        entries: &[Attributes],
    ) -> Result<HashMap<PresetId, Attributes>, StoreError> {
        let beside = entries.iter().filter(|entry| !is_whole(entry));
        let keys = beside.map(|entry| Ok(keys::preset(account, id_of(entry)?)));
        let records = self.batch_get_with(keys.collect::<Result<_, StoreError>>()?, false).await?;
        records.into_iter().map(|record| Ok((id_of(&record)?, record))).collect()
    }
}
