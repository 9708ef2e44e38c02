//! Groups of tasks, as far as they decide what a prompt must say.

use super::reading::Reading;

/// A group of tasks.
pub struct Work {
    /// Those that are recognised in English.
    tasks: &'static str,
    /// The phrases of the lexicon that stand for them in the other languages.
    phrases: &'static [&'static str],
}

impl Work {
    /// Whether a prompt asks for work of this group.
    pub fn is_asked(&self, reading: &Reading<'_>) -> bool {
        if reading.is_english() {
            return self.tasks.split(' ').any(|task| task == reading.task.id);
        }
        self.phrases.iter().any(|phrase| reading.asks_for(phrase))
    }
}

/// What depends on its readers.
pub const FOR_READERS: Work = Work {
    tasks: "blog_post article report presentation newsletter pitch seo lesson_plan",
    phrases: &["kind_published"],
};

/// What often depends on its readers, where the request does not tell them already.
pub const OFTEN_FOR_READERS: Work = Work {
    tasks: "essay explanation documentation story email letter message quiz cold_email faq speech announcement social_post marketing_copy product_description video_script press_release",
    phrases: &["kind_addressed", "kind_explanation"],
};

/// What can have any length.
pub const OF_ANY_LENGTH: Work = Work {
    tasks: "blog_post essay article report speech story email letter cold_email summary announcement newsletter press_release product_description video_script spoken_script cover_letter academic presentation",
    phrases: &["kind_published", "kind_addressed", "kind_summary"],
};

/// What is about the person who asks.
pub const PERSONAL: Work = Work {
    tasks: "brainstorm itinerary meal_plan workout_plan study_plan event_plan budget_plan business_plan plan advice decision content_calendar cover_letter resume interview_prep grant pitch troubleshooting",
    phrases: &["kind_plan"],
};

/// What a program reads, or somebody compares line by line.
pub const SHAPED: Work = Work {
    tasks: "extraction classification data_analysis market_research",
    phrases: &["kind_extraction", "kind_classification"],
};

/// What has a usual shape.
pub const OFTEN_SHAPED: Work = Work {
    tasks: "report meal_plan itinerary content_calendar budget_plan requirements quiz lesson_plan study_plan plan research comparison decision workout_plan code_review summary",
    phrases: &["kind_plan", "kind_comparison", "kind_summary"],
};

/// Programs and parts of them.
pub const PROGRAMS: Work =
    Work { tasks: "code_write script code_test automation deployment", phrases: &["kind_code"] };

/// Programs that are there and should be better.
pub const REPAIRS: Work = Work { tasks: "sql regex code_debug", phrases: &[] };

/// What is sorted into categories.
pub const SORTING: Work = Work { tasks: "classification", phrases: &["kind_classification"] };

/// What examples make plain.
pub const BY_EXAMPLE: Work = Work {
    tasks: "classification extraction",
    phrases: &["kind_classification", "kind_extraction"],
};

/// What serves something that it does not name itself.
pub const SERVING: Work = Work {
    tasks: "brainstorm naming marketing_copy business_plan presentation social_post report",
    phrases: &["kind_ideas"],
};

/// What is written to somebody.
pub const MESSAGES: Work =
    Work { tasks: "email letter message cold_email", phrases: &["kind_message"] };

/// What is complete without a subject.
pub const WITHOUT_SUBJECT: Work = Work {
    tasks: "joke agent roleplay summary translation edit repurpose extraction classification code_debug code_review code_refactor code_explain",
    phrases: &["kind_summary", "kind_classification", "kind_extraction"],
};

/// What takes several steps by its nature.
pub const INVOLVED: Work =
    Work { tasks: "agent automation system_design deployment", phrases: &[] };

/// What rests on sources.
pub const RESEARCH: Work =
    Work { tasks: "research market_research comparison", phrases: &["kind_comparison"] };

/// What is translated.
pub const TRANSLATION: Work = Work { tasks: "translation", phrases: &[] };
