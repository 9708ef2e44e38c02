//! One file a provider.

mod anthropic;
mod bedrock;
mod document;
mod openai;

pub use anthropic::Anthropic;
pub use bedrock::Bedrock;
pub use openai::OpenAi;
