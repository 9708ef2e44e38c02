//! What a picture or clip must not show: "without a hat", "no cars, people or signs", "ohne Menschen".
//!
//! An exclusion ends with its noun phrase. It goes on behind a comma only where the next element is plainly
//! another item of the same list.

use super::framing;
use super::visual::Vision;
use patterns::pattern;

/// Words of one item at most; a longer phrase is no name of a thing.
const LONGEST_ITEM: usize = 5;
/// Words that are looked at behind the beginning of an exclusion.
const LONGEST_LIST: usize = 30;
/// Words of an item that goes on a list behind a comma at most.
const LONGEST_FURTHER: usize = 3;

/// Takes "no text", "without people", "ohne Menschen" and the like out of a sentence.
pub fn take(sentence: &str, foreign: bool, vision: &mut Vision) -> String {
    let sentence = framing::take_exclusions(sentence, vision);
    let elements = elements(&sentence);
    let mut kept = String::new();
    let mut index = 0;
    while let Some((text, separator)) = elements.get(index) {
        let read = read(text, foreign, vision);
        let mut separator = *separator;
        index += 1;
        if read.open {
            let more = further(&elements[index..]);
            for (element, following) in &elements[index..index + more] {
                items(element, vision);
                separator = following;
            }
            index += more;
        }
        // What was cut out leaves no gap in front of the comma.
        kept.push_str(read.kept.trim_end());
        kept.push_str(separator);
    }
    kept
}

/// Takes "negative prompt: people, cars" out of a prompt: to the end of its line where it begins one, to the
/// end of the sentence elsewhere. Gives the rest and the items.
pub fn take_negative(prompt: &str) -> (String, Vec<String>) {
    let stated = pattern!(
        r"(?im)(?:^[ \t]*(?:negative(?:[ _]prompt)?|negativer prompt|prompt négatif|prompt negativo)[ \t]*[:：][ \t]*(?P<line>(?:[^\n-]|-[^\n-])+)\n?|(?:[,;.|]\s*|\s+)(?:with )?(?:an? )?(?:negative[ _]prompt|negativer prompt|prompt négatif|prompt negativo)[ \t]*[:：=][ \t]*(?P<inline>(?:[^\n.-]|\.\S|-[^\n-])+))"
    );
    let items = |list: &str| {
        let bare = |item: &str| {
            let item = item.trim().trim_end_matches(['.', ';']);
            item.trim_matches(['"', '“', '”']).trim().to_owned()
        };
        list.split([',', ';']).map(bare).filter(|item| !item.is_empty()).collect::<Vec<_>>()
    };
    let unwanted: Vec<String> = stated
        .captures_iter(prompt)
        .filter_map(|found| found.name("line").or_else(|| found.name("inline")))
        .flat_map(|list| items(list.as_str()))
        .collect();
    if unwanted.is_empty() {
        return (prompt.to_owned(), unwanted);
    }
    (stated.replace_all(prompt, "").trim().to_owned(), unwanted)
}

/// The pieces between commas, each with the mark behind it.
fn elements(sentence: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for mark in pattern!(r"[,;](?:\s|$)|[、，；]").find_iter(sentence) {
        found.push((&sentence[start..mark.start()], mark.as_str()));
        start = mark.end();
    }
    found.push((&sentence[start..], ""));
    found
}

/// An element without what it excludes.
struct Read {
    kept: String,
    /// Whether it ends inside an exclusion, so that the next element may go on with it.
    open: bool,
}

fn read(element: &str, foreign: bool, vision: &mut Vision) -> Read {
    let mut result = Read { kept: String::new(), open: false };
    let mut at = 0;
    for (start, end) in leads(element, foreign) {
        if start < at {
            continue;
        }
        let before = &element[at..start];
        let alone = result.kept.trim().is_empty() && before.trim().is_empty();
        let taken = taken(&element[end..], alone, vision);
        // Where nothing nameable follows, the words stay as they are.
        if taken > 0 {
            result.kept.push_str(before);
            at = end + taken;
            result.open = true;
        }
    }
    let rest = &element[at..];
    result.open &= rest.trim().is_empty();
    result.kept.push_str(&rejoined(rest, at > 0 && !result.kept.trim().is_empty()));
    result
}

