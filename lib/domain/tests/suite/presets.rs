//! Markers and rendering.

use domain::preset::{RENDERED_MAX, TooLarge, Values, render, variables};

fn values(pairs: &[(&str, &str)]) -> Values {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Name of the case, prompt, values; then text, used, missing, unused.
type Case = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

const CASES: &[Case] = &[
    ("no marker", "Hello", &[], "Hello", &[], &[], &[]),
    ("one marker", "Hi {{a}}!", &[("a", "Ann")], "Hi Ann!", &["a"], &[], &[]),
    ("nothing but a marker", "{{a}}", &[("a", "Ann")], "Ann", &["a"], &[], &[]),
    ("spaces inside", "{{  a }}", &[("a", "1")], "1", &["a"], &[], &[]),
    ("tabs inside", "{{\ta\t}}", &[("a", "1")], "1", &["a"], &[], &[]),
    ("line breaks around the name", "{{\r\n a\n}}", &[("a", "1")], "1", &["a"], &[], &[]),
    ("an unusual space", "{{\u{a0}a\u{2003}}}", &[("a", "1")], "1", &["a"], &[], &[]),
    (
        "spaces within a name",
        "{{first name}}",
        &[("first name", "A")],
        "A",
        &["first name"],
        &[],
        &[],
    ),
    ("repeated", "{{a}}{{a}} {{ a }}", &[("a", "x")], "xx x", &["a"], &[], &[]),
    ("missing stays verbatim", "{{ a }}-{{b}}", &[("b", "2")], "{{ a }}-2", &["b"], &["a"], &[]),
    ("missing is listed once", "{{a}}{{ a }}", &[], "{{a}}{{ a }}", &[], &["a"], &[]),
    (
        "order of first use",
        "{{c}} {{a}} {{b}} {{a}}",
        &[("a", "1"), ("b", "2"), ("c", "3")],
        "3 1 2 1",
        &["c", "a", "b"],
        &[],
        &[],
    ),
    ("order of what is missing", "{{z}} {{y}}", &[], "{{z}} {{y}}", &[], &["z", "y"], &[]),
    ("unused", "{{a}}", &[("a", "1"), ("b", "2")], "1", &["a"], &[], &["b"]),
    ("all unused", "x", &[("b", "2"), ("a", "1")], "x", &[], &[], &["a", "b"]),
    ("empty value", "[{{a}}]", &[("a", "")], "[]", &["a"], &[], &[]),
    ("a marker in a value", "{{a}}", &[("a", "{{b}}"), ("b", "2")], "{{b}}", &["a"], &[], &["b"]),
    ("its own marker in a value", "{{a}}", &[("a", "{{a}}{{a}}")], "{{a}}{{a}}", &["a"], &[], &[]),
    (
        "values that make a marker together",
        "{{a}}{{b}}}}",
        &[("a", "{"), ("b", "{c"), ("c", "3")],
        "{{c}}",
        &["a", "b"],
        &[],
        &["c"],
    ),
    ("one brace", "{a}", &[("a", "1")], "{a}", &[], &[], &["a"]),
    ("three braces", "{{{a}}}", &[("a", "1")], "{1}", &["a"], &[], &[]),
    ("four braces", "{{{{a}}}}", &[("a", "1")], "{{1}}", &["a"], &[], &[]),
    ("nothing inside", "{{}}{{ }}", &[("", "1"), (" ", "2")], "{{}}{{ }}", &[], &[], &["", " "]),
    ("never closed", "{{a} {{a", &[("a", "1")], "{{a} {{a", &[], &[], &["a"]),
    ("never opened", "a}} }}", &[("a", "1")], "a}} }}", &[], &[], &["a"]),
    ("opened twice", "{{x {{a}}", &[("a", "1"), ("x {{a", "2")], "{{x 1", &["a"], &[], &["x {{a"]),
    ("a brace in the name", "{{a}b}}", &[("a}b", "1")], "{{a}b}}", &[], &[], &["a}b"]),
    ("a line break in the name", "{{a\nb}}", &[("a\nb", "1")], "{{a\nb}}", &[], &[], &["a\nb"]),
    (
        "a condition",
        "{{#if a}}{{a}}{{/if}}",
        &[("a", "1"), ("/if", "2")],
        "{{#if a}}12",
        &["a", "/if"],
        &["#if a"],
        &[],
    ),
    ("an alternative", "{{else}}", &[("else", "1")], "1", &["else"], &[], &[]),
    (
        "signs of template languages",
        "{{#x}}{{/x}}{{!x}}{{>x}}{{^x}}{{&x}}",
        &[("#x", "1"), ("/x", "2"), ("!x", "3"), (">x", "4"), ("^x", "5"), ("&x", "6")],
        "123456",
        &["#x", "/x", "!x", ">x", "^x", "&x"],
        &[],
        &[],
    ),
    ("upper and lower case differ", "{{A}}", &[("a", "1")], "{{A}}", &[], &["A"], &["a"]),
    ("a name that is not ASCII", "{{größe}}", &[("größe", "XL")], "XL", &["größe"], &[], &[]),
    (
        "composed and decomposed differ",
        "{{é}}",
        &[("e\u{301}", "1")],
        "{{é}}",
        &[],
        &["é"],
        &["e\u{301}"],
    ),
    ("an emoji", "👩‍👩‍👧{{👩‍👧}}👍🏽", &[("👩‍👧", "字")], "👩‍👩‍👧字👍🏽", &["👩‍👧"], &[], &[]),
    ("right to left", "שלום {{שם}}", &[("שם", "דנה")], "שלום דנה", &["שם"], &[], &[]),
    (
        "patterns are no patterns",
        "{{a.*}} {{a}}",
        &[("a.*", "$1\\0")],
        "$1\\0 {{a}}",
        &["a.*"],
        &["a"],
        &[],
    ),
    ("punctuation", "{{a-b_c.d:1}}", &[("a-b_c.d:1", "x")], "x", &["a-b_c.d:1"], &[], &[]),
    ("controls", "{{a}}\0{{b}}", &[("a", "\u{1}")], "\u{1}\0{{b}}", &["a"], &["b"], &[]),
    (
        "side by side",
        "{{a}}{{b}}{{c}}",
        &[("a", "1"), ("c", "3")],
        "1{{b}}3",
        &["a", "c"],
        &["b"],
        &[],
    ),
];

#[test]
fn rendering_is_one_pass_over_the_markers() {
    assert!(CASES.len() >= 30);
    for (name, text, given, expected, used, missing, unused) in CASES {
        let rendered = render(text, &values(given)).expect("small");
        assert_eq!(rendered.text, *expected, "{name}");
        assert_eq!(rendered.used, *used, "{name}");
        assert_eq!(rendered.missing, *missing, "{name}");
        assert_eq!(rendered.unused, *unused, "{name}");
        let mut all = variables(text);
        all.sort_unstable();
        let mut told: Vec<_> = used.iter().chain(*missing).copied().collect();
        told.sort_unstable();
        assert_eq!(all, told, "{name}");
    }
}

#[test]
fn the_size_is_known_before_anything_is_built() {
    let value = "x".repeat(10_000);
    let given = values(&[("a", &value)]);
    let exactly = format!("{}{}", "{{a}}".repeat(499), "y".repeat(10_000));
    let rendered = render(&exactly, &given).expect("exactly as large as allowed");
    assert_eq!(rendered.text.len(), RENDERED_MAX);
    let refused = render(&format!("{exactly}y"), &given);
    assert_eq!(refused, Err(TooLarge { bytes: RENDERED_MAX + 1 }));
    // What no machine could build is still only counted.
    let bomb = values(&[("a", &"x".repeat(50_000_000))]);
    let refused = render(&"{{a}}".repeat(100_000), &bomb);
    assert_eq!(refused, Err(TooLarge { bytes: 5_000_000_000_000 }));
}

#[test]
fn any_text_is_taken_in_time_that_grows_with_its_length() {
    for unit in ["{", "{{", "}", "{{a", "{{a}", "{{ ", "{{a}}", "}}{{", "字{", "{{\n"] {
        let text = unit.repeat(1_000_000 / unit.len());
        let begun = cpu_time::ThreadTime::now();
        let rendered = render(&text, &Values::new()).expect("small");
        assert_eq!(rendered.text, text, "what has no value stays as it is");
        assert!(begun.elapsed().as_secs() < 5, "{unit:?} took {:?}", begun.elapsed());
    }
}
