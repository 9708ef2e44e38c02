//! Requests within a request: how another protocol's endpoint asks the REST API on a caller's behalf.
//!
//! The endpoint verifies the caller's token once. What it then asks for goes through the API's own routes and
//! its gate, as if the caller had asked for it; it bears the identifier of the outer exchange, and what the
//! gate says of rate and account shows in the outer answer.

use std::sync::Arc;

use domain::OperationId;
use http::{Extensions, request::Parts};

use super::refusals::check_refusal_cache;
use crate::{
    ApiError, Code, Edge,
    authentication::{self, AccessToken, Credential, protected_resource},
    context::RequestContext,
};

/// The exchange that requests are made within, and the caller on whose behalf.
#[derive(Clone, Debug)]
pub struct InternalRequest {
    context: Arc<RequestContext>,
    credential: Credential,
}

impl InternalRequest {
    /// The exchange of a request to the MCP endpoint, if it presents a good access token. The gate is not
    /// asked: every request within is.
    ///
    /// # Errors
    ///
    /// 401, with a challenge that leads to the endpoint's own metadata; what the account item has refused for a moment
    /// ago.
    pub async fn mcp(head: &Parts, edge: &Edge) -> Result<Self, ApiError> {
        let context = head.extensions.get::<Arc<RequestContext>>().cloned();
        let context = context.ok_or_else(|| ApiError::new(Code::InternalError))?;
        let _ = context.resource.set(protected_resource::MCP_PATH);
        let credential = authentication::mcp_token(&head.headers, edge).await?;
        check_refusal_cache(edge, &context, &credential)?;
        Ok(Self { context, credential })
    }

    /// What a request that is made within carries. Nothing that comes over a network has it.
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

    /// Whether the account item has counted a request within.
    pub fn is_rate_counted(&self) -> bool {
        self.context.rate.get().is_some()
    }

    /// The AI operation that a request within has begun, if one has.
    pub fn operation(&self) -> Option<OperationId> {
        *self.context.operation.borrow()
    }

    /// Waits until a request within has begun an AI operation.
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
