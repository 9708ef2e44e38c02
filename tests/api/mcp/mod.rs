//! The MCP interface: the protocol itself; what tools do is what `authorization::tools` and the tests of their
//! operations say.

mod admission;
mod completion;
mod messages;
mod operations;
mod progress;
mod prompts;
mod protocol;
mod resources;
mod tools;

use acceptance::{Account, World};
use domain::{Plan, Scopes};

/// An account with a token for everything.
pub(crate) async fn subject(world: &World, name: &str, plan: Plan) -> Account {
    let account = world.subject(name, Scopes::ALL);
    account.get("/models").await.data(200);
    world.store.set_plan(account.id, plan).await.expect("storage");
    account
}
