//! Asking the user for variables of a prompt that have no value.
//!
//! The answer to `prompts/get` is then the question; the client sends the message again, with the
//! user's answers beside the arguments. The second message says all that the first one did, so
//! nothing is kept between them, in the service or in a `requestState`.

use std::collections::BTreeMap;

use rmcp::{
    RoleServer,
    model::{
        ElicitRequest, ElicitRequestParams, ElicitationSchema, InputRequest, InputRequiredResult,
        InputResponses, JsonObject, ProtocolVersion,
    },
    service::RequestContext,
};
use serde_json::Value;

/// Name of the question among the questions of an answer.
const VARIABLES: &str = "variables";
/// Most characters of a value, as in a preset.
const VALUE_MAX: u32 = 10_000;

/// What the user answered.
pub(crate) enum Answer {
    /// The user has not been asked.
    None,
    /// The values of some variables.
    Given(JsonObject),
    /// The user does not want to answer.
    Refused,
}

impl Answer {
    /// The answer that came with a message.
    pub fn of(responses: Option<InputResponses>) -> Self {
        let Some(mut response) = responses.and_then(|mut all| all.remove(VARIABLES)) else {
            return Self::None;
        };
        let content = response.get_mut("content").map(Value::take);
        match (response["action"].as_str(), content) {
            (Some("accept"), Some(Value::Object(values))) => Self::Given(values),
            (Some("accept"), _) => Self::None,
            _ => Self::Refused,
        }
    }
}

/// Whether the sender of a message can ask its user. Older revisions would need a request to the
/// client within the answer, and the client's response in another message: that one could reach
/// another instance, and what waits for it would be state.
pub(crate) fn is_offered(context: &RequestContext<RoleServer>) -> bool {
    let revision = context.meta.protocol_version();
    let capabilities = context.meta.client_capabilities();
    let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation);
    revision.is_some_and(|revision| revision >= ProtocolVersion::V_2026_07_28)
        // Neither form nor URL is named by clients that know only forms.
        && elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// The question for the values of these variables.
pub(crate) fn question(variables: &[&str]) -> InputRequiredResult {
    let value = |value: rmcp::model::StringSchema| value.max_length(VALUE_MAX);
    let schema = variables.iter().fold(ElicitationSchema::builder(), |schema, name| {
        schema.required_string_property(*name, value)
    });
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "This prompt has variables without a value. Which values shall they have?"
            .to_owned(),
        requested_schema: schema.build_unchecked(),
    };
    let question = InputRequest::Elicitation(ElicitRequest::new(form));
    InputRequiredResult::from_input_requests(BTreeMap::from([(VARIABLES.to_owned(), question)]))
}
