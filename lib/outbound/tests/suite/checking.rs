//! Looking whether an address may be asked, without asking it.

#[allow(dead_code)]
use crate::support;

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use domain::{Clock, Timestamp};
use futures::{FutureExt, future::BoxFuture};
use outbound::{
    FetchError, GuardedClient, Loopback, Ports, PublicUrl, Resolve, Schemes, Unreachable, UnsafeUrl,
};
use support::{ManualClock, Names};

/// A resolver that fails in one way, or never answers.
struct Failing(Option<io::ErrorKind>);

impl Resolve for Failing {
    fn resolve(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        match self.0 {
            Some(kind) => async move { Err(kind.into()) }.boxed(),
            None => futures::future::pending().boxed(),
        }
    }
}

fn url(text: &str) -> PublicUrl {
    PublicUrl::parse(text, Schemes::Https, Loopback::Refused, &Ports::All).expect(text)
}

async fn check(resolver: impl Resolve + 'static, clock: &ManualClock) -> Result<(), FetchError> {
    let client =
        GuardedClient::new(Arc::new(resolver), Loopback::Refused, Ports::All).expect("a client");
    let until = clock.now() + Duration::from_secs(4);
    client.check(&url("https://site.example/"), clock, until).await
}

#[tokio::test]
async fn a_name_is_judged_by_all_its_addresses() {
    let clock = ManualClock::new();
    for (addresses, expected) in [
        (&["93.184.216.34", "2606:2800:220:1::1"][..], Ok(())),
        (&["93.184.216.34", "10.0.0.1"], Err(UnsafeUrl::Address.into())),
        (&["::ffff:127.0.0.1"], Err(UnsafeUrl::Address.into())),
        (&[], Err(Unreachable::Name.into())),
    ] {
        let names = Names::default().with("site.example", &[addresses]);
        assert_eq!(check(names, &clock).await, expected, "{addresses:?}");
    }
}

#[tokio::test]
async fn a_name_that_is_not_there_differs_from_a_resolver_that_does_not_work() {
    let clock = ManualClock::new();
    let found = check(Failing(Some(io::ErrorKind::NotFound)), &clock).await;
    assert_eq!(found, Err(Unreachable::Name.into()));
    for kind in [io::ErrorKind::TimedOut, io::ErrorKind::Other] {
        let found = check(Failing(Some(kind)), &clock).await;
        assert_eq!(found, Err(Unreachable::Resolver.into()));
    }
}

#[tokio::test]
async fn a_resolver_that_is_silent_is_waited_for_until_the_deadline() {
    let clock = ManualClock::new();
    let waiting = tokio::spawn({
        let clock = clock.clone();
        async move { check(Failing(None), &clock).await }
    });
    tokio::task::yield_now().await;
    clock.advance(Duration::from_secs(4));
    assert_eq!(waiting.await.expect("no panic"), Err(Unreachable::Timeout.into()));
    assert_eq!(clock.now(), Timestamp::from_millis(4_000));
}

#[tokio::test]
async fn an_address_in_the_hosts_place_needs_no_resolver() {
    let clock = ManualClock::new();
    let client = GuardedClient::new(Arc::new(Failing(None)), Loopback::Refused, Ports::All)
        .expect("a client");
    let public = url("https://93.184.216.34/");
    assert_eq!(client.check(&public, &*clock, clock.now()).await, Ok(()));
    // Parsed where loopback was allowed, and asked for where it is not.
    let local =
        PublicUrl::parse("https://127.0.0.1/", Schemes::Https, Loopback::Allowed, &Ports::All);
    let local = local.expect("allowed there");
    let found = client.check(&local, &*clock, clock.now()).await;
    assert_eq!(found, Err(UnsafeUrl::Address.into()));
}

#[test]
fn with_the_switch_plain_http_reaches_this_machine_by_its_own_names_only() {
    let parse =
        |text, loopback| PublicUrl::parse(text, Schemes::Https, loopback, &Ports::All).map(drop);
    for text in [
        "http://127.0.0.1:8080/",
        "http://127.1.2.3/",
        "http://localhost/",
        "http://a.localhost./",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://0x7f.1/",
    ] {
        assert_eq!(parse(text, Loopback::Allowed), Ok(()), "{text}");
        assert_eq!(parse(text, Loopback::Refused), Err(UnsafeUrl::Scheme), "{text}");
    }
    for text in ["http://site.example/", "http://93.184.216.34/", "http://localhost.example/"] {
        assert_eq!(parse(text, Loopback::Allowed), Err(UnsafeUrl::Scheme), "{text}");
    }
}
