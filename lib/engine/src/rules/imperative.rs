//! Turning a request ("can you help me write …") into an instruction ("Write …").

use super::knowledge::Task;
use super::split::{capitalize, stop};
use patterns::pattern;

/// Whether the sentence asks for something.
pub fn is_request(sentence: &str) -> bool {
    let text = strip_opening(sentence);
    text.len() < sentence.trim().len() && asked(sentence)
        || pattern!(r"(?i)^(?:{imperative.work})\b").is_match(text)
        || asked(sentence)
}

/// Whether the sentence begins with an order to do a piece of work.
pub fn starts_work(sentence: &str) -> bool {
    pattern!(r"(?i)^(?:{imperative.work})\b").is_match(strip_opening(sentence))
}

fn asked(sentence: &str) -> bool {
    pattern!(r"(?i)\b(?:help me|can (?:you|u)|could (?:you|u)|would you|will you|i(?:'d| would) like (?:you )?(?:to|a|an|some)|i (?:really |just )?(?:need|want|wanna)|i(?:'m| am) looking for|looking for (?:a|an|some)|we (?:need|want)|please)\b")
        .is_match(sentence)
        || sentence.trim_end().ends_with('?')
}

/// Removes greetings and the wrapping of a request until its core is left.
fn strip_opening(sentence: &str) -> &str {
    let mut text = sentence.trim();
    loop {
        let rest = pattern!(
            r"(?ix)^(?:
              (?:hi|hello|hey|yo|greetings|good\ (?:morning|afternoon|evening))(?:\ (?:there|everyone|claude|chatgpt|gpt|gemini|ai|friend|all))?(?:\s*[,.!:-]+\s*|\s+)
            | (?:dear\ ai|chatgpt|claude|gemini|ok(?:ay)?|so|well|um+|basically|anyway|right|now)\s*[,.!-]+\s*
            | (?:please|pls|plz|kindly|just|simply|maybe|quickly)\b[,]?\s+
            | (?:i\ was\ wondering\ if|i\ wonder\ if|is\ it\ possible\ (?:for\ you\ )?to|would\ it\ be\ possible\ (?:for\ you\ )?to|do\ you\ think)\ (?:you\ (?:can|could|would)\ )?
            | (?:can|could|would|will)\ (?:you|u|someone|anyone)\ (?:please\ |pls\ |plz\ |kindly\ |maybe\ |possibly\ |also\ )*
            | (?:would\ you\ mind)\ 
            | i\ (?:really\ |urgently\ |just\ |also\ )*(?:need|want|would\ like|'d\ like|wish|could\ use|require)\ (?:you|u|someone|chatgpt|ai|an\ ai|the\ ai|it)\ to\ 
            | i'd\ (?:like|love)\ (?:for\ )?(?:you|someone)\ to\ 
            | (?:i\ (?:really\ |urgently\ |just\ )*(?:need|want|would\ like|could\ use|'d\ like)|i'd\ like|i'd\ love|looking\ for|i\ am\ looking\ for|i'm\ looking\ for)\ (?:some\ |a\ (?:bit|little)\ of\ |your\ )?help\ (?:with\ |in\ |to\ |on\ )?
            | (?:help|assist)\ (?:me|us)\ (?:out\ )?(?:to\ |with\ |w/\ ?|in\ |by\ )?
            | help\ (?:with|w/)\ ?
            | (?:asap|urgent(?:ly)?)[\s,:!]+
            | (?:your\ task\ is\ to|the\ task\ is\ to|my\ goal\ is\ to|our\ goal\ is\ to|the\ goal\ is\ to|goal:|task:|prompt:)\ 
            | (?:i\ have\ to|i\ need\ to|i\ must|i\ should|i\ am\ trying\ to|i'm\ trying\ to|trying\ to|i\ am\ going\ to|i'm\ going\ to)\ (?:help\ me\ )
            )"
        )
        .find(text)
        .map(|found| text[found.end()..].trim_start());
        match rest {
            Some(rest) if rest.chars().any(char::is_alphanumeric) => text = rest,
            _ => return text,
        }
    }
}

/// The sentence without greetings and the wrapping of a request.
pub fn unwrapped(sentence: &str) -> &str {
    strip_opening(sentence)
}

/// Restates the request of `sentence` as an instruction in proper English.
///
/// What follows the wrapping is kept word for word; only the beginning changes.
pub fn restate(sentence: &str, task: &Task) -> String {
    let stripped = strip_opening(sentence);
    let wrapped = stripped.len() < sentence.trim().len();
    let text = stripped.trim_end_matches(['?', '.', '!', ' ', ',']);
    let question = stripped.trim_end().ends_with('?');
    let terminal = if sentence.trim_end().ends_with('!') && !wrapped { "!" } else { "." };

    let expanded = pattern!(r"(?i)^(i|we)'d (like|love|want|need)\b").replace(text, "$1 would $2");
    let text = expanded.as_ref();
    let text = pattern!(r"(?i)^(?P<v>need|have|want) to ").replace(text, "I $v to ");
    let text = text.as_ref();

    // "I need to write …", "I want to create …": the person wants the result, not a method.
    if let Some(found) = pattern!(r"(?i)^(?:i|we)(?:'m| am|'re| are)? (?:really |just |also |currently )*(?:need|want|have to|would (?:like|love)|wish|wanna|gotta|hope|plan|plann?ing|trying|hoping|looking|going|'d like)(?: |$)(?:to )?(?:be able to )?(?P<rest>(?:{imperative.work})\b.*)$")
    .captures(text)
    {
        return finish(&found["rest"], task, terminal);
    }
    if let Some(found) = pattern!(r"(?i)^(?:i|we) (?:really |just |also )*(?:need|want|would (?:like|love)|could use) (?P<rest>(?:something|anything|someone|somebody)\b.*)$").captures(text) {
        return format!("Suggest {}{terminal}", &found["rest"]);
    }
    // "I need a …", "looking for a …".
    if let Some(found) = pattern!(
        r"(?i)^(?:(?:i|we) (?:really |just |also |urgently )*(?:need|want|would like|wish for|require|could use)|need|want|i'd like|we'd like|i'd love|(?:(?:i am|i'm|we are|we're) )?(?:looking|searching) for|give me|get me) (?P<rest>(?:an?|some|the|my|our|\d+|two|three|four|five|six|seven|eight|nine|ten|several|ideas|help|tips|advice|suggestions|ad|copy|content|names?)\b.*)$"
    )
    .captures(text)
    {
        let rest = &found["rest"];
        return format!("{} {}{terminal}", verb_for(rest, task), decapitalize(rest));
    }
    // "I want to learn …": the person acts; the prompt should make that possible.
    if let Some(found) = pattern!(
        r"(?i)^(?:i|we)(?:'m| am|'re| are)? (?:really |just |also |currently )*(?:need|want|would (?:like|love)|wish|wanna|hope|plan|planning|trying|hoping|looking|going|'d like)(?P<to> to)? (?P<rest>[a-z]+\b.*)$"
    )
    .captures(text)
    {
        let rest = &found["rest"];
        return if pattern!(r"(?i)^(?:know|understand|learn (?:about|how|why|what))\b").is_match(rest) {
            let rest = pattern!(r"(?i)^(?:know|understand|learn)(?: about)? ").replace(rest, "");
            format!("Explain {rest}{terminal}")
        } else if found.name("to").is_none()
            && pattern!(r"(?i)^(?:i|we) (?:really |just |also |currently )*(?:need|want|would (?:like|love))\b").is_match(text)
            && !pattern!(r"(?i)^(?:{imperative.personal})\b").is_match(rest)
        {
            format!("Suggest how I can get {rest}{terminal}")
        } else if task.mode == crate::Mode::Planning {
            format!("{} {} for me to {rest}{terminal}", task.verb, task.deliverable)
        } else {
            format!("Show me how to {rest}{terminal}")
        };
    }
    if let Some(found) =
        pattern!(r"(?i)^how (?:do|can|should|could|would) (?P<who>i|we)(?: best)? (?P<rest>.+)$")
            .captures(text)
    {
        let who = if found["who"].eq_ignore_ascii_case("i") { "I" } else { "we" };
        return format!("Explain how {who} can best {}{terminal}", &found["rest"])
            .replace("can best best ", "can best ");
    }
    // "how dental clinics can get reviews": no question, but the subject of an explanation.
    if pattern!(r"(?i)^(?:how|why) (?:(?:the|a|an|my|our|small|new|most|some|many) )?[a-z-]+(?: [a-z-]+){0,3} (?:can|could|should|might|are|is|do|does|survive|work|works|make|get)\b").is_match(text)
        && !pattern!(r"(?i)^(?:how|why) (?:do|does|did|is|are|was|were|can|could|should|would|will|much|many|long|far|old|often|come|have|has|best)\b").is_match(text)
    {
        return format!("Explain {}{terminal}", decapitalize(text));
    }
    if let Some(found) = pattern!(r"(?i)^how to (?P<rest>.+)$").captures(text) {
        return format!("Explain how to {}{terminal}", &found["rest"]);
    }
    let asks = pattern!(
        r"(?i)^(?:what|who|when|where|why|which|how|is|are|do|does|did|should|am|was|were|has|have)\b"
    );
    if question && (!wrapped || asks.is_match(text)) {
        return format!("Answer this question: {}?", capitalize(text));
    }
    finish(text, task, terminal)
}

/// Turns what is left, an imperative or a noun phrase, into a sentence.
fn finish(text: &str, task: &Task, terminal: &str) -> String {
    let text = pattern!(r"(?i)^(write|draft|make|create|build|design|generate|compose|plan|draw|prepare|craft|suggest|recommend|find|code|develop) (?:me|us|for me|up for me) ").replace(text, "$1 ");
    let text = text.trim();
    // A text that begins with an order is one, even if its verb is also a noun.
    if pattern!(r"(?i)^(?:use|take|apply|fill|insert|replace|follow|read|consider|treat|respond|return|output|ask|send|call|set) (?:\{\{|https?:|(?:the|an?|my|our|this|these|those|only|all|in|with|to)\b)").is_match(text) {
        return fix_terminal(&capitalize(text), terminal);
    }
    if task.id == "general" && pattern!(r"(?i)^(?:an?|the) [\w'-]+(?: [\w'-]+)?$").is_match(text) {
        return format!("Write about {}{terminal}", decapitalize(text));
    }
    if let Some(found) = pattern!(r"(?i)^(?P<verb>writing|drafting|creating|making|building|designing|planning|translating|summarizing|summarising|explaining|comparing|debugging|fixing|reviewing|preparing|improving|organizing|organising|developing|choosing|finding|analyzing|analysing|understanding|rewriting|editing|setting up|generating|deciding) (?P<rest>.+)$").captures(text) {
        return format!("{} {}{terminal}", base_form(&found["verb"].to_lowercase()), &found["rest"]);
    }
    if pattern!(r"(?i)^(?:{imperative.work})\b").is_match(text) && !noun_first(text) {
        return fix_terminal(&capitalize(&with_article(text)), terminal);
    }
    if let Some(found) = pattern!(r"(?i)^(?:the )?best (?P<rest>.+)$").captures(text)
        && !pattern!(r"(?i)^best (?:man|friend|practice)").is_match(text)
    {
        return format!("Recommend the best {}{terminal}", &found["rest"]);
    }
    if pattern!(r"(?i)^be (?:my|a|an|the|our)\b").is_match(text) {
        return fix_terminal(&capitalize(text), terminal);
    }
    if let Some(found) = pattern!(
        r"(?i)^(?P<n>\d+)[- ](?P<rest>(?:day|week|hour|minute|page|month|step|course)\b.+)$"
    )
    .captures(text)
    {
        let article = if matches!(&found["n"], "8" | "11" | "18") { "an" } else { "a" };
        let phrase = format!("{article} {text}");
        return fix_terminal(&format!("{} {phrase}", verb_for(&phrase, task)), terminal);
    }
    if task.id == "troubleshooting" || is_statement(text) || text.split_whitespace().count() > 40 {
        return format!("{} {}", from_situation(task), stop(&capitalize(text)));
    }
    if pattern!(r"(?i)^(?:what|who|when|where|why|which|how|is|are|do|does|did|should|can)\b")
        .is_match(text)
        && !pattern!(r"(?i)^how to\b").is_match(text)
    {
        return format!("Answer this question: {}?", capitalize(text));
    }
    if let Some(found) = pattern!(r"(?i)^understand(?:ing)? (?P<rest>.+)$").captures(text) {
        return format!("Explain {}{terminal}", &found["rest"]);
    }
    // Something that the person does: the prompt should make it possible.
    if pattern!(r"(?i)^(?:{imperative.personal})\b").is_match(text) {
        return if task.mode == crate::Mode::Planning {
            format!(
                "{} {} for me to {}{terminal}",
                if task.verb == "Plan" { "Create" } else { &task.verb },
                task.deliverable,
                decapitalize(text)
            )
        } else {
            format!("Show me how to {text}{terminal}")
        };
    }
    // A noun phrase: ask for it.
    if pattern!(r"(?i)^(?:an?|the|some|my|our|this|these|\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several)\b").is_match(text) {
        return fix_terminal(&format!("{} {}", verb_for(text, task), decapitalize(text)), terminal);
    }
    let article = article_for(text);
    fix_terminal(&format!("{} {article}{}", verb_for(text, task), decapitalize(text)), terminal)
}

/// Whether the words state something instead of naming or asking for a thing.
fn is_statement(text: &str) -> bool {
    pattern!(r"(?i)^(?:idk|dunno|every|each|whenever|once|(?:[\w'’-]+ ){1,5}(?:isn'?t|aren'?t|won'?t|doesn'?t|don'?t|can'?t|keeps|stopped|broke)|i|i'm|im|i've|ive|we|we're|we've|it|it's|he|she|they|there|there's|you|this is|if|when|since|because|as|everyone|someone|nobody)\b").is_match(text)
        || pattern!(r"(?i)^(?:(?:my|our|the|a|an|this|these|his|her|their) )(?:[\w'’-]+ ){1,4}?(?:is|are|was|were|has|have|had|keeps?|won'?t|doesn'?t|don'?t|isn'?t|needs?|wants?|says?|said|got|gets?|goes|just|always|never|hates?|loves?|takes?|runs?|works?|cannot|can'?t|will|exits|fails|crashes|shows|stops|throws|returns|rerenders|breaks|freezes|leaks|lost|broke|refuses?|forgot|lives?|likes?|feels?)\b").is_match(text)
}

/// Asks for the task's deliverable where the goal only describes a situation.
fn from_situation(task: &Task) -> String {
    match task.id.as_str() {
        "troubleshooting" => "Find out what is wrong here and what to do about it:".to_owned(),
        "general" | "advice" | "question" | "health_question" => {
            "Say what to do in this situation, step by step:".to_owned()
        }
        _ if task.verb == "Fix" => "Find the cause of this problem and fix it:".to_owned(),
        _ if matches!(
            task.verb.as_str(),
            "Plan"
                | "Design"
                | "Give"
                | "Advise on"
                | "Act as"
                | "Play"
                | "Translate"
                | "Summarize"
                | "Edit"
                | "Research"
                | "Explain"
        ) =>
        {
            format!("Create {} for this situation:", task.deliverable)
        }
        _ => format!("{} {} for this situation:", task.verb, task.deliverable),
    }
}

fn fix_terminal(text: &str, terminal: &str) -> String {
    let stopped = stop(text);
    if terminal == "!" && stopped.ends_with('.') && !text.ends_with('.') {
        format!("{text}!")
    } else {
        stopped
    }
}

/// "Draft minutes template" becomes "Draft a minutes template".
fn with_article(text: &str) -> String {
    let Some(found) = pattern!(r"(?i)^(?P<verb>write|draft|create|make|compose|prepare|design|build|generate|develop) (?P<rest>(?:[a-z-]+ ){1,3}(?:template|speech|letter|e-?mail|post|plan|page|description|summary|proposal|report|agenda|review|story|poem|script|policy|contract|statement|article|essay|guide|list|function|program|app)\b.*)$").captures(text) else {
        return text.to_owned();
    };
    let rest = &found["rest"];
    if pattern!(r"(?i)^(?:an?|the|my|our|your|his|her|their|this|that|these|those|some|any|each|every|no|me|us|him|them|\w+s|\w+ing|two|three|four|five|six|seven|eight|nine|ten|several|many|one|another|up|about|to|for|for|of|in|on|by|with|and|an|code|sql|html|python|javascript) ").is_match(rest)
        && !pattern!(r"(?i)^(?:minutes|news|sales|business|opening|closing|wedding|meeting|training|landing) ").is_match(rest)
    {
        return text.to_owned();
    }
    let article = article_for(rest);
    format!("{} {article}{rest}", &found["verb"])
}

/// Words that are verbs of work but begin a noun phrase here ("plan for …", "test suite for …").
fn noun_first(text: &str) -> bool {
    pattern!(r"(?i)^(?:(?:plan|outline|review|research|model|test|draft|design|schedule|sketch|code|program|brief|market|pitch|label|interview|name|group|play|quiz|answer|estimate|train)(?:s|er)? (?:for|of|about|on|to|plan|ideas?|suite|cases?|review|questions?|deck|strategy|research|analysis|guide|prep|tips|itinerary|trip)\b)").is_match(text)
}

/// The verb that asks for a noun phrase; tasks named after another act fall back to a neutral one.
fn verb_for(phrase: &str, task: &Task) -> &'static str {
    let writes = pattern!(
        r"(?i)\b(?:e-?mail|letter|post|essay|article|story|poem|speech|text|message|script|description|blog|copy|song|lyrics|caption|headline|slogan|bio|summary|report|resume|résumé|review|toast|newsletter|tweet|thread|function|program|query|regex|tests?|code|haiku|paragraph|statement|proposal)s?\b"
    );
    let head: String = phrase.split_whitespace().take(7).collect::<Vec<_>>().join(" ");
    if pattern!(r"(?i)\b(?:ideas?|suggestions?|names?|recommendations?|options?|alternatives)\b")
        .is_match(&head)
    {
        return "Suggest";
    }
    if pattern!(r"(?i)\b(?:advice|tips|help|feedback|information|info|overview|explanation|comparison|examples?|answer)\b").is_match(&head) {
        return "Give me";
    }
    if writes.is_match(&head) {
        return "Write";
    }
    match task.verb.as_str() {
        "Write" => "Write",
        "Plan" if pattern!(r"(?i)\b(?:plan|itinerary|agenda|schedule)\b").is_match(&head) => {
            "Create"
        }
        "Plan" => "Plan",
        "Design" => "Design",
        "Build" => "Build",
        "Suggest" => "Suggest",
        "Draft" => "Draft",
        "Prepare" => "Prepare",
        "Explain" => "Explain",
        "Compare" => "Compare",
        _ => "Create",
    }
}

