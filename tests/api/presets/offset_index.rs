//! Lists far longer than a page: what a page costs, and that it is the right one.

use std::time::Duration;

use acceptance::{
    Account, World,
    pages::{expected, ids},
};
use domain::{
    Plan, Preset, PresetId,
    preset::{Content, Values},
};
use edge::runtime::SystemRandom;
use serde_json::Value;
use store::{
    accounts::storage::{Quotas, Storage},
    admission::Limits,
    keys,
    list::offset_index::{List, OffsetIndex},
};

use super::PRESETS;

/// Presets of the large list.
const MANY: usize = 10_000;
/// What lies between two of them.
const PACE: Duration = Duration::from_millis(7);

fn preset(world: &World, number: usize) -> Preset {
    Preset {
        id: PresetId::new(&*world.clock, &SystemRandom),
        name: format!("City trip number {number}"),
        content: Content {
            template_title: Some("Trip planner".to_owned()),
            prompt_text: format!(
                "Plan {number} days in {{{{city}}}} for {{{{travellers}}}}, with museums, parks \
                 and one concert; answer as a table with a row for each day."
            ),
            values: Values::from([("city".to_owned(), format!("Lisbon {number}"))]),
            generation_id: None,
            generated_version_id: None,
        },
        updated_at: world.now(),
    }
}

async fn offset_index(world: &World, account: &Account) -> OffsetIndex {
    newest(world, account).await.expect("an offset index")
}

async fn newest(world: &World, account: &Account) -> Option<OffsetIndex> {
    world.store.offset_index(List::presets(account.id)).await.expect("storage")
}

async fn create(world: &World, account: &Account, preset: Preset) {
    let newest = newest(world, account).await;
    let quotas = Quotas { stored: Storage::default(), allowance: &Plan::Max.allowance() };
    world.store.create_preset(account.id, &preset, quotas, newest).await.expect("a preset");
}

async fn page(account: &Account, offset: usize, limit: usize) -> Value {
    let path = format!("{PRESETS}?offset={offset}&limit={limit}");
    account.get(&path).await.data(200).clone()
}

#[tokio::test]
async fn any_page_among_10_000_is_2_calls_and_at_most_10_units() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let first = preset(&world, 0);
    create(&world, &account, first.clone()).await;
    let key = |bits| keys::preset(account.id, PresetId::from_bits(bits));
    let bulk =
        world.multiplied(List::presets(account.id), first.id.bits(), key, MANY - 20, PACE).await;
    let mut oracle: Vec<_> = bulk.into_iter().map(PresetId::from_bits).collect();
    // What comes and goes afterwards does so in the usual way.
    for position in [9_970, 7_000, 5_000, 2_500, 10] {
        let id = oracle.remove(position);
        assert!(world.store.delete_preset(account.id, id).await.expect("storage"));
    }
    for number in 0..25 {
        world.clock.advance(PACE);
        let preset = preset(&world, number);
        oracle.push(preset.id);
        create(&world, &account, preset).await;
    }
    assert_eq!(oracle.len(), MANY);
    assert_eq!(offset_index(&world, &account).await.total(), MANY as u64);
    let mut most = 0.0_f64;
    let offsets = [0, 1, 49, 50, 51, 99, 100, 1_234, 4_999, 7_777, 9_899, 9_949, 9_999, 10_000];
    for limit in [25, 100] {
        for offset in offsets {
            world.faults.reset();
            let page = page(&account, offset, limit).await;
            let cost = world.assert_cheap_page(&page, &oracle, offset, limit);
            most = most.max(cost.units);
        }
    }
    println!("at most {most} read units a page of {MANY}");
    world.faults.reset();
    create(&world, &account, preset(&world, MANY)).await;
    let units = world.faults.units("TransactWriteItems");
    println!("{units} write units a creation");
    assert!(
        units <= 11.0,
        "{units} units: 2 a KB of preset, account item and offset index, 1 for the index"
    );
}

#[tokio::test]
async fn a_list_whose_entries_come_and_go_anywhere_is_paged_like_a_plain_one() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let mut oracle: Vec<PresetId> = Vec::new();
    let mut state = 5_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (state >> 33) as usize % bound
    };
    for step in 0..400 {
        if below(100) < 25 && oracle.len() > 120 {
            let id = oracle.remove(below(oracle.len()));
            assert!(world.store.delete_preset(account.id, id).await.expect("storage"), "{step}");
        } else {
            let mut preset = preset(&world, step);
            // Several instances' clocks differ: identifiers do not come in order.
            if below(3) == 0 {
                let earlier = u128::try_from(below(2_000)).expect("a number") << 80;
                preset.id = PresetId::from_bits(preset.id.bits() - earlier);
            }
            let place = oracle.partition_point(|id| *id < preset.id);
            oracle.insert(place, preset.id);
            create(&world, &account, preset).await;
        }
        world.clock.advance(Duration::from_millis(3));
        if step % 40 == 39 {
            let counted = world.counted(List::presets(account.id)).await;
            // Without an offset index it has had at most a hundred changes.
            assert_eq!(counted, (step > 100).then_some(oracle.len() as u64), "{step}");
            for _ in 0..4 {
                let (offset, limit) = (below(oracle.len() + 3), 1 + below(40));
                let page = page(&account, offset, limit).await;
                assert_eq!(ids(&page), expected(&oracle, offset, limit), "{step}: {offset}");
            }
        }
    }
}

#[tokio::test]
async fn identifiers_of_one_instant_are_listed_like_any_others() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let mut oracle = Vec::new();
    for number in 0..260 {
        // The clock stands still: only random bits tell them apart, in no order.
        let preset = preset(&world, number);
        oracle.push(preset.id);
        create(&world, &account, preset).await;
    }
    oracle.sort_unstable();
    assert!(offset_index(&world, &account).await.ranges() > 2, "it was divided");
    for offset in (0..260).step_by(13) {
        assert_eq!(ids(&page(&account, offset, 9).await), expected(&oracle, offset, 9));
    }
}
