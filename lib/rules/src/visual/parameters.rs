//! Parameters written into a prompt in Midjourney's manner: "--ar 16:9 --s 250 --no text".

use serde_json::{Map, Number, Value};

use patterns::{Pattern, pattern};

/// Parameters that come first, in this order.
const ORDER: [&str; 5] = ["ar", "s", "c", "seed", "no"];

/// Parameters of a prompt, each once and by its one name.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    list: Vec<(String, String)>,
    /// Earlier values of parameters that were given again.
    superseded: Vec<String>,
}

impl Flags {
    /// Takes the parameters out of a prompt, wherever they stand. Of a parameter given twice the last value
    /// counts; exclusions add up.
    pub fn take(prompt: &str) -> (String, Self) {
        let mut flags = Self::default();
        let mut words = String::with_capacity(prompt.len());
        let mut end = 0;
        for found in pattern!(r"(?:^|[\s,;])(?P<dash>--|—|–)(?P<name>[a-zA-Z]{1,12})\b")
            .captures_iter(prompt)
        {
            let (Some(whole), Some(name)) = (found.get(0), found.name("name")) else { continue };
            if whole.start() < end {
                continue;
            }
            let written = name.as_str().to_ascii_lowercase();
            let (known, pattern) = grammar(&written);
            let value = pattern.find(&prompt[whole.end()..]);
            // Dashes also set thoughts apart; only a known parameter with its value is one.
            if &found["dash"] != "--"
                && (!known || value.is_none_or(|value| value.as_str().trim().is_empty()))
            {
                continue;
            }
            words.push_str(&prompt[end..whole.start()]);
            end = whole.end() + value.map_or(0, |value| value.as_str().trim_end().len());
            let value =
                value.map_or("", |value| value.as_str()).trim().trim_end_matches([',', ';', '.']);
            flags.set(canonical(&written), value);
        }
        words.push_str(&prompt[end..]);
        let words = pattern!(r"[ \t]{2,}").replace_all(&words, " ").trim().to_owned();
        (if flags.list.is_empty() { prompt.to_owned() } else { words }, flags)
    }

