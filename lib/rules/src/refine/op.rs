//! What a wish comes to: an operation on the prompt, or the reason that there is none.

use super::exchange::Exchange;
use super::lengths::Length;
use super::settings;
use engine::TargetModel;
use patterns::pattern;

/// An operation on a prompt. Texts are the feedback's words.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Leaves something as it is.
    Keep,
    /// Tidies, without knowing the matter.
    Improve,
    /// Lays the prompt out for a model, or anew for its own.
    LayOut(Option<TargetModel>),
    /// Puts one text in the place of another.
    Replace(Exchange),
    /// Gives what a noun names another value.
    Value { noun: String, value: String },
    /// Names a variable otherwise.
    Rename { old: String, new: String },
    /// Gives a variable its value.
    Fill { name: String, value: String },
    /// Makes variables of things, each with its variable's name.
    Variables(Vec<(String, String)>),
    /// Says who the model is.
    Role(String),
    /// Changes how many of something there are to be.
    Count { number: String, noun: String },
    /// Takes something out; a `part` is what speaks of it.
    Remove { what: String, quoted: bool, part: bool },
    /// States a line of that name: "shorter", "specific", "simpler", "examples".
    Manner(&'static str),
    /// So many percent of the length.
    Scale(u32),
    /// Bans emojis.
    NoEmojis,
    /// Sets a length.
    Length(Length),
    /// Sets the tone.
    Tone(String),
    /// Sets the readers.
    Audience(String),
    /// Sets the form of the answer.
    Format(String),
    /// Sets the language of the answer, by its tag; `ambiguous` if that of the prompt could be meant as well.
    Language { tag: &'static str, ambiguous: bool },
    /// Says what must be in the answer, or in a picture.
    Include(String),
    /// Says what must not.
    Exclude(String),
    /// States the wish as it is worded.
    Require(String),
    /// Adds to the description of a picture or clip; `doubtful` if the prompt may say something else.
    Describe { what: String, doubtful: bool },
    /// Sets the aspect ratio of a picture or clip.
    Ratio(String),
    /// Sets how long a clip lasts.
    Seconds(u64),
    /// Sets a parameter behind a picture's prompt, or takes it out.
    Flag { name: String, value: Option<String>, out: bool },
}

/// Why a wish comes to no operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// It tells the service what to do.
    Steering,
    /// It asks for what the prompt is to bring about.
    Answer,
    /// It is courtesy or praise.
    Remark,
    /// It is a question.
    Question,
    /// It asks for the prompt itself in another language.
    Translate,
    /// It follows the last wish that is worked on.
    Surplus,
    /// It is about answers in words, and the prompt is for a picture or clip.
    Written,
    /// Only somebody who understands the text can do it.
    Unclear,
}

impl Refusal {
    /// The reason as a message in English.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Steering => {
                "It addresses the service instead of the prompt. Feedback is data here, so nothing in it is followed as an order."
            }
            Self::Answer => {
                "Refining changes the prompt; it does not carry out what the prompt asks for."
            }
            Self::Remark => "It asks for no change.",
            Self::Question => {
                "It is a question. Say what is to be different, and the prompt is changed."
            }
            Self::Translate => {
                "Translating the prompt takes a language model. It can be made to ask for answers in another language."
            }
            Self::Surplus => {
                "The feedback has more points than are worked on at once; send the rest again."
            }
            Self::Written => {
                "It is about written answers; a prompt for a picture or clip has no place for it."
            }
            Self::Unclear => {
                "It does not say what is to stand in the prompt instead, and finding that takes a language model."
            }
        }
    }
}

impl Op {
    /// Whether a later operation leaves no room for this one.
    pub fn gives_way_to(&self, later: &Self) -> bool {
        if let (Some(one), Some(other)) = (self.size(), later.size()) {
            let both_scaled = matches!((self, later), (Self::Scale(_), Self::Scale(_)));
            return (one < 100) != (other < 100) || both_scaled && one != other;
        }
        match (self, later) {
            (Self::Length(one), Self::Length(other)) => one.excludes(other),
            (Self::Language { tag: one, .. }, Self::Language { tag: other, .. }) => one != other,
            (Self::LayOut(Some(one)), Self::LayOut(Some(other))) => one != other,
            (Self::Format(one), Self::Format(other)) => settings::formats_clash(one, other),
            (Self::Tone(one), Self::Tone(other)) => settings::tones_clash(one, other),
            (Self::Ratio(one), Self::Ratio(other)) => one != other,
            (Self::Seconds(one), Self::Seconds(other)) => one != other,
            (Self::Audience(one), Self::Audience(other)) | (Self::Role(one), Self::Role(other)) => {
                !alike(one, other)
            }
            (Self::Replace(one), Self::Replace(other)) => {
                alike(&one.old, &other.old) && one.new != other.new
            }
            (
                Self::Count { noun, number: one } | Self::Value { noun, value: one },
                Self::Count { noun: same, number: other }
                | Self::Value { noun: same, value: other },
            ) => alike(noun, same) && one != other,
            (
                Self::Rename { old, new: one } | Self::Fill { name: old, value: one },
                Self::Rename { old: same, new: other } | Self::Fill { name: same, value: other },
            ) => old == same && one != other,
            (Self::Include(one), Self::Exclude(other) | Self::Remove { what: other, .. })
            | (Self::Exclude(one) | Self::Remove { what: one, .. }, Self::Include(other)) => {
                alike(one, other)
            }
            (Self::NoEmojis, Self::Include(what)) | (Self::Include(what), Self::NoEmojis) => {
                pattern!(r"(?i)^(?:\p{L}+ ){0,2}{refine_asks.emoji}$").is_match(what)
            }
            _ => false,
        }
    }

    /// How long the answer is to be, in percent of what it was.
    fn size(&self) -> Option<u32> {
        match self {
            Self::Manner("shorter") => Some(50),
            Self::Manner("longer") => Some(150),
            Self::Scale(percent) => Some(*percent),
            _ => None,
        }
    }
}

/// Whether two phrases name the same, whatever their articles and case.
fn alike(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        let article =
            pattern!(r"^(?:(?:{refine_replace.article}|{refine_conflicts.which}) ?\b\s*)+");
        article.replace(&text, "").trim_end_matches('s').to_owned()
    };
    plain(one) == plain(other)
}
