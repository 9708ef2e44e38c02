//! Inputs that fuzzing has found: docs/design/fuzzing.md.

#[path = "../../../../fuzz/properties/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/properties/page.rs"]
mod property;

#[test]
fn every_page_that_fuzzing_found_is_read_within_bounds() {
    corpus::each("page", property::hold);
}