/// What follows an exclusion, joined to what precedes it: "with no helmet and a cape" leaves "with a cape".
fn rejoined(rest: &str, cut: bool) -> String {
    let joint = pattern!(r"(?i)^\s+(?P<joint>and|und|et|y)\s+(?P<with>(?:with|mit|avec|con)\b)?");
    match joint.captures(rest).filter(|_| cut) {
        Some(found) if found.name("with").is_some() => {
            format!(" {}", &rest[found.name("with").map_or(0, |with| with.start())..])
        }
        Some(found) => {
            let with = match found["joint"].to_lowercase().as_str() {
                "und" => "mit",
                "et" => "avec",
                "y" => "con",
                _ => "with",
            };
            format!(" {with} {}", &rest[found[0].len()..])
        }
        None => rest.to_owned(),
    }
}

/// Where exclusions begin, and where their noun phrases do, in order.
fn leads(text: &str, foreign: bool) -> Vec<(usize, usize)> {
    let english = pattern!(
        r"(?i)(?:^|\s)(?:(?:and|but|with|please|also|there (?:is|are|should be|must be)|it (?:should|must))\s+)*(?:no|without(?: (?:showing|using|including))?|(?:don['’]?t|do not|never|must not|mustn['’]t|should not|shouldn['’]t) (?:include|show|add|use|have|draw|put|want|contain|depict)|not (?:wearing|showing|containing|including|holding)|avoid(?:ing)?(?: (?:showing|using|including))?|neither|exclud(?:e|ing)|leav(?:e|ing) out|free (?:of|from))\s+(?:(?:any|an?|the|some)\s+)?"
    );
    // "Not" alone excludes a quality, and only where an element begins with it.
    let quality = pattern!(r"(?i)^\s*(?:(?:and|but|please)\s+)*not\s+(?:(?:an?|the|too|any)\s+)?");
    let other = pattern!(
        r"(?i)(?:^|\s)(?:(?:und|aber|bitte|mit|et|avec|mais|y|pero|con|e|ma|com|mas|и)\s+)*(?:ohne(?: (?:jegliche[nrs]?|irgendwelche))?|kein(?:e[nmrs]?)?|nicht|vermeiden?|sans(?: aucune?)?|pas d(?:e |['’])|pas|aucune?|évite[rz]?|senza(?: alcun[ao]?)?|nessun[ao]?|sem(?: nenhuma?)?|nenhuma?|без|zonder|geen|bez)(?:\s+|\b)(?:(?:ein(?:e[nmrs]?)?|den|die|das|les?|la|des?|une?|il|gli|uma?)\s+)?"
    );
    // "Sin" and the like are words of other meaning in English.
    let spanish = pattern!(
        r"(?i)(?:^|\s)(?:(?:y|pero|con|e|et)\s+)*(?:sin(?: ning[uú]na?)?|ning[uú]na?|evit(?:a|ar|e)|(?:que )?no (?:incluyas?|incluir|muestres?|mostrar|pongas?|poner|uses?|usar|hay|haya|añadas)|nada de|niente|ni)\s+(?:(?:una?|el|la|los|las)\s+)?"
    );
    let marked = foreign
        || pattern!(r"(?i)[ñ¿¡áíóú]|\b(?:una?|el|los|las|del)\b|\bsin (?:personas|gente|texto|letras|nadie)\b")
            .is_match(text);
    let patterns = [
        (!foreign).then_some(english),
        (!foreign).then_some(quality),
        Some(other),
        marked.then_some(spanish),
    ];
    let mut found: Vec<(usize, usize)> = patterns
        .into_iter()
        .flatten()
        .flat_map(|pattern| pattern.find_iter(text))
        .filter(|lead| {
            // "Nicht" and "pas" alone exclude a quality, like "not".
            let quality = pattern!(r"(?i)\b(?:nicht|pas)\s*$").is_match(lead.as_str());
            let (before, after) = (&text[..lead.start()], &text[lead.end()..]);
            let other = pattern!(r"(?i)^(?:(?:one|longer|matter|more than|less than|serif|only|just|yet|even|quite|far|nur)\b|\d|\s|$)");
            (!quality || before.trim().is_empty()) && !other.is_match(after)
        })
        .map(|lead| (lead.start(), lead.end()))
        .collect();
    found.sort_unstable();
    found
}

