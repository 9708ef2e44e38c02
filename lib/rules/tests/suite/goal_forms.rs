//! What goals for text models ask for: the kind of task, the form of the answer, and what is variable.
#![allow(clippy::expect_used)]

use crate::common;

use common::{brief, generate, run};
use engine::{GenerateBrief, Generation, OutputMode};

/// The section whose heading begins like this; empty if there is none.
fn section<'a>(result: &'a Generation, heading: &str) -> &'a str {
    let found = result.sections.iter().find(|section| section.heading.starts_with(heading));
    found.map_or("", |section| &section.text)
}

fn in_language(message: &str, language: &str) -> Generation {
    run(&GenerateBrief { language: language.to_owned(), ..brief(message) })
}

fn reusable(message: &str) -> Generation {
    run(&GenerateBrief { output_mode: OutputMode::Reusable, ..brief(message) })
}

fn names(result: &Generation) -> Vec<&str> {
    result.variables.iter().map(|variable| variable.name.as_str()).collect()
}

#[test]
fn a_recommendation_of_a_person_is_no_idea_list() {
    for goal in [
        "Write a LinkedIn recommendation for my colleague Priya",
        "Write a LinkedIn recommendation for my manager Tom",
        "Draft a recommendation for my former boss",
        "I need a letter of recommendation for my student Ana",
        "Write a reference letter for our nanny",
        "Write a recommendation for Priya, who led our data team",
    ] {
        let prompt = generate(goal).prompt;
        assert!(prompt.contains("recommends whom"), "{goal}\n{prompt}");
        assert!(!prompt.contains("facilitator"), "{goal}\n{prompt}");
    }
}

#[test]
fn recommended_things_stay_ideas() {
    for goal in [
        "Recommend a good book for my mother",
        "Book recommendations for my friend who likes thrillers",
        "Gift recommendations for my boss",
        "Suggest a hobby for my brother",
    ] {
        let prompt = generate(goal).prompt;
        assert!(!prompt.contains("recommends whom"), "{goal}\n{prompt}");
    }
}

#[test]
fn everyday_goals_get_the_role_of_their_kind() {
    for (goal, role) in [
        ("Write a job advertisement for a barista in Leeds", "advertisements"),
        ("Write a product review of my new headphones", "reviewer"),
        ("Write a commit message for the fix of the login redirect", "maintainer"),
        ("Create a customer satisfaction survey for a dentist", "survey"),
        ("Create a grading rubric for a persuasive essay", "assessment"),
        ("Create a buyer persona for a vegan meal kit", "user researcher"),
        ("Draft OKRs for our support team", "OKR"),
        ("Do a SWOT analysis for my bakery", "strategist"),
        ("Write the minutes of our board meeting", "minute taker"),
        ("Write a condolence card to my neighbour", "tone"),
        ("Write a resignation letter", "correspondent"),
        ("Write a performance review for my direct report", "people-operations"),
        ("Write a Google review for a restaurant", "reviewer"),
        ("Write an obituary for my grandfather", "obituary"),
        ("Write a press release about our new backpack", ""),
        ("Write a wedding toast for my brother", "speechwriter"),
    ] {
        let result = generate(goal);
        assert!(
            result.prompt.lines().next().expect("a line").contains(role),
            "{goal}\n{}",
            result.prompt
        );
    }
}

#[test]
fn a_german_job_advertisement_is_written_for_applicants() {
    for goal in [
        "Schreibe eine Stellenanzeige für eine Pflegefachkraft",
        "Erstelle eine Stellenausschreibung für einen Buchhalter",
        "Verfasse ein Stellenangebot für einen Koch",
    ] {
        let result = in_language(goal, "de");
        assert!(result.prompt.contains("Sicht des Arbeitgebers"), "{goal}\n{}", result.prompt);
        assert!(
            !result.clarifying_questions.iter().any(|question| question.contains("Erfahrungen")),
            "{:?}",
            result.clarifying_questions
        );
    }
    let application = in_language("Schreibe ein Bewerbungsschreiben als Erzieherin", "de");
    assert!(!application.prompt.contains("Sicht des Arbeitgebers"), "{}", application.prompt);
}

