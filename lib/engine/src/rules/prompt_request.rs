//! "I want a prompt that writes …": a prompt for a prompt asks for what the inner one does.

use super::imperative;
use super::split::{capitalize, stop};
use patterns::pattern;

/// What the wanted prompt is to do, as an instruction; `None` if the sentence asks for no prompt, or if what
/// it is to do cannot be said without its words.
pub fn resolve(sentence: &str, language: Option<&str>) -> Option<String> {
    let sentence = sentence.trim();
    match language {
        None | Some("en") => english(sentence),
        Some("de") => german(sentence),
        Some(other) => romance(sentence, other),
    }
    .map(|text| stop(&capitalize(&text)))
}

fn english(sentence: &str) -> Option<String> {
    let text = imperative::unwrapped(sentence).trim_end_matches(['.', '!', '?', ' ']);
    let found = pattern!(
        r"(?ix)^(?:(?:i|we)(?:\ (?:really|just|also))*(?:\ (?:need|want|require|would\ (?:like|love))|'d\ (?:like|love)|\ am\ looking\ for|'m\ looking\ for)|looking\ for|need|want|write|create|make|generate|give|build|draft|design|craft|develop|compose|prepare|produce|provide|show|suggest)
          (?:\ (?:me|us))?(?:\ (?:an?|the|some|one))
          (?:\ (?:chatgpt|gpt(?:-?\d\w*)?|claude|gemini|ai|llm|good|great|better|perfect|detailed|reusable|short|simple|strong|effective|powerful|single|new|custom|optimi[sz]ed|high-quality|well-structured|structured|nice|clear|text))*\ prompt
          (?:\ (?:for|to\ give(?:\ to)?|to\ use\ (?:with|in)|i\ can\ (?:give(?:\ to)?|use\ (?:with|in)))\ (?:chatgpt|gpt(?:-?\d\w*)?|claude|gemini|copilot|(?:an?\ |the\ )?(?:ai|llm|language\ model|model)))?
          [,:]?\ (?P<rest>.+)$"
    )
    .captures(text)?;
    let rest = found["rest"].trim();
    if pattern!(r"(?i)\b(?:system prompt|image|picture|video|photo)\b")
        .is_match(&found[0][..found[0].len() - rest.len()])
    {
        return None;
    }
    if let Some(found) = pattern!(
        r"(?i)^(?:that|which)(?P<modal>'ll| will| can| could| should| would| must)? (?P<v>.+)$"
    )
    .captures(rest)
    {
        return clause(&found["v"], found.name("modal").is_some());
    }
    if let Some(found) = pattern!(r"(?i)^i can use (?:to|for) (?P<v>.+)$").captures(rest) {
        return order(&found["v"]);
    }
    if let Some(found) = pattern!(r"(?i)^(?:to|so (?:that )?i can) (?P<v>.+)$").captures(rest) {
        return order(&without_helper(&found["v"]));
    }
    let found = pattern!(r"(?i)^for (?P<v>.+)$").captures(rest)?;
    let wanted = &found["v"];
    if pattern!(r"(?i)\b(?:assistant|agent|chatbot|bot|gpt|copilot|tutor|coach|midjourney|dall|stable diffusion|sora|veo|flux|runway)\b").is_match(wanted) {
        return None;
    }
    // "a LinkedIn post about …": a text or plan that the request is turned into an order for.
    if pattern!(r"(?i)^(?:an?|my|our|the) (?:[\w'’-]+ ){0,4}?(?:posts?|e-?mails?|letters?|articles?|essays?|story|stories|poems?|plans?|summary|reports?|descriptions?|speech|scripts?|newsletters?|ads?|captions?|headlines?|itinerary|recipes?|quiz|proposals?|reviews?|toast|tweets?|songs?|schedule|checklist|presentation)\b").is_match(wanted) {
        let plans = pattern!(r"(?i)^\w+ (?:[\w'’-]+ ){0,4}?(?:plans?|itinerary|schedule|checklist|quiz|presentation|recipes?)\b");
        let verb = if plans.is_match(wanted) { "Create" } else { "Write" };
        return Some(format!("{verb} {wanted}"));
    }
    pattern!(r"(?i)^\p{L}+ing ").is_match(wanted).then(|| gerund(wanted)).flatten()
}

