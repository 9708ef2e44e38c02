//! Requests within a request: how another protocol's endpoint asks the REST API on a caller's behalf.
//!
//! The endpoint verifies the caller's token once. What it then asks for goes through the API's own routes and
//! its gate, as if the caller had asked for it; it bears the identifier of the outer exchange, and what the
//! gate says of rate and account shows in the outer answer.

use std::sync::Arc;

use domain::OperationId;
use http::{Extensions, request::Parts};

use crate::{
    Code, Edge, Failure,
    auth::{self, AccessToken, Credential, metadata},
    call,
    exchange::Exchange,
};

/// The exchange that requests are made within, and the caller on whose behalf.
#[derive(Clone, Debug)]
pub struct Within {
    exchange: Arc<Exchange>,
    credential: Credential,
}

impl Within {
    /// The exchange of a request to the MCP endpoint, if it presents a good access token. The gate is not
    /// asked: every request within is.
    ///
    /// # Errors
    ///
    /// 401, with a challenge that leads to the endpoint's own metadata; what the gate has refused for a moment
    /// ago.
    pub async fn mcp(head: &Parts, edge: &Edge) -> Result<Self, Failure> {
        let exchange = head.extensions.get::<Arc<Exchange>>().cloned();
        let exchange = exchange.ok_or_else(|| Failure::new(Code::InternalError))?;
        let _ = exchange.resource.set(metadata::MCP);
        let credential = auth::mcp_token(&head.headers, edge).await?;
        call::remembered(edge, &exchange, &credential)?;
        Ok(Self { exchange, credential })
    }

    /// What a request that is made within carries. Nothing that comes over a network has it.
    pub fn carried_by(self, extensions: &mut Extensions) {
        extensions.insert(self);
    }

    /// The caller's token.
    pub fn token(&self) -> Option<&AccessToken> {
        match &self.credential {
            Credential::AccessToken(token) => Some(token),
            Credential::ApiKey(_) => None,
        }
    }

    /// Whether the gate has counted a request within.
    pub fn is_counted(&self) -> bool {
        self.exchange.rate.get().is_some()
    }

    /// The AI operation that a request within has begun, if one has.
    pub fn operation(&self) -> Option<OperationId> {
        *self.exchange.operation.borrow()
    }

    /// Waits until a request within has begun an AI operation.
    pub async fn operation_begun(&self) -> OperationId {
        let mut watched = self.exchange.operation.subscribe();
        let begun = watched.wait_for(Option::is_some).await.map(|operation| *operation);
        match begun {
            Ok(Some(operation)) => operation,
            _ => std::future::pending().await,
        }
    }

    pub(crate) fn exchange(&self) -> &Arc<Exchange> {
        &self.exchange
    }

    pub(crate) fn credential(&self) -> &Credential {
        &self.credential
    }
}
