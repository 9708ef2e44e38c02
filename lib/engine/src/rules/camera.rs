//! Camera moves that a goal for a clip names.

use std::ops::Range;

use super::framing;
use super::quotes::Quotes;
use patterns::pattern;

/// Reads the camera moves of a clip. Where each shot has its own, all are taken out of the text if there are
/// several; elsewhere only one stays, in its place: the one said to be the main one, or the first. Gives
/// the moves that stay and those that are left out.
pub fn settle(
    subject: &mut String,
    details: &mut [String],
    shot_list: bool,
) -> (Vec<String>, Vec<String>) {
    let mut texts: Vec<&mut String> = [subject].into_iter().chain(details.iter_mut()).collect();
    let masked: Vec<(String, Quotes)> = texts.iter().map(|text| Quotes::mask(text, true)).collect();
    let found: Vec<Vec<Move>> = masked.iter().map(|(text, _)| moves(text)).collect();
    let all: Vec<(usize, &Move)> = found
        .iter()
        .enumerate()
        .flat_map(|(index, list)| list.iter().map(move |found| (index, found)))
        .collect();
    if all.len() < 2 {
        return (all.into_iter().map(|(_, found)| found.words.clone()).collect(), Vec::new());
    }
    let kept = all.iter().position(|(_, found)| found.main).unwrap_or(0);
    let (mut stays, mut left_out) = (Vec::new(), Vec::new());
    let mut cuts: Vec<Vec<Range<usize>>> = vec![Vec::new(); masked.len()];
    for (position, (index, found)) in all.iter().enumerate() {
        if shot_list {
            stays.push(found.words.clone());
        } else if position == kept {
            stays.push(found.words.clone());
            continue;
        } else {
            left_out.push(found.words.clone());
        }
        cuts[*index].push(found.place.clone());
    }
    for (text, ((masked, quotes), cuts)) in texts.iter_mut().zip(masked.iter().zip(&cuts)) {
        if cuts.is_empty() {
            continue;
        }
        let mut rest = String::new();
        let mut end = 0;
        for cut in cuts {
            joined(&mut rest, &masked[end..cut.start]);
            end = cut.end;
        }
        joined(&mut rest, &masked[end..]);
        let rest = pattern!(r"(?i)(?:^|[,;.]?\s+)(?:and then|then|and|finally|while|as|followed by|before)\s*(?P<end>[,;.]|$)")
            .replace_all(&rest, "$end");
        **text = quotes.unmask(&framing::mended(&rest));
    }
    (stays, left_out)
}

/// Adds what follows a cut, set apart from what precedes it.
fn joined(text: &mut String, more: &str) {
    if !text.is_empty()
        && !text.ends_with([' ', ',', ';'])
        && more.starts_with(|c: char| c.is_alphanumeric())
    {
        text.push_str(", ");
    }
    text.push_str(more);
}

/// A camera move with its place in the text.
struct Move {
    words: String,
    place: Range<usize>,
    /// Whether it is said to be the main one.
    main: bool,
}

/// The moves of a text, at most one in each part of a sentence.
fn moves(text: &str) -> Vec<Move> {
    let boundary = pattern!(
        r"(?i)[,;]\s+|[.:]\s+|\s+(?:and then|then|and finally|finally|followed by|before|after which|while|as|and)\s+"
    );
    let mut found = Vec::new();
    let mut start = 0;
    let mut from = 0;
    for mark in boundary.find_iter(text) {
        found.extend(read(text, start, from..mark.start()));
        (start, from) = (mark.start(), mark.end());
    }
    found.extend(read(text, start, from..text.len()));
    // "A slow zoom in … the camera zooms in" is one move.
    let mut kinds = Vec::new();
    found.retain(|found: &Move| {
        let kind = kind(&found.words);
        let fresh = !kinds.contains(&kind);
        kinds.push(kind);
        fresh
    });
    found
}

