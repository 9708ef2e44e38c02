//! The wire between the service and its storage: counts calls and units, and does what emulators
//! never do.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpClient, SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        result::ConnectorError,
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use aws_smithy_types::{body::SdkBody, byte_stream::ByteStream};
use domain::Clock;
use serde_json::{Value, json};

use crate::{calls, clock::ManualClock};

/// One call to storage.
#[derive(Clone, Debug)]
pub struct RecordedCall {
    /// The operation, for example `DynamoDB_20120810.GetItem`; method and path for S3.
    pub operation: String,
    /// When it was sent.
    pub sent: Instant,
    /// When its answer was there.
    pub answered: Instant,
    /// Capacity units that it consumed, where the service tells.
    pub units: f64,
    /// The message group of a message that it sends.
    pub message_group: Option<String>,
    /// The names of its headers.
    pub headers: Vec<String>,
}

/// Milliseconds without a call after which a service with a parked one has nothing left to do.
const QUIET: usize = 15;

/// What happens to calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call meets a transaction on the way: a transaction is cancelled, a single write refused.
    TransactionConflict,
    /// The table is throttled.
    Throttled,
    /// The call does its work, but its answer is lost.
    AnswerLost,
    /// The call does its work, but its answer is held back until a call of the operation that ends so was
    /// answered too.
    AnswerHeld {
        /// The end of that operation's name.
        until: &'static str,
        /// Whether the answer is lost then.
        lost: bool,
    },
    /// The call is answered, but it reaches the service only after so much of the test's time.
    Slow(Duration),
    /// The call does its work at once, but its answer takes so much of the test's time; if it is lost, nobody
    /// hears that before.
    Late {
        /// How long.
        time: Duration,
        /// Whether the answer is lost then.
        lost: bool,
    },
    /// The items of a batch read are read one by one, as DynamoDB does it: the last one at once, the others after
    /// a call of the operation that ends so was answered.
    Torn {
        /// The end of that operation's name.
        until: &'static str,
    },
    /// The service cannot be reached.
    Unreachable,
    /// The service does not permit the call.
    Denied,
}

/// A fault that waits for its call.
#[derive(Clone, Debug)]
struct InjectedFault {
    operation: &'static str,
    fault: Fault,
    times: usize,
}

/// When the service crashes, seen from its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrashPoint {
    /// So many calls go through unharmed.
    pub after: usize,
    /// Whether the next one still does its work before everything stops.
    pub call_arrives: bool,
}

#[derive(Debug, Default)]
struct State {
    calls: Vec<RecordedCall>,
    faults: Vec<InjectedFault>,
    crash_point: Option<CrashPoint>,
    calls_since_crash: usize,
    /// Calls that were sent, ever.
    sent: usize,
    /// Calls that were sent and not answered yet, unless a fault holds them back.
    in_flight: usize,
    /// Calls of a crashed service, which are never answered.
    parked: usize,
    /// Processes of the service that were killed.
    killed: usize,
    /// What functions ever needed permission for, as in `calls.tsv`.
    needed: BTreeSet<String>,
}

/// Handle on the faults.
#[derive(Clone, Debug, Default)]
pub struct FaultInjector(Arc<Mutex<State>>);

