//! Finding what a goal says about audience, tone, length and the like.

use patterns::{Pattern, pattern};

/// What was said, word for word; `None` where nothing was.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// Who reads, sees or uses the result.
    pub audience: Option<String>,
    /// How it should sound.
    pub tone: Option<String>,
    /// How long it should be.
    pub length: Option<String>,
    /// A span of time.
    pub duration: Option<String>,
    /// A sum of money.
    pub budget: Option<String>,
    /// Where it is published or used.
    pub platform: Option<String>,
    /// Programming language or tool.
    pub stack: Option<String>,
    /// Form of the answer.
    pub format: Option<String>,
    /// Skill level.
    pub level: Option<String>,
    /// Date by which something is due.
    pub deadline: Option<String>,
    /// Language asked for in the text.
    pub language: Option<String>,
    /// What it is about, as a noun phrase that fits into a sentence.
    pub subject: Option<String>,
}

/// Reads the slots of an English text. The last mention wins, so that later words correct earlier ones.
pub fn read(text: &str) -> Slots {
    let last = |found: patterns::Captures<'_>, group: &str| {
        found.name(group).map(|value| value.as_str().trim().to_owned())
    };
    let pick_from = |text: &str, regex: Pattern, group: &str| {
        regex
            .captures_iter(text)
            .filter(|found| found.name("old").is_none())
            .last()
            .and_then(|found| last(found, group))
    };
    let pick = |regex: Pattern, group: &str| pick_from(text, regex, group);
    let wanted = without_refusals(text);
    Slots {
        audience: pick(pattern!(r"(?i)\b(?:for|to|aimed at|target(?:ing|ed at)?|audience(?: is| are|:)?|read by|readers are|convince|persuade|teach(?:ing)?|with|ask(?:ing)?|tell(?:ing)?|from) (?P<v>(?:(?:an?|my|our|the|all|other|some) )?(?:[\w'’-]+ ){0,4}?(?:{slots.person})(?: (?:{slots.person}))?)\b"), "v")
        .filter(|audience| !is_column(text, audience))
        .map(|audience| pattern!(r"(?i)^.*\b(?:for|to|at|about|in|on|as|from) ").replace(&audience, "").into_owned())
        .map(|audience| pattern!(r"(?i)^(?:tell|ask|inform|thank|invite|convince|persuade|help|let|teach|remind|email|write|call|get|give) ").replace(&audience, "").into_owned())
        .filter(|audience| !pattern!(r"(?i)\b(?:that|which|who|and|with|to|of|in|is|are|about|me|you|it)\b").is_match(audience)),
        tone: pick_from(&wanted, pattern!(r"(?i)\b(?:tone(?: should be| of voice)?(?: is|:)? )?(?P<v>(?:(?:very|slightly|more|warm|not too) )?(?:{slots.tones})(?:(?:,? (?:and|but|yet)(?: not too| still)? |, ?)(?:{slots.tones}))*)\b"), "v"),
        length: pick(pattern!(r"(?i)\b(?P<v>(?:(?:under|below|max(?:imum)?(?: of)?|at most|up to|no more than|no longer than|less than|fewer than|about|around|approximately|approx\.?|roughly|exactly|at least|within|maximal) )?(?:\d[\d,.]*(?:k\b)?(?: ?(?:-|–|to) ?\d[\d,.]*)?|{slots.short_number})[ -]?(?:words?|characters?|chars|sentences?|paragraphs?|pages?|lines?|bullet points?|bullets|slides?|questions?|items|stanzas?|ideas|names|tips|recipes|steps|options|versions|variations|examples|posts|tweets|emails|haikus?)(?: (?:max(?:imum)?|or less|or fewer|at most))?)(?:\b|$)"), "v")
        .or_else(|| pick(pattern!(r"(?i)\b(?P<v>(?:very )?(?:short|brief|concise|in-depth|one[- ]page(?:r)?|long-form))\b"), "v")),
        duration: pick(pattern!(r"(?i)\b(?P<v>(?:\d+(?:\.\d+)?(?: ?(?:-|–|to) ?\d+)?|{slots.short_number})[ -]?(?:seconds?|secs?|s|minutes?|mins?|hours?|days?|weeks?|months?|years?))\b(?P<old>[ -]olds?\b)?"), "v"),
        budget: pick(pattern!(
            r"(?i)(?P<v>(?:(?:under|below|up to|max(?:imum)?|about|around|less than) )?(?:[$€£¥₹]\s?\d[\d,.]*\d?\s?[kKmM]?\b|\b\d[\d,.]*\s?(?:k )?(?:dollars|euros?|eur|usd|pounds|gbp|bucks|chf|yen)\b|\b\d[\d,.]*\s?[€£$]))"
        ), "v"),
        platform: pick(pattern!(r"(?i)\b(?P<v>{slots.platforms})\b"), "v"),
        stack: pattern!(r"(?i)(?:^|[\s(,/\x22'])(?P<v>{slots.stacks})(?:[\s),./?!:;\x22']|$)")
            .captures(text)
            .and_then(|found| last(found, "v"))
            .filter(|stack| stack != "go" && stack != "express" && stack != "spring" && stack != "shell" && stack != "spark"),
        format: pick(pattern!(
            r"(?i)\b(?P<old>(?:data|files?|exports?|records|dump|everything|saved|stored) (?:is |are |come |comes )?)?(?:in|as|into|output|return|using|valid)(?: an?| the)?(?: form of an?)? (?P<v>(?:valid |plain |numbered |bulleted |markdown |comparison )*(?:json|csv|ya?ml|xml|markdown|html|tables?|bullet(?:ed)? (?:points?|list)|bullets|list|outline|plain text|checklist|mermaid|latex))\b"
        ), "v"),
        level: pick(pattern!(
            r"(?i)\b(?P<v>(?:absolute |complete |total )?beginners?|novices?|intermediate|advanced|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth)[- ]grade(?:rs?)?|[abc][12] level|level [abc][12]|high school|middle school|undergraduate|graduate|phd|junior|mid-level|senior|entry[- ]level|from scratch)\b"
        ), "v"),
        deadline: pick(pattern!(
            r"(?i)\b(?:by|before|until|due(?: on| by)?|deadline(?: is|:)?) (?P<v>(?:next |this |end of |the end of )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|week|month|year|january|february|march|april|may|june|july|august|september|october|november|december|summer|winter|spring|christmas|\d{1,2}(?:st|nd|rd|th)?|\d{4}-\d\d-\d\d)(?: \d{1,4}(?:st|nd|rd|th)?)?)\b"
        ), "v"),
        language: pick(pattern!(r"(?i)\b(?:in|into|to) (?:simple |plain |formal |informal )?(?P<v>{slots.languages})\b"), "v"),
        subject: None,
    }
}

