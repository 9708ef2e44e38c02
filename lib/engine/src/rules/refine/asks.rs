//! Telling what a point of the feedback asks for.

use super::points::Point;
use super::steering;
use super::{instead, settings, target, variable};
use crate::TargetModel;
use crate::rules::wording::tag_named;
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
    let lead = pattern!(r"(?ix)^(?:{refine_asks.lead_word}[,:]?\s+|{refine_asks.lead_reply},\s+)+");
    let polite = pattern!(r"(?ix)^{refine_asks.polite}\s+");
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
        if rest.trim().is_empty() || pattern!(r"(?i)^{refine_asks.modal}\w*\b").is_match(rest) {
            break;
        }
        text = rest.trim_start();
    }
    let tail = pattern!(r"(?i)[,]?\s+{refine_asks.courtesy_tail}[?.!]*$");
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
    if pattern!(r"(?i)^{refine_asks.keep}$").is_match(text) {
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
        || pattern!(r"(?i)^{refine_asks.signature}(?:,?\s+(?-i:\p{Lu}\p{L}+)){0,2}$").is_match(text)
        || pattern!(r"(?i)^(?:{refine_asks.remark}[,.! ]*)+$").is_match(text)
}

fn is_improvement(text: &str) -> bool {
    pattern!(r"(?i)^{refine_asks.improvement}$").is_match(text)
}

