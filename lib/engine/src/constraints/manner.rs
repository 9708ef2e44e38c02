//! Language, audience and tone.

use super::{
    Constraint, ConstraintKind as Kind,
    found::Found,
    text::{Text, range},
};
use patterns::{Pattern, pattern};

const LANGUAGE: Pattern = pattern!(
    r"(?i)\b(?:(?:in|into|to|using|use|only|speak|be in|entirely in|except|outside of|other than)\s+)(?:(?:the|only|entirely|completely|all|pure|simple|plain|fluent|native|formal|informal|brazilian|british|american|european|latin american|mexican|simplified|traditional|canadian|both)\s+)*(?P<v>{constraint_manner.languages})\b(?:\s+language)?(?P<after>(?:[\s-]+[\p{L}]+)?)|\b(?P<w>{constraint_manner.languages})\s+(?:only|language only)\b|\blanguage\s*[:=]\s*(?P<x>{constraint_manner.languages})\b"
);

/// Wordings of other languages and the languages that they name.
const ELSEWHERE: [(Pattern, &str); 10] = [
    (
        pattern!(
            r"(?i)\b(?:auf|in) deutsch\b|\bins deutsche\b|\ben allemand\b|\ben alemán\b|\bin tedesco\b|\bem alemão\b|用德语|ドイツ語(?:で|に)|(?:译成|翻译成|翻译为)德[语文]|\bal alemán\b|\bpara (?:o )?alemão\b|독일어로|на немецком"
        ),
        "German",
    ),
    (
        pattern!(
            r"(?i)\b(?:auf|in) englisch\b|\bins englische\b|\ben anglais\b|\ben inglés\b|\bin inglese\b|\bem inglês\b|用英[语文]|英語(?:で|に)|(?:译成|翻译成|翻译为)英[语文]|\bal inglés\b|\bpara (?:o )?inglês\b|영어로|на английском"
        ),
        "English",
    ),
    (
        pattern!(
            r"(?i)\b(?:auf|in) französisch\b|\bins französische\b|\ben français\b|\ben francés\b|\bin francese\b|\bem francês\b|用法语|フランス語(?:で|に)|(?:译成|翻译成|翻译为)法[语文]|\bal francés\b|\bpara (?:o )?francês\b|на французском"
        ),
        "French",
    ),
    (
        pattern!(
            r"(?i)\b(?:auf|in) spanisch\b|\bins spanische\b|\ben espagnol\b|\ben español\b|\bin spagnolo\b|\bem espanhol\b|用西班牙语|スペイン語(?:で|に)|(?:译成|翻译成|翻译为)西班牙[语文]|\bpara (?:o )?espanhol\b|на испанском"
        ),
        "Spanish",
    ),
    (
        pattern!(
            r"(?i)\b(?:auf|in) italienisch\b|\bins italienische\b|\ben italien\b|\ben italiano\b|\bin italiano\b|\bem italiano\b"
        ),
        "Italian",
    ),
    (
        pattern!(
            r"(?i)\b(?:auf|in) portugiesisch\b|\bins portugiesische\b|\ben portugais\b|\ben portugués\b|\bin portoghese\b|\bem português\b"
        ),
        "Portuguese",
    ),
    (pattern!(r"用中文|请用汉语|中国語で|중국어로|на китайском"), "Chinese"),
    (pattern!(r"用日语|日本語で|일본어로|на японском"), "Japanese"),
    (pattern!(r"用韩语|韓国語で|한국어로"), "Korean"),
    (pattern!(r"(?i)用俄语|на русском(?: языке)?"), "Russian"),
];

