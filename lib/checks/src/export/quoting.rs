//! Strings as other languages write them.

use std::fmt::Write as _;

/// A double-quoted scalar of YAML 1.2.
pub fn yaml(text: &str) -> String {
    quoted(text, |c, out| match c {
        '\0' => out.push_str("\\0"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ => escaped(c, out),
    })
}

/// A string of Python in double quotation marks, on one line.
pub fn python(text: &str) -> String {
    quoted(text, |c, out| match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ => escaped(c, out),
    })
}

/// An expression in Python: a raw string where it can be one.
pub fn raw(pattern: &str) -> String {
    let plain = !pattern.contains('"') && !pattern.ends_with('\\') && !pattern.contains(is_hidden);
    if plain { format!("r\"{pattern}\"") } else { python(pattern) }
}

/// A string of JavaScript. What opens a template is escaped, since promptfoo fills them in assertions.
pub fn javascript(text: &str) -> String {
    let plain = quoted(text, |c, out| match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c > '\u{ffff}' => out.push(c),
        c => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
    });
    untemplated(&plain)
}

/// Strings of JSON or JavaScript in a text, in which nothing opens a template any more, or closes a remark in one.
pub fn untemplated(text: &str) -> String {
    text.replace("{{", "\\u007b\\u007b")
        .replace("{%", "\\u007b%")
        .replace("{#", "\\u007b#")
        .replace("#}", "#\\u007d")
}

/// What YAML and Python both read.
fn escaped(c: char, out: &mut String) {
    let code = u32::from(c);
    // Writing to a string cannot fail.
    let _ = match code {
        ..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// A text in double quotation marks; what is not shown is written by `escape`.
fn quoted(text: &str, escape: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if is_hidden(c) => escape(c, &mut out),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Whether a character breaks lines, turns the direction of what is read, or is not shown.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' | '\u{e000}'..='\u{f8ff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// A text as an expression matches it, in JavaScript with the flag `u` and in Python.
pub fn escape_regex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '^'
                | '$'
                | '.'
                | '|'
                | '?'
                | '*'
                | '+'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '/'
        ) {
            out.push('\\');
        }
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}
