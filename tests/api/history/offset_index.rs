//! Lists far longer than a page: what a page costs, and that it is the right one.

use std::time::Duration;

use acceptance::{
    Account, World,
    account::fresh_key,
    fault_injection::Fault,
    pages::{Cost, expected, ids},
};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::{GenerationId, HistoryId, HistoryType, Plan};
use futures::future::{join, join_all};
use serde_json::{Value, json};
use store::{
    admission::Limits,
    keys,
    list::offset_index::{List, OffsetIndex, key_of},
    list::{SEARCHED_ENTRIES, change::UNINDEXED_CHANGES},
};

/// Items of the large list.
const MANY: usize = 10_000;
/// What lies between two of them.
const PACE: Duration = Duration::from_millis(7);

async fn generated(account: &Account, message: &str) -> GenerationId {
    let made = account.generate(&fresh_key(), &json!({"message": message})).await;
    made.data(200)["generationId"].as_str().expect("an id").parse().expect("ours")
}

async fn deleted(account: &Account, id: GenerationId) {
    account.delete(&format!("/history/generation/{id}")).await.data(200);
}

async fn offset_index(world: &World, account: &Account) -> OffsetIndex {
    let list = List::history(account.id, HistoryType::Generation);
    world.store.offset_index(list).await.expect("storage").expect("an offset index")
}

/// Where lists of 60 to 80 changes begin to count, so that they never have an offset index, get one meanwhile, or
/// have one from the first change on.
const CHANGES_BEFORE: [i64; 3] = [0, UNINDEXED_CHANGES - 75, UNINDEXED_CHANGES];

async fn page(account: &Account, offset: usize, limit: usize) -> Value {
    let path = format!("/history?type=generation&offset={offset}&limit={limit}");
    account.get(&path).await.data(200).clone()
}

/// A list of so many copies of an item: what as many operations would have left.
async fn multiplied(
    world: &World,
    account: &Account,
    item: GenerationId,
    many: usize,
    pace: Duration,
) -> Vec<GenerationId> {
    let list = List::history(account.id, HistoryType::Generation);
    let key =
        |bits| keys::history(account.id, HistoryId::Generation(GenerationId::from_bits(bits)));
    let all = world.multiplied(list, item.bits(), key, many, pace).await;
    all.into_iter().map(GenerationId::from_bits).collect()
}

#[tokio::test]
async fn any_page_among_10_000_is_2_calls_and_at_most_10_units() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let goal = "Plan five days in Lisbon for a family of four, with museums, parks and one concert";
    let first = generated(&account, goal).await;
    let mut oracle = multiplied(&world, &account, first, MANY, PACE).await;
    // What comes and goes afterwards does so in the usual way.
    for position in [9_990, 7_000, 5_000, 2_500, 10] {
        deleted(&account, oracle.remove(position)).await;
    }
    for _ in 0..5 {
        world.clock.advance(Duration::from_millis(7));
        world.faults.reset();
        oracle.push(generated(&account, goal).await);
    }
    println!("{} write units an operation", world.faults.units("TransactWriteItems"));
    assert!(world.faults.units("TransactWriteItems") <= 26.0);
    assert_eq!(oracle.len(), MANY);
    assert_eq!(offset_index(&world, &account).await.total(), MANY as u64);
    let offsets = [
        0, 25, 49, 50, 51, 99, 100, 1_234, 2_499, 5_000, 7_777, 9_899, 9_949, 9_975, 9_999, 10_000,
    ];
    for limit in [25, 100] {
        let mut dearest = 0.0_f64;
        for offset in offsets {
            world.faults.reset();
            let page = page(&account, offset, limit).await;
            let cost = world.assert_cheap_page(&page, &oracle, offset, limit);
            if [0, 25, 5_000, 9_975].contains(&offset) {
                let Cost { calls, units } = cost;
                println!("{units} read units in {calls} calls: {limit} at {offset}");
            }
            dearest = dearest.max(cost.units);
        }
        println!("at most {dearest} read units for {limit} of {MANY}");
    }
}

#[tokio::test]
async fn of_20_operations_that_end_at_once_each_is_listed_once() {
    for changes in CHANGES_BEFORE {
        assert_ends_are_listed_once(changes).await;
    }
}

async fn assert_ends_are_listed_once(changes: i64) {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    world.set_list_changes(account.id, changes).await;
    for _ in 0..60 {
        generated(&account, "A haiku").await;
        world.clock.advance(Duration::from_millis(3));
    }
    let before = ids(&page(&account, 0, 100).await);
    world.faults.reset();
    let work = join_all((0..20).map(|_| generated(&account, "A haiku about the sea")));
    let mut made: Vec<_> = world.advancing_time(work).await;
    let transactions = world.faults.count("TransactWriteItems");
    println!("{transactions} transactions for 20 starts and 20 ends");
    made.sort_unstable();
    let list = List::history(account.id, HistoryType::Generation);
    assert_eq!(world.counted(list).await, (changes > 0).then_some(80));
    let listed: Vec<String> = made.iter().rev().map(ToString::to_string).chain(before).collect();
    assert_eq!(ids(&page(&account, 0, 100).await), listed);
    for offset in 0..80 {
        assert_eq!(ids(&page(&account, offset, 3).await), listed[offset..80.min(offset + 3)]);
    }
    let usage = account.usage().await;
    assert_eq!(usage["credits"]["used"], 80);
    assert_eq!(usage["credits"]["held"], 0);
    assert_eq!(usage["operations"]["running"], 0);
}