const AUDIENCE: [Pattern; 11] = [
    pattern!(
        r"(?i)\b(?:for|to|at|aimed at|targeted at|targeting|intended for|designed for|suitable for|addressed to|written for|understandable (?:to|for|by))\s+(?:an? |the |our |my |your |busy |an audience of |a group of |all )?(?P<v>(?:[\p{L}-]+\s+){0,2}?{constraint_manner.people})\b"
    ),
    pattern!(r"(?i)\b(?:target )?audience\s*(?:is|are|:|of|=)\s*(?P<v>[^.;!?\n]{2,80})"),
    pattern!(
        r"(?i)\b(?:for|to|like i'?m|as if i (?:am|were))\s+(?:an? )?(?P<v>(?:\d{1,2}|five|six|seven|eight|nine|ten|twelve)[- ]year[- ]olds?)\b"
    ),
    pattern!(
        r"(?i)\b(?:like|as if|as though) (?:i|they|we|he|she)(?:['’](?:m|re|s)| am| are| were| was) (?:an? )?(?P<v>five|six|seven|ten|[1-9]\d?|child|beginner|complete beginner)\b"
    ),
    pattern!(
        r"(?i)\b(?:the )?(?:readers?|listeners?|audience|users)\s+(?:are|is|will be)\s+(?:an? |mostly |mainly )?(?P<v>[^.,;:!?\n]{3,80})"
    ),
    pattern!(
        r"(?i)\b(?:so,? )?dass (?:es |das )?(?:auch )?(?P<v>(?:ein|jedes) kind|kinder|laien|anfänger|jeder) (?:es )?versteh"
    ),
    pattern!(
        r"(?i)\b(?:so that|such that)\s+(?P<v>(?:an? )?[\p{L} -]{3,30}?)\s+(?:can|could|will|would)? ?understands?"
    ),
    pattern!(
        r"(?i)\bfür\s+(?P<v>anfänger|kinder|fachleute|experten|laien|studierende|studenten|eltern|kunden|kundinnen und kunden|entwickler|führungskräfte|jugendliche|senioren|einsteiger)\b"
    ),
    pattern!(
        r"(?i)\bpour\s+(?:des |les |un public de )?(?P<v>débutants|enfants|experts|étudiants|parents|clients|développeurs|professionnels|adolescents)\b"
    ),
    pattern!(
        r"(?i)\bpara\s+(?:los |las |os |as |un público de )?(?P<v>principiantes|niños|expertos|estudiantes|padres|clientes|desarrolladores|profesionales|adolescentes|iniciantes|crianças|especialistas|estudantes|pais|profissionais)\b"
    ),
    pattern!(
        r"(?i)\bper\s+(?:i |gli |le |un pubblico di )?(?P<v>principianti|bambini|esperti|studenti|genitori|clienti|sviluppatori|professionisti|adolescenti)\b"
    ),
];

