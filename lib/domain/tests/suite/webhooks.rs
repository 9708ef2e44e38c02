//! Retries, kinds and identifiers of webhooks.

use std::{collections::BTreeSet, time::Duration};

use domain::{
    AccountId, DeliveryId, EndpointId, EventId, EventKind, EventKinds, OperationId, Timestamp,
    webhook::{RETRY_PAUSES, UsageThreshold, retry_pause},
};

#[test]
fn ten_attempts_are_made_within_75_hours() {
    let seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    assert_eq!(RETRY_PAUSES.map(|pause| pause.as_secs()), seconds);
    let total: Duration = RETRY_PAUSES.iter().sum();
    assert_eq!(total.as_secs(), 75 * 3_600 + 35 * 60 + 5);
    for (attempt, pause) in (1..).zip(RETRY_PAUSES) {
        let at = |roll| retry_pause(attempt, None, roll).expect("another attempt");
        assert!(at(0).abs_diff(pause.mul_f64(0.8)) < Duration::from_millis(1));
        assert!(at(u16::MAX).abs_diff(pause.mul_f64(1.2)) < Duration::from_millis(1));
        assert!(at(1_000) < at(60_000));
    }
    assert_eq!(retry_pause(10, None, 0), None);
    assert_eq!(retry_pause(10, Some(Duration::from_secs(9)), 0), None);
    assert_eq!(retry_pause(0, None, 0), None);
}

#[test]
fn a_receiver_may_ask_for_a_pause_between_once_and_twice_the_usual_one() {
    let asked = |seconds| retry_pause(2, Some(Duration::from_secs(seconds)), 7);
    for (seconds, given) in [(0, 300), (299, 300), (300, 300), (450, 450), (600, 600), (601, 600)] {
        assert_eq!(asked(seconds), Some(Duration::from_secs(given)), "{seconds}");
    }
}

#[test]
fn names_of_kinds_are_those_that_they_are_written_with() {
    for kind in EventKind::ALL {
        assert_eq!(serde_json::to_value(kind).expect("JSON"), kind.as_str());
        assert_eq!(EventKinds::from_iter([kind]).iter().collect::<Vec<_>>(), [kind]);
    }
    assert_eq!(EventKinds::ALL.iter().count(), EventKind::ALL.len());
    assert_eq!(EventKinds::from_bits(u32::MAX), EventKinds::ALL);
}

#[test]
fn seven_kinds_of_event_report_thresholds_of_two_resources() {
    let names = EventKind::ALL.map(EventKind::as_str);
    let usage = names.iter().filter(|name| name.starts_with("usage."));
    assert_eq!((names.len(), usage.count()), (7, 2));
    let at = |limit| UsageThreshold::ALL.map(|threshold| threshold.of(limit));
    assert_eq!(at(20), [16, 20, 16, 20]);
    assert_eq!(at(101), [81, 101, 81, 101], "rounded up");
    assert_eq!(at(u64::MAX)[1], u64::MAX);
    assert!(at(u64::MAX)[0] < u64::MAX / 10 * 9);
}

#[test]
fn identifiers_follow_from_what_they_are_about_and_differ_otherwise() {
    let operation = OperationId::from_bits(0x0198_0000_0001_u128 << 80 | 77);
    let account = AccountId::from_bits(0x0198_0000_0002_u128 << 80 | 78);
    let march = Timestamp::from_millis(1_772_323_200_000);
    let mut events = BTreeSet::new();
    for kind in EventKind::ALL {
        events.insert(EventId::of_operation(operation, kind));
        for version in [1, 2, 300] {
            events.insert(EventId::of_library_item(operation.bits(), version << 8, kind));
        }
    }
    for threshold in UsageThreshold::ALL {
        events.insert(EventId::of_usage(account, march, threshold));
        events.insert(EventId::of_usage(account, march.next_month_start(), threshold));
    }
    assert_eq!(events.len(), EventKind::ALL.len() * 4 + UsageThreshold::ALL.len() * 2);
    let kind = EventKind::OperationSucceeded;
    let event = EventId::of_operation(operation, kind);
    assert_eq!(event, EventId::of_operation(operation, kind));
    assert_eq!(event.created_at(), operation.created_at(), "they sort like operations");
    assert_eq!(EventId::of_usage(account, march, UsageThreshold::ALL[0]).created_at(), march);
    let endpoints = [5, 6].map(|random| EndpointId::from_bits(1 << 80 | random));
    let deliveries = endpoints.map(|endpoint| DeliveryId::of(event, endpoint));
    assert_ne!(deliveries[0], deliveries[1]);
    assert_eq!(deliveries[0].created_at(), event.created_at());
}
