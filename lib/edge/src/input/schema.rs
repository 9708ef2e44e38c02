//! Validation against the schemas that the OpenAPI document shows.

use std::{
    any::TypeId,
    collections::{HashMap, HashSet},
    sync::{Arc, LazyLock, RwLock},
};

use jsonschema::{
    JsonType, ValidationError, Validator,
    error::{TypeKind, ValidationErrorKind},
};
use serde_json::{Value, json};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

use super::{json::segment, parameters::meant};
use crate::{Detail, response::error::PROBLEMS_MAX};

static COMPILED: LazyLock<RwLock<HashMap<TypeId, Arc<Compiled>>>> = LazyLock::new(Default::default);

/// A schema, ready to validate.
#[derive(Debug)]
pub(crate) struct Compiled {
    schema: Value,
    validator: Validator,
}

/// The schema of a type, compiled once per process.
pub(crate) fn of<T: 'static>(schema: impl FnOnce() -> Value) -> Arc<Compiled> {
    let id = TypeId::of::<T>();
    if let Some(known) = COMPILED.read().ok().and_then(|all| all.get(&id).cloned()) {
        return known;
    }
    let schema = schema();
    // OpenAPI 3.1 has Draft 2020-12. What our schemas use of it means the same in Draft 7, which is ready sooner, but
    // that there a format is a note.
    let options = jsonschema::draft7::options().should_validate_formats(false);
    #[allow(clippy::expect_used, reason = "schemas are compiled in; a test compiles every one")]
    let validator = options.build(&schema).expect("a valid schema");
    let compiled = Arc::new(Compiled { schema, validator });
    if let Ok(mut all) = COMPILED.write() {
        all.insert(id, compiled.clone());
    }
    compiled
}

/// The JSON schema of a type with everything that it refers to.
pub(crate) fn of_type<T: ToSchema>() -> Value {
    let mut parts: Vec<(String, RefOr<Schema>)> = Vec::new();
    T::schemas(&mut parts);
    let mut schema = json!(T::schema());
    schema["components"] = json!({"schemas": parts.into_iter().collect::<HashMap<_, _>>()});
    schema
}

impl Compiled {
    /// Every violation, up to [`PROBLEMS_MAX`].
    pub fn problems(&self, value: &Value) -> Vec<Detail> {
        let errors: Vec<_> = self.validator.iter_errors(value).take(PROBLEMS_MAX).collect();
        let of_wrong_type: HashSet<_> = errors
            .iter()
            .filter(|error| matches!(error.kind(), ValidationErrorKind::Type { .. }))
            .map(|error| error.instance_path().as_str())
            .collect();
        let mut details = Vec::new();
        for error in &errors {
            // A value of the wrong type also fails the enumeration: report one problem, not two.
            let enumeration = matches!(error.kind(), ValidationErrorKind::Enum { .. });
            if !enumeration || !of_wrong_type.contains(error.instance_path().as_str()) {
                explain(&self.schema, error, &mut details);
            }
        }
        details
    }

    /// Properties that the schema does not know, if it allows them: they have no effect.
    pub fn ignored(&self, value: &Value) -> Vec<Detail> {
        let Some(known) = self.schema["properties"].as_object() else { return Vec::new() };
        let names = value.as_object().into_iter().flat_map(|object| object.keys());
        names
            .filter(|name| {
                self.schema["additionalProperties"] != false && !known.contains_key(*name)
            })
            .map(|name| unknown("", name, &self.schema))
            .collect()
    }
}

/// The problem of a property that the schema of its object does not know.
fn unknown(path: &str, name: &str, schema: &Value) -> Detail {
    let known = schema["properties"].as_object().into_iter().flatten();
    let message = match meant(name, known.map(|(known, _)| known.as_str())) {
        Some(meant) => format!("is not a known property; did you mean {meant}?"),
        None => "is not a known property".to_owned(),
    };
    Detail::new(format!("{path}/{}", segment(name)), message)
}

/// The schema that has the keyword which a value violates.
fn violated<'a>(root: &'a Value, error: &ValidationError<'_>) -> &'a Value {
    let keyword = error.schema_path().as_str();
    let parent = keyword.rsplit_once('/').map_or("", |(parent, _)| parent);
    root.pointer(parent).unwrap_or(&Value::Null)
}

/// The location of a problem. Long names are cut, so that no response is larger than its request.
fn pointer(error: &ValidationError<'_>) -> String {
    error
        .instance_path()
        .segments()
        .map(|part| format!("/{}", segment(&part.to_string())))
        .collect()
}