/// The text without what it refuses: "no scary parts" asks for nothing scary.
pub fn without_refusals(text: &str) -> String {
    pattern!(r"(?i)\b(?:no|nothing|never|without|avoid|don[’']?t|do not|isn[’']?t|free of|not (?:be |at all )?(?:{slots.tones}))\b[^.,;:!?\n]*?(?P<end>[.,;:!?\n]|\s(?:but|and (?:keep|make|use|be|do|write))\b|$)")
    .replace_all(text, "$end")
    .into_owned()
}

/// Whether a variable of this name holds a setting or a subject rather than content to work on.
pub fn is_setting(name: &str) -> bool {
    pattern!(r"(?i)^(?:.*[ _-])?(?:audience|tone|style|voice|length|words?|count|number|language|sprache|zielgruppe|ton|idioma|langue|lingua|format|platform|topic|thema|tema|sujet|subject|product|produkt|producto|company|name|role|budget|price|deadline|date|level|duration|days|weeks|city|country|industry|keywords?|goal|title|position|occasion|recipient|genre|age|stack|framework)$").is_match(name)
}

/// Whether a person without an article is a column or field here: "action items with owner and due date".
fn is_column(text: &str, person: &str) -> bool {
    let named = pattern!(
        r"(?i)^(?:an?|my|our|the|all|other|some|his|her|their|your) |s$|\b(?:people|children|men|women|mom|mum|dad|old|z)$"
    );
    let role = regex::escape(person);
    let listed = format!(
        r"(?i)\b(?:with|from|including|columns?|fields|per|containing)(?: (?:an? )?(?:clear|named|responsible|assigned))? {role}(?:,| and| or|[.:;)]|$)"
    );
    !named.is_match(person) && regex::Regex::new(&listed).is_ok_and(|listed| listed.is_match(text))
}

/// Whether a phrase after "for" names readers rather than a subject: "kids aged 6".
fn is_readers(phrase: &str) -> bool {
    pattern!(r"(?i)^(?:(?:an?|my|our|the|all|some|young|small|little|older) )*(?:[\w'’-]+ ){0,2}?(?:kids?|child(?:ren)?|teens?|teenagers?|toddlers?|preschoolers|students?|pupils?|beginners?|adults?|year[- ]olds?|graders?|parents|seniors|readers?|famil(?:y|ies)|boys?|girls?)(?: (?:aged?|ages|between|of|who|under|over|from|in|\d).*)?$").is_match(phrase)
}

impl Slots {
    /// Value of a slot by the name used in the data files.
    pub fn get(&self, name: &str) -> Option<&str> {
        match name {
            "audience" => self.audience.as_deref(),
            "tone" | "mood" => self.tone.as_deref(),
            "length" => self.length.as_deref(),
            "duration" | "period" => self.duration.as_deref(),
            "budget" => self.budget.as_deref(),
            "platform" => self.platform.as_deref(),
            "stack" => self.stack.as_deref(),
            "format" => self.format.as_deref(),
            "level" => self.level.as_deref().or(self.audience.as_deref()),
            "deadline" => self.deadline.as_deref(),
            "subject" => self.subject.as_deref(),
            _ => None,
        }
    }

