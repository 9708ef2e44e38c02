//! The prompt library: private, community and official items, saves and votes.

pub mod create;
pub mod delete;
mod item;
pub mod list;
pub mod patch;
pub mod publish;
mod reaction;
pub mod read;
pub mod saved;
pub mod unpublish;
pub mod vote;

use axum::extract::FromRef;
use edge::{
    Edge, routes,
    routes::{Function, Registry},
};
use library_search::LibraryIndex;
use publication::Publisher;

/// State of the library operations.
#[derive(Clone)]
pub struct Library {
    /// Admission, limits, envelope and storage.
    pub edge: Edge,
    /// Searches items.
    pub index: LibraryIndex,
    /// Judges items and publishes them.
    pub publisher: Publisher,
}

impl FromRef<Library> for Edge {
    fn from_ref(library: &Library) -> Edge {
        library.edge.clone()
    }
}

impl FromRef<Library> for LibraryIndex {
    fn from_ref(library: &Library) -> LibraryIndex {
        library.index.clone()
    }
}

impl Function for Library {
    const TAG: &'static str = "Library";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        registry
            .add(routes!(list::list_library_items, create::create_library_item))
            .add(routes!(
                read::get_library_item,
                patch::update_library_item,
                delete::delete_library_item
            ))
            .add(routes!(saved::toggle_library_item_saved))
            .add(routes!(vote::toggle_library_item_vote))
            .add(routes!(publish::publish_library_item, unpublish::unpublish_library_item))
    }
}