/// Reads the items at the beginning of a text; gives the length of what names them.
fn taken(text: &str, alone: bool, vision: &mut Vision) -> usize {
    let words = words(text);
    let mut end = 0;
    let mut from = 0;
    while let Some(first) = words.get(from) {
        let mut to = from;
        while let Some(word) = words.get(to) {
            let bare = bare(word.text);
            let ends = is_joining(bare)
                || to > from && (is_stop(bare) || is_verb(bare) && !alone)
                || to > from && !alone && bare.ends_with("ing");
            if ends || to - from >= LONGEST_ITEM {
                break;
            }
            to += 1;
            if word.closes {
                break;
            }
        }
        if to == from || is_stop(bare(first.text)) && from > 0 {
            break;
        }
        let named = to;
        let place;
        (to, place) = with_place(&words, from, to, alone);
        // What is not wanted on screen is not wanted at all.
        let name = &words[if place == Place::Anywhere { named } else { to } - 1];
        let item = &text[first.start..name.end];
        exclude(item.trim_end_matches(['.', '!', '?', ':']), vision);
        let last = &words[to - 1];
        let phrase = &text[first.start..last.end];
        end = last.end - phrase.len() + phrase.trim_end_matches(['.', '!', '?', ':']).len();
        let Some(joint) = words.get(to).filter(|word| is_joining(bare(word.text)) && !last.closes)
        else {
            break;
        };
        let next = without_article(&words, to + 1, is_either(bare(joint.text)));
        if next >= words.len() || !is_either(bare(joint.text)) && !goes_on(&words[next..]) {
            break;
        }
        from = next;
    }
    end
}

/// Where in the picture something is not wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing is said.
    Unsaid,
    /// In a part of it.
    Part,
    /// In the whole of it.
    Anywhere,
}

