//! What is true of every web page that a user names.

use engine::page::{MOST_BLOCKS, MOST_CHARACTERS, Page};

const TYPES: [Option<&str>; 8] = [
    Some("text/html; charset=utf-8"),
    Some("text/html"),
    None,
    Some("text/plain"),
    Some("text/html; charset=utf-16le"),
    Some("text/html; charset=shift_jis"),
    Some("text/plain; charset=iso-2022-jp"),
    Some("application/xhtml+xml"),
];

/// The first byte chooses the content type. What is kept is bounded, visible and on one line.
pub fn hold(input: &[u8]) {
    let Some((first, bytes)) = input.split_first() else { return };
    let content_type = TYPES[usize::from(*first) % TYPES.len()];
    let page = Page::read("https://example.com/", content_type, bytes);
    assert!(page.blocks.len() <= MOST_BLOCKS);
    let characters: usize = page.blocks.iter().map(|block| block.text.chars().count()).sum();
    assert!(characters <= MOST_CHARACTERS, "{characters}");
    for block in &page.blocks {
        assert!(!block.text.is_empty() && !block.text.contains(['\n', '\r']), "{block:?}");
    }
    for text in [&page.title, &page.description, &page.language].into_iter().flatten() {
        assert!(!text.is_empty() && text.chars().count() <= 1001, "{text:?}");
    }
}
