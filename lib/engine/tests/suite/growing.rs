//! What it costs to read a text, whatever it is: the steps grow with its length.

use budget::measured;
use engine::{changes, constraints, integrity, page::Page, tokens};

/// Characters of a text, and of one that is four times as long.
const LENGTHS: [usize; 2] = [3_000, 12_000];
/// The steps of the longer text are at most so many times those of the shorter one.
const GROWTH: f64 = 4.6;

/// What a text is made of, over and over.
const PIECES: [&str; 46] = [
    "```a\n",
    "~~~\n",
    "`a ",
    "``a",
    "\"\"\"\n",
    "“a ",
    "\"a\" ",
    "'a ",
    "«a ",
    "{{a}} ",
    "{{a ",
    "[x](",
    "<a>",
    "<a",
    "</",
    "<!--",
    "<p>a",
    "<ul><li>a",
    "<table><tr><td>a",
    "&",
    "- a\n",
    "1. a\n",
    "# a\n",
    "|a|b|\n",
    "a: b\n",
    "at most 3 words. ",
    "at least 2 and at most 5 items, ",
    "Do not use the word \"a\". ",
    "choose one of these: ",
    "JSON\n{",
    "(",
    "e.g. ",
    "http://a.b ",
    "http://a) ",
    ")",
    "a@b.ch ",
    "€45 ",
    "1,000 ",
    "½ ",
    "中。",
    "ไทย",
    "e\u{301}",
    "👩\u{200d}👩 ",
    "a",
    "\n",
    " ",
];
/// What a text is made of where `§` is another number each time.
const NUMBERED: [&str; 7] = [
    "{{v§}} ",
    "\"v§\" ",
    "`v§` ",
    "§ ",
    "At most § words. ",
    "Do not use the word v§. ",
    "v§: v§\n",
];

fn text(piece: &str, length: usize) -> String {
    let many = (17..).map(|at: usize| piece.replace('§', &at.to_string()));
    let repeated = many.flat_map(|one| one.chars().collect::<Vec<_>>());
    "Write about: ".chars().chain(repeated).take(length).collect()
}

/// What is done with a text, and the steps that a character of it costs at most.
type Row = (&'static str, f64, fn(&str));

const ROWS: [Row; 6] = [
    ("constraints", 900.0, |text| drop(constraints::extract(text))),
    ("integrity", 1_500.0, |text| {
        let mut kept: String = text.chars().take(text.len() / 2).collect();
        kept.push_str(" And nothing else.");
        let asked = integrity::Asked::by("leave out the last part", "en");
        integrity::check(text, &kept, "", &asked);
    }),
    ("changes", 600.0, |text| {
        let other: String = text.chars().rev().collect();
        changes::between(text, &other, "why");
    }),
    ("tokens", 200.0, |text| drop(tokens::measure(text))),
    ("page", 600.0, |text| drop(Page::read("https://a.b/", Some("text/html"), text.as_bytes()))),
    ("plain page", 100.0, |text| {
        drop(Page::read("https://a.b/", Some("text/plain"), text.as_bytes()));
    }),
];

#[test]
fn work_grows_with_the_length_of_the_text() {
    let mut faults = Vec::new();
    for (name, dearest, run) in ROWS {
        for piece in PIECES.iter().chain(&NUMBERED) {
            let [short, long] =
                LENGTHS.map(|length| measured(|| run(&text(piece, length))).1 as f64);
            let a_character = long / LENGTHS[1] as f64;
            if a_character > dearest || long > 50_000.0 && long / short > GROWTH {
                let times = long / short;
                faults.push(format!(
                    "{name}, {piece:?}: {a_character:.0} a character, {times:.2} times"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
