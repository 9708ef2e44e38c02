//! Generations: the history of prompts made from goals.
//!
//! A generation holds what a list shows and the operations whose bodies are its versions; version
//! and operation share the unique part of their identifiers.

use aws_sdk_dynamodb::types::{
    AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use domain::{AccountId, GenerationId, Operation, OperationId, Timestamp, VersionId};

use crate::{
    Store, StoreError,
    item::{Reader, instant, number, text},
    keys::{self, LIST_PK, LIST_SK},
};

/// What a list shows of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its title.
    pub title: String,
    /// The beginning of its newest prompt.
    pub excerpt: String,
    /// Name of the newest target model.
    pub target_model: String,
    /// Language of the newest version.
    pub language: String,
}

/// A new version of a generation.
#[derive(Clone, Debug)]
pub struct GenerationWrite {
    /// Which generation.
    pub id: GenerationId,
    /// Whether the version is its first.
    pub is_new: bool,
    /// What a list shows from now on; an existing title stays.
    pub summary: Summary,
}

/// A generation as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Its identifier.
    pub id: GenerationId,
    /// What a list shows.
    pub summary: Summary,
    /// Its versions, oldest first.
    pub versions: Vec<VersionId>,
    /// When its newest version was made or it was renamed.
    pub updated_at: Timestamp,
}

/// The version that an operation makes.
pub fn version_of(operation: OperationId) -> VersionId {
    VersionId::from_bits(operation.bits())
}

impl Store {
    /// Reads a generation with everything written before.
    pub async fn generation(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> Result<Option<Generation>, StoreError> {
        let answer = self
            .clients
            .dynamodb
            .get_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::generation(account, id)))
            .consistent_read(true)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        let Some(item) = answer.item() else { return Ok(None) };
        let reader = Reader(item);
        let versions = reader
            .texts("vs")?
            .into_iter()
            .map(|unique| VersionId::from_unique(unique).map_err(|_| StoreError::corrupt("vs")))
            .collect::<Result<_, _>>()?;
        Ok(Some(Generation {
            id,
            summary: Summary {
                title: reader.text("ti")?.to_owned(),
                excerpt: reader.text("ex")?.to_owned(),
                target_model: reader.text("tm")?.to_owned(),
                language: reader.text("la")?.to_owned(),
            },
            versions,
            updated_at: reader.instant("up")?,
        }))
    }

    /// The body of a version.
    pub async fn version(
        &self,
        account: AccountId,
        id: VersionId,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let answer = self
            .clients
            .dynamodb
            .get_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::body(account, OperationId::from_bits(id.bits()))))
            .consistent_read(true)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        match answer.item() {
            Some(item) => self.read_body(Reader(item).bytes("b")?).await,
            None => Ok(None),
        }
    }

    pub(crate) fn write_generation(
        &self,
        ended: &Operation,
        write: &GenerationWrite,
    ) -> TransactWriteItem {
        let version = version_of(ended.id).unique();
        let updated = ended.completed_at.unwrap_or_else(|| self.clock.now());
        let summary = &write.summary;
        if write.is_new {
            let mut item = keys::generation(ended.account, write.id);
            item.extend([
                (LIST_PK.to_owned(), text(keys::generations(ended.account))),
                (LIST_SK.to_owned(), text(write.id.unique())),
                ("ti".to_owned(), text(&summary.title)),
                ("ex".to_owned(), text(&summary.excerpt)),
                ("tm".to_owned(), text(&summary.target_model)),
                ("la".to_owned(), text(&summary.language)),
                ("vs".to_owned(), AttributeValue::L(vec![text(version)])),
                ("up".to_owned(), instant(updated)),
            ]);
            let put = Put::builder()
                .table_name(&self.names.table)
                .set_item(Some(item))
                .condition_expression("attribute_not_exists(pk)")
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                )
                .build();
            return TransactWriteItem::builder().set_put(put.ok()).build();
        }
        let update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::generation(ended.account, write.id)))
            .update_expression(
                "SET vs = list_append(vs, :version), ex = :excerpt, tm = :model, la = :language, up = :now",
            )
            .condition_expression("attribute_exists(pk) AND size(vs) < :most")
            .expression_attribute_values(":version", AttributeValue::L(vec![text(version)]))
            .expression_attribute_values(":excerpt", text(&summary.excerpt))
            .expression_attribute_values(":model", text(&summary.target_model))
            .expression_attribute_values(":language", text(&summary.language))
            .expression_attribute_values(":now", instant(updated))
            .expression_attribute_values(":most", number(VERSIONS_LIMIT))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }
}

/// Versions that one generation may have, so that its item stays far below what an item holds.
pub const VERSIONS_LIMIT: u32 = 1_000;
