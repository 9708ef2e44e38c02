//! Telling what a point of the feedback asks for.

use super::points::Point;
use super::steering;
use super::{instead, settings, target, variable};
use crate::rules::wording::tag_named;
use crate::{TargetModel, integrity};
use patterns::{Pattern, pattern};

/// What a point asks for. Texts are the feedback's words.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// To follow other orders, or to tell its own.
    Steering,
    /// To do what the prompt asks for.
    Answer,
    /// Nothing: thanks, praise.
    Remark,
    /// To leave something as it is.
    Keep,
    /// An answer to a question.
    Question,
    /// To tidy or improve, without saying what.
    Improve,
    /// To write the prompt itself in another language.
    Translate,
    /// Answers in a language, and whether the words could mean the prompt as well.
    Language(&'static str, bool),
    /// The form that a model reads best.
    Target(TargetModel),
    /// Headings or sections, without saying for which model.
    Structure,
    /// Another text for a text, and whether both are quoted.
    Replace { old: String, new: String, quoted: bool },
    /// Another value for what a noun names.
    Value { noun: String, value: String },
    /// Another name for a variable.
    Rename { old: String, new: String },
    /// A value for a variable.
    Fill { name: String, value: String },
    /// Variables for what is named or quoted: each thing with its variable's name.
    Variables(Vec<(String, String)>),
    /// Who the model is.
    Role(String),
    /// Another number of something.
    Count { number: String, noun: String },
    /// Less of the text.
    Remove { what: String, quoted: bool, part: bool },
    /// Settings of the answer.
    Shorter,
    /// More of it.
    Longer,
    /// So many percent of the length.
    Scale(u32),
    /// Figures and names instead of generalities.
    Specific,
    /// Plain words.
    Simpler,
    /// Examples in the answer.
    Examples,
    /// No emojis.
    NoEmojis,
    /// A length that the words state.
    Length(settings::Length),
    /// A tone.
    Tone(String),
    /// Readers.
    Audience(String),
    /// Form of the answer.
    Format(String),
    /// What must be in the answer.
    Include(String),
    /// What must not.
    Exclude(String),
    /// Any other instruction, in the feedback's words.
    Requirement(String),
    /// What only somebody who understands the text can do.
    Unclear,
}

/// The words of a point without courtesies, and whether they ask for something politely ("can you …?").
pub fn core(text: &str) -> (&str, bool) {
    let lead = pattern!(
        r"(?ix)^(?:(?:and|but|also|then|now|please|pls|just|maybe|perhaps|ok(?:ay)?|so|next|finally|first(?:ly)?|second(?:ly)?|third(?:ly)?|lastly|additionally|moreover
          |und|aber|auch|dann|bitte|jetzt|nun|noch|au(?:ß|ss)erdem|zudem|zuletzt
          |et|mais|aussi|puis|ensuite|enfin|s['’]il\ (?:te|vous)\ pla[iî]t|stp|svp
          |pero|también|luego|además|por\ favor|ma|anche|poi|inoltre|per\ (?:favore|piacere)|também|depois|além\ disso)[,:]?\s+|(?:no|nope|yes|well|hi|hello|thanks|great|nein|ja|doch|danke|non|oui|merci|sí|gracias|sì|grazie|não|sim),\s+)+"
    );
    let polite = pattern!(
        r"(?ix)^(?:(?:can|could|would|will)\ (?:you|we|u)(?:\ please|\ also|\ maybe|\ just)*|(?:kannst|könntest|würdest)\ du(?:\ bitte)?|(?:können|könnten|würden)\ sie(?:\ bitte)?
          |(?:peux|pourrais)[- ]tu|(?:pouvez|pourriez)[- ]vous|(?:puedes|podrías|podría)|(?:puoi|potresti|può|potrebbe)|(?:você\ )?(?:pode|poderia)
          |i(?:'d|\ would)?\ (?:also\ )?(?:like|love|want|need|prefer)\ (?:you\ to|it\ to|the\ prompt\ to|this\ to|to\ have|to\ see)(?:\ be)?)\s+"
    );
    let mut text = text.trim().trim_end_matches(['.', '!', '。', '！', ' ']);
    let mut asked = false;
    loop {
        let rest = match (lead.find(text), polite.find(text)) {
            (Some(found), _) => &text[found.end()..],
            (None, Some(found)) => {
                asked = true;
                &text[found.end()..]
            }
            (None, None) => break,
        };
        // "Außerdem soll …" is no sentence without its first word.
        if rest.trim().is_empty()
            || pattern!(r"(?i)^(?:soll|muss|darf|kann|wird)\w*\b").is_match(rest)
        {
            break;
        }
        text = rest.trim_start();
    }
    let tail = pattern!(
        r"(?i)[,]?\s+(?:please|pls|bitte|thanks|thank you|danke|merci|gracias|grazie|obrigad[oa]|por favor|per favore|s['’]il (?:te|vous) pla[iî]t)[?.!]*$"
    );
    if let Some(found) = tail.find(text) {
        text = &text[..found.start()];
    }
    (text.trim_end_matches(if asked { &['?', ' '][..] } else { &[' '][..] }), asked)
}

