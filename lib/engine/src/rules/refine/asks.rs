//! Reading what a point of feedback asks for, in six languages.

use super::items::Point;
use crate::integrity::scan;
use crate::language;
use crate::rules::pattern::regex;
use crate::rules::wording::tag_named;
use crate::rules::{convert, goal, imperative, slots};
use crate::{GenerateBrief, Mode, OutputMode, TargetModel, catalogue};

/// What a point asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Nothing: thanks, praise.
    Nothing,
    /// What was left over behind the last point that is worked on.
    TooMany,
    /// To steer the service instead of the prompt.
    Steer,
    /// To answer the prompt.
    Answer,
    /// To translate the prompt.
    Translate,
    /// Another prompt that is only "better".
    Improve,
    /// A shorter prompt, not a shorter answer.
    ShorterPrompt,
    /// Something else, without saying what.
    Complain,
    /// A question.
    Question,
    /// Other words in the place of some.
    Replace(String, String),
    /// Another name for a variable.
    Rename(String, String),
    /// A variable in the place of a value, or one for a value that the prompt does not give.
    Variable { value: String, name: String },
    /// Words, or what is said about something, to go.
    Remove { what: String, quoted: bool },
    /// Emojis to go.
    RemoveEmojis,
    /// Answers in a language.
    Reply(&'static str),
    /// The layout for another model.
    Target(TargetModel),
    /// A requirement that the knowledge has a line for.
    Line(&'static str),
    /// Such a requirement with a value.
    Setting(&'static str, String),
    /// A requirement in the feedback's own words.
    Require(String),
    /// A fact in the feedback's own words.
    Fact(String),
}

const MAKE: &str = r"(?:(?:make|keep|write)(?: (?:it|this|that|them|the (?:answers?|texts?|outputs?|results?|emails?|posts?|tone|style|prompt)))? |(?:it|this|that|the (?:answer|text|output|result|tone|style|email|post)) (?:should|must|needs to|has to) (?:be|sound) |be |i (?:want|need|'d like|would like) (?:it |this |something )?(?:to be )?|mach(?:e)? (?:es|ihn|sie|den (?:text|ton)|die antwort) |(?:es|er|der (?:text|ton)|die antwort) soll(?:te)? |rends[- ](?:le|la) |(?:le (?:ton|texte)|la réponse) doit être |haz(?:lo|la) |(?:el (?:tono|texto)|la respuesta) debe ser |rendi(?:lo|la) |(?:il (?:tono|testo)|la risposta) deve essere |torne-[oa] |(?:o (?:tom|texto)|a resposta) deve ser )?(?:a (?:bit|little|lot) |much |way |slightly |etwas |deutlich |un peu |beaucoup |un poco |mucho |molto |um pouco |muito )?";

/// Reads a point.
pub fn read(point: &Point, prompt: &str) -> Ask {
    if point.left_over {
        return Ask::TooMany;
    }
    let whole = point.text.trim();
    if goal::is_takeover(whole) || steers(whole) {
        return Ask::Steer;
    }
    let text = bare(whole);
    if !text.chars().any(char::is_alphanumeric) && text.is_ascii() {
        return Ask::Nothing;
    }
    if regex!(r"(?i)^(?:thanks?(?: you)?.{0,30}|great(?: job| work)?|perfect|looks good|nice|(?:very )?good|ok(?:ay)?|i (?:like|love) (?:it|this)|danke.{0,20}|super|gut|merci.{0,20}|parfait|gracias.{0,20}|perfecto|grazie.{0,20}|perfetto|obrigad[oa].{0,20}|perfeito|please|bitte)$").is_match(text) {
        return Ask::Nothing;
    }
    if answers(text) {
        return Ask::Answer;
    }
    named(text, prompt)
        .or_else(|| about_language(text))
        .or_else(|| setting(text))
        .or_else(|| general(text))
        .unwrap_or_else(|| words(text, whole))
}

/// Whether a few words are a setting such as a tone, an audience or a length.
pub fn is_setting(text: &str) -> bool {
    let text = bare(text);
    setting(text).is_some() || about_language(text).is_some()
}

/// A point without courtesies and the punctuation at its end.
pub fn bare(text: &str) -> &str {
    let mut text = text.trim().trim_end_matches(['.', '!', ' ', '。', '！', ',', ';']);
    let lead = regex!(
        r"(?i)^(?:(?:please|also|now|and|but|then|finally|first|second|ok(?:ay)?,?|could you|can you|would you|i(?:'d| would) like you to|i want you to|bitte|auch|und|kannst du|könntest du|s['’]il te plaît|s['’]il vous plaît|aussi|et|peux-tu|pouvez-vous|por favor|también|y|puedes|podrías|per favore|anche|puoi|potresti|também|e|pode|poderia)[,:]? +)+"
    );
    if let Some(found) = lead.find(text)
        && found.end() < text.len()
    {
        text = &text[found.end()..];
    }
    let tail =
        regex!(r"(?i),? (?:please|bitte|s['’]il (?:te|vous) plaît|por favor|per favore|instead)$");
    tail.find(text).map_or(text, |found| &text[..found.start()]).trim_end_matches('?')
}

/// Commands to the service in other languages than English, and for its inner texts.
fn steers(text: &str) -> bool {
    regex!(r"(?i)\bsystem[ -]?prompt\b.{0,40}\b(?:output|print|show|reveal|tell|repeat|give|ausgeben|zeige|affiche|muestra|mostra|mostre)|\b(?:output|print|show|reveal|tell|repeat|give|zeige?|gib|affiche|donne|muestra|dame|mostra|mostre|dê)\b.{0,30}\b(?:your|dein\w*|ton|tu|tuo|seu)\b.{0,20}\b(?:system[ -]?prompt|instructions?|anweisungen|instrucciones|istruzioni|instruções)|\b(?:ignoriere|vergiss|missachte)\b.{0,30}\b(?:anweisungen|regeln|vorgaben)|\b(?:ignore[rz]?|oublie[rz]?)\b.{0,30}\b(?:consignes|règles)|\b(?:ignora|olvida|dimentica)\b.{0,30}\b(?:instrucciones|reglas|istruzioni|regole)|\b(?:ignore|esqueça)\b.{0,30}\b(?:instruções|regras)|忽略.{0,10}(?:指令|指示)|(?:以前|上記)の指示を無視")
        .is_match(text)
}

/// Whether a point wants the prompt answered.
fn answers(text: &str) -> bool {
    regex!(r"(?i)^(?:just )?(?:answer (?:it|this|the (?:question|prompt)|my question)(?: (?:yourself|directly|now|instead))?$|(?:run|execute|solve) (?:it|this|the prompt)|(?:give|tell|show) me the (?:answer|result|solution)|what(?:'s| is) the answer|do (?:the task|it) yourself|instead of (?:rewriting|refining)|beantworte (?:die frage|sie|das)|gib mir die (?:antwort|lösung)|réponds à (?:la|ma) question|donne[- ]moi la réponse|responde (?:a )?la pregunta|dame la respuesta|rispondi alla domanda|dammi la risposta|responda (?:a|à) pergunta|dê-me a resposta)")
        .is_match(text)
}

/// Points that name words or variables of the prompt.
fn named(text: &str, prompt: &str) -> Option<Ask> {
    const QUOTE: &str = r#"["“”„«»'‘’`]"#;
    let rename = regex!(&format!(
        r"(?i)^(?:rename|call|benenne|renomme[rz]?|renombra|rinomina|renomeie)(?: (?:the |die |la |a )?(?:variable|platzhalter|placeholder|variabile|variável))? {QUOTE}?\{{\{{?\s*(?P<a>[^{{}}]+?)\s*\}}\}}?{QUOTE}?(?: (?:to|as|into|in|en|a|para|zu|um in))? {QUOTE}?\{{*\s*(?P<b>[\p{{L}}\p{{N}}_ .-]+?)\s*\}}*{QUOTE}?(?: um)?$"
    ));
    if let Some(found) = rename.captures(text) {
        return Some(Ask::Rename(found["a"].to_owned(), slug(&found["b"])));
    }
    let plain = regex!(&format!(
        r"(?i)^(?:rename|benenne|renomme[rz]?|renombra|rinomina|renomeie) (?:the |die |la |a )?(?:variable|platzhalter|placeholder|variabile|variável) {QUOTE}?(?P<a>[\p{{L}}\p{{N}}_.-]+){QUOTE}? (?:to|as|into|in|en|a|para|zu) {QUOTE}?(?P<b>[\p{{L}}\p{{N}}_.-]+){QUOTE}?(?: um)?$"
    ));
    if let Some(found) = plain.captures(text) {
        return Some(Ask::Rename(found["a"].to_owned(), slug(&found["b"])));
    }
    let variable = regex!(
        r"(?i)^(?:make|turn|convert|mach(?:e)?|verwandle|transforme[rz]?|fais de|convierte|haz de|haz|trasforma|rendi|torne|transforme) (?P<v>.{1,80}?) (?:into |in |en |em |zu )?(?:a|an|eine[nrm]?|einem?|une?|una|uma) (?:variable|placeholder|platzhalter|parameter|variabile|variável|marcador)(?:,? (?:called|named|namens|nommée?|appelée?|llamada|chiamata|chamada) (?P<n>.{1,60}))?$"
    );
    if let Some(found) = variable.captures(text) {
        let marks = |c: char| "\"“”„«»'‘’`{} ".contains(c);
        let value = found["v"].trim_matches(marks).to_owned();
        let name = found.name("n").map_or(value.as_str(), |name| name.as_str().trim_matches(marks));
        let name = regex!(r"(?i)^(?:the|my|our|der|die|das|den|le|la|les|l'|el|los|il|lo|o|a) ")
            .replace(name, "");
        return Some(Ask::Variable { value: value.clone(), name: slug(&name) });
    }
    let replace = regex!(&format!(
        r"(?i)^(?:replace|change|swap|switch|ersetze|ändere|tausche|remplace[rz]?|change[rz]?|reemplaza|sustituye|cambia|sostituisci|substitua|troque|mude) (?:the (?:word|phrase|name|text|date|number) |das wort |le mot |la palabra |la parola |a palavra )?(?:{QUOTE}(?P<qa>[^\n]{{1,200}}?){QUOTE}|(?P<a>.{{1,80}}?)) (?:with|by|to|into|for|durch|zu|auf|gegen|in|par|pour|en|por|con|a) (?:{QUOTE}(?P<qb>[^\n]{{0,200}}?){QUOTE}|(?P<b>.{{1,80}}?))$"
    ));
    let exchange = regex!(&format!(
        r"(?i)^(?:(?:use|write|say|put|verwende|nimm|schreib|utilise|mets|usa|pon|escribe|scrivi|metti|use|escreva) )?(?:{QUOTE}(?P<qb>[^\n]{{1,200}}?){QUOTE}|(?P<b>.{{1,60}}?)) (?:instead of|rather than|in place of|statt|anstelle von|anstatt|au lieu de|à la place de|en lugar de|en vez de|invece di|al posto di|em vez de|no lugar de) (?:{QUOTE}(?P<qa>[^\n]{{1,200}}?){QUOTE}|(?P<a>.{{1,60}}?))$"
    ));
    for found in [replace.captures(text), exchange.captures(text)].into_iter().flatten() {
        let pick = |quoted: &str, plain: &str| {
            found
                .name(quoted)
                .or_else(|| found.name(plain))
                .map(|found| found.as_str().trim().to_owned())
        };
        let (Some(old), Some(new)) = (pick("qa", "a"), pick("qb", "b")) else { continue };
        let setting = regex!(
            r"(?i)^(?:the |den |die |das |le |la |el |il |o |a )?(?:tone?|style|voice|language|format|length|audience|prompt|text|output|answer|it|ton|stil|sprache|länge|zielgruppe|langue|longueur|idioma|lingua|tom|tono|longitud|lunghezza)$"
        );
        if !setting.is_match(&old) && (found.name("qa").is_some() || occurs(prompt, &old)) {
            return Some(Ask::Replace(old, new));
        }
    }
    removal(text)
}

fn removal(text: &str) -> Option<Ask> {
    let found = regex!(r"(?i)^(?:remove|delete|drop|take out|cut(?: out)?|get rid of|leave out|omit|strip|entferne|lösche|streiche?|lass(?:e)?|supprime[rz]?|enlève|enlevez|retire[rz]?|elimina|quita|borra|suprime|rimuovi|togli|remova|elimine|apague|tire) (?P<v>.{1,200}?)(?: weg| raus)?$").captures(text)?;
    let what = found["v"].trim();
    if regex!(r"(?i)\b(?:emojis?|émojis?|emoticons?)\b").is_match(what)
        && what.split_whitespace().count() <= 4
    {
        return Some(Ask::RemoveEmojis);
    }
    let literals = scan(what);
    if let Some(quoted) = literals.quoted.first() {
        return Some(Ask::Remove { what: what[quoted.clone()].to_owned(), quoted: true });
    }
    if let Some(variable) = literals.variables.first() {
        return Some(Ask::Remove { what: what[variable.clone()].to_owned(), quoted: true });
    }
    if let Some(code) = literals.code_text.first() {
        return Some(Ask::Remove { what: what[code.clone()].to_owned(), quoted: true });
    }
    let about = regex!(
        r"(?i)^(?:the|any|all|every|that|den|die|das|alle|le|la|les|el|los|las|il|lo|i|gli|o|a|os|as)? ?(?:parts?|bits?|sections?|sentences?|paragraphs?|bullets?|lines?|points?|requirements?|mentions?|references?|teile?|abschnitte?|sätze?|absatz|punkte?|zeilen?|anforderung|parties?|phrases?|paragraphes?|mention|exigence|partes?|secci[oó]n|frases?|párrafo|punto|requisito|sezione|frase|paragrafo|seção|parágrafo|ponto) (?:about|on|with|of|that mentions?|mentioning|regarding|to|über|zu|mit|sur|à propos (?:de|du|des)|concernant|de|sobre|acerca de(?:l)?|con|su|sul(?:la|lo)?|riguardo a(?:l)?|com) (?:the |our |den |die |das |le |la |les |el |il |lo |o |a )?(?P<v>.+)$"
    );
    let what = about.captures(what).map_or_else(
        || {
            regex!(r"(?i)^(?:the|any|all|every|that|our|my|den|die|das|alle|le|la|les|el|los|las|il|lo|gli|o|a|os|as) ")
                .replace(what, "")
                .into_owned()
        },
        |found| found["v"].to_owned(),
    );
    let what = regex!(r"(?i) (?:from (?:it|the \w+)|entirely|completely|altogether)$")
        .replace(&what, "")
        .into_owned();
    Some(Ask::Remove { what, quoted: false })
}

/// Translations of the prompt, and languages for the answers.
fn about_language(text: &str) -> Option<Ask> {
    if regex!(r"(?i)^(?:translate|übersetze?|traduis(?:ez)?|traduce|traduci|traduza)(?: (?:the prompt|it|this|den prompt|ihn|es|le prompt|le|el prompt|il prompt|o prompt))?(?: (?:into|to|in|ins|en|al|a|para|em) .{2,40})?$").is_match(text) {
        return Some(Ask::Translate);
    }
    let reply = regex!(
        r"(?i)^(?:(?:the )?(?:answers?|respon(?:d|se)s?|reply|replies|output|results?|write(?: it| the (?:answer|text|output))?|make it|should be|must be|give (?:it|the answer)|antworte?|die antwort(?:en)?|schreibe?(?: (?:es|die antwort))?|réponds|répondez|la réponse|écris|responde|la respuesta|escribe|rispondi|la risposta|scrivi|responda|a resposta|escreva)(?: (?:should|must|shall|soll(?:te)?|muss|doit|debe|deve))?(?: (?:be|sein|être|estar|ser|essere))?(?: (?:written|always|immer|only|nur))?\s*)*(?:in|auf|en|em) (?P<l>[\p{L}]+)(?: (?:erfolgen|sein|only))?$"
    );
    let found = reply.captures(text)?;
    tag_named(&found["l"]).map(Ask::Reply)
}

/// Tone, audience, length, format and the like.
fn setting(text: &str) -> Option<Ask> {
    let words = text.split_whitespace().take(16).count();
    if words > 12 {
        return None;
    }
    for (name, pattern) in [
        (
            "shorter",
            regex!(&format!(
                r"(?i)^{MAKE}(?:shorter|more concise|briefer|more compact|less (?:verbose|wordy|long)|kürzer|knapper|prägnanter|plus (?:courte?|concise?|brève|bref)|más (?:cort[oa]|breve|concis[oa])|più (?:cort[oa]|breve|concis[oa])|mais (?:curt[oa]|breve|concis[oa]))$|^(?:shorten|kürze|raccourcis|acorta|accorcia|encurte)(?: (?:it|this|the answer|es|ihn))?$|^(?:it(?:'s| is) |das ist |c'est |es |è |é )?(?:too long|zu lang|trop long|demasiado largo|troppo lungo|longo demais)$"
            )),
        ),
        (
            "longer",
            regex!(&format!(
                r"(?i)^{MAKE}(?:longer|more (?:detailed|in-depth|thorough|comprehensive)|ausführlicher|länger|detaillierter|plus (?:longue?|détaillée?|complet|complète)|más (?:larg[oa]|detallad[oa]|extens[oa])|più (?:lung[oa]|dettagliat[oa])|mais (?:long[oa]|detalhad[oa]))$|^(?:expand|extend)(?: it)?$|^(?:it(?:'s| is) )?too short$|^add (?:more )?details?$"
            )),
        ),
        (
            "specific",
            regex!(&format!(
                r"(?i)^{MAKE}(?:more )?(?:specific|concrete|precise|less (?:vague|generic|general))$|^{MAKE}(?:konkreter|spezifischer|genauer|plus (?:précise?|concr[eè]te?|spécifique)|más (?:específic[oa]|concret[oa]|precis[oa])|più (?:specific[oa]|concret[oa]|precis[oa])|mais (?:específic[oa]|concret[oa]|precis[oa]))$|^(?:it(?:'s| is) )?too (?:vague|generic|general)$"
            )),
        ),
        (
            "simpler",
            regex!(&format!(
                r"(?i)^{MAKE}(?:simpler|easier(?: to (?:understand|read))?|less (?:technical|complicated|complex)|plainer|einfacher|verständlicher|plus simples?|más (?:sencill[oa]|simple)|più semplice|mais simples)$|^use (?:plain|simple|simpler) (?:language|words)$|^no jargon$|^(?:it(?:'s| is) )?too (?:technical|complicated|complex)$"
            )),
        ),
        (
            "examples",
            regex!(
                r"(?i)^(?:(?:add|include|give|use|provide|with|füge|mit|nenne|ajoute|avec|donne|añade|agrega|incluye|con|aggiungi|includi|adicione|inclua|com) )(?:some |more |a few |concrete |einige |mehr |konkrete |des |plus d['e] ?|algunos |más |alcuni |più |alguns |mais )*(?:examples?|beispielen?|exemples?|ejemplos?|esempi|exemplos?)(?: hinzu)?$|^(?:more |mehr |plus d'|más |più |mais )(?:examples|beispiele|exemples|ejemplos|esempi|exemplos)$"
            ),
        ),
        (
            "emojis",
            regex!(
                r"(?i)^(?:no|without|avoid|don't use|do not use|keine|ohne|sans|pas d'|sin|nada de|senza|niente|sem) (?:any )?(?:emojis?|émojis?|emoticons?)$"
            ),
        ),
    ] {
        if pattern.is_match(text) {
            return Some(Ask::Line(name));
        }
    }
    let count = regex!(
        r"(?i)(?:(?:under|below|at most|no more than|less than|up to|max(?:imum|\.)?(?: of)?|about|around|exactly|at least|limit(?: it)? to|keep it (?:under|to)|maximal|höchstens|unter|etwa|genau|mindestens|maximum|au plus|moins de|environ|exactement|au moins|máximo(?: de)?|como máximo|menos de|unas|exactamente|massimo|al massimo|meno di|circa|esattamente|no máximo|cerca de|exatamente|in|auf|en|em) )?\d[\d.,]*(?:\s?(?:-|–|to|bis|à|a)\s?\d[\d.,]*)? (?:words?|sentences?|paragraphs?|characters?|pages?|lines?|bullets?|bullet points?|wörter|worte|wörtern|sätze|sätzen|absätze|zeichen|seiten|mots|phrases|paragraphes|caractères|pages|palabras|frases|oraciones|párrafos|caracteres|páginas|parole|frasi|paragrafi|caratteri|pagine|palavras|parágrafos)(?: (?:max(?:imum)?|maximal|máximo|massimo|at most))?"
    );
    if let Some(found) = count.find(text) {
        let rest = format!("{} {}", &text[..found.start()], &text[found.end()..]);
        let little = regex!(
            r"(?i)^[\s,]*(?:(?:make|keep|limit|shorten|reduce|cut|set|use|write|aim|for|with|at|about|verwende|nutze|schreibe?|mit|utilise|avec|usa|con|use|com|the|it|to|be|should|must|length|answer|text|output|result|this|down|only|long|halte|es|auf|die|antwort|soll|der|text|begrenze|limite|la|le|réponse|texte|respuesta|risposta|resposta|texto|testo|limita|en|a)\b[\s,:]*)*$"
        );
        if little.is_match(&rest) {
            return Some(Ask::Setting("length", found.as_str().trim().to_owned()));
        }
    }
    let format = regex!(
        r"(?i)^(?:(?:output|return|format|present|give|make|answer|respond|write|use|i (?:want|need)|gib|antworte|als|formatiere|réponds|présente|responde|presenta|devuelve|rispondi|restituisci|responda|apresente|retorne)\b(?: (?:it|the (?:answer|output|result)|me|this|es|die antwort|la réponse|la respuesta|la risposta|a resposta))? ?)?(?:(?:as|in|into|to|als|en|sous forme de|como|come|em|format:?|formato:?)\s+)?(?P<v>(?:an? |the |valid |ein(?:e|en)? |gültiges |un[ae]? |uma? )*(?:json(?: object| array)?|csv|ya?ml|xml|html|markdown(?: table)?|table|tabelle|tableau|tabla|tabella|tabela|(?:bulleted |numbered )?lists?|liste|lista|bullet points?|bullets|stichpunkte[n]?|puces|viñetas|prose|plain text))(?: format)?$"
    );
    if let Some(found) = format.captures(text) {
        return Some(Ask::Setting("format", found["v"].trim().to_owned()));
    }
    tone(text).or_else(|| audience(text))
}

/// Words for a tone in six languages.
const TONES: &str = r"(?:friendl(?:y|ier)|formal|informal|casual|professional|humorous|funn(?:y|ier)|witt(?:y|ier)|playful|serious|warm(?:er)?|polite(?:r)?|firm(?:er)?|assertive|persuasive|sincere|dramatic|inspiring|motivational|empathetic|confident|conversational|enthusiastic|upbeat|cheerful|poetic|romantic|neutral|objective|academic|technical|diplomatic|respectful|elegant|bold(?:er)?|calm(?:er)?|urgent|authoritative|light-?hearted|direct|encouraging|personal|creative|engaging|emotional|freundlich(?:er)?|förmlich(?:er)?|formell(?:er)?|informell(?:er)?|locker(?:er)?|sachlich(?:er)?|höflich(?:er)?|humorvoll(?:er)?|lustig(?:er)?|professionell(?:er)?|seriös(?:er)?|ernst(?:er)?|persönlich(?:er)?|herzlich(?:er)?|formel(?:le)?|informel(?:le)?|amical[e]?|chaleureu(?:x|se)|poli[e]?|professionnel(?:le)?|décontractée?|drôle|sérieu(?:x|se)|amable|amistos[oa]|cercan[oa]|profesional|seri[oa]|divertid[oa]|cortés|formale|informale|amichevole|professionale|cordiale|divertente|amigável|profissional|sério|divertid[oa]|cordial)";

fn tone(text: &str) -> Option<Ask> {
    let found = regex!(&format!(
        r"(?i)^(?:{MAKE}|(?:use|in|with|change the tone to|set the tone to|tone:?|ton:?|tono:?|tom:?|verwende|mit|utilise|avec|usa|con|use|com)\s+(?:an? |einen? |einem |un |una |um |uma |the )?)(?P<v>(?:(?:more|less|not so|not as|too|very|weniger|plus|moins|más|menos|più|meno|mais) )?{TONES}(?:(?: and|,| but| und| et| y| e) (?:more |less )?{TONES})?)(?: (?:tone?|style|voice|stil|style|estilo|stile|tono|tom))?$"
    ))
    .captures(text)?;
    Some(Ask::Setting("tone", found["v"].to_lowercase()))
}

fn audience(text: &str) -> Option<Ask> {
    let found = regex!(r"(?i)^(?:(?:make|write|adapt|target|aim)(?: it| this)? |it(?:'s| is| should be) |schreib(?:e)?(?: es)? |écris(?: le)? |escribe(?:lo)? |scrivi(?:lo)? |escreva |the (?:target )?audience (?:is|should be) |audience: ?|zielgruppe: ?|public : ?|público: ?|pubblico: ?)?(?:(?:for|aimed at|at|to|für|pour|para|per) )?(?P<v>.{3,70})$").captures(text)?;
    let led = regex!(r"(?i)^(?:(?:make|write|adapt|target|aim|schreib|écris|escribe|scrivi|escreva)\b.*\b)?(?:for|aimed at|für|pour|para|per)\b|\baudience\b|zielgruppe|^public :|^público:|^pubblico:").is_match(text);
    let who = found["v"].trim();
    if !led || who.split_whitespace().count() > 7 {
        return None;
    }
    let example = regex!(
        r"(?i)^(?:example|instance|now|the (?:answer|output|prompt|result)|it|this|me|us|clarity|beispiel|exemple|ejemplo|esempio|exemplo)\b"
    );
    // English readers are checked against what is known of people; elsewhere the preposition must do.
    let people = slots::read(&format!("for {who}")).audience.is_some()
        || who.ends_with('s')
        || !regex!(r"(?i)\b(?:for|aimed|audience)\b").is_match(text);
    (!example.is_match(who) && people).then(|| Ask::Setting("audience", who.to_owned()))
}

/// Wishes without a word of the prompt or a setting.
fn general(text: &str) -> Option<Ask> {
    if regex!(r"(?i)^(?:(?:improve|optimi[sz]e|enhance|refine|polish|fix|rework|clean up|tidy up|verbessere|optimiere|überarbeite|améliore|optimise|mejora|optimiza|migliora|ottimizza|melhore|otimize)(?: (?:it|this|the prompt|my prompt|den prompt|ihn|le prompt|el prompt|il prompt|o prompt))?|make (?:it|this|the prompt) (?:much )?better|besser|mach(?:e)? (?:es|ihn) besser)$").is_match(text) {
        return Some(Ask::Improve);
    }
    if regex!(r"(?i)^(?:(?:make|keep) the prompt (?:much )?(?:shorter|more concise)|shorten the prompt|mach(?:e)? den prompt kürzer|kürze den prompt|raccourcis le prompt|acorta el prompt|accorcia il prompt|encurte o prompt)$").is_match(text) {
        return Some(Ask::ShorterPrompt);
    }
    if convert::names_target(text) {
        return model_named(text).map(Ask::Target);
    }
    None
}

fn model_named(text: &str) -> Option<TargetModel> {
    let plain =
        |text: &str| regex!(r"[^a-z0-9]+").replace_all(&text.to_lowercase(), " ").trim().to_owned();
    let remark = format!(" {} ", plain(text));
    let models = catalogue();
    let exact = models.iter().find(|model| remark.contains(&format!(" {} ", plain(&model.name))));
    let family = || {
        models.iter().find(|model| {
            let name = plain(&model.name);
            let first = name.split(' ').next().unwrap_or_default();
            first.len() > 2 && remark.contains(&format!(" {first} "))
                || remark.contains(" chatgpt ") && first == "gpt"
        })
    };
    let model = exact.or_else(family)?;
    TargetModel::try_from(model.name.as_str()).ok()
}

/// A requirement, a fact, a question or a complaint.
fn words(text: &str, whole: &str) -> Ask {
    if regex!(r"(?i)^(?:i (?:do not|don['’]t) like (?:it|this)|i hate|(?:it|this)(?: is|'s)? (?:so |very |really |too )?(?:bad|boring|weak|wrong|not good|terrible|meh|off)|something (?:is|feels) off|not (?:what i wanted|good|great)|das gefällt mir nicht|gefällt mir nicht|das ist (?:schlecht|langweilig)|je n['’]aime pas|c['’]est (?:nul|mauvais)|no me gusta|non mi piace|não gosto|bad|boring|meh)\b.{0,20}$").is_match(text) {
        return Ask::Complain;
    }
    if whole.ends_with(['?', '？'])
        && !imperative::starts_work(text)
        && text.len() + 1 >= whole.len()
    {
        return Ask::Question;
    }
    let fact = regex!(
        r"(?i)^(?:our|my|we|i|the|they|he|she|it is|it's|there (?:is|are)|unser\w*|mein\w*|wir|ich|es gibt|notre|nos|nous|mon|ma|mes|nuestr\w+|mi|mis|somos|tenemos|nostr[oaie]|il nostro|la nostra|noi|nosso|nossa|temos|somos)\b"
    );
    let duty = regex!(
        r"(?i)\b(?:should|must|need|needs|has to|have to|want|wants|shall|soll\w*|muss\w*|brauch\w*|will|doit|doivent|faut|veux|debe\w*|quiero|necesit\w+|dev[eo]\w*|voglio|vorrei|quero|preciso)\b"
    );
    if fact.is_match(text) && !duty.is_match(text) && !imperative::starts_work(text) {
        Ask::Fact(text.to_owned())
    } else {
        Ask::Require(text.to_owned())
    }
}

/// Whether words occur in a text, in any case.
fn occurs(text: &str, words: &str) -> bool {
    words.chars().count() > 1 && text.to_lowercase().contains(&words.to_lowercase())
}

/// A name for a variable: lower case, joined by underscores.
fn slug(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .take(60)
        .flat_map(char::to_lowercase)
        .collect();
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "value".to_owned() } else { parts.join("_") }
}

/// A prompt laid out for a model; `None` if it has that form already or no parts.
pub fn laid_out(prompt: &str, target: TargetModel) -> Option<String> {
    let brief = GenerateBrief {
        message: String::new(),
        mode: Mode::Auto,
        output_mode: OutputMode::ReadyToUse,
        target_model: target,
        language: language::detect_other_than_english(prompt).unwrap_or("en").to_owned(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
    };
    convert::text(prompt, &brief, Mode::General)
}
