//! Splitting feedback into points.

use std::ops::Range;

use patterns::{Pattern, pattern};

use super::{sentences, steering};
use crate::integrity::{Cover, scan};

/// So many points are worked on; what follows them is one last point.
const MOST: usize = 60;

/// One thing that the feedback asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The feedback's words.
    pub shown: String,
    /// The same with the verb that it shares with the point before it: "replace coffee with juice" where the
    /// feedback has "and coffee with juice".
    pub text: String,
    /// Whether it is all that follows the last point that is worked on.
    pub surplus: bool,
}

/// The points of a feedback in its order: list items and sentences, cut where a conjunction or a comma leads
/// to another instruction, or where a remark only lists settings ("shorter, more formal and for beginners").
///
/// A sentence that tries to steer the service stays whole, so that nothing of it passes as a wish.
pub fn split(feedback: &str, prompt: &str) -> Vec<Point> {
    let literals = scan(feedback);
    let held = literals.cover(feedback.len());
    let known = prompt.to_lowercase();
    let mut points: Vec<Point> = Vec::new();
    let mut surplus = "";
    for sentence in sentences::of(feedback, &held) {
        if points.len() >= MOST {
            surplus = feedback[sentence.start..].trim();
            break;
        }
        if steering::steers(&feedback[sentence.clone()]) {
            points.push(Point::of(&feedback[sentence]));
            continue;
        }
        let mut from = sentence.start;
        for cut in cuts(feedback, &sentence, &held, &known) {
            let comma = feedback[cut.clone()].trim() == ",";
            if cut.start > from && is_whole(&feedback[from..cut.start], comma) {
                push(&feedback[from..cut.start], &known, &mut points);
                from = cut.end;
            }
        }
        push(&feedback[from..sentence.end], &known, &mut points);
    }
    if points.is_empty() {
        points.push(Point::of(feedback.trim()));
    }
    if !surplus.is_empty() {
        points.push(Point { surplus: true, ..Point::of(surplus) });
    }
    points
}

impl Point {
    /// A point whose words are complete.
    pub fn of(text: &str) -> Self {
        Self { shown: text.to_owned(), text: text.to_owned(), surplus: false }
    }
}

/// A change of how a picture looks.
const LOOKS: Pattern = pattern!(
    r"(?i)^(?:(?:a bit|a little|slightly|much|etwas|viel|un peu|un poco|um pouco) )?(?:(?:more|less|mehr|weniger|plus|moins|más|menos|più|meno|mais) [\p{L}-]+|darker|brighter|lighter|warmer|cooler|colder|softer|sharper|slower|faster|closer|wider|bigger|smaller|dunkler|heller|wärmer|kühler|kälter|weicher|schärfer|langsamer|schneller|näher|größer|kleiner)$"
);