/// Replacing, exchanging and removing.
fn wording(text: &str) -> Option<Ask> {
    if let Some((old, new, quoted)) = exchange(text) {
        return Some(Ask::Replace { old, new, quoted });
    }
    if let Some(found) = pattern!(r#"(?i)^{refine_asks.change_verb} (?:{refine_common.article_or_possessive} )?(?P<noun>[\p{L}][\p{L} '’-]{1,40}?) {refine_asks.change_to} (?P<v>.{1,120})$"#).captures(text)
        && tag_named(found["v"].trim()).is_none()
        && !pattern!(r"(?i)^{refine_asks.change_nothing}$").is_match(&found["noun"])
    {
        let noun = found["noun"].trim().to_owned();
        let value = unquoted(&found["v"]).to_owned();
        let value_only = value.trim_end_matches('.').to_owned();
        if let Some(ask) = slot(&noun, &value_only) {
            return Some(ask);
        }
        return Some(Ask::Value { noun, value: value_only });
    }
    if let Some(found) =
        pattern!(r"(?i)^(?P<v>{refine_asks.role} .{3,200}?)(?: {refine_asks.role_tail})?$")
            .captures(text)
    {
        return Some(Ask::Role(found["v"].to_owned()));
    }
    if let Some(found) = pattern!(r"(?i)^(?:{refine_asks.count_verb} )?(?P<n>\d{1,4}) (?P<noun>[\p{L}-]{3,})(?: {refine_asks.count_tail})?$").captures(text)
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
            pattern!(r"(?i)^(?:{refine_asks.tone_lead} )?(.+?)(?: {refine_asks.tone_noun})?$")
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
            r"(?i)^{refine_asks.replace_verb}(?: {refine_asks.replace_all})?(?: {refine_asks.replace_mentions})? (?:{refine_asks.replace_word} )?(?P<old>.{1,200}?) {refine_asks.replace_with} (?:{refine_asks.replace_word} )?(?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^{refine_asks.wish_verb} (?P<new>.{1,200}?),? {refine_asks.and_not} (?P<old>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^{refine_asks.meant_for} (?P<new>[^,]{1,80}),? {refine_asks.not_for} (?P<old>[^,]{1,80})$"
        ),
        pattern!(
            r"(?i)^(?:{refine_asks.wish} )?(?P<new>.{1,200}?),? {refine_asks.instead_of} (?P<old>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^{refine_asks.not} (?P<old>[^,.;]{2,60}?)(?:, (?:{refine_asks.but} )?| {refine_asks.but} )(?P<new>[^,.;]{2,60})$"
        ),
        pattern!(
            r"(?i)^{refine_asks.instead_lead} (?P<old>.{1,200}?),? {refine_asks.instead_verb} (?P<new>.{1,200}?)$"
        ),
        pattern!(
            r#"(?i)^{refine_asks.correct_verb} (?:{refine_asks.replace_word} )?(?P<old>["“„«'‘`].{1,200}?["”“»'’`]) {refine_asks.into} (?P<new>.{1,300})$"#
        ),
        pattern!(
            r"^{refine_asks.capital_verb} (?:{refine_asks.from} )?(?P<old>\p{Lu}[\p{L}\d.-]*(?: \p{Lu}[\p{L}\d.-]*){0,3}|\d[\d.,:/%€$£]*(?: \p{L}+)?) {refine_asks.into} (?P<new>.{1,80})$"
        ),
        pattern!(
            r"(?i)^{refine_asks.german_replace} (?:{refine_asks.german_word} )?(?P<old>.{1,200}?) {refine_asks.german_with} (?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^(?:{refine_asks.german_wish} )?(?P<new>.{1,200}?) {refine_asks.german_instead_of} (?P<old>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^{refine_asks.german_instead_of} (?P<old>.{1,200}?) {refine_asks.german_use} (?P<new>.{1,200}?)$"
        ),
        pattern!(
            r"(?i)^{refine_asks.french_replace} (?:{refine_asks.french_word} )?(?P<old>.{1,200}?) {refine_asks.french_with} (?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^{refine_asks.romance_replace} (?:{refine_asks.romance_word} )?(?P<old>.{1,200}?) {refine_asks.romance_with} (?P<new>.{1,300})$"
        ),
        pattern!(
            r"(?i)^(?P<new>.{1,200}?),? {refine_asks.romance_instead_of} ?(?P<old>.{1,200}?)$"
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
    let refers = pattern!(r"(?i)^{refine_asks.refers}$");
    let forms = instead::is_wish(text) && settings::is_format(old) && settings::is_format(new);
    let sets = !quoted
        && !forms
        && (refers.is_match(old) || setting(old).is_some() && setting(new).is_some());
    (!sets && !old.is_empty() && !new.is_empty() && old != new)
        .then(|| (old.to_owned(), new.to_owned(), quoted))
}

fn removal(text: &str) -> Option<Ask> {
    let found = pattern!(
        r"(?ix)^{refine_asks.remove}\ (?P<v>.{1,300}?)(?:\ {refine_asks.remove_particle})?$"
    )
    .captures(text)?;
    let what =
        pattern!(r"(?i)\s+{refine_asks.removed_from}$").replace(&found["v"], "").into_owned();
    if pattern!(r"(?i)^{refine_asks.removed_nothing}$").is_match(what.trim()) {
        return Some(Ask::Unclear);
    }
    if pattern!(r"(?i)^(?:{refine_asks.all} )*{refine_asks.emoji}$").is_match(&what) {
        return Some(Ask::NoEmojis);
    }
    let part = pattern!(
        r"(?i)^(?:{refine_asks.part_article} )?(?:(?:{refine_asks.whole} )?{refine_asks.part}) (?:{refine_asks.about} )?(?P<v>.+)$"
    );
    let what = pattern!(
        r"(?i)^(?:{refine_asks.word_article} )?{refine_asks.word}(?: [:：])? (?P<v>[\x22“„«'‘`].+)$"
    )
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
        pattern!(r"(?i)^(?:{refine_asks.article} ?\b\s*)+").replace(bare, "").into_owned()
    };
    (bare.chars().filter(|c| c.is_alphanumeric() || !c.is_ascii()).count() > 0)
        .then_some(Ask::Remove { what: bare, quoted, part })
}

