//! What is known about tasks, read once from the data files in `knowledge/`.

use std::collections::HashMap;
use std::sync::LazyLock;

use patterns::{Pattern, table};
use serde::Deserialize;

use engine::Mode;

/// Everything known about one kind of task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Task {
    /// Stable name.
    pub id: String,
    /// Name in running text, without an article.
    pub label: String,
    /// What the task produces, with its article.
    pub deliverable: String,
    /// The imperative that asks for the deliverable.
    pub verb: String,
    /// The mode that fits best.
    pub mode: Mode,
    /// Name of the variable that stands for the subject.
    pub subject: String,
    /// Whether the task works on something that the user supplies.
    #[serde(default)]
    pub needs_material: bool,
    /// Who does this best, after "You are".
    pub role: String,
    /// What experts look for in the result.
    pub guidance: Vec<String>,
    /// Shape of the answer.
    pub output: String,
    /// Facts to verify before answering.
    pub checks: Vec<String>,
    /// Slot and question to ask when the slot is empty.
    pub ask: Vec<(String, String)>,
    /// Slot, requirement to use when the slot is empty, and the assumption that it makes.
    pub defaults: Vec<(String, String, String)>,
    /// Group of tasks that share localized texts.
    #[serde(skip)]
    pub family: String,
}

#[derive(Deserialize)]
struct Family {
    family: String,
    tasks: Vec<Task>,
}

static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| {
    [
        include_str!("../../../knowledge/tasks/communication.json"),
        include_str!("../../../knowledge/tasks/longform.json"),
        include_str!("../../../knowledge/tasks/transform.json"),
        include_str!("../../../knowledge/tasks/code.json"),
        include_str!("../../../knowledge/tasks/data.json"),
        include_str!("../../../knowledge/tasks/automation.json"),
        include_str!("../../../knowledge/tasks/research.json"),
        include_str!("../../../knowledge/tasks/planning.json"),
        include_str!("../../../knowledge/tasks/agent.json"),
        include_str!("../../../knowledge/tasks/marketing.json"),
        include_str!("../../../knowledge/tasks/career.json"),
        include_str!("../../../knowledge/tasks/teaching.json"),
        include_str!("../../../knowledge/tasks/creative.json"),
        include_str!("../../../knowledge/tasks/general.json"),
    ]
    .into_iter()
    .flat_map(|json| {
        let family: Family = serde_json::from_str(json).expect("task files are compiled in");
        let name = family.family;
        family.tasks.into_iter().map(move |mut task| {
            task.family.clone_from(&name);
            task
        })
    })
    .collect()
});

/// What speaks for each of several things.
pub type Cues = &'static [(&'static str, Pattern)];

/// What speaks for the thing with this id, if anything does.
pub fn cue(cues: Cues, id: &str) -> Option<Pattern> {
    cues.iter().find(|(known, _)| *known == id).map(|(_, pattern)| *pattern)
}

/// The task with this id; the general one, which is the last, if there is none.
pub fn task(id: &str) -> &'static Task {
    TASKS.iter().find(|task| task.id == id).unwrap_or(&TASKS[TASKS.len() - 1])
}

/// A trait of goals, such as an audience or a subject area, and what follows from it.
#[derive(Deserialize)]
struct FacetData {
    id: String,
    hints: Vec<String>,
    /// Families of tasks for which the hints are worth giving; all if empty.
    #[serde(default)]
    families: Vec<String>,
}

/// A facet with its compiled cue.
pub struct Facet {
    /// Matches the lower-case goal.
    pub cue: Pattern,
    /// Guidance that follows.
    pub hints: Vec<String>,
    /// Families of tasks that it concerns; all if empty.
    pub families: Vec<String>,
}

const FACET_CUES: [(&str, Cues); 4] = [
    ("tone", table!("facet_tone", r"\b{}(?:\b|$)")),
    ("audience", table!("facet_audience", r"\b{}(?:\b|$)")),
    ("stack", table!("facet_stack", r"\b{}(?:\b|$)")),
    ("domain", table!("facet_domain", r"\b{}(?:\b|$)")),
];

static FACETS: LazyLock<HashMap<String, Vec<Facet>>> = LazyLock::new(|| {
    let data: HashMap<String, Vec<FacetData>> =
        serde_json::from_str(include_str!("../../../knowledge/facets.json"))
            .expect("facets.json is compiled in");
    data.into_iter()
        .map(|(name, facets)| {
            let (_, cues) =
                FACET_CUES.iter().find(|(known, _)| *known == name).expect("a dimension");
            let facets = facets
                .into_iter()
                .filter_map(|facet| {
                    Some(Facet {
                        cue: cue(cues, &facet.id)?,
                        hints: facet.hints,
                        families: facet.families,
                    })
                })
                .collect();
            (name, facets)
        })
        .collect()
});

/// The facets of one dimension: `tone`, `audience`, `stack` or `domain`.
pub fn facets(dimension: &str) -> &'static [Facet] {
    FACETS.get(dimension).map_or(&[], Vec::as_slice)
}

/// What a mode adds to a task of another mode.
pub fn mode_guidance(mode: Mode) -> &'static [String] {
    static MODES: LazyLock<HashMap<Mode, Vec<String>>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../../knowledge/modes.json"))
            .expect("modes.json is compiled in")
    });
    MODES.get(&mode).map_or(&[], Vec::as_slice)
}
