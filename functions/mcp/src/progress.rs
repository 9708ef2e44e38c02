//! Progress notifications of an AI operation: one when it starts, one when it ends.

use std::future::Future;

use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};

use crate::api_client::{ApiClient, ApiResponse};

/// Start and end.
const STEPS: f64 = 2.0;

/// Destination of the notifications.
pub(crate) struct Progress {
    peer: Peer<RoleServer>,
    token: ProgressToken,
}

impl Progress {
    /// The destination that the sender of a message named, if any.
    pub fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        let token = context.meta.get_progress_token()?;
        Some(Self { peer: context.peer.clone(), token })
    }

    /// Waits for a response and sends the notifications meanwhile. None is sent for an operation
    /// that never starts, or that another call started: its response is an HTTP error.
    pub async fn follow(
        &mut self,
        api: &ApiClient,
        sent: impl Future<Output = ApiResponse>,
    ) -> ApiResponse {
        let mut sent = std::pin::pin!(sent);
        // An answer that comes at once may be ready together with the start of its operation.
        let early = tokio::select! {
            biased;
            answer = &mut sent => Some(answer),
            _ = api.internal.operation_started() => None,
        };
        let began = |answer: &ApiResponse| answer.code() != "idempotency_in_progress";
        let operation = api.internal.operation().filter(|_| early.as_ref().is_none_or(began));
        if let Some(operation) = operation {
            self.tell(1.0, format!("Operation {operation} has begun.")).await;
        }
        let answer = match early {
            Some(answer) => answer,
            None => sent.await,
        };
        if let Some(operation) = operation {
            let end = match answer.code() {
                "" => "has succeeded",
                "provider_timeout" | "idempotency_in_progress" => "goes on without this call",
                _ => "has failed",
            };
            self.tell(STEPS, format!("Operation {operation} {end}.")).await;
        }
        answer
    }

    async fn tell(&self, progress: f64, message: String) {
        let notification = ProgressNotificationParam::new(self.token.clone(), progress)
            .with_total(STEPS)
            .with_message(message);
        // The client may have disconnected.
        let _ = self.peer.notify_progress(notification).await;
    }
}