/// What a point asks for.
pub fn read(point: &Point, prompt: &str) -> Ask {
    if point.surplus {
        return Ask::Unclear;
    }
    if steering::steers(&point.text) {
        return Ask::Steering;
    }
    let (text, asked) = core(&point.text);
    if steering::wants_answer(text) {
        return Ask::Answer;
    }
    if is_remark(text) {
        return Ask::Remark;
    }
    if pattern!(r"(?i)^(?:keep (?:the |my |all )?(?:rest|everything(?: else)?|structure|wording|.{1,60} (?:as (?:it|they) (?:is|are)|unchanged|the same))(?: as (?:it )?is| unchanged| the same)?|(?:don['’]?t|do not) (?:change|touch|alter|modify|edit)\b.{0,80}|leave .{1,60} (?:as (?:is|it is|they are)|alone|unchanged)|(?:lass|lasse) .{1,60} (?:so|unverändert|wie (?:es|er|sie) ist)|ändere .{0,40}\bnicht.{0,40}|ne (?:change|touche|modifie) pas .{1,60}|garde .{1,60} (?:tel(?:le)? quel(?:le)?|inchangée?)|no cambies .{1,60}|deja .{1,60} (?:como está|igual)|non (?:cambiare|toccare|modificare) .{1,60}|não (?:mude|altere) .{1,60})$").is_match(text) {
        return Ask::Keep;
    }
    if let Some(ask) =
        variable::ask(text, prompt).or_else(|| wording(text)).or_else(|| setting(text))
    {
        return ask;
    }
    if is_improvement(text) {
        return Ask::Improve;
    }
    if !asked && text.trim_end().ends_with(['?', '？', '؟']) {
        return Ask::Question;
    }
    content(text)
}

/// Whether words only set the answer's length, tone, readers, format or language.
pub fn is_setting(text: &str) -> bool {
    setting(core(text).0).is_some()
}

/// Whether a text is courtesy, praise or a signature.
pub fn is_remark(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
        || pattern!(r"(?i)^(?:best|cheers|(?:kind |best |warm )?regards|best wishes|viele grüße|liebe grüße|mfg|lg|cordialement|saludos|saluti|abraços)(?:,?\s+(?-i:\p{Lu}\p{L}+)){0,2}$").is_match(text)
        || pattern!(r"(?i)^(?:(?:thanks?(?: you)?(?: (?:so|very) much| a lot)?|great(?: job| work)?|good(?: job| work| start)?|nice|perfect|ok(?:ay)?|yes|no|hi|hello|hey|cool|awesome|excellent|well done|love it|i (?:really )?(?:like|love) (?:it|this|the .{1,60})|(?:it|this|that)(?:['’]s| is) (?:good|great|nice|fine|ok(?:ay)?|perfect)(?: so far)?|تحياتي|شكرا(?: لك)?|תודה(?: רבה)?|谢谢|謝謝|ありがとう(?:ございます)?|감사합니다|спасибо|(?:it |this )?looks? (?:good|great|fine)|danke(?: schön)?|super|gut|sehr gut|prima|toll|hallo|merci(?: beaucoup)?|parfait|très bien|bonjour|gracias|perfecto|muy bien|hola|grazie|perfetto|ottimo|ciao|obrigad[oa]|perfeito|ótimo|olá)[,.! ]*)+$").is_match(text)
}

fn is_improvement(text: &str) -> bool {
    pattern!(r"(?i)^(?:(?:improve|optimi[sz]e|enhance|refine|polish|upgrade|rework|strengthen|fix|restructure|rewrite|reword|rephrase|clean up|tidy up|tighten|proofread|shorten|condense|streamline)(?: (?:it|this|the (?:whole )?prompt|my prompt|this prompt|the (?:text|wording|language|grammar|spelling|typos|style|flow|sentences)|all typos|typos|grammar|spelling)(?: (?:of|in) (?:the|this|my) prompt)?)*|(?:the )?prompt shorter|make (?:it|this|the prompt|my prompt|this prompt) (?:(?:much|even|a (?:bit|little|lot)) )?(?:better|clearer|nicer|cleaner|stronger|more (?:effective|readable|polished|precise|coherent))|make the prompt (?:much )?(?:shorter|more concise|tighter)|(?:verbessere|optimiere|überarbeite|korrigiere|kürze|straffe)(?: (?:ihn|es|das|den (?:ganzen )?prompt|diesen prompt|den text|die (?:grammatik|rechtschreibung)))?|mach (?:ihn|es|den prompt) (?:besser|klarer|kürzer)|(?:améliore|optimise|corrige|retravaille)(?:-le| le prompt| ce prompt| le texte)?|(?:mejora|optimiza|corrige|mejóralo|corrígelo)(?: el prompt| este prompt| el texto)?|(?:migliora|ottimizza|correggi|miglioralo)(?: il prompt| questo prompt| il testo)?|(?:melhore|otimize|corrija|melhora)(?: o prompt| este prompt| o texto)?)$").is_match(text)
}

