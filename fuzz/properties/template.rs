//! What is true of every preset: a text with markers, and values for them.

use domain::preset::{Values, render, variables};

/// The input is the text, and then names and values by turns, with a zero byte between any two.
pub fn hold(input: &[u8]) {
    let input = String::from_utf8_lossy(input);
    let mut parts = input.split('\0');
    let text = parts.next().unwrap_or_default();
    let mut values = Values::default();
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        values.insert(name.to_owned(), value.to_owned());
    }
    let names = variables(text);

    let bare = render(text, &Values::default()).expect("no longer than its text");
    assert_eq!(bare.text, text);
    assert_eq!(bare.missing, names);

    // A value is not looked at: its length alone decides the length of the result.
    let with = |value: &str| {
        let values = names.iter().map(|name| ((*name).to_owned(), value.to_owned())).collect();
        render(text, &values).expect("a small prompt").text.len()
    };
    let (empty, one, marker) = (with(""), with("x"), with("{{x}}"));
    assert_eq!(marker - empty, 5 * (one - empty));
    assert!(one - empty >= names.len());

    let rendered = render(text, &values).expect("a small prompt");
    let (used, missing): (Vec<_>, Vec<_>) =
        names.iter().copied().partition(|name| values.contains_key(*name));
    assert_eq!(rendered.used, used);
    assert_eq!(rendered.missing, missing);
    assert!(rendered.unused.iter().all(|name| !names.contains(&name.as_str())));
    assert_eq!(rendered.used.len() + rendered.unused.len(), values.len());
}