#[test]
fn german_letters_and_cards_have_the_role_of_a_writer_of_letters() {
    for goal in [
        "Schreibe eine Beileidskarte an meine Nachbarin",
        "Schreibe eine Danksagung an meine Oma",
        "Schreibe einen Nachruf auf meinen Großvater",
        "Schreibe ein Kündigungsschreiben an meinen Vermieter",
    ] {
        let result = in_language(goal, "de");
        assert!(result.prompt.contains("Korrespondentin"), "{goal}\n{}", result.prompt);
    }
    let reference = in_language("Schreibe ein Arbeitszeugnis für unsere Buchhalterin", "de");
    assert!(reference.prompt.contains("Empfehlungen"), "{}", reference.prompt);
}

#[test]
fn assumptions_are_mentioned_only_where_there_are_some() {
    for result in [
        in_language("Schreibe eine Stellenanzeige für eine Pflegefachkraft", "de"),
        generate("Write an email to my landlord about the heating"),
        generate("Write a friendly email of 100 words to my landlord about the heating"),
    ] {
        let advice = result.usage_guide.join(" ");
        let told = advice.contains("assumptions") || advice.contains("Annahmen");
        assert_eq!(told, !result.assumptions.is_empty(), "{advice}\n{:?}", result.assumptions);
    }
}

#[test]
fn a_column_is_no_audience() {
    for goal in [
        "List the action items with owner and due date from the meeting notes",
        "Create a table with owner, task and date for our launch",
        "Write the action items with clear owner and deadline",
        "Make a list of tasks with owner and status",
        "Export all deals with customer and value",
    ] {
        let result = reusable(goal);
        assert!(
            !result.variables.iter().any(|variable| matches!(
                variable.default_value.as_deref(),
                Some("owner" | "clear owner" | "customer")
            )),
            "{goal}: {:?}",
            result.variables
        );
        let word = if goal.contains("customer") { "customer" } else { "owner" };
        assert!(section(&result, "Task").contains(word), "{goal}\n{}", result.prompt);
    }
    let kept = reusable("Write a talk about composting for my neighbours");
    assert!(names(&kept).contains(&"audience"), "{:?}", kept.variables);
}

#[test]
fn variables_of_the_goal_are_the_only_ones() {
    for (goal, expected) in [
        ("Translate {{text}} into {{language}}", vec!["text", "language"]),
        ("Summarize {{article}}", vec!["article"]),
        ("Classify {{review}} as positive or negative", vec!["review"]),
        ("Extract the dates from {{contract}}", vec!["contract"]),
        ("Proofread {{draft}}", vec!["draft"]),
    ] {
        let result = reusable(goal);
        assert_eq!(names(&result), expected, "{goal}\n{}", result.prompt);
    }
}

#[test]
fn material_after_a_constraint_is_material() {
    for (goal, variable, rule) in [
        (
            "Summarize in exactly two sentences, no bullet points: {{report}}",
            "{{report}}",
            "No bullet points",
        ),
        ("Summarize this in one paragraph, no headings: {{article}}", "{{article}}", "No headings"),
        ("Proofread this, do not change names: {{letter}}", "{{letter}}", "not change names"),
        ("Translate into French, keep it formal: {{message}}", "{{message}}", "formal"),
        ("Summarize the report. No bullet points: {{report}}", "{{report}}", "No bullet points"),
        ("Rewrite this without jargon:\n{{draft}}", "{{draft}}", "without jargon"),
    ] {
        let result = generate(goal);
        assert!(section(&result, "Material").contains(variable), "{goal}\n{}", result.prompt);
        assert!(!section(&result, "Requirements").contains(variable), "{goal}\n{}", result.prompt);
        assert!(result.prompt.contains(rule), "{goal}\n{}", result.prompt);
        assert!(!result.prompt.contains("follows this prompt"), "{goal}\n{}", result.prompt);
        assert_eq!(result.prompt.matches(variable).count(), 1, "{goal}\n{}", result.prompt);
    }
}

#[test]
fn answers_to_choose_from_are_no_material() {
    for (goal, options) in [
        (
            "Is the second word a transcription of the first? Answer with exactly one of the following: \
             'yes' or 'no'. Don't add anything else to the response.\n\nnight, nait",
            "following: 'yes' or 'no'",
        ),
        (
            "Decide about the stage by selecting only from the following options:\n1. Introduction\n2. Close",
            "1. Introduction",
        ),
    ] {
        let result = generate(goal);
        assert!(result.prompt.contains(options), "{}", result.prompt);
        assert!(!section(&result, "Material").contains(options), "{}", result.prompt);
    }
}