impl FaultInjector {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().expect("no test panics with it")
    }

    /// Forgets what was counted.
    pub fn reset(&self) {
        self.state().calls.clear();
    }

    /// Calls since the last reset.
    pub fn calls(&self) -> Vec<RecordedCall> {
        self.state().calls.clone()
    }

    /// What functions ever needed permission for, as in `calls.tsv`.
    pub fn needed(&self) -> BTreeSet<String> {
        self.state().needed.clone()
    }

    /// Calls ever sent.
    pub fn calls_sent(&self) -> usize {
        self.state().sent
    }

    /// Calls that wait for their answer, unless a fault holds it back.
    pub fn calls_in_flight(&self) -> usize {
        self.state().in_flight
    }

    /// The next `times` calls of the operation that ends with `operation` meet `fault`.
    pub fn inject(&self, operation: &'static str, fault: Fault, times: usize) {
        self.state().faults.push(InjectedFault { operation, fault, times });
    }

    /// Whether every fault has met its call.
    pub fn is_exhausted(&self) -> bool {
        self.left() == 0
    }

    /// Faults that have not met their call.
    pub fn left(&self) -> usize {
        self.state().faults.iter().map(|fault| fault.times).sum()
    }

    /// Lets the service die: after that many calls from now none is answered any more.
    pub fn crash(&self, crash_point: CrashPoint) {
        let mut state = self.state();
        state.calls_since_crash = 0;
        state.parked = 0;
        state.crash_point = Some(crash_point);
    }

    /// Waits for what a service does that may crash meanwhile; `None` if it has: a call of it is parked, none is in
    /// flight (those that a fault holds back do not count), and it has sent no other for so long that it waits for
    /// what never comes.
    pub async fn or_crash<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.crashed() => None,
        }
    }

    async fn crashed(&self) {
        let (mut seen, mut quiet) = (0, 0);
        while quiet < QUIET {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let state = self.state();
            let is_quiet = state.parked > 0 && state.in_flight == 0 && state.parked == seen;
            quiet = if is_quiet { quiet + 1 } else { 0 };
            seen = state.parked;
        }
    }

    /// Kills the process whose clients were made last: nothing that it still sends arrives, and nothing that it has
    /// sent is answered.
    pub fn kill_process(&self) {
        self.state().killed += 1;
    }

    /// Brings storage back.
    pub fn recover(&self) {
        let mut state = self.state();
        state.crash_point = None;
        state.faults.clear();
    }

    /// The longest chain of calls each of which began after the one before was answered.
    ///
    /// Greedy by earliest end, which is optimal for intervals.
    pub fn sequential_trips(&self) -> usize {
        let mut calls = self.calls();
        calls.sort_by_key(|call| call.answered);
        let mut free: Option<Instant> = None;
        let mut trips = 0;
        for call in calls {
            if free.is_none_or(|free| call.sent >= free) {
                trips += 1;
                free = Some(call.answered);
            }
        }
        trips
    }

    /// Calls of operations that end with `operation`.
    pub fn count(&self, operation: &str) -> usize {
        self.calls().iter().filter(|call| call.operation.ends_with(operation)).count()
    }

    /// Waits for the next answer to a call of an operation that ends with `operation`.
    async fn answer_to(&self, operation: &str) {
        let before = self.count(operation);
        while self.count(operation) == before {
            tokio::task::yield_now().await;
        }
    }

    /// Units consumed by operations that end with `operation`.
    pub fn units(&self, operation: &str) -> f64 {
        let calls = self.calls();
        let of = calls.iter().filter(|call| call.operation.ends_with(operation));
        of.map(|call| call.units).sum()
    }

    fn fault_for(&self, operation: &str) -> Option<Fault> {
        let mut state = self.state();
        let trap = state
            .faults
            .iter_mut()
            .find(|trap| trap.times > 0 && operation.ends_with(trap.operation))?;
        trap.times -= 1;
        Some(trap.fault.clone())
    }

    /// What a call that is the next one in line meets: `None` if it lives.
    fn crashes(&self) -> Option<CrashPoint> {
        let mut state = self.state();
        let crash_point = state.crash_point?;
        state.calls_since_crash += 1;
        (state.calls_since_crash > crash_point.after).then_some(CrashPoint {
            after: crash_point.after,
            call_arrives: crash_point.call_arrives
                && state.calls_since_crash == crash_point.after + 1,
        })
    }
}

/// A call while it is in flight.
struct InFlight(FaultInjector);

impl InFlight {
    fn of(faults: &FaultInjector) -> Self {
        let mut state = faults.state();
        state.sent += 1;
        state.in_flight += 1;
        drop(state);
        Self(faults.clone())
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.state().in_flight -= 1;
    }
}

/// An HTTP client of a function, or of the test itself, whose calls pass the faults. What is late is late by `clock`.
pub fn wired(
    faults: FaultInjector,
    function: Option<&'static str>,
    clock: Arc<ManualClock>,
    inner: SharedHttpClient,
) -> SharedHttpClient {
    let process = faults.state().killed;
    SharedHttpClient::new(WiredClient { faults, function, process, clock, inner })
}

