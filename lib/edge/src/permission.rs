//! Required scopes as types: a handler's signature names the scopes that its caller must have.

use domain::{Scope, Scopes};

/// Scopes that a credential must have.
pub trait Permission: Send + Sync + 'static {
    /// The scopes, all of which are required.
    fn required() -> Scopes;
}

/// Any valid credential, with any scopes.
#[derive(Debug)]
pub struct AnyScope;

impl Permission for AnyScope {
    fn required() -> Scopes {
        Scopes::NONE
    }
}

macro_rules! permissions {
    ($($name:ident)*) => {$(
        #[doc = concat!("The scope [`Scope::", stringify!($name), "`].")]
        #[derive(Debug)]
        pub struct $name;

        impl Permission for $name {
            fn required() -> Scopes {
                Scopes::from_iter([Scope::$name])
            }
        }
    )*};
}

permissions! {
    UsageRead PromptsGenerate PromptsAnalyze PromptsOptimize PromptsRefine PromptsReverse
    PromptsPresetsRead PromptsPresetsWrite OperationsRead OperationsCancel UploadsWrite
    HistoryRead HistoryManage LibraryRead LibraryWrite LibraryInteract LibraryPublish
    WebhooksManage
}

impl<A: Permission, B: Permission> Permission for (A, B) {
    fn required() -> Scopes {
        A::required().iter().chain(B::required().iter()).collect()
    }
}
