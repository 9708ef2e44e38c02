//! Texts of so many words, sentences and other parts, in eight languages.

use crate::common::Chance;

/// A language with words that are none of its numbers and have no marks.
pub struct Language {
    pub tag: &'static str,
    pub name: &'static str,
    pub words: &'static [&'static str],
    /// What stands between words, and at the end of a sentence.
    pub space: &'static str,
    pub stop: &'static str,
    /// A text long enough to tell the language.
    pub text: &'static str,
    /// A word and a form of it with an ending, if it has such forms.
    pub forms: Option<(&'static str, &'static str)>,
}

pub const LANGUAGES: [Language; 8] = [
    Language {
        tag: "en",
        name: "English",
        words: &["river", "stone", "walks", "slowly", "over", "quiet", "hills", "don't"],
        space: " ",
        stop: ".",
        text: "The river runs slowly through the quiet hills, and nobody has seen where it begins. Children play on its banks in the summer.",
        forms: Some(("mountain", "mountains")),
    },
    Language {
        tag: "de",
        name: "German",
        words: &["fluss", "steine", "läuft", "langsam", "über", "stille", "hügel", "groß"],
        space: " ",
        stop: ".",
        text: "Der Fluss läuft langsam durch die stillen Hügel, und niemand hat gesehen, wo er beginnt. Im Sommer spielen Kinder an seinem Ufer.",
        forms: Some(("haus", "hauses")),
    },
    Language {
        tag: "fr",
        name: "French",
        words: &["rivière", "pierre", "coule", "lentement", "l'eau", "calme", "collines", "été"],
        space: " ",
        stop: ".",
        text: "La rivière coule lentement entre les collines tranquilles, et personne n'a vu où elle commence. En été, les enfants jouent sur ses rives.",
        forms: Some(("pierre", "pierres")),
    },
    Language {
        tag: "es",
        name: "Spanish",
        words: &["río", "piedra", "corre", "despacio", "sobre", "colinas", "años", "sol"],
        space: " ",
        stop: ".",
        text: "El río corre despacio entre las colinas tranquilas, y nadie ha visto dónde empieza. En verano los niños juegan en sus orillas.",
        forms: Some(("piedra", "piedras")),
    },
    Language {
        tag: "it",
        name: "Italian",
        words: &["fiume", "pietra", "scorre", "lento", "sopra", "colline", "perché", "sole"],
        space: " ",
        stop: ".",
        text: "Il fiume scorre lento tra le colline tranquille, e nessuno ha visto dove comincia. D'estate i bambini giocano sulle sue rive.",
        forms: Some(("pietra", "pietre")),
    },
    Language {
        tag: "pt",
        name: "Portuguese",
        words: &["rio", "pedra", "corre", "devagar", "sobre", "colinas", "verão", "sol"],
        space: " ",
        stop: ".",
        text: "O rio corre devagar entre as colinas tranquilas, e ninguém viu onde ele começa. No verão as crianças brincam nas suas margens.",
        forms: Some(("pedra", "pedras")),
    },
    Language {
        tag: "zh",
        name: "Chinese",
        words: &["河", "石", "水", "山", "静", "夏", "天", "流"],
        space: "",
        stop: "。",
        text: "河水慢慢地流过安静的山丘，没有人见过它从哪里开始。夏天孩子们在河边玩耍。",
        forms: None,
    },
    Language {
        tag: "ja",
        name: "Japanese",
        words: &["川", "石", "の", "水", "が", "静", "夏", "る"],
        space: "",
        stop: "。",
        text: "川は静かな丘の間をゆっくりと流れ、どこから始まるのか誰も見たことがありません。夏には子供たちが岸辺で遊びます。",
        forms: None,
    },
];

impl Language {
    /// Whether it has capital and small letters.
    pub const fn is_cased(&self) -> bool {
        !self.space.is_empty()
    }

    /// So many words by chance.
    pub fn words(&self, number: usize, chance: &mut Chance) -> String {
        let words: Vec<&str> = (0..number).map(|_| *chance.pick(self.words)).collect();
        words.join(self.space)
    }

    pub fn sentence(&self, chance: &mut Chance) -> String {
        let length = chance.within(2, 9);
        let mut text = self.words(length, chance);
        if self.is_cased() {
            let first = text.chars().next().unwrap();
            text = first.to_uppercase().chain(text.chars().skip(1)).collect();
        }
        text + self.stop
    }

    /// So many sentences, on one line or several.
    pub fn sentences(&self, number: usize, chance: &mut Chance) -> String {
        let mut text = String::new();
        for at in 0..number {
            if at > 0 {
                text.push_str(if chance.below(4) == 0 { "\n" } else { self.space });
            }
            text.push_str(&self.sentence(chance));
        }
        text
    }

    /// So many paragraphs between empty lines.
    pub fn paragraphs(&self, number: usize, chance: &mut Chance) -> String {
        let paragraph = |chance: &mut Chance| {
            let number = chance.within(1, 3);
            (0..number).map(|_| self.sentence(chance)).collect::<Vec<_>>().join(self.space)
        };
        (0..number).map(|_| paragraph(chance)).collect::<Vec<_>>().join("\n\n")
    }

    /// So many lines with something before each.
    pub fn lines(
        &self,
        number: usize,
        chance: &mut Chance,
        before: impl Fn(usize) -> String,
    ) -> String {
        let line = |at: usize, chance: &mut Chance| {
            let length = chance.within(2, 6);
            format!("{}{}", before(at), self.words(length, chance))
        };
        (1..=number).map(|at| line(at, chance)).collect::<Vec<_>>().join("\n")
    }
}
