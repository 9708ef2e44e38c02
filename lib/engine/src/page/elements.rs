//! What the elements of HTML mean for a reader.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use html5gum::{HtmlString, Spanned};

use patterns::pattern;

/// The attributes of a start tag.
pub type Attributes = BTreeMap<HtmlString, Spanned<HtmlString, ()>>;

type Names = LazyLock<HashSet<&'static str>>;

/// Elements without content.
pub static VOID: Names = LazyLock::new(|| {
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
        .split(' ')
        .collect()
});

/// Elements that begin and end on a line of their own.
pub static BLOCKS: Names = LazyLock::new(|| {
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption \
     figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html label legend li listing main menu nav ol option \
     optgroup p pre search section select summary table tbody td tfoot th thead tr ul xmp"
        .split(' ')
        .collect()
});

/// Elements whose content no visitor reads: code, other documents, fallbacks and closed choices.
pub static UNREAD: Names = LazyLock::new(|| {
    "audio canvas datalist iframe noembed noframes noscript object script select style svg template textarea title video"
        .split(' ')
        .collect()
});

/// An attribute's value as text.
pub fn attribute(attributes: &Attributes, name: &str) -> Option<String> {
    let value = attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(value).trim().to_owned())
}

/// Whether an attribute has this value, in letters of any case.
pub fn has(attributes: &Attributes, name: &str, wanted: &str) -> bool {
    attribute(attributes, name).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
}

/// Whether an element's attributes keep it from being seen or from being read aloud.
pub fn is_hidden(name: &str, attributes: &Attributes) -> bool {
    attributes.contains_key(&b"hidden"[..])
        || has(attributes, "aria-hidden", "true")
        || name == "dialog" && !attributes.contains_key(&b"open"[..])
        || attribute(attributes, "style").is_some_and(|style| hides(&style))
}

/// Whether it leads through the site rather than being part of the page.
pub fn is_navigation(name: &str, attributes: &Attributes) -> bool {
    let roles = ["navigation", "contentinfo", "menubar"];
    matches!(name, "nav" | "footer") || roles.iter().any(|role| has(attributes, "role", role))
}

/// Whether an inline style makes its element invisible: not shown, without size or colour, cut off, or outside the window.
fn hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase().replace("!important", "");
    let style: String = style.split_whitespace().collect();
    let has = |names: &[&str], test: &dyn Fn(&str) -> bool| {
        let mut declarations = style.split(';').filter_map(|one| one.split_once(':'));
        declarations.any(|(name, value)| names.contains(&name) && test(value))
    };
    let zero = pattern!(r"^(?:0+(?:\.0*)?|\.0+)(?:[a-z]{2,3}|%)?$");
    let far = pattern!(r"^-(?:\d{3}[\d.]*(?:px|pt|%|v[hw])|\d{2}[\d.]*r?em)");
    let cut = pattern!(
        r"^(?:rect\((?:[01](?:px)?,?){4}\)|inset\((?:50|100)%|circle\(0)|\bscale(?:[xy]|3d)?\(0(?:\.0*)?[,)]"
    );
    let (is_zero, is_far) = (|value: &str| zero.is_match(value), |value: &str| far.is_match(value));
    has(&["display"], &|value| value == "none")
        || has(&["visibility", "content-visibility"], &|value| {
            matches!(value, "hidden" | "collapse")
        })
        || has(&["color"], &|value| value == "transparent")
        || has(&["opacity", "font-size"], &is_zero)
        || has(&["clip", "clip-path", "transform"], &|value| cut.is_match(value))
        || has(&["text-indent"], &is_far)
        || has(&["overflow", "overflow-x", "overflow-y"], &|value| value != "visible")
            && has(&["width", "height", "max-width", "max-height"], &|value| {
                value == "1px" || is_zero(value)
            })
        || has(&["position"], &|value| matches!(value, "absolute" | "fixed"))
            && has(&["left", "top", "right", "bottom"], &is_far)
}
