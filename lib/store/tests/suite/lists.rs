//! What makes a text found.

use store::list::case_folded;

#[test]
fn texts_that_differ_in_case_alone_are_folded_alike() {
    for (text, other) in [
        ("Lisbon", "LISBON"),
        ("Ärger", "ÄRGER"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
        ("İSTANBUL", "istanbul"),
        ("İSTANBUL", "i\u{307}stanbul"),
        ("ПРИВЕТ", "привет"),
        ("ǅ", "ǆ"),
        ("ẞ", "ß"),
    ] {
        assert_eq!(case_folded(text), case_folded(other), "{text}");
        assert_eq!(case_folded(&case_folded(text)), case_folded(text), "{text}");
    }
}

#[test]
fn a_part_of_a_text_is_folded_as_it_is_within_the_whole() {
    for text in ["ΟΔΥΣΣΕΥΣ ΚΑΙ ΣΊΣΥΦΟΣ", "İSTANBUL İZMİR", "STRAẞE", "ΑΣ", "1st ﬁn"]
    {
        let chars: Vec<_> = text.chars().collect();
        for from in 0..chars.len() {
            for to in from + 1..=chars.len() {
                let part: String = chars[from..to].iter().collect();
                assert!(case_folded(text).contains(&case_folded(&part)), "{part} in {text}");
            }
        }
    }
}

#[test]
fn different_letters_stay_different() {
    for (text, other) in [("i", "ı"), ("e\u{301}", "e"), ("ß", "ss"), ("e\u{307}", "e")] {
        assert_ne!(case_folded(text), case_folded(other));
    }
}
