//! From bytes to text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use patterns::pattern;

/// How far into a document browsers look for its declaration, in bytes.
const DECLARED_WITHIN: usize = 1024;

/// Decodes a document; bytes that mean nothing become replacement characters.
///
/// In the order of the HTML standard: byte order mark, header, declaration in the document. Where none of
/// these says anything, valid UTF-8 is taken as such and the rest is left to chardetng's statistics.
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| content_type.and_then(in_header))
        .or_else(|| declared(bytes))
        .unwrap_or_else(|| guessed(bytes));
    encoding.decode(bytes).0.into_owned()
}

fn in_header(content_type: &str) -> Option<&'static Encoding> {
    let found = pattern!(r#"(?i);\s*charset\s*=\s*["']?([^"';\s]+)"#).captures(content_type)?;
    Encoding::for_label(found[1].as_bytes())
}

fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(DECLARED_WITHIN)];
    let start: String = start.iter().map(|byte| char::from(*byte)).collect();
    let found = pattern!(r#"(?i)<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([a-z0-9_:.+-]+)|^\s*<\?xml[^>]*\bencoding\s*=\s*["']([a-z0-9_:.+-]+)"#)
        .captures(&start)?;
    let label = found.get(1).or_else(|| found.get(2))?;
    let encoding = Encoding::for_label(label.as_str().as_bytes())?;
    // A declaration that could be read as single bytes cannot be in UTF-16.
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

fn guessed(bytes: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}
