//! The tests of gitleaks' rules: secrets that a rule must find (`tps`), and texts that it must not (`fps`).
//!
//! They are Go expressions. Those of literals, sums and the repository's own functions are evaluated; others, some
//! 10 %, are left out.

use std::{io, path::Path};

use regex::Regex;

use crate::collections::Text;

/// The texts of all rules' tests.
///
/// # Errors
///
/// A file cannot be read.
pub fn read(folder: &Path) -> io::Result<Vec<Text>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    let mut texts = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "go")) {
        texts.extend(tests(&std::fs::read_to_string(file)?));
    }
    Ok(texts)
}

fn tests(source: &str) -> Vec<Text> {
    let start =
        Regex::new(r"(?m)^\s*(tps|fps)\s*:?=\s*(?:append\((?:tps|fps),|\[\]string\{|(utils\.))")
            .expect("a constant");
    let mut texts = Vec::new();
    for found in start.captures_iter(source) {
        let at = found
            .get(2)
            .map_or_else(|| found.get(0).map_or(0, |all| all.end()), |call| call.start());
        let harmful = &found[1] == "tps";
        let mut go = Go { rest: &source[at..], random: 1 };
        while let Some(text) = go.expression() {
            texts.push(Text { collection: "gitleaks", text, harmful, categories: Vec::new() });
            go.skip();
            match go.rest.strip_prefix("...").unwrap_or(go.rest).strip_prefix(',') {
                Some(rest) if found.get(2).is_none() => go.rest = rest,
                _ => break,
            }
        }
    }
    texts
}

/// A reader of expressions.
struct Go<'a> {
    rest: &'a str,
    random: u64,
}

impl Go<'_> {
    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix("//") else { return };
            self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    fn takes(&mut self, token: &str) -> bool {
        self.skip();
        let taken = self.rest.strip_prefix(token);
        self.rest = taken.unwrap_or(self.rest);
        taken.is_some()
    }

    /// A sum of texts.
    fn expression(&mut self) -> Option<String> {
        let mut text = self.term()?;
        while self.takes("+") {
            text.push_str(&self.term()?);
        }
        Some(text)
    }

    fn term(&mut self) -> Option<String> {
        if self.takes("`") {
            let (text, rest) = self.rest.split_once('`')?;
            self.rest = rest;
            return Some(text.to_owned());
        }
        if self.takes("\"") {
            return self.literal();
        }
        for (name, class) in [
            ("utils.Numeric(", "[0-9]"),
            ("utils.Hex(", "[a-f0-9]"),
            ("utils.AlphaNumeric(", "[a-z0-9]"),
            ("utils.AlphaNumericExtendedShort(", "[a-z0-9_-]"),
            ("utils.AlphaNumericExtended(", "[a-z0-9=_-]"),
            ("utils.AlphaNumericExtendedLong(", "[a-z0-9/=_+-]"),
        ] {
            if self.takes(name) {
                let length = self.expression()?;
                return self.takes(")").then(|| format!("{class}{{{length}}}"));
            }
        }
        if self.takes("utils.Hex8_4_4_4_12()") {
            let hex = "[a-f0-9]";
            return Some(format!("{hex}{{8}}-{hex}{{4}}-{hex}{{4}}-{hex}{{4}}-{hex}{{12}}"));
        }
        if self.takes("secrets.NewSecret(") {
            let pattern = self.expression()?;
            return if self.takes(")") { self.secret(&pattern) } else { None };
        }
        if self.takes("utils.GenerateSampleSecrets(") || self.takes("utils.GenerateSampleSecret(") {
            let name = self.expression()?;
            let secret = if self.takes(",") { self.expression()? } else { return None };
            return self.takes(")").then(|| format!("{name}_api_token = \"{secret}\""));
        }
        None
    }

    /// The rest of a literal in quotation marks.
    fn literal(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut characters = self.rest.chars();
        loop {
            match characters.next()? {
                '"' => break,
                '\\' => text.push(match characters.next()? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                }),
                other => text.push(other),
            }
        }
        self.rest = characters.as_str();
        Some(text)
    }

    /// A text that a pattern of literals and classes matches.
    fn secret(&mut self, pattern: &str) -> Option<String> {
        let part = Regex::new(r"^(?:\[((?:\\.|[^\]\\])+)\]|\\([^a-zA-Z0-9])|([^\\\[\](){}|*+?.^$]))(?:\{(\d+)(?:,\d*)?\})?")
            .expect("a constant");
        let (mut rest, mut secret) = (pattern, String::new());
        while !rest.is_empty() {
            let found = part.captures(rest)?;
            let characters = match found.get(1) {
                Some(class) => members(class.as_str()),
                None => found.get(2).or(found.get(3))?.as_str().chars().collect(),
            };
            for _ in 0..found.get(4).map_or(Ok(1), |count| count.as_str().parse()).ok()? {
                // Knuth's linear congruential generator (The Art of Computer Programming, volume 2).
                self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                secret.push(characters[(self.random >> 33) as usize % characters.len()]);
            }
            rest = &rest[found[0].len()..];
        }
        Some(secret)
    }
}

/// The characters of a class.
fn members(class: &str) -> Vec<char> {
    let class: Vec<char> = class.chars().filter(|c| *c != '\\').collect();
    let mut members = Vec::new();
    let mut at = 0;
    while at < class.len() {
        if class.get(at + 1) == Some(&'-') && at + 2 < class.len() {
            members.extend(class[at]..=class[at + 2]);
            at += 3;
        } else {
            members.push(class[at]);
            at += 1;
        }
    }
    members
}
