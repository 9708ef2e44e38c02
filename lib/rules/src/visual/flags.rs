//! Parameters written into a prompt: "--ar 16:9 --s 250 --no text".

use std::sync::LazyLock;

use patterns::{Pattern, pattern};
use serde::Deserialize;
use serde_json::{Map, Number, Value};

/// The parameter for the ratio.
const RATIO: &str = "ar";

/// A parameter that some model reads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flag {
    /// Its one name.
    name: String,
    /// Other names of it.
    #[serde(default)]
    also: Vec<String>,
    value: Kind,
}

/// What the value of a parameter looks like.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// A number, or two of a ratio.
    Figure,
    List,
    Codes,
    Word,
    Nothing,
}

static FLAGS: LazyLock<Vec<Flag>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/flags.json"))
        .expect("flags.json is compiled in")
});

/// The parameter with one of its names.
fn known(name: &str) -> Option<&'static Flag> {
    let name = name.to_ascii_lowercase();
    FLAGS.iter().find(|flag| flag.name == name || flag.also.contains(&name))
}

fn value_of(flag: Option<&Flag>) -> Pattern {
    match flag.map_or(Kind::Figure, |flag| flag.value) {
        Kind::Figure => {
            pattern!(r"^\s+(?:\d+(?:\.\d+)?(?:[:x/]\d+(?:\.\d+)?)?\b|\.\d+\b)")
        }
        Kind::List => pattern!(r"^\s+[^\n.!?—–-](?:[^\n.!?—–-]|-[^-]|\.\w)*"),
        Kind::Codes => pattern!(r"^(?:\s+(?:https?://\S+|random\b|[a-z0-9:]*\d[a-z0-9:]*\b))*"),
        Kind::Word => pattern!(r"^\s+[a-zA-Z][\w-]*"),
        Kind::Nothing => pattern!(r"^"),
    }
}

/// Parameters of a prompt, each once and by its one name.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    list: Vec<(String, String)>,
    /// What must not be seen.
    pub unwanted: Vec<String>,
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
        let marks = pattern!(r"(?:^|[\s,;])(?P<dash>--|—|–)(?P<name>[a-zA-Z]{1,12})\b");
        for found in marks.captures_iter(prompt) {
            let whole = found.get_match();
            if whole.start() < end {
                continue;
            }
            let flag = known(&found["name"]);
            let value = value_of(flag).find(&prompt[whole.end()..]);
            let value = value.map_or("", |value| value.as_str());
            // Dashes also set thoughts apart; only a known parameter with its value is one.
            if &found["dash"] != "--" && (flag.is_none() || value.trim().is_empty()) {
                continue;
            }
            words.push_str(&prompt[end..whole.start()]);
            end = whole.end() + value.trim_end().len();
            let name = found["name"].to_ascii_lowercase();
            let name = flag.map_or(name.as_str(), |flag| flag.name.as_str());
            flags.set(name, value.trim().trim_end_matches([',', ';', '.']));
        }
        words.push_str(&prompt[end..]);
        let words = pattern!(r"[ \t]{2,}").replace_all(&words, |_| " ").trim().to_owned();
        (if flags.all().is_empty() { prompt.to_owned() } else { words }, flags)
    }

    /// Sets a parameter; what is excluded is added to what was.
    pub fn set(&mut self, name: &str, value: &str) {
        let value = &if name == RATIO { value.replace(['x', '/'], ":") } else { value.to_owned() };
        let kind = known(name).map(|flag| flag.value);
        match (kind, self.list.iter_mut().find(|(known, _)| known == name)) {
            (Some(Kind::Figure), _) if value.is_empty() => {}
            (Some(Kind::List), _) => {
                for item in value.split(',').map(str::trim).filter(|item| !item.is_empty()) {
                    if !self.unwanted.iter().any(|known| known.eq_ignore_ascii_case(item)) {
                        self.unwanted.push(item.to_owned());
                    }
                }
            }
            (_, None) => self.list.push((name.to_owned(), value.to_owned())),
            (_, Some((_, old))) => self.superseded.push(std::mem::replace(old, value.to_owned())),
        }
    }

    /// The value of a parameter that is no list.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether there are any, and all are known.
    pub fn are_known(&self) -> bool {
        let all = self.all();
        !all.is_empty() && all.iter().all(|(name, _)| known(name).is_some())
    }

    /// What only one model understands, as it is written.
    pub fn untranslatable(&self) -> Vec<String> {
        let own = self.list.iter().filter(|(name, _)| name != RATIO && name != "seed");
        own.map(written).collect()
    }

    /// All of them by name; the list of exclusions stands last.
    fn all(&self) -> Vec<(String, String)> {
        let unwanted = self.unwanted.join(", ");
        let unwanted = (!unwanted.is_empty()).then(|| ("no".to_owned(), unwanted));
        self.list.iter().cloned().chain(unwanted).collect()
    }

    /// The parameters as they end a prompt.
    pub fn trailing(&self) -> String {
        self.all().iter().map(written).collect::<Vec<_>>().join(" ")
    }

    /// The parameters as settings: numbers where they are such, `true` for switches.
    pub fn settings(&self) -> Map<String, Value> {
        let value = |value: &str| if value.is_empty() { true.into() } else { number(value) };
        self.all().into_iter().map(|(name, text)| (name, value(&text))).collect()
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
    format!("--{name} {value}").trim_end().to_owned()
}
