//! Whether a text shows anything.

use patterns::pattern;

/// Whether a text leaves a mark on the screen: it has more than white space, control characters, and what Unicode has
/// displays ignore, as zero-width spaces, signs of direction, variation selectors and tags.
pub fn is_visible(text: &str) -> bool {
    // The empty cell of Braille is a symbol by its class.
    pattern!(r"[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\x{2800}]").is_match(text)
}

/// Whether words of the script of a letter stand without spaces.
pub fn is_unspaced(c: char) -> bool {
    c >= '\u{2e80}'
}