/// Replacing, exchanging and removing.
fn wording(text: &str) -> Option<Ask> {
    if let Some((old, new, quoted)) = exchange(text) {
        return Some(Ask::Replace { old, new, quoted });
    }
    if let Some(found) = pattern!(r#"(?i)^(?:change|set|update|adjust|switch|ändere|setze|change[rz]?|cambia|cambie|muda|mude|altere) (?:the |my |our |den |die |das |le |la |el |il |o |a )?(?P<noun>[\p{L}][\p{L} '’-]{1,40}?) (?:to|into|auf|in|zu|à|en|a|para) (?P<v>.{1,120})$"#).captures(text)
        && tag_named(found["v"].trim()).is_none()
        && !pattern!(r"(?i)^(?:it|this|that|them|everything|es|ihn|das|lo|le|isso)$").is_match(&found["noun"])
    {
        let noun = found["noun"].trim().to_owned();
        let value = unquoted(&found["v"]).to_owned();
        let value_only = value.trim_end_matches('.').to_owned();
        if let Some(ask) = slot(&noun, &value_only) {
            return Some(ask);
        }
        return Some(Ask::Value { noun, value: value_only });
    }
    if let Some(found) = pattern!(r"(?i)^(?P<v>(?:act as|you are|take the role of|assume the role of|du bist|agiere als|tu es|agis comme|agis en tant que|eres|actúa como|sei|agisci come|você é|aja como) .{3,200}?)(?: instead| stattdessen| à la place)?$").captures(text) {
        return Some(Ask::Role(found["v"].to_owned()));
    }
    if let Some(found) = pattern!(r"(?i)^(?:(?:make it|i want|i need|use|give me|have|mach|mache|nimm|fais|mets|haz|pon|fai|metti|faça|coloque) )?(?P<n>\d{1,4}) (?P<noun>[\p{L}-]{3,})(?: each| in total| instead| je| insgesamt| chacun| cada)?$").captures(text)
        && settings::lengths(text).is_empty()
    {
        return Some(Ask::Count { number: found["n"].to_owned(), noun: found["noun"].to_owned() });
    }
    removal(text)
}

/// A setting that a noun names, with its value.
fn slot(noun: &str, value: &str) -> Option<Ask> {
    let noun = noun.to_lowercase();
    let value = value.to_owned();
    let is = |words: &str| words.split('|').any(|word| word == noun);
    if is("tone|style|voice|tone of voice|ton|tonfall|stil|tono|tom|estilo|stile") {
        return Some(Ask::Tone(
            pattern!(r"(?i)^(?:an? |be |something )?(.+?)(?: one| tone)?$")
                .replace(&value, "$1")
                .into_owned(),
        ));
    }
    if is(
        "audience|target audience|reader|readers|zielgruppe|public|público|pubblico|audiencia|destinatari",
    ) {
        return Some(Ask::Audience(value));
    }
    if is("format|output format|output|ausgabeformat|ausgabe|formato") {
        return Some(Ask::Format(value));
    }
    if is("language|output language|sprache|langue|idioma|lingua|língua") {
        return Some(tag_named(&value).map_or(Ask::Unclear, |tag| Ask::Language(tag, false)));
    }
    if is(
        "length|word count|word limit|limit|länge|longueur|extensión|longitud|lunghezza|extensão|comprimento",
    ) {
        return settings::lengths(&value).into_iter().next().map(Ask::Length);
    }
    None
}

/// Old and new words of "replace A with B", "B instead of A", in six languages.
pub fn exchange(text: &str) -> Option<(String, String, bool)> {
    let patterns = [
        pattern!(
            r"(?i)^(?:replace|swap|exchange|substitute|switch)(?: all| every| each| any)?(?: occurrences? of| mentions? of| instances? of| uses? of)? (?:the (?:words?|phrase|text|term|name|sentence) )?(?P<old>.{1,200}?) (?:with|by|for) (?:the (?:words?|phrase|text|term|name|sentence) )?(?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^(?:use|say|write|put|make it|have|choose|take) (?P<new>.{1,200}?),? (?:and not|not) (?P<old>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^(?:(?:use|say|write|put|make it|have|choose|take|give me|there should be|i['’]?d (?:like|prefer)(?: to have)?|i (?:want|need|would like|would prefer)) )?(?P<new>.{1,200}?),? (?:instead of|rather than|in place of) (?P<old>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^(?:not|nicht|pas|no|non|não) (?P<old>[^,.;]{2,60}?)(?:, (?:but |sondern |mais |sino |ma |mas )?| but | sondern | mais | sino | ma | mas )(?P<new>[^,.;]{2,60})$"
        ),
        pattern!(
            r"(?i)^instead of (?P<old>.{1,200}?),? (?:use|say|write|put|make it|have) (?P<new>.{1,200}?)$"
        ),
        pattern!(
            r#"(?i)^(?:change|rename|turn|correct) (?:the (?:words?|phrase|text|term|name|sentence) )?(?P<old>["“„«'‘`].{1,200}?["”“»'’`]) (?:to|into) (?P<new>.{1,300})$"#
        ),
        pattern!(
            r"^(?:[Cc]hange|[Cc]orrect) (?:from )?(?P<old>\p{Lu}[\p{L}\d.-]*(?: \p{Lu}[\p{L}\d.-]*){0,3}|\d[\d.,:/%€$£]*(?: \p{L}+)?) (?:to|into) (?P<new>.{1,80})$"
        ),
        pattern!(
            r"(?i)^(?:ersetze?|tausche?) (?:(?:alle|jedes|das wort|den begriff|den ausdruck) )?(?P<old>.{1,200}?) (?:durch|mit|gegen) (?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^(?:(?:verwende|nutze|schreibe?|nimm|sag) )?(?P<new>.{1,200}?) (?:statt|anstatt|anstelle von) (?P<old>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^(?:statt|anstatt|anstelle von) (?P<old>.{1,200}?) (?:schreibe?|verwende|nimm|nutze) (?P<new>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^(?:remplace[rz]?|substitue[rz]?) (?:(?:le mot|l['’]expression|tous les|toutes les) )?(?P<old>.{1,200}?) par (?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^(?:reemplaza|sustituye|reemplace|sustituya|cambia|substitua|troque|sostituisci|rimpiazza) (?:(?:la palabra|a palavra|la parola|el término) )?(?P<old>.{1,200}?) (?:por|con|com) (?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^(?P<new>.{1,200}?),? (?:au lieu d(?:e(?: (?:la|l['’]))?|u|es)|à la place d(?:e(?: (?:la|l['’]))?|u|es)|plutôt que|en (?:lugar|vez) del?|em vez d[eoa]s?|no lugar d[eoa]s?|invece d(?:i|el|ella|ello|ei|egli|elle|ell['’])|al posto d(?:i|el|ella|ello|ei|egli|elle|ell['’])) ?(?P<old>.{1,200}?)$"
        ),
    ];
    let found = patterns.into_iter().find_map(|pattern| pattern.captures(text))?;
    let (old, new) = (found["old"].trim(), found["new"].trim());
    let quoted = old != unquoted(old);
    let reduced;
    let (old, new) = if instead::is_wish(text) && !quoted && new == unquoted(new) {
        let old = instead::unwanted(old);
        reduced = instead::wanted(new, old);
        (old, reduced.as_str())
    } else {
        (unquoted(old), unquoted(new))
    };
    // Settings have lines of their own, and "it" is no word of the prompt.
    let refers = pattern!(
        r"(?i)^(?:it|this|that|them|everything|(?:the |a )?(?:tone|style|voice|language|format|length|audience|prompt|text|output|answer|result)|es|das|ihn|le|la|lo|o|a)$"
    );
    let forms = instead::is_wish(text) && settings::is_format(old) && settings::is_format(new);
    let sets = !quoted
        && !forms
        && (refers.is_match(old) || setting(old).is_some() && setting(new).is_some());
    (!sets && !old.is_empty() && !new.is_empty() && old != new)
        .then(|| (old.to_owned(), new.to_owned(), quoted))
}

fn removal(text: &str) -> Option<Ask> {
    let found = pattern!(r"(?ix)^(?:remove|delete|drop|cut|take\ out|get\ rid\ of|leave\ out|omit|strip|erase|scrap|lose|eliminate
          |entferne?|lösche?|streiche?|weglassen:?|nimm|lass(?:e)?|supprime[rz]?|enlève|enlevez|retire[rz]?|efface[rz]?
          |elimina|elimine|quita|quite|borra|suprime|rimuovi|togli|cancella|remova|remove|retire|apague|exclua)\ (?P<v>.{1,300}?)(?:\ (?:weg|raus|heraus))?$")
    .captures(text)?;
    let what = pattern!(r"(?i)\s+(?:from (?:it|the (?:prompt|text|list))|completely|entirely|altogether|again|aus dem (?:prompt|text)|du (?:prompt|texte)|del (?:prompt|texto)|dal (?:prompt|testo)|do (?:prompt|texto))$")
        .replace(&found["v"], "")
        .into_owned();
    if pattern!(r"(?i)^(?:it|this|that|them|these|those|es|das|ihn|ça|cela|lo|isso)$")
        .is_match(what.trim())
    {
        return Some(Ask::Unclear);
    }
    if pattern!(r"(?i)^(?:(?:all|any|the|alle|die|les|los|tutti gli|gli|os) )*(?:emojis?|emoticons?|émojis?)$").is_match(&what) {
        return Some(Ask::NoEmojis);
    }
    let part = pattern!(
        r"(?i)^(?:the |all |every |any |den |die |das |alle |le |la |les |el |los |il |i |o |a )?(?:(?:whole |entire |ganzen? )?(?:everything|anything|alles|tout|todo|tutto|tudo|parts?|sections?|sentences?|paragraphs?|lines?|bullets?(?: points?)?|points?|requirements?|items?|bits?|mentions?|erwähnung|mención|menzione|menção|instructions?|teil|abschnitt|satz|absatz|zeile|punkt|anforderung|hinweis|partie|section|phrase|paragraphe|ligne|passage|parte|sección|frase|párrafo|línea|sezione|paragrafo|riga|seção|parágrafo|linha)) (?:(?:about|on|of|that|which|with|mentioning|saying|containing|regarding|asking for|über|zu|zum|zur|mit|von|sur|à propos de|concernant|qui parle de|sobre|acerca de|que habla de|a|ao|su|sul|sulla|sui|riguardo a) )?(?P<v>.+)$"
    );
    let what = pattern!(r"(?i)^(?:the |all |every |das |den |le |la |el |il |o |a )?(?:words?|phrases?|terms?|text|wort|ausdruck|mots?|expression|palabras?|parol[ae]|palavras?)(?: [:：])? (?P<v>[\x22“„«'‘`].+)$")
        .replace(&what, "$v")
        .into_owned();
    let (what, part) = match part.captures(&what) {
        Some(found) => (found["v"].to_owned(), true),
        None => (what, false),
    };
    let quoted = what.trim() != unquoted(what.trim());
    let bare = unquoted(what.trim());
    let bare = if quoted {
        bare.to_owned()
    } else {
        pattern!(r"(?i)^(?:(?:the|any|all|that|those|these|every|my|our|an?|der|die|das|den|dem|alle|le|la|les|l['’]|du|de la|des|el|los|las|il|lo|gli|i|o|a|os|as) ?\b\s*)+")
            .replace(bare, "")
            .into_owned()
    };
    (bare.chars().filter(|c| c.is_alphanumeric() || !c.is_ascii()).count() > 0)
        .then_some(Ask::Remove { what: bare, quoted, part })
}

/// A text without the quotation marks around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim().trim_end_matches(',');
    let scanned = integrity::scan(text);
    match (scanned.quotations.first(), scanned.quoted.first()) {
        (Some(whole), Some(inner)) if *whole == (0..text.len()) => text[inner.clone()].trim(),
        _ => match scanned.code_text.first() {
            Some(inner) if scanned.code.first() == Some(&(0..text.len())) => &text[inner.clone()],
            _ => text,
        },
    }
}