#[test]
fn labelled_material_keeps_its_label() {
    let result = generate("Summarize the text for a busy manager.\nText: {{text}}");
    assert!(section(&result, "Material").contains("Text: {{text}}"), "{}", result.prompt);
    assert!(!result.prompt.contains("follows this prompt"), "{}", result.prompt);
    let result = generate("Proofread text: {{draft}}");
    assert!(section(&result, "Task").contains("Proofread text"), "{}", result.prompt);
    let result = generate("Summarize this for children. Be kind. Text: {{text}}");
    assert!(result.prompt.contains("Be kind"), "{}", result.prompt);
}

#[test]
fn a_reader_is_no_material() {
    let result = generate("Summarize the report for {{client}}");
    assert!(result.prompt.contains("follows this prompt"), "{}", result.prompt);
}

#[test]
fn a_variable_that_fills_in_a_value_stays_in_its_line() {
    for goal in [
        "Write a story.\nTone: {{tone}}",
        "Write an email. Length: {{length}}",
        "Write a post about: {{topic}}",
    ] {
        let result = generate(goal);
        assert!(section(&result, "Material").is_empty(), "{goal}\n{}", result.prompt);
    }
}

#[test]
fn two_sentences_leave_no_room_for_bullets() {
    for goal in [
        "Summarize in exactly two sentences, no bullet points: {{report}}",
        "Summarize the article in one paragraph: {{article}}",
        "Summarize the talk in 3 sentences: {{talk}}",
        "Summarize this in three lines: {{text}}",
        "Condense the memo to at most four sentences: {{memo}}",
    ] {
        let result = generate(goal);
        let prompt = result.prompt.replace("No bullet points", "").replace("no bullet points", "");
        assert!(!prompt.contains("bullet"), "{goal}\n{prompt}");
    }
}

#[test]
fn what_is_refused_is_not_advised() {
    for goal in [
        "Write a bedtime story for kids aged 6 about a dragon who is afraid of fire. No scary parts.",
        "Write a bedtime story about a ghost, nothing scary",
        "Write a children's story about a wolf. Nothing scary. Around 400 words.",
        "Write a bedtime story about the sea without anything creepy",
        "Write a story for toddlers that is not scary",
    ] {
        let prompt = generate(goal).prompt;
        assert!(!prompt.contains("unease"), "{goal}\n{prompt}");
    }
    assert!(generate("Write a scary story about a lighthouse").prompt.contains("unease"));
}

#[test]
fn short_rules_are_requirements() {
    let result = generate(
        "Write a bedtime story about a wolf for kids aged 6. Nothing scary. Around 400 words.",
    );
    let rules = section(&result, "Requirements");
    assert!(
        rules.contains("Nothing scary") && rules.contains("Around 400 words"),
        "{}",
        result.prompt
    );
    assert_eq!(section(&result, "Context"), "", "{}", result.prompt);
    assert!(!result.prompt.contains("Keep kids"), "{}", result.prompt);
}

#[test]
fn a_stated_number_or_form_replaces_the_usual_one() {
    for (goal, usual, stated) in [
        ("Write 5 tweets about our new app", "three versions", "5 tweets"),
        ("Write 7 tweets announcing our bakery's opening", "three versions", "7 tweets"),
        (
            "Write a LinkedIn post about remote work, one version only",
            "three versions",
            "one version only",
        ),
        (
            "Write a LinkedIn post about remote work. Only one version.",
            "three versions",
            "Only one version",
        ),
        ("Suggest 10 names for a cat café", "20 names", "10 names"),
        (
            "Write a résumé summary for a nurse in 3 sentences",
            "experience, skills",
            "in 3 sentences",
        ),
        (
            "Research fasting and give me a table with study, sample size, finding",
            "three sentences",
            "study, sample size, finding",
        ),
        (
            "Extract name and date from the invoice as JSON. Use null if missing.",
            "an empty value",
            "Use null if missing",
        ),
        (
            "Extract the totals as CSV. Write \"n/a\" when a value is unknown.",
            "an empty value",
            "\"n/a\" when a value is unknown",
        ),
        ("Schreibe 5 Tweets über unsere neue App", "three versions", "5 Tweets"),
        ("Escribe 3 titulares para nuestra nueva tienda", "tres versiones", "3 titulares"),
    ] {
        let result = generate(goal);
        assert!(!section(&result, "Output").contains(usual), "{goal}\n{}", result.prompt);
        assert!(result.prompt.contains(stated), "{goal}\n{}", result.prompt);
    }
}

