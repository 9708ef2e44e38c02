//! What the tokens of language models cost, by prices that the operator sets.

use std::{fmt, iter::Sum, str::FromStr};

use serde::{Serialize, Serializer};

use crate::{ModelUsage, TokenUsage};

/// Decimals of a price, and of an amount that is shown.
const DECIMALS: usize = 6;
/// Picodollars in a microdollar.
const PICOS: u128 = 1_000_000;

/// An amount in US dollars, exact to 10⁻¹² of them: to what one token costs at a price with six decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dollars(u128);

impl FromStr for Dollars {
    type Err = ();

    /// Reads an amount below a million dollars with at most six decimals, such as `3` or `0.125`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
        if !is_number(whole) || !is_number(decimals) || whole.len() > 6 || decimals.len() > DECIMALS
        {
            return Err(());
        }
        let micros: u128 = format!("{whole}{decimals:0<DECIMALS$}").parse().map_err(|_| ())?;
        Ok(Self(micros * PICOS))
    }
}

impl fmt::Display for Dollars {
    /// Rounds to six decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = (self.0 + PICOS / 2) / PICOS;
        write!(f, "{}.{:06}", micros / 1_000_000, micros % 1_000_000)
    }
}

impl Serialize for Dollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_string().parse().unwrap_or_default())
    }
}

impl Sum for Dollars {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.map(|amount| amount.0).sum())
    }
}

/// The prices of a model's tokens, in picodollars for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Price {
    input: u128,
    output: u128,
    cached_input: u128,
    cache_write: u128,
}

impl Price {
    /// Reads `<input>,<output>[,<cached input>[,<cache write>]]`, in dollars for a million tokens.
    fn read(text: &str) -> Option<Self> {
        let amounts: Vec<_> = text.split(',').map(|part| part.trim().parse::<Dollars>()).collect();
        let for_one = |position: usize| {
            let amount = amounts.get(position)?.as_ref().ok()?;
            Some(amount.0 / 1_000_000)
        };
        let (input, output) = (for_one(0)?, for_one(1)?);
        let is_read = amounts.len() <= 4 && amounts.iter().all(Result::is_ok);
        is_read.then(|| Self {
            input,
            output,
            cached_input: for_one(2).unwrap_or(input),
            cache_write: for_one(3).unwrap_or(input),
        })
    }

    fn of(&self, tokens: &TokenUsage) -> Dollars {
        let TokenUsage {
            input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, ..
        } = *tokens;
        let plain =
            input_tokens.saturating_sub(cached_input_tokens.saturating_add(cache_write_tokens));
        Dollars(
            u128::from(plain) * self.input
                + u128::from(cached_input_tokens) * self.cached_input
                + u128::from(cache_write_tokens) * self.cache_write
                + u128::from(output_tokens) * self.output,
        )
    }
}

/// The prices of language models.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(Vec<(String, String, Price)>);

impl FromStr for Prices {
    type Err = String;

    /// Reads `<engine>/<model>=<input>,<output>[,<cached input>[,<cache write>]]`, several separated by `;`. Prices are
    /// dollars for a million tokens, with at most six decimals. Without its own price, input that is cached or written
    /// to a cache costs what other input costs.
    ///
    /// # Errors
    ///
    /// The first entry that cannot be read, or that is there twice.
    fn from_str(text: &str) -> Result<Self, String> {
        let entries = text.split(';').map(str::trim).filter(|entry| !entry.is_empty());
        let read = |entry: &str| {
            let (name, price) = entry.rsplit_once('=')?;
            let (engine, model) = name.trim().split_once('/')?;
            Some((engine.to_owned(), model.to_owned(), Price::read(price)?))
        };
        let entries = entries.map(|entry| {
            read(entry).ok_or_else(|| {
                format!("{entry:?} is not <engine>/<model>=<input>,<output>,<cached input>,<cache write>")
            })
        });
        let mut prices = Self::default();
        for entry in entries {
            let (engine, model, price) = entry?;
            if prices.has(&engine, &model) {
                return Err(format!("{engine}/{model} has two prices"));
            }
            prices.0.push((engine, model, price));
        }
        Ok(prices)
    }
}

/// What all accounts together may spend on language models in a calendar month (UTC).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The prices that it is spent at.
    pub prices: Prices,
    /// The amount for a month; `None` is without a bound.
    pub limit: Option<Dollars>,
}

impl Budget {
    /// Whether this usage of a month has spent it. A model without a price costs nothing.
    pub fn is_spent(&self, usage: &[ModelUsage]) -> bool {
        let spent: Dollars = usage.iter().filter_map(|usage| self.prices.cost(usage)).sum();
        self.limit.is_some_and(|limit| spent >= limit)
    }
}

impl Prices {
    /// The engines that have prices.
    pub fn engines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(engine, ..)| engine.as_str())
    }

    /// Whether the model of an engine has a price.
    pub fn has(&self, engine: &str, model: &str) -> bool {
        self.price(engine, model).is_some()
    }

    /// What tokens of a model cost; `None` if the model has no price.
    pub fn cost(&self, usage: &ModelUsage) -> Option<Dollars> {
        Some(self.price(&usage.engine, &usage.model)?.of(&usage.tokens))
    }

    /// What the tokens of several models cost together; `None` if one of them has no price.
    pub fn total(&self, usage: &[ModelUsage]) -> Option<Dollars> {
        usage.iter().map(|usage| self.cost(usage)).sum()
    }

    fn price(&self, engine: &str, model: &str) -> Option<&Price> {
        let matches =
            |(e, m, _): &&(String, String, Price)| (e.as_str(), m.as_str()) == (engine, model);
        self.0.iter().find(matches).map(|(.., price)| price)
    }
}