    /// Sets a parameter; what is excluded is added to what was.
    pub fn set(&mut self, name: &str, value: &str) {
        let takes_value = ORDER.contains(&name) || name == "v";
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

    /// Sets a parameter that has no value yet.
    pub fn default_to(&mut self, name: &str, value: &str) {
        if self.get(name).is_none() {
            self.set(name, value);
        }
    }

    /// Takes a parameter away.
    pub fn remove(&mut self, name: &str) {
        self.list.retain(|(known, _)| known != name);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Aspect ratio.
    pub fn ratio(&self) -> Option<String> {
        self.get("ar").map(str::to_owned)
    }

    /// What must not be seen.
    pub fn exclusions(&self) -> Vec<String> {
        let list = self.get("no").unwrap_or_default().split(',');
        list.map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }

    /// Values that a later one of the same parameter replaced.
    pub fn superseded(&self) -> String {
        self.superseded.join(" ")
    }

    /// What only one model understands, as it was written.
    pub fn untranslatable(&self) -> Vec<String> {
        self.ordered()
            .filter(|(name, _)| !matches!(name.as_str(), "ar" | "seed" | "no"))
            .map(|(name, value)| written(name, value))
            .collect()
    }

    fn ordered(&self) -> impl Iterator<Item = &(String, String)> {
        let first =
            ORDER.iter().filter_map(|name| self.list.iter().find(|(known, _)| known == name));
        first.chain(self.list.iter().filter(|(name, _)| !ORDER.contains(&name.as_str())))
    }

    /// The parameters as they end a prompt.
    pub fn trailing(&self) -> String {
        self.ordered().map(|(name, value)| written(name, value)).collect::<Vec<_>>().join(" ")
    }

    /// The parameters as settings: numbers where they are such, `true` for switches.
    pub fn settings(&self) -> Map<String, Value> {
        self.ordered()
            .map(|(name, value)| {
                let number = value
                    .parse::<u64>()
                    .map(Number::from)
                    .ok()
                    .or_else(|| value.parse().ok().and_then(Number::from_f64))
                    .filter(|number| number.to_string() == *value);
                let value = match number {
                    _ if value.is_empty() => Value::Bool(true),
                    Some(number) => Value::Number(number),
                    None => Value::from(value.as_str()),
                };
                (name.clone(), value)
            })
            .collect()
    }
}

/// A setting that a prompt states in words: "steps 20", "CFG scale: 7".
#[derive(Clone, Debug)]
pub struct Setting {
    /// Name of the parameter.
    pub name: &'static str,
    /// Value as it was written.
    pub value: String,
    /// The statement.
    pub words: String,
}

impl Setting {
    /// Whether it is a parameter in Midjourney's manner.
    pub fn is_flag(&self) -> bool {
        matches!(self.name, "s" | "c" | "weird")
    }

    /// The value as a number.
    pub fn number(&self) -> Value {
        let whole = self.value.parse::<u64>().ok().map(Number::from);
        let number = whole.or_else(|| self.value.parse().ok().and_then(Number::from_f64));
        number.map_or_else(|| Value::from(self.value.as_str()), Value::Number)
    }
}

/// Takes all that is no description out of a prompt: parameters, settings in words, and a labelled list of what must
/// not be seen, which joins the parameters.
pub fn take_all(prompt: &str) -> (String, Flags, Vec<Setting>) {
    let (words, mut flags) = Flags::take(prompt);
    let (words, settings) = worded(&words);
    let (words, unwanted) = take_negative(&words);
    for item in &unwanted {
        flags.set("no", item);
    }
    let (own, sampling): (Vec<_>, Vec<_>) = settings.into_iter().partition(Setting::is_flag);
    for setting in &own {
        flags.default_to(setting.name, &setting.value);
    }
    (words, flags, sampling)
}

/// A text whose end a generator wrote, "Steps: 30, Sampler: Euler a, Size: 512x768", with these settings in the form of
/// parameters; those that no model has go.
pub fn unpasted(text: &str) -> String {
    let pair = pattern!(r#"(?i)\b(?P<key>{pasted.key}):\s*(?P<v>"[^"]*"|[^,\n]+)(?:,\s*|$|\n)"#);
    let known = |key: &str, name: &str| key.eq_ignore_ascii_case(name);
    let pairs: Vec<_> = pair
        .captures_iter(text)
        .map(|found| (found["key"].to_lowercase(), found["v"].trim().to_owned()))
        .collect();
    if pairs.len() < FEWEST_PASTED || !pairs.iter().any(|(key, _)| known(key, "steps")) {
        return text.to_owned();
    }
    let mut settings = Vec::new();
    let mut flags = String::new();
    for (key, value) in &pairs {
        match key.as_str() {
            "steps" | "cfg scale" => settings.push(format!("{key}: {value}")),
            "seed" => flags.push_str(&format!(" --seed {value}")),
            "size" => {
                let sides =
                    value.split_once('x').map(|(w, h)| (w.trim().parse(), h.trim().parse()));
                if let Some((Ok(width), Ok(height))) = sides {
                    let divisor = common_divisor(width, height).max(1);
                    flags.push_str(&format!(" --ar {}:{}", width / divisor, height / divisor));
                }
            }
            _ => {}
        }
    }
    let words = pair.replace_all(text, "").trim().trim_end_matches(',').to_owned();
    format!("{words}\n{}{flags}", settings.join(", "))
}

/// Fewer settings may be words of a description.
const FEWEST_PASTED: usize = 3;

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// Takes "negative prompt: people, cars" out of a prompt: to the end of its line where it begins one, to the
/// end of the sentence elsewhere. Gives the rest and the items.
fn take_negative(prompt: &str) -> (String, Vec<String>) {
    let stated = pattern!(
        r"(?im)(?:^[ \t]*(?:{exclude.negative_prompt}|{exclude.negative})[ \t]*[:：][ \t]*(?P<line>(?:[^\n-]|-[^\n-])+)\n?|(?:[,;.|]\s*|\s+)(?:{exclude.before_label} )?(?:{exclude.label_article} )?{exclude.negative_prompt}[ \t]*[:：=][ \t]*(?P<inline>(?:[^\n.-]|\.\S|-[^\n-])+))"
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

/// Takes settings out of a prompt that are stated in words: a name with its number, standing by itself
/// between marks. Stairs have steps too, so a number in front of them says nothing alone.
fn worded(prompt: &str) -> (String, Vec<Setting>) {
    let named = pattern!(
        r"(?i)(?P<lead>^|[,;.(|]\s*|\s+{flags.before_setting}\s+|\n\s*)(?:(?P<steps>\d{1,3})\s+{flags.kind_of_steps}\s+{flags.steps}|(?P<name>cfg(?:[ _-]?scale)?|{flags.setting})\s*(?:[:=]|\b{flags.to}\b)?\s*(?P<v>\d{1,4}(?:\.\d{1,2})?))(?P<end>\s*(?:[,;.)|\n]|$)|\s+{flags.and}\b|\s+--)"
    );
    let mut settings: Vec<Setting> = Vec::new();
    let mut words = String::with_capacity(prompt.len());
    let (mut end, mut at) = (0, 0);
    while let Some(found) = named.captures_at(prompt, at) {
        let (Some(lead), Some(close)) = (found.name("lead"), found.name("end")) else { break };
        // What closes one statement may open the next.
        at = close.start();
        let (name, value) = match (found.name("steps"), found.name("name"), found.name("v")) {
            (Some(steps), ..) => ("steps", steps.as_str().to_owned()),
            (None, Some(name), Some(value)) => {
                (parameter(name.as_str()), value.as_str().to_owned())
            }
            _ => continue,
        };
        let statement = prompt[lead.end()..close.start()].trim().to_owned();
        if settings.iter().all(|known| known.name != name) {
            settings.push(Setting { name, value, words: statement });
        }
        let opens =
            lead.start() == 0 || lead.as_str().contains('\n') || lead.as_str().starts_with('(');
        words.push_str(&prompt[end..if opens { lead.end() } else { lead.start() }]);
        end = close.start();
    }
    if settings.is_empty() {
        return (prompt.to_owned(), settings);
    }
    words.push_str(&prompt[end..]);
    let words = pattern!(r"\(\s*[,;]?\s*\)|^\s*[,;.]\s*").replace_all(&words, "");
    (words.trim().to_owned(), settings)
}

/// The parameter that a word names.
fn parameter(name: &str) -> &'static str {
    match name.to_lowercase() {
        name if name.ends_with("steps") => "steps",
        name if name.starts_with("cfg") || name.starts_with("guidance") => "cfg_scale",
        name if name.starts_with("styli") => "s",
        name if name.starts_with("weird") => "weird",
        _ => "c",
    }
}

fn written(name: &str, value: &str) -> String {
    if value.is_empty() { format!("--{name}") } else { format!("--{name} {value}") }
}

/// The one name of a parameter.
fn canonical(name: &str) -> &str {
    match name {
        "aspect" => "ar",
        "stylize" => "s",
        "chaos" => "c",
        "version" => "v",
        "quality" => "q",
        "w" => "weird",
        "r" => "repeat",
        _ => name,
    }
}

/// Whether a parameter is known, and what its value looks like.
fn grammar(name: &str) -> (bool, Pattern) {
    match name {
        "ar" | "aspect" => (true, pattern!(r"^\s+\d{1,4}(?:\.\d+)?[:x/]\d{1,4}(?:\.\d+)?")),
        "s" | "stylize" | "c" | "chaos" | "seed" | "v" | "version" | "q" | "quality" | "weird"
        | "w" | "iw" | "niji" | "stop" | "ow" | "sw" | "cw" | "exp" | "repeat" | "r" | "bs"
        | "sv" => (true, pattern!(r"^\s+(?:\d+(?:\.\d+)?\b|\.\d+\b)")),
        "no" => (true, pattern!(r"^\s+[^\n.!?—–-](?:[^\n.!?—–-]|-[^-]|\.\w)*")),
        "sref" | "cref" | "oref" | "image" | "sourceimage" => {
            (true, pattern!(r"^(?:\s+(?:https?://\S+|random\b|\d+(?:::\d+)?\b))+"))
        }
        "style" | "mode" | "motion" => (true, pattern!(r"^\s+[a-zA-Z][\w-]*")),
        "tile" | "raw" | "draft" | "hd" | "sd" | "fast" | "relax" | "turbo" | "stealth"
        | "public" | "video" | "loop" | "test" | "creative" => (true, pattern!(r"^")),
        "p" | "profile" => (true, pattern!(r"^(?:\s+[a-z0-9]*\d[a-z0-9]*\b)*")),
        _ => (false, pattern!(r"^\s+\d+(?:\.\d+)?\b")),
    }
}