/// A text without the quotation marks around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim().trim_end_matches(',');
    let scanned = text::literals::scan(text);
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
    let lead = pattern!(r"(?ix)^{refine_asks.setting_lead}\ ");
    let bare = lead.find(text).map_or(text, |found| &text[found.end()..]).trim();
    let mild = pattern!(r"(?i)^(?:{refine_asks.mild} )");
    let bare = mild.find(bare).map_or(bare, |found| &bare[found.end()..]);
    let is = |pattern: Pattern| pattern.is_match(bare) || pattern.is_match(text);
    if let Some(target) = target::named(text) {
        return Some(Ask::Target(target));
    }
    if pattern!(
        r"(?i)^{refine_asks.translate} (?:{refine_asks.translated_article} )?{refine_asks.prompt}\b"
    )
    .is_match(text)
    {
        return Some(Ask::Translate);
    }
    if let Some(ask) = language(text) {
        return Some(ask);
    }
    if pattern!(r"(?i)^{refine_asks.structure_verb} ?(?:{refine_asks.structure_quantity} )*{refine_asks.structure_noun}(?: {refine_common.added_particle})?$|^{refine_asks.structured}$").is_match(bare)
        || pattern!(r"(?i)^{refine_asks.structure_it}$").is_match(text)
    {
        return Some(Ask::Structure);
    }
    let emoji =
        pattern!(r"(?i)^{refine_asks.no_emojis} ?(?:{refine_asks.any} )?{refine_asks.emoji}$");
    if emoji.is_match(text) {
        return Some(Ask::NoEmojis);
    }
    let limit = pattern!(r"(?i)\b{refine_asks.not_more_than}\b");
    let bare = &*limit.replace(bare, "at most");
    if let Some(percent) = settings::scale(bare) {
        return Some(Ask::Scale(percent));
    }
    let found = settings::lengths(bare);
    if let [length] = &found[..] {
        let around = format!("{}{}", &bare[..length.range.start], &bare[length.range.end..]);
        if pattern!(r"(?ix)^[\s.,:]*(?:{refine_asks.length_words}[\s.,:]*)*$").is_match(&around) {
            return Some(Ask::Length(length.clone()));
        }
    }
    if is(pattern!(r"(?i)^{refine_asks.shorter}$")) {
        return Some(Ask::Shorter);
    }
    if is(pattern!(r"(?i)^{refine_asks.longer}$")) {
        return Some(Ask::Longer);
    }
    if is(pattern!(r"(?i)^{refine_asks.specific}$")) {
        return Some(Ask::Specific);
    }
    if is(pattern!(r"(?i)^{refine_asks.simpler}$")) {
        return Some(Ask::Simpler);
    }
    if is(pattern!(r"(?i)^{refine_asks.examples}$")) {
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
    // A name alone: "German", "Make it German".
    let named = pattern!(r"(?i)^{refine_apply.make_it} (?-i:(?P<l>\p{Lu}\p{L}+))$");
    let name = named.captures(text).and_then(|found| found.name("l")).map(|name| name.as_str());
    if let Some(name) = name.or_else(|| text.starts_with(char::is_uppercase).then_some(text))
        && let Some(tag) = tag_named(name)
    {
        return Some(Ask::Language(tag, false));
    }
    let found = pattern!(r"(?ix)^(?P<verb>(?:{refine_asks.answer_in}|{refine_asks.answer_verb}(?:{refine_asks.answer_clitic}|\ {refine_asks.answer_object})?)\ )?{refine_asks.language_preposition}\ (?P<l>[\p{L}]+)(?:\ {refine_asks.language_tail})*$")
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
    let answers = pattern!(r"^{refine_asks.translate_answer}").is_match(&verb);
    let translates = pattern!(r"^{refine_asks.translate_stem}").is_match(&verb);
    Some(Ask::Language(tag, translates && !answers))
}

fn audience(text: &str) -> Option<String> {
    let labelled = pattern!(r"(?i)^{refine_asks.audience_label} (?P<v>.{2,100})$");
    if let Some(found) = labelled.captures(text) {
        return Some(found["v"].trim().to_owned());
    }
    let found = pattern!(r"(?i)^(?:{refine_asks.audience_verb}(?:[- ]{refine_asks.audience_object})? (?:{refine_asks.suitable} )?)?{refine_asks.readers} (?P<v>[^,;:]{3,90})$")
    .captures(text)?;
    let who = found["v"].trim();
    let people = pattern!(
        r"(?i)(?:\b{refine_asks.people}\b|^(?:{refine_asks.people_article} )?(?-i:\p{Lu}\p{Ll}{2,}){refine_asks.people_capital_ending}$|^[\p{L}' -]+{refine_asks.people_ending}$)"
    );
    (people.is_match(who) && who.split_whitespace().count() <= 12)
        .then(|| pattern!(r"(?i)\s+{refine_asks.instead}$").replace(who, "").into_owned())
}

fn format(text: &str) -> Option<String> {
    let found = pattern!(r"(?i)^(?:{refine_asks.format_verb}(?:[- ]{refine_asks.format_object})? )?(?:{refine_asks.format_as} )?(?:{refine_asks.format_article} )*(?P<v>[\p{L}-]+(?: [\p{L}-]+){0,2}?)(?: {refine_asks.format_tail})*$")
        .captures(text)?;
    let value = found["v"].trim();
    settings::is_format(value).then(|| value.to_owned())
}

