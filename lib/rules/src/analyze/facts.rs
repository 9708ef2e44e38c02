//! What several rules ask about a prompt.

use super::lexicon;
use super::phrases::Hit;
use super::reading::{Medium, Reading};
use super::source::Sentence;
use super::span::Span;
use super::work::{MESSAGES, WITHOUT_SUBJECT};
use engine::constraints;
use engine::{ConstraintKind, ModelKind, Severity};
use patterns::pattern;

impl Reading<'_> {
    /// Whether the prompt, one of its variables or the caller says something about an aspect.
    pub fn states(&self, aspect: &str) -> bool {
        self.phrases(aspect).next().is_some() || self.explains(aspect) || self.has_variable(aspect)
    }

    /// Whether the prompt asks for what a phrase of the lexicon names.
    pub fn asks_for(&self, phrase: &str) -> bool {
        self.phrases(phrase).any(|hit| self.requests.first() == Some(&hit.sentence))
    }

    /// Whether a constraint of a kind is stated.
    pub fn is_constrained(&self, kinds: &[ConstraintKind]) -> bool {
        self.plain_constraints().any(|constraint| kinds.contains(&constraint.kind))
    }

    /// Whether a variable is named after an aspect.
    pub fn has_variable(&self, aspect: &str) -> bool {
        let named = match aspect {
            "audience" => pattern!(r"(?i){analyze_reading.named_audience}"),
            "format" => pattern!(r"(?i){analyze_reading.named_format}"),
            "length" => pattern!(r"(?i){analyze_reading.named_length}"),
            "language" => pattern!(r"(?i){analyze_reading.named_language}"),
            "example" => pattern!(r"(?i){analyze_reading.named_example}"),
            _ => return false,
        };
        self.variables.iter().any(|(_, name)| named.is_match(name))
    }

    /// The prose of a sentence by its number.
    pub fn sentence(&self, number: usize) -> &str {
        self.source.prose_of(self.source.sentences[number].span)
    }

    /// The extent of the first request, or of the first sentence.
    pub fn request(&self) -> Span {
        let number = self.requests.first().copied().unwrap_or(0);
        let sentence = self.source.sentences.get(number);
        sentence.map_or(Span::new(0, self.source.end()), |sentence| sentence.span)
    }

    /// The place behind the first request, where something could be added.
    pub fn behind_request(&self) -> Span {
        Span::at(self.request().end)
    }

    /// Whether rules over words apply to the prompt.
    pub fn has_known_words(&self) -> bool {
        lexicon::knows(self.source.language)
    }

    /// Whether the prompt is in English.
    pub fn is_english(&self) -> bool {
        self.source.language == "en"
    }

    /// Whether rules over words may say what a request for a text lacks.
    pub fn asks_for_text(&self) -> bool {
        self.medium == Medium::Text && self.has_known_words() && !self.requests.is_empty()
    }

    /// Whether a short prompt asks a question.
    pub fn asks(&self) -> bool {
        let is_question = |number: &usize| self.sentence(*number).ends_with(['?', '？']);
        self.source.words.len() <= 40 && self.requests.iter().any(is_question)
    }

    /// Whether there is something to work on, in the prompt or beside it.
    pub fn has_material(&self) -> bool {
        self.attached
            || !self.source.mask.parts.is_empty()
            || self.brought
            || self.carries_loose_text()
    }

    /// Whether a long text that is not marked stands beside the request.
    pub fn carries_loose_text(&self) -> bool {
        let request = self.request();
        let beside = self.source.words.iter().filter(|word| !request.holds(word.span)).count();
        beside >= 60 || !self.source.is_spaced() && self.source.text.chars().count() >= 200
    }

    /// Whether a number stands in the prose.
    pub fn has_number(&self) -> bool {
        self.source.words.iter().any(|word| word.lower.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Whether a sentence is a heading of its own rather than a title behind `#`.
    pub fn is_label(&self, sentence: &Sentence) -> bool {
        sentence.heading && !self.source.prose_of(sentence.span).contains('#')
    }

    /// Words of the prose that say something about the subject: not those that name the kind of task.
    pub fn content_words(&self) -> usize {
        *self.facts.content_words.get_or_init(|| {
            let task = &self.task;
            let task = format!("{} {} {}", task.verb, task.label, task.deliverable).to_lowercase();
            let stack = self.slots.stack.as_deref().unwrap_or_default().to_lowercase();
            let language = self.source.language;
            let words = self.source.words.iter().map(|word| word.lower.as_str());
            let tells = |word: &&str| {
                !lexicon::is_generic(language, word)
                    && !lexicon::is_order(language, word)
                    && !task.split(' ').any(|part| part == *word)
                    && stack != **word
            };
            words.filter(tells).count()
        })
    }

    /// Whether the length of the answer is given as a number.
    pub fn has_exact_length(&self) -> bool {
        use ConstraintKind::{
            CharacterCount, ItemCount, ParagraphCount, SectionCount, SentenceCount, WordCount,
        };
        const COUNTS: &[ConstraintKind] =
            &[WordCount, SentenceCount, ParagraphCount, CharacterCount, ItemCount, SectionCount];
        *self.facts.exact_length.get_or_init(|| {
            let counted = pattern!(r"(?i)(?-u:\b)(?:{analyze_specificity.number}|\d+)[ -](?:{analyze_specificity.size} )?{analyze_specificity.unit}(?-u:\b)|(?-u:\b)\d{2,5} {analyze_specificity.words}(?-u:\b)");
            self.has_variable("length")
                || self.is_constrained(COUNTS)
                || counted.is_match(&self.source.prose)
                || counted.is_match(self.context())
                || constraints::extract(self.context())
                    .iter()
                    .any(|constraint| COUNTS.contains(&constraint.kind))
        })
    }

    /// Whether the target model makes something else than what is asked for.
    pub fn is_mismatched(&self) -> bool {
        let head = self.source.prose_of(self.request());
        match self.target.model().kind {
            ModelKind::Text => self.asked != Medium::Text,
            ModelKind::Image | ModelKind::Video => {
                self.has_known_words()
                    && pattern!(
                        r"(?i)^\W*(?:{analyze_goal.please} )?{analyze_goal.text_task}(?-u:\b)"
                    )
                    .is_match(head)
                    && !pattern!(r"(?i)(?-u:\b){analyze_goal.pictured}(?-u:\b)").is_match(head)
            }
            ModelKind::Universal => false,
        }
    }

    /// Whether something is asked with the words: unlike "marketing", "my startup".
    pub fn has_task(&self) -> bool {
        *self.facts.has_task.get_or_init(|| {
            let source = &self.source;
            let asks = || {
                source
                    .sentences
                    .iter()
                    .any(|sentence| source.prose_of(sentence.span).ends_with(['?', '？', '؟']))
            };
            // Of a language that no rule reads only a single word is surely no request.
            let unknown = || {
                !self.has_known_words()
                    && (source.is_spaced() && source.words.len() >= 2
                        || source.prose.chars().filter(|c| c.is_alphanumeric()).count() >= 5)
            };
            self.medium != Medium::Text
                || self.is_mismatched()
                || !self.requests.is_empty()
                || self.shots.open
                || asks()
                || unknown()
                || pattern!(r"(?i)(?-u:\b){analyze_goal.task}(?-u:\b)").is_match(&source.prose)
        })
    }

    /// How much it matters that the prompt asks for work of its own and does not say about what; `None` if it does.
    pub fn lack_of_subject(&self) -> Option<Severity> {
        *self.facts.subject.get_or_init(|| {
            let source = &self.source;
            let short = self.asks_for_text()
                && !self.asks()
                && (1..=30).contains(&source.words.len())
                && source.mask.parts.is_empty()
                && !self.attached;
            if !short {
                return None;
            }
            let empty = self.content_words() == 0
                && !WITHOUT_SUBJECT.is_asked(self)
                && self.phrases("unresolved").next().is_none()
                && self.phrases("material_reference").next().is_none();
            // A poem may be about anything; whom a letter is for says something.
            let severity =
                if self.task.family == "creative" { Severity::Medium } else { Severity::High };
            if empty || self.is_about_anything() {
                return Some(severity);
            }
            self.says_only_to_whom().then_some(Severity::Medium)
        })
    }

    /// "A text about something": the subject is named and left open.
    fn is_about_anything(&self) -> bool {
        self.phrases("any_subject").any(|hit| {
            let rest = self.source.prose[hit.span.end..].trim_start();
            self.requests.contains(&hit.sentence)
                && !rest.starts_with(|c: char| c.is_alphanumeric())
                && self.content_words() <= 4
        })
    }

    /// "Write an email to my boss": about what?
    fn says_only_to_whom(&self) -> bool {
        MESSAGES.is_asked(self)
            && self.source.words.len() <= 12
            && self.context().is_empty()
            && self.content_words() <= 1
            && !self.has_number()
            && !pattern!(r"(?i)(?-u:\b){analyze_specificity.matter}(?-u:\b)")
                .is_match(&self.source.prose)
    }

    /// Where the prompt points to content that it does not contain: "Summarize the following text".
    pub fn lack_of_material(&self) -> Option<Span> {
        *self.facts.material.get_or_init(|| {
            if self.medium != Medium::Text || self.has_material() {
                return None;
            }
            // "Summarize", and no word more.
            let bare = self.asks_for_text()
                && self.task.needs_material
                && self.source.words.len() <= 3
                && self.content_words() == 0;
            if bare {
                return Some(self.request());
            }
            self.phrases("material_reference")
                .find(|hit| self.is_unfinished(hit))
                .map(|hit| hit.span)
        })
    }

    fn is_unfinished(&self, hit: &Hit) -> bool {
        // "The report by the committee" is known elsewhere; "my essay" and "this essay" are not.
        let after = self.source.prose[hit.span.end..].trim_start();
        let named = pattern!(r"^(?i:{analyze_context.named})(?-u:\b)").is_match(after)
            || after.starts_with(char::is_uppercase);
        let own = pattern!(r"(?i)(?-u:\b){analyze_context.own}(?-u:\b)")
            .is_match(self.source.slice(hit.span))
            || pattern!(r"^(?i:{analyze_context.behind})(?-u:\b)").is_match(after);
        // "Debug this: …" goes on to say what it is.
        let line = after.split('\n').next().unwrap_or_default();
        let told = line.split_once(':').is_some_and(|(lead, rest)| {
            lead.split_whitespace().count() <= 8 && rest.split_whitespace().count() >= 3
        });
        (own || !named) && self.source.words.len() <= 25 && !told
    }

    /// Whether all that is to be worked on is a quotation in a line: what is wanted of it is seen at a glance.
    pub fn has_short_material(&self) -> bool {
        use super::mask::Kind;
        let mut material = self.source.mask.material().peekable();
        material.peek().is_some()
            && material.all(|(span, kind)| {
                matches!(kind, Kind::Quote | Kind::Code) && span.end - span.start < 300
            })
    }

    /// Headings and tags that set parts apart.
    pub fn sections(&self) -> usize {
        let marked = pattern!(
            r"(?m)^[ \t]*(?:#{1,6} \S|<[a-z][a-z0-9_-]{1,40}>[ \t\r]*$|\*\*[^*\n]{2,60}\*\*:?[ \t\r]*$)"
        );
        let labels = self.source.sentences.iter().filter(|sentence| self.is_label(sentence));
        marked.find_iter(&self.source.prose).count() + labels.count() / 2
    }

    /// Lines of lists.
    pub fn list_items(&self) -> usize {
        pattern!(r"(?m)^[ \t]*(?:[-*•]|\d{1,3}[.)]) +\S").find_iter(&self.source.prose).count()
    }
}
