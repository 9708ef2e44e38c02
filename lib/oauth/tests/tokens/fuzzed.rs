//! Inputs that fuzzing has found: docs/design/fuzzing.md.

#[path = "../../../../fuzz/properties/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/properties/token.rs"]
mod property;

#[test]
fn no_token_that_fuzzing_found_is_taken() {
    corpus::each("token", property::hold);
}