/// The order in what a prompt does: "summarizes articles", "helps me to write".
fn clause(text: &str, is_base: bool) -> Option<String> {
    let text = pattern!(r"(?i)^i can use (?:to|for) ").replace(text, "to ");
    if let Some(order_text) = text.strip_prefix("to ") {
        return order(order_text);
    }
    let helped = without_helper(&text);
    if helped != text {
        return order(&helped);
    }
    let (verb, tail) = text.split_once(' ')?;
    let verb = if is_base { verb.to_lowercase() } else { base(&verb.to_lowercase())? };
    // "reads an article and writes a summary": what is said of the prompt is said to the model.
    let tail = pattern!(r"(?i)(?P<lead>(?:,| and|, and| then|, then|, and then) )(?P<verb>[a-z]+s) (?P<next>an?|the|my|our|it|them|its|their|each|every|all|one|two|three|\d+|what|how|which|me|us|only)\b")
        .replace_all(tail, |found: &patterns::Captures<'_>| match base(&found["verb"].to_lowercase()) {
            Some(verb) if imperative::starts_work(&verb) => {
                format!("{}{verb} {}", &found["lead"], &found["next"])
            }
            _ => found[0].to_owned(),
        })
        .into_owned();
    // These are no nouns, whatever follows.
    let tail = pattern!(r"(?i)(?P<lead>(?:,| and|, and| then|, then|, and then) )(?P<verb>suggests|writes|creates|generates|explains|summari[sz]es|translates|recommends|proposes|gives|asks|produces|extracts|rewrites|provides|identifies|adds|tells|makes|turns|finds) ")
        .replace_all(&tail, |found: &patterns::Captures<'_>| {
            let verb = base(&found["verb"].to_lowercase()).unwrap_or_default();
            format!("{}{verb} ", &found["lead"])
        })
        .into_owned();
    order(&format!("{verb} {tail}"))
}

/// "write …" of "helps me to write …", "makes ChatGPT write …", "asks the model to write …".
fn without_helper(text: &str) -> String {
    pattern!(r"(?i)^(?:helps? (?:me|us|people|users|someone|you) (?:to |with )?|(?:lets?|makes?|gets?|has|have) (?:me|us|chatgpt|claude|gemini|gpt\S*|it|(?:an? |the )?(?:ai|llm|model)) (?:to )?|(?:asks?|tells?|instructs?|allows?|enables?) (?:me|us|chatgpt|claude|gemini|gpt\S*|it|(?:an? |the )?(?:ai|llm|model)) to |use (?:it )?to )")
        .replace(text, "")
        .into_owned()
}

fn order(text: &str) -> Option<String> {
    let known = imperative::starts_work(text)
        || pattern!(r"(?i)^(?:ask|act|guide|collect|score|grade|coach|walk|take|read|detect|remind|return|output|respond|turn|teach|check|select|count|look|work|break|run|go|note|propose)\b").is_match(text);
    if known {
        return Some(text.to_owned());
    }
    pattern!(r"(?i)^\p{L}+ing ").is_match(text).then(|| gerund(text)).flatten()
}

fn gerund(text: &str) -> Option<String> {
    let (verb, tail) = text.split_once(' ')?;
    let stem = verb.to_lowercase().strip_suffix("ing")?.to_owned();
    let doubled = stem.chars().rev().take(2).collect::<Vec<_>>();
    let shortened: String = match doubled.as_slice() {
        [one, other] if one == other && !matches!(one, 's' | 'l') => {
            stem.chars().take(stem.chars().count() - 1).collect()
        }
        _ => stem.clone(),
    };
    [stem.clone(), format!("{stem}e"), shortened]
        .into_iter()
        .find(|verb| imperative::starts_work(verb))
        .map(|verb| format!("{verb} {tail}"))
}

/// The base form of a verb in the third person.
fn base(verb: &str) -> Option<String> {
    let irregular = match verb {
        "does" => Some("do"),
        "goes" => Some("go"),
        "is" | "has" | "was" | "works" | "uses" | "contains" | "includes" | "fits" => return None,
        _ => None,
    };
    if let Some(verb) = irregular {
        return Some(verb.to_owned());
    }
    if let Some(stem) = verb.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    let sibilant = ["ches", "shes", "sses", "xes"].iter().any(|end| verb.ends_with(end));
    if sibilant {
        return verb.strip_suffix("es").map(str::to_owned);
    }
    verb.strip_suffix('s').filter(|stem| !stem.ends_with('s')).map(str::to_owned)
}

