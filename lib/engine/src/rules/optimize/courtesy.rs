//! Greetings, thanks and good wishes, which say nothing that a model needs.

use crate::rules::goal;
use patterns::pattern;

/// Longer sentences than this say something beside being polite, in bytes.
const LONGEST: usize = 90;

/// Whether a whole sentence is only polite.
pub fn is_idle(sentence: &str) -> bool {
    let text = sentence.trim();
    if text.len() > LONGEST || text.ends_with([':', '：']) {
        return false;
    }
    let plain = text
        .trim_start_matches(['¡', '¿'])
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
    goal::is_pleasantry(text) && !is_answer(plain)
        || greets(plain)
        || thanks(plain)
        || wishes(plain)
}

/// "Yes" or "no" as a line of its own may be one of the answers that a prompt lists.
fn is_answer(text: &str) -> bool {
    pattern!(r"(?i)^(?:ok(?:ay)?|yes|yep|yeah|sure|no)?$").is_match(text)
}

fn greets(text: &str) -> bool {
    pattern!(r"(?ix)^(?:
        (?:hi|hello|hey|hiya|dear|greetings|good\ (?:morning|afternoon|evening|day))(?:[\ ,]+(?:there|again|everyone|all|team|my\ friend|claude|(?:chat)?gpt|gemini|copilot|grok|mistral|deepseek|ai|bot|assistant|friend|dear)){0,2}
      | (?:hallo|hi|hey|guten\ (?:tag|morgen|abend)|moin|servus|grüß\ (?:gott|dich)|liebe[rs]?)(?:[\ ,]+(?:du|ihr|zusammen|claude|chatgpt|gemini|ki|assistent)){0,2}
      | (?:bonjour|bonsoir|salut|coucou|cher)(?:[\ ,]+(?:à\ tous|toi|claude|chatgpt|gemini|assistant)){0,2}
      | (?:hola|buenas|buenos\ días|buenas\ (?:tardes|noches)|querido)(?:[\ ,]+(?:a\ todos|claude|chatgpt|gemini|asistente)){0,2}
      | (?:ciao|salve|buongiorno|buonasera|caro)(?:[\ ,]+(?:a\ tutti|claude|chatgpt|gemini|assistente)){0,2}
      | (?:ol[aá]|oi|bom\ dia|boa\ (?:tarde|noite)|caro)(?:[\ ,]+(?:a\ todos|claude|chatgpt|gemini|assistente)){0,2}
    )$")
    .is_match(text)
}