const TONES: [Pattern; 11] = [
    pattern!(
        r"(?i)\b(?P<v>{constraint_manner.tones}(?:(?:,? (?:and|but|yet|or) |, |-| yet ){constraint_manner.tones}){0,3})\s+(?:tone|voice|style|manner|register|way|language|mood)\b"
    ),
    pattern!(
        r"(?i)\b(?:tone|voice|style|register|mood)\s*(?:of voice\s*)?(?:should be|must be|is|:|=|to be)\s*(?P<v>{constraint_manner.tones}(?:(?:,? (?:and|but|yet|or) |, ){constraint_manner.tones}){0,3})"
    ),
    pattern!(
        r"(?i)\b(?:make|keep|sound|be|keeping)\s+(?:it |this |the \w+ |them )?(?:sound |more |very |really )*(?P<v>{constraint_manner.tones}(?:(?:,? (?:and|but|yet|or) |, ){constraint_manner.tones}){0,3})(?:\W|$)"
    ),
    // A friendly reminder, eine höfliche E-Mail, une lettre formelle.
    pattern!(
        r"(?i)\b(?:an?|my|some|very|really|more)\s+(?:short |brief |\d+[- ]word )?(?P<v>(?:formal|informal|casual|friendly|professional|humorous|funny|witty|sarcastic|ironic|serious|playful|persuasive|polite|warm|cheerful|upbeat|enthusiastic|heartfelt|dramatic|romantic|satirical|whimsical|inspirational|apologetic|angry|firm|light-?hearted)(?:(?:,? (?:and|but|yet) |, )(?:formal|informal|casual|friendly|professional|humorous|funny|witty|serious|playful|persuasive|polite|warm|cheerful|firm|concise))?)\s+(?:\w+\s)?(?:e-?mail|letter|reminder|invitation|note|message|reply|response|answer|review|speech|memo|post|poem|story|toast|text|article|announcement|tweet|caption|essay|limerick|song|ad|advert|advertisement|blog|haiku|summary|description|riddle|joke|rap|dialogue)s?\b"
    ),
    pattern!(
        r"(?i)\b(?P<v>höfliche|freundliche|formelle|förmliche|sachliche|humorvolle|lustige|lockere|professionelle|witzige)[rsnm]?\s+(?:\p{L}+\s)?(?:e-?mail|mail|brief|nachricht|einladung|antwort|text|artikel|beitrag|rede|gedicht|erinnerung|anschreiben|ton)\b"
    ),
    pattern!(
        r"(?i)\b(?:lettre|e-?mail|courriel|message|carta|correo|mensaje|lettera|messaggio|mensagem|texto|poema)\s+(?P<v>polie?|formel(?:le)?|amicale?|chaleureux|formal|amable|cordial|amistoso|educada?|gentile|cortese|amichevole|formale)\b"
    ),
    pattern!(r"(?i)\b(?:tone|style)\s*:\s*(?P<v>[\p{L}][\p{L} ,-]{2,40})"),
    pattern!(
        r"(?i)\bin (?:einem |eher )?(?P<v>formelle[mn]?|lockere[mn]?|freundliche[mn]?|sachliche[mn]?|humorvolle[mn]?|professionelle[mn]?) (?:ton|stil)\b|\b(?P<w>formell|sachlich|locker|freundlich|humorvoll) (?:schreiben|formulieren|klingen)"
    ),
    pattern!(
        r"(?i)\b(?:d'un |sur un |avec un )?ton (?P<v>(?:formel|amical|professionnel|humoristique|neutre|chaleureux)\b|décontracté)"
    ),
    pattern!(
        r"(?i)\b(?:con |en )?(?:un )?tono (?P<v>formal|amistoso|profesional|humorístico|neutral|cercano|informal|formale|amichevole|professionale|umoristico|neutro|informale)\b"
    ),
    pattern!(
        r"(?i)\b(?:com |em )?(?:um )?tom (?P<v>formal|amigável|profissional|humorístico|neutro|informal)\b"
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    languages(text, found);
    audiences(text, found);
    tones(text, found);
}

fn languages(text: &Text<'_>, found: &mut Found) {
    for captures in text.matches(LANGUAGE) {
        let range = range(&captures);
        let Some(language) = captures.name("v").or(captures.name("w")).or(captures.name("x"))
        else {
            continue;
        };
        let after = captures.name("after").map_or("", |after| after.as_str()).trim().to_lowercase();
        // "In German class", "a guide to Thai food": another matter.
        let matter = pattern!(r"(?i)^(?:class|classes|cuisine|culture|history|food|restaurant|literature|style|economy|politics|cinema|schools?|courses?|lessons?|grammar|teachers?|speakers?|people|market|army|history|philosophy|art|architecture|customers?|companies|law|football|opera|mythology|wine|society|cities|art|music|films?|movies|universities|students?|government|americans?|immigrants)$").is_match(&after)
            || after.ends_with('s')
                && !pattern!(r"^(?:is|as|was|has|plus|this|always|words|letters|capitals|sentences|lyrics|unless)$").is_match(&after)
            || pattern!(r"(?i)^(?:and|or)$").is_match(&after)
                && pattern!(r"^\s+\p{Lu}\p{L}+(?:ese|ish|an|ch|ek|ic)\s+\p{Ll}{3,}s\b").is_match(text.after(range.end));
        let statement = text.at(range.clone()).to_lowercase();
        let guide = pattern!(r"^to ").is_match(&statement)
            && !pattern!(r"(?i)\b(?:translat\w*|switch|convert|localiz\w*|change)\b[^.]{0,80}$")
                .is_match(text.before(range.start));
        let tested = pattern!(r"(?i)\b(?:whether|if|when|detects?|recogni[sz]es?)\b[^.]{0,60}\b(?:is|are|was|were|(?:is )?written)\s*$").is_match(text.before(range.start));
        if !matter
            && !tested
            && !guide
            && (!text.is_negated(range.start)
                || pattern!(r"(?i)^(?:except|outside|other)").is_match(&statement))
        {
            let mut name = language.as_str().to_lowercase();
            if let Some(first) = name.get_mut(0..1) {
                first.make_ascii_uppercase();
            }
            found.push(Constraint::stated(Kind::Language, range).valued(name));
        }
    }
    for (rule, language) in ELSEWHERE {
        for captures in text.matches(rule) {
            found.push(Constraint::stated(Kind::Language, range(&captures)).valued(language));
        }
    }
}

fn audiences(text: &Text<'_>, found: &mut Found) {
    for rule in AUDIENCE {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let Some(value) = captures.name("v") else { continue };
            let before = text.before(range.start);
            // Whom a letter goes to, or whom a post is for, is a matter of content.
            let addressed = pattern!(r"(?i)\b(?:e-?mails?|letters?|repl(?:y|ies)|messages?|notes?|invoices?|respon(?:se|d)|answers?|writ(?:e|ing)|talk|talking|speak|send|sent|apolog(?:y|ies|i[sz]e)|card|text|thank-you|refer|listen|give|given|offer|refund|sell|relevant|available|due)\s*$").is_match(before)
                && pattern!(r"(?i)^to\b").is_match(text.at(range.clone()));
            let post = pattern!(r"(?i)(?:\b(?:job|position|advert|vacancy|resume|cv|replacement|contract|cover letter|interview questions)\b|résumé)[^,]{0,30}$").is_match(before);
            if addressed || post {
                continue;
            }
            if !found.overlaps(Kind::Audience, &range) && !text.is_negated(range.start) {
                found.push(Constraint::stated(Kind::Audience, range).valued(value.as_str().trim()));
            }
        }
    }
}

fn tones(text: &Text<'_>, found: &mut Found) {
    for rule in TONES {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let Some(value) = captures.name("v").or(captures.name("w")) else { continue };
            if !found.overlaps(Kind::Tone, &range) && !text.is_negated(range.start) {
                found.push(
                    Constraint::stated(Kind::Tone, range)
                        .valued(value.as_str().trim().to_lowercase()),
                );
            }
        }
    }
}
