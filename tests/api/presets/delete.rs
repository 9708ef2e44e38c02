use acceptance::{World, uploads::id_of};
use domain::Plan;
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use super::{PRESETS, created, large_values, small};

#[tokio::test]
async fn a_deleted_preset_is_gone_with_all_that_it_had() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let mut body = small("Large");
    body["values"] = large_values(1);
    for body in [small("Small"), body] {
        let kept = created(&account, &small("Kept")).await;
        let path = created(&account, &body).await;
        let id = id_of(account.get(&path).await.data(200));
        let deleted = account.delete(&path).await;
        assert_eq!(*deleted.data(200), json!({"id": id, "deleted": true}));
        account.delete(&path).await.is_error(404, "not_found");
        account.get(&path).await.is_error(404, "not_found");
        let patch = json!({"name": "x"});
        account.send(Method::PATCH, &path, &patch).await.is_error(404, "not_found");
        let patch = json!({"values": large_values(2)});
        account.send(Method::PATCH, &path, &patch).await.is_error(404, "not_found");
        let rendered = account.send(Method::POST, &format!("{path}/render"), &json!({})).await;
        rendered.is_error(404, "not_found");
        let listed = account.get(PRESETS).await.data(200).clone();
        assert_eq!(super::names(&listed), ["Kept"]);
        assert_eq!(world.objects("durable/").await, 0);
        account.delete(&kept).await.data(200);
    }
    world.process_everything().await;
    assert_eq!(world.objects("durable/").await, 0);
}