/// The end of an item with "in the background", "on screen" or "on his head", which belong to it.
fn with_place(words: &[Word<'_>], from: usize, to: usize, alone: bool) -> (usize, Place) {
    let anywhere = pattern!(
        r"(?i)^(?:frame|picture|image|scene|shot|photo|video|clip|screen|view|camera|footage|composition|bild|video|bildschirm|szene|écran|image|l['’](?:écran|image)|pantalla|imagen|vídeo|schermo|immagine|tela|ecrã|imagem)$"
    );
    let part = pattern!(
        r"(?i)^(?:background|foreground|distance|sky|hintergrund|vordergrund|himmel|arrière-plan|fond|fondo|sfondo|primo)$"
    );
    let preposition = pattern!(
        r"(?i)^(?:in|on|around|within|across|at|im|am|auf|en|à|dans|sur|sullo|nello|nell|na|no|nel|sul|al)$"
    );
    let article = pattern!(r"(?i)^(?:the|this|any|dem|der|le|la|el|il|lo|o|a|un)$");
    let own = pattern!(r"(?i)^(?:his|her|their|its)$");
    let at = |index: usize| words.get(index).map_or("", |word| bare(word.text));
    if to <= from || words[to - 1].closes || !preposition.is_match(at(to)) {
        if at(to).eq_ignore_ascii_case("onscreen") || at(to).eq_ignore_ascii_case("anywhere") {
            return (to + 1, Place::Anywhere);
        }
        return (to, Place::Unsaid);
    }
    let skip = usize::from(article.is_match(at(to + 1)) || own.is_match(at(to + 1)));
    let noun = at(to + 1 + skip);
    if noun.is_empty() {
        (to, Place::Unsaid)
    } else if own.is_match(at(to + 1)) && pattern!(r"(?i)^(?:in|on|around)$").is_match(at(to)) {
        (to + 3, Place::Part)
    } else if anywhere.is_match(noun) {
        (to + 2 + skip, Place::Anywhere)
    } else if part.is_match(noun)
        // "…, no cars on the road, …": nothing else is there that it could belong to.
        || alone && skip == 1 && words.len() == to + 3
    {
        (to + 2 + skip, Place::Part)
    } else {
        (to, Place::Unsaid)
    }
}

/// Where an item begins behind "or a".
fn without_article(words: &[Word<'_>], from: usize, articles: bool) -> usize {
    let extra = words.get(from).is_some_and(|word| {
        let known = if articles {
            pattern!(
                r"(?i)^(?:no|an?|any|the|ein|eine[nmrs]?|keine?[nmrs]?|une?|una?|ning[uú]na?)$"
            )
        } else {
            pattern!(r"(?i)^(?:no|any|keine?[nmrs]?)$")
        };
        known.is_match(word.text)
    });
    from + usize::from(extra)
}

/// Whether what stands behind "and" is another thing that must not be seen: bare nouns, nothing more.
fn goes_on(words: &[Word<'_>]) -> bool {
    let own = words
        .iter()
        .take_while(|word| !is_joining(bare(word.text)))
        .take(LONGEST_FURTHER + 1)
        .collect::<Vec<_>>();
    (1..=LONGEST_FURTHER).contains(&own.len())
        && own.iter().all(|word| !is_stop(bare(word.text)) && !is_style(bare(word.text)))
        && !own[0].text.ends_with("ing")
}

/// How many of the following elements go on with the list.
fn further(elements: &[(&str, &str)]) -> usize {
    let mut count = 0;
    let mut surely = 0;
    for (element, _) in elements {
        let words = words(element);
        if !leads(element, false).is_empty() || !leads(element, true).is_empty() {
            break;
        }
        let Some(first) = words.first() else { break };
        let either = words.iter().any(|word| is_either(bare(word.text)));
        let plus = words.iter().any(|word| is_joining(bare(word.text)));
        let skip = usize::from(is_joining(bare(first.text)));
        let parts: Vec<&[Word<'_>]> =
            words[skip..].split(|word| is_joining(bare(word.text))).collect();
        let short = parts.iter().all(|part| {
            let part = &part[if either { without_article(part, 0, true) } else { 0 }..];
            goes_on(part)
        });
        if !short {
            break;
        }
        count += 1;
        let known = |part: &&[Word<'_>]| part.last().is_some_and(|word| is_usual(bare(word.text)));
        if either || plus && parts.iter().any(&known) {
            surely = count;
            break;
        }
        // A bare noun goes on a list only if it is often unwanted.
        if parts.iter().all(known) && surely + 1 == count {
            surely = count;
        }
    }
    surely
}

/// Records the items of an element that goes on with a list.
fn items(element: &str, vision: &mut Vision) {
    let separators = pattern!(
        r"(?i)(?:^|\s)(?:or|nor|and|und|oder|noch|et|ou|ni|y|e|o)\s+(?:(?:no|an?|any|the)\s+)?"
    );
    for item in separators.split(element) {
        exclude(item.trim_end_matches(['.', '!', '?']), vision);
    }
}

/// What to ask for instead of a fault, for models that only understand what is present.
pub fn reversed(item: &str) -> Option<&'static str> {
    let known = [
        (
            pattern!(
                r"(?i)^(?:too )?(?:blurry|blurred|blur|out of focus|unsharp|soft focus|unscharf|verschwommen|flou|borroso|sfocato|desfocado)$"
            ),
            "sharp focus",
        ),
        (
            pattern!(
                r"(?i)^(?:too )?(?:grainy|noisy|grain|noise|pixelated|pixelation|low[- ](?:quality|res(?:olution)?)|jpeg artifacts|artifacts|compression artifacts)$"
            ),
            "clean, fine detail",
        ),
        (pattern!(r"(?i)^(?:too )?(?:dark|dim|gloomy|underexposed)$"), "bright, even exposure"),
        (
            pattern!(r"(?i)^(?:too )?(?:bright|overexposed|washed[- ]out|glaring)$"),
            "balanced exposure",
        ),
        (
            pattern!(
                r"(?i)^(?:too )?(?:distorted|deformed|disfigured|warped|malformed|distortion)$"
            ),
            "natural proportions",
        ),
        (
            pattern!(r"(?i)^(?:too )?(?:oversaturated|garish|saturated|colou?rful|gaudy)$"),
            "restrained colours",
        ),
        (
            pattern!(r"(?i)^(?:too )?(?:cluttered|busy|crowded|messy|clutter)$"),
            "an uncluttered frame",
        ),
        (pattern!(r"(?i)^(?:too )?(?:cropped|cut off)$"), "the whole subject in frame"),
        (pattern!(r"(?i)^(?:too )?(?:shaky|jittery|shaking|jitter)$"), "steady motion"),
        (pattern!(r"(?i)^(?:too )?(?:flickering|flicker)$"), "constant light"),
    ];
    known.into_iter().find(|(words, _)| words.is_match(item.trim())).map(|(_, instead)| instead)
}

/// Whether an exclusion is a quality, which nothing can be free of: "not ugly".
pub fn is_quality(item: &str) -> bool {
    pattern!(r"(?i)^(?:too |very )?(?:\w+(?:y|ish|ous|ful|ed|istic|like)|ugly|sad|dark|modern|old|flat)$").is_match(item.trim())
        && !pattern!(r"(?i)^(?:\w*(?:ity|body|berry|baby|city|party|lady|toy|boy|ray|tray|sky|key|jewell?ery|pottery|greenery|scenery|imagery|machinery|bed|seed|weed|shed|reed|feed|red|fish|dish|brush|jewelry|photography|typography|calligraphy|pony|pastry|ivy|body|family|puppy|kitty|daisy|cherry|candy|fairy|army|navy|enemy|chimney|monkey|donkey|turkey|whiskey|money|honey|trolley|alley|valley|belfry|balcony|memory|story|gallery|library|battery|butterfly|fly|display|railway|highway|gray|clay|hay|spray|subway|doorway|runway|jelly|buggy|taxi))$").is_match(item.trim())
}

fn exclude(item: &str, vision: &mut Vision) {
    let item = pattern!(r"(?i)^(?:(?:any|an?|the|some|des?) |d['’])")
        .replace(item.trim(), "")
        .into_owned();
    let item = framing::name_of(&item).map_or(item, str::to_owned);
    if !item.is_empty() && !vision.exclusions.iter().any(|known| known.eq_ignore_ascii_case(&item))
    {
        vision.exclusions.push(item);
    }
}

/// A word with its place.
struct Word<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    /// Whether a sentence or part of one ends with it.
    closes: bool,
}

fn words(text: &str) -> Vec<Word<'_>> {
    pattern!(r"\S+")
        .find_iter(text)
        .take(LONGEST_LIST)
        .map(|found| Word {
            text: found.as_str(),
            start: found.start(),
            end: found.end(),
            closes: found.as_str().ends_with(['.', '!', '?', ':', ';', ')', '。', '！', '？']),
        })
        .collect()
}

fn bare(word: &str) -> &str {
    word.trim_matches(['.', '!', '?', ':', ';', ')', '('])
}

/// "And" and "or" in the languages that goals come in.
fn is_joining(word: &str) -> bool {
    is_either(word)
        || matches!(word.to_lowercase().as_str(), "and" | "und" | "et" | "y" | "e" | "и" | "&")
}

fn is_either(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "or" | "nor" | "oder" | "noch" | "ou" | "ni" | "o" | "né" | "или"
    )
}

/// Articles, numbers, prepositions and pronouns, with which something new begins.
fn is_stop(word: &str) -> bool {
    pattern!(
        r"(?xi)^(?:
        an?|the|one|two|three|four|five|six|ten|\d\S*|this|that|these|those|it|he|she|they|who|which|where|while|when|because|so|then|please|just|only|instead|but|
        in|inside|on|at|with|behind|around|under|underneath|beneath|near|beside|by|as|from|through|during|over|above|across|between|among|against|into|onto|within|before|after|for|to|until|along|upon|towards?|like|is|are|has|have|
        ein|eine[nmrs]?|der|die|das|dem|den|im|am|an|auf|mit|bei|unter|über|vor|hinter|neben|zwischen|aus|während|als|wie|beim|vom|zum|zur|steht|sitzt|geht|läuft|bitte|nur|sondern|aber|für|nach|
        dans|sur|avec|sous|devant|derrière|au|aux|à|en|près|pendant|qui|une?|les?|comme|mais|chez|vers|par|pour|
        sobre|con|bajo|ante|junto|a|al|durante|que|una?|los|las|el|pero|entre|como|para|por|hacia|desde|
        su|nel|nella|nello|sul|sulla|sotto|davanti|dietro|com|em|na|no|nos|nas|sob|num|numa|
        на|в|с|под|у)$"
    )
    .is_match(word)
}

