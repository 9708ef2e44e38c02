//! Understanding a goal: what is asked, what is given, what is required.

use super::agent;
use super::dialect::Part;
use super::imperative;
use super::knowledge::{self, Task};
use super::outline::Outline;
use super::prompt_request;
use super::slots::{self, Slots};
use super::split::{self, capitalize, squeeze, stop};
use super::task;
use super::visual;
use crate::language;
use crate::{GenerateBrief, Mode, Role, variables};
use patterns::pattern;

/// A goal taken apart. Everything that the user said is in exactly one of the lists.
#[derive(Debug)]
pub struct Goal {
    /// The kind of task.
    pub task: &'static Task,
    /// What to do, as an instruction; the user's own words if they are not English.
    pub objective: String,
    /// Facts and circumstances.
    pub context: Vec<String>,
    /// What the result must and must not be.
    pub requirements: Vec<String>,
    /// Code and texts to work on, verbatim.
    pub material: Vec<String>,
    /// Sentences that try to command the model that reads the prompt; quoted, never obeyed.
    pub quoted: Vec<String>,
    /// What was said about audience, tone and so on.
    pub slots: Slots,
    /// Role that the user gives the model, with its article.
    pub role: Option<String>,
    /// Language of the goal, when it is surely not English.
    pub language: Option<&'static str>,
    /// Everything the user wrote, for looking up words.
    pub text: String,
    /// Number of words of the message.
    pub words: usize,
}

impl Goal {
    /// Whether the goal is too small to deserve a long prompt.
    pub fn is_trivial(&self) -> bool {
        self.words <= 7
            && self.context.is_empty()
            && self.material.is_empty()
            && self.requirements.is_empty()
    }
}

/// Reads the goal of a brief, earlier turns included.
pub fn understand(brief: &GenerateBrief, mode: Mode) -> Goal {
    let mut earlier: Vec<&str> = Vec::new();
    let mut answers: Vec<String> = Vec::new();
    for (index, turn) in brief.conversation.iter().enumerate() {
        if turn.role != Role::User {
            continue;
        }
        let question = index
            .checked_sub(1)
            .and_then(|before| brief.conversation.get(before))
            .and_then(|turn| {
                (turn.role == Role::Assistant).then(|| last_question(&turn.content)).flatten()
            });
        match question {
            Some(question) if turn.content.chars().count() <= 240 => {
                answers.push(format!("{question} {}", stop(&squeeze(&turn.content))));
            }
            _ => earlier.push(&turn.content),
        }
    }
    // A goal may itself have answered "How can I help?".
    if earlier.is_empty() && !answers.is_empty() {
        let first = brief.conversation.iter().find(|turn| turn.role == Role::User);
        if let Some(first) = first
            && first.content.split_whitespace().count() >= 3
        {
            answers.remove(0);
            earlier.push(&first.content);
        }
    }
    let asked = brief
        .conversation
        .last()
        .filter(|turn| turn.role == Role::Assistant)
        .and_then(|turn| last_question(&turn.content));
    // "Yes, go ahead" or "under 100 words" is about the request before it.
    let go_ahead = is_go_ahead(&brief.message);
    let answer = asked.is_some()
        && brief.message.split_whitespace().count() <= 12
        && !imperative::starts_work(&brief.message);
    let follow_up = !earlier.is_empty() && (go_ahead || answer || is_follow_up(&brief.message));
    let (main, extra): (&str, Option<&str>) =
        if follow_up { (earlier.remove(0), Some(&brief.message)) } else { (&brief.message, None) };
    let mut goal = read(main, mode);
    for text in &earlier {
        goal.absorb(text, !follow_up);
    }
    if let Some(extra) = extra
        && !go_ahead
    {
        if answer && asked.as_deref().is_some_and(|_| extra.split_whitespace().count() <= 3) {
            goal.answer(extra);
        } else {
            goal.absorb(extra, false);
        }
    }
    // An answer may repeat an old slot value with a new one.
    let last_question_answered =
        brief.conversation.last().is_some_and(|turn| turn.role == Role::Assistant) && follow_up;
    if last_question_answered
        && let Some(question) =
            brief.conversation.last().and_then(|turn| last_question(&turn.content))
        && let Some(position) = goal
            .context
            .iter()
            .position(|fact| fact == &stop(&capitalize(&squeeze(&brief.message))))
    {
        goal.context[position] = format!("{question} {}", goal.context[position]);
    }
    for answer in &answers {
        goal.slots.update(slots::read(answer));
    }
    goal.context.extend(answers);
    goal
}

