//! `POST /optimizations/{id}/refinements`

use axum::extract::State;
use domain::{AccountId, Kind, OptimizationId, RefinementId, VersionId};
use edge::{
    ApiError, Call, Code, Detail,
    input::{Body, IdempotencyKey, NotDeferrable, PathText, Prefer},
    openapi::{self, code},
    permission::PromptsRefine,
    response::Envelope,
};
use engine::TargetModel;
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::{
    Assignment, Task, Workflow,
    refine::RefinedPrompt,
    source::{self, SourceError},
    task::RefineOptimizedTask,
};

use crate::{
    Prompts, continuation,
    fields::{self, AttachmentIds, Language},
    perform::{Asked, IntoOperationRequest, Performed, Request},
    refine::SCOPES,
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
            prefer: Prefer::default(),
            fingerprint: body.fingerprint,
            request: RefineOptimized { optimization: optimization.text, request: body.value },
        }
    }
}

impl Request for RefineOptimized {
    const KIND: Kind = Kind::RefineOptimizedPrompt;

    async fn into_task(
        self,
        workflow: &Workflow,
        account: AccountId,
    ) -> Result<Assignment, ApiError> {
        let Self { optimization, request } = self;
        let store = workflow.store();
        let ids = Ids::read(&optimization, &request);
        let source = async {
            match &ids {
                Ok(ids) => {
                    let Ids { optimization, version, parent } = *ids;
                    Ok(Some(source::find(store, account, optimization, version, parent).await?))
                }
                Err(_) => Ok(None),
            }
        };
        let (source, uploads) =
            tokio::try_join!(source, request.attachment_ids.find(store, account))?;
        let mut unknown = match (&source, &ids) {
            (Some(Err(SourceError::Full)), _) => return Err(continuation::full()),
            (Some(Err(SourceError::OtherVersion)), _) => {
                let message = "The parent refinement belongs to another version.";
                return Err(ApiError::new(Code::SourceConflict).with_message(message));
            }
            (Some(Err(missing)), _) => vec![problem(*missing)],
            (_, Err(problems)) => problems.clone(),
            _ => Vec::new(),
        };
        unknown.extend(uploads.unknown());
        fields::validate(fields::blank(&request.feedback, "/feedback"), unknown)?;
        let (Ok(ids), Some(Ok(source))) = (ids, source) else {
            return Err(ApiError::new(Code::InternalError));
        };
        let attachments = uploads.require_ready(&SCOPES)?;
        let task = Task::RefineOptimizedPrompt(RefineOptimizedTask {
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

impl Ids {
    /// The identifiers, or a problem for each that is malformed.
    fn read(optimization: &str, request: &RefineOptimizedRequest) -> Result<Self, Vec<Detail>> {
        let optimization = optimization.parse().map_err(|_| problem(SourceError::Optimization));
        let version = request.source_version_id.parse().map_err(|_| problem(SourceError::Version));
        let parent = request.parent_refinement_id.as_deref().map(str::parse).transpose();
        let parent = parent.map_err(|_| problem(SourceError::Refinement));
        match (optimization, version, parent) {
            (Ok(optimization), Ok(version), Ok(parent)) => {
                Ok(Self { optimization, version, parent })
            }
            (optimization, version, parent) => {
                Err([optimization.err(), version.err(), parent.err()]
                    .into_iter()
                    .flatten()
                    .collect())
            }
        }
    }
}

fn problem(missing: SourceError) -> Detail {
    match missing {
        SourceError::Version => {
            Detail::new("/sourceVersionId", "is not a version of this optimization")
        }
        SourceError::Refinement | SourceError::OtherVersion => {
            Detail::new("/parentRefinementId", "is not a refinement of this optimization")
        }
        SourceError::Optimization | SourceError::Full => {
            Detail::new("path.id", "is not one of your optimizations")
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
