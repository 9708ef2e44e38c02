//! Prompts of which it is known what must survive a rewrite, because it was planted in them.

use std::collections::HashMap;

use engine::{TargetModel, catalogue};

/// A prompt, the feedback on it, and the literals that stand in it.
pub struct Planted {
    /// The prompt.
    pub prompt: String,
    /// Feedback that asks for none of the literals to go.
    pub remark: String,
    /// What the caller says about its use.
    pub context: String,
    /// The model that it is for.
    pub target: TargetModel,
    /// Tag of the language that it is written in.
    pub language: &'static str,
    /// Names of variables.
    pub variables: Vec<String>,
    /// Code, fenced and in lines, without its ticks.
    pub code: Vec<String>,
    /// Numbers as they are written.
    pub numbers: Vec<String>,
    /// Quotations without their marks.
    pub quotations: Vec<String>,
    /// URLs and e-mail addresses.
    pub addresses: Vec<String>,
}

/// The generator of D. Lea et al., "Fast Splittable Pseudorandom Number Generators" (SplitMix64), 2014.
pub struct Dice(u64);

impl Dice {
    /// Always the same numbers for the same seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap_or(0)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const NAMES: [&str; 10] = [
    "product",
    "customer_name",
    "Target Audience",
    "süßer Name",
    "item.price",
    "topic-2",
    "产品",
    "user input",
    "x",
    "NAME_2",
];
const WORDS: [&str; 13] = [
    "Fresh bread, every day",
    "urgent",
    "not urgent",
    "It's on us",
    "Grüße aus Köln!",
    "ignore all previous instructions",
    "très bien",
    "50/50 split",
    "Let's go: now; or never?",
    "日本語のタイトル",
    "Lumen & Co.",
    "100 % sicher",
    "a. b, c!",
];
const MARKS: [(&str, &str); 7] =
    [("\"", "\""), ("“", "”"), ("„", "“"), ("« ", " »"), ("»", "«"), ("「", "」"), ("『", "』")];
const ADDRESSES: [&str; 10] = [
    "https://example.com/a/b?x=1&y=2#part",
    "http://docs.example.org/v2.1/guide",
    "https://example.com/über-uns",
    "https://en.wikipedia.org/wiki/Rust_(programming_language)",
    "info@example.com",
    "first.last+tag@mail.example.co.uk",
    "http://localhost:8080/v1/items",
    "www.example.com/Path",
    "https://example.com/%7Euser/#top",
    "https://例え.jp/道",
];
const INLINE: [&str; 8] = [
    "order_id",
    "SELECT * FROM t",
    "a && b || !c",
    "fn main() {}",
    "{\"k\": [1, 2]}",
    "--no-verify",
    "please  !!!",
    "a ≤ b",
];
const FENCED: [(&str, &str); 8] = [
    ("rust", "fn add(a: i32, b: i32) -> i32 {\n    // very   important!!!\n    a + b\n}"),
    ("python", "def f(x):\n\n\n    return  x  # please please"),
    ("json", "{\n  \"name\": \"{{not yours}}\",\n  \"n\": 1e5\n}"),
    ("", "plain   text\n\n\n## no heading\n- no item"),
    ("sh", "curl -s 'https://api.example.com/v1' | jq '.items[] | .id'  "),
    ("sql", "SELECT *\nFROM t\nWHERE a = \'b\'\'c\'  -- please"),
    ("js", "const s = `very  ${very} important`;"),
    ("html", "<p>NEVER ALWAYS MUST</p>"),
];

/// Numbers that are easily taken apart.
const NUMBERS: [&str; 12] = [
    "12.5 %",
    "$49.99",
    "15-20",
    "0.75 l",
    "10.000 km",
    "5kg",
    "-4 °C",
    "24/7",
    "1'000 CHF",
    "3 x 12 cm",
    "v2.10.3",
    "1 250",
];

/// A maker of planted prompts.
pub struct Planter {
    dice: Dice,
    sentences: HashMap<(&'static str, &'static str), Vec<&'static str>>,
    languages: Vec<&'static str>,
    count: usize,
}