fn last_question(text: &str) -> Option<String> {
    split::sentences(text)
        .into_iter()
        .rev()
        .find(|sentence| sentence.ends_with('?'))
        .map(|question| squeeze(&question))
}

/// "Now write it", "Yes, go ahead": only the word to begin.
fn is_go_ahead(message: &str) -> bool {
    pattern!(r"(?i)^(?:(?:yes|yep|yeah|ok(?:ay)?|sure|now|please|just|then|great|perfect|thanks|good|go ahead|go on|do (?:it|that)|sounds good|that'?s (?:it|all|fine)|(?:you can )?(?:write|create|make|draft|start|begin|generate|produce)(?: (?:it|that|this|the (?:prompt|text|poem|email|letter|post|story))| now)?|let'?s go)(?:[\s,.!-]+|$))+$")
        .is_match(message.trim())
}

/// Short remarks without a request of their own.
fn is_follow_up(message: &str) -> bool {
    let words = message.split_whitespace().count();
    words <= 25
        && (pattern!(r"(?i)^(?:yes|yep|yeah|ok(?:ay)?|sure|no\b|nope|go ahead|do it|sounds good|perfect|great|thanks|make it|keep it|now |also |and |but |actually|instead|change|more|less|shorter|longer|in |for |with |without |under |about |it'?s? |it should|the |my |we |i'?m |i am |they |he |she |our |use |add |remove )")
            .is_match(message.trim())
            || !imperative::is_request(message) && words <= 12)
}

/// Reads one message on its own.
pub fn read(message: &str, mode: Mode) -> Goal {
    let language = language::detect_other_than_english(message).or_else(|| german_order(message));
    let mut parts = split::separate(message);
    parts.prose = take_marker(&parts.prose, &mut parts.material);
    let words = message.split_whitespace().count();
    let mut quoted = Vec::new();
    let mut prose: Vec<String> = Vec::new();
    for sentence in split::sentences(&parts.prose) {
        if is_takeover(&sentence) {
            quoted.push(sentence);
        } else {
            prose.push(sentence);
        }
    }
    let role = if language.is_none() { take_role(&mut prose) } else { None };
    let head_index = prose
        .iter()
        .position(|sentence| !is_pleasantry(sentence) && imperative::is_request(sentence))
        .or_else(|| prose.iter().position(|sentence| !is_pleasantry(sentence)))
        .unwrap_or(0);
    let mut resolved = false;
    if !visual::asks::for_image(message)
        && !visual::asks::for_video(message)
        && !matches!(mode, Mode::Image | Mode::Video)
        && let Some(asked) =
            prose.get(head_index).and_then(|head| prompt_request::resolve(head, language))
    {
        prose[head_index] = asked;
        resolved = true;
    }
    let head = prose.get(head_index).cloned().unwrap_or_default();
    let rest = prose
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != head_index)
        .map(|(_, sentence)| sentence.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let task = match task::recognise(&head, &rest, mode, !parts.material.is_empty()) {
        task if task.family != "agent" || task.id == "roleplay" => {
            if agent::describes_one(message) { knowledge::task("agent") } else { task }
        }
        task => task,
    };
    let mut goal = Goal {
        task,
        objective: String::new(),
        context: Vec::new(),
        requirements: Vec::new(),
        material: parts.material,
        quoted,
        slots: Slots::default(),
        role,
        language,
        text: message.to_owned(),
        words,
    };
    if language.is_some() {
        goal.objective = stop(&prose.join(" "));
        if goal.objective.is_empty() {
            goal.objective = fallback_objective(task, &goal);
        }
        return goal;
    }
    goal.slots = slots::read(&parts.prose);
    if let Some(objective) = without_request(&parts.prose, &prose, &goal) {
        goal.task = knowledge::task("general");
        goal.objective = objective;
        return goal;
    }
    let (core, tail) = split_tail(&head);
    if !core.trim().is_empty() {
        goal.objective = if resolved { stop(&core) } else { imperative::restate(&core, task) };
    }
    goal.requirements.extend(tail.iter().map(|text| as_sentence(text)));
    for (index, sentence) in prose.iter().enumerate() {
        if index != head_index {
            goal.place(sentence);
        }
    }
    if goal.objective.is_empty() {
        goal.objective = fallback_objective(task, &goal);
    }
    if task.id != "code_debug" {
        goal.slots.subject = slots::subject(&goal.objective, goal.slots.audience.as_deref());
    }
    goal
}