fn thanks(text: &str) -> bool {
    pattern!(r"(?ix)^(?:(?:ok|so|and|und|et|y|e|anyway|again|many|a\ million|vielen|herzlichen|besten|lieben|tausend|1000|mille|muchas|muchísimas|mil|molte|tante|muito|muchos|danke),?\ )*(?:
        (?:thanks?|thank\ you|thx|ty|cheers|i(?:'d|’d|\ would)?\ (?:really\ |greatly\ )?appreciate\ (?:it|this|your\ (?:help|time|support))|much\ appreciated|(?:any|your)\ help\ (?:is|will\ be|would\ be)\ (?:much\ |greatly\ |really\ )?(?:appreciated|great|welcome))
        (?:[\ ,]+(?:you|so\ much|very\ much|a\ (?:lot|bunch|ton|million)|again|in\ advance|for\ (?:your|the|all\ (?:your|the))\ (?:help|time|support|effort|patience|assistance|great\ work)|for\ (?:helping|reading)(?:\ (?:me|us|this|out|with\ this|me\ out|me\ with\ this))?|claude|chatgpt|gemini|everyone|my\ friend|dear|and\ (?:best|kind)\ regards)){0,4}
      | dank(?:e|eschön|e\ schön)?(?:[\ ,]+(?:dir|ihnen|euch|im\ voraus|schon\ mal|schon\ (?:jetzt|einmal)|schön|sehr|nochmals?|vielmals|für\ (?:deine|ihre|eure|die)\ (?:hilfe|mühe|unterstützung|zeit)|claude|chatgpt)){0,4}
      | (?:ich\ )?(?:bedanke\ mich|danke\ (?:dir|ihnen|euch))(?:\ (?:im\ voraus|schon\ (?:jetzt|mal)|herzlich|sehr|für\ (?:deine|ihre|eure|die)\ (?:hilfe|mühe|unterstützung|zeit))){0,3}
      | merci(?:[\ ,]+(?:d['’]avance|beaucoup|bien|infiniment|à\ (?:toi|vous)|encore|pour\ (?:ton|votre|l['’])\ ?(?:aide|temps|soutien)|claude|chatgpt)){0,3}
      | (?:je\ (?:te|vous)\ remercie)(?:\ (?:d['’]avance|beaucoup|par\ avance|pour\ (?:ton|votre)\ (?:aide|temps))){0,2}
      | (?:te\ lo\ agradezco|gracias|agradezco\ (?:tu|su)\ ayuda)(?:[\ ,]+(?:de\ antemano|por\ (?:tu|su|la|todo)(?:\ (?:ayuda|tiempo|apoyo))?|mucho|de\ nuevo|claude|chatgpt)){0,3}
      | (?:grazie|ti\ ringrazio|la\ ringrazio)(?:[\ ,]+(?:mille|in\ anticipo|tante|molto|ancora|per\ (?:il\ tuo\ |il\ suo\ |l['’])?(?:aiuto|tempo|supporto)|claude|chatgpt)){0,3}
      | (?:obrigad[oa]|agradeço|valeu)(?:[\ ,]+(?:desde\ já|antecipadamente|de\ antemão|pel[ao](?:\ (?:sua|tua))?\ (?:ajuda|atenção|tempo)|mesmo|claude|chatgpt)){0,3}
    )$")
    .is_match(text)
}

fn wishes(text: &str) -> bool {
    pattern!(r"(?ix)^(?:
        i\ hope\ (?:you(?:['’]re|\ are)\ (?:doing\ )?(?:well|fine|great|ok|okay)|this\ (?:helps|finds\ you\ well|message\ finds\ you\ well|makes\ sense|is\ clear|is\ ok(?:ay)?)|all\ is\ well|you\ can\ help(?:\ (?:me|us|out))*|you(?:['’]re|\ are)\ having\ a\ (?:good|great|nice|lovely)\ (?:day|week))(?:\ today)?
      | how\ are\ you(?:\ (?:doing|today|doing\ today))? | how(?:['’]s|\ is)\ it\ going
      | have\ a\ (?:good|great|nice|lovely|wonderful)\ (?:day|one|week|weekend|evening)
      | (?:you(?:['’]re|\ are)\ (?:the\ best|awesome|amazing|great|a\ star|a\ life\ ?saver))
      | (?:best|kind|warm|many)\ (?:regards|wishes) | regards | sincerely | yours\ (?:sincerely|truly|faithfully)
      | (?:looking\ forward\ to\ (?:it|hearing\ from\ you|your\ (?:answer|reply|response|help)))
      | (?:it\ would\ be\ (?:great|nice|awesome|lovely)\ if\ you\ could\ help(?:\ (?:me|us|out))*)
      | wie\ geht['’]?s(?:\ (?:dir|euch|ihnen))? | wie\ geht\ es\ (?:dir|ihnen|euch) | ich\ hoffe,?\ (?:es\ geht\ (?:dir|ihnen|euch)\ gut|du\ kannst\ (?:mir\ )?(?:dabei\ )?helfen|sie\ können\ (?:mir\ )?(?:dabei\ )?helfen|das\ hilft)
      | (?:viele|liebe|beste|schöne|herzliche)\ grüße | mit\ freundlichen\ grüßen | lg | vg | mfg | schönen\ (?:tag|abend)(?:\ noch)? | du\ bist\ (?:der|die)\ beste
      | comment\ (?:ça\ va|vas-tu|allez-vous) | ça\ va | j['’]espère\ que\ (?:tu\ vas|vous\ allez)\ bien | bonne\ (?:journée|soirée) | bien\ (?:cordialement|à\ vous) | cordialement
      | cómo\ est[áa]s | espero\ que\ est[ée]s?\ bien | que\ tengas?\ un\ buen\ día | (?:un\ )?saludos?(?:\ cordiales)? | buen\ día
      | come\ (?:stai|va) | spero\ (?:che\ )?(?:tu\ stia|vada\ tutto)\ bene | buona\ (?:giornata|serata) | (?:cordiali\ |distinti\ )?saluti
      | como\ (?:vai|está|estás) | tudo\ bem | espero\ que\ estejas?\ bem | (?:tenha\ um\ )?bom\ dia | (?:atenciosamente|abraços?|um\ abraço)
    )$")
    .is_match(text)
}

/// A greeting in front of a request, up to where the request begins: "Hi Claude, please " of "Hi Claude,
/// please write …".
pub fn greeting(prompt: &str) -> Option<usize> {
    let end = salutation(prompt)?;
    let plea = pattern!(
        r"(?i)^(?:please|bitte|s['’]il (?:te|vous) pla[iî]t|por favor|per (?:favore|piacere)),? (?P<next>\p{L})"
    );
    let next = plea.captures(&prompt[end..]).and_then(|found| found.name("next"));
    Some(end + next.map_or(0, |next| next.start()))
}

fn salutation(prompt: &str) -> Option<usize> {
    let named = pattern!(
        r"(?i)^\s*(?:(?:hi|hello|hey|dear|hallo|bonjour|salut|hola|ciao|ol[áa]|oi|good (?:morning|afternoon|evening)|guten (?:tag|morgen|abend)|buenos días|buongiorno|bom dia) (?:there|everyone|all|team|again|claude|chatgpt|gpt|gemini|copilot|grok|mistral|deepseek|assistant|assistent|assistente|asistente|ai|zusammen|à tous|a todos|a tutti)|good (?:morning|afternoon|evening)|guten (?:tag|morgen|abend)|buenos días|buongiorno|bom dia|hallo|bonjour|salut|hola|ciao|ol[áa]) ?[,!.–-]+[ \t]+"
    );
    let bare = pattern!(r"(?i)^\s*(?:hi|hello|hey) ?[,!.]+[ \t]+");
    if let Some(found) = named.find(prompt) {
        return begins(&prompt[found.end()..]).then_some(found.end());
    }
    let found = bare.find(prompt)?;
    let rest = &prompt[found.end()..];
    let asks = pattern!(r"(?i)^(?:i |i['’]|we |my |our |can |could |would |please )")
        .is_match(rest)
        || crate::rules::imperative::starts_work(rest.lines().next().unwrap_or_default());
    (asks && begins(rest)).then_some(found.end())
}

fn begins(rest: &str) -> bool {
    rest.starts_with(char::is_alphabetic)
}
