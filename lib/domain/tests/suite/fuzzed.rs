//! Inputs that fuzzing has found: docs/design/fuzzing.md.

#[path = "../../../../fuzz/properties/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/properties/template.rs"]
mod property;

#[test]
fn every_template_that_fuzzing_found_is_rendered_in_one_pass() {
    corpus::each("template", property::hold);
}