/// German, if the message begins with an order that is no English word. Short messages tell too little else.
fn german_order(message: &str) -> Option<&'static str> {
    pattern!(r"(?i)^\s*(?:bitte )?(?:fasse|schreibe?|erstelle?|gib|erkläre?|übersetze?|formuliere?|verfasse?|entwirf|nenne?|vergleiche?|analysiere?|beschreibe?|mache|ich brauche|ich möchte)\s+(?:\p{Ll}+|\d+|\p{Lu}\p{Ll}+)\b")
        .is_match(message)
        .then_some("de")
}

/// Takes "{{report}}" off the end of "Summarize in two sentences, no bullet points: {{report}}".
///
/// A variable that only fills in a value ("Tone: {{tone}}") stays where it is.
fn take_marker(prose: &str, material: &mut Vec<String>) -> String {
    if !prose.contains("}}") {
        return prose.to_owned();
    }
    let found = pattern!(
        r"(?s)^(?P<head>.*?)(?P<line>[^\n]*?)\s*(?::|\n)\s*(?P<v>(?:\{\{[^{}\n]+\}\}\s*)+)[.!]?\s*$"
    )
    .captures(prose);
    let Some(found) = found else { return prose.to_owned() };
    let line = pattern!(r"^.*[.!?] ").replace(&found["line"], "");
    let value = variables::find(&found["v"]).iter().any(|variable| {
        let name = variable.name.to_lowercase();
        slots::is_setting(&name)
    });
    let label = line.split_whitespace().count() < 3 && !imperative::is_request(&line)
        || pattern!(r"(?i)\b(?:about|for|on|to|into|in|as|von|über|für|auf|sobre|para|sur|pour|su|per|is|are|ist|use)$").is_match(line.trim());
    let before = &found["line"][..found["line"].len() - line.len()];
    if !value && !imperative::is_request(&line) && pattern!(r"(?i)^(?:(?:here is|here are|this is) )?(?:the |my |our )?(?:\w+ )?(?:text|input|content|report|article|transcript|e-?mail|document|notes|data|code|message|review|draft|letter|entwurf|bericht|artikel|texto|texte|testo)s?$").is_match(line.trim()) {
        material.push(format!("{}: {}", line.trim(), found["v"].trim()));
        return format!("{}{before}", &found["head"]).trim_end().to_owned();
    }
    if value || label && !is_requirement(&line) {
        return prose.to_owned();
    }
    material.push(found["v"].trim().to_owned());
    format!("{}{}", &found["head"], &found["line"])
}

