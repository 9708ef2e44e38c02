//! Feedback that a prompt passes on to the model, for what no rule can put in place.

use crate::wording::Tongue;
use engine::prompt::{Container, Mask};
use patterns::pattern;

const OPENING: &str = "<feedback>";
const CLOSING: &str = "</feedback>";

/// Where and how feedback is added: at the end of the instructions, or before those that end with content, examples or a begun answer.
pub fn add(to: &Container<'_>, feedback: &str, tongue: Tongue) -> Option<(usize, String)> {
    let text = to.instructions()?;
    let own = &to.texts()[text].text;
    let feedback = feedback.trim().replace(CLOSING, "");
    let end_of_line = if own.contains("\r\n") { "\r\n" } else { "\n" };
    let written = |words: &str| to.written(text, &words.replace('\n', end_of_line));
    let lead = format!("{}\n{OPENING}\n", tongue.line("feedback", ""));
    let block = format!("{lead}{feedback}\n{CLOSING}");
    let known = own.find(&lead.replace('\n', end_of_line));
    let known = known.and_then(|at| Some(at + own[at..].find(CLOSING)?));
    let (at, words) = match (known, root(own)) {
        (Some(at), _) => (at, format!("{feedback}\n")),
        (_, Some(inner)) => (inner, format!("\n{block}")),
        // The marker of a role stays alone on its line.
        _ if is_open(own) => {
            let blank = &own[..own.len() - own.trim_start().len()];
            (blank.rfind('\n').map_or(0, |at| at + 1), format!("{block}\n\n"))
        }
        _ => (own.trim_end().len(), format!("\n\n{block}")),
    };
    Some((to.span(text, &(at..at)).start, written(&words)))
}

/// Feedback without a point; unless `always`, only without a sentence of its own: others refer to what stands before.
pub fn without(feedback: &str, point: &str, always: bool) -> String {
    let Some((before, after)) = feedback.split_once(point) else { return feedback.to_owned() };
    let ended = |text: &str| text.is_empty() || text.ends_with(['.', '!', '?', '。', '！', '？']);
    let ends = ended(point) || after.trim_start_matches(' ').is_empty() || after.starts_with('\n');
    let alone = ends && ended(before.trim_end());
    let rest = after.trim_start_matches([' ', '\n', ',', ';', '，', '；']);
    if alone || always { format!("{before}{rest}") } else { feedback.to_owned() }
}

/// A point with the names alone of variables that one of the prompts does not have: nothing would fill them.
pub fn unmarked(point: &str, prompts: [&str; 2]) -> String {
    let marker = pattern!(r"\{\{\s*(?P<v>[^{}\n]+?)\s*\}\}");
    let known = prompts.map(text::variables::find);
    let is_known = |name: &str| known.iter().all(|list| list.iter().any(|it| it.name == name));
    marker.replace_all(point, |found| match &found["v"] {
        name if is_known(name) => found.get_match().as_str().to_owned(),
        name => name.to_owned(),
    })
}

/// Whether a prompt ends with what the model is to work on, with examples, or with the beginning of the answer.
fn is_open(own: &str) -> bool {
    let last = own.trim_end().rsplit('\n').next().unwrap_or_default();
    !Mask::of(own).shown(own).is_empty()
        || pattern!(r"\}[\x22'\])]*$|[:：>|=]\**$|```|\x22{3}|'{3}|^#{1,6} |^\[[^\]]+\]$")
            .is_match(last)
}

/// Where the content of the only element ends that all of the text stands in, beside a declaration and comments.
fn root(own: &str) -> Option<usize> {
    let tag =
        pattern!(r"^\s*(?:<[?!][^>]*>\s*)*<(?P<t>[A-Za-z][\w:.-]*)(?:\s[^<>]*)?>").captures(own)?;
    let behind = pattern!(r"(?:\s*<!--[^>]*-->)*\s*$").find(own)?;
    let closing = format!("</{}>", &tag["t"]);
    let inner = own[..behind.start()].strip_suffix(&closing)?;
    (!inner.get(tag.get(0)?.end()..)?.contains(&closing)).then(|| inner.trim_end().len())
}
