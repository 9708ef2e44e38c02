//! What a budget bounds.

use std::panic::catch_unwind;

use budget::{Budget, Spent, grant, limited, measured, spend};

fn rounds(number: usize) -> usize {
    (0..number).inspect(|_| spend(1)).count()
}

#[test]
fn what_fits_into_the_budget_is_computed() {
    let mut budget = Budget::of(200_000);
    assert_eq!(budget.pay(|| rounds(200_000)), Ok(200_000));
    assert_eq!(budget.left(), 0);
}

#[test]
fn one_step_more_than_the_budget_ends_the_work() {
    let mut budget = Budget::of(200_000);
    assert_eq!(budget.pay(|| rounds(200_001)), Err(Spent::Steps));
}

#[test]
fn several_computations_share_a_budget() {
    let mut budget = Budget::of(100);
    assert_eq!(budget.pay(|| rounds(60)), Ok(60));
    assert_eq!(budget.left(), 40);
    assert_eq!(budget.pay(|| rounds(60)), Err(Spent::Steps));
}

#[test]
fn work_ends_once_nobody_waits() {
    let mut budget = Budget::of(u64::MAX >> 1);
    let waits = budget.stop_on_drop();
    let result = budget.pay(|| {
        drop(waits);
        rounds(usize::MAX)
    });
    assert_eq!(result, Err(Spent::Stopped));
}

#[test]
fn a_part_that_spends_too_much_leaves_the_rest_to_the_others() {
    let mut budget = Budget::of(1_000_000);
    let result = budget.pay(|| {
        assert_eq!(limited(1_000, || rounds(2_000)), Err(Spent::Steps));
        limited(1_000, || rounds(500))
    });
    assert_eq!(result, Ok(Ok(500)));
    assert_eq!(budget.left(), 1_000_000 - 1_500);
}

#[test]
fn a_part_cannot_spend_more_than_the_whole_has() {
    let mut budget = Budget::of(1_000);
    assert_eq!(budget.pay(|| limited(2_000, || rounds(1_500))), Err(Spent::Steps));
}

#[test]
fn a_part_outside_of_any_budget_has_its_own_limit() {
    assert_eq!(limited(10, || rounds(11)), Err(Spent::Steps));
    assert_eq!(rounds(100_000), 100_000);
}

#[test]
fn a_panic_is_not_taken_for_a_spent_budget() {
    let panicked = catch_unwind(|| Budget::of(10).pay(|| panic!("a defect")));
    assert!(panicked.is_err());
    assert_eq!(rounds(100_000), 100_000, "the thread has no budget any more");
}

#[test]
fn steps_are_counted() {
    assert_eq!(measured(|| rounds(123_456)), (123_456, 123_456));
}

#[test]
fn input_that_comes_in_later_brings_its_steps() {
    let mut budget = Budget::of(1_000);
    let result = budget.pay(|| {
        grant(100_000);
        rounds(100_000)
    });
    assert_eq!(result, Ok(100_000));
    assert_eq!(budget.left(), 1_000);
}
