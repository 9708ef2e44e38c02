use std::{sync::Arc, time::Duration};

use domain::{AccountId, Timestamp, library::Listing};

use super::{MAX_BYTES, MAX_ENTRIES, REQUEST_INTERVAL, SearcherCache};
use crate::searcher::Searcher;

fn own(number: usize) -> Listing {
    Listing::Own(AccountId::from_bits(number as u128))
}

/// Loads a listing of this many bytes.
fn fill(entry: &SearcherCache, listing: Listing, size: usize) {
    let slot = entry.slot(listing);
    slot.replace(Arc::new(Searcher::of_size(listing, size)));
    entry.evict_if_full(&slot);
}

fn is_kept(entry: &SearcherCache, listing: Listing) -> bool {
    // This check must not count as a use.
    let slots = super::locked(&entry.0);
    slots.used.get(&listing).is_some_and(|entry| entry.slot.searcher().is_some())
}

#[test]
fn the_listing_that_was_not_used_for_the_longest_time_goes_when_there_is_no_room() {
    let entry = SearcherCache::default();
    (0..4).for_each(|number| fill(&entry, own(number), MAX_BYTES / 4));
    assert!((0..4).all(|number| is_kept(&entry, own(number))));
    entry.slot(own(0));
    fill(&entry, own(4), MAX_BYTES / 4);
    let there: Vec<_> = (0..5).map(|number| is_kept(&entry, own(number))).collect();
    assert_eq!(there, [true, false, true, true, true]);
    // A listing that grows evicts others, and all of them if necessary.
    fill(&entry, own(0), MAX_BYTES / 2);
    let there: Vec<_> = (0..5).map(|number| is_kept(&entry, own(number))).collect();
    assert_eq!(there, [true, false, false, true, true]);
    fill(&entry, own(9), 2 * MAX_BYTES);
    assert!(is_kept(&entry, own(9)) && !(0..5).any(|number| is_kept(&entry, own(number))));
    fill(&entry, own(9), 1);
    fill(&entry, own(0), MAX_BYTES - 1);
    assert!(is_kept(&entry, own(9)) && is_kept(&entry, own(0)), "what it took is given back");
}

#[test]
fn the_public_listings_stay_at_any_size() {
    let entry = SearcherCache::default();
    fill(&entry, Listing::Community, 9 * MAX_BYTES);
    fill(&entry, Listing::Official, MAX_BYTES);
    fill(&entry, own(1), MAX_BYTES);
    fill(&entry, own(2), MAX_BYTES);
    assert!(is_kept(&entry, Listing::Community) && is_kept(&entry, Listing::Official));
    assert!(is_kept(&entry, own(2)) && !is_kept(&entry, own(1)));
}

#[test]
fn so_many_listings_are_kept_and_no_more_however_small_they_are() {
    let entry = SearcherCache::default();
    (0..MAX_ENTRIES + 3).for_each(|number| fill(&entry, own(number), 0));
    let there = (0..MAX_ENTRIES + 3).filter(|number| is_kept(&entry, own(*number))).count();
    assert_eq!(there, MAX_ENTRIES);
    assert!(!is_kept(&entry, own(0)) && is_kept(&entry, own(MAX_ENTRIES + 2)));
}

#[test]
fn a_snapshot_is_asked_for_once_a_while() {
    let slot = SearcherCache::default().slot(Listing::Community);
    let now = Timestamp::from_millis(1_773_576_000_000);
    assert!(slot.may_request_compaction(now));
    assert!(!slot.may_request_compaction(now + (REQUEST_INTERVAL - Duration::from_millis(1))));
    assert!(slot.may_request_compaction(now + REQUEST_INTERVAL));
}