/// Length, tone, readers, format, language and the like.
pub fn setting(text: &str) -> Option<Ask> {
    if text.chars().count() > 160 {
        return None;
    }
    if let Some(wanted) = instead::before(text) {
        return setting(wanted);
    }
    let lead = pattern!(
        r"(?ix)^(?:(?:make|keep|write|have|rewrite|phrase)\ (?:it|this|that|the\ (?:answers?|output|text|results?|responses?|reply|tone|style|language|wording|email|post|article|prompt))\ (?:be\ |sound\ |a\ |an\ )?
          |(?:it|this|the\ (?:answers?|output|text|results?|responses?|reply|tone|style|prompt))\ (?:should|must|needs?\ to|has\ to|is\ to)\ (?:be|sound)\ |be\ |sound\ |keep\ it\ |(?:use|with|in|set)\ (?:an?\ |the\ )?(?:more\ )?
          |(?:mach|mache|machen|halte|halten|formuliere|schreibe?|gestalte)\ (?:es|ihn|sie|das|den\ (?:text|ton|prompt)|die\ antwort|das\ ergebnis)\ |(?:es|er|sie|die\ antwort|der\ text|der\ ton)\ soll(?:te)?\ |verwende\ einen?\ |in\ einem\ 
          |(?:rends|garde|rendez)(?:-le|-la|\ le\ texte|\ la\ réponse|\ le\ ton|\ ça)?\ |(?:utilise|adopte)\ un\ ton\ |sois\ 
          |(?:hazlo|hazla|haz\ que\ (?:sea|la\ respuesta\ sea)|que\ sea|usa\ un\ tono|con\ un\ tono)\ |(?:rendilo|rendila|rendi\ (?:il\ testo|la\ risposta)|usa\ un\ tono|con\ un\ tono)\ |(?:torne(?:-[oa]|\ o\ texto|\ a\ resposta)?|deixe(?:-o)?|use\ um\ tom|com\ um\ tom)\ )"
    );
    let bare = lead.find(text).map_or(text, |found| &text[found.end()..]).trim();
    let mild = pattern!(
        r"(?i)^(?:(?:much|even|a (?:bit|little|lot)|slightly|somewhat|way|etwas|viel|ein (?:bisschen|wenig)|deutlich|un peu|beaucoup|bien|un poco|mucho|un po['’]|molto|um pouco|muito) )"
    );
    let bare = mild.find(bare).map_or(bare, |found| &bare[found.end()..]);
    let is = |pattern: Pattern| pattern.is_match(bare) || pattern.is_match(text);
    if let Some(target) = target::named(text) {
        return Some(Ask::Target(target));
    }
    if pattern!(r"(?i)^(?:translate|übersetze?|tradui[st]|traduce|traduci|traduza) (?:the |this |my |den |diesen |le |ce |el |este |il |questo |o |este )?prompt\b").is_match(text) {
        return Some(Ask::Translate);
    }
    if let Some(ask) = language(text) {
        return Some(ask);
    }
    if pattern!(r"(?i)^(?:use|add|with|put in|insert|structure it with|organi[sz]e it (?:with|into)|split it into|divide it into|gliedere (?:es|ihn|den prompt)|füge|verwende|ajoute|utilise|añade|usa|aggiungi|adicione|use) ?(?:more |clear |some |mit |des |los |i |os )*(?:headings|headers|sections|structure|xml tags|überschriften|abschnitte[n]?|titres|sections|encabezados|secciones|intestazioni|sezioni|títulos|seções)(?: hinzu| ein)?$|^(?:more structured|better structured|strukturierter|plus structuré|más estructurado|più strutturato|mais estruturado)$").is_match(bare)
        || pattern!(r"(?i)^structure (?:it|this|the prompt)(?: better)?$|^(?:use|add) (?:headings|headers|sections|xml tags|more structure)$|^gliedere (?:es|ihn|den prompt)(?: besser)?$").is_match(text)
    {
        return Some(Ask::Structure);
    }
    let emoji = pattern!(
        r"(?i)^(?:no|without|avoid|don['’]?t use|do not use|keine|ohne|verwende keine|pas d['’]|sans|n['’]utilise pas d['’]|sin|no uses|senza|non usare|sem|não use) ?(?:any )?(?:emojis?|émojis?|emoticons?)$"
    );
    if emoji.is_match(text) {
        return Some(Ask::NoEmojis);
    }
    let limit = pattern!(
        r"(?i)\b(?:(?:must|should|may|can|do|does|shall) ?)?(?:not|n['’]t) (?:exceed|go (?:over|beyond)|be (?:more|longer) than)\b|\bdarf nicht (?:mehr als|länger als)\b"
    );
    let bare = &*limit.replace(bare, "at most");
    if let Some(percent) = settings::scale(bare) {
        return Some(Ask::Scale(percent));
    }
    let found = settings::lengths(bare);
    if let [length] = &found[..] {
        let around = format!("{}{}", &bare[..length.range.start], &bare[length.range.end..]);
        if pattern!(r"(?ix)^[\s.,:]*(?:(?:limit|cap|restrict|reduce|shorten|cut|keep|make|have|has|write|set|it|the|this|answer|output|text|response|result|down|length|to|in|is|be|long|of|total|please|should|must|only|use|and|with|a|an|for|word|limit|länge|auf|begrenze|kürze|beschränke|die|den|antwort|soll|sein|lang|mit|es|ist|limite|réponse|la|le|en|longueur|de|limita|respuesta|texto|el|resposta|risposta|limite[rz]?|a|o|il|testo|em|du|mach|schreibe?|höchstens|nicht|mehr|als)[\s.,:]*)*$").is_match(&around) {
            return Some(Ask::Length(length.clone()));
        }
    }
    if is(pattern!(
        r"(?i)^(?:shorter|more (?:concise|compact|succinct)|briefer|brief|concise|short|short and (?:sweet|simple)|less (?:wordy|verbose|long)|shorten (?:it|this|the (?:answer|output|text|result|response))|it['’]?s (?:\w+ )?too (?:long|wordy|verbose)|not too long|nicht zu lang|pas trop long|no muy largo|non troppo lungo|não muito longo|(?:the )?(?:\w+ )?(?:is |are )?too (?:long|wordy|verbose)|keep it (?:short|brief|concise)|be (?:brief|concise)|kürzer|knapper|kurz|prägnanter|zu lang|kürze die antwort|plus (?:court|concis|bref)e?|trop longu?e?|court|más (?:corto|corta|breve|conciso|concisa)|demasiado largo|breve|più (?:corto|corta|breve|conciso|concisa)|troppo lungo|mais (?:curto|curta|breve|conciso|concisa)|muito longo|fais plus court|acórtalo|accorcialo|encurte)$"
    )) {
        return Some(Ask::Shorter);
    }
    if is(pattern!(
        r"(?i)^(?:longer|more (?:detailed|in-depth|elaborate|comprehensive|thorough)|(?:add|with|give|include|provide) more (?:details?|depth)|expand (?:it|this)|go deeper|(?:it['’]?s |the \w+ is )?too (?:short|brief)|länger|ausführlicher|detaillierter|(?:mit )?mehr details?|zu kurz|plus (?:long|longue|détaillée?)|trop courte?|más (?:largo|larga|detallado|detallada|extenso|extensa)|demasiado corto|più (?:lungo|lunga|dettagliato|dettagliata)|troppo corto|mais (?:longo|longa|detalhado|detalhada)|muito curto)$"
    )) {
        return Some(Ask::Longer);
    }
    if is(pattern!(
        r"(?i)^(?:more (?:specific|concrete|precise)|less (?:vague|generic|general)|(?:it['’]?s |the \w+ is )?too (?:vague|generic|general|broad)|be specific|konkreter|spezifischer|genauer|zu (?:vage|allgemein)|weniger (?:vage|allgemein)|plus (?:précis|précise|concret|concrète|spécifique)|trop vague|más (?:específico|específica|concreto|concreta|preciso|precisa)|demasiado vago|più (?:specifico|specifica|concreto|concreta|preciso|precisa)|troppo vago|mais (?:específico|específica|concreto|concreta|preciso|precisa)|muito vago)$"
    )) {
        return Some(Ask::Specific);
    }
    if is(pattern!(
        r"(?i)^(?:simpler|easier(?: to (?:understand|read))?|plainer|(?:use |in )?(?:simpler|plain(?:er)?|simple|easy) (?:language|words|english)|less (?:technical|complicated|complex)|(?:it['’]?s |the \w+ is )?too (?:technical|complicated|complex|difficult)|einfacher|verständlicher|(?:in )?einfacher sprache|(?:verwende )?einfache(?:re)? (?:sprache|wörter)|zu (?:kompliziert|technisch)|plus simple|trop compliqué|más (?:sencillo|sencilla|simple)|demasiado complicado|più semplice|troppo complicato|mais simples|muito complicado)$"
    )) {
        return Some(Ask::Simpler);
    }
    if is(pattern!(
        r"(?i)^(?:(?:add|include|give|use|with|provide|i want|insert|show|ask for)?[ ]?(?:some |more |a few |concrete |an? |several )*examples?|(?:füge |nenne |gib |mit |mehr |einige |ein paar |konkrete )+beispiele?n?(?: hinzu| an)?|(?:ajoute |donne |avec |des |plus d['’])+exemples?|(?:añade |agrega |da |con |más |algunos |pon )+ejemplos?|(?:aggiungi |con |più |alcuni |degli )+esempi|(?:adicione |acrescente |com |mais |alguns |dê )+exemplos?)$"
    )) {
        return Some(Ask::Examples);
    }
    if let Some(audience) = audience(text).or_else(|| audience(bare)) {
        return Some(Ask::Audience(audience));
    }
    if let Some(format) = format(text) {
        return Some(Ask::Format(format));
    }
    tone(bare, text).map(Ask::Tone)
}

