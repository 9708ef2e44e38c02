//! How texts and queries become words.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use bytes::Bytes;
use search_index::{DeltaIndex, Document, LONGEST_WORD, Query, Snapshot, Terms, Token, tokenize};

/// The tokens of a text, runs in brackets.
fn tokens(text: &str) -> String {
    let tokens = tokenize(text).into_iter().map(|token| match token {
        Token::Word(word) => word,
        Token::Run(run) => format!("[{run}]"),
    });
    tokens.collect::<Vec<_>>().join(" ")
}

#[test]
fn case_and_accents_make_no_difference_and_scripts_keep_their_letters() {
    for (text, expected) in [
        ("Crème BRÛLÉE", "creme brulee"),
        ("Straße STRASSE STRAẞE", "strasse strasse strasse"),
        ("Łódź Øresund Ærø Œuvre Đà Nẵng", "lodz oresund aero oeuvre da nang"),
        ("İstanbul ISPARTA ısparta", "istanbul isparta isparta"),
        ("Σίσυφος ΣΊΣΥΦΟΣ", "σισυφοσ σισυφοσ"),
        ("Ёлка", "елка"),
        ("e\u{301}te\u{301} ﬁne ＡＢＣ ² ①", "ete fine abc 2 1"),
        ("don't e-mail GPT-4o 3.5", "don t e mail gpt 4o 3 5"),
        ("co\u{ad}operate 1\u{fe0f}\u{20e3} a\u{200d}b", "cooperate 1 ab"),
        ("हिन्दी चित्र", "हिन्दी चित्र"),
        ("كِتَاب", "كتاب"),
        ("프롬프트를 쓰다", "프롬프트를 쓰다"),
        ("བོད་ཀྱི་སྐད།", "བོད ཀྱི སྐད"),
        ("สร้างภาพ AI ปี ๒๕๖๙", "[สร้างภาพ] ai [ปี] ๒๕๖๙"),
        ("ພາສາລາວ ខ្មែរ\u{200b}ភាសា မြန်မာ၊ ၁၂", "[ພາສາລາວ] [ខ្មែរភាសា] [မြန်မာ] ၁၂"),
        ("ꦧꦱꦗꦮ꧈ᬩᬲᬩᬮᬶ", "[ꦧꦱꦗꦮ] [ᬩᬲᬩᬮᬶ]"),
        ("生成AI图片 2枚", "[生成] ai [图片] 2 [枚]"),
        ("か\u{3099}ぞう がぞう ｶﾞｿﾞｳ かぞう", "[がぞう] [がぞう] [ガゾウ] [かぞう]"),
        ("データ・ベース、人々", "[データ] [ベース] [人々]"),
        ("!!! — 🎨\n\u{301}", ""),
    ] {
        assert_eq!(tokens(text), expected, "{text}");
    }
}

#[test]
fn tokens_are_tokens_of_themselves_and_never_whitespace() {
    let all = (0..=0x10_ffff).filter_map(char::from_u32);
    for character in all {
        for text in [character.to_string(), format!("x{character}y"), format!("字{character}字")]
        {
            for token in tokenize(&text) {
                let (Token::Word(inner) | Token::Run(inner)) = &token;
                assert!(!inner.contains(char::is_whitespace), "{text:?}");
                assert_eq!(tokenize(inner), std::slice::from_ref(&token), "{text:?}");
            }
        }
    }
}

#[test]
fn a_word_of_any_length_is_searched_by_its_first_characters() {
    let long = "é".repeat(LONGEST_WORD + 500);
    let expected = "e".repeat(LONGEST_WORD);
    assert_eq!(tokens(&long), expected);
    assert_eq!(Terms::read(&long).prefix, Some(expected));
}

#[test]
fn the_last_word_is_a_prefix_and_runs_are_phrases() {
    let terms = Terms::read("Write write 図表 a Post");
    assert_eq!(terms.whole, ["a", "write"]);
    assert_eq!(terms.prefix.as_deref(), Some("post"));
    assert_eq!(terms.phrases, ["図表"]);
    assert_eq!(Terms::read("write 図表").prefix, None);
    assert!(Terms::read(" ¿? ").is_empty());
}

#[test]
fn fifty_thousand_combining_marks_are_read_at_once() {
    let text = format!("a{}", "\u{301}\u{323}\u{3099}".repeat(16_000));
    let start = std::time::Instant::now();
    assert!(tokens(&text).starts_with('a'));
    assert!(start.elapsed().as_secs() < 5);
}

/// Whether a query's words find an item with this text.
fn finds(text: &str, words: &str) -> bool {
    let entry = |id| Document { id, title: text.into(), ..Document::default() };
    let query = Query { words: words.into(), ..Query::default() };
    let indexed = Snapshot::open(Bytes::from(Snapshot::build(vec![entry(1)]))).unwrap();
    let empty = Snapshot::open(Bytes::from(Snapshot::build(Vec::new()))).unwrap();
    let mut delta = DeltaIndex::new();
    delta.put(entry(1));
    let found = indexed.search(&query, &DeltaIndex::new());
    assert_eq!(empty.search(&query, &delta), found, "index and delta differ: {text:?} {words:?}");
    found.total == 1
}

#[test]
fn a_query_finds_what_a_reader_would_expect() {
    for (text, words) in [
        ("Überzeugende E-Mails schreiben", "uberzeugende mai"),
        ("Überzeugende E-Mails schreiben", "SCHREIBEN überzeugende"),
        ("用人工智能生成图片", "人工智能"),
        ("用人工智能生成图片", "图"),
        ("用人工智能生成图片", "图片 人工"),
        ("プロンプトを書く", "ロンプト"),
        ("프롬프트를 쓰다", "프롬프트"),
        ("gpt4画像", "gpt4 画像"),
        ("ไทยภาษา", "ภาษา"),
        ("เขียนบทความภาษาไทยให้อ่านง่าย", "บทความ ภาษาไทย"),
        ("น้ำตก", "น้ํา"),
        ("ຂຽນບົດຄວາມ", "ບົດ"),
        ("សរសេរអត្ថបទខ្លី", "អត្ថបទ"),
        ("ဆောင်းပါးရေးပါ", "ရေး"),
        ("anything", "?!"),
    ] {
        assert!(finds(text, words), "{words:?} should find {text:?}");
    }
    for (text, words) in [
        ("Überzeugende E-Mails schreiben", "mai schreiben"),
        ("用人工智能生成图片", "人智"),
        ("用人工智能生成图片", "片图"),
        ("生成、图片", "生成图片"),
        ("かぞう", "がぞう"),
        ("write", "writer"),
        ("ข้าวสวย", "ขาว"),
        ("ดูหนัง", "ดหนง"),
    ] {
        assert!(!finds(text, words), "{words:?} should not find {text:?}");
    }
}

#[test]
fn texts_do_not_run_into_each_other() {
    let entry = Document {
        id: 1,
        title: "生成".into(),
        description: "图片 ab".into(),
        text: "cd".into(),
        ..Document::default()
    };
    let snapshot = Snapshot::open(Bytes::from(Snapshot::build(vec![entry]))).unwrap();
    for words in ["生成图", "abcd"] {
        let query = Query { words: words.into(), ..Query::default() };
        assert_eq!(snapshot.search(&query, &DeltaIndex::new()).total, 0, "{words}");
    }
}
