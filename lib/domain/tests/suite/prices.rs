//! What the tokens of language models cost.

use domain::{
    ModelUsage, TokenUsage,
    prices::{Dollars, Prices},
};

fn cost(prices: &str, tokens: TokenUsage) -> String {
    let prices: Prices = prices.parse().expect("prices");
    let usage = ModelUsage { engine: "openai".to_owned(), model: "m/1=a".to_owned(), tokens };
    prices.cost(&usage).map_or_else(|| "none".to_owned(), |cost| cost.to_string())
}

const TOKENS: TokenUsage = TokenUsage {
    requests: 2,
    input_tokens: 1_000_000,
    cached_input_tokens: 600_000,
    cache_write_tokens: 100_000,
    output_tokens: 200_000,
};

#[test]
fn each_kind_of_token_has_its_price() {
    assert_eq!(cost("openai/m/1=a=2,10,0.2,2.5", TOKENS), "2.970000");
    assert_eq!(cost("openai/m/1=a=2,10,0.2", TOKENS), "2.920000");
    assert_eq!(cost(" bedrock/x=1,1 ; openai/m/1=a = 2, 10;", TOKENS), "4.000000");
    assert_eq!(cost("bedrock/m/1=a=2,10", TOKENS), "none");
    assert_eq!(cost("", TOKENS), "none");
}

#[test]
fn amounts_are_exact_before_they_are_rounded() {
    let one = TokenUsage { input_tokens: 1, ..TokenUsage::default() };
    assert_eq!(cost("openai/m/1=a=0.4,1", one), "0.000000");
    assert_eq!(cost("openai/m/1=a=0.5,1", one), "0.000001");
    let prices: Prices = "openai/m=0.1,1".parse().expect("prices");
    let usage = ModelUsage { engine: "openai".to_owned(), model: "m".to_owned(), tokens: one };
    let sum: Dollars = (0..10).filter_map(|_| prices.cost(&usage)).sum();
    assert_eq!(sum.to_string(), "0.000001");
    let shown = "12.5".parse::<Dollars>().expect("an amount");
    assert_eq!(serde_json::to_string(&shown).expect("a number"), "12.5");
}

#[test]
fn what_is_no_price_is_refused() {
    for wrong in ["openai", "openai=1,2", "openai/m=1", "openai/m=1,2,3,4,5", "openai/m=-1,2"] {
        assert!(wrong.parse::<Prices>().is_err(), "{wrong}");
    }
    for wrong in ["openai/m=1,2.0000001", "openai/m=1000000,2", "openai/m=1.,2", "openai/m=1,x"] {
        assert!(wrong.parse::<Prices>().is_err(), "{wrong}");
    }
}