/// Verbs as they end a German relative clause, with the order that they become and the particle that follows.
const GERMAN: &[(&str, &str, &str)] = &[
    ("erstellt", "Erstelle", ""),
    ("schreibt", "Schreibe", ""),
    ("verfasst", "Verfasse", ""),
    ("übersetzt", "Übersetze", ""),
    ("erklärt", "Erkläre", ""),
    ("plant", "Plane", ""),
    ("entwirft", "Entwirf", ""),
    ("gibt", "Gib", ""),
    ("macht", "Mache", ""),
    ("findet", "Finde", ""),
    ("vergleicht", "Vergleiche", ""),
    ("bewertet", "Bewerte", ""),
    ("prüft", "Prüfe", ""),
    ("liefert", "Liefere", ""),
    ("sammelt", "Sammle", ""),
    ("entwickelt", "Entwickle", ""),
    ("beantwortet", "Beantworte", ""),
    ("verbessert", "Verbessere", ""),
    ("erzeugt", "Erzeuge", ""),
    ("beschreibt", "Beschreibe", ""),
    ("formt", "Forme", ""),
    ("stellt", "Stelle", ""),
    ("ordnet", "Ordne", ""),
    ("kürzt", "Kürze", ""),
    ("zusammenfasst", "Fasse", " zusammen"),
    ("vorschlägt", "Schlage", " vor"),
    ("ausgibt", "Gib", " aus"),
    ("umschreibt", "Schreibe", " um"),
    ("umwandelt", "Wandle", " um"),
    ("auflistet", "Liste", " auf"),
    ("erstellen", "Erstelle", ""),
    ("schreiben", "Schreibe", ""),
    ("verfassen", "Verfasse", ""),
    ("übersetzen", "Übersetze", ""),
    ("erklären", "Erkläre", ""),
    ("planen", "Plane", ""),
    ("entwerfen", "Entwirf", ""),
    ("finden", "Finde", ""),
    ("vergleichen", "Vergleiche", ""),
    ("bewerten", "Bewerte", ""),
    ("prüfen", "Prüfe", ""),
    ("entwickeln", "Entwickle", ""),
    ("zusammenfassen", "Fasse", " zusammen"),
    ("zusammenzufassen", "Fasse", " zusammen"),
];

