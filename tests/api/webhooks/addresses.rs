//! Only public hosts are told anything: when an endpoint is created, when it is changed, and whenever
//! something is delivered to it.

use std::net::IpAddr;

use acceptance::{
    Account, World,
    receiver::{ENDPOINTS, Receiver},
};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::Plan;
use outbound::{Loopback, Ports};
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use super::Subscribed;

/// First, middle and last address of each special block, and IPv4 addresses in every IPv6 form.
const SPECIAL: &str = include_str!("special_addresses.txt");
const PUBLIC: &str = "https://public.example/hooks";
/// An address that a public host could have.
const SOME_ADDRESS: &str = "93.184.216.34";

/// A service as it is deployed: this machine may not be asked.
async fn deployed() -> (World, Account) {
    let world = World::with(Limits::Lifted, Loopback::Refused, Ports::Web).await;
    world.names.resolve_to("public.example", &[&[SOME_ADDRESS]]);
    let account = world.account(Plan::Max).await;
    (world, account)
}

async fn refuses(account: &Account, path: &str, url: &str, code: &str) {
    let create = json!({"url": url, "events": ["webhook.test"]});
    let created = account.send(Method::POST, ENDPOINTS, &create).await;
    created.is_error(400, code);
    assert_eq!(created.problem_paths(), ["/url"], "{url}");
    account.send(Method::PATCH, path, &json!({"url": url})).await.is_error(400, code);
}

#[tokio::test]
async fn addresses_that_are_not_public_are_refused_as_literals_and_behind_names() {
    let (world, account) = deployed().await;
    let made = account.create_endpoint(PUBLIC, &["webhook.test"]).await;
    let path = format!("{ENDPOINTS}/{}", made["id"].as_str().expect("an id"));
    let special: Vec<_> = SPECIAL.lines().collect();
    assert_eq!(special.len(), 203);
    for address in special {
        let literal = match address.parse().expect("an address") {
            IpAddr::V4(_) => address.to_owned(),
            IpAddr::V6(_) => format!("[{address}]"),
        };
        refuses(&account, &path, &format!("https://{literal}/"), "unsafe_url").await;
        world.names.resolve_to("inside.example", &[&[SOME_ADDRESS, address]]);
        refuses(&account, &path, "https://inside.example/", "unsafe_url").await;
    }
}

