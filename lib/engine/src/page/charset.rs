//! From bytes to text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use patterns::pattern;

/// How far into a document browsers look for its declaration, in bytes.
const DECLARED_WITHIN: usize = 1024;

/// Decodes a document; bytes that mean nothing become replacement characters.
///
/// In the order of the HTML standard: byte order mark, header, declaration in the document. Where none of
/// these says anything, valid UTF-8 is taken as such and the rest is left to chardetng's statistics.
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    let start: String = bytes.iter().take(DECLARED_WITHIN).map(|byte| char::from(*byte)).collect();
    // A declaration that could be read as single bytes cannot be in UTF-16.
    let declared = || named(&start).map(Encoding::output_encoding);
    let encoding = content_type.and_then(named).or_else(declared);
    encoding.unwrap_or_else(|| guessed(bytes)).decode(bytes).0.into_owned()
}

/// The encoding that a header or the beginning of a document names.
fn named(text: &str) -> Option<&'static Encoding> {
    let name = pattern!(
        r#"(?i)(?:;\s*charset|<meta\b[^>]*?\bcharset|^\s*<\?xml[^>]*\bencoding)\s*=\s*["']?\s*(?P<name>[a-z0-9_:.+-]+)"#
    );
    Encoding::for_label(name.captures(text)?["name"].as_bytes())
}

fn guessed(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}
