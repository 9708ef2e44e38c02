//! What each operation costs, whatever it is given: its steps grow with the length of the text.

use std::thread;

use budget::measured;
use domain::Timestamp;
use engine::{
    Beside, Engine, GenerateBrief, Material, PromptBrief, RefineBrief, ReverseBrief, Role,
    TargetModel, Turn,
};
use futures::FutureExt;
use rules::Rules;

use crate::common::{brief, target};

const UNTIL: Timestamp = Timestamp::from_millis(0);
/// Characters of a text, and of one that is four times as long.
const LENGTHS: [usize; 2] = [3_000, 12_000];
/// The steps of the longer text are at most so many times those of the shorter one.
const GROWTH: f64 = 4.6;
/// Steps that a character costs at most, in the longer text.
const DEAREST: f64 = 4_000.0;

/// What a text is made of, over and over.
const PIECES: [&str; 48] = [
    "```a\n",
    "~~~\n",
    "`a ",
    "\"\"\"\n",
    "“a ",
    "\"a\" ",
    "'a ",
    "{{a}} ",
    "{{a ",
    "{a",
    "[x](",
    "<a>",
    "<!--",
    "- a\n",
    "1. a\n",
    "# a\n",
    "|a|b|\n",
    "a: b\n",
    "at most 3 words. ",
    "at least 2 and at most 5 items, ",
    "exactly 10 sentences. ",
    "Do not use jargon. ",
    "not ",
    "(",
    "e.g. ",
    "http://a.b ",
    "a@b.ch ",
    "€45 ",
    "1,000 ",
    "½ ",
    "中。",
    "あ",
    "ไทย",
    "e\u{301}",
    "👩\u{200d}👩 ",
    "a",
    "\nx",
    " x",
    "a b ",
    "a? ",
    "User: hi\nAssistant: hello\n",
    "{\"a\": [",
    "{% if a %}",
    "replace \"a\" with \"b\". ",
    "remove the part about a. ",
    "0:00-0:05 a. ",
    "--ar 16:9 ",
    "(a:1.2) ",
];
/// What a text is made of where `#` is another word each time.
const NUMBERED: [&str; 12] = [
    "# ",
    "# the #. ",
    "{{#}} ",
    "\"#\" ",
    "`#` ",
    "#: #\n",
    "- #\n",
    "https://#.example ",
    "Do not use the word #. ",
    "Include the word \"#\". ",
    "## #\n\nWrite #.\n",
    "<#>#",
];

/// A text of a length, of one of the pieces.
fn text(piece: usize, length: usize) -> String {
    let number = |at: usize| -> String {
        (0..4).map(|place| char::from(b'a' + (at / 26_usize.pow(place) % 26) as u8)).collect()
    };
    let begins = "Write about: ".chars();
    match PIECES.get(piece) {
        Some(piece) => begins.chain(piece.chars().cycle()).take(length).collect(),
        None => {
            let piece = NUMBERED[piece - PIECES.len()];
            let many = (0..length).map(|at| piece.replace('#', &number(at)));
            begins
                .chain(many.flat_map(|one| one.chars().collect::<Vec<_>>()))
                .take(length)
                .collect()
        }
    }
}

fn prompt(prompt: String, model: &str) -> PromptBrief {
    PromptBrief {
        prompt,
        context: String::new(),
        language: "en".to_owned(),
        target_model: target(model),
        variations: 2,
        images: Vec::new(),
    }
}

fn refine(prompt: String, feedback: String) {
    let language = "en".to_owned();
    let target_model = TargetModel::default();
    let brief = RefineBrief {
        beside: Beside::default(),
        prompt,
        feedback,
        language,
        target_model,
        images: Vec::new(),
    };
    drop(Rules.refine(&brief, UNTIL).now_or_never());
}

fn generate(brief: GenerateBrief) {
    drop(Rules.generate(&brief, UNTIL).now_or_never());
}

/// An operation, and what it does with a text.
type Operation = (&'static str, fn(String));

const OPERATIONS: [Operation; 9] = [
    ("generate", |text| generate(brief(&text))),
    ("generate for a picture", |text| {
        generate(GenerateBrief { target_model: target("FLUX.2"), ..brief(&text) });
    }),
    ("continue", |text| {
        let message = "Make it shorter and more formal, and add an example.";
        generate(GenerateBrief { current_prompt: Some(text), ..brief(message) });
    }),
    ("generate after a conversation", |text| {
        let said = text.chars().collect::<Vec<_>>();
        let turn = |said: &[char]| Turn { role: Role::User, content: said.iter().collect() };
        let conversation = said.chunks(1_000).map(turn).collect();
        generate(GenerateBrief { conversation, ..brief("Write a letter about it.") });
    }),
    ("optimize", |text| drop(Rules.optimize(&prompt(text, "Universal"), UNTIL).now_or_never())),
    ("optimize for a picture", |text| {
        drop(Rules.optimize(&prompt(text, "FLUX.2"), UNTIL).now_or_never());
    }),
    ("analyze and optimize with a context", |text| {
        let brief = prompt("Write a letter to the tenants.".to_owned(), "Universal");
        let brief = PromptBrief { context: text, ..brief };
        drop(Rules.analyze_and_optimize(&brief, UNTIL).now_or_never());
    }),
    ("refine", |text| {
        let feedback = "Remove the part about a. Replace \"a\" with \"b\". At most 200 words.";
        refine(text, feedback.to_owned());
    }),
    ("reverse", |text| {
        let (language, target_model) = ("en".to_owned(), TargetModel::default());
        let brief = ReverseBrief { material: Material::Text(text), language, target_model };
        drop(Rules.reverse(&brief, UNTIL).now_or_never());
    }),
];

/// What is wrong with the costs of an operation over one of the pieces.
fn fault((name, run): Operation, piece: usize) -> Option<String> {
    let [short, long] = LENGTHS.map(|length| {
        let text = text(piece, length);
        measured(|| run(text)).1 as f64
    });
    let a_character = long / LENGTHS[1] as f64;
    let dear = a_character > DEAREST || long > 50_000.0 && long / short > GROWTH;
    dear.then(|| {
        let named = PIECES.get(piece).unwrap_or_else(|| &NUMBERED[piece - PIECES.len()]);
        format!("{name}, {named:?}: {a_character:.0} a character, {:.2} times", long / short)
    })
}

#[test]
fn work_grows_with_the_length_of_the_text() {
    let threads = thread::available_parallelism().map_or(2, usize::from);
    // Each operation has a part of the pieces, and each piece several operations.
    let pieces = PIECES.len() + NUMBERED.len();
    let rows: Vec<(Operation, usize)> = (0..pieces)
        .flat_map(|piece| OPERATIONS.iter().enumerate().map(move |(at, one)| (*one, at, piece)))
        .filter(|(_, at, piece)| (at + piece).is_multiple_of(5))
        .map(|(one, _, piece)| (one, piece))
        .collect();
    Rules::warm_up();
    let faults: Vec<String> = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|thread| {
                let rows = rows.iter().skip(thread).step_by(threads);
                scope.spawn(|| rows.filter_map(|(one, piece)| fault(*one, *piece)).collect())
            })
            .collect();
        let of = |part: thread::ScopedJoinHandle<'_, Vec<String>>| part.join().expect("no panic");
        parts.into_iter().flat_map(of).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
