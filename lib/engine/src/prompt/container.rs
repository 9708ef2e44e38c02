//! What a prompt stands in: plain text, front matter with a body, chat messages, role markers.
//!
//! A container is recognised by its form alone and stays byte for byte. Changes happen inside one of its [texts](Text).

use std::collections::BTreeMap;
use std::ops::Range;

use patterns::{Pattern, pattern};
use serde_json::value::RawValue;

/// Who speaks in a text of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Instructions that stand above the conversation, or a prompt that is no conversation.
    System,
    /// The user, or what the model is to work on.
    User,
    /// The model: an example of an answer, or the beginning of the one that is wanted.
    Assistant,
    /// Names and settings around the prompt: front matter, fields of an object.
    Setting,
}

/// A text of a prompt, as its author reads it.
#[derive(Clone, Debug)]
pub struct Text {
    /// Who speaks.
    pub role: Role,
    /// Where it stands in the whole, in bytes.
    pub range: Range<usize>,
    /// The text without escapes.
    pub text: String,
    /// Of a string in JSON: the offset in the whole for each byte of the text, and for its end.
    places: Option<Vec<usize>>,
}

/// A prompt with its texts.
#[derive(Debug)]
pub struct Container<'a> {
    whole: &'a str,
    texts: Vec<Text>,
}

/// Whether a prompt has marks that only chat templates have.
const SPECIAL: Pattern = pattern!(r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>");

/// Marks and lines behind which another role speaks.
const TURNS: Pattern = pattern!(
    r"(?im)<\|im_start\|>[ \t]*[a-z]+[ \t]*\n?|<\|start_header_id\|>[a-z]+<\|end_header_id\|>\s*|<\|(?:system|user|assistant)\|>\n?|<\|(?:im_end|eot_id|end|begin_of_text|end_of_text|endoftext)\|>|\[INST\][ \t]*|\[/INST\]|<<SYS>>\s*|<</SYS>>|^[ \t]*#{2,4}[ \t]*(?:system|user|human|instructions?|input|response|assistant|output|answer)[ \t]*[:：][ \t]*$|^(?:system|user|human|assistant)[ \t]*:[ \t]*$|^(?-i:(?:System|SYSTEM|User|USER|Human|Assistant|ASSISTANT)):[ \t]*"
);

impl<'a> Container<'a> {
    /// Recognises the container of a prompt.
    pub fn of(whole: &'a str) -> Self {
        budget::spend(whole.len());
        let texts = json(whole).unwrap_or_else(|| {
            let body = front_matter(whole);
            let mut texts: Vec<Text> =
                body.iter().map(|body| plain(whole, Role::Setting, 0..*body)).collect();
            let body = body.unwrap_or_default();
            match turns(whole, body) {
                Some(turns) => texts.extend(turns),
                None => texts.push(plain(whole, Role::System, body..whole.len())),
            }
            texts
        });
        Self { whole, texts }
    }

    /// The prompt itself.
    pub fn whole(&self) -> &'a str {
        self.whole
    }

    /// Whether nothing stands around its one text.
    pub fn is_plain(&self) -> bool {
        matches!(self.texts.as_slice(), [text] if text.range.len() == self.whole.len())
    }

    /// Whether it is a chat in YAML, which a program reads by its lines.
    pub fn is_yaml(&self) -> bool {
        self.is_plain() && pattern!(r"(?m)^[ \t]*(?:- )?(?:messages|role):").is_match(self.whole)
    }

    /// Whether it is an object or a list in JSON.
    pub fn is_object(&self) -> bool {
        self.texts.iter().any(|text| text.places.is_some())
    }

    /// The texts in their order.
    pub fn texts(&self) -> &[Text] {
        &self.texts
    }

    /// The text that has the instructions: the system's, else the first of the user.
    pub fn instructions(&self) -> Option<usize> {
        let speaks = |text: &Text, role| text.role == role && text::is_visible(&text.text);
        let says = |role| self.texts.iter().position(|text| speaks(text, role));
        says(Role::System).or_else(|| says(Role::User))
    }

    /// Where a range of a text stands in the whole.
    pub fn span(&self, text: usize, range: &Range<usize>) -> Range<usize> {
        let text = &self.texts[text];
        match &text.places {
            Some(places) => places[range.start]..places[range.end],
            None => text.range.start + range.start..text.range.start + range.end,
        }
    }

    /// Words as they are written in a text of the whole.
    pub fn written(&self, text: usize, words: &str) -> String {
        if self.texts[text].places.is_none() {
            return words.to_owned();
        }
        let quoted = serde_json::to_string(words).unwrap_or_default();
        quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned()
    }
}

