use std::{sync::Arc, time::Duration};

use domain::{AccountId, Timestamp, library::Shelf};

use super::{ASKED_EVERY, Kept, MOST, ROOM};
use crate::view::View;

fn own(number: usize) -> Shelf {
    Shelf::Own(AccountId::from_bits(number as u128))
}

/// Reads a shelf that takes so many bytes.
fn fill(kept: &Kept, shelf: Shelf, size: usize) {
    let slot = kept.slot(shelf);
    slot.replace(Arc::new(View::of_size(shelf, size)));
    kept.has_grown(&slot);
}

fn is_kept(kept: &Kept, shelf: Shelf) -> bool {
    // A look must not count as a use.
    let slots = super::locked(&kept.0);
    slots.used.get(&shelf).is_some_and(|kept| kept.slot.view().is_some())
}

#[test]
fn the_shelf_that_was_not_used_for_the_longest_time_goes_when_there_is_no_room() {
    let kept = Kept::default();
    (0..4).for_each(|number| fill(&kept, own(number), ROOM / 4));
    assert!((0..4).all(|number| is_kept(&kept, own(number))));
    kept.slot(own(0));
    fill(&kept, own(4), ROOM / 4);
    let there: Vec<_> = (0..5).map(|number| is_kept(&kept, own(number))).collect();
    assert_eq!(there, [true, false, true, true, true]);
    // One that grows takes the room of others, and all of it if it must.
    fill(&kept, own(0), ROOM / 2);
    let there: Vec<_> = (0..5).map(|number| is_kept(&kept, own(number))).collect();
    assert_eq!(there, [true, false, false, true, true]);
    fill(&kept, own(9), 2 * ROOM);
    assert!(is_kept(&kept, own(9)) && !(0..5).any(|number| is_kept(&kept, own(number))));
    fill(&kept, own(9), 1);
    fill(&kept, own(0), ROOM - 1);
    assert!(is_kept(&kept, own(9)) && is_kept(&kept, own(0)), "what it took is given back");
}

#[test]
fn the_public_shelves_stay_whatever_they_take() {
    let kept = Kept::default();
    fill(&kept, Shelf::Community, 9 * ROOM);
    fill(&kept, Shelf::Official, ROOM);
    fill(&kept, own(1), ROOM);
    fill(&kept, own(2), ROOM);
    assert!(is_kept(&kept, Shelf::Community) && is_kept(&kept, Shelf::Official));
    assert!(is_kept(&kept, own(2)) && !is_kept(&kept, own(1)));
}

#[test]
fn so_many_shelves_are_kept_and_no_more_however_small_they_are() {
    let kept = Kept::default();
    (0..MOST + 3).for_each(|number| fill(&kept, own(number), 0));
    let there = (0..MOST + 3).filter(|number| is_kept(&kept, own(*number))).count();
    assert_eq!(there, MOST);
    assert!(!is_kept(&kept, own(0)) && is_kept(&kept, own(MOST + 2)));
}

#[test]
fn a_snapshot_is_asked_for_once_a_while() {
    let slot = Kept::default().slot(Shelf::Community);
    let now = Timestamp::from_millis(1_773_576_000_000);
    assert!(slot.may_ask(now));
    assert!(!slot.may_ask(now + (ASKED_EVERY - Duration::from_millis(1))));
    assert!(slot.may_ask(now + ASKED_EVERY));
}