fn german(sentence: &str) -> Option<String> {
    let text = sentence.trim_end_matches(['.', '!', '?', ' ']);
    let found = pattern!(
        r"(?ix)^(?:bitte\ )?(?:(?:schreib|erstell|generier|formulier|bau|mach)e?|gib|entwirf|(?:ich|wir)\ (?:brauche|bräuchte|möchte|will|suche|benötige|wünsche\ mir|hätte\ gerne?|brauchen|möchten|wollen|suchen|benötigen)|(?:kannst|könntest)\ du)
          (?:\ (?:mir|uns|bitte|gern|gerne))*\ (?:einen|nen|den)(?:\ (?:guten|kurzen|einfachen|perfekten|wiederverwendbaren|neuen|klaren|ChatGPT-|KI-))*\ ?(?:ChatGPT-|KI-)?prompt
          (?:\ (?:für|an)\ (?:ChatGPT|GPT\S*|Claude|Gemini|eine\ KI|die\ KI))?(?:\ (?:schreiben|erstellen|haben))?,?\ (?P<rest>.+)$"
    )
    .captures(text)?;
    let rest = &found["rest"];
    let helped = pattern!(
        r"(?i)^(?:der|welcher)(?: mir| uns| dabei)* hilft,?(?: dabei,?)?(?: mir| uns)? (?P<v>.+)$"
    )
    .captures(rest);
    let relative = pattern!(r"(?i)^(?:der|welcher)(?: mir| uns)? (?P<v>.+)$").captures(rest);
    let purpose =
        pattern!(r"(?i)^(?:um|mit dem ich|womit ich|damit ich)(?: mir)? (?P<v>.+)$").captures(rest);
    let body = helped.or(relative).or(purpose)?["v"].to_owned();
    let modal = pattern!(r"(?i) (?:soll|kann|wird|sollte|könnte|lasse|lassen kann)\b");
    let words: Vec<&str> = body.split(' ').collect();
    let verb_of = |word: &str| {
        let bare = word.trim_end_matches([',', ';', ':']).to_lowercase();
        GERMAN.iter().find(|(form, ..)| *form == bare).map_or_else(
            || {
                // "generiert", "zu analysieren": the largest regular group.
                let stem = bare.strip_suffix("iert").or_else(|| bare.strip_suffix("ieren"))?;
                (stem.chars().count() >= 3)
                    .then(|| (capitalize(&format!("{stem}iere")), String::new()))
            },
            |(_, order, particle)| Some(((*order).to_owned(), (*particle).to_owned())),
        )
    };
    let at = words.iter().position(|word| verb_of(word).is_some())?;
    let (order, particle) = verb_of(words[at])?;
    let bare = words[at].trim_end_matches([',', ';', ':']).to_lowercase();
    let middle = words[..at].join(" ");
    let infinitive = pattern!(r"(?i)(?:^| )zu$").is_match(&middle) || bare == "zusammenzufassen";
    let follows = words.get(at + 1).map_or("", |word| word.trim_end_matches([',', ';']));
    // "schreiben" is the verb of the clause only behind "zu" or before "soll".
    if bare.ends_with("en") && !infinitive && !modal.is_match(&format!(" {follows}")) {
        return None;
    }
    let middle = pattern!(r"(?i)(?:^| )zu$").replace(&middle, "").into_owned();
    let mark: String = words[at].chars().skip_while(|c| c.is_alphanumeric()).collect();
    let tail = words[at + 1..].join(" ");
    let tail = modal.replace(&format!(" {tail}"), "").trim().to_owned();
    // A second clause has its verb at the end as well, and that would be no order.
    if middle.trim().is_empty() || tail.split(' ').any(|word| verb_of(word).is_some()) {
        return None;
    }
    let joint = if tail.is_empty() { String::new() } else { format!("{mark} {tail}") };
    Some(format!("{order} {}{particle}{joint}", middle.trim()))
}