/// "a ", "an " or nothing before a bare noun phrase.
fn article_for(phrase: &str) -> &'static str {
    let head = pattern!(r"(?i)^(.+?)(?: (?:for|about|on|of|to|that|with|in|from|by|at|who|which|where|when|explaining|using|between|and|vs)\b|[,:;(]|$)")
        .captures(phrase)
        .map_or_else(|| phrase.to_owned(), |found| found[1].to_owned());
    let words: Vec<&str> = head.split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return "";
    };
    let last_lower = last.to_lowercase();
    let uncountable = pattern!(
        r"^(?:copy|advice|feedback|content|code|research|help|ideas|information|documentation|poetry|lyrics|music|homework|software|art|text|html|css|sql|python|javascript|data|news|marketing|fiction|dialogue|photography|material|people|children|men|women|kids)$"
    );
    if words.len() > 6
        || uncountable.is_match(&last_lower)
        || (last_lower.ends_with('s') && !pattern!(r"(?:ss|us|is|news|saas|canvas|business|bus)$").is_match(&last_lower))
        || first.chars().next().is_some_and(|c| !c.is_ascii_alphabetic())
        || (first.chars().next().is_some_and(char::is_uppercase) && words.len() == 1 && first.chars().any(char::is_lowercase))
        || !pattern!(r"(?i)^best (?:man|friend)\b").is_match(phrase)
            && pattern!(r"(?i)^(?:how|what|why|when|where|who|best|top|all|every|each|no|any|your|his|her|their|its)$").is_match(first)
    {
        return "";
    }
    let lower = first.to_lowercase();
    let vowel = lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !pattern!(r"^(?:uni|use|user|one|eu|ui|usa|us\b|ubi)").is_match(&lower)
        || pattern!(r"^(?:hour|honest|honou?r|seo|sms|mba|faq|sql|html|rfp|nda|api|ai|x-ray|hr|mvp|fps|llc|ngo)\b").is_match(&lower);
    if vowel { "an " } else { "a " }
}