/// The separators in a sentence that lead to another point, in byte ranges.
fn cuts(feedback: &str, sentence: &Range<usize>, held: &Cover, known: &str) -> Vec<Range<usize>> {
    let verb = pattern!(
        r"(?i)^(?:(?:also|then|please|auch|dann|bitte|aussi|puis|ensuite|también|luego|anche|poi|também|depois)\s+)*(?:(?:make|add|remove|keep|use|don['’]?t|do not|never|always|include|change|replace|rename|write|translate|avoid|drop|mention|put|turn|set|send|start|end|switch|shorten|limit|delete|ask|answer|output|reply|respond|focus|cut|give|explain|ensure|skip|fill|insert|swap|mach|mache|machen|füge?|fügen|entferne?|entfernen|streiche?|streichen|lösche?|löschen|ersetze?|ersetzen|ändere?|ändern|schreibe?|verwende?|nutze?|benutze?|erwähne?|nenne?|vermeide?|kürze?|kürzen|halte?|benenne?|antworte?|gib|ergänze?|ajoute[rz]?|supprime[rz]?|enlève|retire[rz]?|remplace[rz]?|renomme[rz]?|écri[stv]\w*|utilise[rz]?|évite[rz]?|mentionne[rz]?|rends|raccourci[rst]*|réponds|añade|agrega|elimina|quita|reemplaza|sustituye|cambia|renombra|escribe|usa|evita|menciona|haz|acorta|responde|aggiungi|rimuovi|togli|sostituisci|rinomina|scrivi|menziona|rendi|accorcia|rispondi|cambia|adicione|acrescente|remova|substitua|troque|renomeie|escreva|use|evite|mencione|torne|encurte|responda)\b)"
    );
    let separator = pattern!(
        r"(?i)\s*[;；؛]\s*|\s*[,，、،]\s*(?:(?:and|but|und|aber|sowie|et|mais|y|pero|e|ma|mas)\s+|并且?|而且|另外|同时|そして|また)?|\s+(?:and|und|et|y|e|but|aber|mais|pero|ma|mas)\s+"
    );
    let text = &feedback[sentence.clone()];
    let is_decimal = |range: &Range<usize>| {
        range.len() == 1
            && feedback[..range.start].ends_with(|c: char| c.is_ascii_digit())
            && feedback[range.end..].starts_with(|c: char| c.is_ascii_digit())
    };
    let found: Vec<Range<usize>> = separator
        .find_iter(text)
        .map(|found| sentence.start + found.start()..sentence.start + found.end())
        .filter(|range| !held.touches(range) && !is_decimal(range))
        .take(MOST)
        .collect();
    let mut result: Vec<Range<usize>> = Vec::new();
    for (at, range) in found.iter().enumerate() {
        let next = found.get(at + 1).map_or(sentence.end, |next| next.start);
        let follows = &feedback[range.end..next.max(range.end)];
        let before = &feedback[result.last().map_or(sentence.start, |last| last.end)..range.start];
        let sign = feedback[range.clone()].trim_start();
        let comma = sign.starts_with([',', '，', '、', '،']);
        let bounded =
            super::settings::lengths(follows).iter().any(super::settings::Length::is_bound);
        let sets = comma
            && (!lists(before) || bounded)
            && (1..=8).contains(&follows.split_whitespace().count())
            && (pattern!(
                r"(?i)^(?:no|without|ohne|keine?|sans|sin|senza|sem)\s|^\d{1,2}:\d{1,2}$"
            )
            .is_match(follows)
                || LOOKS.is_match(follows)
                || follows.contains(' ') && super::asks::is_setting(follows));
        // "add a boat, night instead of dawn, no birds": neither is another thing to add.
        let turns = comma
            && (pattern!(
                r"(?i)^(?:no|without|ohne|keine?|sans|sin|senza|sem)(?: [^\s,;.]+){1,3}$"
            )
            .is_match(follows.trim_end_matches(['.', '!']))
                || super::instead::asked(follows).is_some_and(|(old, _)| {
                    known.contains(&super::instead::bare(&old).to_lowercase())
                }));
        if sign.starts_with([';', '；', '؛'])
            || turns
            || verb.is_match(&feedback[range.end..sentence.end])
            || sets
            || comma && leads_elsewhere(before, follows)
        {
            result.push(range.clone());
        }
    }
    result
}

/// Whether a comma stands between two instructions in a script other than Latin, whose words tell it at
/// the beginning or, in Japanese and Korean, at the end of a clause.
fn leads_elsewhere(before: &str, follows: &str) -> bool {
    let begins = pattern!(
        r"(?i)^\s*(?:并且?|而且|同时|另外|还要|以及|也|再|請|请|並且?)*(?:添加|加上|加入|增加|补充|删除|删掉|去掉|去除|移除|使用|采用|改成|改为|把|将|不要|不用|避免|避開|保持|缩短|提到|包括|包含|替换|写|用|更|翻译|语气|限制|控制|字数|至少|最多|不超过)"
    );
    let ends = pattern!(
        r"(?:して|しないで|ないで|ください|下さい|って|んで|いて|えて|けて|げて|べて|れて|めて|せて|てて|り|く|に|追加し|削除し|게|하고|주고|세요|줘|말고|으로)\s*$"
    );
    let calls = pattern!(
        r"(?i)^\s*(?:و\s?)?(?:أضف|اضف|احذف|أزل|ازل|اجعل\p{L}*|استخدم|اكتب|استبدل|غي[ّ]?ر|تجنب|اذكر|بدون|دون|أكثر|أقل|أقصر|أطول|لا ت\p{L}+)|^\s*(?:ו)?(?:הוסף|הוסיפו|הסר|הסירו|מחק|החלף|שנה|כתוב|השתמש|אל ת\p{L}+|הזכר|בלי|ללא|קצר יותר|ארוך יותר|רשמי יותר|יותר|פחות)|^\s*(?:и |но )?(?:добав\p{L}+|удали\p{L}*|убери\p{L}*|замени\p{L}*|сдела\p{L}+|напиши\p{L}*|использу\p{L}+|укажи\p{L}*|упомян\p{L}+|измени\p{L}*|сократи\p{L}*|без |не |короче|длиннее|проще)"
    );
    begins.is_match(follows)
        || calls.is_match(follows)
        || pattern!(r"[\x{3040}-\x{30ff}\x{ac00}-\x{d7af}]").is_match(before)
            && ends.is_match(before)
}

