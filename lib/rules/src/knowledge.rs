//! What is known about kinds of tasks, read once from the data files in `knowledge/`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use engine::Mode;
use text::language::primary;

/// A kind of task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Task {
    /// Stable name.
    pub id: String,
    /// The mode that fits best.
    pub mode: Mode,
    /// The recipe for it; several tasks may share one.
    #[serde(default)]
    pub recipe: Option<String>,
}

/// How experts do a kind of task. A line or question is about a fact, and needless where a goal states that fact.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Who does this best, after "You are".
    #[serde(default)]
    pub role: Option<String>,
    /// Fact that it settles, or nothing, and what experts look for.
    pub lines: Vec<(String, String)>,
    /// Fact, and the question about it.
    #[serde(default)]
    pub ask: Vec<(String, String)>,
}

static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../knowledge/tasks.json"))
        .expect("tasks.json is compiled in")
});

static RECIPES: LazyLock<HashMap<&'static str, HashMap<String, Recipe>>> = LazyLock::new(|| {
    [
        ("en", include_str!("../../../knowledge/recipes/en.json")),
        ("de", include_str!("../../../knowledge/recipes/de.json")),
        ("es", include_str!("../../../knowledge/recipes/es.json")),
        ("fr", include_str!("../../../knowledge/recipes/fr.json")),
        ("it", include_str!("../../../knowledge/recipes/it.json")),
        ("pt", include_str!("../../../knowledge/recipes/pt.json")),
    ]
    .into_iter()
    .map(|(tag, json)| (tag, serde_json::from_str(json).expect("recipes are compiled in")))
    .collect()
});

/// The task with this id; the general one, which is the last, if there is none.
pub fn task(id: &str) -> &'static Task {
    TASKS.iter().find(|task| task.id == id).unwrap_or(&TASKS[TASKS.len() - 1])
}

/// The recipe with this name in the language of `tag`, if there is one.
pub fn recipe(name: &str, tag: &str) -> Option<&'static Recipe> {
    RECIPES.get(primary(tag).as_str())?.get(name)
}