/// The language that answers are to be in.
fn language(text: &str) -> Option<Ask> {
    // A name alone: "German".
    if text.starts_with(char::is_uppercase)
        && let Some(tag) = tag_named(text)
    {
        return Some(Ask::Language(tag, false));
    }
    let found = pattern!(r"(?ix)^(?P<verb>(?:(?:answer|respond|reply|write|output|make|give|have|the\ (?:answers?|output|results?|responses?|reply)\ (?:should|must|needs?\ to)\ be|it\ (?:should|must)\ be|i\ want\ (?:it|the\ answers?)|translate|do|switch|generate|produce|all\ answers)(?:\ (?:it|this|the\ (?:answers?|output|results?|responses?|text|reply|whole\ answer)|everything|answers?|all|me))?(?:\ written)?
          |(?:antworte|schreibe?|übersetze?|formuliere|gib)(?:\ (?:es|ihn|das|die\ antwort|den\ text|alles))?(?:\ mir)?|(?:die\ antwort|das\ ergebnis|der\ text)\ soll(?:te)?
          |(?:réponds|répondez|écris|rédige|traduis)(?:-le|\ la\ réponse|\ le\ texte|\ tout)?|(?:responde|escribe|traduce|contesta|responda|escreva|traduza|rispondi|scrivi|traduci)(?:lo|\ la\ respuesta|\ a\ resposta|\ la\ risposta|\ todo|\ tutto)?)\ )?(?:in|into|to|auf|ins|en|em|para\ o|al|in\ lingua)\ (?P<l>[\p{L}]+)(?:\ (?:only|instead|language|sein|verfasst\ sein|schreiben|übersetzen))*$")
    .captures(text)?;
    let tag = tag_named(&found["l"]).or(match found["l"].to_lowercase().as_str() {
        "deutsche" => Some("de"),
        "englische" => Some("en"),
        "französische" => Some("fr"),
        "spanische" => Some("es"),
        "italienische" => Some("it"),
        _ => None,
    })?;
    let verb = found.name("verb").map_or("", |verb| verb.as_str()).to_lowercase();
    let answers = pattern!(r"^translate (?:the (?:answer|output|result|response)|everything)")
        .is_match(&verb);
    let translates = pattern!(r"^(?:translat|übersetz|tradui|traduc|traduz)").is_match(&verb);
    Some(Ask::Language(tag, translates && !answers))
}

