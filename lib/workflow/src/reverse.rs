//! Finding a prompt for existing content.

use domain::{Operation, OperationId, Timestamp};
use engine::{Image, Material, Reversal, ReverseBrief, TargetModel, page::Page};
use outbound::{FetchError, PublicUrl, UnsafeUrl};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Workflow,
    run::{Abort, Outcome},
    task::{ReverseSource, ReverseTask, Task},
};

/// A prompt that would produce something like the given content.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReversedPrompt {
    /// The operation that made it.
    pub operation_id: OperationId,
    /// The model that the prompt is for.
    pub target_model: TargetModel,
    /// The prompt and its details.
    #[serde(flatten)]
    pub reversal: Reversal,
}

impl Workflow {
    pub(crate) async fn reverse(
        &self,
        operation: &Operation,
        task: &ReverseTask,
        images: Vec<Image>,
        until: Timestamp,
    ) -> Result<Outcome, Abort> {
        let material = match &task.source {
            ReverseSource::Text(text) => Material::Text(text.clone()),
            ReverseSource::Url(url) => Material::Page(self.visit(url, until).await?),
            ReverseSource::Image => {
                Material::Image(images.into_iter().next().ok_or(Abort::Malformed)?)
            }
            ReverseSource::Video { seconds } => {
                Material::Video { frames: images, seconds: *seconds }
            }
        };
        let brief = ReverseBrief {
            material,
            language: task.language.clone(),
            target_model: task.target_model,
        };
        let reversal = self.engine.reverse(&brief, until).await?;
        let result = ReversedPrompt {
            operation_id: operation.id,
            target_model: task.target_model,
            reversal,
        };
        Outcome::new(Task::ReversePrompt(task.clone()), &result, None, None)
    }

    /// Parses the URL of a public page and checks that its text is safe to fetch.
    ///
    /// # Errors
    ///
    /// [`UnsafeUrl`]: why it is refused.
    pub fn public_url(&self, text: &str) -> Result<PublicUrl, UnsafeUrl> {
        self.fetcher.parse(text)
    }

    async fn visit(&self, url: &str, until: Timestamp) -> Result<Page, Abort> {
        let url = self.public_url(url).map_err(FetchError::from)?;
        let fetched = self.fetcher.get(url, until).await?;
        compute::received(fetched.body.len());
        Ok(Page::read(&fetched.final_url, fetched.content_type.as_deref(), &fetched.body))
    }
}
