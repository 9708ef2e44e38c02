//! A queue to try things on.

use std::{collections::HashMap, sync::Arc};

use aws_sdk_sqs::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    operation::receive_message::builders::ReceiveMessageFluentBuilder,
    types::{Message, QueueAttributeName as Name},
};
use embedded::Embedded;

use super::ManualClock;

pub struct Fixture {
    pub _embedded: Embedded,
    pub clock: Arc<ManualClock>,
    pub sqs: Client,
    pub queue: String,
}

/// An empty queue with the default attributes: 30 seconds of invisibility, no delay.
pub async fn fixture() -> Fixture {
    let (embedded, clock) = super::start().await;
    let sqs = super::Caller::of(&embedded, &clock).sqs();
    let queue = create(&sqs, "work", &[]).await;
    Fixture { _embedded: embedded, clock, sqs, queue }
}

pub async fn create(sqs: &Client, name: &str, attributes: &[(Name, &str)]) -> String {
    let attributes: HashMap<_, _> =
        attributes.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let created = sqs.create_queue().queue_name(name).set_attributes(Some(attributes)).send().await;
    created.unwrap().queue_url.unwrap()
}

impl Fixture {
    pub async fn send(&self, body: &str) {
        self.sqs.send_message().queue_url(&self.queue).message_body(body).send().await.unwrap();
    }

    pub fn receiving(&self) -> ReceiveMessageFluentBuilder {
        self.sqs.receive_message().queue_url(&self.queue).max_number_of_messages(10)
    }

    pub async fn receive(&self) -> Vec<Message> {
        self.receiving().send().await.unwrap().messages.unwrap_or_default()
    }

    pub async fn bodies(&self) -> Vec<String> {
        self.receive().await.into_iter().map(|message| message.body.unwrap()).collect()
    }

    pub async fn attribute(&self, name: Name) -> String {
        let request = self.sqs.get_queue_attributes().queue_url(&self.queue);
        let answer = request.attribute_names(name.clone()).send().await.unwrap();
        answer.attributes.unwrap()[&name].clone()
    }
}

pub fn code<E: ProvideErrorMetadata + std::fmt::Debug, T: std::fmt::Debug>(
    result: Result<T, SdkError<E>>,
) -> String {
    result.unwrap_err().code().unwrap_or("none").to_owned()
}