#[tokio::test]
async fn other_spellings_schemes_users_and_ports_are_refused() {
    let (_world, account) = deployed().await;
    let made = account.create_endpoint(PUBLIC, &["webhook.test"]).await;
    let path = format!("{ENDPOINTS}/{}", made["id"].as_str().expect("an id"));
    for url in [
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://[::ffff:7f00:1]/",
        "https://localhost/",
        "https://a.localhost/",
        "https://printer.local/",
        "https://nowhere/",
        "http://public.example/hooks",
        "http://127.0.0.1/",
        "ftp://public.example/hooks",
        "https://user@public.example/",
        "https://user:word@public.example/",
        "https://public.example:22/",
        "https://public.example:6379/",
        "https://public.example:8443/",
        "https://public.example:444/",
    ] {
        refuses(&account, &path, url, "unsafe_url").await;
    }
    refuses(&account, &path, "https://no-such-name.test-of-names.net/", "url_unreachable").await;
    for url in ["hooks", "//public.example/", "https:public.example", "https://public.example/a b"]
    {
        refuses(&account, &path, url, "invalid_request").await;
    }
    for url in [
        "https://public.example:443/",
        "https://public.example:80/",
        "https://PUBLIC.example/?a=b",
        "https://public.example./",
    ] {
        let answer = account.send(Method::PATCH, &path, &json!({"url": url})).await;
        let status = answer.status.as_u16();
        // A name with a dot at its end is another one to this resolver.
        assert!(status == 200 || url.contains("./"), "{url}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_host_that_does_not_exist_is_said_not_to_exist() {
    let (_world, account) = deployed().await;
    let create = json!({"url": "https://no-such-host.net/", "events": ["webhook.test"]});
    let created = account.send(Method::POST, ENDPOINTS, &create).await;
    let error = created.is_error(400, "url_unreachable");
    let problem = json!([{"path": "/url", "message": "there is no host of this name"}]);
    assert_eq!(error["details"], problem);
}

#[tokio::test]
async fn another_port_is_refused_with_words_that_name_the_allowed_ones() {
    let (_world, account) = deployed().await;
    let create = json!({"url": "https://public.example:8443/", "events": ["webhook.test"]});
    let created = account.send(Method::POST, ENDPOINTS, &create).await;
    created.is_error(400, "unsafe_url");
    let words = created.body["error"]["details"][0]["message"].as_str().expect("words").to_owned();
    assert!(words.contains("port") && words.contains("443"), "{}", created.body);
}

#[tokio::test]
async fn the_operator_may_allow_other_ports() {
    let ports = Ports::parse("8443").expect("a port");
    let world = World::with(Limits::Lifted, Loopback::Refused, ports).await;
    world.names.resolve_to("public.example", &[&[SOME_ADDRESS]]);
    let account = world.account(Plan::Max).await;
    let made = account.create_endpoint("https://public.example:8443/", &["webhook.test"]).await;
    let path = format!("{ENDPOINTS}/{}", made["id"].as_str().expect("an id"));
    account.send(Method::PATCH, &path, &json!({"url": PUBLIC})).await.data(200);
    refuses(&account, &path, "https://public.example:8444/", "unsafe_url").await;
}

#[tokio::test]
async fn an_endpoint_that_was_stored_with_a_port_that_is_not_allowed_is_not_contacted() {
    let (world, account) = deployed().await;
    let receiver = Receiver::start().await;
    let port = receiver.url.rsplit(':').next().and_then(|rest| rest.split('/').next());
    let made = account.create_endpoint(PUBLIC, &["operation.succeeded"]).await;
    let endpoint = made["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let stored = format!("https://public.example:{}/", port.expect("a port"));
    world
        .dynamodb
        .update_item()
        .table_name(&world.store.names().table)
        .set_key(Some(store::keys::endpoint(account.id, endpoint)))
        .update_expression("SET u = :url")
        .expression_attribute_values(":url", AttributeValue::S(stored.clone()))
        .send()
        .await
        .expect("the table answers");
    // Its name is not even resolved: that would be another error.
    world.names.break_for("public.example");
    let path = format!("{ENDPOINTS}/{}", made["id"].as_str().expect("an id"));
    let tested = account.send(Method::POST, &path, &json!({})).await;
    let tested = tested.data(200);
    assert_eq!((&tested["delivered"], &tested["responseStatus"]), (&json!(false), &json!(null)));
    assert_eq!(
        tested["error"], "the port is not 443, 80 or another one that is allowed here",
        "{stored}"
    );
    account.generate("k", &super::goal()).await.data(200);
    world.deliver_all().await;
    assert_eq!(account.endpoint(&made["id"]).await["lastDelivery"]["status"], json!(null));
    assert_eq!(receiver.count(), 0);
}

#[tokio::test]
async fn a_name_that_turns_to_another_address_is_not_connected_to() {
    let world = World::with(Limits::Lifted, Loopback::Refused, Ports::All).await;
    let account = world.account(Plan::Max).await;
    let receiver = Receiver::start().await;
    let port = receiver.url.rsplit(':').next().and_then(|rest| rest.split('/').next());
    let url = format!("https://turning.example:{}/", port.expect("a port"));
    // Public when the endpoint is created; this machine whenever something is delivered.
    world.names.resolve_to("turning.example", &[&[SOME_ADDRESS], &["127.0.0.1"]]);
    let made = account.create_endpoint(&url, &["operation.succeeded"]).await;
    let path = format!("{ENDPOINTS}/{}", made["id"].as_str().expect("an id"));
    let tested = account.send(Method::POST, &path, &json!({})).await;
    let tested = tested.data(200);
    assert_eq!(tested["delivered"], false);
    assert_eq!(tested["error"], "the host has an address that is not public");
    account.generate("k", &super::goal()).await.data(200);
    world.deliver_all().await;
    let shown = account.endpoint(&made["id"]).await;
    assert_eq!(shown["lastDelivery"]["attempt"], 1);
    assert_eq!(shown["lastDelivery"]["status"], json!(null));
    assert_eq!(receiver.count(), 0);
}

#[tokio::test]
async fn the_development_switch_opens_this_machine_and_nothing_else() {
    let world = World::with_limits(Limits::Lifted).await;
    world.names.resolve_to("inside.example", &[&["10.0.0.1"]]);
    let account = world.account(Plan::Max).await;
    let made = account.create_endpoint("http://127.0.0.1:9999/", &["webhook.test"]).await;
    let path = format!("{ENDPOINTS}/{}", made["id"].as_str().expect("an id"));
    for url in ["http://localhost:9999/", "http://[::1]:9999/", "https://this.example/"] {
        account.send(Method::PATCH, &path, &json!({"url": url})).await.data(200);
    }
    for url in [
        "http://this.example/",
        "http://93.184.216.34/",
        "http://10.0.0.1/",
        "https://10.0.0.1/",
        "https://inside.example/",
        "https://169.254.169.254/",
    ] {
        refuses(&account, &path, url, "unsafe_url").await;
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let elsewhere = Receiver::start().await;
    for status in [301, 302, 303, 307, 308] {
        let location = elsewhere.url.clone();
        let manner = acceptance::receiver::ReceiverBehavior::With(status, "location", location);
        subscribed.receiver.answer_next([manner]);
        let tested = subscribed.account.send(Method::POST, &subscribed.path(), &json!({})).await;
        assert_eq!(tested.data(200)["responseStatus"], status);
        assert_eq!(tested.data(200)["delivered"], false);
    }
    assert_eq!(subscribed.receiver.count(), 5);
    assert_eq!(elsewhere.count(), 0);
}
