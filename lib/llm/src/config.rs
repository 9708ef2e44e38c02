//! Settings of the engines.

use std::{fmt, time::Duration};

use aws_secrets::Environment;
use domain::prices::{Budget, Prices};
use engine::{EngineIdentity, EngineKind};
use reqwest::Url;

use crate::{effort::Effort, retry::Limits, secret::Secret};

/// Time for one request unless `ENGINE_TIMEOUT_SECONDS` says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Longest answer in tokens unless `ENGINE_MAX_OUTPUT_TOKENS` is set: most models support it.
const MAX_OUTPUT_TOKENS: u32 = 16_000;

const OPENAI_BASE: &str = "https://api.openai.com/v1";
const ANTHROPIC_BASE: &str = "https://api.anthropic.com";

/// Engines in order of preference, and their settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// The engines, each once; `rules` only at the end.
    pub engines: Vec<EngineName>,
    /// Settings of `openai`, if it is among the engines.
    pub openai: Option<Http>,
    /// Settings of `anthropic`, if it is among the engines.
    pub anthropic: Option<Http>,
    /// Settings of `bedrock`, if it is among the engines.
    pub bedrock: Option<BedrockModel>,
    /// Bounds of one request to a model.
    pub limits: Limits,
    /// How much a model thinks; if not set, as much as its vendor has chosen.
    pub effort: Option<Effort>,
    /// What becomes of an item that no judge has given a verdict on.
    pub without_verdict: WithoutVerdict,
    /// Prices of language models, and what operations may spend on them in a month.
    pub budget: Budget,
    /// How AWS is called.
    pub environment: Environment,
}

/// What becomes of an item to be published if the rules find nothing and a configured judge gives no verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WithoutVerdict {
    /// It waits, and is judged again.
    #[default]
    Hold,
    /// It is published on the rules' word alone, unless a provider has declined to read it.
    Publish,
}

impl WithoutVerdict {
    const ALL: [(&'static str, Self); 2] = [("hold", Self::Hold), ("publish", Self::Publish)];
}

/// Name of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineName {
    /// Deterministic rules, offline.
    Rules,
    /// A server with OpenAI's chat completions.
    OpenAi,
    /// A server with Anthropic's Messages.
    Anthropic,
    /// Amazon Bedrock.
    Bedrock,
}

impl EngineName {
    const ALL: [(&'static str, Self); 4] = [
        ("rules", Self::Rules),
        ("openai", Self::OpenAi),
        ("anthropic", Self::Anthropic),
        ("bedrock", Self::Bedrock),
    ];
}

/// A provider that speaks JSON over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// Base URL.
    pub base: Url,
    /// Name of the model.
    pub model: String,
    /// Where the key is. The vendors' own servers require one, others may not.
    pub key: Option<KeySource>,
}

/// A model of Bedrock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BedrockModel {
    /// Its identifier, or that of an inference profile.
    pub model: String,
    /// Region of the model, if not the function's own.
    pub region: Option<String>,
}

/// Where a key is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// In the environment.
    Given(Secret),
    /// In Secrets Manager, by the ARN of its secret.
    Stored(String),
}

/// All problems of the settings, one per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub Vec<String>);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ConfigError {}

impl EngineConfig {
    /// Reads the settings; `variable` returns one by its name. An empty one counts as absent, and
    /// those of unused engines are ignored.
    ///
    /// | Variable | Meaning |
    /// |---|---|
    /// | `ENGINE` | engines separated by commas, asked in this order; default `rules` |
    /// | `OPENAI_MODEL`, `ANTHROPIC_MODEL`, `BEDROCK_MODEL` | name of the model, required |
    /// | `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL` | default `https://api.openai.com/v1`, `https://api.anthropic.com` |
    /// | `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` | the key; not required with another base address |
    /// | `OPENAI_API_KEY_SECRET`, `ANTHROPIC_API_KEY_SECRET` | the ARN of the secret in Secrets Manager that has the key instead |
    /// | `BEDROCK_REGION` | default: the region of the deployment |
    /// | `ENGINE_TIMEOUT_SECONDS` | time for one request, 1 to 900; default 60 |
    /// | `ENGINE_MAX_OUTPUT_TOKENS` | longest answer, 256 to 200000; default 16000 |
    /// | `ENGINE_EFFORT` | how much a model thinks, `low`, `medium` or `high`; default: the vendor's |
    /// | `MODEL_PRICES` | prices of models, see [`Prices`] |
    /// | `MODEL_BUDGET` | dollars for a calendar month; needs the price of each model; default: not limited |
    /// | `MODERATION_WITHOUT_VERDICT` | `hold` or `publish`, see [`WithoutVerdict`]; default `hold` |
    ///
    /// # Errors
    ///
    /// All problems at once.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let environment = Environment::read(&variable);
        let mut reader = Reader::new(variable);
        let engines = reader.engines();
        let wanted = |name| engines.contains(&name);
        let openai = wanted(EngineName::OpenAi).then(|| reader.http("OPENAI", OPENAI_BASE));
        let anthropic =
            wanted(EngineName::Anthropic).then(|| reader.http("ANTHROPIC", ANTHROPIC_BASE));
        let bedrock = wanted(EngineName::Bedrock).then(|| {
            let region = reader.variable("BEDROCK_REGION");
            reader.required("BEDROCK_MODEL").map(|model| BedrockModel { model, region })
        });
        let seconds = reader.number("ENGINE_TIMEOUT_SECONDS", 1..=900);
        let tokens = reader.number("ENGINE_MAX_OUTPUT_TOKENS", 256..=200_000);
        let models = [
            ("openai", openai.as_ref().and_then(|http| Some(&http.as_ref()?.model))),
            ("anthropic", anthropic.as_ref().and_then(|http| Some(&http.as_ref()?.model))),
            ("bedrock", bedrock.as_ref().and_then(|bedrock| Some(&bedrock.as_ref()?.model))),
        ];
        let budget = reader.budget(models);
        let effort = reader.one_of("ENGINE_EFFORT", &Effort::ALL);
        let without_verdict =
            reader.one_of("MODERATION_WITHOUT_VERDICT", &WithoutVerdict::ALL).unwrap_or_default();
        if !reader.problems.is_empty() {
            return Err(ConfigError(reader.problems));
        }
        Ok(Self {
            engines,
            openai: openai.flatten(),
            anthropic: anthropic.flatten(),
            bedrock: bedrock.flatten(),
            limits: Limits {
                timeout: seconds.map_or(TIMEOUT, |seconds| Duration::from_secs(seconds.into())),
                max_output_tokens: tokens.unwrap_or(MAX_OUTPUT_TOKENS),
            },
            effort,
            without_verdict,
            budget,
            environment,
        })
    }
}