#[test]
fn a_format_that_programs_read_comes_without_text_around_it() {
    for (goal, language, line) in [
        ("Extract name and date from the invoice as JSON", "en", "Return only valid JSON"),
        ("Extrahiere Name und Datum aus der Rechnung als JSON", "de", "nur gültiges JSON"),
        ("Extrae el nombre y la fecha de la factura en JSON", "es", "solo JSON válido"),
    ] {
        let prompt = in_language(goal, language).prompt;
        assert!(prompt.contains(line), "{goal}\n{prompt}");
    }
}

#[test]
fn a_number_that_became_a_variable_replaces_the_usual_one() {
    let result = reusable("Write 5 tweets about our new app");
    assert!(!result.prompt.contains("three versions"), "{}", result.prompt);
    let result = reusable("Summarize the minutes in two sentences");
    assert!(!result.prompt.contains("bullet"), "{}", result.prompt);
}

#[test]
fn a_table_that_a_text_is_about_has_no_columns() {
    for goal in [
        "Write a story about a table with flowers, candles and wine",
        "Write a product description for a table with drawers, oak legs and a lamp",
        "List the risks with remote work and travel",
    ] {
        let result = generate(goal);
        assert!(!section(&result, "Output").contains("exactly these"), "{goal}\n{}", result.prompt);
    }
}

#[test]
fn a_part_with_a_length_leaves_the_form_of_the_whole() {
    let result = generate("Write a blog post about bees with a 3-sentence intro");
    assert!(section(&result, "Output").contains("subheadings"), "{}", result.prompt);
}

#[test]
fn german_goals_with_a_number_get_no_other() {
    for goal in ["Schreibe 5 Tweets über unsere neue App", "Schreibe sieben Slogans für unser Café"]
    {
        let prompt = in_language(goal, "de").prompt;
        assert!(!prompt.contains("drei Varianten"), "{goal}\n{prompt}");
    }
    let prompt = in_language("Schreibe einen Tweet über unsere neue App", "de").prompt;
    assert!(prompt.contains("drei Varianten"), "{prompt}");
}

#[test]
fn tools_of_an_assistant_are_named() {
    for (goal, tools) in [
        (
            "Create a support agent for a hotel with the tools list_rooms, book_room, cancel_booking",
            "list_rooms, book_room, cancel_booking",
        ),
        (
            "Create an agent that triages issues on GitHub. It can use search_issues, add_label, close_issue.",
            "search_issues, add_label, close_issue",
        ),
        ("Build an agent with tools: search, refund, and ticketing.", "search, refund, ticketing"),
        (
            "Act as a booking agent. You have access to list_rooms and book_room.",
            "list_rooms, book_room",
        ),
        ("Create a support bot for a shop that can use Slack", "Slack"),
    ] {
        let result = generate(goal);
        let named = format!("Named in the task: {tools}.");
        assert!(section(&result, "Tools").contains(&named), "{goal}\n{}", result.prompt);
        assert!(
            !result.clarifying_questions.iter().any(|question| question.contains("tools")),
            "{goal}\n{:?}",
            result.clarifying_questions
        );
    }
}

#[test]
fn an_assistant_without_tools_is_asked_about_them() {
    let result = generate("Create a support agent for my bakery");
    assert!(section(&result, "Tools").contains("No tools are named"), "{}", result.prompt);
    assert!(result.clarifying_questions.iter().any(|question| question.contains("tools")));
}

#[test]
fn what_an_assistant_must_do_is_a_requirement() {
    for goal in [
        "Create a support bot for a bakery. Rules: never offer refunds, escalate allergies.",
        "Create a support bot for a bakery. Never offer refunds. Escalate allergies to the manager.",
        "Create a support bot for a bakery. Never offer refunds, escalate allergies.",
        "Create a support agent for a bakery; never offer refunds, escalate allergies",
    ] {
        let result = generate(goal);
        let rules = section(&result, "Requirements").to_lowercase();
        assert!(rules.contains("never offer refunds"), "{goal}\n{}", result.prompt);
        assert!(rules.contains("escalate allergies"), "{goal}\n{}", result.prompt);
    }
}