/// First letter in lower case, unless the word is a name or an acronym.
fn decapitalize(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let common = pattern!(
        r"^(?:A|An|The|Some|My|Our|This|These|Cold|Short|Long|New|Best|Top|Blog|Email|Letter|Ideas|Product|Plan|Weekly|Daily|Monthly|Simple|Good|Nice|Cute|Funny)$"
    );
    if common.is_match(first) {
        let mut characters = text.chars();
        characters.next().map_or_else(String::new, |c| c.to_lowercase().chain(characters).collect())
    } else {
        text.to_owned()
    }
}

fn base_form(gerund: &str) -> String {
    let base = match gerund {
        "writing" => "write",
        "creating" => "create",
        "making" => "make",
        "translating" => "translate",
        "summarizing" | "summarising" => "summarize",
        "comparing" => "compare",
        "debugging" => "debug",
        "preparing" => "prepare",
        "improving" => "improve",
        "organizing" | "organising" => "organize",
        "choosing" => "choose",
        "analyzing" | "analysing" => "analyze",
        "rewriting" => "rewrite",
        "setting up" => "set up",
        "generating" => "generate",
        "planning" => "plan",
        "deciding" => "decide",
        "understanding" => "explain",
        other => other.trim_end_matches("ing"),
    };
    capitalize(base)
}
