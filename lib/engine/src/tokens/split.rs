//! Splitting a text into the pieces that `o200k_base` encodes one by one.

use patterns::pattern;

/// The pieces of `text`, in order and without gaps: the expression that the tokenizer is published with, but for the
/// end of white space.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let piece = pattern!(
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+"
    );
    let mut at = 0;
    std::iter::from_fn(move || {
        let end = piece.end_at(text, at)?;
        let found = &text[at..end];
        let last = found.chars().next_back()?;
        // The last of several blanks goes with what follows.
        let is_blank = found.trim().is_empty() && !found.ends_with(['\r', '\n']);
        let given = is_blank && end < text.len() && found.len() > last.len_utf8();
        let start = std::mem::replace(&mut at, if given { end - last.len_utf8() } else { end });
        Some(&text[start..at])
    })
}
