//! The operations that compute something from a caller's content.

use std::hint::black_box;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use checks::Check;
use domain::{
    Timestamp,
    minhash::Signature,
    preset::{self, Values},
};
use engine::{
    Beside, Constraint, ConstraintKind as Kind, Engine as _, GenerateBrief, Image, Material, Mode,
    OutputMode, PromptBrief, RefineBrief, ReverseBrief, Role, TargetModel, Turn, page::Page,
    tokens,
};
use futures::FutureExt;
use media::MediaType;
use rules::Rules;
use serde_json::{Value, json};

/// An operation on a text, and on another one beside it.
pub struct Operation {
    pub name: &'static str,
    /// Characters that the two texts may have.
    pub most: [usize; 2],
    pub run: fn(&str, &str),
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

const fn operation(name: &'static str, most: [usize; 2], run: fn(&str, &str)) -> Operation {
    Operation { name, most, run }
}

/// What they take at most is said by the functions' requests. Files have bytes in the place of characters.
pub const OPERATIONS: [Operation; 17] = [
    operation("generatePrompt", [6_000, 0], |message, _| generate(message, None, Vec::new())),
    operation("generatePrompt/currentPrompt", [20_000, 6_000], |prompt, message| {
        generate(message, Some(prompt), Vec::new());
    }),
    operation("generatePrompt/conversation", [200_000, 6_000], |said, message| {
        generate(message, None, turns(said));
    }),
    operation("analyzePrompt", [50_000, 20_000], |prompt, context| {
        black_box(Rules.analyze(&brief(prompt, context), NEVER).now_or_never());
    }),
    operation("optimizePrompt", [50_000, 20_000], |prompt, context| {
        black_box(Rules.optimize(&brief(prompt, context), NEVER).now_or_never());
        black_box(rules::title_of(prompt));
    }),
    operation("analyzeAndOptimizePrompt", [50_000, 20_000], |prompt, context| {
        black_box(Rules.analyze_and_optimize(&brief(prompt, context), NEVER).now_or_never());
    }),
    operation("refinePrompt", [50_000, 10_000], |prompt, feedback| {
        let PromptBrief { prompt, context: feedback, language, target_model, images, .. } =
            brief(prompt, feedback);
        let brief = RefineBrief {
            beside: Beside::default(),
            prompt,
            feedback,
            language,
            target_model,
            images,
        };
        black_box(Rules.refine(&brief, NEVER).now_or_never());
    }),
    operation("reversePrompt/text", [100_000, 0], |text, _| {
        reverse(Material::Text(text.to_owned()));
    }),
    operation("reversePrompt/url", [2_000_000, 0], |html, _| {
        let page = Page::read("https://example.com/", Some("text/html"), html.as_bytes());
        reverse(Material::Page(page));
    }),
    operation("reversePrompt/image", [5_000_000, 0], |metadata, _| {
        let image = Image { media_type: "image/png".to_owned(), bytes: picture(metadata) };
        reverse(Material::Image(image));
    }),
    operation("estimatePromptTokens", [200_000, 0], |prompt, _| {
        black_box(tokens::measure(prompt));
    }),
    operation("readPromptChecks", [100_000, 0], |prompt, _| {
        black_box(checks::of(prompt, "en"));
    }),
    operation("runPromptChecks/prompt", [200_000, 50_000], |output, prompt| {
        // The same number of checks for each length: each reads the whole output.
        let prompt: String = prompt.chars().take(2_000).collect();
        let read = checks::of(&prompt, "en").checks;
        run(&read[..read.len().min(MOST_CHECKS)], &prompt, output);
    }),
    operation("runPromptChecks/checks", [200_000, 50_000], |output, named| {
        run(&one_of_each(named), named, output);
    }),
    operation("renderPromptPreset", [20_000, 5_000], |prompt, value| {
        let names = preset::variables(prompt).into_iter().take(preset::VALUES_MAX);
        let values: Values = names.map(|name| (name.to_owned(), value.to_owned())).collect();
        let _ = black_box(preset::render(prompt, &values));
    }),
    operation("publishLibraryItem", [20_000, 5_000], |prompt, notes| {
        let title: String = prompt.chars().take(90).collect();
        black_box(moderation::check(&title, &[("prompt", prompt), ("notes", notes)]));
        black_box(Signature::of(prompt));
    }),
    operation("completeUpload", [5_000_000, 0], |text, _| {
        let _ = black_box(media::verify_bytes(MediaType::Png, &picture(text)));
    }),
];

/// Words of a check at most, as its schema has them.
const MOST_WORDS: usize = 200;
/// Checks of a request at most.
const MOST_CHECKS: usize = 100;
/// Nobody waits for a result.
const NEVER: Timestamp = Timestamp::from_millis(0);
/// A picture with one pixel, and where its second chunk begins.
const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
const SECOND_CHUNK: usize = 33;

fn generate(message: &str, current_prompt: Option<&str>, conversation: Vec<Turn>) {
    let brief = GenerateBrief {
        message: message.to_owned(),
        mode: Mode::default(),
        output_mode: OutputMode::default(),
        target_model: TargetModel::default(),
        language: "en".to_owned(),
        current_prompt: current_prompt.map(str::to_owned),
        conversation,
        previous: None,
        images: Vec::new(),
    };
    black_box(Rules.generate(&brief, NEVER).now_or_never());
}

/// Turns of a conversation, as long as they may be.
fn turns(said: &str) -> Vec<Turn> {
    let characters: Vec<char> = said.chars().collect();
    let speakers = [Role::User, Role::Assistant].into_iter().cycle();
    let turns = characters.chunks(4_000).zip(speakers);
    turns.map(|(said, role)| Turn { role, content: said.iter().collect() }).collect()
}

fn brief(prompt: &str, context: &str) -> PromptBrief {
    PromptBrief {
        prompt: prompt.to_owned(),
        context: context.to_owned(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations: 2,
        images: Vec::new(),
    }
}

fn reverse(material: Material) {
    let (language, target_model) = ("en".to_owned(), TargetModel::default());
    let brief = ReverseBrief { material, language, target_model };
    black_box(Rules.reverse(&brief, NEVER).now_or_never());
}

/// A picture with a text in it, where ComfyUI keeps its graph and AUTOMATIC1111 its settings.
fn picture(text: &str) -> Vec<u8> {
    let mut file = BASE64_STANDARD.decode(PICTURE).expect("a picture");
    let rest = file.split_off(SECOND_CHUNK);
    let name = if text.starts_with('{') { "prompt" } else { "parameters" };
    let content = [b"tEXt".as_slice(), name.as_bytes(), &[0], text.as_bytes()].concat();
    file.extend(u32::try_from(content.len() - 4).expect("a small chunk").to_be_bytes());
    file.extend(&content);
    file.extend(crc32fast::hash(&content).to_be_bytes());
    file.extend(rest);
    file
}

fn run(of: &[Check], prompt: &str, output: &str) {
    black_box(checks::run(of, Some(prompt), [output], None));
}

/// The formats that a check may name.
const FORMATS: &str = "json yaml xml csv html latex table markdown plain_text numbered_list \
                       bullet_list code_block diagram";

/// A check of each kind and form, whose words and schema stand in `named`.
fn one_of_each(named: &str) -> Vec<Check> {
    let words: Vec<&str> = named.split_whitespace().take(MOST_WORDS).collect();
    let first = words.first().copied().unwrap_or("tea");
    let count = |of| json!({"relation": "at_least", "number": 3, "upper": null, "of": of});
    let value = |value: &str| json!({"value": value});
    let forms = [
        count(None),
        count(Some(first)),
        json!({"words": words}),
        json!({"text": first}),
        value(first),
        json!({}),
    ];
    let each = Kind::ALL.iter().flat_map(|kind| forms.iter().map(|form| (*kind, form.clone())));
    let formats = FORMATS.split_whitespace().map(|format| (Kind::Format, value(format)));
    let pairs = each.chain(formats).chain([(Kind::JsonSchema, value(named))]);
    let check = |(kind, form): (Kind, Value)| {
        let parameters = serde_json::from_value(form).ok().filter(|form| kind.takes(form))?;
        let (id, quote) = (kind.as_str().to_owned(), String::new());
        let constraint = Constraint { id, kind, parameters, quote, start: 0, end: 0 };
        Some(Check::of(constraint, "en"))
    };
    pairs.filter_map(check).collect()
}