#[test]
fn a_wanted_prompt_is_the_prompt() {
    for (goal, language, task) in [
        (
            "I want a prompt that generates weekly meal plans",
            "en",
            "Be an assistant that generates weekly meal plans.",
        ),
        ("Write a prompt to summarize legal contracts", "en", "Summarize legal contracts."),
        (
            "Give me a prompt for writing cold emails to dentists",
            "en",
            "Writing cold emails to dentists.",
        ),
        (
            "Please write me a prompt for a LinkedIn post about remote work",
            "en",
            "A LinkedIn post about remote work.",
        ),
        (
            "I need a prompt so that the model corrects essays",
            "en",
            "Be an assistant that corrects essays.",
        ),
        (
            "Schreibe mir einen Prompt, der wöchentliche Essenspläne erstellt",
            "de",
            "Sei ein Assistent, der wöchentliche Essenspläne erstellt.",
        ),
        (
            "Ich möchte einen Prompt, der mir hilft, bessere E-Mails zu schreiben",
            "de",
            "Sei ein Assistent, der mir hilft, bessere E-Mails zu schreiben.",
        ),
        (
            "Erstelle mir einen Prompt, um Protokolle zusammenzufassen",
            "de",
            "Deine Aufgabe ist es, Protokolle zusammenzufassen.",
        ),
        (
            "Ich brauche einen Prompt, mit dem ich Protokolle kürzen kann",
            "de",
            "Sei ein Assistent, mit dem ich Protokolle kürzen kann.",
        ),
        (
            "quiero un prompt para que el modelo corrija ensayos",
            "es",
            "Actúa como un asistente que corrija ensayos.",
        ),
        ("Necesito un prompt para resumir contratos", "es", "Resumir contratos."),
        (
            "Je veux un prompt qui génère des menus hebdomadaires",
            "fr",
            "Agis comme un assistant qui génère des menus hebdomadaires.",
        ),
        (
            "Voglio un prompt che crei menu settimanali",
            "it",
            "Agisci come un assistente che crei menu settimanali.",
        ),
        (
            "Quero um prompt que gere cardápios semanais",
            "pt",
            "Atue como um assistente que gere cardápios semanais.",
        ),
    ] {
        let result = in_language(goal, language);
        assert!(
            result.sections.iter().any(|section| section.text == task),
            "{goal}\n{}",
            result.prompt
        );
    }
}

#[test]
fn the_frame_of_a_request_is_cut_where_the_rest_stands_for_itself() {
    for (goal, language, task) in [
        (
            "can you please write an email to my landlord about the heating?",
            "en",
            "Write an email to my landlord about the heating.",
        ),
        (
            "Kannst du mir bitte eine E-Mail an meinen Vermieter schreiben?",
            "de",
            "Eine E-Mail an meinen Vermieter schreiben.",
        ),
        (
            "Hilf mir, eine Bewerbung als Erzieherin zu schreiben",
            "de",
            "Deine Aufgabe ist es, eine Bewerbung als Erzieherin zu schreiben.",
        ),
        ("Ayúdame a escribir un correo para mi casero", "es", "Escribir un correo para mi casero."),
        (
            "Peux-tu m'écrire un mail à mon propriétaire ?",
            "fr",
            "Écrire un mail à mon propriétaire.",
        ),
        ("Vorrei scrivere una lettera al condominio", "it", "Scrivere una lettera al condominio."),
        (
            "Você pode me ajudar a escrever um e-mail ao meu chefe?",
            "pt",
            "Escrever um e-mail ao meu chefe.",
        ),
    ] {
        let result = in_language(goal, language);
        assert!(
            result.sections.iter().any(|section| section.text == task),
            "{goal}\n{}",
            result.prompt
        );
    }
}

#[test]
fn a_sentence_whose_frame_cannot_be_cut_stays_whole_behind_a_label() {
    for (goal, language, label) in [
        ("I want to learn to juggle", "en", "Fulfil this request: "),
        ("Ich möchte, dass du mir jonglieren beibringst", "de", "Erfülle diesen Wunsch: "),
        ("Quiero que me enseñes a hacer malabares", "es", "Atiende esta petición: "),
        ("Je veux que tu m'apprennes à jongler", "fr", "Réponds à cette demande : "),
        ("Voglio che tu mi insegni a fare il giocoliere", "it", "Soddisfa questa richiesta: "),
        ("Quero que você me ensine malabarismo", "pt", "Atenda a este pedido: "),
        ("Wie kündige ich mein Fitnessstudio?", "de", "Beantworte diese Frage: "),
    ] {
        let result = in_language(goal, language);
        let task = format!("{label}{}", goal.trim_end_matches('.'));
        assert!(result.prompt.contains(&task), "{goal}\n{}", result.prompt);
    }
}

