//! Inputs that fuzzing has found: docs/design/fuzzing.md.

#[path = "../../../../fuzz/properties/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/properties/media.rs"]
mod property;

#[test]
fn every_file_that_fuzzing_found_is_at_most_one_type_of_media() {
    corpus::each("media", property::hold);
}