fn explain(root: &Value, error: &ValidationError<'_>, details: &mut Vec<Detail>) {
    use ValidationErrorKind as Kind;
    let path = pointer(error);
    let quantity =
        |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let message = match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            details.push(Detail::new(format!("{path}/{}", segment(name)), "is required"));
            return;
        }
        Kind::AdditionalProperties { unexpected } => {
            let (schema, names) = (violated(root, error), unexpected.iter().take(PROBLEMS_MAX));
            return details.extend(names.map(|name| unknown(&path, name, schema)));
        }
        Kind::PropertyNames { error } => {
            let name = error.instance().as_str().unwrap_or_default();
            let message = match error.kind() {
                Kind::MaxLength { limit } => {
                    format!("must have a name of at most {}", quantity(*limit, "character"))
                }
                _ => "must have a name of the documented form".to_owned(),
            };
            details.push(Detail::new(format!("{path}/{}", segment(name)), message));
            return;
        }
        Kind::OneOfNotValid { context } => return explain_choice(root, &path, context, details),
        Kind::Type { kind } => format!("must be {}", types(kind)),
        Kind::Enum { options } => {
            let options: Vec<_> = options.as_array().into_iter().flatten().map(plain).collect();
            format!("must be one of: {}", options.join(", "))
        }
        Kind::Constant { expected_value } => format!("must be {}", plain(expected_value)),
        Kind::MinLength { limit } => {
            format!("must have at least {}", quantity(*limit, "character"))
        }
        Kind::MaxLength { limit } => format!("must have at most {}", quantity(*limit, "character")),
        Kind::MinItems { limit } => format!("must have at least {}", quantity(*limit, "item")),
        Kind::MaxItems { limit } => format!("must have at most {}", quantity(*limit, "item")),
        Kind::MinProperties { limit } => {
            format!(
                "must have at least {limit} {}",
                if *limit == 1 { "property" } else { "properties" }
            )
        }
        Kind::MaxProperties { limit } => {
            format!(
                "must have at most {limit} {}",
                if *limit == 1 { "property" } else { "properties" }
            )
        }
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be greater than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::Pattern { pattern } => begin_with(pattern),
        _ => "does not have the documented form".to_owned(),
    };
    details.push(Detail::new(path, message));
}

/// What a pattern means in words. All patterns of requests are beginnings, and letters of either case are `[Xx]`.
fn begin_with(pattern: &str) -> String {
    let parts = pattern.trim_start_matches('^').split(['[', ']']);
    let beginning: String =
        parts.map(|part| if part.len() == 2 { &part[1..] } else { part }).collect();
    format!("must begin with {beginning}")
}

/// Explains a value that matches none of several shapes: by the one whose bounds it exceeds. Else its property `type`
/// selects: by the shape that it names, or by the list of types.
fn explain_choice(
    root: &Value,
    path: &str,
    shapes: &[Vec<ValidationError<'_>>],
    details: &mut Vec<Detail>,
) {
    let is_meant = |shape: &&Vec<ValidationError<'_>>| shape.iter().all(is_beyond_bounds);
    if let Some(meant) = shapes.iter().find(is_meant) {
        return meant.iter().for_each(|error| explain(root, error, details));
    }
    let at = format!("{path}/type");
    let of_another_type = |error: &&ValidationError<'_>| {
        error.instance_path().as_str() == at
            && matches!(error.kind(), ValidationErrorKind::Enum { .. })
    };
    let mut types = Vec::new();
    for shape in shapes.iter().filter(|shape| !is_null(shape)) {
        match shape.iter().find(of_another_type).map(ValidationError::kind) {
            Some(ValidationErrorKind::Enum { options }) => {
                types.extend(options.as_array().into_iter().flatten().map(plain));
            }
            _ => {
                let is_absent = |error: &ValidationError<'_>| matches!(error.kind(), ValidationErrorKind::Required { property } if property == "type");
                // Without a type, nothing can be said of the other properties.
                let reported =
                    shape.iter().filter(|error| !shape.iter().any(is_absent) || is_absent(error));
                return reported.for_each(|error| explain(root, error, details));
            }
        }
    }
    details.push(Detail::new(at, format!("must be one of: {}", types.join(", "))));
}

/// Whether a value has the form that is wanted, and is too large or too small.
fn is_beyond_bounds(error: &ValidationError<'_>) -> bool {
    use ValidationErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::MaxItems { .. }
            | Kind::MinItems { .. }
            | Kind::MaxLength { .. }
            | Kind::MinLength { .. }
    )
}

/// Whether a shape is null: the others say what a value is to be.
fn is_null(shape: &[ValidationError<'_>]) -> bool {
    use ValidationErrorKind::Type;
    matches!(shape, [only] if matches!(only.kind(), Type { kind: TypeKind::Single(JsonType::Null) }))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn types(kind: &TypeKind) -> String {
    let with_article = |name: &str| match name {
        "null" => name.to_owned(),
        "array" | "integer" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    };
    match kind {
        TypeKind::Single(single) => with_article(&single.to_string()),
        TypeKind::Multiple(several) => {
            let names: Vec<_> = several.iter().map(|one| with_article(&one.to_string())).collect();
            names.join(" or ")
        }
    }
}
