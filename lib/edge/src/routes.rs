//! What a function answers: declared once, served by the function, and described by the OpenAPI document.
//!
//! A function that starts describes no operation, and its program does not contain what describes them.

use axum::{
    Router,
    middleware::map_response,
    response::{IntoResponse as _, Response},
    routing::{MethodFilter, MethodRouter},
};
use utoipa::openapi::OpenApi;
use utoipa_axum::{PathItemExt as _, router::UtoipaMethodRouter};
// For the macro.
#[doc(hidden)]
pub use {
    axum,
    utoipa_axum::{paste, routes as described},
};

use crate::{ApiError, Code, openapi::operations_of};

/// The tag of operations beside those of the contract.
pub const EXTENSIONS: &str = "Extensions";

/// A function of the API.
pub trait Function: Clone + Send + Sync + 'static {
    /// The tag of its operations in the document.
    const TAG: &'static str;

    /// Adds its operations.
    fn operations<R: Registry<Self>>(registry: R) -> R;

    /// Describes what the document has of it besides operations.
    fn describe_others(_: &mut OpenApi) {}

    /// A router that answers its operations.
    fn router(self) -> Router {
        Self::operations(Router::new()).with_state(self)
    }

    /// Describes its operations.
    fn describe(document: &mut OpenApi) {
        Self::operations(Description { document: &mut *document, tag: Self::TAG });
        Self::describe_others(document);
    }
}

/// What takes the operations of a function with the state `S`: a [`Router`], which answers them, or a `Description`, which
/// adds them to the document.
pub trait Registry<S>: Sized {
    /// Adds the operations of a path; see [`routes!`](crate::routes!).
    fn add<D: FnOnce() -> UtoipaMethodRouter<S>>(self, path: PathRoutes<S, D>) -> Self;

    /// Adds routes that the document does not describe.
    fn undescribed(self, router: Router<S>) -> Self;
}

impl<S: Clone + Send + Sync + 'static> Registry<S> for Router<S> {
    fn add<D: FnOnce() -> UtoipaMethodRouter<S>>(self, path: PathRoutes<S, D>) -> Self {
        self.route(&path.path, path.methods)
    }

    fn undescribed(self, router: Router<S>) -> Self {
        self.merge(router)
    }
}

/// The document, while a function describes its operations.
struct Description<'a> {
    document: &'a mut OpenApi,
    tag: &'static str,
}

impl<S> Registry<S> for Description<'_> {
    fn add<D: FnOnce() -> UtoipaMethodRouter<S>>(self, path: PathRoutes<S, D>) -> Self {
        let (schemas, paths, _) = (path.describe)();
        self.document.components.get_or_insert_default().schemas.extend(schemas);
        let tag = path.tag.unwrap_or(self.tag);
        for (path, mut item) in paths.paths {
            for operation in operations_of(&mut item) {
                operation.tags = Some(vec![tag.to_owned()]);
            }
            self.document.paths.paths.entry(path).or_default().merge_operations(item);
        }
        self
    }

    fn undescribed(self, _: Router<S>) -> Self {
        self
    }
}

/// The operations of a path, and how `D` describes them.
#[derive(Debug)]
pub struct PathRoutes<S, D> {
    path: String,
    methods: MethodRouter<S>,
    tag: Option<&'static str>,
    describe: D,
}

impl<S, D> PathRoutes<S, D>
where
    S: Clone + Send + Sync + 'static,
    D: FnOnce() -> UtoipaMethodRouter<S>,
{
    #[doc(hidden)]
    pub fn new(paths: &[String], methods: MethodRouter<S>, describe: D) -> Self {
        let path = paths[0].clone();
        assert!(paths.iter().all(|other| *other == path), "operations of one path: {paths:?}");
        Self { path, methods, tag: None, describe }
    }

    /// Puts them under another tag than the function's.
    pub fn tagged(self, tag: &'static str) -> Self {
        Self { tag: Some(tag), ..self }
    }

    /// For operations that declare 503: they answer with `code` while storage is unavailable, where others answer with
    /// 500.
    pub fn unavailable_as(self, code: Code) -> Self {
        let methods =
            self.methods.route_layer(map_response(move |mut response: Response| async move {
                match response.extensions_mut().remove::<ApiError>() {
                    Some(failure) => failure.or_unavailable(code).into_response(),
                    None => response,
                }
            }));
        Self { methods, ..self }
    }
}

/// The method of an operation.
#[doc(hidden)]
pub fn method<P: utoipa::Path>() -> MethodFilter {
    let mut methods = P::methods().into_iter().map(|method| method.to_method_filter());
    let first = methods.next().unwrap_or(MethodFilter::GET);
    methods.fold(first, MethodFilter::or)
}

/// Operations of one path, by their handlers: `routes!(read::get_preset, delete::delete_preset)`.
#[macro_export]
macro_rules! routes {
    ($($module:ident::$handler:ident),+ $(,)?) => {
        $crate::routes::paste! {
            $crate::routes::PathRoutes::new(
                &[$(<$module::[<__path_ $handler>] as utoipa::Path>::path()),+],
                $crate::routes::axum::routing::MethodRouter::new()
                    $(.on(
                        $crate::routes::method::<$module::[<__path_ $handler>]>(),
                        $module::$handler,
                    ))+,
                || $crate::routes::described!($($module::$handler),+),
            )
        }
    };
}
