//! Edits that lead from one text to another.
#![allow(clippy::expect_used)]

use engine::changes::{Edits, apply, between};
use engine::{Change, ChangeOp};

/// A generator with a fixed seed (xorshift64*).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides
    }
}

const PIECES: [&str; 24] = [
    "a",
    "word",
    " ",
    "  ",
    "\n",
    "\r\n",
    "é",
    "e\u{301}",
    "日本",
    "語",
    "👩‍💻",
    "🇩🇪",
    "שלום",
    "مرحبا",
    "{{x}}",
    "\u{200b}",
    "\u{0}",
    "ß",
    "𝒳",
    ".",
    "-",
    "\t",
    "한국어",
    "ा",
];

fn text(dice: &mut Dice, length: usize) -> String {
    (0..length).map(|_| PIECES[dice.roll(PIECES.len())]).collect()
}

fn is_ordered(changes: &[Change]) -> bool {
    changes.iter().all(|change| change.start <= change.end)
        && changes.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

#[test]
fn applied_changes_give_exactly_the_new_text() {
    let mut dice = Dice(7);
    for round in 0..3000 {
        let length = dice.roll(40);
        let old = text(&mut dice, length);
        let new = if round % 2 == 0 {
            let length = dice.roll(40);
            text(&mut dice, length)
        } else {
            let keep: String = old.chars().filter(|_| dice.roll(5) > 0).collect();
            format!("{keep}{}", text(&mut dice, 3))
        };
        let changes = between(&old, &new, "why");
        assert_eq!(apply(&old, &changes).as_deref(), Some(new.as_str()), "{old:?} {new:?}");
        assert!(is_ordered(&changes), "{changes:?}");
        let characters: Vec<char> = old.chars().collect();
        for change in &changes {
            let quoted: String = characters[change.start..change.end].iter().collect();
            assert_eq!(quoted, change.old_text);
            assert_ne!(change.old_text, change.new_text);
        }
    }
}

#[test]
fn a_change_exchanges_whole_words() {
    let changes = between(
        "Write a short poem about cats. Keep it kind.",
        "Write a long poem about cats. Keep it kind and brief.",
        "asked for",
    );
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert_eq!((changes[0].old_text.as_str(), changes[0].new_text.as_str()), ("short", "long"));
    assert_eq!(changes[0].op, ChangeOp::Replace);
    assert_eq!(changes[1].op, ChangeOp::Insert);
    assert_eq!(changes[1].new_text, " and brief");
    assert_eq!((changes[0].start, changes[0].end), (8, 13));
}

#[test]
fn neighbouring_edits_are_told_as_one() {
    let changes = between("the old red car is here", "the new blue bus is here", "why");
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0].old_text, "old red car");
}

#[test]
fn equal_texts_need_no_change() {
    assert!(between("same 日本", "same 日本", "why").is_empty());
    assert!(between("", "", "why").is_empty());
}

#[test]
fn changes_of_another_text_are_refused() {
    let changes = between("one two three", "one 2 three", "why");
    assert_eq!(apply("one too three", &changes), None);
    assert_eq!(apply("one", &changes), None);
}

#[test]
fn known_edits_become_changes_in_order_and_keep_their_reasons() {
    let text = "ä one two three";
    let mut edits = Edits::new(text);
    assert!(edits.add(text.len()..text.len(), ".", "end", None));
    assert!(edits.add(3..6, "1", "first", Some("figure")));
    assert!(edits.add(3..3, "the ", "before", None));
    assert!(edits.add(text.len()..text.len(), "!", "after the end", None));
    assert!(!edits.add(4..8, "x", "overlaps", None));
    assert!(!edits.add(1..3, "x", "cuts a character", None));
    assert!(!edits.add(7..10, "two", "nothing new", None));
    assert_eq!(edits.result(), "ä the 1 two three.!");
    let changes = edits.changes();
    let reasons: Vec<&str> =
        changes.iter().map(|change| change.reason.as_deref().unwrap_or_default()).collect();
    assert_eq!(reasons, ["before", "first", "end", "after the end"]);
    assert_eq!(changes[1].rule_id.as_deref(), Some("figure"));
    assert_eq!((changes[1].start, changes[1].end), (2, 5));
    assert_eq!(apply(text, &changes), Some(edits.result()));
}

#[test]
fn an_edit_never_overlaps_another() {
    let mut dice = Dice(11);
    for _ in 0..500 {
        let old = text(&mut dice, 20);
        let mut edits = Edits::new(&old);
        for _ in 0..15 {
            let (from, to) = (dice.roll(old.len() + 2), dice.roll(old.len() + 2));
            edits.add(from.min(to)..from.max(to), PIECES[dice.roll(24)], "why", None);
        }
        let changes = edits.changes();
        assert!(is_ordered(&changes), "{changes:?}");
        assert_eq!(apply(&old, &changes), Some(edits.result()), "{old:?} {changes:?}");
    }
}

#[test]
fn long_texts_without_a_common_line_are_compared_at_once() {
    let mut dice = Dice(3);
    let words = ["the", "of", "model", "answer", "prompt", "list", "of", "a", "to", "writes"];
    let mut long =
        || -> String { (0..9000).map(|_| format!("{} ", words[dice.roll(words.len())])).collect() };
    let (old, new) = (long(), long());
    assert!(old.chars().count() > 30_000);
    let changes = between(&old, &new, "why");
    assert_eq!(apply(&old, &changes), Some(new));
    let letters = "x".repeat(50_000);
    let signs = "日".repeat(50_000);
    assert_eq!(apply(&letters, &between(&letters, &signs, "why")), Some(signs));
}

#[test]
fn texts_that_repeat_themselves_take_no_longer_than_others() {
    let list = |item: &str, rare: &str| -> String {
        (0..1_600)
            .map(|at| format!("- {item} {}\n", if at % 7 == 0 { rare } else { "{{x}}" }))
            .collect()
    };
    let lines = |one: &str, other: &str| -> String {
        (0..12_500).map(|at| if at % 3 == 0 { one } else { other }).collect()
    };
    for (old, new) in [
        (list("use the words of", "old"), format!("of {} the", list("the words use", "new"))),
        (format!("x\n{}y", lines("a\n", "b\n")), format!("z\n{}", lines("b\n", "c\n"))),
        (format!("x {}y", lines("a ", "b ")), format!("z {}", lines("b ", "c "))),
        (format!("x{}y", lines("日", "月")), format!("z{}", lines("月", "水"))),
    ] {
        let start = cpu_time::ThreadTime::now();
        let changes = between(&old, &new, "why");
        assert!(start.elapsed() < std::time::Duration::from_secs(3), "{:?}", start.elapsed());
        assert_eq!(apply(&old, &changes), Some(new));
    }
}