/// What to do about a message that asks for nothing: a greeting, a sign, an address.
fn without_request(text: &str, prose: &[String], goal: &Goal) -> Option<String> {
    if !goal.material.is_empty() || !goal.quoted.is_empty() || goal.role.is_some() {
        return None;
    }
    if pattern!(r"^https?://\S+$").is_match(text.trim()) {
        return Some(format!(
            "Read {} and say what it is about: its purpose, its main points and what follows from them for a reader.",
            text.trim()
        ));
    }
    (text.split_whitespace().count() <= 8
        && prose.iter().all(|sentence| {
            is_pleasantry(sentence) || !sentence.chars().any(char::is_alphanumeric)
        }))
    .then(|| OPEN_REQUEST.to_owned())
}

/// The objective of a message that says nothing yet.
pub const OPEN_REQUEST: &str = "Greet the person in one sentence, ask what they need, and offer three short examples of what you can do for them.";

fn fallback_objective(task: &Task, goal: &Goal) -> String {
    if goal.quoted.is_empty() {
        format!("{} {} from the material below.", task.verb, task.deliverable)
    } else {
        "Say in one or two sentences what the quoted text asks for and what could be done instead that would be useful.".to_owned()
    }
}

impl Goal {
    /// Takes a short answer to a question as a requirement.
    fn answer(&mut self, text: &str) {
        let text = pattern!(r"(?i)[,;]?\s*\b(?:please|thanks|thank you)\b").replace_all(text, "");
        let slots = slots::read(&text);
        self.drop_superseded(&slots);
        let bare = text.trim().trim_end_matches(['.', '!', ',']).to_lowercase();
        let requirement = match &slots.tone {
            Some(tone) if tone.eq_ignore_ascii_case(&bare) => format!("Tone: {bare}."),
            _ => as_sentence(&text),
        };
        self.slots.update(slots);
        if requirement.chars().any(char::is_alphanumeric) {
            self.requirements.push(requirement);
        }
        self.text.push('\n');
        self.text.push_str(&text);
    }

    /// Adds what another message of the conversation says.
    fn absorb(&mut self, text: &str, is_earlier: bool) {
        let mut seen = std::collections::HashSet::new();
        let parts = split::separate(text);
        self.material.extend(parts.material);
        let slots = slots::read(&parts.prose);
        if is_earlier {
            let newer = std::mem::replace(&mut self.slots, slots);
            let subject = newer.subject.clone();
            self.slots.update(newer);
            self.slots.subject = subject;
        } else {
            self.drop_superseded(&slots);
            self.slots.update(slots);
        }
        for sentence in split::sentences(&parts.prose) {
            // Repetition says nothing new, and this keeps long conversations cheap.
            if !seen.insert(sentence.clone()) {
                continue;
            }
            if is_takeover(&sentence) {
                self.quoted.push(sentence);
            } else if is_earlier && contradicts(&self.slots, &sentence) {
                continue;
            } else if is_earlier && imperative::is_request(&sentence) {
                self.context.push(format!("Earlier request: {}", stop(&squeeze(&sentence))));
            } else {
                self.place(&sentence);
            }
        }
        self.text.push('\n');
        self.text.push_str(text);
    }

    /// Takes over what an earlier goal says about the same matter: facts, content and prohibitions.
    pub fn keep_facts_of(&mut self, task: &Self, outline: &Outline, first: Option<Self>) {
        let items = |part: Part| -> Vec<String> {
            outline
                .text(part)
                .unwrap_or_default()
                .lines()
                .filter_map(|line| line.strip_prefix("- ").map(str::to_owned))
                .collect()
        };
        let mut facts = items(Part::Context);
        let mut rules = items(Part::Requirements);
        if let Some(first) = first {
            facts.extend(first.context);
            rules.extend(first.requirements);
            if self.material.is_empty() {
                self.material = first.material;
            }
        }
        facts.extend(task.context.iter().cloned());
        let covered =
            task.slots.subject.as_deref().map_or(0, |text| text.split_whitespace().count());
        if task.objective.split_whitespace().count() > covered + 8 || covered == 0 {
            facts.push(format!("Earlier request about the same matter: {}", task.objective));
        }
        for fact in facts {
            if !self.context.contains(&fact) {
                self.context.push(fact);
            }
        }
        for rule in rules {
            let lasting =
                pattern!(r"(?i)^(?:no|don'?t|do not|avoid|never|without|mention|include)\b");
            if lasting.is_match(&rule) && !self.requirements.contains(&rule) {
                self.requirements.push(rule);
            }
        }
    }

