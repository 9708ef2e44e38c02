//! The official items, which a first start brings along.

use crate::server;

use std::sync::Arc;

use edge::runtime::{SystemClock, SystemRandom};
use local::{official, resources, service_endpoints::ServiceEndpoints};
use server::{Server, folder};
use store::Store;

fn store(folder: &str) -> Store {
    let addresses =
        ServiceEndpoints::find(folder.as_ref()).expect("a file").expect("a running server");
    let names = resources::named(&addresses).names;
    let clients = resources::clients(addresses, |shared| shared);
    Store::new(clients, names, Arc::new(SystemClock), Arc::new(SystemRandom))
}

#[test]
fn a_first_start_imports_the_collection_and_a_second_one_leaves_it_alone() {
    let folder = folder("collection");
    let options = ["--port", "0", "--data-dir", folder.as_str()];
    let items = official::parse(official::COLLECTION.as_bytes()).expect("a valid collection");
    let mut first = Server::start(&options);
    let imports = first.block_on(async {
        let store = store(&folder);
        let imports = store.imports().await.expect("storage");
        assert_eq!(imports.ids.len(), items.len());
        for ids in imports.ids.chunks(25) {
            assert_eq!(store.library_items(ids).await.expect("storage").len(), ids.len());
        }
        // What the operator deletes stays away, since nothing is imported again.
        let pruned = official::import(&store, &items[..1], true, || {}).await.expect("storage");
        assert_eq!(pruned.deleted, items.len() - 1);
        store.imports().await.expect("storage")
    });
    first.stop();
    let mut second = Server::start(&options);
    let left = second.block_on(async { store(&folder).imports().await.expect("storage") });
    assert_eq!(left, imports);
    assert_eq!(left.ids, [items[0].id]);
    second.stop();
}

#[cfg(unix)]
#[test]
fn the_addresses_are_private_and_gone_after_a_stop() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("addresses");
    let mut server = Server::start(&["--port", "0", "--data-dir", &folder]);
    let file = std::path::Path::new(&folder).join("endpoints.json");
    let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let stopped = std::process::Command::new("kill")
        .args(["-INT", &server.child.id().to_string()])
        .status()
        .expect("kill");
    assert!(stopped.success());
    assert!(server.child.wait().expect("an end").success());
    assert!(!file.exists());
}
