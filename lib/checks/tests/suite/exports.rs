//! Tests for other runners.

use checks::export::Format;
use checks::{Check, of};
use domain::preset::{self, Values};
use engine::ConstraintKind as Kind;
use saphyr_parser::{Event, Parser};

use crate::common::{check, count, verdict};

const PROMPT: &str = "Write at most 80 words about {{topic}} in JSON. Use the word \"tea\\n{{x}}\" at least 2 times. Do not use the words \"a'b\" or \"c\". End with the phrase \"Bye #1: {% y %}\". Use a formal tone. Write in lowercase letters only.";

/// Texts that break what is quoted carelessly.
const NASTY: [&str; 14] = [
    "\"",
    "\\",
    "'''",
    "\"\"\"",
    "line\nline\r\n\ttab",
    "# no comment: \"x\"",
    "{{ x }} {% y %} {# z #} {{{% {#} {",
    "---\n...",
    "\u{0}\u{7}\u{1b}\u{7f}\u{85}\u{a0}",
    "\u{2028}\u{2029}\u{feff}\u{202e}",
    "👍🏽 \u{10ffff}\u{fffe}",
    "${x} `y` </script>",
    "%s %(x)s {0}",
    "file:///etc/passwd",
];

fn write(format: Format, prompt: &str, values: &Values, checks: &[Check]) -> String {
    let filled = preset::render(prompt, values).expect("a prompt").text;
    format.write(prompt, values, &filled, checks)
}

fn promptfoo(prompt: &str, values: &Values, checks: &[Check]) -> String {
    write(Format::Promptfoo, prompt, values, checks)
}

fn pytest(prompt: &str, values: &Values, checks: &[Check]) -> String {
    write(Format::Pytest, prompt, values, checks)
}

/// All scalars of a document of YAML.
fn scalars(yaml: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut parser = Parser::new_from_str(yaml);
    while let Some(event) = parser.next_event() {
        let (event, _) = event.unwrap_or_else(|error| panic!("{error}\n{yaml}"));
        if let Event::Scalar(text, ..) = event {
            found.push(text.into_owned());
        }
    }
    found
}

fn variables(value: &str) -> Values {
    Values::from([
        ("topic".to_owned(), value.to_owned()),
        ("first name".to_owned(), value.to_owned()),
    ])
}

/// The text of a template of Nunjucks whose only expressions are strings.
fn rendered(template: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find("{{ '") {
        out.push_str(&rest[..open]);
        let (text, behind) = rest[open + 4..].split_once("' ").expect("an end");
        out.push_str(text);
        let behind = behind.strip_prefix("}}").or_else(|| behind.strip_prefix("-}}\n"));
        rest = behind.expect("an end");
    }
    out + rest
}

#[test]
fn nasty_texts_are_read_back_from_yaml_as_they_were() {
    for text in NASTY {
        let yaml = promptfoo("Hello", &variables(text), &[]);
        let all = scalars(&yaml);
        let value = all.iter().skip_while(|one| *one != "topic").nth(1).expect("a value");
        assert_eq!(rendered(value), text, "{yaml}");
        assert!(!rendered_braces(value), "{yaml}");
        let prompt = format!("Say {text} twice.");
        let yaml = promptfoo(&prompt, &Values::new(), &[]);
        let all = scalars(&yaml);
        let raw = all.iter().skip_while(|one| *one != "raw").nth(1).expect("a prompt");
        assert_eq!(rendered(raw), prompt, "{yaml}");
    }
}

/// Whether a template has braces that are no string.
fn rendered_braces(template: &str) -> bool {
    let bare = template
        .replace("{{ '{{' }}", "")
        .replace("{{ '{' }}", "")
        .replace("{{ '}' }}", "")
        .replace("{{ '' }}", "")
        .replace("{{ '' -}}", "");
    ["{{", "{%", "{#"].iter().any(|open| bare.contains(open))
}

/// The prompt of a configuration.
fn raw(prompt: &str, values: &Values) -> String {
    let all = scalars(&promptfoo(prompt, values, &[]));
    all.into_iter().skip_while(|one| *one != "raw").nth(1).expect("a prompt")
}

