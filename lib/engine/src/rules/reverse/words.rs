//! Words of any script.

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    /// Its letters and digits, with hyphens and apostrophes inside.
    pub text: &'a str,
    /// Whether it begins a sentence.
    pub opens: bool,
    /// Whether punctuation or a line break stands before it.
    pub breaks: bool,
}

/// The words of a text, in order. What is written without spaces, as Chinese, Japanese and Thai are, comes as
/// one word for each run without punctuation.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut list = Vec::new();
    let (mut opens, mut breaks) = (true, true);
    let mut start: Option<usize> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((index, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let joins = matches!(character, '-' | '\'' | '’' | '\u{200d}')
            && start.is_some()
            && next.is_some_and(char::is_alphanumeric);
        if is_letter(character) || joins {
            start.get_or_insert(index);
            continue;
        }
        if let Some(start) = start.take() {
            list.push(Word { text: &text[start..index], opens, breaks });
            (opens, breaks) = (false, false);
        }
        match character {
            '.' | '!' | '?' | '…' | '。' | '！' | '？' | '\n' => {
                (opens, breaks) = (true, true)
            }
            ':' => (opens, breaks) = (true, true),
            c if !c.is_whitespace() => breaks = true,
            _ => {}
        }
    }
    if let Some(start) = start {
        list.push(Word { text: &text[start..], opens, breaks });
    }
    list
}

/// Letters and digits, and the marks that complete letters in many scripts.
fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || is_mark(character)
}

/// Combining marks of scripts whose vowels are marks.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{5b0}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{980}'..='\u{983}' | '\u{9bc}'..='\u{9cd}'
        | '\u{a01}'..='\u{a4d}' | '\u{a81}'..='\u{acd}' | '\u{b01}'..='\u{bcd}' | '\u{c00}'..='\u{d4d}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
}

/// Whether a letter is of a script that is written without spaces between words.
pub fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Whether most of a text is in such scripts, so that its length is counted in characters.
pub fn mostly_unspaced(text: &str) -> bool {
    let (mut letters, mut unspaced) = (0usize, 0usize);
    for character in text.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        unspaced += usize::from(is_unspaced(character));
    }
    unspaced * 10 > letters * 3
}

/// Whether a character is a pictograph.
pub fn is_emoji(character: char) -> bool {
    matches!(character, '\u{2600}'..='\u{2604}' | '\u{2607}'..='\u{27bf}' | '\u{2b50}' | '\u{1f300}'..='\u{1faff}')
}
