//! Credentials.

use patterns::expression;
use regex::Captures;

use crate::MOST_PER_FIELD;
use crate::field::{Field, Hit};
use crate::words::regex;

const MESSAGE: &str = "This looks like a credential. Revoke it and put a variable in its place.";

/// Finds keys in the formats of their issuers, and secrets after their name.
pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let text = field.text;
    let known = regex!(
        r"(?x)
        (?-u:\b)(?:AKIA|ASIA)[0-9A-Z]{16}(?-u:\b)
        | (?-u:\b)sk-(?:ant-|proj-|live-|svcacct-)?[A-Za-z0-9_-]{24,200}
        | (?-u:\b)(?:sk|rk)_live_[A-Za-z0-9]{16,100}
        | (?-u:\b)gh[pousr]_[A-Za-z0-9]{30,100} | (?-u:\b)github_pat_[A-Za-z0-9_]{22,100}
        | (?-u:\b)glpat-[A-Za-z0-9_-]{16,60} | (?-u:\b)xox[abeprs]-[A-Za-z0-9-]{20,100}
        | (?-u:\b)AIza[0-9A-Za-z_-]{32,40} | (?-u:\b)ya29\.[0-9A-Za-z_-]{20,200}
        | (?-u:\b)SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{30,60} | (?-u:\b)hf_[A-Za-z0-9]{30,50}
        | (?-u:\b)npm_[A-Za-z0-9]{30,50} | (?-u:\b)pypi-[A-Za-z0-9_-]{40,250} | (?-u:\b)dop_v1_[a-f0-9]{40,80}
        | (?-u:\b)eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}
        | (?-u:\b)pwk_[A-Za-z0-9]{1,40}(?:_[A-Za-z0-9]{1,100}){2,3} | (?-u:\b)whsec_[A-Za-z0-9+/=_-]{16,100}
        | (?:AccountKey|SharedAccessKey)\ ?=\ ?[A-Za-z0-9+/]{40,100}={0,2}
        | (?-u:\b)\d{8,10}:AA[A-Za-z0-9_-]{33}
        | hooks\.slack\.com/services/T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/[A-Za-z0-9]{16,30}
        | -----BEGIN\ (?:[A-Z]{2,10}\ ){0,2}PRIVATE\ KEY-----\s+[A-Za-z0-9+/=]{16}"
    );
    let mut hits: Vec<Hit> = known
        .find_iter(text)
        .filter(|found| !is_placeholder(found.as_str()))
        .take(MOST_PER_FIELD)
        .map(|found| field.hit("secret", found.range(), MESSAGE))
        .collect();
    let connection = regex!(
        r"[a-zA-Z][a-zA-Z0-9+]{1,15}://(?P<user>[^\s:/@]{1,60}):(?P<secret>[^\s/@]{3,80})@(?P<host>[a-zA-Z0-9.-]{1,200})"
    );
    hits.extend(
        connection
            .captures_iter(text)
            .filter(|found| opens_something(found))
            .filter_map(|found| found.get(0))
            .take(MOST_PER_FIELD)
            .map(|found| field.hit("secret", found.range(), MESSAGE)),
    );
    let named = regex!(expression!(
        r#"(?ix){moderation_secrets.name}["']?(?P<stated>\s{0,2}(?:[:=]|{moderation_secrets.is})\s{0,2}|\ )["'“`]?(?P<value>[^\s"'”`,;<>{}\[\]()]{8,120})"#
    ));
    // "With password" and "the password is" leave no doubt that a value follows.
    let with =
        regex!(expression!(r"(?i){moderation_secrets.with}(?: {moderation_secrets.article})?\s*$"));
    hits.extend(
        named
            .captures_iter(text)
            .filter_map(|found| {
                let (name, stated) = (found.get(0)?.start(), found.name("stated")?.as_str());
                let near = text[..name].char_indices().rev().nth(20).map_or(0, |(at, _)| at);
                let stated = stated != " " || with.is_match(&text[near..name]);
                found.name("value").map(|value| (value, stated))
            })
            .filter(|(value, stated)| {
                is_random(value.as_str()) || (*stated && is_mixed(value.as_str()))
            })
            .map(|(value, _)| value)
            .filter(|value| !is_placeholder(value.as_str()))
            .filter(|value| !known.is_match(value.as_str()))
            .take(MOST_PER_FIELD)
            .map(|value| field.hit("secret", value.range(), MESSAGE)),
    );
    hits
}

/// Whether a connection string is neither a template nor for a local database.
fn opens_something(found: &Captures<'_>) -> bool {
    let part = |name| found.name(name).map_or("", |part| part.as_str());
    let (user, secret, host) = (part("user"), part("secret"), part("host"));
    let local = matches!(host, "localhost" | "127.0.0.1" | "db" | "postgres" | "redis" | "mysql")
        || host.ends_with("example.com")
        || host.ends_with(".example")
        || host.ends_with(".local");
    !local && secret != user && !is_placeholder(secret)
}

/// Whether a value mixes characters in a way that words and identifiers do not.
fn is_random(value: &str) -> bool {
    let value = value.trim_end_matches(['.', '!', '?', ':']);
    let digits = value.chars().any(|c| c.is_ascii_digit());
    let cases = value.chars().any(char::is_uppercase) && value.chars().any(char::is_lowercase);
    let signs =
        value.chars().any(|c| matches!(c, '!' | '#' | '$' | '%' | '&' | '*' | '+' | '^' | '?'));
    let path = value.contains("://") || value.contains("()");
    !path && value.chars().count() >= 8 && digits && (cases || signs)
}

/// Whether a value mixes letters and digits and is not the name of a technique.
fn is_mixed(value: &str) -> bool {
    let value = value.trim_end_matches(['.', '!', '?', ':']);
    let named = regex!(
        r"(?i)^(?:base64|base32|sha|md5|utf|oauth|aes|rsa|bcrypt|argon2|scrypt|pbkdf2|hmac|http|x509|ed25519|totp|webauthn|fido2|\d{1,3}[a-z-]+$|[a-z]+-?\d{1,2}-|[a-z_]+\d?(?:[_.][a-z]+\d?)+$)"
    );
    value.len() >= 8
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !value.contains("://")
        && !named.is_match(value)
}

/// Whether a value is a placeholder of a credential.
fn is_placeholder(value: &str) -> bool {
    regex!(
        r"(?i)^[$%<{*]|[x*.•]{6}|\.\.\.$|example|placeholder|your[_-]|[_-]here|changeme|change[_-]me|redacted|^(?:pwk|whsec|sk)_?-?(?:x+|[_.]+)+$|^(?:password|passwort|postgres|secret|pass|user|test|admin|root)\d{0,4}$|^(?:process|os|env|config)\."
    )
    .is_match(value)
}