impl EngineConfig {
    /// The first engine.
    pub fn identity(&self) -> EngineIdentity {
        let first = self.engines.first().copied().unwrap_or(EngineName::Rules);
        let model = match first {
            EngineName::OpenAi => self.openai.as_ref().map(|http| http.model.clone()),
            EngineName::Anthropic => self.anthropic.as_ref().map(|http| http.model.clone()),
            EngineName::Bedrock => self.bedrock.as_ref().map(|bedrock| bedrock.model.clone()),
            EngineName::Rules => None,
        };
        identity(first, model)
    }
}

/// The first engine by its settings `ENGINE` and `OPENAI_MODEL`, `ANTHROPIC_MODEL` or
/// `BEDROCK_MODEL`: for a function that names the engine and asks none.
///
/// # Errors
///
/// All problems of these settings at once.
pub fn read_identity(
    variable: impl Fn(&str) -> Option<String>,
) -> Result<EngineIdentity, ConfigError> {
    let mut reader = Reader::new(variable);
    let first = reader.engines().first().copied().unwrap_or(EngineName::Rules);
    let model = match first {
        EngineName::OpenAi => reader.required("OPENAI_MODEL"),
        EngineName::Anthropic => reader.required("ANTHROPIC_MODEL"),
        EngineName::Bedrock => reader.required("BEDROCK_MODEL"),
        EngineName::Rules => None,
    };
    if !reader.problems.is_empty() {
        return Err(ConfigError(reader.problems));
    }
    Ok(identity(first, model))
}

/// The prices of models: `MODEL_PRICES`, see [`Prices`]; none if it is not set.
///
/// # Errors
///
/// The first price that cannot be read.
pub fn read_prices(variable: impl Fn(&str) -> Option<String>) -> Result<Prices, ConfigError> {
    let mut reader = Reader::new(variable);
    let prices = reader.prices();
    if reader.problems.is_empty() { Ok(prices) } else { Err(ConfigError(reader.problems)) }
}

fn identity(engine: EngineName, model: Option<String>) -> EngineIdentity {
    if engine == EngineName::Rules {
        return EngineIdentity::rules();
    }
    let known = |(_, name): &&(&str, EngineName)| *name == engine;
    let name = EngineName::ALL.iter().find(known).map_or("", |(name, _)| name);
    EngineIdentity { name: name.to_owned(), kind: EngineKind::Llm, model, usage: None }
}

struct Reader<V> {
    given: V,
    problems: Vec<String>,
}

impl<V: Fn(&str) -> Option<String>> Reader<V> {
    fn new(variable: V) -> Self {
        Self { given: variable, problems: Vec::new() }
    }

    fn variable(&self, name: &str) -> Option<String> {
        let value = (self.given)(name)?.trim().to_owned();
        Some(value).filter(|value| !value.is_empty())
    }

    fn engines(&mut self) -> Vec<EngineName> {
        let names = self.variable("ENGINE").unwrap_or_else(|| "rules".to_owned());
        let mut engines = Vec::new();
        for name in names.split(',').map(str::trim) {
            match EngineName::ALL.iter().find(|(known, _)| *known == name) {
                Some((_, engine)) if engines.contains(engine) => {
                    self.problems.push(format!("ENGINE names {name} twice"));
                }
                Some((_, engine)) => engines.push(*engine),
                None => self.problems.push(format!(
                    "ENGINE names {name:?}; the engines are rules, openai, anthropic and bedrock"
                )),
            }
        }
        if engines.iter().rev().skip(1).any(|engine| *engine == EngineName::Rules) {
            self.problems.push(
                "ENGINE must name rules last: it always answers, so nothing after it is ever asked"
                    .to_owned(),
            );
        }
        engines
    }

