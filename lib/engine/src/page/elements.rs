//! What the elements of HTML mean for a reader.

use std::collections::BTreeMap;

use html5gum::{HtmlString, Spanned};

use patterns::pattern;

/// The attributes of a start tag.
pub type Attributes = BTreeMap<HtmlString, Spanned<HtmlString, ()>>;

/// Elements without content.
pub const VOID: &str = "area base basefont bgsound br col embed frame hr img input keygen link meta param source track \
    wbr";

/// Elements that begin and end on a line of their own.
pub const BLOCKS: &str = "address article aside blockquote body button caption center dd details dialog dir div dl dt \
    fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html label legend li listing main \
    menu nav ol option optgroup p pre search section select summary table tbody td tfoot th thead tr ul xmp";

/// Elements whose content no visitor reads: code, other documents, fallbacks and closed choices.
pub const UNREAD: &str = "audio canvas datalist iframe noembed noframes noscript object script select style svg \
    template textarea title video";

/// Whether an element is one of these.
pub fn is_one(names: &str, name: &str) -> bool {
    names.split(' ').any(|one| one == name)
}

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

/// Whether an inline style makes its element invisible: not shown, transparent, in letters of no size, or outside the
/// window.
fn hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase().replace("!important", "");
    let style: String = style.split_whitespace().collect();
    let is_zero = pattern!(r"^(?:0+(?:\.0*)?|\.0+)(?:[a-z]{2,3}|%)?$");
    let is_far = pattern!(r"^-\d{3}");
    let mut declarations = style.split(';').filter_map(|one| one.split_once(':'));
    declarations.any(|(name, value)| match name {
        "display" => value == "none",
        "visibility" => matches!(value, "hidden" | "collapse"),
        "opacity" | "font-size" => is_zero.is_match(value),
        "text-indent" | "left" | "top" | "right" | "bottom" => is_far.is_match(value),
        _ => false,
    })
}