fn audience(text: &str) -> Option<String> {
    let labelled = pattern!(
        r"(?i)^(?:(?:the )?(?:target )?audience(?: is| are| should be| ?:)?|(?:die )?zielgruppe(?: ist| sind|:)|(?:le )?public(?: cible)?(?: est|\s?:)|(?:el )?público(?: objetivo)?(?: es|:)|(?:il )?pubblico(?: è|:)|(?:o )?público(?:-alvo)?(?: é|:)) (?P<v>.{2,100})$"
    );
    if let Some(found) = labelled.captures(text) {
        return Some(found["v"].trim().to_owned());
    }
    let found = pattern!(r"(?i)^(?:(?:make|write|adapt|rewrite|tailor|adjust|target|schreibe?|passe|mach|écris|rends|adapte|escribe|adapta|haz|scrivi|adatta|escreva|adapte)(?:[- ](?:it|this|the (?:text|answer|output|prompt)|everything|es|ihn|ihn an|den text|le|la|lo|-o|il testo|o texto))? (?:(?:suitable|appropriate|understandable|accessible|written|more accessible|easy to understand|geeignet|verständlich|compréhensible|comprensible|comprensibile) )?)?{refine_asks.readers} (?P<v>[^,;:]{3,90})$")
    .captures(text)?;
    let who = found["v"].trim();
    let people = pattern!(
        r"(?i)(?:\b(?:kids?|children|child|teens?|teenagers?|students?|pupils?|beginners?|newbies|novices?|developers?|engineers?|programmers?|managers?|executives?|ceos?|ctos?|cfos?|customers?|clients?|parents?|patients?|seniors?|adults?|year[- ]olds?|professionals?|freelancers?|users?|teachers?|women|men|people|readers?|audience|founders?|marketers?|designers?|non-?experts?|experts?|laypeople|newcomers|investors?|owners?|general public|public|team|boss|board|class|anfängern?|einsteigern?|laien|kindern?|schülern?|studierenden?|studenten|kunden|fachleuten?|experten|entwicklern?|eltern|manager|débutante?s?|enfants?|étudiante?s?|clients?|experts?|développeurs?|parents|principiantes?|niños|estudiantes?|clientes?|expertos?|desarrolladores|padres|principianti|bambini|studenti|clienti|esperti|sviluppatori|genitori|iniciantes?|crianças|estudantes|especialistas|desenvolvedores|pais)\b|^(?:(?:die|unsere|junge|ältere) )?(?-i:\p{Lu}\p{Ll}{2,})(?:er|ern|innen)$|^[\p{L}' -]+(?:ers|ors|ists|ants|ents|ians|innen)$)"
    );
    (people.is_match(who) && who.split_whitespace().count() <= 12)
        .then(|| pattern!(r"(?i)\s+instead$").replace(who, "").into_owned())
}