    fn prices(&mut self) -> Prices {
        let prices = self.variable("MODEL_PRICES").unwrap_or_default().parse();
        let prices = prices.unwrap_or_else(|problem| {
            self.problems.push(format!("MODEL_PRICES: {problem}"));
            Prices::default()
        });
        for engine in prices.engines() {
            if !EngineName::ALL.iter().any(|(known, _)| *known == engine) {
                self.problems.push(format!("MODEL_PRICES names {engine:?}, which is no engine"));
            }
        }
        prices
    }

    /// The budget for these engines and their models.
    fn budget(&mut self, models: [(&str, Option<&String>); 3]) -> Budget {
        let prices = self.prices();
        let Some(limit) = self.variable("MODEL_BUDGET") else {
            return Budget { prices, limit: None };
        };
        let limit = limit.parse().ok();
        if limit.is_none() {
            self.problems.push("MODEL_BUDGET must be dollars, such as 250 or 99.50".to_owned());
        }
        for (engine, model) in models {
            if let Some(model) = model.filter(|model| !prices.has(engine, model)) {
                self.problems.push(format!(
                    "MODEL_BUDGET needs a price of {engine}/{model} in MODEL_PRICES"
                ));
            }
        }
        Budget { prices, limit }
    }

    fn required(&mut self, name: &str) -> Option<String> {
        let value = self.variable(name);
        if value.is_none() {
            self.problems.push(format!("{name} is required"));
        }
        value
    }

    fn http(&mut self, prefix: &str, usual: &str) -> Option<Http> {
        let model = self.required(&format!("{prefix}_MODEL"));
        let base = self.base(&format!("{prefix}_BASE_URL"), usual);
        let key = self.key(prefix);
        let (model, base, key) = (model?, base?, key?);
        let own = Url::parse(usual).ok().as_ref().and_then(Url::host_str).map(str::to_owned);
        if key.is_none() && base.host_str() == own.as_deref() {
            let names = format!("{prefix}_API_KEY or {prefix}_API_KEY_SECRET");
            self.problems.push(format!("{names} is required for {}", base.host_str()?));
            return None;
        }
        Some(Http { base, model, key })
    }

    fn base(&mut self, name: &str, usual: &str) -> Option<Url> {
        let text = self.variable(name).unwrap_or_else(|| usual.to_owned());
        // The message does not repeat the URL: it may contain a key.
        let problem = match Url::parse(&text) {
            Ok(url) if !matches!(url.scheme(), "http" | "https") => "must begin with https or http",
            Ok(url) if !url.username().is_empty() || url.password().is_some() => {
                "must not contain a user or password"
            }
            Ok(url) if url.query().is_some() || url.fragment().is_some() => {
                "must end with its path"
            }
            Ok(url) => return Some(url),
            Err(_) => "is not an address",
        };
        self.problems.push(format!("{name} {problem}"));
        None
    }

    /// The key, if there is one; the outer `None` means that its settings are invalid.
    fn key(&mut self, prefix: &str) -> Option<Option<KeySource>> {
        let (plain, kept) = (format!("{prefix}_API_KEY"), format!("{prefix}_API_KEY_SECRET"));
        match (self.variable(&plain), self.variable(&kept)) {
            (None, None) => return Some(None),
            (Some(_), Some(_)) => {
                self.problems.push(format!("{plain} and {kept} exclude each other"))
            }
            (Some(key), None) if key.chars().all(|c| c.is_ascii_graphic()) => {
                return Some(Some(KeySource::Given(Secret::new(&key))));
            }
            (Some(_), None) => {
                self.problems.push(format!("{plain} has characters that no key has"))
            }
            // Not by a name: a key that was put here by mistake would be repeated as one.
            (None, Some(arn)) if arn.starts_with("arn:") => {
                return Some(Some(KeySource::Stored(arn)));
            }
            (None, Some(_)) => self.problems.push(format!("{kept} must be the ARN of a secret")),
        }
        None
    }

    /// One of some values by their names.
    fn one_of<T: Copy>(&mut self, name: &str, known: &[(&str, T)]) -> Option<T> {
        let text = self.variable(name)?;
        let value = known.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if value.is_none() {
            let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
            self.problems.push(format!("{name} must be {}", names.join(" or ")));
        }
        value
    }

    fn number(&mut self, name: &str, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let text = self.variable(name)?;
        let number = text.parse().ok().filter(|number| range.contains(number));
        if number.is_none() {
            let (least, most) = (range.start(), range.end());
            self.problems.push(format!("{name} must be a whole number from {least} to {most}"));
        }
        number
    }
}