/// Verbs that go on with the subject of the sentence.
fn is_verb(word: &str) -> bool {
    pattern!(r"(?i)^(?:walks?|runs?|stands?|sits?|looks?|rides?|drives?|holds?|plays?|dances?|swims?|flies|sleeps?|reads?|cooks?|eats?|drinks?|smiles?|lies|jumps?|waits?|works?|leans?|turns?|moves?|rises?|falls?|glides?|drifts?|crosses|enters|leaves|opens|sails?|floats?)$")
        .is_match(word)
}

/// Words about medium, light and format, which are wanted wherever they stand.
fn is_style(word: &str) -> bool {
    pattern!(
        r"(?xi)^(?:
        water-?colou?rs?|oils?|paint(?:ing|ed)|photo\w*|illustrat\w+|\S*style|styled|render\w*|sketch\w*|drawing|drawn|pencil|ink|charcoal|cinematic|realis\w+|hyperrealis\w+|minimal\w*|vintage|retro|anime|manga|cartoon|comic|3d|2d|4k|8k|hd|lighting|light|lit|sunset|sunrise|sunny|night|day|daylight|dawn|dusk|golden|hour|morning|evening|close-?up|wide|macro|aerial|portrait|landscape|vertical|horizontal|square|format|mood|moody|bokeh|lens|\d+mm|soft|warm|cool|bright|dark|vivid|muted|pastel\w*|monochrome|black-and-white|high|detailed|sharp|focus|calm|cozy|cosy|dramatic|serene|modern|noir|pixel|vector|flat|gouache|acrylic|engraving|linocut|woodcut|film|analog\w*|polaroid|documentary|slow|shot|camera|colou?rs?|
        aquarell\w*|ölgemälde|öl\w*|\S*stil|nacht|nachts|licht|abend\w*|morgen\w*|foto\w*|zeichnung|skizze|realistisch|weich\w*|warm\w*|querformat|hochformat|farben|
        aquarelle|peinture|huile|nuit|lumière|soir|matin|réaliste|dessin|douce|
        acuarela|óleo|pintura|estilo|noche|luz|atardecer|amanecer|realista|dibujo|ilustración|suave|
        acquerello|olio|notte|luce|aquarela|noite)$"
    )
    .is_match(word)
}

/// Things that pictures are often wanted without.
fn is_usual(word: &str) -> bool {
    pattern!(
        r"(?xi)^(?:
        texts?|watermarks?|logos?|people|persons?|humans?|crowds?|cars?|vehicles?|traffic|signs?|signage|letter(?:s|ing)?|words?|captions?|subtitles?|signatures?|borders?|frames?|blur\w*|noise|grain|artifacts?|hands?|fingers?|shadows?|animals?|wires?|cables?|lines|clutter|props?|faces?|weapons?|guns?|blood|glasses|hats?|writing|numbers?|flicker|distortion|reflections?|lens-?flares?|
        menschen|leute|personen|autos?|schilder|schrift|wasserzeichen|logos?|
        personnes?|gens|voitures?|panneaux|textes?|filigranes?|
        personas|gente|coches|carteles|textos?|letras|pessoas|carros|persone|macchine|testo)$"
    )
    .is_match(word)
}
