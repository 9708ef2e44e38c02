//! The `prompts` function on AWS Lambda: wiring only.

use std::sync::Arc;

use edge::{config::Config, lambda, runtime, service};
use engine::Rules;
use prompts::Prompts;
use workflow::{Deadlines, Workflow};

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    Rules::warm_up();
    let workflow = Workflow::new(edge.store().clone(), Arc::new(Rules), Deadlines::default());
    let function = Prompts { edge: edge.clone(), workflow };
    lambda::serve(service::app([function.router()], edge)).await
}
