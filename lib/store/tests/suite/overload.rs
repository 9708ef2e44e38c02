//! What is sent to a service that is slow, or away.

use std::{
    collections::BTreeSet,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
    time::{Duration, SystemTime},
};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{AsyncSleep, Credentials, SharedCredentialsProvider, Sleep};
use aws_smithy_async::time::TimeSource;
use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        result::ConnectorError,
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use aws_smithy_types::body::SdkBody;
use store::{
    DynamoDb,
    connect::{self, Endpoints},
    response_time::ResponseTime,
};

/// A time that passes only while everything sleeps.
#[derive(Clone, Debug, Default)]
struct Time {
    now: Arc<Mutex<Duration>>,
    deadlines: Arc<Mutex<BTreeSet<Duration>>>,
}

impl Time {
    fn now(&self) -> Duration {
        *self.now.lock().unwrap()
    }

    fn pass(&self) {
        let next = self.deadlines.lock().unwrap().pop_first().expect("somebody sleeps");
        let mut now = self.now.lock().unwrap();
        *now = next.max(*now);
    }

    fn until_done<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(done) => return done,
                Poll::Pending => self.pass(),
            }
        }
    }
}

impl AsyncSleep for Time {
    fn sleep(&self, duration: Duration) -> Sleep {
        let (time, until) = (self.clone(), self.now() + duration);
        Sleep::new(std::future::poll_fn(move |_| {
            if time.now() >= until {
                return Poll::Ready(());
            }
            time.deadlines.lock().unwrap().insert(until);
            Poll::Pending
        }))
    }
}

impl TimeSource for Time {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000) + self.now()
    }
}

/// A DynamoDB that takes its time.
#[derive(Clone, Debug)]
struct Service {
    time: Time,
    takes: Duration,
    away: Arc<AtomicBool>,
    failing: Arc<AtomicUsize>,
    sent: Arc<AtomicUsize>,
}

impl Service {
    fn that_takes(takes: Duration) -> Self {
        Self {
            time: Time::default(),
            takes,
            away: Arc::default(),
            failing: Arc::default(),
            sent: Arc::default(),
        }
    }

    fn client(&self) -> DynamoDb {
        let credentials = Credentials::new("id", "secret", None, None, "test");
        let config = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::from_static("us-east-1"))
            .credentials_provider(SharedCredentialsProvider::new(credentials))
            .http_client(self.clone())
            .sleep_impl(self.time.clone())
            .time_source(self.time.clone())
            .build();
        connect::from_config(&config, true, Endpoints::default()).dynamodb
    }

    fn is_away(&self, away: bool) {
        self.away.store(away, Ordering::Relaxed);
    }

    /// Fails the next calls, so many.
    fn fails_next(&self, calls: usize) {
        self.failing.store(calls, Ordering::Relaxed);
    }

    fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed)
    }

    /// Whether a call succeeds.
    fn answers(&self, client: &DynamoDb) -> bool {
        self.time.until_done(client.describe_limits().send()).is_ok()
    }
}

impl HttpClient for Service {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Service {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        self.sent.fetch_add(1, Ordering::Relaxed);
        let left =
            self.failing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| it.checked_sub(1));
        let is_away = self.away.load(Ordering::Relaxed) || left.is_ok();
        let taking = self.time.sleep(self.takes);
        HttpConnectorFuture::new(async move {
            taking.await;
            if is_away {
                return Err(ConnectorError::io("nobody is there".into()));
            }
            let status = StatusCode::try_from(200).expect("a status");
            Ok(HttpResponse::new(status, SdkBody::from("{}")))
        })
    }
}

#[test]
fn a_service_that_has_become_slow_is_not_asked_twice() {
    let service = Service::that_takes(Duration::from_secs(2));
    let client = service.client();
    service.answers(&client);
    assert_eq!(service.sent(), 2, "the first try is given up, and the second has more time");
    for _ in 0..20 {
        assert!(service.answers(&client));
    }
    assert_eq!(service.sent(), 22);
}

#[test]
fn a_call_ends_after_four_seconds_at_the_latest_whatever_the_service_does() {
    let service = Service::that_takes(Duration::from_secs(60));
    let client = service.client();
    for _ in 0..5 {
        let began = service.time.now();
        assert!(!service.answers(&client));
        assert!(service.time.now() - began <= Duration::from_secs(4));
    }
}

#[test]
fn an_outage_is_not_met_with_more_calls() {
    let service = Service::that_takes(Duration::from_millis(8));
    let client = service.client();
    service.is_away(true);
    for _ in 0..100 {
        assert!(!service.answers(&client));
    }
    assert_eq!(service.sent(), 102);
}

#[test]
fn an_outage_is_not_met_with_more_calls_by_processes_that_start_in_it() {
    let service = Service::that_takes(Duration::from_millis(8));
    service.is_away(true);
    for _ in 0..20 {
        let client = service.client();
        for _ in 0..10 {
            assert!(!service.answers(&client));
        }
    }
    assert_eq!(service.sent(), 20 * 12);
}

#[test]
fn every_tenth_call_may_fail_once() {
    let service = Service::that_takes(Duration::from_millis(8));
    let client = service.client();
    for call in 0..1_000 {
        if call % 10 == 0 {
            service.fails_next(1);
        }
        assert!(service.answers(&client), "call {call}");
    }
    assert_eq!(service.sent(), 1_100);
}

#[test]
fn calls_side_by_side_are_tried_again_and_none_costs_more_than_it_should() {
    let service = Service::that_takes(Duration::from_millis(8));
    let client = service.client();
    for _ in 0..40 {
        assert!(service.answers(&client));
    }
    for _ in 0..10 {
        service.fails_next(2);
        let calls = futures::future::join_all((0..2).map(|_| client.describe_limits().send()));
        assert!(service.time.until_done(calls).iter().all(Result::is_ok));
        for _ in 0..45 {
            assert!(service.answers(&client));
        }
    }
}

#[test]
fn a_service_that_fails_half_of_the_time_is_asked_a_tenth_more() {
    let service = Service::that_takes(Duration::from_millis(8));
    let client = service.client();
    for call in 0..1_000 {
        if call % 2 == 0 {
            service.fails_next(3);
        }
        service.answers(&client);
        service.fails_next(0);
    }
    assert!(service.sent() <= 1_100, "{} calls were sent for 1000", service.sent());
}

#[test]
fn an_overload_is_one_while_it_lasts_however_long_the_answers_take() {
    for takes in [Duration::from_secs(3), Duration::from_secs(60)] {
        let response_time = ResponseTime::new(Duration::from_millis(1_500), Duration::from_secs(4));
        let measure = |takes: Duration| match takes <= response_time.timeout() {
            true => response_time.answered_after(takes),
            false => response_time.timed_out(),
        };
        for _ in 0..20 {
            measure(Duration::from_millis(8));
        }
        assert!(!response_time.is_overloaded());
        for _ in 0..20 {
            measure(takes);
        }
        assert!(response_time.is_overloaded(), "answers take {takes:?}");
        for _ in 0..10 {
            measure(Duration::from_millis(8));
        }
        assert!(!response_time.is_overloaded());
    }
}

#[test]
fn an_answer_that_a_frozen_process_hears_an_hour_late_is_no_overload() {
    let response_time = ResponseTime::new(Duration::from_millis(1_500), Duration::from_secs(4));
    response_time.answered_after(Duration::from_millis(8));
    response_time.answered_after(Duration::from_secs(3_600));
    assert!(!response_time.is_overloaded());
}
