//! Time, randomness, briefs and engines for the tests.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_bedrockruntime::config::{Credentials, SharedCredentialsProvider};
use domain::{Clock, Random, Timestamp, clock::Sleep};
use engine::{
    Beside, Engine, EngineError, GenerateBrief, Material, Mode, OutputMode, PromptBrief,
    RefineBrief, ReverseBrief, TargetModel,
};
use llm::{Limits, Llm, Model};
use rules::Rules;
use tokio::sync::watch;

use crate::{dialect::Dialect, stub::Stub};

pub const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The instant `seconds` after the start.
pub fn after(seconds: u64) -> Timestamp {
    START + Duration::from_secs(seconds)
}

/// A manual clock. A short sleep moves it at once, so that pauses take no time; a longer one
/// ends only when the test moves the clock.
#[derive(Debug)]
pub struct TestClock {
    now: watch::Sender<Timestamp>,
    naps: Mutex<Vec<Duration>>,
    sleeps: watch::Sender<usize>,
    /// Longest sleep that moves the clock by itself.
    nap: Duration,
}

impl TestClock {
    pub fn new() -> Arc<Self> {
        Self::with_naps(Duration::from_secs(20))
    }

    /// A clock that only the test moves.
    pub fn still() -> Arc<Self> {
        Self::with_naps(Duration::ZERO)
    }

    fn with_naps(nap: Duration) -> Arc<Self> {
        let (now, sleeps) = (watch::Sender::new(START), watch::Sender::new(0));
        Arc::new(Self { now, naps: Mutex::default(), sleeps, nap })
    }

    pub fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now = *now + by);
    }

    /// Resolves once the `count`th sleep has begun.
    pub async fn slept(&self, count: usize) {
        self.sleeps.subscribe().wait_for(|sleeps| *sleeps >= count).await.unwrap();
    }

    /// The short sleeps so far.
    pub fn naps(&self) -> Vec<Duration> {
        self.naps.lock().unwrap().clone()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.now.borrow()
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        self.sleeps.send_modify(|sleeps| *sleeps += 1);
        let nap = instant.since(self.now());
        if nap <= self.nap {
            self.naps.lock().unwrap().push(nap);
            self.advance(nap);
        }
        let mut now = self.now.subscribe();
        Box::pin(async move {
            if now.wait_for(|now| *now >= instant).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

/// Bytes that are different each time and the same in every run.
#[derive(Debug, Default)]
pub struct Counting(AtomicU64);

impl Random for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        for byte in buffer {
            let step = self.0.fetch_add(1, Ordering::SeqCst);
            *byte = (step.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8;
        }
    }
}

const LIMITS: Limits = Limits { timeout: TIMEOUT, max_output_tokens: 9_000 };

/// The engine under test, connected to `stub`.
pub fn engine(dialect: Dialect, stub: &Stub, clock: Arc<TestClock>) -> Llm {
    // Somebody always listens, so that no place of the log is taken for one that nobody wants while another test begins
    // to listen.
    let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry());
    let random = Arc::new(Counting::default());
    Llm::new(dialect.provider(stub), Arc::new(Rules), LIMITS, clock, random)
}

/// The model under test, connected to `stub`.
pub fn model(dialect: Dialect, stub: &Stub, clock: Arc<TestClock>) -> Model {
    Model::new(dialect.provider(stub), LIMITS, clock, Arc::new(Counting::default()))
}

/// An AWS configuration with `stub` as its endpoint.
pub fn aws(stub: &Stub) -> SdkConfig {
    let keys = Credentials::new("AKIATEST", "secret", None, None, "test");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-west-2"))
        .endpoint_url(format!("http://{}", stub.address))
        .credentials_provider(SharedCredentialsProvider::new(keys))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build()
}

/// The rules that an unusable answer broke, and where.
pub fn broken(error: EngineError) -> String {
    match error {
        EngineError::Unusable { violations } => engine::violation::summary(&violations),
        other => panic!("{other:?}"),
    }
}

pub fn target(name: &str) -> TargetModel {
    TargetModel::try_from(name).unwrap()
}

pub fn goal(message: &str) -> GenerateBrief {
    GenerateBrief {
        message: message.to_owned(),
        mode: Mode::Auto,
        output_mode: OutputMode::ReadyToUse,
        target_model: TargetModel::default(),
        language: "en".to_owned(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    }
}

pub const PROMPT: &str = "Write a short text about our new kettle for customers. Make it good.";

pub fn prompt(text: &str) -> PromptBrief {
    PromptBrief {
        prompt: text.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations: 1,
        images: Vec::new(),
    }
}

pub fn feedback(text: &str, feedback: &str) -> RefineBrief {
    RefineBrief {
        beside: Beside::default(),
        prompt: text.to_owned(),
        feedback: feedback.to_owned(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        images: Vec::new(),
    }
}

pub fn material(material: Material) -> ReverseBrief {
    ReverseBrief { material, language: "en".to_owned(), target_model: TargetModel::default() }
}

/// The result of analysing [`PROMPT`] with two minutes of time.
pub async fn analyzed(llm: &Llm) -> Result<engine::Analysis, EngineError> {
    llm.analyze(&prompt(PROMPT), after(120)).await
}
