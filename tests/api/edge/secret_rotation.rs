//! The server gets another secret: what was made with the one before works as long as that is accepted.

use acceptance::World;
use domain::AccountId;
use edge::{
    Secrets,
    authentication::api_key,
    input::cursor,
    runtime::{SystemRandom, config::Config},
};

#[tokio::test]
async fn keys_and_cursors_of_the_previous_secret_work_while_it_is_accepted() {
    let world = World::start().await;
    let secrets = |byte: u8| Secrets::derive(&[byte; 32]).expect("a long secret");
    let (before, after) = (secrets(1), secrets(2));
    let both = secrets(2).with_previous(&[1; 32]).expect("a long secret");
    let account = AccountId::new(&*world.clock, &SystemRandom);

    let old = api_key::mint(account, &before, &*world.clock, &SystemRandom);
    let read = api_key::parse(&old.text, &both).expect("a key of the secret before");
    assert_eq!((read.account, read.id, read.fingerprint), (account, old.id, old.fingerprint));
    assert!(api_key::parse(&old.text, &after).is_none());
    let new = api_key::mint(account, &both, &*world.clock, &SystemRandom);
    let read = api_key::parse(&new.text, &after).expect("a key of the present secret");
    assert_eq!(read.fingerprint, new.fingerprint);
    assert!(api_key::parse(&new.text, &before).is_none());

    let binding = cursor::Binding { account, list: "operations" };
    let old = cursor::encode(&before, binding, b"here");
    assert_eq!(cursor::decode(&both, binding, &old).expect("a cursor"), b"here");
    assert!(cursor::decode(&after, binding, &old).is_err());
    let new = cursor::encode(&both, binding, b"here");
    assert!(cursor::decode(&after, binding, &new).is_ok());
    assert!(cursor::decode(&before, binding, &new).is_err());
}

#[tokio::test]
async fn the_previous_secret_is_configured_and_as_long_as_any() {
    let configured = |previous: &str| {
        Config::read(|name| {
            let value = match name {
                "SERVER_SECRET" => "11111111111111111111111111111111",
                "SERVER_SECRET_PREVIOUS" => previous,
                "BASE_URL" => "https://api.example.com/v1",
                "OAUTH_ISSUERS" | "OAUTH_AUDIENCE" => return None,
                _ => "x",
            };
            Some(value.to_owned())
        })
    };
    let world = World::start().await;
    let account = AccountId::new(&*world.clock, &SystemRandom);
    let before = Secrets::derive(&[b'2'; 32]).expect("a long secret");
    let key = api_key::mint(account, &before, &*world.clock, &SystemRandom).text;
    let both = configured("22222222222222222222222222222222").expect("a configuration");
    assert!(api_key::parse(&key, &both.secrets).is_some());
    let alone = configured("").expect("a configuration");
    assert!(api_key::parse(&key, &alone.secrets).is_none());
    let error = configured("2222").expect_err("too short").to_string();
    assert!(error.contains("SERVER_SECRET_PREVIOUS"), "{error}");
}
