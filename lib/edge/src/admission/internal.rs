//! Internal requests: how another protocol's endpoint calls the REST API on behalf of a caller.
//!
//! The endpoint verifies the caller's token once. Its calls then pass through the API's own routes
//! and admission, as if the caller had sent them. They carry the identifier of the outer request;
//! their rate and account appear in the outer response.

use std::sync::Arc;

use domain::OperationId;
use http::{Extensions, request::Parts};

use super::refusals::check_refusal_cache;
use crate::{
    ApiError, Code, Edge,
    authentication::{self, AccessToken, Credential, protected_resource},
    context::RequestContext,
};

/// The context of the outer request and its caller.
#[derive(Clone, Debug)]
pub struct InternalRequest {
    context: Arc<RequestContext>,
    credential: Credential,
}

impl InternalRequest {
    /// The context of a request to the MCP endpoint with a valid access token. The account item is
    /// asked only for internal requests.
    ///
    /// # Errors
    ///
    /// 401, with a challenge that leads to the endpoint's own metadata; a refusal from the refusal
    /// cache.
    pub async fn mcp(head: &Parts, edge: &Edge) -> Result<Self, ApiError> {
        let context = head.extensions.get::<Arc<RequestContext>>().cloned();
        let context = context.ok_or_else(|| ApiError::new(Code::InternalError))?;
        let _ = context.resource.set(protected_resource::MCP_PATH);
        let credential = authentication::mcp_token(&head.headers, edge).await?;
        check_refusal_cache(edge, &context, &credential)?;
        Ok(Self { context, credential })
    }

    /// Attaches the context to an internal request. No request from the network can carry it.
    pub fn attach_to(self, extensions: &mut Extensions) {
        extensions.insert(self);
    }

    /// The caller's token.
    pub fn token(&self) -> Option<&AccessToken> {
        match &self.credential {
            Credential::AccessToken(token) => Some(token),
            Credential::ApiKey(_) => None,
        }
    }

    /// Whether the account item has counted an internal request.
    pub fn is_rate_counted(&self) -> bool {
        self.context.rate.get().is_some()
    }

    /// The AI operation that an internal request started, if any.
    pub fn operation(&self) -> Option<OperationId> {
        *self.context.operation.borrow()
    }

    /// Waits until an internal request has started an AI operation.
    pub async fn operation_started(&self) -> OperationId {
        let mut watched = self.context.operation.subscribe();
        let begun = watched.wait_for(Option::is_some).await.map(|operation| *operation);
        match begun {
            Ok(Some(operation)) => operation,
            _ => std::future::pending().await,
        }
    }

    pub(crate) fn context(&self) -> &Arc<RequestContext> {
        &self.context
    }

    pub(crate) fn credential(&self) -> &Credential {
        &self.credential
    }
}
