//! Inputs that fuzzing has found: docs/design/fuzzing.md.

#[path = "../../../fuzz/properties/corpus.rs"]
mod corpus;
#[path = "../../../fuzz/properties/pattern.rs"]
mod property;

#[test]
fn every_text_that_fuzzing_found_is_searched_as_by_regex() {
    corpus::each("pattern", property::hold);
}