fn plain(whole: &str, role: Role, range: Range<usize>) -> Text {
    let text = whole[range.clone()].to_owned();
    Text { role, text, range, places: None }
}

/// Where the body begins behind front matter.
fn front_matter(whole: &str) -> Option<usize> {
    let found = pattern!(r"^---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|$)").find(whole)?;
    let keys = pattern!(r"(?m)^[\w-]+[ \t]*:").is_match(found.as_str());
    keys.then(|| found.end())
}

/// The texts between markers of roles, from `body` on.
fn turns(whole: &str, body: usize) -> Option<Vec<Text>> {
    let found: Vec<_> = TURNS.find_iter(&whole[body..]).collect();
    let named = |mark: &str| {
        mark.to_lowercase().split(|c: char| !c.is_alphabetic() && c != '/').find_map(known_role)
    };
    let roles: Vec<Role> = found.iter().filter_map(|mark| named(mark.as_str())).collect();
    let first = roles.first()?;
    if !SPECIAL.is_match(&whole[body..]) && roles.iter().all(|role| role == first) {
        return None;
    }
    let mut texts = Vec::new();
    let (mut role, mut from) = (Role::System, body);
    let mut add = |role: Role, range: Range<usize>| {
        if text::is_visible(&whole[range.clone()]) || role == Role::Assistant {
            texts.push(plain(whole, role, range));
        }
    };
    for mark in &found {
        add(role, from..body + mark.start());
        // Behind the end of the system's part goes on who spoke around it.
        let next = if role == Role::System { Role::User } else { role };
        role = named(mark.as_str()).unwrap_or(next);
        from = body + mark.end();
    }
    add(role, from..whole.len());
    Some(texts)
}

/// The strings of a prompt that is one value of JSON, a list or an object.
fn json(whole: &str) -> Option<Vec<Text>> {
    let framed = whole.trim_start().starts_with(['{', '[']);
    let value = framed.then(|| serde_json::from_str::<&RawValue>(whole).ok()).flatten()?;
    let mut texts = Vec::new();
    strings(whole, value.get(), "", None, &mut texts);
    texts.sort_by_key(|text| text.range.start);
    Some(texts)
}

/// Adds the strings of a value that stands behind `key`, in an object of which `speaker` is the role.
fn strings(whole: &str, value: &str, key: &str, speaker: Option<Role>, texts: &mut Vec<Text>) {
    if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(value) {
        list.iter().for_each(|item| strings(whole, item.get(), key, speaker, texts));
    } else if let Ok(object) = serde_json::from_str::<BTreeMap<String, &RawValue>>(value) {
        let own = object
            .get("role")
            .map(|role| known_role(role.get().trim_matches('"')).unwrap_or(Role::User));
        for (key, value) in &object {
            strings(whole, value.get(), key, own.or(speaker), texts);
        }
    } else if value.starts_with('"') {
        let role = match (key, speaker) {
            ("content" | "text" | "parts" | "value", Some(role)) => role,
            (
                "prompt" | "system" | "instruction" | "instructions" | "template" | "systemPrompt"
                | "system_prompt",
                _,
            ) => Role::System,
            ("content" | "text" | "input" | "message" | "user", _) => Role::User,
            _ => Role::Setting,
        };
        let start = value.as_ptr().addr() - whole.as_ptr().addr() + 1;
        texts.push(unescaped(whole, role, start..start + value.len() - 2));
    }
}

fn known_role(name: &str) -> Option<Role> {
    match name {
        "system" | "developer" | "instruction" | "instructions" | "sys" => Some(Role::System),
        "assistant" | "model" | "response" | "output" | "answer" | "/inst" => Some(Role::Assistant),
        "user" | "human" | "input" | "inst" | "tool" => Some(Role::User),
        _ => None,
    }
}

/// The text of a string in JSON.
fn unescaped(whole: &str, role: Role, range: Range<usize>) -> Text {
    let raw = &whole[range.clone()];
    let mut text = String::with_capacity(raw.len());
    let mut places = Vec::with_capacity(raw.len() + 1);
    for sign in pattern!(
        r"(?s)(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}|\\.|[^\\])"
    )
    .find_iter(raw)
    {
        let plain = if sign.as_str().starts_with('\\') {
            serde_json::from_str(&format!("\"{}\"", sign.as_str())).unwrap_or_default()
        } else {
            sign.as_str().to_owned()
        };
        places.extend(std::iter::repeat_n(range.start + sign.start(), plain.len()));
        text.push_str(&plain);
    }
    places.push(range.end);
    Text { role, range, text, places: Some(places) }
}
