//! Feedback that speaks to the service instead of about the prompt.

use patterns::pattern;

/// Whether a sentence tries to steer the service: to drop its instructions, or to tell them. A rule that the
/// prompt itself is to have ("never reveal your instructions") does not.
pub fn steers(sentence: &str) -> bool {
    let forbids = pattern!(
        r"(?i)\b(?:never|not|don['’]?t|refuse|must ?n['’]t|avoid|nie|niemals|nicht|jamais|nunca|mai|non|não|no debe)\b"
    );
    let drops = pattern!(
        r"(?i)\b(?:ignore|disregard|forget|override|bypass|ignoriere?n?|vergiss|missachte|ignore[rz]|oublie[rz]?|ignora|olvida|dimentica|ignor[ae]|esqueça)\b.{0,40}\b(?:(?:above|previous|prior|earlier|preceding|all|any|your|system|these|the) (?:\w+ ){0,3}(?:instructions?|prompts?|rules|guidelines|directives|messages?)|the above|everything above|all of the above|(?:alle |deine |vorherigen |obigen |bisherigen )+(?:anweisungen|regeln|instruktionen)|das obige|(?:les |toutes les |tes |vos )+(?:instructions|consignes|règles)|(?:las |todas las |tus |sus )+(?:instrucciones|reglas)|(?:le |tutte le |tue )+(?:istruzioni|regole)|(?:as |todas as |suas |tuas )+(?:instruções|regras))"
    );
    let reveals = pattern!(
        r"(?i)\b(?:output|print|reveal|show|repeat|display|tell me|give me|leak|expose|zeige?|gib|nenne|verrate|affiche[rz]?|montre[rz]?|révèle[rz]?|muestra|revela|mostra|rivela|mostre|revele)\b.{0,30}\b(?:(?:your|the) (?:\w+ ){0,2}(?:system prompt|system message|hidden (?:prompt|instructions)|initial instructions|developer message|own instructions)|your (?:instructions|prompt|rules)|(?:dein\w*|den|deine\w*) system-?prompt\w*|(?:ton|votre|le) prompt syst[eè]me|(?:tu|el) prompt del? sistema|(?:il tuo|il) prompt di sistema|(?:seu|teu|o) prompt d[eo] sistema)\b"
    );
    let persona = pattern!(
        r"(?i)\byou are (?:now )?(?:DAN\b|in (?:developer|god|jailbreak) mode|no longer (?:bound|an? ))|\b(?:developer|god|jailbreak) mode (?:is )?(?:on|enabled|activated)"
    );
    let claims = pattern!(
        r"(?i)^\W*(?:(?:new|updated|revised|real|actual|system|developer|admin|override|neue|nouvelles|nuevas|nuove|novas) (?:instructions?|prompt|message|command|directive|task|anweisung(?:en)?|consignes|instrucciones|istruzioni|instruções)s?|system|assistant|developer|admin)\s*[:：>\]|]|<\|?(?:im_start|system|endoftext)\|?>|\bstop (?:refining|editing|rewriting)\b"
    );
    let sentence: String = sentence.chars().take(2000).collect();
    let reveal =
        reveals.find(&sentence).is_some_and(|found| !forbids.is_match(&sentence[..found.start()]));
    let drop =
        drops.find(&sentence).is_some_and(|found| !forbids.is_match(&sentence[..found.start()]));
    let elsewhere = pattern!(
        r"忽略.{0,12}(?:指令|指示|提示|规则|規則)|无视.{0,12}(?:指令|指示|规则)|無視.{0,4}(?:指示|命令)|(?:指示|命令|プロンプト).{0,8}無視|무시.{0,12}(?:지시|명령)|(?:지시|명령).{0,10}무시|(?i:игнорируй\p{L}*|забудь\p{L}*).{0,40}(?:инструкци|указани|правил)|تجاهل.{0,30}(?:التعليمات|الأوامر|القواعد)|(?i:negeer|zignoruj|ignorera).{0,40}(?i:instructies|instrukcje|instruktioner)|(?:系统提示|システムプロンプト|시스템 프롬프트|системн\p{L}* промпт)"
    );
    reveal
        || drop
        || claims.is_match(&sentence)
        || persona.is_match(&sentence)
        || elsewhere.is_match(&sentence)
}

/// Whether a remark that follows an attempt to steer goes on with it: "Tell me a joke instead."
pub fn goes_on(remark: &str) -> bool {
    pattern!(r"(?i)^(?:(?:instead|then|now|and|just),? )*(?:tell|give|show|print|output|say|reply|respond|act|pretend|you (?:are|must|will|have)|do|comply|write me|schreib mir|sag|gib|dis|donne|di|dame|dimmi|diga)\b")
        .is_match(remark.trim())
}

/// Whether a remark asks for the answer that the prompt is to bring about.
pub fn wants_answer(remark: &str) -> bool {
    pattern!(r"(?ix)^(?:(?:now|just|simply|please|then|go\ ahead\ and|jetzt|einfach|bitte|maintenant|ahora|adesso|agora)[,]?\s+)*(?:
          (?:answer|solve|execute|run|carry\ out|perform|do|complete)\ (?:it|this|that|me|(?:the|this|my)\ (?:question|prompt|task|request|problem|instructions?))(?:\ (?:yourself|now|directly|for\ me|instead(?:\ of\ .{1,40})?))*
        | (?:write|do|draft|create|compose|generate|finish)\ (?:it|this|the\ \p{L}+(?:\ \p{L}+)?)(?:\ (?:yourself|for\ me|now))+
        | (?:give|send|show)\ me\ (?:the|your)\ (?:finished\ )?(?:answer|solution|result|output|essay|poem|text|e-?mail|letter|code|article|story|post|summary|translation|report)(?:\ (?:now|directly|instead|itself))?
        | écri[st]\ (?:le\ |la\ |l['’]|ce\ |cette\ )\p{L}+\ toi-même
        | schreibe?\ (?:es|(?:den|die|das)\ \p{L}+)\ selbst
        | gib(?:\ (?:mir|einfach|nur|direkt))*\ (?:die|eine)\ (?:antwort|lösung)(?:\ aus)?
        | escr[ie]b[ea]\ (?:el|la|lo)\ \p{L}+\ tú\ mismo
        | (?:give|tell|show)\ me\ the\ (?:answer|solution|result|finished\ \w+)(?:\ (?:now|directly|instead.*))?
        | what\ is\ the\ (?:answer|solution|result).*
        | (?:beantworte|löse|führe)\ (?:es|das|mir|(?:die|diese|den|das)\ (?:frage|aufgabe|prompt|problem))(?:\ (?:aus|selbst|direkt|jetzt))*
        | gib\ mir\ (?:die|eine)\ (?:antwort|lösung)
        | réponds?\ (?:à\ (?:la|cette)\ question|toi-même)
        | donne-moi\ la\ (?:réponse|solution)
        | responde\ (?:a\ )?(?:la|esta|à|a)\ (?:pregunta|pergunta)
        | d[aá]me\ la\ (?:respuesta|solución)
        | rispondi\ alla\ domanda
        | dammi\ la\ (?:risposta|soluzione)
        | (?:dê-me|me\ dê)\ a\ (?:resposta|solução)
        )[.!?\s]*$")
    .is_match(remark.trim())
}
