//! One file for each provider.

mod anthropic;
mod bedrock;
mod document;
mod manner;
mod moderations;
mod openai;

pub use anthropic::Anthropic;
pub use bedrock::Bedrock;
pub use moderations::Moderations;
pub use openai::OpenAi;
