//! Feedback about variables: naming, filling and adding them.

use super::asks::{Ask, unquoted};
use crate::variables;
use patterns::pattern;

/// What a remark asks to do with variables, if anything.
pub fn ask(text: &str, prompt: &str) -> Option<Ask> {
    let is_known = |name: &str| variables::find(prompt).iter().any(|found| found.name == name);
    let bare = |text: &str| {
        unquoted(text).trim_start_matches("{{").trim_end_matches("}}").trim().to_owned()
    };
    let removes = pattern!(
        r"(?i)^(?:remove|delete|drop|cut|take out|get rid of|strip|omit|entferne?|lösche?|streiche?|supprime[rz]?|enlève|retire[rz]?|elimina|quita|borra|rimuovi|togli|cancella|remova|exclua) (?:(?:the|die|den|la|le|el|il|o|a) )?(?:(?:variable|placeholder|platzhalter|marcador|variabile|variável) (?P<a>\S{1,60})|(?P<b>\S{1,60}?)[- ](?:variable|placeholder|platzhalter|variabile|variável))$"
    );
    if let Some(found) = removes.captures(text)
        && let Some(name) = found.name("a").or(found.name("b"))
    {
        let name = bare(name.as_str());
        if is_known(&name) {
            return Some(Ask::Remove {
                what: format!("{{{{{name}}}}}"),
                quoted: false,
                part: false,
            });
        }
    }
    let rename = pattern!(
        r"(?i)^(?:rename|change|call|replace|benenne|nenne|renomme[rz]?|appelle|renombra|cambia|llama|rinomina|chiama|renomeie|mude) (?:the |die |la |a )?(?:name of )?(?:(?:the )?(?:variable|placeholder|platzhalter|marcador)[ :]+)?(?P<old>\S.{0,80}?) (?:to|into|as|with|in|zu|en|a|para|por) (?:(?:the )?(?:variable|placeholder)[ :]+)?(?P<new>\S.{0,80}?)(?: um)?$"
    );
    if let Some(found) = rename.captures(text) {
        let (old, new) = (bare(&found["old"]), bare(&found["new"]));
        let marked = found["new"].contains("{{")
            || pattern!(r"(?i)^(?:rename|benenne|renomm|renombra|rinomina|renomeie)")
                .is_match(text);
        let mentions = found["old"].contains("{{")
            || pattern!(
                r"(?i)\b(?:variable|placeholder|platzhalter|marcador|variabile|variável)\b"
            )
            .is_match(text);
        if marked && is_name(&new) && (mentions || is_known(&old)) {
            return Some(Ask::Rename { old, new: new.replace(' ', "_") });
        }
        let renames =
            pattern!(r"(?i)^(?:rename|benenne|renomm|renombra|rinomina|renomeie)").is_match(text);
        if renames && !mentions {
            let (old, new) =
                (unquoted(&found["old"]).to_owned(), unquoted(&found["new"]).to_owned());
            return Some(Ask::Replace { old, new, quoted: false });
        }
        if mentions && !marked && !old.is_empty() {
            return Some(Ask::Fill { name: old, value: unquoted(&found["new"]).to_owned() });
        }
    }
    let fill = pattern!(
        r"(?i)^(?:(?:fill(?: in)?|set|replace|substitute|use|insert|setze?|ersetze?|fülle|remplace[rz]?|reemplaza|sustituye|sostituisci|imposta|substitua|defina|pon) )?(?:the )?(?:(?:variable|placeholder|platzhalter)[ :]+)?(?P<name>\{\{[^{}\n]+\}\}) (?:with|to|by|as|is|=|durch|mit|auf|par|por|con|com|a|à|como) ?(?P<v>.{1,500})$"
    );
    if let Some(found) = fill.captures(text) {
        let name = bare(&found["name"]);
        if !found["v"].contains("{{") {
            return Some(Ask::Fill { name, value: unquoted(&found["v"]).to_owned() });
        }
    }
    let make = pattern!(
        r"(?i)^(?:make|turn|convert|mach|mache|wandle|transforme[rz]?|convierte|haz|trasforma|converti|transforme|converta|fais) (?:(?:the|my|our|every|all|den|die|das|de|le|la|du|de la|el|il|o|a) )?(?P<v>.{1,120}?) (?:(?:in)?to |in |zu |en |de |em )?(?:an? |einer? |eine |une |una |uma )?(?:template )?(?:variables?|placeholders?|platzhalter|variabile|variável|parameters?)(?: (?:um))?(?: (?:called|named|with the name|namens|appelée|nommée|llamada|chiamata|chamada) (?P<name>.{1,60}))?$"
    );
    let parametrize = pattern!(
        r"(?i)^(?:use|add|insert|introduce|create|verwende|füge|ergänze|utilise|ajoute|usa|añade|agrega|aggiungi|adicione|use) (?:an? |eine[n]? |une |una |uma )?(?:variable|placeholder|platzhalter|variabile|variável) (?:(?:called|named|namens|nommée|llamada|chiamata|chamada) (?P<name>\S{1,60}) )?(?:for|für|pour|para|per) (?:the |my |our |den |die |das |le |la |el |il |o |a )?(?P<v>.{1,120}?)(?: hinzu| ein)?$"
    );
    let found = make.captures(text).or_else(|| parametrize.captures(text))?;
    let thing = found["v"].trim();
    if let Some(name) = found.name("name") {
        let name = bare(name.as_str());
        return is_name(&name).then(|| Ask::Variables(vec![(thing.to_owned(), name)]));
    }
    let several = pattern!(
        r"(?i)\b(?:variables|placeholders|platzhaltern?|variablen|parameters|variabili|variáveis)\b"
    )
    .is_match(text);
    let things: Vec<&str> = if several {
        pattern!(r"(?i)\s*,\s*(?:and |und |et |y |e )?|\s+(?:and|und|et|y|e)\s+")
            .split(thing)
            .collect()
    } else {
        vec![thing]
    };
    let article = pattern!(r"(?i)^(?:the|my|our|den|die|das|le|la|el|il|o|a)\s+");
    let list: Vec<(String, String)> = things
        .into_iter()
        .map(|thing| article.replace(thing.trim(), "").into_owned())
        .map(|thing| (thing.clone(), name_of(unquoted(&thing))))
        .filter(|(_, name)| is_name(name))
        .collect();
    (!list.is_empty()).then_some(Ask::Variables(list))
}

/// A name for the variable that stands for a phrase.
fn name_of(phrase: &str) -> String {
    let words: Vec<String> = phrase
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(4)
        .map(str::to_lowercase)
        .collect();
    words.join("_")
}

fn is_name(name: &str) -> bool {
    (1..=60).contains(&name.chars().count()) && !name.contains(['{', '}', '\n', '"'])
}
