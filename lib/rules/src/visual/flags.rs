//! Parameters written into a prompt: "--ar 16:9 --s 250 --no text".

use std::sync::LazyLock;

use patterns::{Pattern, pattern};
use serde::Deserialize;
use serde_json::{Map, Number, Value};

/// A parameter that some model reads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// Its one name.
    pub name: String,
    /// Other names of it.
    #[serde(default)]
    also: Vec<String>,
    value: Kind,
    /// The highest number that it takes.
    pub most: Option<u32>,
}

impl Flag {
    /// Whether its value is a number.
    pub fn takes_number(&self) -> bool {
        matches!(self.value, Kind::Number)
    }
}

/// What the value of a parameter looks like.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Ratio,
    Number,
    List,
    Links,
    Word,
    Codes,
    Nothing,
}

static FLAGS: LazyLock<Vec<Flag>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/flags.json"))
        .expect("flags.json is compiled in")
});

/// The parameter with one of its names.
pub fn known(name: &str) -> Option<&'static Flag> {
    let name = name.to_ascii_lowercase();
    FLAGS.iter().find(|flag| flag.name == name || flag.also.contains(&name))
}

/// The one name of a parameter.
pub fn canonical(name: &str) -> String {
    known(name).map_or_else(|| name.to_ascii_lowercase(), |flag| flag.name.clone())
}

fn value_of(flag: Option<&Flag>) -> Pattern {
    match flag.map(|flag| flag.value) {
        Some(Kind::Ratio) => pattern!(r"^\s+\d{1,4}(?:\.\d+)?[:x/]\d{1,4}(?:\.\d+)?"),
        Some(Kind::Number) => pattern!(r"^\s+(?:\d+(?:\.\d+)?\b|\.\d+\b)"),
        Some(Kind::List) => pattern!(r"^\s+[^\n.!?—–-](?:[^\n.!?—–-]|-[^-]|\.\w)*"),
        Some(Kind::Links) => pattern!(r"^(?:\s+(?:https?://\S+|random\b|\d+(?:::\d+)?\b))+"),
        Some(Kind::Word) => pattern!(r"^\s+[a-zA-Z][\w-]*"),
        Some(Kind::Codes) => pattern!(r"^(?:\s+[a-z0-9]*\d[a-z0-9]*\b)*"),
        Some(Kind::Nothing) => pattern!(r"^"),
        None => pattern!(r"^\s+\d+(?:\.\d+)?\b"),
    }
}

/// Parameters of a prompt, each once and by its one name.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    list: Vec<(String, String)>,
    /// Earlier values of parameters that were given again.
    pub superseded: Vec<String>,
}

impl Flags {
    /// Takes the parameters out of a prompt, wherever they stand. Of a parameter given twice the last value
    /// counts; exclusions add up.
    pub fn take(prompt: &str) -> (String, Self) {
        let mut flags = Self::default();
        let mut words = String::with_capacity(prompt.len());
        let mut end = 0;
        let marks = pattern!(r"(?:^|[\s,;])(?P<dash>--|—|–)(?P<name>[a-zA-Z]{1,12})\b")
            .captures_iter(prompt);
        for found in marks {
            let (Some(whole), Some(name)) = (found.get(0), found.name("name")) else { continue };
            if whole.start() < end {
                continue;
            }
            let flag = known(name.as_str());
            let value = value_of(flag).find(&prompt[whole.end()..]);
            let value = value.map_or("", |value| value.as_str());
            // Dashes also set thoughts apart; only a known parameter with its value is one.
            if &found["dash"] != "--" && (flag.is_none() || value.trim().is_empty()) {
                continue;
            }
            words.push_str(&prompt[end..whole.start()]);
            end = whole.end() + value.trim_end().len();
            flags.set(&canonical(name.as_str()), value.trim().trim_end_matches([',', ';', '.']));
        }
        words.push_str(&prompt[end..]);
        let words = pattern!(r"[ \t]{2,}").replace_all(&words, " ").trim().to_owned();
        (if flags.is_empty() { prompt.to_owned() } else { words }, flags)
    }

    /// Sets a parameter; what is excluded is added to what was.
    pub fn set(&mut self, name: &str, value: &str) {
        let takes_value = known(name)
            .is_some_and(|flag| matches!(flag.value, Kind::Ratio | Kind::Number | Kind::List));
        if takes_value && value.is_empty() {
            return;
        }
        let value = if name == "ar" { value.replace(['x', '/'], ":") } else { value.to_owned() };
        match self.list.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) if name == "no" => {
                for item in value.split(',').map(str::trim) {
                    if !old.split(", ").any(|known| known.eq_ignore_ascii_case(item)) {
                        old.push_str(&format!(", {item}"));
                    }
                }
            }
            Some((_, old)) => self.superseded.push(std::mem::replace(old, value)),
            None => self.list.push((name.to_owned(), value)),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The names of the parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| name.as_str())
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What must not be seen.
    pub fn exclusions(&self) -> Vec<String> {
        let list = self.get("no").unwrap_or_default().split(',');
        list.map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }

    /// What only one model understands, as it is written.
    pub fn untranslatable(&self) -> Vec<String> {
        let own = self.list.iter().filter(|(name, _)| !["ar", "seed", "no"].contains(&&**name));
        own.map(written).collect()
    }

    /// The parameters as they end a prompt; the list of exclusions stands last.
    pub fn trailing(&self) -> String {
        self.ordered().map(written).collect::<Vec<_>>().join(" ")
    }

    fn ordered(&self) -> impl Iterator<Item = &(String, String)> {
        let named = |no: bool| self.list.iter().filter(move |(name, _)| (name == "no") == no);
        named(false).chain(named(true))
    }

    /// The parameters as settings: numbers where they are such, `true` for switches.
    pub fn settings(&self) -> Map<String, Value> {
        let setting = |(name, value): &(String, String)| {
            let value = if value.is_empty() { Value::Bool(true) } else { number(value) };
            (name.clone(), value)
        };
        self.ordered().map(setting).collect()
    }
}

/// A value as a number, if that is how it is written.
pub fn number(value: &str) -> Value {
    let whole = value.parse::<u64>().map(Number::from).ok();
    let number = whole.or_else(|| value.parse().ok().and_then(Number::from_f64));
    let same = number.filter(|number| number.to_string() == value);
    same.map_or_else(|| Value::from(value), Value::Number)
}

fn written((name, value): &(String, String)) -> String {
    if value.is_empty() { format!("--{name}") } else { format!("--{name} {value}") }
}
