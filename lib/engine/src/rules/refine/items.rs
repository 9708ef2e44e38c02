//! Splitting feedback into points.

use crate::integrity::scan;
use crate::rules::optimize::material;
use crate::rules::pattern::regex;

/// So many points are worked on; what follows is one last point.
const MOST: usize = 80;

/// One thing that the feedback asks for.
#[derive(Clone, Debug)]
pub struct Point {
    /// The feedback's words.
    pub text: String,
    /// Whether it is what was left over behind the last point that is worked on.
    pub left_over: bool,
}

/// The points of a feedback: list items, sentences, and clauses with a verb of their own.
pub fn split(feedback: &str) -> Vec<Point> {
    let literals = scan(feedback);
    let held = literals.cover(feedback.len());
    let clause = regex!(
        r"(?i)(?:[,;]\s*(?:(?:and|und|et|y|e)\s+)?|\s+(?:and|und|et|y|e)\s+)(?:(?:also|then|please|auch|dann|bitte|aussi|ensuite|también|luego|anche|poi|também|depois)\s+)*(?P<v>(?:make|add|remove|keep|use|don['’]?t|do not|include|change|replace|rename|write|translate|avoid|drop|mention|put|turn|set|send|start|end|switch|shorten|limit|delete|ask|answer|give|füge|entferne|streiche|lösche|ersetze|ändere|mach|mache|schreibe?|verwende|nutze|benutze|erwähne|nenne|vermeide|kürze|halte|benenne|ajoute|supprime|enlève|remplace|change|renomme|écris|utilise|évite|mentionne|rends|raccourcis|añade|agrega|elimina|quita|reemplaza|cambia|renombra|escribe|usa|evita|menciona|haz|acorta|aggiungi|rimuovi|togli|sostituisci|rinomina|scrivi|menziona|rendi|accorcia|adicione|remova|substitua|troque|renomeie|escreva|use|evite|mencione|torne|encurte)\b)"
    );
    let mut points: Vec<Point> = Vec::new();
    for sentence in material::sentences(feedback, &held) {
        let mut from = sentence.start;
        let mut parts = Vec::new();
        for found in clause.captures_iter(&feedback[sentence.clone()]) {
            let (Some(whole), Some(verb)) = (found.get(0), found.name("v")) else { continue };
            let (at, next) = (sentence.start + whole.start(), sentence.start + verb.start());
            if !held.touches(&(at..next)) && at > from {
                parts.push(from..at);
                from = next;
            }
        }
        parts.push(from..sentence.end);
        let parts = parts.into_iter().flat_map(|part| {
            let mut from = part.start;
            let mut list = Vec::new();
            for (at, mark) in feedback[part.clone()].match_indices([';', '；']) {
                let at = part.start + at;
                if !held.touches(&(at..at + mark.len())) {
                    list.push(from..at);
                    from = at + mark.len();
                }
            }
            list.push(from..part.end);
            list
        });
        for part in parts {
            let text = feedback[part].trim().trim_end_matches([',', ';']);
            if !text.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) {
                continue;
            }
            match settings(text) {
                Some(list) => points.extend(list.into_iter().map(point)),
                None => points.push(point(text.to_owned())),
            }
        }
    }
    if points.is_empty() {
        points.push(point(feedback.trim().to_owned()));
    }
    if points.len() > MOST {
        let rest: Vec<String> = points.drain(MOST..).map(|point| point.text).collect();
        points.push(Point { text: rest.join(" "), left_over: true });
    }
    points
}

fn point(text: String) -> Point {
    Point { text, left_over: false }
}

/// The parts of a remark that only lists settings: "shorter, more formal and for beginners".
fn settings(text: &str) -> Option<Vec<String>> {
    if text.split_whitespace().take(16).count() > 15 || text.contains(['"', '“', '„', '«', '{'])
    {
        return None;
    }
    let parts: Vec<&str> = regex!(r"(?i)\s*,\s*(?:and |but |und |aber |et |mais |y |pero |e |ma |mas )?|\s+(?:and|but|und|aber|et|mais|y|pero|ma|mas)\s+")
        .split(super::asks::bare(text))
        .map(str::trim)
        .collect();
    let sets = |part: &&str| {
        part.split_whitespace().count() <= 6
            && super::asks::is_setting(part.trim_end_matches(['.', '!']))
    };
    (parts.len() > 1 && parts.iter().all(sets))
        .then(|| parts.into_iter().map(str::to_owned).collect())
}
