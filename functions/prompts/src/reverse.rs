//! `POST /reverse-prompts`

use axum::extract::State;
use domain::{AccountId, Kind, UploadScope};
use edge::{
    ApiError, Call, Code, Sent,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Deferrable, code},
    permission::PromptsReverse,
    response::Envelope,
};
use engine::TargetModel;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use workflow::{
    Assignment, Task, Workflow, data_url,
    reverse::ReversedPrompt,
    task::{ReverseSource, ReverseTask},
};

use crate::{
    Prompts,
    fields::{self, Language},
    perform::{Performed, Request},
    uploads,
};

/// Content to find a prompt for; `type` is its kind.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(discriminator(property_name = "type", mapping(
    ("image" = "#/components/schemas/ReverseImageRequest"),
    ("video" = "#/components/schemas/ReverseVideoRequest"),
    ("text" = "#/components/schemas/ReverseTextRequest"),
    ("url" = "#/components/schemas/ReverseUrlRequest"),
)))]
pub enum ReverseRequest {
    /// An image.
    Image(ReverseImageRequest),
    /// A video.
    Video(ReverseVideoRequest),
    /// A text.
    Text(ReverseTextRequest),
    /// A public page.
    Url(ReverseUrlRequest),
}

/// An image to find a prompt for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReverseImageRequest {
    #[serde(rename = "type")]
    #[schema(inline)]
    _type: ImageType,
    /// A completed upload of the scope `reverse_image`. It is deleted after use.
    #[schema(min_length = 1, max_length = 191)]
    upload_id: String,
    /// Language of the result and of the answers that its prompt requests.
    #[serde(default)]
    language: Language,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
}

/// A video to find a prompt for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReverseVideoRequest {
    #[serde(rename = "type")]
    #[schema(inline)]
    _type: VideoType,
    /// Frames of the video in order, evenly spaced, as data URLs with base64: JPEG, PNG, WebP or
    /// GIF.
    #[schema(min_items = 1, max_items = 30)]
    frames: Vec<Frame>,
    /// Number of frames taken.
    #[serde(rename = "frameCount")]
    #[schema(minimum = 1, maximum = 30)]
    _frame_count: u8,
    /// Length of the video in seconds.
    #[schema(exclusive_minimum = 0, maximum = 600)]
    video_duration: f64,
    /// Language of the result and of the answers that its prompt requests.
    #[serde(default)]
    language: Language,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
}

/// A frame as a data URL.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(value_type = String, pattern = "^[Dd][Aa][Tt][Aa]:[Ii][Mm][Aa][Gg][Ee]/")]
struct Frame(String);

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
    /// Language of the result and of the answers that its prompt requests.
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
    /// Its public URL. It is read without credentials.
    #[schema(format = "uri", min_length = 1, max_length = 2048, example = "https://example.com/")]
    url: String,
    /// Language of the result and of the answers that its prompt requests.
    #[serde(default)]
    language: Language,
    /// Model that the prompt is for: a name from `GET /models`.
    #[serde(default)]
    #[schema(default = "Universal")]
    target_model: TargetModel,
}

/// The type of an image.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ImageType {
    Image,
}

/// The type of a video.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum VideoType {
    Video,
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

    fn check(workflow: &Workflow, sent: &Sent) -> Vec<ApiError> {
        let content = &sent.content;
        match content["type"].as_str() {
            Some("image") => uploads::malformed(content).collect(),
            Some("video") => unusable_frames(content).collect(),
            Some("text") => fields::blank(content, "/content").into_iter().collect(),
            Some("url") => refused_url(workflow, content).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        match self {
            Self::Image(request) => request.into_assignment(workflow, account).await,
            Self::Video(request) => Ok(request.into_assignment()),
            Self::Text(request) => {
                let source = ReverseSource::Text(request.content);
                Ok(task(source, request.language, request.target_model).into())
            }
            Self::Url(request) => {
                let source = ReverseSource::Url(request.url);
                Ok(task(source, request.language, request.target_model).into())
            }
        }
    }
}

fn unusable_frames(content: &Value) -> impl Iterator<Item = ApiError> {
    let frames = content["frames"].as_array().into_iter().flatten().enumerate();
    frames.filter_map(|(position, frame)| {
        let problem = data_url::decode(frame.as_str()?).err()?;
        Some(ApiError::problem(Code::InvalidRequest, format!("/frames/{position}"), problem))
    })
}

fn refused_url(workflow: &Workflow, content: &Value) -> Option<ApiError> {
    let refused = workflow.public_url(content["url"].as_str()?).err()?;
    Some(ApiError::unsafe_url("/url", refused))
}

fn task(source: ReverseSource, language: Language, target_model: TargetModel) -> Task {
    Task::ReversePrompt(ReverseTask { source, language: language.tag(), target_model })
}

impl ReverseImageRequest {
    async fn into_assignment(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        let named = [("/uploadId".to_owned(), self.upload_id.as_str())];
        let scopes = [UploadScope::ReverseImage];
        let attachments =
            uploads::find(named.into_iter(), &scopes, workflow.store(), account).await?;
        let task = task(ReverseSource::Image, self.language, self.target_model);
        Ok(Assignment::from(task).with_attachments(attachments))
    }
}

impl ReverseVideoRequest {
    fn into_assignment(self) -> Assignment {
        let source = ReverseSource::Video { seconds: self.video_duration };
        Assignment {
            task: task(source, self.language, self.target_model),
            attachments: Vec::new(),
            frames: self.frames.into_iter().map(|Frame(url)| url).collect(),
        }
    }
}

/// Find a prompt for existing content.
///
/// Costs 1 credit. Describes the content and returns a prompt that would produce something like it.
/// No history is stored.
#[utoipa::path(
    post, path = "/reverse-prompts",
    security(("bearer" = ["prompts:reverse"])),
    params(IdempotencyKey, Prefer),
    request_body = ReverseRequest,
    responses(
        (status = 200, description = "The prompt and a description of the content.", body = Envelope<ReversedPrompt>),
        Deferrable<(code::UnsafeUrl, code::UrlUnreachable, code::DnsUnavailable)>,
    ),
)]
pub async fn reverse_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsReverse, (IdempotencyKey, Prefer, Body<ReverseRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