#[test]
fn variables_with_a_name_are_left_to_promptfoo_and_others_are_filled_in() {
    let prompt = "{{ topic }}, {{first name}} and {{other}}";
    assert_eq!(raw(prompt, &variables("tea")), "{{ topic }}, tea and {{ '{{' }}other}}");
}

#[test]
fn of_three_braces_the_inner_two_are_the_marker() {
    let raw = raw("Say {{{topic}}} now", &variables("tea"));
    assert_eq!(raw, "Say {{ '{' }}{{ topic }}} now");
}

#[test]
fn signs_of_a_text_and_of_a_value_open_no_template_together() {
    let raw = raw("C#{{first name}} {{{first name}}}", &variables("} x"));
    assert_eq!(raw, "C#{{ '}' }} x {} x}");
}

#[test]
fn words_that_promptfoo_reads_as_its_own_name_no_variable() {
    for name in ["true", "false", "none", "null", "not", "_conversation", "__proto__"] {
        let values = Values::from([(name.to_owned(), "tea".to_owned())]);
        assert_eq!(raw(&format!("Say {{{{ {name} }}}}."), &values), "Say tea.");
        assert!(!promptfoo("Say.", &values, &[]).contains(name), "{name}");
    }
}

#[test]
fn every_check_is_asserted_or_named_as_left_out() {
    let reading = of(PROMPT, "en");
    let yaml = promptfoo(PROMPT, &variables("tea"), &reading.checks);
    let python = pytest(PROMPT, &variables("tea"), &reading.checks);
    scalars(&yaml);
    assert!(reading.checks.len() >= 6, "{:?}", reading.checks);
    for check in &reading.checks {
        let name = format!("{} {}", check.id, check.kind.as_str());
        assert!(yaml.contains(&name), "{name}\n{yaml}");
        let name = format!("def test_{}_{}(", check.id, check.kind.as_str());
        assert!(python.contains(&name), "{name}\n{python}");
    }
    for part in ["type: word-count", "type: is-json", "type: javascript", "not tested here"] {
        assert!(yaml.contains(part), "{part}\n{yaml}");
    }
}

#[test]
fn code_in_assertions_opens_no_template() {
    let reading = of(PROMPT, "en");
    for scalar in scalars(&promptfoo(PROMPT, &Values::new(), &reading.checks)) {
        if scalar.contains("output") {
            assert!(!["{{", "{%", "{#"].iter().any(|open| scalar.contains(open)), "{scalar}");
        }
    }
}

#[test]
fn exported_words_are_those_of_the_service_in_scripts_without_spaces() {
    let check = check(Kind::WordCount, &count("exactly", 1, None, None));
    let file = pytest("", &Values::new(), std::slice::from_ref(&check));
    let class = file.split_once("matches(r\"[").and_then(|(_, behind)| behind.split_once(']'));
    let class: Vec<char> = class.expect("a class").0.chars().collect();
    let is_in = |c: &char| class.chunks(3).any(|range| (range[0]..=range[2]).contains(c));
    let (unspaced, others): (Vec<char>, Vec<char>) =
        ('\0'..=char::MAX).filter(|c| c.is_alphanumeric() || is_in(c)).partition(is_in);
    let words = |text: &[char]| verdict(&check, &String::from_iter(text)).evidence.unwrap().found;
    assert_eq!(words(&unspaced), Some(unspaced.len().to_string()));
    assert_eq!(words(&others), Some("1".to_owned()));
}

/// What the files for both runners say about a prompt.
fn files(prompt: &str) -> [String; 2] {
    let checks = of(prompt, "en").checks;
    [Format::Promptfoo, Format::Pytest].map(|format| write(format, prompt, &Values::new(), &checks))
}

#[test]
fn a_paragraph_is_found_by_its_index() {
    let start = "The third paragraph must start with the word \"however\".";
    for file in files(start) {
        assert!(file.contains("[2]") && !file.contains(")*"), "{file}");
    }
    let [promptfoo, pytest] = files(&format!("Separate the paragraphs with ***. {start}"));
    assert!(promptfoo.contains("not tested here: \"c2 paragraph_start"), "{promptfoo}");
    assert!(pytest.contains("skip") && !pytest.contains("re.search(\"^"), "{pytest}");
}

#[test]
fn a_language_of_code_has_all_its_names_in_the_files() {
    for file in files("Return the function in a Python code block.") {
        assert!(file.contains("(?:py|python3|python)"), "{file}");
    }
}

