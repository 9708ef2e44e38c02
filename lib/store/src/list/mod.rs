//! Pages of lists by offset.

pub mod change;
pub mod offset_index;

use crate::{
    Store, StoreError,
    item::{Attributes, text},
    keys::{self, LIST},
    list::offset_index::{CAPACITY, List, PagePosition, ScanStart, lowest_unique},
};

/// Entries that a search reads with its first call. Each further call reads twice as many, so that a search which
/// matches soon reads little, and one which matches nothing makes few calls.
const FIRST_READ: i32 = 200;
/// Entries that one call of a search reads at most: somewhat less than the 1 MB that DynamoDB reads at once.
const LARGEST_READ: i32 = 1_000;
/// Entries that a search reads at most: as many presets as a plan allows. Older ones are not searched.
pub const SEARCHED_ENTRIES: i32 = 20_000;

/// A page as read from the index.
pub(crate) struct Entries {
    /// The index entries of its items, newest first.
    pub entries: Vec<Attributes>,
    /// Whether older items follow.
    pub has_more: bool,
    /// Whether a search has read as much as it may, and older entries are left.
    pub is_cut_off: bool,
}

/// A text as search compares it, without case.
///
/// Each character is folded by itself, so that a part of a text is folded as it is within the
/// whole: a final sigma like any other, and the dotted capital I like a plain one.
pub fn case_folded(text: &str) -> String {
    let mut case_folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'ς' => case_folded.push('σ'),
            // The dot that "İ" leaves behind in lower case.
            '\u{307}' if case_folded.ends_with('i') => {}
            c => case_folded.push(c),
        }
    }
    case_folded
}

impl Store {
    /// Entries of a list, newest first, from `offset`; at most `limit` of them. With `search`, only
    /// those whose case-folded texts (`tl`, `el`) contain it, ignoring case: then all newer entries
    /// are read as well, [`SEARCHED_ENTRIES`] at most.
    ///
    /// The index is eventually consistent.
    pub(crate) async fn entries(
        &self,
        list: List,
        search: Option<&str>,
        offset: u64,
        limit: u32,
    ) -> Result<Entries, StoreError> {
        // One more than the page shows whether there is another page.
        let wanted = u64::from(limit) + 1;
        let mut location = PagePosition { begin: ScanStart::Newest, skip: offset, count: wanted };
        // For a low offset, reading the skipped entries costs less than reading the offset index.
        if search.is_none()
            && location.skip > CAPACITY / 2
            && let Some(offset_index) = self.offset_index(list).await?
        {
            match offset_index.locate(location.skip, wanted) {
                Some(found) => location = found,
                None => {
                    return Ok(Entries { entries: Vec::new(), has_more: false, is_cut_off: false });
                }
            }
        }
        let newest_first = !matches!(location.begin, ScanStart::From(_));
        let mut to_skip = usize::try_from(location.skip).unwrap_or(usize::MAX);
        let wanted = usize::try_from(location.count).unwrap_or(usize::MAX);
        let mut entries = Vec::new();
        let mut begin = None;
        let mut read = FIRST_READ;
        // One more shows whether others are left.
        let mut left = SEARCHED_ENTRIES + 1;
        let is_cut_off = loop {
            let mut query = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .index_name(LIST)
                .expression_attribute_values(
                    ":pk",
                    text(keys::list_partition(list.account, list.code)),
                )
                .scan_index_forward(!newest_first)
                .set_exclusive_start_key(begin);
            query = match location.begin {
                ScanStart::Newest => query.key_condition_expression("lp = :pk"),
                ScanStart::Below(key) => query
                    .key_condition_expression("lp = :pk AND ls < :key")
                    .expression_attribute_values(":key", text(lowest_unique(key))),
                ScanStart::From(key) => query
                    .key_condition_expression("lp = :pk AND ls >= :key")
                    .expression_attribute_values(":key", text(lowest_unique(key))),
            };
            query = match search {
                Some(search) => query
                    .filter_expression("contains(tl, :search) OR contains(el, :search)")
                    .expression_attribute_values(":search", text(case_folded(search)))
                    .limit(read.min(left)),
                None => {
                    let left = to_skip.saturating_add(wanted - entries.len());
                    query.limit(i32::try_from(left).unwrap_or(i32::MAX))
                }
            };
            read = LARGEST_READ.min(read * 2);
            let answer =
                query.send().await.map_err(|error| StoreError::unavailable("table", error))?;
            left -= answer.scanned_count;
            let mut found = answer.items.unwrap_or_default();
            let skipped = to_skip.min(found.len());
            to_skip -= skipped;
            entries.extend(found.drain(skipped..));
            begin = answer.last_evaluated_key;
            if begin.is_none() || entries.len() >= wanted {
                break false;
            }
            if search.is_some() && left <= 0 {
                break true;
            }
        };
        if !newest_first {
            entries.reverse();
        }
        let has_more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        Ok(Entries { entries, has_more, is_cut_off })
    }
}
