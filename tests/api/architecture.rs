//! Arrows between the crates that must never exist, and habits that keep the tree readable.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// Dependencies of each package, by the folder that it lies in.
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for group in ["lib", "functions", "infra"] {
        for entry in fs::read_dir(root().join(group)).expect("a folder") {
            let folder = entry.expect("an entry").path();
            let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
            let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
            let dependencies = dependencies.split("\n[").next().unwrap_or_default();
            let names = dependencies
                .lines()
                .filter_map(|line| line.split(['.', ' ', '=']).next())
                .filter(|name| !name.is_empty())
                .map(ToOwned::to_owned);
            let name = folder.strip_prefix(root()).expect("below").display().to_string();
            all.insert(name, names.collect());
        }
    }
    assert!(all.len() >= 11, "{all:?}");
    all
}

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("text");
                found.push((path, text));
            }
        }
    }
    found
}

/// Files in which a function may name others, with the reason. This list may only shrink.
const LINKING: [(&str, &str); 1] =
    [("functions/mcp/src/rest.rs", "tools are operations: the same code, behind the same gate")];

/// Whether a function's manifest may name others: its sources, but those that are listed, must not.
fn links_others(folder: &str) -> bool {
    LINKING.iter().any(|(file, _)| file.starts_with(&format!("{folder}/")))
}

#[test]
fn where_functions_are_linked_into_another_one_file_names_them() {
    let functions: Vec<_> = manifests()
        .into_keys()
        .filter_map(|folder| Some(folder.strip_prefix("functions/")?.replace('-', "_")))
        .collect();
    for (file, reason) in LINKING {
        let (folder, _) = file.split_once("/src/").expect("a source");
        let own = folder.rsplit('/').next().expect("a name").replace('-', "_");
        for (path, text) in sources(folder) {
            let names_others = text.lines().any(|line| {
                let others = functions.iter().filter(|other| **other != own);
                others.into_iter().any(|other| line.starts_with(&format!("use {other}::")))
            });
            assert_eq!(names_others, path.ends_with(file), "{}: {reason}", path.display());
        }
    }
}

#[test]
fn no_forbidden_arrow_exists() {
    let manifests = manifests();
    let names: BTreeSet<_> =
        manifests.keys().map(|folder| folder.rsplit('/').next().expect("a name")).collect();
    let of = |folder: &str| &manifests[folder];
    for dependency in of("lib/domain") {
        assert!(!names.contains(dependency.as_str()), "domain depends on {dependency}");
        assert!(
            !["tokio", "axum"].contains(&dependency.as_str()) && !dependency.starts_with("aws"),
            "domain depends on {dependency}"
        );
    }
    for (from, to) in [
        ("lib/engine", "store"),
        ("lib/engine", "rules"),
        ("lib/llm", "rules"),
        ("lib/rules", "store"),
        ("lib/store", "engine"),
        ("lib/engine", "edge"),
        ("lib/rules", "edge"),
        ("lib/store", "edge"),
        ("lib/store", "http"),
        ("lib/workflow", "edge"),
    ] {
        assert!(!of(from).contains(to), "{from} depends on {to}");
    }
    for (folder, dependencies) in &manifests {
        if folder.starts_with("functions/") && !links_others(folder) {
            for other in manifests.keys().filter(|other| other.starts_with("functions/")) {
                let name = other.rsplit('/').next().expect("a name");
                assert!(!dependencies.contains(name), "{folder} depends on {name}");
            }
        }
        // The operator's tool works on a data folder that nobody serves at present, too.
        for only_local in ["local", "embedded"] {
            assert!(
                ["infra/local", "infra/admin"].contains(&folder.as_str())
                    || !dependencies.contains(only_local),
                "{folder} depends on {only_local}"
            );
        }
        for sdk in ["aws-sdk-dynamodb", "aws-sdk-s3", "aws-sdk-sqs"] {
            let may = ["lib/store", "infra/local"].contains(&folder.as_str());
            assert!(may || !dependencies.contains(sdk), "{folder} depends on {sdk}");
        }
    }
}

/// Sources of functions that start work which may outlive its request. docs/design/hosts.md says why each is harmless
/// where a function stands still between two requests.
const DETACHED: [&str; 4] = [
    "functions/prompts/src/perform.rs",
    "lib/compute/src/lib.rs",
    "lib/library-search/src/compaction.rs",
    "lib/oauth/src/jwks_cache.rs",
];

