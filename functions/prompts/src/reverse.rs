//! `POST /reverse-prompts`

use axum::extract::State;
use domain::{AccountId, Kind};
use edge::{
    Call, Code, Detail, Failure,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Conflicting, Deferred, Dependent, Refused},
    permission::PromptsReverse,
    reply::Envelope,
};
use engine::TargetModel;
use outbound::UnsafeUrl;
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::{
    Task, Workflow,
    reverse::{ReverseSource, ReverseTask, ReversedPrompt},
};

use crate::{
    Prompts,
    fields::{self, Language},
    perform::{Performed, Request},
};

/// Something to find a prompt for; `type` tells what it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ReverseRequest {
    /// A text.
    Text(ReverseTextRequest),
    /// A public page.
    Url(ReverseUrlRequest),
}

/// A text to find a prompt for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReverseTextRequest {
    #[serde(rename = "type")]
    #[schema(inline)]
    _type: TextType,
    /// The text.
    #[schema(min_length = 10, max_length = 100000)]
    content: String,
    /// Language of the result and of the answers that its prompt asks for.
    #[serde(default)]
    language: Language,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
}

/// A public page to find a prompt for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReverseUrlRequest {
    #[serde(rename = "type")]
    #[schema(inline)]
    _type: UrlType,
    /// Its public address. Only what a visitor without an account sees is read.
    #[schema(format = "uri", min_length = 1, max_length = 2048, example = "https://example.com/")]
    url: String,
    /// Language of the result and of the answers that its prompt asks for.
    #[serde(default)]
    language: Language,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
}

/// The type of a text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum TextType {
    Text,
}

/// The type of a page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum UrlType {
    Url,
}

impl Request for ReverseRequest {
    const KIND: Kind = Kind::ReversePrompt;

    async fn into_task(self, workflow: &Workflow, _: AccountId) -> Result<Task, Failure> {
        let (source, language, target_model) = match self {
            Self::Text(request) => {
                fields::visible(&request.content, "/content")?;
                (ReverseSource::Text(request.content), request.language, request.target_model)
            }
            Self::Url(request) => {
                workflow.public_url(&request.url).map_err(refused)?;
                (ReverseSource::Url(request.url), request.language, request.target_model)
            }
        };
        Ok(Task::ReversePrompt(ReverseTask { source, language: language.0, target_model }))
    }
}

fn refused(reason: UnsafeUrl) -> Failure {
    let detail = Detail::new("/url", reason.to_string());
    let code = match reason {
        UnsafeUrl::Malformed | UnsafeUrl::TooLong => Code::InvalidRequest,
        _ => Code::UnsafeUrl,
    };
    Failure::new(code).with_details(vec![detail])
}

/// Find a prompt for something that is there.
///
/// Costs 1 credit. Describes the content and gives a prompt that would produce something like it. No
/// history is stored.
#[utoipa::path(
    post,
    path = "/reverse-prompts",
    operation_id = "reversePrompt",
    tag = "Prompts",
    security(("bearer" = ["prompts:reverse"])),
    params(IdempotencyKey, Prefer),
    request_body = ReverseRequest,
    responses(
        (status = 200, description = "The prompt and what it was found from.", body = Envelope<ReversedPrompt>, headers(
            ("Idempotent-Replayed" = String, description = "`true` when an earlier request with this key gave the result."),
        )),
        Deferred, Refused, Conflicting, Dependent,
    ),
)]
pub async fn reverse_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsReverse, (IdempotencyKey, Prefer, Body<ReverseRequest>)>,
) -> Result<Performed, Failure> {
    prompts.perform(call).await
}
