//! Texts that tokenizers stumble over.

/// A fixed sequence that looks random (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn of(&mut self, characters: &str) -> char {
        let index = self.below(characters.chars().count());
        characters.chars().nth(index).expect("an index below the length")
    }

    fn between(&mut self, first: u32, last: u32) -> char {
        loop {
            let point = first + self.below((last - first + 1) as usize) as u32;
            if let Some(character) = char::from_u32(point) {
                return character;
            }
        }
    }

    /// Any character.
    pub fn character(&mut self) -> char {
        self.between(0, 0x10_FFFF)
    }

    /// A character out of a class that a split of words tells from others.
    #[allow(dead_code)]
    pub fn telling(&mut self) -> char {
        self.of("aAbBsStTrReEvVlLmMdDzZſK''’ \t\r\n\n/!.-_0129²ⅣöÖǅʰªאع的かカ한\u{301}\u{20dd}\u{a0}\u{3000}\u{200b}\u{200d}\u{85}\u{2028}😀€")
    }
}

/// `length` characters of every class of text.
pub fn classes(length: usize) -> Vec<(&'static str, String)> {
    let cycle = |text: &str| text.chars().cycle().take(length).collect::<String>();
    let mut random = Random::new(length as u64 + 1);
    let mut draw = |pick: &mut dyn FnMut(&mut Random) -> char| -> String {
        (0..length).map(|_| pick(&mut random)).collect()
    };
    let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    vec![
        ("one letter", cycle("a")),
        ("one capital", cycle("A")),
        ("alternating case", cycle("aA")),
        ("mark and capitals", cycle("\u{301}AAAA")),
        ("random letters", draw(&mut |r| r.between(0x61, 0x7a))),
        ("spaces", cycle(" ")),
        ("tabs", cycle("\t")),
        ("no-break spaces", cycle("\u{a0}")),
        ("ideographic spaces", cycle("\u{3000}")),
        ("newlines", cycle("\n")),
        ("CRLF", cycle("\r\n")),
        ("blank lines", cycle("  \n \t\n")),
        ("emoji", cycle("😀")),
        ("emoji with ZWJ", cycle("👩‍👩‍👧‍👦")),
        ("zero width spaces", cycle("\u{200b}")),
        ("base64", draw(&mut |r| r.of(base64))),
        ("hexadecimal", draw(&mut |r| r.of("0123456789abcdef"))),
        ("one Han character", cycle("的")),
        ("Chinese", cycle("请用中文总结以下报告的主要内容。")),
        ("random Han", draw(&mut |r| r.between(0x4e00, 0x9fff))),
        ("Japanese", cycle("この報告書の要点を日本語でまとめてください。")),
        ("Han clauses", {
            let mut place = 0;
            draw(&mut |r| {
                place = (place + 1) % 34;
                if place == 0 { '，' } else { r.between(0x4e00, 0x9fff) }
            })
        }),
        ("random Hangul", draw(&mut |r| r.between(0xac00, 0xd7a3))),
        ("Thai", cycle("สวัสดีครับ")),
        ("Arabic", cycle("السلام عليكم ورحمة الله ")),
        ("Arabic without spaces", cycle("السلامعليكم")),
        ("Devanagari", cycle("नमस्ते दुनिया ")),
        ("digits", draw(&mut |r| r.between(0x30, 0x39))),
        ("one sign", cycle("=")),
        ("slashes", cycle("/")),
        ("punctuation", cycle("!?.,;:-")),
        ("one combining mark", cycle("\u{301}")),
        ("combining marks", draw(&mut |r| r.between(0x300, 0x36f))),
        ("letters with marks", cycle("e\u{301}\u{327}")),
        ("contractions", cycle("'s't're'LL")),
        ("any Unicode", draw(&mut Random::character)),
        ("unassigned", draw(&mut |r| r.between(0xe_0200, 0xe_ffff))),
        ("English", cycle("The quick brown fox jumps over the lazy dog, and it's 12345 times. \n")),
        ("code", cycle("    if (a[i] != b_c) {\n\t\treturn x->y; // 0x1F\n    }\n")),
    ]
}

/// Short texts with something unusual in each.
#[allow(dead_code)]
pub fn nasty() -> &'static [&'static str] {
    &[
        "",
        "<|endoftext|>",
        "<|endofprompt|> <|im_start|>system",
        "\u{301}",
        "\u{301}\u{302}ABC",
        "\u{301}Abc",
        "ABC\u{301}DEF",
        "e\u{301}t\u{e9}",
        "שלום עולם",
        "\u{202e}abc\u{202c}",
        "مرحبا",
        "a\u{200b}b\u{200d}c\u{feff}",
        "\r\n\r\n  x",
        "a\r\nb\rc\nd",
        "\t\tindent",
        "   \n   \n   word",
        "trailing   ",
        " \u{a0} \u{2003}x",
        "\u{85}\u{2028}\u{2029}x",
        "I'm I'M don't DON'T we'Ve they'LL it'ſ 'S'T",
        "'re'Ve'll're",
        "O'Reilly's d'être",
        "it’s",
        "camelCaseHTTPServerID",
        "ǅungla ʰªº ⅣⅫ ²³ ½",
        "1234567 12 1 ٠١٢٣٤ 一二三",
        "3.14159e-10 1,000,000 0xDEADBEEF",
        "!!!???...",
        " ...\n\n/x",
        ".\n/ /\n\n//\r\n",
        "http://example.com/a?b=c&d=%20#e",
        "{{variable}} ${x} <tag attr=\"v\"/>",
        "日本語とEnglishを混ぜる",
        "한국어English中文",
        "👍🏽👨‍👩‍👧‍👦🇩🇪",
        "\u{0}\u{1}\u{7f}\u{ad}",
        "\u{10ffff}\u{e000}\u{fffd}",
        "────────────────────────────────",
        "========================================================================",
        "                                                                                \n",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "ſſſ KKK ﬁ ß ẞ İ ı",
        "SGVsbG8gd29ybGQhIFRoaXMgaXMgYmFzZTY0IHRleHQgd2l0aG91dCBzcGFjZXM",
        "pneumonoultramicroscopicsilicovolcanoconiosis",
    ]
}
