//! Rendering presets: the presets' own markers against two template engines.
//!
//! `comparisons/run rendering`. The templates use nothing but `{{name}}`, which all three read alike, and neither engine
//! escapes. A preset is stored as a text, so a request reads the template and renders it once: that is the first race of
//! each template. In the second the engines have read it before, and ours, which keeps nothing, reads it again.

use comparisons::{Way, print, race};
use domain::preset::{Values, render};
use handlebars::Handlebars;
use minijinja::{AutoEscape, Environment};

fn main() {
    println!("ours, and how many times as long the others take\n");
    for (name, template, values) in templates() {
        let mut jinja = Environment::new();
        jinja.set_auto_escape_callback(|_| AutoEscape::None);
        let mut handlebars = Handlebars::new();
        handlebars.register_escape_fn(handlebars::no_escape);

        let ours = || render(&template, &values).expect("a short text");
        let by_jinja = || jinja.render_str(&template, &values).expect("a text");
        let by_handlebars = || handlebars.render_template(&template, &values).expect("a text");
        let expected = ours();
        assert!(expected.missing.is_empty() && expected.unused.is_empty());
        assert_eq!(expected.text, by_jinja(), "minijinja, {name}");
        assert_eq!(expected.text, by_handlebars(), "handlebars, {name}");
        let ratios = race(vec![
            Way::new("ours", ours),
            Way::new("minijinja", by_jinja),
            Way::new("handlebars", by_handlebars),
        ]);
        print(name, &ratios);

        let read = jinja.template_from_str(&template).expect("a template");
        let mut keeping = handlebars.clone();
        keeping.register_template_string(name, &template).expect("a template");
        let by_jinja = || read.render(&values).expect("a text");
        let by_handlebars = || keeping.render(name, &values).expect("a text");
        assert_eq!(expected.text, by_jinja(), "minijinja, {name}");
        assert_eq!(expected.text, by_handlebars(), "handlebars, {name}");
        let ratios = race(vec![
            Way::new("ours", ours),
            Way::new("minijinja", by_jinja),
            Way::new("handlebars", by_handlebars),
        ]);
        print("  … read before", &ratios);
    }
}

/// A name, a template and the values of its markers.
fn templates() -> Vec<(&'static str, String, Values)> {
    let email = "Write a cold email that offers {{product}} to {{audience}}.\n\n\
         - Tone: {{tone}}, and no hype.\n- Length: below {{words}} words.\n\
         - Mention {{product}} once, and end with: \"{{ending}}\"\n\nWrite in {{language}}.";
    let values = [
        ("product", "our payroll software"),
        ("audience", "dental clinics"),
        ("tone", "plain & friendly"),
        ("words", "120"),
        ("ending", "Would <Tuesday> suit you?"),
        ("language", "English"),
    ];
    let email_values: Values =
        values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let prose = "Consider what the reader knows, and say what follows from it in one sentence. ";
    let long: String = (0..100).map(|n| format!("{}{{{{v{n}}}}}.", prose.repeat(6))).collect();
    let many: String = (0..2_000).map(|n| format!("{{{{v{}}}}}, ", n % 100)).collect();
    let hundred: Values =
        (0..100).map(|n| (format!("v{n}"), format!("value {n}. ").repeat(5))).collect();
    let plain = prose.repeat(640);
    vec![
        ("6 variables in 250 characters", email.to_owned(), email_values),
        ("100 variables in 48,000 characters", long, hundred.clone()),
        ("2,000 markers of 100 variables", many, hundred),
        ("50,000 characters without variables", plain, Values::new()),
    ]
}