#[test]
fn columns_of_tables_are_compared_by_their_letters_in_any_order() {
    for file in files("Make a table with the columns \"City\" and \"Size km²\".") {
        assert!(
            file.contains("\"city") && file.contains("\"sizekm²") && file.contains("== 2"),
            "{file}"
        );
    }
}

/// The value of the literal of Python that a line assigns.
fn python_literal(line: &str) -> String {
    let inner = line.split_once("= \"").expect("a literal").1.strip_suffix('"').expect("an end");
    let mut out = String::new();
    let mut characters = inner.chars();
    while let Some(c) = characters.next() {
        if c != '\\' {
            assert!(c != '"', "{line}");
            out.push(c);
            continue;
        }
        let length = match characters.next().expect("an escape") {
            'n' => {
                out.push('\n');
                continue;
            }
            'r' => {
                out.push('\r');
                continue;
            }
            't' => {
                out.push('\t');
                continue;
            }
            'x' => 2,
            'u' => 4,
            'U' => 8,
            other => {
                out.push(other);
                continue;
            }
        };
        let digits: String = characters.by_ref().take(length).collect();
        out.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
    }
    out
}

#[test]
fn nasty_texts_are_read_back_from_python_as_they_were() {
    for text in NASTY {
        let file = pytest(&format!("{{{{topic}}}}{text}"), &variables(text), &[]);
        let line = file.lines().find(|line| line.starts_with("PROMPT = ")).expect("a prompt");
        assert_eq!(python_literal(line), format!("{text}{text}"), "{line}");
    }
}

/// The prompt of a configuration, and the value of its variable.
fn prompt_and_value(prompt: &str, value: &str) -> (String, String) {
    let yaml = promptfoo(prompt, &variables(value), &[]);
    let all = scalars(&yaml);
    let behind = |name: &str| all.iter().skip_while(|one| *one != name).nth(1).unwrap().clone();
    (behind("raw"), behind("topic"))
}

#[test]
fn no_text_is_taken_for_a_path_or_a_program() {
    let texts = [
        "exec:touch /tmp/x",
        "file:///etc/passwd",
        "langfuse://prompt",
        "package:os:exit",
        "Add a P.S.",
        "Use a / or *.",
        "prompts.py",
        "See it.py:main",
        "{\"a\": 1}",
    ];
    for text in texts {
        let (prompt, _) = prompt_and_value(text, "");
        assert!(prompt.starts_with("{{ '' -}}\n"), "{prompt}");
        assert_eq!(rendered(&prompt), text);
    }
    for text in ["Describe our tea. Use 3.5 words: few.", "Task: two\nlines / and *"] {
        assert_eq!(prompt_and_value(text, "").0, text);
    }
    for value in ["file:///etc/passwd", "package:os:exit", "line\n"] {
        let (_, written) = prompt_and_value("Write.", value);
        assert!(written != value && rendered(&written) == value, "{written}");
    }
}

#[test]
fn answers_to_choose_from_are_found_behind_a_variable_with_a_long_value() {
    let values = variables(&"It is warm. ".repeat(20));
    let prompt = "{{topic}}\n\nReply with one of the following options: \"red\", \"dark red\".";
    let filled = prompt.replace("{{topic}}", &values["topic"]);
    let checks = of(&filled, "en").checks;
    for file in [promptfoo(prompt, &values, &checks), pytest(prompt, &values, &checks)] {
        let (first, last) = (file.find("dark red(").unwrap(), file.rfind("red(").unwrap());
        assert!(first < last, "{file}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_is_text() {
    let prompt = "Answer as JSON that matches this schema:\n```json\n{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/$defs/x\"}}, \"$defs\": {\"x\": {\"const\": \"{{x}}\"}}}\n```";
    let checks = of(prompt, "en").checks;
    let all = scalars(&promptfoo(prompt, &Values::new(), &checks));
    let schema = all.iter().find(|one| one.starts_with("{\"type\"")).expect("a schema");
    assert!(schema.contains("\\u007b\\u007bx}}"), "{schema}");
    // Nothing in the file for pytest would follow the reference.
    assert!(!pytest(prompt, &Values::new(), &checks).contains("violations"));
}