/// Whether a clause enumerates things, so that what follows its commas belongs to it.
fn lists(clause: &str) -> bool {
    pattern!(r"(?i)^\s*(?:(?:also|please|bitte|and|und|then)\s+)*(?:add|include|mention|cover|list|name|write about|focus on|füge|nenne|erwähne|ajoute|mentionne|añade|menciona|aggiungi|menziona|adicione|mencione)\b")
        .is_match(clause)
}

/// Whether a clause can stand without what follows: "if it is long" cannot, nor "in the intro" or "first"
/// before a comma.
fn is_whole(clause: &str, comma: bool) -> bool {
    let place = pattern!(r"(?i)^\s*(?:for|in|at|für|im|pour|dans|para|per|nel|em)\b");
    let open = pattern!(
        r"(?i)^\s*(?:if|when|whenever|while|unless|because|since|instead of|rather than|wenn|falls|sobald|weil|statt|anstatt|si|quand|lorsque|cuando|porque|parce que|se|quando|perché|em vez|en lugar|au lieu|invece)\b"
    );
    let order = pattern!(
        r"(?i)^\s*(?:(?:and |und |et |y |e )?(?:first|firstly|second|secondly|third|thirdly|finally|lastly|last|next|then|also|please|additionally|moreover|furthermore|plus|besides|overall|erstens|zweitens|drittens|zuerst|zunächst|außerdem|zudem|schließlich|abschließend|bitte|premièrement|deuxièmement|d['’]abord|ensuite|enfin|puis|de plus|primero|segundo|tercero|además|luego|finalmente|por último|por favor|prima|primo|secondo|poi|inoltre|infine|primeiro|depois|por fim|além disso|para começar|首先|其次|然后|最后|另外|まず|次に|最後に|また))\s*$"
    );
    let framed = pattern!(r"(?i)(?:format|ratio|portrait|landscape)\s*$").is_match(clause);
    let lead = comma
        && (place.is_match(clause)
            && !framed
            && !super::instead::is_wish(clause)
            && !super::asks::is_setting(clause)
            || super::asks::is_remark(clause.trim()));
    !(lead || open.is_match(clause) || order.is_match(clause))
}

fn push(text: &str, known: &str, points: &mut Vec<Point>) {
    let courtesy = pattern!(
        r"(?i)[,;]\s*(?:please|thanks|thank you|bitte|danke|merci|s['’]il (?:te|vous) pla[iî]t|por favor|gracias|per favore|grazie|obrigad[oa])[.!]*\s*$"
    );
    let text = courtesy.find(text).map_or(text, |found| &text[..found.start()]);
    let text = text.trim().trim_end_matches([',', ';', '，', '、', '،']).trim_end();
    if !text.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) {
        return;
    }
    // "I like it, but it is too long" asks for what stands behind the praise.
    let praise = pattern!(r"(?i)^(?P<a>.{2,60}?),?\s+(?:but|aber|mais|pero|ma|mas)\s+(?P<v>\S.*)$");
    let rest = praise
        .captures(text)
        .filter(|found| super::asks::is_remark(&found["a"]))
        .and_then(|found| found.name("v"));
    if let Some(rest) = rest {
        let first = points.len();
        push(rest.as_str(), known, points);
        if let Some(point) = points.get_mut(first) {
            point.shown = format!("{}{}", &text[..rest.start()], point.shown);
        }
        return;
    }
    if let Some(parts) = settings(text) {
        points.extend(parts.into_iter().map(Point::of));
    } else if let Some(parts) = pairs(text, known) {
        points.extend(parts);
    } else {
        points.push(Point::of(text));
    }
}

