//! Who may do what, for every operation. One that is missing from the table fails.

use std::collections::BTreeSet;

use acceptance::{
    Account, Answer, World,
    operations::{PUBLIC, Resource, Row, UNREACHABLE_URL},
};
use domain::{Plan, Scope, Scopes};
use serde_json::{Value, json};
use store::admission::Limits;

mod tools;

fn table() -> Vec<Row> {
    acceptance::operations::table(UNREACHABLE_URL)
}

/// What a caller is known by.
#[derive(Clone, Copy, Debug)]
enum Kind {
    ApiKey,
    AccessToken,
}

impl Kind {
    const BOTH: [Kind; 2] = [Kind::ApiKey, Kind::AccessToken];

    /// An account of its own for `operation`, on the largest plan.
    async fn account(self, world: &World, operation: &str) -> Account {
        match self {
            Kind::ApiKey => world.account(Plan::Max).await,
            Kind::AccessToken => {
                let account = world.subject(operation, Scopes::ALL);
                account.get("/models").await.data(200);
                world.store.set_plan(account.id, Plan::Max).await.expect("storage");
                account
            }
        }
    }

    /// The same account with other scopes.
    async fn narrowed(
        self,
        world: &World,
        account: &Account,
        operation: &str,
        scopes: Scopes,
    ) -> Account {
        match self {
            Kind::ApiKey => world.key(account.id, scopes, None).await,
            Kind::AccessToken => world.subject(operation, scopes),
        }
    }
}

async fn needs_its_scopes(row: &Row, world: &World, kind: Kind) {
    let account = kind.account(world, row.operation).await;
    let id = row.id(&account).await;
    let needed: Scopes = row.scopes.iter().copied().collect();
    let all_but_one = row
        .scopes
        .iter()
        .map(|missing| Scope::ALL.into_iter().filter(|scope| scope != missing).collect::<Scopes>());
    for lacking in all_but_one {
        let caller = kind.narrowed(world, &account, row.operation, lacking).await;
        let answer = row.call(|method, path| caller.request(method, path), &id).await;
        answer.is_error(403, "insufficient_scope");
        let challenge = answer.header("www-authenticate").expect("a challenge");
        assert!(challenge.contains(r#"error="insufficient_scope""#), "{challenge}");
        for scope in row.scopes {
            assert!(challenge.contains(scope.as_str()), "{challenge}");
        }
    }
    let caller = kind.narrowed(world, &account, row.operation, needed).await;
    let answer = row.call(|method, path| caller.request(method, path), &id).await;
    assert_eq!(answer.status, 200, "{} by {kind:?}: {}", row.operation, answer.body);
    let document = document();
    for status in ["400", "401", "403", "429", "500"] {
        let response = &row.documented(&document)["responses"][status];
        assert!(response.is_object(), "{} declares {status}", row.operation);
    }
}

fn document() -> Value {
    serde_json::from_str(include_str!("../../infra/openapi.json")).expect("JSON")
}

#[test]
fn the_table_has_every_operation() {
    let document = document();
    let mut declared = BTreeSet::new();
    for item in document["paths"].as_object().expect("paths").values() {
        for operation in item.as_object().expect("methods").values() {
            declared.insert(operation["operationId"].as_str().expect("a name").to_owned());
        }
    }
    let tested: BTreeSet<_> =
        table().iter().map(|row| row.operation).chain(PUBLIC).map(ToOwned::to_owned).collect();
    assert_eq!(tested, declared);
    for row in table() {
        assert_eq!(row.documented(&document)["operationId"], row.operation);
        let scopes: Vec<_> = row.scopes.iter().map(|scope| scope.as_str()).collect();
        assert_eq!(row.documented(&document)["security"], json!([{"bearer": scopes}]));
    }
}

#[tokio::test]
async fn without_a_credential_everything_is_401() {
    let world = World::start().await;
    world.faults.reset();
    for row in table() {
        let answer = row.call(|method, path| world.anonymous(method, path), "x").await;
        answer.is_error(401, "missing_credentials");
        assert!(answer.header("ratelimit-limit").is_none(), "{}", row.operation);
    }
    assert!(world.faults.calls().is_empty());
}

#[tokio::test]
async fn a_key_that_this_server_did_not_make_is_401_everywhere_and_costs_no_call() {
    let world = World::start().await;
    let key = world.account(Plan::Max).await.key;
    let (signed, tag) = key.rsplit_once('_').expect("a tag");
    let other_tag: String = tag.chars().rev().collect();
    let other_account = key.replacen("pwk_0", "pwk_1", 1);
    world.faults.reset();
    for row in table() {
        for forged in ["pwk_", signed, &format!("{signed}_{other_tag}"), &other_account] {
            let bearing = |method, path: &str| world.anonymous(method, path).bearer_auth(forged);
            let answer = row.call(bearing, "x").await;
            answer.is_error(401, "invalid_credentials");
        }
    }
    let calls = world.faults.calls();
    assert!(calls.is_empty(), "{calls:?}");
}

#[tokio::test]
async fn without_the_scope_everything_is_403_and_with_it_alone_it_works() {
    let world = World::with_limits(Limits::Lifted).await;
    for kind in Kind::BOTH {
        for row in table() {
            needs_its_scopes(&row, &world, kind).await;
        }
    }
}

/// What an answer has, whatever differs from one to the next: which members, of which kind, and which are null.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(_) => 0.into(),
        Value::String(_) => "".into(),
        Value::Array(values) => values.iter().map(shape).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), shape(value))).collect()
        }
    }
}

#[tokio::test]
async fn a_subjects_first_request_is_answered_like_every_other() {
    let world = World::with_limits(Limits::Lifted).await;
    for row in table() {
        let id = row.resource.map_or("", Resource::never_existed);
        let first = world.subject(&format!("first {}", row.operation), Scopes::ALL);
        let known = world.subject(&format!("known {}", row.operation), Scopes::ALL);
        known.get("/models").await.data(200);
        let first = row.call(|method, path| first.request(method, path), id).await;
        let known = row.call(|method, path| known.request(method, path), id).await;
        assert_eq!(first.status, known.status, "{}: {}", row.operation, first.body);
        assert_eq!(shape(&first.body), shape(&known.body), "{}", row.operation);
        let names = |answer: &Answer| -> BTreeSet<String> {
            answer.headers.keys().map(ToString::to_string).collect()
        };
        assert_eq!(names(&first), names(&known), "{}", row.operation);
    }
}

#[tokio::test]
async fn what_is_anothers_and_what_never_was_are_the_same() {
    let world = World::with_limits(Limits::Lifted).await;
    for row in table().iter().filter(|row| row.resource.is_some()) {
        let (owner, other) = (world.account(Plan::Max).await, world.account(Plan::Max).await);
        let id = row.id(&owner).await;
        let never = row.resource.map_or("", Resource::never_existed);
        let anothers = row.call(|method, path| other.request(method, path), &id).await;
        let unknown = row.call(|method, path| other.request(method, path), never).await;
        // Where no 404 is declared, the path is a reference like any other.
        let (status, code) = match row.operation {
            "refineOptimizedPrompt" => (400, "invalid_reference"),
            _ => (404, "not_found"),
        };
        anothers.is_error(status, code);
        assert_eq!(anothers.body["error"], unknown.body["error"], "{}", row.operation);
        let names = |answer: &Answer| -> Vec<String> {
            answer.headers.keys().map(ToString::to_string).collect()
        };
        assert_eq!(names(&anothers), names(&unknown));
        let own = row.call(|method, path| owner.request(method, path), &id).await;
        assert_eq!(own.status, 200, "{}: it was left alone", row.operation);
    }
}