#[test]
fn rules_and_facts_stand_apart_from_the_task_in_every_language() {
    for (goal, language, rules, fact) in [
        (
            "Write an email to my landlord, friendly tone, under 120 words. The heating has been broken for 3 weeks.",
            "en",
            ["Friendly tone.", "Under 120 words."],
            "The heating has been broken for 3 weeks.",
        ),
        (
            "Schreibe eine E-Mail an meinen Vermieter, höflich, maximal 120 Wörter. Die Heizung ist seit 3 Wochen kaputt.",
            "de",
            ["Höflich.", "Maximal 120 Wörter."],
            "Die Heizung ist seit 3 Wochen kaputt.",
        ),
        (
            "Escribe un correo a mi casero, tono amable, máximo 120 palabras. La calefacción lleva 3 semanas rota.",
            "es",
            ["Tono amable.", "Máximo 120 palabras."],
            "La calefacción lleva 3 semanas rota.",
        ),
        (
            "Écris un mail à mon propriétaire, ton ferme, moins de 120 mots. Le chauffage est en panne depuis 3 semaines.",
            "fr",
            ["Ton ferme.", "Moins de 120 mots."],
            "Le chauffage est en panne depuis 3 semaines.",
        ),
        (
            "Scrivi una mail al padrone di casa, tono cordiale, massimo 120 parole. Il riscaldamento è rotto da 3 settimane.",
            "it",
            ["Tono cordiale.", "Massimo 120 parole."],
            "Il riscaldamento è rotto da 3 settimane.",
        ),
        (
            "Escreva um e-mail ao meu senhorio, tom cordial, no máximo 120 palavras. O aquecimento está quebrado há 3 semanas.",
            "pt",
            ["Tom cordial.", "No máximo 120 palavras."],
            "O aquecimento está quebrado há 3 semanas.",
        ),
    ] {
        let prompt = in_language(goal, language).prompt;
        for line in rules.iter().chain([&fact]) {
            assert_eq!(prompt.matches(&format!("- {line}\n")).count(), 1, "{line}\n{prompt}");
        }
        assert_eq!(prompt.matches("120").count(), 1, "{prompt}");
    }
}

#[test]
fn a_rule_behind_a_comma_and_another_joint_is_cut_once() {
    let result = generate("Write a text about the sea, in French, and keep it short");
    assert_eq!(section(&result, "Task"), "Write a text about the sea.", "{}", result.prompt);
    let rules = section(&result, "Requirements");
    assert!(rules.contains("- In French.\n- Keep it short."), "{}", result.prompt);
}

#[test]
fn a_list_stays_with_the_sentence_that_announces_it() {
    let goal = "Write a menu for 8 guests. Include:\n- a starter\n- a vegan main\nKeep it cheap.";
    let result = generate(goal);
    let rules = section(&result, "Requirements");
    assert!(rules.contains("- Include:\n  - a starter\n  - a vegan main\n"), "{}", result.prompt);
    assert!(rules.contains("- Keep it cheap."), "{}", result.prompt);
}

#[test]
fn a_prompt_with_headings_keeps_its_order() {
    let goal = "# Task\nReview the code below.\n\n# Rules\n- Never rename anything.\n- Be brief.";
    assert!(generate(goal).prompt.contains(goal));
}

#[test]
fn smaller_numbers_inside_the_usual_form_are_the_users() {
    let result = generate("Write a cold email, one subject line, no follow-up");
    assert!(!section(&result, "Output").contains("two subject"), "{}", result.prompt);
    let result =
        generate("Classify the ticket. Return JSON with label and reason, null if unsure.");
    assert!(!section(&result, "Output").contains("empty value"), "{}", result.prompt);
}

#[test]
fn prompts_that_are_the_deliverable_stay() {
    for goal in [
        "Give me a writing prompt about dragons",
        "Suggest five journal prompts about gratitude",
        "Write an article about prompt engineering",
    ] {
        let result = generate(goal);
        assert!(
            section(&result, "Task").to_lowercase().contains("prompt"),
            "{goal}\n{}",
            result.prompt
        );
    }
}

#[test]
fn the_language_is_the_one_that_was_asked_for() {
    for language in ["ja", "nl", "de", "pt-BR", "en", "Klingon"] {
        let result = in_language("Write an email to my landlord about the heating", language);
        assert_eq!(result.language, language);
    }
}