#[test]
fn work_that_may_outlive_its_request_is_started_in_few_places() {
    let starts = ["spawn(", "spawn_blocking(", "spawn_local(", "JoinSet", "thread::Builder"];
    let mut found = BTreeSet::new();
    for folder in ["functions", "lib"] {
        for (path, text) in sources(folder) {
            let path = path.strip_prefix(root()).expect("below").display().to_string();
            let is_product = path.contains("/src/") && !path.contains("/tests/");
            if is_product && starts.iter().any(|start| text.contains(start)) {
                found.insert(path);
            }
        }
    }
    assert_eq!(found, DETACHED.map(str::to_owned).into());
}

#[test]
fn functions_that_search_the_library_read_it_ahead() {
    let searching: Vec<_> = sources("functions")
        .into_iter()
        .filter(|(_, text)| text.contains("LibraryIndex::new("))
        .inspect(|(path, text)| assert!(text.contains(".warm_up().await"), "{}", path.display()))
        .collect();
    assert!(searching.len() >= 2, "the library's own function, and that of the MCP interface");
}

#[test]
fn the_environment_is_read_in_main_only() {
    for folder in ["lib", "functions", "infra"] {
        for (path, text) in sources(folder) {
            // What runs while something is compiled has no other way to learn where that stands.
            let compiles =
                path.ends_with("build.rs") || path.to_string_lossy().contains("-macros/");
            let in_main = path.ends_with("src/main.rs") || compiles;
            let is_in = |folder| path.components().any(|part| part.as_os_str() == folder);
            // An example is a program of its own.
            let is_other = is_in("tests") || is_in("examples");
            assert!(in_main || is_other || !text.contains("env::var"), "{}", path.display());
        }
    }
}

#[test]
fn key_strings_stand_in_one_file() {
    let (keys, others): (Vec<_>, Vec<_>) =
        sources("lib/store").into_iter().partition(|(path, _)| path.ends_with("table/keys.rs"));
    let literals = keys[0].1.split('"').skip(1).step_by(2);
    let prefixes = literals.filter_map(|literal| Some(literal.split_once('#')?.0));
    let prefixes: BTreeSet<_> = prefixes.filter(|prefix| !prefix.contains('{')).collect();
    assert!(["op", "upl", "lib", "whe", "shelf"].iter().all(|one| prefixes.contains(one)));
    let prefixes = prefixes.into_iter().filter(|prefix| !prefix.is_empty());
    // Lists are named apart from their separator, and the account item has a whole key.
    let prefixes =
        prefixes.chain(["gen", "opt", "ref", "pst"]).map(|prefix| format!("\"{prefix}#"));
    let written: Vec<_> = prefixes.chain(["\"gate\"".to_owned()]).collect();
    for (path, text) in others {
        for written in &written {
            assert!(!text.contains(written), "{} has {written}", path.display());
        }
    }
}

#[test]
fn no_file_has_two_subjects() {
    for folder in ["lib", "functions", "infra", "tests"] {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= 700, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn every_function_is_a_binary_that_only_wires() {
    for entry in fs::read_dir(root().join("functions")).expect("a folder") {
        let folder = entry.expect("an entry").path();
        let main = fs::read_to_string(folder.join("src/main.rs")).expect("a main.rs");
        assert!(main.lines().count() <= 40, "{} does more than wire", folder.display());
    }
}

#[test]
fn every_test_that_the_threats_name_exists() {
    let page = fs::read_to_string(root().join("THREATS.md")).expect("a page");
    // Sentences: other names in code type are shorter.
    let named: BTreeSet<_> = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.matches('_').count() >= 3 && !name.contains([' ', '.', '/']))
        .collect();
    assert!(named.len() > 50, "{named:?}");
    let mut tests = BTreeSet::new();
    for (_, text) in ["tests", "lib", "infra", "functions"].into_iter().flat_map(sources) {
        let names = text.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix("async fn ").or(line.strip_prefix("fn "))?.split('(').next()
        });
        tests.extend(names.map(ToOwned::to_owned));
    }
    let missing: Vec<_> = named.into_iter().filter(|name| !tests.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