/// Reads one part of a sentence; `start` is where the words that join it to what precedes begin.
fn read(text: &str, start: usize, part: Range<usize>) -> Option<Move> {
    let words = &text[part.clone()];
    let pattern = pattern!(
        r"(?i)\b(?:(?:with|in|using|by|via|as) )?(?:(?:an?|the|one|single) )?(?:(?:main|primary|slow|smooth|gentle|quick|fast|subtle|steady|slowly|smoothly|quickly|gently|long|cinematic|dramatic|sweeping|low|high|wide|continuous|final|second|first) )*(?:camera (?:slowly |gently |smoothly |quickly |then )*(?:move(?:ment)?:? |moves?:? )?(?:does |performs )?(?:an? )?(?:slow |quick |smooth )*(?:circl\w+|orbit\w*|follow\w*|track\w*|pan\w*|tilt\w*|zoom\w*|push\w*|pull\w*|glid\w+|ris\w+|moves?|mov\w+|fl(?:y|ies|ying)|descend\w*|cran\w+|doll\w+|truck\w*|slid\w+|arc\w*|rotat\w+|sweep\w*|stays?|static|swings?|whips?|rolls?|drifts?)|dolly(?:ing)?(?:[ -](?:in|out|zoom|shot|forward|back))?|push(?:es|ing)?[ -]in|pull(?:s|ing)?[ -](?:back|out)|whip[ -]pan|pans?|panning|tilts?|tilting|tracking shot|truck(?:ing)? (?:left|right|shot)|cranes?(?: (?:shot|up|down))|orbit(?:s|ing)?(?: shot)?|drone (?:shot|flight|flyover)|zoom(?:s|ing)?(?:[ -](?:in|out))?|arc shot|static (?:shot|camera)|locked-off(?: (?:shot|camera))?|follow shot|360[- ]degree (?:spin|turn|shot|orbit))\b(?: camera)?(?: (?:shot|move|movement))?"
    );
    let found = pattern.find(words)?;
    let before = words[..found.start()].trim();
    // "Frying pans" and "she tilts her head" are no camera moves.
    let bare = pattern!(r"(?i)^(?:pans?|tilts?|tilting|zooms?|zooming|orbits?|orbiting|push\w*[ -]in|pull\w*[ -](?:back|out)|panning)$").is_match(found.as_str());
    let fillers =
        pattern!(r"(?i)^(?:(?:the|a|an|it|we|and|then|with|camera|slowly|quickly|finally) ?)*$")
            .is_match(before);
    let direction = pattern!(r"(?i)^(?:\s+(?:left|right|up|down|in|out|across|over|around|to|into|toward|away|back|along|from|upwards?|downwards?)\b|\s*$)").is_match(&words[found.end()..]);
    if bare && !(fillers && direction) {
        return None;
    }
    let opens = before.is_empty() || pattern!(r"(?i)^(?:the|a|an|and|then|with|finally|main(?:ly)?|mostly|primarily|first|camera:?|move:?) ?(?:the |a |an |with |move:? )*$").is_match(before);
    let after = &words[found.end()..];
    let shows = pattern!(
        r"(?i)^\s+(?:(?:in|out|up|down|left|right|back)\s+)?(?:of|showing|revealing|(?:to|and) reveals?|following|on|onto|to|into|over|across|past|towards?|along|through|around)\s+(?:an? |two |three |four |five |several |some )"
    );
    let (begin, end) = if let Some(shown) = shows.find(after) {
        // What the shot shows for the first time is no part of the move.
        let article = shown.as_str().trim_end().rfind(' ').map_or(shown.end(), |at| at + 1);
        (if opens { start } else { part.start + found.start() }, part.start + found.end() + article)
    } else if let Some(of) = pattern!(r"^ (?:of|showing) ").find(after) {
        // What the shot shows is no part of the move.
        (
            if opens { start } else { part.start + found.start() },
            part.start + found.end() + of.end(),
        )
    } else if opens {
        (start, part.end)
    } else {
        (part.start + found.start(), part.start + found.end())
    };
    let shown =
        if opens && end == part.end && !shows.is_match(after) { words } else { found.as_str() };
    let shown =
        pattern!(r"(?i)^(?:(?:and|then|finally|with|in|using|by|via|an?|the|as|camera:) )+")
            .replace(shown.trim(), "");
    let shown = shown.trim_end_matches(['.', '!', ' ']).to_owned();
    (!shown.is_empty()).then(|| Move {
        words: shown,
        place: begin..end,
        main: pattern!(r"(?i)\b(?:main(?:ly)?|mostly|primar(?:y|ily)|above all|most important)\b")
            .is_match(words),
    })
}

fn kind(words: &str) -> String {
    let lower = words.to_lowercase();
    pattern!(r"circl|orbit|follow|track|pan|tilt|zoom|push|pull|doll|crane|truck|drone|arc|static|locked|ris|descend|fl[yi]|glid|slid|360|roll")
        .find(&lower)
        .map_or(lower.clone(), |found| found.as_str().to_owned())
}

/// Whether a goal in another language than English names a camera move.
pub fn is_named_abroad(lower: &str) -> bool {
    pattern!(r"kamera|schwenk|zoom|caméra|travelling|panoramique|cámara|panorámica|paneo|telecamera|carrellata|câmera|カメラ|ズーム|パン(?:して|する)|镜头|鏡頭|航拍|推近|拉远")
        .is_match(lower)
}