/// Orders of verbs whose form after "que", "qui" or "che" is not the order itself.
const ROMANCE: &[(&str, &[(&str, &str)])] = &[
    (
        "es",
        &[
            ("genere", "Genera"),
            ("cree", "Crea"),
            ("escriba", "Escribe"),
            ("resuma", "Resume"),
            ("traduzca", "Traduce"),
            ("explique", "Explica"),
            ("haga", "Haz"),
            ("hace", "Haz"),
            ("analice", "Analiza"),
            ("redacte", "Redacta"),
            ("planifique", "Planifica"),
            ("organice", "Organiza"),
            ("compare", "Compara"),
            ("dé", "Da"),
            ("proponga", "Propón"),
            ("propone", "Propón"),
            ("diseñe", "Diseña"),
            ("elabore", "Elabora"),
            ("prepare", "Prepara"),
            ("corrija", "Corrige"),
            ("genera", "Genera"),
            ("crea", "Crea"),
            ("escribe", "Escribe"),
            ("resume", "Resume"),
            ("traduce", "Traduce"),
            ("explica", "Explica"),
            ("analiza", "Analiza"),
            ("redacta", "Redacta"),
            ("planifica", "Planifica"),
            ("organiza", "Organiza"),
            ("compara", "Compara"),
            ("diseña", "Diseña"),
            ("elabora", "Elabora"),
            ("prepara", "Prepara"),
            ("corrige", "Corrige"),
            ("generar", "Genera"),
            ("crear", "Crea"),
            ("escribir", "Escribe"),
            ("resumir", "Resume"),
            ("traducir", "Traduce"),
            ("redactar", "Redacta"),
            ("planificar", "Planifica"),
            ("hacer", "Haz"),
        ],
    ),
    (
        "fr",
        &[
            ("génère", "Génère"),
            ("crée", "Crée"),
            ("rédige", "Rédige"),
            ("résume", "Résume"),
            ("explique", "Explique"),
            ("analyse", "Analyse"),
            ("propose", "Propose"),
            ("compare", "Compare"),
            ("planifie", "Planifie"),
            ("prépare", "Prépare"),
            ("écrit", "Écris"),
            ("écrive", "Écris"),
            ("traduit", "Traduis"),
            ("traduise", "Traduis"),
            ("fait", "Fais"),
            ("fasse", "Fais"),
            ("organise", "Organise"),
            ("corrige", "Corrige"),
            ("générer", "Génère"),
            ("créer", "Crée"),
            ("rédiger", "Rédige"),
            ("résumer", "Résume"),
            ("écrire", "Écris"),
            ("traduire", "Traduis"),
            ("planifier", "Planifie"),
            ("préparer", "Prépare"),
        ],
    ),
    (
        "it",
        &[
            ("generi", "Genera"),
            ("genera", "Genera"),
            ("crei", "Crea"),
            ("crea", "Crea"),
            ("scriva", "Scrivi"),
            ("scrive", "Scrivi"),
            ("traduca", "Traduci"),
            ("traduce", "Traduci"),
            ("riassuma", "Riassumi"),
            ("riassume", "Riassumi"),
            ("spieghi", "Spiega"),
            ("spiega", "Spiega"),
            ("analizzi", "Analizza"),
            ("analizza", "Analizza"),
            ("prepari", "Prepara"),
            ("prepara", "Prepara"),
            ("generare", "Genera"),
            ("creare", "Crea"),
            ("scrivere", "Scrivi"),
            ("tradurre", "Traduci"),
            ("riassumere", "Riassumi"),
        ],
    ),
    (
        "pt",
        &[
            ("gere", "Gere"),
            ("gera", "Gere"),
            ("crie", "Crie"),
            ("cria", "Crie"),
            ("escreva", "Escreva"),
            ("escreve", "Escreva"),
            ("resuma", "Resuma"),
            ("resume", "Resuma"),
            ("traduza", "Traduza"),
            ("traduz", "Traduza"),
            ("explique", "Explique"),
            ("explica", "Explique"),
            ("analise", "Analise"),
            ("analisa", "Analise"),
            ("prepare", "Prepare"),
            ("prepara", "Prepare"),
            ("gerar", "Gere"),
            ("criar", "Crie"),
            ("escrever", "Escreva"),
            ("resumir", "Resuma"),
            ("traduzir", "Traduza"),
        ],
    ),
];

fn romance(sentence: &str, language: &str) -> Option<String> {
    let text = sentence.trim_start_matches(['¿', '¡']).trim_end_matches(['.', '!', '?', ' ']);
    let found = pattern!(
        r"(?ix)^(?:(?:por\ favor|s'il\ te\ plaît|per\ favore),?\ )?
          (?:(?:yo\ )?(?:quiero|necesito|quisiera|busco|me\ gustaría\ tener)|dame|(?:escrib|cre|gener)[ae](?:me)?|escríbeme|créame|genérame|haz(?:me)?
            |je\ (?:veux|voudrais|cherche)|j'ai\ besoin\ d'|(?:écris|crée|donne|génère|rédige|fais)(?:-moi)?
            |voglio|vorrei|mi\ serve|ho\ bisogno\ di|dammi|scrivi(?:mi)?|crea(?:mi)?|genera(?:mi)?
            |(?:eu\ )?(?:quero|queria|preciso\ de|gostaria\ de)|me\ dê|escreva|crie|gere)
          (?:\ me)?\ ?(?:un|um|une)(?:\ (?:buen|bon|buon|bom))?\ prompt(?:\ (?:para|pour|per)\ (?:ChatGPT|GPT\S*|Claude|Gemini))?,?
          \ (?:que|qui|che|para|pour|per)(?:\ (?:me|nos|m'|mi|ci))?\ (?P<verb>\p{L}+)\ (?P<tail>.+)$"
    )
    .captures(text)?;
    let verb = found["verb"].to_lowercase();
    let (_, orders) = ROMANCE.iter().find(|(tag, _)| *tag == language)?;
    let (_, order) = orders.iter().find(|(form, _)| *form == verb)?;
    Some(format!("{order} {}", &found["tail"]))
}