#[derive(Debug)]
struct WiredClient {
    faults: FaultInjector,
    function: Option<&'static str>,
    /// How many processes were killed before the one that this client belongs to.
    process: usize,
    clock: Arc<ManualClock>,
    inner: SharedHttpClient,
}

impl HttpClient for WiredClient {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(WiredConnector {
            faults: self.faults.clone(),
            function: self.function,
            process: self.process,
            clock: self.clock.clone(),
            inner: self.inner.http_connector(settings, components),
        })
    }
}

struct WiredConnector {
    faults: FaultInjector,
    function: Option<&'static str>,
    process: usize,
    clock: Arc<ManualClock>,
    inner: SharedHttpConnector,
}

impl fmt::Debug for WiredConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WiredConnector")
    }
}

impl HttpConnector for WiredConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = match request.headers().get("x-amz-target") {
            Some(target) => target.to_owned(),
            None => format!("{} {}", request.method(), request.uri()),
        };
        if let Some(function) = self.function {
            self.faults.state().needed.extend(calls::needed(function, &request));
        }
        let headers = request.headers().iter().map(|(name, _)| name.to_owned()).collect();
        let (faults, inner) = (self.faults.clone(), self.inner.clone());
        let (clock, process) = (self.clock.clone(), self.process);
        let is_dead = move |faults: &FaultInjector| faults.state().killed > process;
        let sleep = move |time| clock.sleep_until(clock.now() + time);
        HttpConnectorFuture::new(async move {
            if is_dead(&faults) {
                return std::future::pending().await;
            }
            if let Some(crash_point) = faults.crashes() {
                if crash_point.call_arrives {
                    let _in_flight = InFlight::of(&faults);
                    let _ = inner.call(request).await;
                }
                faults.state().parked += 1;
                return std::future::pending().await;
            }
            let fault = faults.fault_for(&operation);
            match fault {
                Some(Fault::Unreachable) => {
                    return Err(ConnectorError::io("the service cannot be reached".into()));
                }
                Some(Fault::Denied) => {
                    return Ok(refusal(json!({
                        "__type": "com.amazon.coral.service#AccessDeniedException",
                        "message": "The role is not authorized to perform this",
                    })));
                }
                Some(Fault::Throttled) => {
                    return Ok(refusal(json!({
                        "__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException",
                        "message": "Rate exceeded",
                    })));
                }
                Some(Fault::TransactionConflict) if !operation.contains(".Transact") => {
                    return Ok(refusal(json!({
                        "__type":
                            "com.amazonaws.dynamodb.v20120810#TransactionConflictException",
                        "message": "Transaction is ongoing for the item",
                    })));
                }
                Some(Fault::TransactionConflict) => {
                    let body = body_of(&request);
                    let items = body["TransactItems"].as_array().map_or(0, Vec::len);
                    let reasons: Vec<_> = (0..items)
                        .map(|item| {
                            let code = if item == 0 { "TransactionConflict" } else { "None" };
                            json!({"Code": code})
                        })
                        .collect();
                    return Ok(refusal(json!({
                        "__type":
                            "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                        "message": "Transaction cancelled",
                        "CancellationReasons": reasons,
                    })));
                }
                Some(Fault::Slow(time)) => sleep(time).await,
                Some(Fault::Torn { until }) => {
                    let sent = Instant::now();
                    let early = inner.call(part_of(&request, true)).await?;
                    let answered = Instant::now();
                    faults.state().calls.push(RecordedCall {
                        operation,
                        sent,
                        answered,
                        units: 0.0,
                        message_group: None,
                        headers,
                    });
                    faults.answer_to(until).await;
                    let late = inner.call(part_of(&request, false)).await?;
                    return joined(early, late).await;
                }
                Some(Fault::AnswerLost | Fault::AnswerHeld { .. } | Fault::Late { .. }) | None => {}
            }
            if is_dead(&faults) {
                return std::future::pending().await;
            }
            let in_flight = InFlight::of(&faults);
            let request = asking_for_units(request, &operation);
            let message_group = body_of(&request)["MessageGroupId"].as_str().map(str::to_owned);
            let sent = Instant::now();
            let response = inner.call(request).await?;
            let (response, units) = weighed(response).await?;
            let answered = Instant::now();
            faults.state().calls.push(RecordedCall {
                operation,
                sent,
                answered,
                units,
                message_group,
                headers,
            });
            drop(in_flight);
            if let Some(Fault::AnswerHeld { until, .. }) = fault {
                faults.answer_to(until).await;
            }
            if let Some(Fault::Late { time, .. }) = fault {
                sleep(time).await;
            }
            if is_dead(&faults) {
                return std::future::pending().await;
            }
            let is_lost = match fault {
                Some(Fault::AnswerLost) => true,
                Some(Fault::AnswerHeld { lost, .. } | Fault::Late { lost, .. }) => lost,
                _ => false,
            };
            if is_lost {
                return Err(ConnectorError::io("the answer was lost".into()));
            }
            Ok(response)
        })
    }
}