    /// Takes what `later` says and keeps the rest.
    pub fn update(&mut self, later: Self) {
        let replace = |slot: &mut Option<String>, value: Option<String>| {
            if value.is_some() {
                *slot = value;
            }
        };
        replace(&mut self.audience, later.audience);
        replace(&mut self.tone, later.tone);
        replace(&mut self.length, later.length);
        replace(&mut self.duration, later.duration);
        replace(&mut self.budget, later.budget);
        replace(&mut self.platform, later.platform);
        replace(&mut self.stack, later.stack);
        replace(&mut self.format, later.format);
        replace(&mut self.level, later.level);
        replace(&mut self.deadline, later.deadline);
        replace(&mut self.language, later.language);
    }
}

/// The subject of an instruction: what follows "about", else "for" or "of", cut before the next clause.
///
/// `None` unless it is a short phrase that can stand inside another sentence.
pub fn subject(objective: &str, audience: Option<&str>) -> Option<String> {
    let first = objective.lines().next().unwrap_or_default();
    // What "on", "of" and "for" lead to is the subject only in the main clause.
    let main = pattern!(r"(?:, (?:we|i|it|he|she|they|focus|because|but|and|with|which|who|the|new|harvest)\b|: |; ).*$").replace(first, "");
    let main = pattern!(r"(?i)\b(?:(?:focus|based|depends?|move|live|work(?:ing)?|paid|pay|sit|back|start(?:ing)?|ships?) (?:in )?(?:on|for|of)|(?:terms|out|instead|kind|sort|type|number|lots|couple|right|points?|one|some|most|all|part|list|set) of|on (?:time|sept|our|their|his|its|my)|like)\b").replace_all(&main, "\u{1}");
    let usable = |phrase: &str, of: &str| {
        let phrase = pattern!(r"(?i)(?:[,;:.!?](?:\s|$)|\s\(|\n| - | – | — | (?:that|handling|led|reading|working|living|selling|running|wearing|asking|which|who|where|when|while|so|because|but|using|explaining|including|with|without|in under|under|by|before|at most|no more|aimed|targeted|targeting|suitable|to help|to make|and (?:make|keep|include|use|add|then|don't|avoid|how|why|what|explain))\b).*$")
            .replace(phrase.trim(), "")
            .trim()
            .to_owned();
        // "remote work for managers", "a 7-day trip to Japan in April for four": the core is enough.
        let phrase = pattern!(r"(?i)^(?P<core>.{4,}?) (?:for|in (?:\d|january|february|march|april|may|june|july|august|september|october|november|december|under)|from a|to (?:my|our|someone|an?)\b|with|aimed|suitable|as an?|and (?:why|how|what|when))\b.*$")
            .replace(&phrase, "$core")
            .into_owned();
        let words = phrase.split_whitespace().count();
        ((1..=8).contains(&words)
            && phrase.chars().count() >= 3
            && audience.is_none_or(|audience| !phrase.eq_ignore_ascii_case(audience))
            && !(of == "for" && is_readers(&phrase))
            && !pattern!(r"(?i)^(?:(?:me|us|you|this|that|it|these|those|each|every|all|any|how|why|when|what|whether|to|\d+%?)\b.*|(?:an? )?(?:word|sentence|minute|day|week|month|question)s?\b.*|(?:time|sept?|nov|oct|dec|jan|feb|mar|apr|jun|jul|aug|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|their|his|her|its|your)\b.*|.*\b(?:grouped|sorted|instead|written|made|called|used|falling|whom)\b.*|me|us|it|this|that|these|those|him|her|them|you|a|the|my|an?\s*|free|fun|now|today|tomorrow)$").is_match(&phrase)
            && !pattern!(r"(?i)\b(?:is|are|was|were|am|i|should|must|can|will|do|does)\b|[{}<>`\x22]").is_match(&phrase))
        .then_some(phrase)
    };
    for lead in [
        pattern!(
            r"(?i)\b(?:about|regarding|concerning|on the topic of|on the subject of|titled|explaining|announcing|promoting|celebrating|covering) (?P<v>.+)$"
        ),
        pattern!(
            r"(?i)^(?:explain|describe|compare|contrast|research|analy[sz]e|summari[sz]e|discuss|investigate|teach me|evaluate|outline|plan|review|refactor|debug|fix|optimi[sz]e|automate|learn|brainstorm)(?: about| for me)? (?P<v>.+)$"
        ),
        pattern!(r"(?i)\blearn(?:ing)? (?:about |how to )?(?P<v>.+)$"),
        pattern!(r"(?i)\b(?P<of>on|of|for) (?P<v>.+)$"),
    ] {
        if let Some(found) = lead.captures(&main)
            && let Some(phrase) = usable(
                found["v"].split('\u{1}').next().unwrap_or_default(),
                found.name("of").map_or("", |of| of.as_str()),
            )
        {
            return Some(phrase);
        }
    }
    // The first "for" or "of" led nowhere: try the later ones.
    let mut rest: &str = &main;
    while let Some(found) = pattern!(r"(?i)\b(?:for|of|on) ").find(rest) {
        rest = &rest[found.end()..];
        let of = found.as_str().trim();
        if let Some(phrase) = usable(rest.split('\u{1}').next().unwrap_or_default(), of) {
            return Some(phrase);
        }
    }
    None
}
