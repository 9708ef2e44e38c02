//! What becomes of calls: each seed has weather of its own, mostly with a few kinds of trouble only.

use std::time::Duration;

use embedded::ServiceName;

use crate::schedule::Dice;

const MILLISECOND: Duration = Duration::from_millis(1);

/// How often what happens.
#[derive(Clone, Debug)]
pub struct Weather {
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
    pub receive_in_vain: f64,
    /// A batch of messages is handed to its function once more, later.
    pub duplicate: f64,
    /// A function's success is not heard, so that its messages are received again.
    pub forget: f64,
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
    event: Event,
}

impl Outage {
    fn of(dice: &Dice, now: Duration) -> Self {
        let from = now + dice.time(MILLISECOND * 100, Duration::from_secs(60));
        let (event, shares) = dice.pick(&[
            (Event::Lost, [1.0, 1.0]),
            (Event::Unavailable, [0.9, 1.0]),
            (Event::Throttled, [0.3, 0.9]),
        ]);
        Self {
            service: dice.pick(&[ServiceName::DynamoDb, ServiceName::S3, ServiceName::Sqs]),
            from,
            until: from + dice.time(Duration::from_secs(3), Duration::from_secs(900)),
            share: dice.pick(&shares),
            event,
        }
    }

    fn is_on(&self, service: ServiceName, now: Duration) -> bool {
        self.service == service && (self.from..self.until).contains(&now)
    }
}

/// What becomes of one call.
#[derive(Clone, Copy, Debug)]
pub struct Fate {
    /// How long it takes to arrive.
    pub there: Duration,
    /// How long its answer takes.
    pub back: Duration,
    /// What happens to it.
    pub event: Event,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It is answered.
    Nothing,
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

impl Weather {
    /// A seed's weather, from now on.
    pub fn of(dice: &Dice, now: Duration) -> Self {
        let rate = |rates: &[f64]| if dice.chance(0.5) { 0.0 } else { dice.pick(rates) };
        let common = [0.003, 0.01, 0.03, 0.1];
        let outage = dice.chance(0.25).then(|| Outage::of(dice, now));
        Self {
            loss: rate(&common),
            error: rate(&common),
            throttle: rate(&common),
            usual: dice.pick(&[12, 12, 100].map(Duration::from_millis)),
            slow: rate(&common),
            slowest: dice.pick(&[1, 4, 40].map(Duration::from_secs)),
            kill: rate(&[0.01, 0.03, 0.1]),
            lag: dice.pick(&[0, 100, 2_000].map(Duration::from_millis)),
            torn: dice.pick(&[0, 1, 10, 100, 1_000].map(Duration::from_millis)),
            partial: rate(&common),
            receive_in_vain: rate(&[0.03, 0.1, 0.3]),
            duplicate: rate(&[0.03, 0.1, 0.3]),
            forget: rate(&[0.03, 0.1, 0.3]),
            outage,
        }
    }

    /// The weather in which everything comes to rest.
    pub fn calm() -> Self {
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
            receive_in_vain: 0.0,
            duplicate: 0.0,
            forget: 0.0,
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
    pub fn fate(&self, dice: &Dice, service: ServiceName, now: Duration) -> Fate {
        let quick = || dice.time(MILLISECOND / 2, self.usual);
        let mut fate = Fate { there: quick(), back: quick(), event: Event::Nothing };
        if let Some(outage) = self.outage
            && outage.is_on(service, now)
            && dice.chance(outage.share)
        {
            if outage.event == Event::Lost {
                // Some are refused at once, and some are never heard of again.
                fate.there = dice.time(MILLISECOND, Duration::from_secs(10));
            }
            fate.event = outage.event;
            return fate;
        }
        if dice.chance(self.slow) {
            let way = if dice.chance(0.5) { &mut fate.there } else { &mut fate.back };
            *way = dice.time(MILLISECOND * 50, self.slowest);
        }
        let happen = [
            (self.loss / 2.0, Event::Lost),
            (self.loss / 2.0, Event::AnswerLost),
            (self.error, Event::Failed),
            (self.throttle, Event::Throttled),
            (self.kill / 2.0, Event::KilledBefore),
            (self.kill / 2.0, Event::KilledAfter),
        ];
        for (probability, event) in happen {
            if dice.chance(probability) {
                fate.event = event;
                break;
            }
        }
        fate
    }
}