    /// Removes requirements that a later remark about the same thing replaces.
    fn drop_superseded(&mut self, later: &Slots) {
        for (old, new) in [
            (self.slots.length.clone(), later.length.clone()),
            (self.slots.tone.clone(), later.tone.clone()),
            (self.slots.format.clone(), later.format.clone()),
        ] {
            if let (Some(old), Some(_)) = (old, new) {
                self.requirements.retain(|requirement| {
                    !(requirement.to_lowercase().contains(&old.to_lowercase())
                        && requirement.chars().count() < old.chars().count() + 25)
                });
            }
        }
    }

    /// Puts a further sentence where it belongs.
    fn place(&mut self, sentence: &str) {
        if is_pleasantry(sentence) {
            return;
        }
        let labelled = pattern!(r"(?i)^(?:rules?|constraints?|requirements?|boundaries|guardrails|restrictions|limits|conditions|policy|policies)\s*:\s*(?P<v>\S.*)$")
            .captures(sentence)
            .map(|found| found["v"].to_owned());
        let assistant_rule = self.task.family == "agent"
            && pattern!(r"(?i)^(?:confirm|greet|transfer|verify|collect|check|log|redirect|decline|apologi[sz]e|close|refund|send|ask|offer|tell|end|start|reply|address|forward|report)\b").is_match(sentence)
            && !sentence.trim_end().ends_with('?');
        if labelled.is_some() || assistant_rule || is_requirement(sentence) {
            let requirement = as_sentence(labelled.as_deref().unwrap_or(sentence));
            if !self.requirements.contains(&requirement) {
                self.requirements.push(requirement);
            }
        } else if imperative::is_request(sentence) && !sentence.trim_end().ends_with('?') {
            let restated = imperative::restate(sentence, self.task);
            if self.objective.is_empty() {
                self.objective = restated;
            } else {
                self.requirements.push(restated);
            }
        } else {
            let fact = as_sentence(sentence);
            if !self.context.contains(&fact) {
                self.context.push(fact);
            }
        }
    }
}

/// Takes "You are a …" or "Act as a … and" off a message that goes on to ask for something.
fn take_role(prose: &mut Vec<String>) -> Option<String> {
    let first = prose.first()?;
    let found = pattern!(r"(?i)^(?:please |i want you to )?(?:act as|you are|you're|pretend to be|imagine you are) (?P<role>an? [^.,;!?]{3,90}?)(?:(?:,? and|[,;]) (?P<rest>(?:write|draft|create|make|suggest|recommend|plan|explain|give|list|help|review|design|tell|summari[sz]e|analy[sz]e|compare|translate|answer|find)\b.*)|[.!])$").captures(first)?;
    let role = found["role"].to_owned();
    match found.name("rest").map(|rest| rest.as_str().to_owned()) {
        Some(rest) => prose[0] = rest,
        None if prose.iter().skip(1).any(|sentence| imperative::is_request(sentence)) => {
            prose.remove(0);
        }
        None => return None,
    }
    Some(role)
}

/// Whether an earlier sentence is only about something that was corrected later.
fn contradicts(now: &Slots, sentence: &str) -> bool {
    let then = slots::read(sentence);
    sentence.split_whitespace().count() <= 10
        && [
            (&then.length, &now.length),
            (&then.tone, &now.tone),
            (&then.audience, &now.audience),
            (&then.budget, &now.budget),
        ]
        .iter()
        .any(|(then, now)| then.is_some() && now.is_some() && then != now)
}

