//! The `processor` function on AWS Lambda: wiring only.

use std::sync::Arc;

use aws_lambda_events::sqs::SqsEvent;
use edge::{config::Config, runtime};
use engine::Rules;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use processor::Processor;
use workflow::{Deadlines, Workflow};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    Rules::warm_up();
    let workflow = Workflow::new(edge.store().clone(), Arc::new(Rules), Deadlines::default());
    let processor = &Processor { workflow };
    let handle = |event: LambdaEvent<SqsEvent>| async move {
        Ok::<_, Error>(processor.handle(event.payload).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