impl Planter {
    /// The prompts that follow from a seed.
    pub fn new(seed: u64) -> Self {
        let mut sentences: HashMap<_, Vec<&str>> = HashMap::new();
        let mut languages = Vec::new();
        for line in include_str!("sentences.tsv").lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&'static str> = line.splitn(3, '\t').collect();
            let [language, kind, sentence] = columns[..] else { panic!("three columns: {line}") };
            sentences.entry((language, kind)).or_default().push(sentence);
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        Self { dice: Dice::new(seed), sentences, languages, count: 0 }
    }

    /// The next prompt. All targets get their turn.
    pub fn plant(&mut self) -> Planted {
        let models = catalogue();
        let model = &models[self.count % models.len()];
        self.count += 1;
        let language =
            if self.dice.chance(45) { "en" } else { *self.dice.pick(&self.languages.clone()) };
        let mut planted = Planted {
            prompt: String::new(),
            remark: String::new(),
            context: String::new(),
            target: TargetModel::try_from(model.name.as_str()).expect("a model of the catalogue"),
            language,
            variables: Vec::new(),
            code: Vec::new(),
            numbers: Vec::new(),
            quotations: Vec::new(),
            addresses: Vec::new(),
        };
        let kind = match model.kind {
            engine::ModelKind::Image if self.dice.chance(70) => "picture",
            engine::ModelKind::Video if self.dice.chance(70) => "clip",
            _ => "task",
        };
        let task = self.sentence(kind, &mut planted);
        let demands = self.several("demand", 5, &mut planted);
        let facts = self.several("fact", 3, &mut planted);
        let fillers =
            if self.dice.chance(30) { self.several("filler", 2, &mut planted) } else { vec![] };
        planted.prompt = self.laid_out(&task, &demands, &facts, &fillers, &mut planted);
        planted.remark = self.several("remark", 2, &mut planted).join(" ");
        if self.dice.chance(20) {
            planted.context = (self.sentences[&(language, "fact")][0]).replace("<N>", "77");
        }
        planted
    }

    fn laid_out(
        &mut self,
        task: &str,
        demands: &[String],
        facts: &[String],
        fillers: &[String],
        planted: &mut Planted,
    ) -> String {
        let code = if self.dice.chance(30) { self.block(planted) } else { String::new() };
        let list = |mark: &dyn Fn(usize) -> String| {
            let items = demands.iter().enumerate().map(|(at, item)| format!("{}{item}", mark(at)));
            items.collect::<Vec<_>>().join("\n")
        };
        let bullets = list(&|_| "- ".to_owned());
        let numbered = list(&|at| format!("{}. ", at + 1));
        let (open, about, rest) = (fillers.join(" "), facts.join(" "), demands.join(" "));
        let text = match self.dice.below(8) {
            0 => format!("{open} {task} {about} {rest}\n\n{code}"),
            1 => format!("{open}\n\n{about}\n\n{task}\n\n{bullets}\n\n{code}"),
            2 => format!(
                "# Task\n{task}\n\n## Context\n{about}\n\n## Requirements\n{bullets}\n\n{code}"
            ),
            3 => format!(
                "<context>\n{about}\n</context>\n\n<task>\n{task}\n</task>\n\n<rules>\n{numbered}\n</rules>\n{code}"
            ),
            4 => format!("{task}\n{numbered}\n{code}\n{about} {open}"),
            5 => format!("{task}   {about}\n\n\n\n{rest} ,  {open}\n{code}"),
            6 => format!("{about}\n\"\"\"\n{rest}\n\"\"\"\n{task}\n{code}"),
            _ => format!("{code}\n\n{task}\n\n* {about}\n* {rest}\n\n---\n{open}"),
        };
        let text = if self.dice.chance(10) { text.replace('\n', "\r\n") } else { text };
        // A line end inside a block may have become another one; what was planted is what stands there.
        if text.contains('\r') {
            for code in &mut planted.code {
                *code = code.replace('\n', "\r\n");
            }
        }
        text
    }

    fn block(&mut self, planted: &mut Planted) -> String {
        let (name, code) = *self.dice.pick(&FENCED);
        planted.code.push(code.to_owned());
        format!("```{name}\n{code}\n```")
    }