fn tone(bare: &str, text: &str) -> Option<String> {
    let much = pattern!(
        r"(?i)\b{refine_asks.judged} {refine_asks.judged_is} (?:{refine_asks.judged_degree} )?{refine_asks.too} (?P<v>[\p{L}-]{4,30})$"
    );
    let measures = pattern!(r"(?i)^{refine_asks.measures}$");
    if let Some(found) = much.captures(text)
        && !measures.is_match(&found["v"])
    {
        return Some(format!("less {}", &found["v"]));
    }
    let labelled = pattern!(
        r"(?i)^(?:(?:{refine_asks.tone_article} )?{refine_asks.tone_word}(?: {refine_asks.tone_is}| ?:)?[:]?) +(?P<v>[\p{L} ,-]{3,60})$"
    );
    if let Some(found) = labelled.captures(text) {
        return Some(
            pattern!(r"(?i) {refine_common.be_at_end}$")
                .replace(found["v"].trim(), "")
                .into_owned(),
        );
    }
    let found = pattern!(r"(?i)^(?P<v>(?:{refine_asks.tone_degree} )?[\p{L}-]+(?:(?:,| {refine_asks.tone_and}) [\p{L}-]+){0,2})(?: {refine_asks.tone_tail})?$")
        .captures(bare)?;
    let value = found["v"].trim();
    let comparative = pattern!(r"(?i)^{refine_asks.comparative}$");
    let known = value.split([' ', ',']).any(settings::is_tone);
    let too = pattern!(r"(?i)^{refine_asks.too_much}\s+").find(value);
    match too {
        Some(found) if known => Some(format!("less {}", &value[found.end()..])),
        None if known || comparative.is_match(value) => Some(value.to_owned()),
        _ => None,
    }
}

/// What must be in the answer, what must not, and other instructions.
fn content(text: &str) -> Ask {
    let lacks = pattern!(
        r"(?i)^(?:{refine_asks.lacking_subject} )?{refine_asks.lacking_not} {refine_asks.lacking_verb} (?:{refine_asks.lacking_any} )?(?P<v>.{2,200})$|^{refine_asks.there_is_no} (?:{refine_asks.lacking_article} )?(?P<w>.{2,200})$"
    );
    if let Some(found) = lacks.captures(text)
        && let Some(what) = found.name("v").or(found.name("w"))
    {
        return Ask::Include(what.as_str().trim().to_owned());
    }
    let says = pattern!(
        r"(?i)^{refine_asks.say_verb} {refine_asks.that} (?P<v>{refine_asks.statement_subject}\b.{2,400})$"
    );
    if let Some(found) = says.captures(text) {
        return Ask::Requirement(found["v"].to_owned());
    }
    let adds = pattern!(
        r"(?i)^{refine_asks.include_verb} (?P<v>.{2,400}?)(?: {refine_asks.include_tail})?$"
    );
    let german = pattern!(
        r"(?i)^{refine_asks.separable_verb} (?P<v>.{2,400}?) {refine_asks.separable_particle}$"
    );
    if let Some(found) = german.captures(text).or_else(|| adds.captures(text)) {
        return Ask::Include(found["v"].trim().to_owned());
    }
    let shuns = pattern!(r"(?i)^(?:{refine_asks.avoid} )(?P<v>.{2,300})$");
    if let Some(found) = shuns.captures(text) {
        return Ask::Exclude(found["v"].trim().to_owned());
    }
    // Only the history has earlier versions.
    let undoes = pattern!(r"(?i)^{refine_asks.undo}\b");
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
    let judges = pattern!(r"(?i)\b{refine_asks.judging}\b");
    let tells = pattern!(r"(?i)\b{refine_asks.own}\b|\d|\S \p{Lu}\p{Ll}");
    text.split_whitespace().count() >= 3
        && !text.contains('?')
        && !judges.is_match(text)
        && tells.is_match(text)
}

/// Whether a sentence demands something definite. What describes or judges does not: "the intro is weak".
fn is_instruction(text: &str) -> bool {
    let refers = pattern!(r"(?i)^\p{L}+(?: {refine_asks.refer_object})?$");
    if text.is_ascii() && refers.is_match(text) {
        return false;
    }
    let demands = pattern!(r"(?i)\b{refine_asks.demand}\b");
    let describes = pattern!(r"(?i)^{refine_asks.description}(?:\s|['’]|$)");
    demands.is_match(text) || !describes.is_match(text)
}
