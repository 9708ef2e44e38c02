//! Identifiers in the path.

use std::{fmt, marker::PhantomData, str::FromStr};

use serde::de::DeserializeOwned;
use utoipa::{
    IntoParams,
    openapi::{
        ObjectBuilder, Required, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};

use super::{
    Input, RawRequest, invalid,
    parameters::{self, Given},
};
use crate::{ApiError, Code};

/// Most characters of an identifier in a path.
pub const IDENTIFIER_MAX: usize = 191;

/// An identifier that can be part of a path.
pub trait Identifier: FromStr + fmt::Display + Copy + Send + 'static {
    /// The name of the resource, for the documentation.
    const NOUN: &'static str;
}

impl Identifier for domain::LibraryId {
    const NOUN: &'static str = "library item";
}

impl Identifier for domain::OperationId {
    const NOUN: &'static str = "operation";
}

impl Identifier for domain::OptimizationId {
    const NOUN: &'static str = "optimization";
}

impl Identifier for domain::EndpointId {
    const NOUN: &'static str = "webhook endpoint";
}

impl Identifier for domain::PresetId {
    const NOUN: &'static str = "preset";
}

impl Identifier for domain::UploadId {
    const NOUN: &'static str = "upload";
}

/// The identifier in `{id}`. Text that is not a valid identifier of its kind gives 404.
#[derive(Clone, Copy, Debug)]
pub struct PathId<T>(pub T);

/// The text in `{id}`, for an operation that does not declare 404: it is looked up like any other
/// reference of the request.
#[derive(Clone, Debug)]
pub struct PathText<T> {
    /// The text, 1 to [`IDENTIFIER_MAX`] characters.
    pub text: String,
    noun: PhantomData<T>,
}

/// Path parameters, validated against their declarations in `T`.
#[derive(Clone, Debug)]
pub struct PathParams<T>(pub T);

/// The parameters in the path.
fn parameters_of(raw: &RawRequest) -> Result<&[(String, String)], ApiError> {
    raw.path.as_deref().map_err(|detail| invalid(&*detail.path, &*detail.message))
}

fn identifier(raw: &RawRequest) -> Result<&str, ApiError> {
    parameters_of(raw)?;
    let text = raw.id();
    if text.chars().count() > IDENTIFIER_MAX {
        return Err(invalid("path.id", format!("must have at most {IDENTIFIER_MAX} characters")));
    }
    Ok(text)
}

impl<T: Identifier> Input for PathId<T> {
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        identifier(raw)?.parse().map(Self).map_err(|_| ApiError::new(Code::NotFound))
    }
}

impl<T: Identifier> Input for PathText<T> {
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        Ok(Self { text: identifier(raw)?.to_owned(), noun: PhantomData })
    }
}

impl<T: IntoParams + DeserializeOwned + Send + 'static> Input for PathParams<T> {
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        let path = parameters_of(raw)?.iter().cloned();
        let path = path.map(|(name, text)| (name, Given::Text(text)));
        parameters::read::<T>("path", path).1.map(Self)
    }
}

fn parameter<T: Identifier>() -> Vec<Parameter> {
    let schema = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(IDENTIFIER_MAX));
    vec![
        ParameterBuilder::new()
            .name("id")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(format!("Identifier of the {}.", T::NOUN)))
            .schema(Some(schema))
            .build(),
    ]
}

impl<T: Identifier> IntoParams for PathId<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        parameter::<T>()
    }
}

impl<T: Identifier> IntoParams for PathText<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        parameter::<T>()
    }
}