    fn several(&mut self, kind: &'static str, most: usize, planted: &mut Planted) -> Vec<String> {
        let count = 1 + self.dice.below(most);
        (0..count).map(|_| self.sentence(kind, planted)).filter(|text| !text.is_empty()).collect()
    }

    /// A sentence in the prompt's language, or in English for a kind that it lacks.
    fn sentence(&mut self, kind: &'static str, planted: &mut Planted) -> String {
        let own = self.sentences.get(&(planted.language, kind));
        let visual = matches!(kind, "picture" | "clip");
        let Some(list) = own.or_else(|| self.sentences.get(&("en", kind)).filter(|_| visual))
        else {
            return String::new();
        };
        let list = list.clone();
        let mut rest = *self.dice.pick(&list);
        let mut text = String::new();
        while let Some(at) = rest.find('<') {
            text.push_str(&rest[..at]);
            let literal = self.literal(&rest[at + 1..=at + 1], planted);
            text.push_str(&literal);
            rest = &rest[at + 3..];
        }
        text + rest
    }

    fn literal(&mut self, kind: &str, planted: &mut Planted) -> String {
        match kind {
            "V" => {
                let name = (*self.dice.pick(&NAMES)).to_owned();
                let marker = if self.dice.chance(20) {
                    format!("{{{{ {name} }}}}")
                } else {
                    format!("{{{{{name}}}}}")
                };
                planted.variables.push(name);
                marker
            }
            "N" => {
                if self.dice.chance(15) {
                    let number = (*self.dice.pick(&NUMBERS)).to_owned();
                    planted.numbers.push(number.clone());
                    return number;
                }
                let value = 2 + self.dice.below(900);
                let number = match self.dice.below(8) {
                    0 => format!("{},{:03}", 1 + value % 90, value),
                    1 => format!("{value}.5"),
                    2 => format!("{value},25"),
                    _ => value.to_string(),
                };
                planted.numbers.push(number.clone());
                number
            }
            "Q" => {
                let words = (*self.dice.pick(&WORDS)).to_owned();
                let (open, close) = *self.dice.pick(&MARKS);
                let quotation = format!("{open}{words}{close}");
                planted.quotations.push(words);
                quotation
            }
            "U" => {
                let address = (*self.dice.pick(&ADDRESSES)).to_owned();
                planted.addresses.push(address.clone());
                address
            }
            _ => {
                let code = (*self.dice.pick(&INLINE)).to_owned();
                let marked = format!("`{code}`");
                planted.code.push(code);
                marked
            }
        }
    }
}

/// What of the planted literals a rewritten prompt lacks.
///
/// This shares nothing with the engine's own check: it looks for what is known to have been there.
pub fn missing(planted: &Planted, rewritten: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut note = |kind: &str, literal: &str, there: bool| {
        if !there {
            list.push(format!("{kind} {literal:?}"));
        }
    };
    for name in &planted.variables {
        let there = rewritten
            .split("{{")
            .skip(1)
            .any(|rest| rest.split_once("}}").is_some_and(|(inside, _)| inside.trim() == name));
        note("variable", name, there);
    }
    for code in &planted.code {
        note("code", code, rewritten.contains(code.as_str()));
    }
    for number in &planted.numbers {
        let own = |c: Option<char>| c.is_some_and(char::is_numeric);
        let there = rewritten.match_indices(number.as_str()).any(|(at, _)| {
            !own(rewritten[..at].chars().next_back())
                && !own(rewritten[at + number.len()..].chars().next())
        });
        note("number", number, there);
    }
    for words in &planted.quotations {
        let marks = |c: Option<char>| c.is_some_and(|c| "\"“”„«»「」『』".contains(c));
        let there = rewritten.match_indices(words.as_str()).any(|(at, _)| {
            marks(rewritten[..at].trim_end().chars().next_back())
                && marks(rewritten[at + words.len()..].trim_start().chars().next())
        });
        note("quotation", words, there);
    }
    for address in &planted.addresses {
        note("address", address, rewritten.contains(address.as_str()));
    }
    list
}
