//! Inputs that fuzzing has found: docs/design/fuzzing.md.

#[path = "../../../../fuzz/properties/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/properties/picture.rs"]
mod property;

#[test]
fn every_picture_that_fuzzing_found_is_analysed_within_bounds() {
    corpus::each("picture", property::hold);
}
