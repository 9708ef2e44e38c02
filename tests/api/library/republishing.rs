//! What becomes of saved and upvoted items whose owners take them back.

use acceptance::World;
use domain::Plan;
use serde_json::json;

use super::{page, post, published, small, titles};

#[tokio::test]
async fn an_item_that_its_owner_takes_back_leaves_the_lists_and_returns_to_them() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let reader = world.account(Plan::Pro).await;
    let kept = published(&owner, &small("Kept")).await;
    let path = published(&owner, &small("Taken back")).await;
    for path in [&kept, &path] {
        post(&reader, &format!("{path}/saved")).await.data(200);
        post(&reader, &format!("{path}/vote")).await.data(200);
    }
    owner.delete(&format!("{path}/publish")).await.data(200);
    for scope in ["saved", "upvoted"] {
        let list = page(&reader, &format!("scope={scope}&pageSize=1")).await;
        assert_eq!(titles(&list), ["Kept"], "{scope}");
        assert_eq!((&list["total"], &list["hasMore"]), (&json!(1), &json!(false)), "{scope}");
    }
    for mark in ["saved", "vote"] {
        post(&reader, &format!("{path}/{mark}")).await.is_error(404, "not_found");
    }
    post(&owner, &format!("{path}/publish")).await.data(200);
    for scope in ["saved", "upvoted"] {
        let list = page(&reader, &format!("scope={scope}")).await;
        assert_eq!((titles(&list).len(), &list["total"]), (2, &json!(2)), "{scope}");
    }
    let item = reader.get(&path).await.data(200).clone();
    assert_eq!((&item["voted"], &item["saved"]), (&true.into(), &true.into()));
    assert_eq!((&item["voteCount"], &item["saveCount"]), (&1.into(), &1.into()));
}

#[tokio::test]
async fn a_deleted_item_leaves_no_orphans() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let reader = world.account(Plan::Pro).await;
    let kept = published(&owner, &small("Kept")).await;
    let path = published(&owner, &small("Deleted")).await;
    for path in [&kept, &path] {
        post(&reader, &format!("{path}/saved")).await.data(200);
        post(&reader, &format!("{path}/vote")).await.data(200);
    }
    owner.delete(&path).await.data(200);
    for round in 0..2 {
        for scope in ["saved", "upvoted"] {
            let list = page(&reader, &format!("scope={scope}")).await;
            assert_eq!(titles(&list), ["Kept"], "{scope} {round}");
            assert_eq!(list["total"], 1, "{scope} {round}");
        }
        super::count_votes(&world).await;
    }
}