/// The exchanges that share a verb: "replace tea with milk and coffee with juice". Each has a preposition of
/// its own, and what it names stands in the prompt (`known`, in lower case).
fn pairs(text: &str, known: &str) -> Option<Vec<Point>> {
    let lead = pattern!(
        r"(?ix)^(?:(?:please|also|and|bitte|und|auch)\s+)*(?P<verb>(?:replace|swap|exchange|substitute|change|switch|rename|correct|turn|use|say|write|ersetze?|tausche?|ändere|benenne|verwende|nutze|schreibe?|remplace[rz]?|renomme[rz]?|change[rz]?|utilise[rz]?|reemplaza|sustituye|cambia|renombra|usa|sostituisci|rinomina|substitua|troque|renomeie|use)\s+(?:(?:the\ )?(?:words?|variables?|names?)\s+)?)"
    );
    let lead = lead.captures(text)?;
    let verb = &lead["verb"];
    let from = lead.get(0)?.end();
    let literals = scan(text);
    let held = literals.cover(text.len());
    let outside = |found: &patterns::Match<'_>| !held.touches(&found.range());
    let backwards = pattern!(r"(?i)^(?:use|say|write|verwende|nutze|schreibe?|utilise[rz]?|usa)")
        .is_match(verb);
    let between = if backwards {
        pattern!(
            r"(?i)\s(?:instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu de|à la place de|plutôt que|en lugar de|en vez de|em vez de|no lugar de|invece di|al posto di)\s"
        )
    } else {
        pattern!(r"(?i)\s(?:with|by|for|to|into|durch|mit|gegen|in|zu|par|por|con|com|en|a|para)\s")
    };
    let separator =
        pattern!(r"(?i)\s*[;,，、،]\s*(?:(?:and|und|et|y|e)\s+)?|\s+(?:and|und|et|y|e)\s+");
    let mut starts = vec![from];
    let mut ends = Vec::new();
    let mut stands = vec![true];
    let separators: Vec<_> =
        separator.find_iter(text).filter(|found| found.start() >= from).filter(outside).collect();
    for (at, found) in separators.iter().enumerate() {
        let next = separators.get(at + 1).map_or(text.len(), |next| next.start());
        let clause = &text[found.end()..next];
        let parted = between
            .find_iter(clause)
            .find(|place| !held.touches(&(found.end() + place.start()..found.end() + place.end())));
        let Some(parted) = parted else { continue };
        let before = text[starts[starts.len() - 1]..found.start()].to_owned();
        if !between.is_match(&before) {
            continue;
        }
        let old = if backwards { &clause[parted.end()..] } else { &clause[..parted.start()] };
        let old = old.trim().trim_end_matches(['.', '!']);
        let article =
            pattern!(r"(?i)^(?:the|an?|der|die|das|den|le|la|les|el|los|las|il|lo|o|a|os|as)\s+");
        let bare = article.replace(super::asks::unquoted(old), "").to_lowercase();
        stands.push(!bare.is_empty() && known.contains(&bare));
        ends.push(found.start());
        starts.push(found.end());
    }
    if starts.len() < 2 || !stands.iter().all(|stands| *stands) {
        return None;
    }
    ends.push(text.len());
    let points = starts.iter().zip(&ends).enumerate().map(|(at, (start, end))| {
        let clause = text[*start..*end].trim();
        match at {
            0 => Point::of(&text[..*end]),
            _ => Point { text: format!("{verb}{clause}"), ..Point::of(clause) },
        }
    });
    Some(points.collect())
}

/// The parts of a remark that only lists settings.
fn settings(text: &str) -> Option<Vec<&str>> {
    if text.len() > 200 || text.contains(['"', '“', '„', '«', '{', '`']) {
        return None;
    }
    let lead = pattern!(
        r"(?i)^(?:(?:please|bitte|now|just|also|and) )*(?:(?:(?:it|this|the (?:answer|text|output|result)) (?:should|must|has to|needs to) (?:be )?)|(?:make|keep|mach|mache|rends|haz|rendi|torne)(?:[- ](?:it|this|the prompt|the answer|the text|es|den prompt|die antwort|le|la réponse|-le|lo|la respuesta|il testo|la risposta|o texto|a resposta))? )?"
    );
    let body = lead.find(text).map_or(0, |found| found.end());
    let separator = pattern!(
        r"(?i)\s*[,，、،;]\s*(?:and |but |und |aber |et |mais |y |pero |e |ma |mas )?|\s+(?:and|but|und|aber|et|mais|y|pero|e|ma|mas)\s+"
    );
    let decimal = |place: &patterns::Match<'_>| {
        place.len() == 1
            && text[..place.start()].ends_with(|c: char| c.is_ascii_digit())
            && text[place.end()..].starts_with(|c: char| c.is_ascii_digit())
    };
    let mut parts: Vec<&str> = Vec::new();
    let mut from = body;
    for found in separator.find_iter(text).filter(|found| found.start() >= body && !decimal(found))
    {
        parts.push(&text[from..found.start()]);
        from = found.end();
    }
    parts.push(&text[from..]);
    for part in &mut parts {
        *part = part.trim().trim_end_matches(['.', '!']);
    }
    let sets =
        |part: &&str| part.split_whitespace().count() <= 7 && super::asks::is_setting(part.trim());
    if parts.len() < 2 || !parts.iter().all(sets) {
        return None;
    }
    // The first part keeps the verb that all of them share.
    parts[0] = &text[..body + parts[0].len()];
    Some(parts)
}
