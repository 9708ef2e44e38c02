//! Random items and queries out of a vocabulary in several scripts, the same for the same seed.

use fastrand::Rng;
use search_index::{Document, Query, Sort};

/// Onsets of the syllables of an invented word, by script.
const SYLLABLES: [&[&str]; 5] = [
    &[
        "a", "pro", "mpt", "ra", "to", "ne", "li", "st", "co", "ar", "in", "é", "Ö", "ß", "ø",
        "un", "de", "Re", "ca", "m",
    ],
    &["при", "ве", "ст", "ра", "Ко", "ё", "на", "й", "лог"],
    &["α", "Λό", "γο", "ς", "τη", "Ρα"],
    &["프", "롬", "트", "이", "미", "지", "를"],
    &["नि", "र्मा", "ण", "चि", "त्र"],
];

/// Characters of invented phrases, the frequent ones first.
const CHARACTERS: &str = "的一是าน่生成图片画像ภ้ษ提示词语言写作のをがプロンプトก္မြារພາりんにしてください大小中国日本人風光";

/// Invents items and queries.
#[derive(Clone)]
pub struct World {
    rng: Rng,
    words: Vec<String>,
    phrases: Vec<String>,
    categories: Vec<String>,
}

impl World {
    /// The same words, drawn from with another seed.
    pub fn reseeded(&self, seed: u64) -> Self {
        Self { rng: Rng::with_seed(seed), ..self.clone() }
    }

    /// A world with this many words.
    pub fn new(seed: u64, size: usize) -> Self {
        let mut rng = Rng::with_seed(seed);
        let words = (0..size)
            .map(|index| {
                let script = if rng.u8(..10) < 7 { 0 } else { rng.usize(1..SYLLABLES.len()) };
                let syllables = 1
                    + usize::from(index > 20)
                    + rng.usize(..1 + index.clamp(1, 2_000).ilog2() as usize / 3);
                let word: String = (0..syllables)
                    .map(|_| SYLLABLES[script][rng.usize(..SYLLABLES[script].len())])
                    .collect();
                if rng.u8(..20) == 0 { format!("{word}{}", rng.u16(..300)) } else { word }
            })
            .collect();
        let characters: Vec<char> = CHARACTERS.chars().collect();
        let phrases = (0..size / 4 + 1)
            .map(|_| {
                let length = 1 + zipf(&mut rng, 9);
                (0..length).map(|_| characters[zipf(&mut rng, characters.len())]).collect()
            })
            .collect();
        let categories = (0..40)
            .map(|index| {
                ["Marketing", "marketing", "Bilder 图片", "Código", "Writing"][index % 5].to_owned()
                    + &"+".repeat(index / 5)
            })
            .collect();
        Self { rng, words, phrases, categories }
    }

    fn word(&mut self) -> String {
        let word = &self.words[zipf(&mut self.rng, self.words.len())];
        match self.rng.u8(..8) {
            0 => word.to_uppercase(),
            _ => word.clone(),
        }
    }

    fn phrase(&mut self) -> String {
        self.phrases[zipf(&mut self.rng, self.phrases.len())].clone()
    }

    fn prose(&mut self, most: usize, unspaced: bool) -> String {
        let mut text = String::new();
        for _ in 0..self.rng.usize(..=most) {
            let word = if unspaced && self.rng.u8(..4) > 0 { self.phrase() } else { self.word() };
            text.push_str(&word);
            match self.rng.u8(..12) {
                0 => text.push_str(", "),
                1 => text.push('。'),
                2..=4 if unspaced => {}
                _ => text.push(' '),
            }
        }
        text
    }

    /// An item; texts have up to `longest` words.
    pub fn entry(&mut self, id: u128, longest: usize) -> Document {
        let unspaced = self.rng.u8(..5) == 0;
        Document {
            id,
            // Few values, so that there are ties.
            published_at: 1_700_000_000_000 + self.rng.u64(..200_000) * 1_000,
            votes: zipf(&mut self.rng, 5_000) as u32,
            models: (0..1 + self.rng.u8(..4))
                .fold(0, |models, _| models | 1 << zipf(&mut self.rng, 37)),
            category: self.categories[zipf(&mut self.rng, 40)].clone(),
            title: self.prose(6, unspaced),
            description: self.prose(longest / 4, unspaced),
            text: self.prose(longest, unspaced),
        }
    }

    /// `count` items with random identifiers.
    pub fn entries(&mut self, count: usize, longest: usize) -> Vec<Document> {
        (0..count)
            .map(|_| {
                let id = self.rng.u128(..);
                self.entry(id, longest)
            })
            .collect()
    }

    /// A query over `items` items, of words, filters, an order and a page.
    pub fn query(&mut self, items: usize) -> Query {
        let mut words = String::new();
        for _ in 0..zipf(&mut self.rng, 5) {
            words += &if self.rng.u8(..4) == 0 { self.phrase() } else { self.word() };
            words += ["", " ", ", ", " ", "  "][self.rng.usize(..5)];
        }
        match self.rng.u8(..10) {
            0 => words = words.chars().rev().collect(),
            1 => words = "a".to_owned(),
            2..=4 => {
                words.pop();
                words.pop();
            }
            _ => {}
        }
        let page_size = self.rng.u32(1..=30);
        Query {
            words,
            category: (self.rng.u8(..4) == 0)
                .then(|| self.categories[zipf(&mut self.rng, 40)].clone()),
            models: if self.rng.u8(..3) == 0 {
                1 << self.rng.u8(..40) | 1 << zipf(&mut self.rng, 37)
            } else {
                0
            },
            sort: if self.rng.bool() { Sort::Recent } else { Sort::Top },
            page: match self.rng.u8(..4) {
                0 => self.rng.u32(..=items as u32 / page_size + 2),
                1 => self.rng.u32(..20),
                _ => 1,
            },
            page_size,
        }
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.rng.usize(..end)
    }
}

/// A number below `end`, the small ones more often (in inverse proportion).
fn zipf(rng: &mut Rng, end: usize) -> usize {
    ((end as f64 + 1.0).powf(rng.f64()) - 1.0) as usize % end
}