#[tokio::test]
async fn ends_and_deletions_that_meet_all_count() {
    for changes in CHANGES_BEFORE {
        assert_ends_and_deletions_count(changes).await;
    }
}

async fn assert_ends_and_deletions_count(changes: i64) {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    world.set_list_changes(account.id, changes).await;
    let mut oracle = Vec::new();
    for _ in 0..70 {
        oracle.push(generated(&account, "A haiku").await);
        world.clock.advance(Duration::from_millis(3));
    }
    let doomed: Vec<_> = oracle.iter().copied().step_by(7).collect();
    let deletions = join_all(doomed.iter().map(|id| deleted(&account, *id)));
    let ends = join_all((0..10).map(|_| generated(&account, "A haiku about the sea")));
    let (_, made) = world.advancing_time(join(deletions, ends)).await;
    oracle.retain(|id| !doomed.contains(id));
    oracle.extend(made);
    oracle.sort_unstable();
    let list = List::history(account.id, HistoryType::Generation);
    assert_eq!(world.counted(list).await, (changes > 0).then_some(oracle.len() as u64));
    for offset in [0, 51, 55, 60, 69, 70, 80] {
        assert_eq!(ids(&page(&account, offset, 9).await), expected(&oracle, offset, 9), "{offset}");
    }
}

#[tokio::test]
async fn a_list_whose_items_come_and_go_anywhere_is_paged_like_a_plain_one() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // All in one instant, in no order, so that ranges are to be divided.
    let first = generated(&account, "A haiku").await;
    let mut oracle = multiplied(&world, &account, first, 80, Duration::ZERO).await;
    let mut state = 11_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (state >> 33) as usize % bound
    };
    let (mut newest, mut divisions) = (None, 0);
    for step in 0..140 {
        match below(10) {
            0 | 1 if oracle.len() > 60 => {
                let id = oracle.remove(below(oracle.len()));
                newest = newest.filter(|newest| *newest != id);
                deleted(&account, id).await;
            }
            // What continues an item lists nothing anew.
            2 if newest.is_some() => {
                let next = json!({"message": "Shorter", "generationId": newest});
                account.generate(&fresh_key(), &next).await.data(200);
            }
            _ => {
                world.faults.reset();
                let id = generated(&account, "A haiku").await;
                // Nothing else than a division asks what a range holds.
                divisions += world.faults.count("Query");
                oracle.insert(oracle.partition_point(|other| *other < id), id);
                newest = Some(id);
            }
        }
        if step > 100 && below(10) == 0 {
            world.clock.advance(Duration::from_millis(3));
        }
        if step % 20 == 19 {
            assert_eq!(offset_index(&world, &account).await.total(), oracle.len() as u64, "{step}");
            for _ in 0..4 {
                let (offset, limit) = (below(oracle.len() + 3), 1 + below(40));
                let page = page(&account, offset, limit).await;
                assert_eq!(ids(&page), expected(&oracle, offset, limit), "{step}: {offset}");
            }
        }
    }
    assert!(divisions > 0, "no range was divided");
}

#[tokio::test]
async fn an_end_that_meets_other_writes_or_whose_answer_is_lost_is_counted_once() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
    for number in 0..4_u64 {
        generated(&account, "A haiku").await;
        assert_eq!(offset_index(&world, &account).await.total(), 2 * number + 1);
        let (operation, fault, times) = match number {
            0 => ("TransactWriteItems", Fault::AnswerLost, 2),
            1 => ("TransactWriteItems", Fault::AnswerLost, 1),
            2 => ("TransactWriteItems", Fault::TransactionConflict, 4),
            _ => ("UpdateItem", Fault::TransactionConflict, 3),
        };
        world.faults.inject(operation, fault, times);
        world.advancing_time(generated(&account, "A haiku about the sea")).await;
        assert!(world.faults.is_exhausted());
        assert_eq!(offset_index(&world, &account).await.total(), 2 * number + 2);
    }
    assert_eq!(ids(&page(&account, 0, 100).await).len(), 8);
}