fn format(text: &str) -> Option<String> {
    let found = pattern!(r"(?i)^(?:(?:format|return|output|give|present|write|show|make|provide|structure|i want|deliver|render|gib|formatiere|schreibe?|stelle|zeige|ausgabe|présente|donne|formate|réponds|presenta|da|formatea|devuelve|responde|presenta|formatta|restituisci|rispondi|apresente|formate|devolva|responda|the (?:output|answer|result|response) (?:should|must) be|use|verwende|utilise|usa)(?:[- ](?:it|this|the (?:answers?|output|results?|responses?|text)|everything|me|es|das|die antwort|das ergebnis|le|la réponse|la respuesta|la risposta|a resposta|o resultado|lo))? )?(?:(?:as|in|into|using|to|als|in form einer?|sous forme de|sous la forme d['’]une?|en|comme|como|en forma de|come|in forma di|em|em forma de) )?(?:an? |valid |plain |proper |eine[rn]? |une? |una |um |uma )*(?P<v>[\p{L}-]+(?: [\p{L}-]+){0,2}?)(?: (?:form|format|aus|dar|only|instead|an))*$")
        .captures(text)?;
    let value = found["v"].trim();
    settings::is_format(value).then(|| value.to_owned())
}

fn tone(bare: &str, text: &str) -> Option<String> {
    let much = pattern!(
        r"(?i)\b(?:tone|style|voice|wording|it|this|text|answer|ton|stil|text) (?:is|feels|sounds|seems|reads|comes across as|ist|klingt|wirkt) (?:a bit |a little |way |far |much |etwas |viel )?(?:too|zu) (?P<v>[\p{L}-]{4,30})$"
    );
    let measures = pattern!(
        r"(?i)^(?:long|short|vague|generic|broad|general|wordy|verbose|brief|technical|complex|complicated|difficult|simple|much|many|lang|kurz|vage|allgemein|kompliziert|technisch|einfach|viel|late|early|expensive|hard|easy)$"
    );
    if let Some(found) = much.captures(text)
        && !measures.is_match(&found["v"])
    {
        return Some(format!("less {}", &found["v"]));
    }
    let labelled = pattern!(
        r"(?i)^(?:(?:(?:the|der|le|el|il|o) )?(?:tone(?: of voice)?|style|ton(?:fall)?|tono|tom)(?: should be| is| soll(?:te)?| ?:)?[:]?) +(?P<v>[\p{L} ,-]{3,60})$"
    );
    if let Some(found) = labelled.captures(text) {
        return Some(pattern!(r"(?i) sein$").replace(found["v"].trim(), "").into_owned());
    }
    let found = pattern!(r"(?i)^(?P<v>(?:(?:more|less|very|not (?:so|too|as)|too|mehr|weniger|nicht so|sehr|zu|plus|moins|très|trop|más|menos|muy|demasiado|più|meno|molto|troppo|mais|muito) )?[\p{L}-]+(?:(?:,| and| but| und| et| y| e) [\p{L}-]+){0,2})(?: (?:tone|in tone|style|voice|ton|tone of voice|sein|klingen|wirken))?$")
        .captures(bare)?;
    let value = found["v"].trim();
    let comparative = pattern!(
        r"(?i)^(?:funnier|warmer|friendlier|calmer|bolder|softer|lighter|kinder|nicer|stricter|livelier|politer|freundlicher|förmlicher|lockerer|höflicher|sachlicher|witziger|ernster|wärmer|formeller|persönlicher|überzeugender|professioneller|informeller)$"
    );
    let known = value.split([' ', ',']).any(settings::is_tone);
    let too = pattern!(r"(?i)^(?:too|not (?:so|too|as)|zu|nicht so|trop|demasiado|troppo)\s+")
        .find(value);
    match too {
        Some(found) if known => Some(format!("less {}", &value[found.end()..])),
        None if known || comparative.is_match(value) => Some(value.to_owned()),
        _ => None,
    }
}

