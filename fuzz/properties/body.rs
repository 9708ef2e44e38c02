//! What is true of every body, for every operation that takes one.

use edge::{
    ApiError,
    input::{Body, Input, OptionalBody, RawRequest},
};
use lambda_http::http::{Request, header};

/// Most bytes that the problems of one body take in an answer.
const PROBLEMS: usize = 1 << 20;

macro_rules! bodies {
    ($raw:expr; $($type:ty),* $(,)?) => {$(bounded(<$type>::read($raw));)*};
}

/// A body is taken, or refused in a short answer that blames the caller.
pub fn hold(input: &[u8]) {
    let request = Request::post("/v1/prompts/generate")
        .header(header::CONTENT_TYPE, "application/json")
        .body(axum::body::Body::from(input.to_vec()))
        .expect("a request");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a thread");
    let raw = &runtime.block_on(RawRequest::of(request, true));
    bodies![raw;
        Body<history::rename::RenameRequest>,
        Body<library::create::CreateLibraryItem>,
        Body<library::patch::UpdateLibraryItem>,
        Body<presets::create::CreatePreset>,
        Body<presets::patch::UpdatePreset>,
        OptionalBody<presets::render::RenderPreset>,
        Body<prompts::generate::GenerateRequest>,
        Body<prompts::refine::RefineRequest>,
        Body<prompts::refine_optimized::RefineOptimizedRequest>,
        Body<prompts::reverse::ReverseRequest>,
        Body<prompts::token_estimate::TokenEstimateRequest>,
        Body<uploads::create::CreateUpload>,
        Body<webhooks::create::CreateWebhookEndpoint>,
        Body<webhooks::patch::UpdateWebhookEndpoint>,
    ];
}

fn bounded<T>(read: Result<T, edge::input::Problems>) {
    let Err(problems) = read else { return };
    let error = ApiError::from(problems);
    assert_eq!(error.code.status().as_u16(), 400);
    assert!(!error.details.is_empty());
    let bytes: usize =
        error.details.iter().map(|detail| detail.path.len() + detail.message.len()).sum();
    assert!(bytes <= PROBLEMS, "{bytes}");
}
