//! `POST /optimizations/{id}/refinements`

use axum::extract::State;
use domain::{AccountId, Kind, OptimizationId, RefinementId, VersionId};
use edge::{
    ApiError, Call, Code, Sent,
    input::{Body, IdempotencyKey, NotDeferrable, PathText, Prefer},
    openapi::{self, code},
    permission::PromptsRefine,
    response::Envelope,
};
use engine::TargetModel;
use serde::Deserialize;
use store::Store;
use utoipa::ToSchema;
use workflow::{
    Assignment, Task, Workflow,
    refine::RefinedPrompt,
    source::{self, Source, SourceError},
    task::RefineOptimizedTask,
};

use crate::{
    Prompts, continuation,
    fields::{self, AttachmentIds, Language},
    perform::{Asked, IntoOperationRequest, Performed, Request},
    refine::SCOPES,
    uploads,
};

/// A version of an optimization, and the requested changes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefineOptimizedRequest {
    /// The version to refine.
    #[schema(min_length = 1)]
    source_version_id: String,
    /// A refinement of that version to build on; without it, the version is refined.
    #[schema(min_length = 1)]
    parent_refinement_id: Option<String>,
    /// The requested changes, in any number of sentences or list items.
    #[schema(min_length = 1, max_length = 10000)]
    feedback: String,
    /// Language in which the result describes the prompt; the prompt keeps its own language.
    #[serde(default)]
    language: Language,
    /// Completed uploads of the scopes `refinement` or `feedback` to take into account.
    #[serde(default)]
    attachment_ids: AttachmentIds,
    /// Model that the prompt is for; by default the one of the version or parent refinement.
    #[schema(nullable = false)]
    target_model: Option<TargetModel>,
}

/// The request with the optimization in its path.
pub(crate) struct RefineOptimized {
    optimization: String,
    request: RefineOptimizedRequest,
}

impl IntoOperationRequest
    for (IdempotencyKey, NotDeferrable, PathText<OptimizationId>, Body<RefineOptimizedRequest>)
{
    type Request = RefineOptimized;

    fn into_operation_request(self) -> Asked<RefineOptimized> {
        let (key, NotDeferrable, optimization, body) = self;
        Asked {
            key,
            prefer: Prefer { respond_async: false },
            fingerprint: body.fingerprint,
            request: RefineOptimized { optimization: optimization.text, request: body.value },
        }
    }
}

impl Request for RefineOptimized {
    const KIND: Kind = Kind::RefineOptimizedPrompt;

    fn check(_: &Workflow, sent: &Sent) -> Vec<ApiError> {
        let content = &sent.content;
        let is_optimization = sent.id.parse::<OptimizationId>().is_ok();
        let own = [
            (!is_optimization).then(|| problem(SourceError::Optimization)),
            fields::malformed::<VersionId>(content, VERSION, NO_VERSION),
            fields::malformed::<RefinementId>(content, PARENT, NO_REFINEMENT),
            fields::blank(content, "/feedback"),
        ];
        own.into_iter().flatten().chain(uploads::malformed(content)).collect()
    }

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        let store = workflow.store();
        let request = &self.request;
        let references = request.attachment_ids.references();
        let (source, attachments) = tokio::join!(
            self.source(store, account),
            uploads::find(references, &SCOPES, store, account)
        );
        let ((ids, source), attachments) = ApiError::both(source, attachments)?;
        let Self { request, .. } = self;
        let task = Task::RefineOptimizedPrompt(RefineOptimizedTask {
            beside: source.beside,
            optimization_id: ids.optimization,
            source_version_id: ids.version,
            parent_refinement_id: ids.parent,
            prompt: source.prompt,
            feedback: request.feedback,
            language: request.language.tag(),
            target_model: request.target_model.unwrap_or(source.target_model),
        });
        Ok(Assignment::from(task).with_attachments(attachments))
    }
}

struct Ids {
    optimization: OptimizationId,
    version: VersionId,
    parent: Option<RefinementId>,
}

impl RefineOptimized {
    /// The identifiers; `None` if one is malformed.
    fn ids(&self) -> Option<Ids> {
        let parent = self.request.parent_refinement_id.as_deref();
        Some(Ids {
            optimization: self.optimization.parse().ok()?,
            version: self.request.source_version_id.parse().ok()?,
            parent: parent.map(str::parse).transpose().ok()?,
        })
    }

    /// The prompt to build on.
    async fn source(&self, store: &Store, account: AccountId) -> Result<(Ids, Source), ApiError> {
        // The check has named what is malformed.
        let refused = || ApiError::new(Code::InvalidReference);
        let ids = self.ids().ok_or_else(refused)?;
        let Ids { optimization, version, parent } = ids;
        match source::find(store, account, optimization, version, parent).await? {
            Ok(source) => Ok((ids, source)),
            Err(missing) => {
                let problems = missing.into_iter().map(problem);
                Err(ApiError::all(problems).unwrap_or_else(refused))
            }
        }
    }
}

const VERSION: &str = "/sourceVersionId";
const PARENT: &str = "/parentRefinementId";
const NO_VERSION: &str = "is not a version of this optimization";
const NO_REFINEMENT: &str = "is not a refinement of this optimization";

fn problem(missing: SourceError) -> ApiError {
    match missing {
        SourceError::Optimization => fields::unknown("path.id", "is not one of your optimizations"),
        SourceError::Version => fields::unknown(VERSION, NO_VERSION),
        SourceError::Refinement => fields::unknown(PARENT, NO_REFINEMENT),
        SourceError::Full => continuation::full("path.id"),
        SourceError::OtherVersion => {
            ApiError::problem(Code::SourceConflict, PARENT, "belongs to another version")
                .with_message("The parent refinement belongs to another version.")
        }
    }
}

/// Refine a version of an optimization.
///
/// Costs 1 credit. The refinement is added to the optimization, as a child of the version or of the
/// refinement in `parentRefinementId`.
#[utoipa::path(
    post, path = "/optimizations/{id}/refinements",
    security(("bearer" = ["prompts:refine"])),
    params(PathText<OptimizationId>, IdempotencyKey),
    request_body = RefineOptimizedRequest,
    responses(
        (status = 200, description = "The refined prompt.", body = Envelope<RefinedPrompt>),
        openapi::Synchronous<code::SourceConflict>,
    ),
)]
pub async fn refine_optimized_prompt(
    State(prompts): State<Prompts>,
    call: Call<
        PromptsRefine,
        (IdempotencyKey, NotDeferrable, PathText<OptimizationId>, Body<RefineOptimizedRequest>),
    >,
) -> Result<Performed, ApiError> {
    prompts.perform(call).await
}
