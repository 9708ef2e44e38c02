//! Events in the OpenAPI document: what each of them posts to an endpoint.

use domain::{EventId, EventKind, Timestamp};
use utoipa::{
    ToSchema,
    openapi::{
        ComponentsBuilder, Content, ObjectBuilder, OpenApi, PathItem, Paths, Ref, RefOr, Required,
        ResponseBuilder, Schema, Type,
        path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn},
        request_body::RequestBodyBuilder,
        security::SecurityRequirement,
    },
};
use webhook_delivery::{
    events::{OperationEnded, Test, UsageReached, VisibilityChanged},
    sender, signature,
};

/// Adds all events, and the schemas of what they post, to the document.
pub(crate) fn describe(document: &mut OpenApi) {
    let mut webhooks = Paths::new();
    let mut schemas = ComponentsBuilder::new();
    for kind in EventKind::ALL {
        let data = match kind {
            EventKind::OperationSucceeded | EventKind::OperationFailed => of::<OperationEnded>(),
            EventKind::UsageThresholdReached | EventKind::UsageLimitReached => of::<UsageReached>(),
            EventKind::LibraryItemPublished | EventKind::LibraryItemUnpublished => {
                of::<VisibilityChanged>()
            }
            EventKind::WebhookTest => of::<Test>(),
        };
        let name = format!("{}Event", in_camel_case(kind.as_str()));
        schemas = schemas
            .schema(&name, event(kind, &data.name))
            .schema(data.name, data.schema)
            .schemas_from_iter(data.parts);
        webhooks.paths.insert(kind.as_str().to_owned(), delivery(kind, &name));
    }
    let components = document.components.get_or_insert_default();
    components.schemas.extend(schemas.build().schemas);
    components.parameters.extend(HEADERS.map(header));
    document.webhooks = Some(webhooks);
}

struct Data {
    name: String,
    schema: RefOr<Schema>,
    parts: Vec<(String, RefOr<Schema>)>,
}

fn of<T: ToSchema>() -> Data {
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    Data { name: T::name().into_owned(), schema: T::schema(), parts }
}

/// `operation.succeeded` as `OperationSucceeded`.
fn in_camel_case(kind: &str) -> String {
    let words = kind.split(['.', '_']).map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect()
}

fn event(kind: EventKind, data: &str) -> Schema {
    let constant =
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some([kind.as_str()]));
    let mut parts = Vec::new();
    EventId::schemas(&mut parts);
    ObjectBuilder::new()
        .description(Some(meaning(kind)))
        .property("id", Ref::from_schema_name(EventId::name()))
        .property("type", constant)
        .property("timestamp", Ref::from_schema_name(Timestamp::name()))
        .property("data", Ref::from_schema_name(data))
        .required("id")
        .required("type")
        .required("timestamp")
        .required("data")
        .build()
        .into()
}

fn meaning(kind: EventKind) -> &'static str {
    match kind {
        EventKind::OperationSucceeded => "An AI operation has succeeded.",
        EventKind::OperationFailed => "An AI operation has failed.",
        EventKind::UsageThresholdReached => {
            "80 % of the month's credits, or of the bytes that the account may keep, are used."
        }
        EventKind::UsageLimitReached => {
            "All of the month's credits, or of the bytes that the account may keep, are used."
        }
        EventKind::LibraryItemPublished => "A library item became visible to everybody.",
        EventKind::LibraryItemUnpublished => "A library item is no longer visible to everybody.",
        EventKind::WebhookTest => "A test delivery, which `POST /webhook-endpoints/{id}` requests.",
    }
}

fn delivery(kind: EventKind, schema: &str) -> PathItem {
    let body = RequestBodyBuilder::new()
        .content("application/json", Content::new(Some(Ref::from_schema_name(schema))))
        .required(Some(Required::True))
        .build();
    let accepted = "Any 2xx within ten seconds. Other answers are failures and tried again.";
    let parameter = |(name, _)| RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")));
    let mut operation = OperationBuilder::new()
        .operation_id(Some(format!("on{}", in_camel_case(kind.as_str()))))
        .tag("Events")
        .summary(Some(meaning(kind)))
        .security(SecurityRequirement::default())
        .request_body(Some(body))
        .response("default", ResponseBuilder::new().description(accepted))
        .build();
    operation.parameters = Some(HEADERS.map(parameter).into());
    PathItem::new(HttpMethod::Post, operation)
}

/// The headers of every delivery.
const HEADERS: [(&str, &str); 5] = [
    (signature::ID, "Identifier of the delivery, the same in each attempt: drop duplicates by it."),
    (signature::TIMESTAMP, "Instant of the attempt, in seconds since 1970."),
    (
        signature::SIGNATURE,
        "`v1,` and the base64 HMAC-SHA256 of identifier, timestamp and raw body, joined with dots, \
         under the endpoint's secret (Standard Webhooks 1.0).",
    ),
    (sender::DELIVERY, "The same as `webhook-id`."),
    (sender::EVENT, "The event's `type`."),
];

fn header((name, description): (&str, &str)) -> (String, RefOr<Parameter>) {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(description))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build();
    (name.to_owned(), RefOr::T(parameter))
}