pub(crate) fn body_of(request: &HttpRequest) -> Value {
    let bytes = request.body().bytes().unwrap_or_default();
    serde_json::from_slice(bytes).unwrap_or(Value::Null)
}

fn refusal(body: Value) -> HttpResponse {
    let status = StatusCode::try_from(400).expect("a status");
    HttpResponse::new(status, SdkBody::from(body.to_string()))
}

/// A call can be changed after it was signed: it is signed again on its arrival.
fn asking_for_units(mut request: HttpRequest, operation: &str) -> HttpRequest {
    if !operation.starts_with("DynamoDB") {
        return request;
    }
    let mut body = body_of(&request);
    body["ReturnConsumedCapacity"] = json!("TOTAL");
    set_body(&mut request, &body);
    request
}

fn set_body(request: &mut HttpRequest, body: &Value) {
    let text = body.to_string();
    request.headers_mut().insert("content-length", text.len().to_string());
    *request.body_mut() = SdkBody::from(text);
}

/// The batch read of the last key, or of the others.
fn part_of(request: &HttpRequest, of_last: bool) -> HttpRequest {
    let (mut part, mut body) = (request.try_clone().expect("a body in memory"), body_of(request));
    for (_, table) in body["RequestItems"].as_object_mut().expect("a batch read") {
        let keys = table["Keys"].as_array_mut().expect("keys");
        let last = keys.pop().expect("a key");
        if of_last {
            *keys = vec![last];
        }
    }
    set_body(&mut part, &body);
    part
}

/// The answer to both parts of a batch read.
async fn joined(early: HttpResponse, late: HttpResponse) -> Result<HttpResponse, ConnectorError> {
    let status = early.status();
    let (mut body, late) = (read(early).await?, read(late).await?);
    for (table, items) in body["Responses"].as_object_mut().into_iter().flatten() {
        let late = late["Responses"][table].as_array().cloned().unwrap_or_default();
        items.as_array_mut().expect("items").extend(late);
    }
    Ok(HttpResponse::new(status, SdkBody::from(body.to_string())))
}

async fn read(response: HttpResponse) -> Result<Value, ConnectorError> {
    let bytes = ByteStream::new(response.into_body()).collect().await;
    let bytes = bytes.map_err(|error| ConnectorError::io(error.into()))?.into_bytes();
    Ok(serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

async fn weighed(response: HttpResponse) -> Result<(HttpResponse, f64), ConnectorError> {
    let status = response.status();
    let mut headers = Vec::new();
    for (name, value) in response.headers() {
        headers.push((name.to_owned(), value.to_owned()));
    }
    let bytes = ByteStream::new(response.into_body())
        .collect()
        .await
        .map_err(|error| ConnectorError::io(error.into()))?
        .into_bytes();
    let consumed = serde_json::from_slice::<Value>(&bytes).unwrap_or(Value::Null);
    let consumed = &consumed["ConsumedCapacity"];
    let units = match consumed {
        Value::Array(tables) => {
            tables.iter().filter_map(|table| table["CapacityUnits"].as_f64()).sum()
        }
        table => table["CapacityUnits"].as_f64().unwrap_or(0.0),
    };
    let mut rebuilt = HttpResponse::new(status, SdkBody::from(bytes));
    for (name, value) in headers {
        rebuilt.headers_mut().append(name, value);
    }
    Ok((rebuilt, units))
}
