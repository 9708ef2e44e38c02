//! One attempt: signs an event, posts it and reads the answer.

use std::{
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use domain::{
    Clock, DeliveryId, Timestamp,
    webhook::{ANSWER_MAX, FailureReason, RESPONSE_DEADLINE},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{ACCEPT_ENCODING, CONTENT_TYPE, RETRY_AFTER, USER_AGENT},
};
use outbound::{
    FetchError, GuardedClient, PublicUrl, Schemes, Unreachable, UnsafeUrl, read_at_most,
};
use store::webhooks::{Address, host_number, queue::Event};

use crate::{
    secret::SigningSecret,
    signature::{self, sign},
};

/// Header with the delivery's identifier; the same as [`signature::ID`].
pub const DELIVERY: &str = "x-service-delivery";
/// Header with the kind of event.
pub const EVENT: &str = "x-service-event";

/// Longest name resolution when an address is only checked.
const CHECK_TIMEOUT: Duration = Duration::from_secs(4);

/// Posts events.
#[derive(Clone, Debug)]
pub struct WebhookSender {
    client: GuardedClient,
    clock: Arc<dyn Clock>,
}

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Status of the answer, if one came.
    pub status: Option<u16>,
    /// What went wrong, worded for the endpoint's owner.
    pub reason: FetchError,
    /// Pause that the receiver asked for.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// What went wrong, in a word for programs.
    pub fn word(&self) -> FailureReason {
        match &self.reason {
            FetchError::Unsafe(_) => FailureReason::UnsafeUrl,
            FetchError::Unreachable(reason) => match reason {
                Unreachable::Status(300..=399) => FailureReason::Redirect,
                Unreachable::Status(_) => FailureReason::Status,
                Unreachable::Name => FailureReason::NameNotResolved,
                Unreachable::Resolver => FailureReason::DnsUnavailable,
                // The last three are of pages that are read, not of deliveries.
                Unreachable::Refused
                | Unreachable::Connect
                | Unreachable::Timeout
                | Unreachable::Protocol
                | Unreachable::Redirects
                | Unreachable::TooLarge
                | Unreachable::ContentType => FailureReason::NoResponse,
            },
        }
    }
}

impl From<FetchError> for Failure {
    fn from(reason: FetchError) -> Self {
        Self { status: None, reason, retry_after: None }
    }
}

impl WebhookSender {
    /// A sender that connects through `client`.
    pub fn new(client: GuardedClient, clock: Arc<dyn Clock>) -> Self {
        Self { client, clock }
    }

    /// Reads the address of an endpoint: `https`, or any scheme on loopback where that is allowed.
    /// Every attempt does so: an address that was allowed once may be refused by now.
    ///
    /// # Errors
    ///
    /// [`UnsafeUrl`]
    pub fn parse(&self, url: &str) -> Result<PublicUrl, UnsafeUrl> {
        self.client.parse(url, Schemes::Https)
    }

    /// The address of an endpoint, if it may have this URL. Sends no request to it.
    ///
    /// # Errors
    ///
    /// As [`GuardedClient::check`], and [`FetchError::Unsafe`] if the host is not public.
    pub async fn address(&self, url: String) -> Result<Address, FetchError> {
        let parsed = self.parse(&url)?;
        let until = self.clock.now() + CHECK_TIMEOUT;
        self.client.check(&parsed, &*self.clock, until).await?;
        Ok(Address { url, host: host_number(&parsed.authority()) })
    }

    /// Posts an event and returns the status of the answer, 200 to 299.
    ///
    /// A new connection goes to exactly the address that the name resolves to and that was checked. One that is kept
    /// leads to such an address.
    ///
    /// # Errors
    ///
    /// [`Failure`] unless the receiver answers with such a status within ten seconds in all.
    /// Redirects are failures.
    pub async fn post(
        &self,
        url: &str,
        secret: &SigningSecret,
        delivery: DeliveryId,
        event: &Event,
    ) -> Result<u16, Failure> {
        let now = self.clock.now();
        let url = self.parse(url).map_err(FetchError::from)?;
        let body = serde_json::to_vec(event)
            .map_err(|_| Failure::from(FetchError::from(Unreachable::Protocol)))?;
        let headers = headers(secret, delivery, event, now, &body);
        let attempt = async {
            let mut response = self.client.send(Method::POST, &url, headers, body).await?;
            let status = response.status();
            if !status.is_success() {
                let retry_after = response.headers().get(RETRY_AFTER);
                return Err(Failure {
                    status: Some(status.as_u16()),
                    reason: Unreachable::Status(status.as_u16()).into(),
                    retry_after: retry_after.and_then(|value| pause(value, self.clock.now())),
                });
            }
            // Only the status counts. The body is read so that the receiver can end properly.
            let _ = read_at_most(&mut response, ANSWER_MAX).await;
            Ok(status.as_u16())
        };
        tokio::select! {
            biased;
            answered = attempt => answered,
            () = self.clock.sleep_until(now + RESPONSE_DEADLINE) => {
                Err(FetchError::from(Unreachable::Timeout).into())
            }
        }
    }
}

fn headers(
    secret: &SigningSecret,
    delivery: DeliveryId,
    event: &Event,
    now: Timestamp,
    body: &[u8],
) -> HeaderMap {
    let id = delivery.to_string();
    let seconds = now.seconds();
    let signature = sign(secret.bytes(), &id, seconds, body);
    let text = |value: &str| HeaderValue::try_from(value).ok();
    [
        (CONTENT_TYPE, Some(HeaderValue::from_static("application/json"))),
        (USER_AGENT, Some(HeaderValue::from_static("prompt-workflow/1.0 (+webhooks)"))),
        (ACCEPT_ENCODING, Some(HeaderValue::from_static("identity"))),
        (HeaderName::from_static(signature::ID), text(&id)),
        (HeaderName::from_static(signature::TIMESTAMP), Some(HeaderValue::from(seconds))),
        (HeaderName::from_static(signature::SIGNATURE), text(&signature)),
        (HeaderName::from_static(DELIVERY), text(&id)),
        (HeaderName::from_static(EVENT), text(event.kind.as_str())),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

/// The pause in a `Retry-After` header (RFC 9110, section 10.2.3): seconds of any number of digits,
/// or a date. Any other value is ignored.
fn pause(value: &HeaderValue, now: Timestamp) -> Option<Duration> {
    let text = value.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    let date = Timestamp::from_millis(i64::try_from(date.as_millis()).ok()?);
    Some(date.since(now))
}