#[tokio::test]
async fn each_list_has_an_offset_index_of_its_own() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
    let prompt = json!({"prompt": "Write about the sea", "feedback": "Use a warm tone"});
    for (path, body) in [
        ("/prompts/generate", json!({"message": "A haiku"})),
        ("/prompts/analyze", json!({"prompt": "Write about the sea"})),
        ("/prompts/optimize", json!({"prompt": "Write about the sea"})),
        ("/prompts/analyze-and-optimize", json!({"prompt": "Write about the sea"})),
        ("/prompts/refine", prompt.clone()),
        ("/prompts/refine", prompt),
    ] {
        account.post(path, &fresh_key(), &body).await.data(200);
    }
    for (kind, expected) in HistoryType::ALL.into_iter().zip([1, 3, 2]) {
        let list = List::history(account.id, kind);
        assert_eq!(world.counted(list).await, Some(expected), "{kind:?}");
    }
}

#[tokio::test]
async fn an_overfull_range_is_divided_by_whatever_changes_the_list_next() {
    let world = World::with_limits(Limits::Lifted).await;
    for change in ["a call", "the processor", "a deletion"] {
        let account = world.account(Plan::Max).await;
        let first = generated(&account, "A haiku").await;
        // So many of one instant that they are in one range.
        let all = multiplied(&world, &account, first, 300, Duration::ZERO).await;
        assert!(offset_index(&world, &account).await.overfull().is_some());
        match change {
            "a call" => _ = generated(&account, "A haiku").await,
            "a deletion" => deleted(&account, all[50]).await,
            _ => {
                let message = json!({"message": "A haiku"});
                account.generate_async(&fresh_key(), &message).await.data(202);
                world.process_everything().await;
            }
        }
        assert_eq!(offset_index(&world, &account).await.overfull(), None, "{change}");
    }
}

#[tokio::test]
async fn a_search_looks_at_the_newest_20_000_items_and_says_if_there_are_others() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let oldest = generated(&account, "A haiku").await;
    let many = usize::try_from(SEARCHED_ENTRIES).expect("a number");
    multiplied(&world, &account, oldest, many, Duration::from_millis(1)).await;
    let path = format!("/history/generation/{oldest}");
    let title = json!({"title": "The oldest of all"});
    account.send(reqwest::Method::PATCH, &path, &title).await.data(200);
    let search = "/history?type=generation&search=oldest+of+all";
    let page = account.get(search).await.data(200).clone();
    assert_eq!(ids(&page), [oldest.to_string()]);
    assert_eq!((&page["hasMore"], &page["searchedAll"]), (&json!(false), &json!(true)));

    for _ in 0..2 {
        world.clock.advance(Duration::from_millis(1));
        generated(&account, "A haiku").await;
    }
    world.faults.reset();
    let page = account.get(search).await.data(200).clone();
    assert_eq!(ids(&page), [] as [String; 0]);
    assert_eq!((&page["hasMore"], &page["searchedAll"]), (&json!(false), &json!(false)));
    assert!(world.faults.count("Query") <= 25, "{} calls", world.faults.count("Query"));
}

/// Takes the counters of an account's lists away, as if the account were older than these.
async fn without_counters(world: &World, account: &Account) {
    let update = world.dynamodb.update_item().table_name(&world.store.names().table);
    update
        .set_key(Some(keys::account_item(account.id)))
        .update_expression("REMOVE cgen, copt, cref, cpst")
        .send()
        .await
        .expect("storage");
}

#[tokio::test]
async fn an_account_without_counters_keeps_its_offset_index_or_begins_to_count() {
    for is_indexed in [true, false] {
        let world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        let mut listed = 0;
        if is_indexed {
            world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
            generated(&account, "A haiku").await;
            listed = 1;
        }
        without_counters(&world, &account).await;
        // What a call reads beforehand may fail.
        world.faults.inject("GetItem", Fault::Unreachable, 1);
        for _ in 0..3 {
            world.clock.advance(Duration::from_millis(3));
            world.advancing_time(generated(&account, "A haiku about the sea")).await;
            listed += 1;
        }
        let list = List::history(account.id, HistoryType::Generation);
        assert_eq!(world.counted(list).await, is_indexed.then_some(listed));
        assert_eq!(ids(&page(&account, 0, 100).await).len() as u64, listed);
    }
}

#[tokio::test]
async fn an_offset_index_of_a_version_that_counts_no_changes_is_built_anew() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for changes in [7, UNINDEXED_CHANGES] {
        world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
        generated(&account, "A haiku").await;
        // That version has added an entry to a list without an index.
        let list = List::history(account.id, HistoryType::Generation);
        let mut stray = OffsetIndex::default();
        stray.add(key_of(generated(&account, "A haiku").await.bits()));
        let mut item = stray.write(list);
        item.insert("v".to_owned(), AttributeValue::N("1".to_owned()));
        let put = world.dynamodb.put_item().table_name(&world.store.names().table);
        put.set_item(Some(item)).send().await.expect("storage");
        world.set_list_changes(account.id, changes).await;
        generated(&account, "A haiku").await;
        let listed = ids(&page(&account, 0, 100).await).len() as u64;
        assert_eq!(world.counted(list).await, Some(listed), "{changes}");
    }
}
