//! The least that a function with the SDK of DynamoDB can be: one read, as the SDK's own examples make it. What a
//! function costs beyond it is ours (`infra/proof/speed.sh`).

use aws_sdk_dynamodb::{Client, types::AttributeValue};
use lambda_http::{Body, Error, Request, Response, run, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let table = std::env::var("TABLE_NAME")?;
    let client = Client::new(&aws_config::load_from_env().await);
    run(service_fn(async |_: Request| {
        let key = || AttributeValue::S("hello".to_owned());
        let read = client.get_item().table_name(&table).key("pk", key()).key("sk", key());
        let item = read.send().await?.item;
        Ok::<_, Error>(Response::new(Body::from(format!("{item:?}"))))
    }))
    .await
}
