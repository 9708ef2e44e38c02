//! `POST /reverse-prompts`

use axum::extract::State;
use domain::{AccountId, Kind, UploadScope};
use edge::{
    ApiError, Call, Code, Detail,
    input::{Body, IdempotencyKey, Prefer},
    openapi::{Deferrable, code},
    permission::PromptsReverse,
    response::Envelope,
};
use engine::TargetModel;
use outbound::UnsafeUrl;
use serde::Deserialize;
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
    /// Number of frames.
    #[schema(minimum = 1, maximum = 30)]
    frame_count: usize,
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
#[schema(value_type = String, pattern = "^data:image/")]
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

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        match self {
            Self::Image(request) => request.into_assignment(workflow, account).await,
            Self::Video(request) => request.into_assignment(),
            Self::Text(request) => {
                fields::validate(fields::blank(&request.content, "/content"), Vec::new())?;
                let source = ReverseSource::Text(request.content);
                Ok(task(source, request.language, request.target_model).into())
            }
            Self::Url(request) => {
                workflow.public_url(&request.url).map_err(refused)?;
                let source = ReverseSource::Url(request.url);
                Ok(task(source, request.language, request.target_model).into())
            }
        }
    }
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
        let upload = uploads::find(named.into_iter(), workflow.store(), account).await?;
        fields::validate(None, upload.unknown())?;
        let attachments = upload.require_ready(&[UploadScope::ReverseImage])?;
        let task = task(ReverseSource::Image, self.language, self.target_model);
        Ok(Assignment::from(task).with_attachments(attachments))
    }
}

impl ReverseVideoRequest {
    fn into_assignment(self) -> Result<Assignment, ApiError> {
        let frames = self.frames.iter().enumerate();
        let mut details: Vec<_> = frames
            .filter_map(|(position, Frame(url))| {
                let problem = data_url::decode(url).err()?;
                Some(Detail::new(format!("/frames/{position}"), problem))
            })
            .collect();
        if self.frame_count != self.frames.len() {
            let message = format!("must be the number of frames, {}", self.frames.len());
            details.push(Detail::new("/frameCount", message));
        }
        if !details.is_empty() {
            return Err(ApiError::new(Code::InvalidRequest).with_details(details));
        }
        let source = ReverseSource::Video { seconds: self.video_duration };
        Ok(Assignment {
            task: task(source, self.language, self.target_model),
            attachments: Vec::new(),
            frames: self.frames.into_iter().map(|Frame(url)| url).collect(),
        })
    }
}

fn refused(reason: UnsafeUrl) -> ApiError {
    let detail = Detail::new("/url", reason.to_string());
    let code = match reason {
        UnsafeUrl::Malformed | UnsafeUrl::TooLong => Code::InvalidRequest,
        _ => Code::UnsafeUrl,
    };
    ApiError::new(code).with_details(vec![detail])
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
        Deferrable<(code::UnsafeUrl, code::UrlUnreachable)>,
    ),
)]
pub async fn reverse_prompt(
    State(prompts): State<Prompts>,
    call: Call<PromptsReverse, (IdempotencyKey, Prefer, Body<ReverseRequest>)>,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