/// Cuts constraints off the end of a request: "…, under 120 words, friendly tone".
fn split_tail(sentence: &str) -> (String, Vec<String>) {
    let mut core = sentence.trim();
    let mut tail = Vec::new();
    while let Some((before, after)) = last_clause(core) {
        let body = after.trim().trim_end_matches(['.', '!', ' ']);
        if body.is_empty() || !is_constraint_fragment(body) || before.split_whitespace().count() < 2
        {
            break;
        }
        tail.insert(0, body.to_owned());
        core = before.trim_end_matches([',', ';', ' ', '-', '–', '—']);
    }
    (core.to_owned(), tail)
}

/// The last clause outside quotations and parentheses.
fn last_clause(sentence: &str) -> Option<(&str, &str)> {
    let mut cut = None;
    let (mut quoted, mut depth) = (false, 0usize);
    let pairs_up = sentence.matches('"').count().is_multiple_of(2);
    for (at, character) in sentence.char_indices() {
        match character {
            '"' if pairs_up => quoted = !quoted,
            '“' => quoted = true,
            '”' => quoted = false,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' | ';' if !quoted && depth == 0 && sentence[at + 1..].starts_with(' ') => {
                cut = Some((at, at + 1))
            }
            ' ' if !quoted && depth == 0 => {
                for separator in [" - ", " – ", " — "] {
                    if sentence[at..].starts_with(separator) {
                        cut = Some((at, at + separator.len()));
                    }
                }
                for joint in [" and ", " but "] {
                    let rest = sentence[at..].get(joint.len()..).unwrap_or_default();
                    if sentence[at..].to_ascii_lowercase().starts_with(joint)
                        && starts_prohibition(rest)
                    {
                        cut = Some((at, at + joint.len()));
                    }
                }
            }
            _ => {}
        }
    }
    cut.map(|(end, start)| (&sentence[..end], &sentence[start..]))
}

fn starts_prohibition(text: &str) -> bool {
    pattern!(r"(?i)^(?:don'?t|do not|avoid|without|make sure|keep it|it (?:must|should|needs|has to)|no )").is_match(text)
}

