//! Fault injection: each seed has rates of its own, and most kinds of faults never happen in it.

use std::time::Duration;

use embedded::ServiceName;

use crate::scheduler::SeededRandom;

const MILLISECOND: Duration = Duration::from_millis(1);

/// How often what happens.
#[derive(Clone, Debug)]
pub struct FaultProfile {
    /// A call is lost on its way, or its answer is.
    loss: f64,
    /// A service answers that it has failed.
    error: f64,
    /// A service throttles.
    throttle: f64,
    /// How long a call or its answer takes otherwise, at most.
    usual: Duration,
    /// A call or its answer takes long.
    slow: f64,
    /// How long then, at most.
    slowest: Duration,
    /// The caller is killed before or after the call arrives.
    kill: f64,
    /// How long the items of a transaction take to be visible, at most.
    pub torn: Duration,
    /// How far the index is behind the table, at most.
    pub lag: Duration,
    /// A batch is read or written in part.
    pub partial: f64,
    /// A batch of messages is received, but not handed to its function.
    pub receive_without_invocation: f64,
    /// A batch of messages is handed to its function once more, later.
    pub duplicate: f64,
    /// A function's success is not heard, so that its messages are received again.
    pub lost_acknowledgement: f64,
    /// A service that fails for minutes.
    outage: Option<Outage>,
}

/// Time in which a service answers only a part of its calls.
#[derive(Clone, Copy, Debug)]
struct Outage {
    service: ServiceName,
    from: Duration,
    until: Duration,
    /// How many calls fail.
    share: f64,
    /// How they fail.
    fault: Fault,
}

impl Outage {
    fn of(random: &SeededRandom, now: Duration) -> Self {
        let from = now + random.time(MILLISECOND * 100, Duration::from_secs(60));
        let (fault, shares) = random.pick(&[
            (Fault::Lost, [1.0, 1.0]),
            (Fault::Unavailable, [0.9, 1.0]),
            (Fault::Throttled, [0.3, 0.9]),
        ]);
        Self {
            service: random.pick(&[ServiceName::DynamoDb, ServiceName::S3, ServiceName::Sqs]),
            from,
            until: from + random.time(Duration::from_secs(3), Duration::from_secs(900)),
            share: random.pick(&shares),
            fault,
        }
    }

    fn is_on(&self, service: ServiceName, now: Duration) -> bool {
        self.service == service && (self.from..self.until).contains(&now)
    }
}

/// What becomes of one call.
#[derive(Clone, Copy, Debug)]
pub struct CallFaults {
    /// How long it takes to arrive.
    pub request_delay: Duration,
    /// How long its answer takes.
    pub response_delay: Duration,
    /// What happens to it.
    pub fault: Fault,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is answered.
    None,
    /// It does not arrive.
    Lost,
    /// Its answer does not arrive.
    AnswerLost,
    /// The service fails without an effect.
    Failed,
    /// The service is not available.
    Unavailable,
    /// The service throttles.
    Throttled,
    /// Its caller is killed, and it does not arrive.
    KilledBefore,
    /// It arrives, and its caller is killed.
    KilledAfter,
}

impl FaultProfile {
    /// A seed's rates, from now on.
    pub fn of(random: &SeededRandom, now: Duration) -> Self {
        let rate = |rates: &[f64]| if random.chance(0.5) { 0.0 } else { random.pick(rates) };
        let common = [0.003, 0.01, 0.03, 0.1];
        let outage = random.chance(0.25).then(|| Outage::of(random, now));
        Self {
            loss: rate(&common),
            error: rate(&common),
            throttle: rate(&common),
            usual: random.pick(&[12, 12, 100].map(Duration::from_millis)),
            slow: rate(&common),
            slowest: random.pick(&[1, 4, 40].map(Duration::from_secs)),
            kill: rate(&[0.01, 0.03, 0.1]),
            lag: random.pick(&[0, 100, 2_000].map(Duration::from_millis)),
            torn: random.pick(&[0, 1, 10, 100, 1_000].map(Duration::from_millis)),
            partial: rate(&common),
            receive_without_invocation: rate(&[0.03, 0.1, 0.3]),
            duplicate: rate(&[0.03, 0.1, 0.3]),
            lost_acknowledgement: rate(&[0.03, 0.1, 0.3]),
            outage,
        }
    }

    /// No faults: everything comes to rest.
    pub fn none() -> Self {
        Self {
            loss: 0.0,
            error: 0.0,
            throttle: 0.0,
            usual: MILLISECOND * 12,
            slow: 0.0,
            slowest: MILLISECOND,
            kill: 0.0,
            torn: Duration::ZERO,
            lag: Duration::ZERO,
            partial: 0.0,
            receive_without_invocation: 0.0,
            duplicate: 0.0,
            lost_acknowledgement: 0.0,
            outage: None,
        }
    }

    /// Whether a service is in the midst of an outage that takes a minute at least.
    pub fn has_long_outage(&self, service: ServiceName, now: Duration) -> bool {
        let minute = Duration::from_secs(60);
        self.outage.is_some_and(|outage| {
            outage.is_on(service, now) && outage.until - outage.from >= minute
        })
    }

    /// What becomes of a call to a service.
    pub fn faults_of(
        &self,
        random: &SeededRandom,
        service: ServiceName,
        now: Duration,
    ) -> CallFaults {
        let quick = || random.time(MILLISECOND / 2, self.usual);
        let mut faults =
            CallFaults { request_delay: quick(), response_delay: quick(), fault: Fault::None };
        if let Some(outage) = self.outage
            && outage.is_on(service, now)
            && random.chance(outage.share)
        {
            if outage.fault == Fault::Lost {
                // Some are refused at once, and some are never heard of again.
                faults.request_delay = random.time(MILLISECOND, Duration::from_secs(10));
            }
            faults.fault = outage.fault;
            return faults;
        }
        if random.chance(self.slow) {
            let way = if random.chance(0.5) {
                &mut faults.request_delay
            } else {
                &mut faults.response_delay
            };
            *way = random.time(MILLISECOND * 50, self.slowest);
        }
        let happen = [
            (self.loss / 2.0, Fault::Lost),
            (self.loss / 2.0, Fault::AnswerLost),
            (self.error, Fault::Failed),
            (self.throttle, Fault::Throttled),
            (self.kill / 2.0, Fault::KilledBefore),
            (self.kill / 2.0, Fault::KilledAfter),
        ];
        for (probability, fault) in happen {
            if random.chance(probability) {
                faults.fault = fault;
                break;
            }
        }
        faults
    }
}
