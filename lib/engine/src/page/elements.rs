//! What the elements of HTML mean for a reader.

use std::collections::BTreeMap;

use html5gum::{HtmlString, Spanned};

use patterns::pattern;

/// The attributes of a start tag.
pub type Attributes = BTreeMap<HtmlString, Spanned<HtmlString, ()>>;

/// An attribute's value as text.
pub fn attribute(attributes: &Attributes, name: &str) -> Option<String> {
    let value = attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(value).trim().to_owned())
}

/// Elements without content.
pub fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Elements that begin and end on a line of their own.
pub fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "button"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "head"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "label"
            | "legend"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "option"
            | "optgroup"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "select"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
            | "xmp"
    )
}

/// Elements whose content no visitor reads: code, other documents, fallbacks and closed choices.
pub fn is_unread(name: &str) -> bool {
    matches!(
        name,
        "audio"
            | "canvas"
            | "datalist"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
            | "object"
            | "script"
            | "select"
            | "style"
            | "svg"
            | "template"
            | "textarea"
            | "title"
            | "video"
    )
}

/// Whether an element's attributes keep it from being seen or from being read aloud.
pub fn is_hidden(name: &str, attributes: &Attributes) -> bool {
    attributes.contains_key(&b"hidden"[..])
        || attribute(attributes, "aria-hidden")
            .is_some_and(|value| value.eq_ignore_ascii_case("true"))
        || name == "dialog" && !attributes.contains_key(&b"open"[..])
        || attribute(attributes, "style").is_some_and(|style| hides(&style))
}

/// Whether it leads through the site rather than being part of the page.
pub fn is_navigation(name: &str, attributes: &Attributes) -> bool {
    matches!(name, "nav" | "footer")
        || attribute(attributes, "role").is_some_and(|role| {
            matches!(role.to_ascii_lowercase().as_str(), "navigation" | "contentinfo" | "menubar")
        })
}

/// Whether an inline style makes its element invisible: not shown, transparent, without extent, clipped away
/// or outside the window.
fn hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let declarations: Vec<(&str, &str)> = style
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'))
        .map(|(name, value)| (name.trim(), value.trim().trim_end_matches("!important").trim()))
        .collect();
    let has =
        |test: fn(&str, &str) -> bool| declarations.iter().any(|(name, value)| test(name, value));
    let clipped = has(|name, value| name.starts_with("overflow") && value != "visible");
    let placed = has(|name, value| name == "position" && matches!(value, "absolute" | "fixed"));
    has(|name, value| match name {
        "display" => value == "none",
        "visibility" => matches!(value, "hidden" | "collapse"),
        "content-visibility" => value == "hidden",
        "opacity" | "font-size" => is_zero(value),
        "color" => value == "transparent",
        "transform" => pattern!(r"\bscale(?:[xy]|3d)?\(\s*0(?:\.0*)?\s*[,)]").is_match(value),
        "clip" => pattern!(
            r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)"
        )
        .is_match(value),
        "clip-path" => pattern!(r"inset\(\s*(?:50|100)%|circle\(\s*0").is_match(value),
        "text-indent" => is_far(value),
        _ => false,
    }) || clipped
        && has(|name, value| {
            matches!(name, "width" | "height" | "max-width" | "max-height")
                && (is_zero(value) || value == "1px")
        })
        || placed
            && has(|name, value| {
                matches!(name, "left" | "top" | "right" | "bottom") && is_far(value)
            })
}

fn is_zero(value: &str) -> bool {
    pattern!(r"^0*(?:\.0*)?(?:px|em|rem|pt|%|vh|vw)?$").is_match(value)
        && value.starts_with(['0', '.'])
}

/// Further to the side than any window is wide.
fn is_far(value: &str) -> bool {
    pattern!(
        r"^-\d{3,}(?:\.\d*)?(?:px|pt)|^-\d{2,}(?:\.\d*)?(?:em|rem)|^-\d{3,}(?:\.\d*)?(?:%|v[hw])"
    )
    .is_match(value)
}