fn is_constraint_fragment(fragment: &str) -> bool {
    pattern!(r"(?ix)^(?:(?:and|but|also|please|pls|maybe|ideally|preferably)\s+)*(?:
        (?:under|below|at\ most|at\ least|max(?:imum|imal)?|min(?:imum)?|up\ to|no\ more\ than|no\ longer\ than|not\ (?:more|longer|too)|less\ than|fewer\ than|within|about|around|approximately|approx\.?|roughly|exactly)\b.{0,40}\d
      | not\ too\b | nothing\ too\b
      | nothing\ (?:about|with|that|scary|sad|violent|gory|offensive|political|religious|cheesy|corny|boring|complicated|technical|fancy|expensive|generic|else\b)
      | \d[\d,.]*(?:\s?(?:-|–|to)\s?\d[\d,.]*)?[\s-]?(?:words?|characters?|chars|sentences?|paragraphs?|pages?|lines?|bullets?|bullet\ points|slides|minutes?\ max|seconds?\ max)
      | in\ (?:an?\ |the\ )?[\w,'\ -]{2,40}\ (?:tone|style|voice|format|manner)
      | in\ (?:valid\ )?(?:json|csv|markdown|ya?ml|xml|html|table|bullet|plain)\b
      | as\ (?:an?\ )?(?:valid\ )?(?:json|table|list|bullet|numbered|checklist|csv|markdown)\b
      | (?:[\w-]+(?:,|\ and|\ but)?\ ){0,4}(?:tone|style\ tone|voice)$
      | don'?t\b | do\ not\b | never\b | avoid\b | without\b | must\b | should\b | make\ sure\b | ensure\b | keep\ (?:it|the|this|them|things|everything)\b
      | (?:it|this|they|the\ (?:tone|output|result|text|email|post|answer|response))\ (?:must|should|needs?|has|have|is|can)\b
      | (?:escalate|refuse|hand\ (?:over|off)|never|always)\ 
      | (?:use|include|mention|exclude|leave\ out|only|always|aim\ for|limit)\ 
      | no\ [\w-]+ | with\ no\ | tone:? | format:? | length:? | target\ audience\b | audience:? | budget:? | deadline:?
      )")
    .is_match(fragment)
}

/// Whether a whole sentence states what the result must be.
pub(super) fn is_requirement(sentence: &str) -> bool {
    let text = sentence.trim();
    pattern!(r"(?i)^(?:about|around|approximately|roughly) \d[\d,.]*(?: ?(?:-|–|to) ?\d[\d,.]*)? (?:words?|characters?|sentences?|paragraphs?|pages?|lines?|minutes?|slides?|bullets?)(?: (?:long|max(?:imum)?|in total|total|at most|or so))?[.!]?$").is_match(text)
        || is_constraint_fragment(text)
        && !pattern!(r"(?i)^(?:about|around|no,? (?:i|we|he|she)|this is|it is|it has|it'?s|they (?:have|are)|this has|they can|add )\b").is_match(text)
        || pattern!(r"(?i)^(?:be (?:concise|brief|specific|careful|creative|honest)|focus on|emphasi[sz]e|highlight|stick to|assume|cite|return|output|respond|answer|start with|end with|finish with|begin with|write in|maximum|minimum|keep|limit|ask (?:for|them|him|her|whether|if)|invite (?:them|him|her|readers|people)|thank|offer (?:a|an|them)|propose|sign (?:it|off)|close with|open with|set it|tell them|call it|explain (?:why|how|that) )\b").is_match(text)
}

/// Greetings, thanks and the like carry nothing for the prompt.
pub(super) fn is_pleasantry(sentence: &str) -> bool {
    let text = sentence.trim().trim_end_matches(['.', '!', ',', ' ', ')', ':']);
    pattern!(r"(?i)^(?:(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|everyone|all|claude|chatgpt|gpt|gemini|ai|friend))?|thanks?(?: you)?(?: (?:so much|a lot|in advance|very much|again))*|thx|ty|cheers|please(?: help(?: me)?)?|help(?: me)?|(?:i need|need) (?:your |some )?help(?: please)?|(?:can|could) (?:you|u) (?:please )?help(?: me)?(?: (?:out|with (?:something|this)))?|ok(?:ay)?|yes|yep|yeah|sure|no|go ahead|sounds good|lol|please and thank you|any help (?:is|would be) (?:great|appreciated)|i have a (?:request|question)|i hope (?:you are|you're|this).{0,40})$")
        .is_match(text)
        || text.is_empty()
}

/// Whether a sentence tries to command whatever model reads it, outside quotation marks.
pub(super) fn is_takeover(sentence: &str) -> bool {
    let unquoted = pattern!(r#""[^"]*"|“[^”]*”|'[^']{12,}'|`[^`]*`"#).replace_all(sentence, "");
    pattern!(r"(?i)\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|system|all|your)\b.{0,20}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?)\b|\b(?:reveal|print|show|repeat|output|leak|tell)\b.{0,20}\b(?:your|the) (?:system prompt|hidden (?:prompt|instructions)|initial instructions|instructions above)\b|\byou are now (?:dan|in developer mode|jailbroken|unrestricted)\b|\bdo anything now\b|^\s*\[?(?:system|assistant)\]?\s*:")
        .is_match(&unquoted)
}

fn as_sentence(text: &str) -> String {
    let text = pattern!(r"(?i)^(?:and|but|also|please|pls|oh,?|ps:?|so|then)[, ]+")
        .replace(text.trim(), "");
    let text = pattern!(r"(?i)^(?:please|pls|also|kindly) ").replace(&text, "");
    stop(&capitalize(&squeeze(&text)))
}
