//! Listing, reading and cancelling operations.

use acceptance::account::fresh_key;
use serde_json::json;

use crate::host;

#[tokio::test]
async fn pages_of_operations_have_each_one_once_newest_first() {
    let host = host().await;
    let account = host.account().await;
    let mut made = Vec::new();
    for _ in 0..5 {
        let result = account.made("/prompts/generate", &json!({"message": "A haiku"})).await;
        made.insert(0, result["operationId"].clone());
    }
    let mut listed = Vec::new();
    let mut path = "/operations?limit=2&kind=generatePrompt&status=SUCCEEDED".to_owned();
    while listed.len() < made.len() {
        let page = account.get(&path).await.data(200).clone();
        let items = page["items"].as_array().expect("a list");
        assert!(!items.is_empty() && items.len() <= 2);
        listed.extend(items.iter().map(|item| item["id"].clone()));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        path = format!("/operations?limit=2&kind=generatePrompt&status=SUCCEEDED&cursor={cursor}");
    }
    assert_eq!(listed[..made.len()], made[..]);
    let forged = account.get("/operations?cursor=abc").await;
    assert_eq!(forged.is_error(400, "invalid_request")["details"][0]["path"], "query.cursor");
    let wrong = account.get("/operations?status=DONE&limit=101").await;
    wrong.is_error(400, "invalid_request");
    assert_eq!(wrong.problem_paths().len(), 2, "{}", wrong.body);
}

#[tokio::test]
async fn a_waiting_operation_is_cancelled_for_good_and_an_ended_one_is_not() {
    let host = host().await;
    let account = host.account().await;
    let before = account.usage().await["credits"]["used"].as_u64().expect("a number");
    let long = json!({"prompt": "Write about {{topic}}, in detail but short. ".repeat(1_100)});
    let mut charged = 0;
    for _ in 0..5 {
        // While the processor is busy with these, the last one waits.
        let waiting = (0..6).map(|_| fresh_key()).collect::<Vec<_>>();
        let waiting = waiting.iter().map(|key| account.post_async("/prompts/optimize", key, &long));
        let busy = futures::future::join_all(waiting).await;
        let (key, goal) = (fresh_key(), json!({"message": "A haiku"}));
        let last = account.generate_async(&key, &goal).await;
        let id = last.data(202)["id"].as_str().expect("an id");
        let path = format!("/operations/{id}");
        let cancelled = account.delete(&path).await;
        host.assert_documented("cancelOperation", &cancelled).await;
        for operation in busy {
            let ended = account.ended(operation.data(202)["id"].as_str().expect("an id")).await;
            assert_eq!(ended["status"], "SUCCEEDED");
            charged += 1;
        }
        let ended = account.ended(id).await;
        if cancelled.status != 200 {
            // The processor was faster.
            cancelled.is_error(409, "operation_not_cancellable");
            assert_eq!(ended["status"], "SUCCEEDED");
            charged += 1;
            continue;
        }
        assert_eq!(cancelled.data(200)["status"], "CANCELLED");
        assert_eq!(ended, *cancelled.data(200));
        assert_eq!(ended["creditsUsed"], 0);
        account.delete(&path).await.is_error(409, "operation_not_cancellable");
        let again = account.generate_async(&key, &goal).await;
        assert_eq!(again.data(202), last.data(202), "a retry does not start it again");
        let usage = account.usage().await;
        assert_eq!(usage["credits"]["used"], before + charged);
        assert_eq!(
            (&usage["credits"]["held"], &usage["operations"]["running"]),
            (&json!(0), &json!(0))
        );
        return;
    }
    panic!("no operation waited long enough to be cancelled");
}