/// What must be in the answer, what must not, and other instructions.
fn content(text: &str) -> Ask {
    let lacks = pattern!(
        r"(?i)^(?:it |this |the (?:prompt|text|answer) )?(?:doesn['’]?t|does not|never|fails to) (?:mention|include|contain|say|cover|address|specify) (?:any(?:thing about)? )?(?P<v>.{2,200})$|^(?:(?:there['’]?s|there is|there are) no|(?:it|this|the prompt) (?:lacks|is missing|needs|has no)|missing:?|es fehlt(?: noch)?|es fehlen|il manque|falta|faltan|manca|mancano) (?:an? |any |the |ein[e]? |un[e]? |una |um[a]? )?(?P<w>.{2,200})$"
    );
    if let Some(found) = lacks.captures(text)
        && let Some(what) = found.name("v").or(found.name("w"))
    {
        return Ask::Include(what.as_str().trim().to_owned());
    }
    let says = pattern!(
        r"(?i)^(?:add|include|say|state|specify) that (?P<v>(?:it|they|the|you|we|all|each|every|no)\b.{2,400})$"
    );
    if let Some(found) = says.captures(text) {
        return Ask::Requirement(found["v"].to_owned());
    }
    let adds = pattern!(
        r"(?i)^(?:add|include|insert|put in|incorporate|mention|ajoute[rz]?|inclus|mentionne[rz]?|añade|agrega|incluye|menciona|aggiungi|includi|inserisci|adicione|acrescente|inclua|nenne|erwähne|ergänze|inserisci|menzioni?a) (?P<v>.{2,400}?)(?: (?:to|in|into) (?:it|this|the (?:prompt|answer|output|text|result))| hinzu| ein| an)?$"
    );
    let german = pattern!(r"(?i)^(?:füge|nimm|baue) (?P<v>.{2,400}?) (?:hinzu|ein|auf)$");
    if let Some(found) = german.captures(text).or_else(|| adds.captures(text)) {
        return Ask::Include(found["v"].trim().to_owned());
    }
    let shuns = pattern!(
        r"(?i)^(?:(?:avoid|leave out|omit|skip|exclude|vermeide|évite[rz]?|evita|evite|do not (?:mention|include|use)|don['’]?t (?:mention|include|use)|no more|ne mentionne pas|n['’]utilise pas|no (?:menciones|incluyas|uses)|non (?:menzionare|includere|usare)|não (?:mencione|inclua|use)|(?:erwähne|verwende|nenne) (?:keine[nrm]?|nicht)) )(?P<v>.{2,300})$"
    );
    if let Some(found) = shuns.captures(text) {
        return Ask::Exclude(found["v"].trim().to_owned());
    }
    // Only the history has earlier versions.
    let undoes = pattern!(
        r"(?i)^(?:undo|revert|roll back|go back to|restore|take back|mach .{0,60}rückgängig|nimm .{1,60} zurück|annule[rz]?|reviens à|deshaz|revierte|vuelve a|annulla|ripristina|desfaça|reverta)\b"
    );
    if undoes.is_match(text) {
        return Ask::Unclear;
    }
    if is_instruction(text) || is_fact(text) {
        Ask::Requirement(text.to_owned())
    } else {
        Ask::Unclear
    }
}

/// Whether a sentence tells something about the matter instead of judging the prompt.
fn is_fact(text: &str) -> bool {
    let judges = pattern!(
        r"(?i)\b(?:too|boring|weak|dull|bad|good|great|nice|better|worse|unclear|confusing|off|wrong|generic|flat|awkward|like|love|hate|feels?|think|seems?|sounds?|looks?|reads?|missing|messy|long|short|vague|weird|strange|not sure|prompt|intro|opening|ending|rhythm|flow|structure|wording|tone|style|gut|schlecht|langweilig|unklar|finde|wirkt|klingt|ennuyeux|faible|aburrid[oa]|noios[oa]|chat[oa])\b"
    );
    let tells = pattern!(
        r"(?i)\b(?:my|our|his|her|he|she|we|mein\w*|unser\w*|er|wir|mon|ma|notre|mi|nuestr[oa]|mi[oa]|nostr[oa]|meu|minha|nosso)\b|\d|\S \p{Lu}\p{Ll}"
    );
    text.split_whitespace().count() >= 3
        && !text.contains('?')
        && !judges.is_match(text)
        && tells.is_match(text)
}

/// Whether a sentence demands something definite. What describes or judges does not: "the intro is weak".
fn is_instruction(text: &str) -> bool {
    let refers = pattern!(r"(?i)^\p{L}+(?: (?:it|this|that|them|es|das|ihn|ça|cela|lo|isso))?$");
    if text.is_ascii() && refers.is_match(text) {
        return false;
    }
    let demands = pattern!(
        r"(?i)\b(?:must|should|shall|needs? to|has to|have to|ought to|never|always|only|soll(?:te|en|ten)?|muss|müssen|darf|dürfen|immer|niemals|nie|doit|doivent|devrait|il faut|toujours|jamais|debe|deben|debería|hay que|siempre|nunca|deve|devono|dovrebbe|bisogna|sempre|devem|deveria|i (?:want|need|would like)|ich (?:möchte|will|brauche)|je (?:veux|voudrais)|quiero|necesito|voglio|vorrei|quero|preciso)\b"
    );
    let describes = pattern!(
        r"(?i)^(?:it|this|that|these|those|there|the|they|i|i['’]m|we|you|he|she|my|our|your|some|most|many|a|an|is|are|was|were|not|hmm+|well|why|how|what|who|when|where|which|honestly|overall|generally|too|es|das|der|die|dies\w*|ich|wir|ein|eine|mir|irgendwie|le|la|les|l['’]|un|une|c['’]est|ça|cela|je|nous|el|los|las|una|es|está|me|esto|il|lo|gli|è|mi|questo|o|os|as|um|uma|isto|isso)(?:\s|['’]|$)"
    );
    demands.is_match(text) || !describes.is_match(text)
}
