//! What results say to the caller, in the languages that prompts are written in.

use std::collections::HashMap;
use std::sync::LazyLock;

use engine::Generation;
use text::language::primary;

/// Texts by language and English wording.
type Texts = HashMap<&'static str, HashMap<String, String>>;

/// The files of a folder of messages, by language.
macro_rules! files {
    ($folder:literal) => {
        [
            ("de", include_str!(concat!("../../../knowledge/messages", $folder, "/de.json"))),
            ("es", include_str!(concat!("../../../knowledge/messages", $folder, "/es.json"))),
            ("fr", include_str!(concat!("../../../knowledge/messages", $folder, "/fr.json"))),
            ("it", include_str!(concat!("../../../knowledge/messages", $folder, "/it.json"))),
            ("pt", include_str!(concat!("../../../knowledge/messages", $folder, "/pt.json"))),
        ]
    };
}

/// What generating says. `{}` stands for a value in English; a translation has `{2}` for the second.
static GENERATING: LazyLock<Texts> = LazyLock::new(|| read(&files!("")));

/// What rewriting, reversals and notes on attached pictures say; their places are filled afterwards.
static PHRASES: LazyLock<Texts> = LazyLock::new(|| {
    let folders = [
        files!("/picturing"),
        files!("/attaching"),
        files!("/rewriting"),
        files!("/reversing"),
        files!("/refining"),
    ];
    read(&folders.concat())
});

fn read(files: &[(&'static str, &str)]) -> Texts {
    let mut texts = Texts::new();
    for (tag, json) in files {
        let own: HashMap<_, _> = serde_json::from_str(json).expect("messages are compiled in");
        texts.entry(tag).or_default().extend(own);
    }
    texts
}

/// Whether there are messages in the language of `tag`, or English is asked for.
pub fn speaks(tag: &str) -> bool {
    primary(tag) == "en" || GENERATING.contains_key(primary(tag).as_str())
}

/// What rewriting or a reversal says in the language of `tag`, if there is a translation; its places are
/// still to be filled.
pub fn phrase(tag: &str, english: &str) -> Option<&'static str> {
    PHRASES.get(primary(tag).as_str())?.get(english).map(String::as_str)
}

/// Translates what a result says about itself; unknown messages stay in English.
pub fn localize(result: &mut Generation, tag: &str) {
    let Some(known) = GENERATING.get(primary(tag).as_str()) else { return };
    let texts = (result.assumptions.iter_mut())
        .chain(&mut result.clarifying_questions)
        .chain(&mut result.usage_guide)
        .chain(result.variables.iter_mut().filter_map(|variable| variable.description.as_mut()))
        .chain(result.techniques.iter_mut().flat_map(|item| [&mut item.label, &mut item.why]));
    for text in texts {
        if let Some(translated) = translate(known, text) {
            *text = translated;
        }
    }
}

fn translate(known: &HashMap<String, String>, text: &str) -> Option<String> {
    if let Some(exact) = known.get(text) {
        return Some(exact.clone());
    }
    known.iter().filter(|(english, _)| english.contains("{}")).find_map(|(english, own)| {
        // A value may be a message itself.
        let values = values(english, text)?;
        let values = values.into_iter().map(|value| known.get(value).map_or(value, |own| own));
        let places = ["{}", "{2}"].into_iter().zip(values);
        Some(places.fold(own.clone(), |text, (place, value)| text.replacen(place, value, 1)))
    })
}

/// What stands for the places of `pattern` in `text`, if the rest is the same.
fn values<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}").peekable();
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut found = Vec::new();
    while let Some(piece) = pieces.next() {
        let end = match pieces.peek() {
            None => rest.len().checked_sub(piece.len()).filter(|_| rest.ends_with(piece))?,
            Some(_) => rest.find(piece)?,
        };
        found.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    Some(found)
}
