//! Judging items of the public library: rules first, then a language model or OpenAI's endpoint.

use std::{sync::Arc, time::Duration};

use domain::{Clock, library::Content};
use engine::EngineError;
use futures::future::join;
use llm::{
    EngineConfig, Limits, Moderations, ProviderKeys, Secret, WithoutVerdict,
    moderation::{Judges, Moderator, Verdict},
    moderator,
};
use serde_json::{Value, json};

use crate::{
    dialect::{ALL, Dialect, KEY, MODEL, Outcome},
    injections::{corpus, skeleton},
    stub::{Play, Seen, Stub},
    world::{Counting, START, TIMEOUT, TestClock, after, model},
};

fn content(title: &str, prompt_text: &str) -> Content {
    Content {
        title: title.to_owned(),
        prompt_text: prompt_text.to_owned(),
        description: Some("For newsletters.".to_owned()),
        what_this_prompt_does: None,
        tips_for_this_prompt: None,
        how_to_use_prompt: Some(String::new()),
        recommended_models: vec!["Universal".to_owned()],
        category: "Writing".to_owned(),
        example_text: None,
        token_estimate: None,
    }
}

fn harmless() -> Content {
    content("Kettle text", "Write a short text about {{kettle}} for customers.")
}

fn secretive() -> Content {
    content("Kettle text", "Use the key AKIAZ5QXW7KPL2MNB4RT for the upload.")
}

fn approval() -> Value {
    json!({"blocked": false, "reasons": []})
}

fn objection() -> Value {
    let reason = json!({"rule": "fraud", "field": "promptText", "message": "It deceives buyers."});
    json!({"blocked": true, "reasons": [reason]})
}

const HOLD: WithoutVerdict = WithoutVerdict::Hold;
const PUBLISH: WithoutVerdict = WithoutVerdict::Publish;

/// A moderator that asks the providers of these protocols in order.
fn asking(judges: &[(Dialect, &Stub)], rest: WithoutVerdict, clock: &Arc<TestClock>) -> Moderator {
    let judge = |(dialect, stub): &(Dialect, &Stub)| model(*dialect, stub, clock.clone());
    let models = judges.iter().map(judge).collect();
    Moderator::new(Judges { endpoint: None, models }, rest, clock.clone())
}

/// The result of one provider's outcomes, and the number of requests.
async fn played(
    dialect: Dialect,
    outcomes: impl IntoIterator<Item = Outcome>,
) -> (Result<Verdict, EngineError>, usize) {
    let stub = dialect.start(outcomes.into_iter().map(|outcome| dialect.play(outcome))).await;
    let moderator = asking(&[(dialect, &stub)], HOLD, &TestClock::new());
    let verdict = moderator.judge_until(&harmless(), None, after(60)).await;
    (verdict, stub.seen().len())
}

fn failed(dialect: Dialect, status: u16) -> Outcome {
    Outcome::Failed(status, dialect.code(status), "no".to_owned())
}

/// Rule, field and place of each reason; none if the item is approved.
fn reasons(verdict: Verdict) -> Vec<(String, String, usize, usize)> {
    match verdict {
        Verdict::Approved => Vec::new(),
        Verdict::Blocked { reasons } => reasons
            .into_iter()
            .map(|reason| (reason.rule_id, reason.field, reason.start, reason.end))
            .collect(),
    }
}

#[tokio::test]
async fn what_the_rules_block_is_shown_to_nobody() {
    let stub = Dialect::OpenAi.start([]).await;
    let moderator = asking(&[(Dialect::OpenAi, &stub)], PUBLISH, &TestClock::new());
    let found = reasons(moderator.judge_until(&secretive(), None, after(60)).await.unwrap());
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("secret", "promptText"));
}

#[tokio::test]
async fn every_provider_can_approve_and_block() {
    for dialect in ALL {
        let (verdict, requests) = played(dialect, [Outcome::Answer(approval())]).await;
        assert_eq!((verdict.unwrap(), requests), (Verdict::Approved, 1));
        let (verdict, _) = played(dialect, [Outcome::Answer(objection())]).await;
        let Verdict::Blocked { reasons } = verdict.unwrap() else { panic!("it is blocked") };
        let [reason] = &reasons[..] else { panic!("one reason") };
        assert_eq!((reason.rule_id.as_str(), reason.field.as_str()), ("fraud", "promptText"));
        let length = harmless().prompt_text.chars().count();
        assert_eq!((reason.start, reason.end), (0, length));
        assert_eq!(reason.message, "It deceives buyers.");
    }
}

#[tokio::test]
async fn all_texts_that_are_there_are_shown_and_nothing_else() {
    for dialect in ALL {
        let stub = dialect.start([dialect.play(Outcome::Answer(approval()))]).await;
        let moderator = asking(&[(dialect, &stub)], HOLD, &TestClock::new());
        moderator.judge_until(&harmless(), None, after(60)).await.unwrap();
        let (names, outside) = skeleton(&dialect.text(&stub.seen()[0]));
        assert_eq!(names, ["title", "promptText", "description", "category"]);
        assert!(!outside.contains("kettle"));
    }
}

#[tokio::test]
async fn the_name_of_the_author_is_judged_too() {
    let dialect = Dialect::OpenAi;
    let stub = dialect.start([dialect.play(Outcome::Answer(approval()))]).await;
    let moderator = asking(&[(dialect, &stub)], HOLD, &TestClock::new());
    let item = harmless();
    let verdict = moderator.judge_until(&item, Some("Ada"), after(60)).await;
    assert_eq!(verdict, Ok(Verdict::Approved));
    let (names, _) = skeleton(&dialect.text(&stub.seen()[0]));
    assert_eq!(names, ["title", "promptText", "description", "category", "author"]);
    let reserved = moderator.judge_until(&item, Some("The Support"), after(60)).await.unwrap();
    assert_eq!(reasons(reserved), [("reserved_name".to_owned(), "author".to_owned(), 0, 11)]);
}

#[tokio::test]
async fn a_text_that_wants_to_be_obeyed_arrives_as_data() {
    for dialect in ALL {
        let texts = corpus();
        let plays = vec![dialect.play(Outcome::Answer(approval())); texts.len() + 1];
        let stub = dialect.start(plays).await;
        let moderator = asking(&[(dialect, &stub)], HOLD, &TestClock::new());
        moderator.judge_until(&harmless(), None, after(60)).await.unwrap();
        let mut shown = 1;
        for text in &texts {
            let item = content(text, text);
            let verdict = moderator.judge_until(&item, None, after(60)).await.unwrap();
            let seen = stub.seen();
            if verdict != Verdict::Approved {
                assert_eq!(seen.len(), shown, "the rules were enough");
                continue;
            }
            shown += 1;
            let (plain, same) = (&seen[0], &seen[shown - 1]);
            assert_eq!(dialect.system(same), dialect.system(plain));
            assert_eq!(dialect.frame(same), dialect.frame(plain));
            assert_eq!(skeleton(&dialect.text(same)), skeleton(&dialect.text(plain)));
        }
        assert!(shown > 20, "{shown} texts were shown");
    }
}

#[tokio::test]
async fn an_answer_that_contradicts_itself_is_sent_back_once() {
    let nameless = json!({"rule": "fraud", "field": "exampleText", "message": "It deceives."});
    let unknown = json!({"rule": "boring", "field": "title", "message": "It is dull."});
    let endless = json!({"rule": "fraud", "field": "title", "message": "x".repeat(301)});
    for wrong in [
        json!({"blocked": true, "reasons": []}),
        json!({"blocked": false, "reasons": objection()["reasons"]}),
        json!({"blocked": true, "reasons": [nameless]}),
        json!({"blocked": true, "reasons": [unknown]}),
        json!({"blocked": true, "reasons": [endless]}),
        json!({"blocked": "no", "reasons": []}),
        json!([]),
    ] {
        for dialect in ALL {
            let wrong = || Outcome::Answer(wrong.clone());
            let (verdict, requests) = played(dialect, [wrong(), Outcome::Answer(approval())]).await;
            assert_eq!((verdict.unwrap(), requests), (Verdict::Approved, 2));
            let (verdict, requests) = played(dialect, [wrong(), wrong()]).await;
            assert!(matches!(verdict, Err(EngineError::Unusable { .. })), "{verdict:?}");
            assert_eq!(requests, 2);
        }
    }
}

#[tokio::test]
async fn words_instead_of_a_verdict_are_no_verdict() {
    for dialect in ALL {
        let words = || Outcome::Words("The item is fine, publish it.");
        let (verdict, _) = played(dialect, [words(), words()]).await;
        assert!(matches!(verdict, Err(EngineError::Unusable { .. })), "{verdict:?}");
    }
}

#[tokio::test]
async fn an_item_that_a_provider_declines_to_read_has_no_verdict_and_is_never_published_unread() {
    for dialect in ALL {
        for outcome in [|| Outcome::Refused, || Outcome::Filtered] {
            let (verdict, requests) = played(dialect, [outcome()]).await;
            assert!(matches!(verdict, Err(EngineError::Rejected { .. })), "{verdict:?}");
            assert_eq!(requests, 1);
            let stub = dialect.start([dialect.play(outcome())]).await;
            let lenient = asking(&[(dialect, &stub)], PUBLISH, &TestClock::new());
            let verdict = lenient.judge_until(&harmless(), None, after(60)).await.unwrap();
            let end = harmless().prompt_text.chars().count();
            let declined = ("declined".to_owned(), "promptText".to_owned(), 0, end);
            assert_eq!(reasons(verdict), [declined]);
        }
    }
}

#[tokio::test]
async fn another_provider_may_judge_what_the_first_one_declines() {
    let (first, second) = (Dialect::OpenAi, Dialect::Anthropic);
    let declines = first.start([first.play(Outcome::Refused)]).await;
    let approves = second.start([second.play(Outcome::Answer(approval()))]).await;
    let judges = [(first, &declines), (second, &approves)];
    let moderator = asking(&judges, HOLD, &TestClock::new());
    assert_eq!(moderator.judge_until(&harmless(), None, after(60)).await, Ok(Verdict::Approved));
}

#[tokio::test]
async fn a_failure_is_no_verdict_unless_the_operator_publishes_without_one() {
    for dialect in ALL {
        for (status, requests) in [(401, 1), (400, 1), (429, 3), (500, 3), (503, 3)] {
            let plays = vec![dialect.play(failed(dialect, status)); 2 * requests];
            let stub = dialect.start(plays).await;
            let clock = TestClock::new();
            let strict = asking(&[(dialect, &stub)], HOLD, &clock);
            let error = strict.judge_until(&harmless(), None, after(60)).await.unwrap_err();
            let wait = matches!(status, 400 | 401).then_some(Duration::from_secs(300));
            assert_eq!(error, EngineError::Unavailable { retry_after: wait });
            assert_eq!(stub.seen().len(), requests, "{dialect:?} {status}");
            let lenient = asking(&[(dialect, &stub)], PUBLISH, &clock);
            let verdict = lenient.judge_until(&harmless(), None, after(120)).await.unwrap();
            assert_eq!(verdict, Verdict::Approved);
            assert_eq!(stub.seen().len(), 2 * requests);
        }
    }
}

#[tokio::test]
async fn the_next_provider_is_asked_when_one_fails_and_only_then() {
    let clock = TestClock::new();
    let (first, second) = (Dialect::Anthropic, Dialect::Bedrock);
    let denied = first.start([first.play(failed(first, 401))]).await;
    let good = second.start([second.play(Outcome::Answer(objection()))]).await;
    let unasked = Dialect::OpenAi.start([]).await;
    let judges = [(first, &denied), (second, &good), (Dialect::OpenAi, &unasked)];
    let verdict =
        asking(&judges, HOLD, &clock).judge_until(&harmless(), None, after(60)).await.unwrap();
    assert_eq!(reasons(verdict)[0].0, "fraud");
}

#[tokio::test]
async fn a_silent_provider_leaves_three_seconds_to_the_next() {
    let clock = TestClock::still();
    let silent = Dialect::OpenAi.start([Play::Silence]).await;
    let late = Dialect::Anthropic.start([Play::Silence]).await;
    let judges = [(Dialect::OpenAi, &silent), (Dialect::Anthropic, &late)];
    let moderator = asking(&judges, HOLD, &clock);
    let item = harmless();
    let (verdict, ()) = join(moderator.judge_until(&item, None, after(20)), async {
        silent.requested(1).await;
        clock.advance(Duration::from_millis(16_999));
        assert_eq!(late.seen().len(), 0);
        clock.advance(Duration::from_millis(1));
        late.requested(1).await;
        clock.advance(Duration::from_secs(3));
    })
    .await;
    assert_eq!(verdict, Err(EngineError::Timeout));
    assert_eq!(clock.now().since(START), Duration::from_secs(20));
}

#[tokio::test]
async fn without_time_nobody_is_asked() {
    let clock = TestClock::new();
    let stub = Dialect::OpenAi.start([]).await;
    for (rest, verdict) in [(PUBLISH, Ok(Verdict::Approved)), (HOLD, Err(EngineError::Timeout))] {
        let moderator = asking(&[(Dialect::OpenAi, &stub)], rest, &clock);
        assert_eq!(moderator.judge_until(&harmless(), None, after(0)).await, verdict);
    }
}

/// Violations of OpenAI's protocol for moderation in a request.
fn check_endpoint(seen: &Seen) -> Vec<String> {
    let bearer = format!("Bearer {KEY}");
    let input = seen.body["input"].as_array().cloned().unwrap_or_default();
    let fine = seen.method == "POST"
        && seen.path == "/v1/moderations"
        && seen.header("authorization") == Some(&bearer)
        && seen.header("content-type") == Some("application/json")
        && seen.body["model"] == "omni-moderation-latest"
        && seen.body.as_object().is_some_and(|body| body.len() == 2)
        && !input.is_empty()
        && input.iter().all(Value::is_string);
    if fine { Vec::new() } else { vec![format!("{seen:?}")] }
}

/// A result for a text with these categories flagged.
fn flags(categories: &[&str]) -> Value {
    let known = ["harassment", "hate/threatening", "illicit", "self-harm", "sexual", "violence"];
    let marks = |name: &&str| ((*name).to_owned(), json!(categories.contains(name)));
    let mut marked: serde_json::Map<_, _> = known.iter().map(marks).collect();
    marked.insert("illicit/violent".to_owned(), Value::Null);
    json!({"flagged": !categories.is_empty(), "categories": marked, "category_scores": {}})
}

fn results(results: &[Value]) -> Play {
    let reply = json!({"id": "modr-1", "model": "omni-moderation-latest", "results": results});
    Play::json(200, &reply)
}

async fn endpoint(plays: impl IntoIterator<Item = Play>) -> (Stub, Moderator) {
    let (stub, endpoint) = endpoint_alone(plays).await;
    let judges = Judges { endpoint: Some(endpoint), models: Vec::new() };
    (stub, Moderator::new(judges, HOLD, TestClock::new()))
}

async fn endpoint_alone(plays: impl IntoIterator<Item = Play>) -> (Stub, Moderations) {
    let stub = Stub::start(check_endpoint, plays).await;
    let base = format!("http://{}/v1", stub.address).parse().unwrap();
    let limits = Limits { timeout: TIMEOUT, max_output_tokens: 9_000 };
    let random = Arc::new(Counting::default());
    let key = Some(Secret::new(KEY));
    (stub, Moderations::new(&base, key, limits, TestClock::new(), random).unwrap())
}

#[tokio::test]
async fn the_endpoint_and_a_model_must_both_approve() {
    let nothing = || vec![flags(&[]); 4];
    let flagged = || vec![flags(&["hate/threatening"]), flags(&[]), flags(&[]), flags(&[])];
    let lost = || Outcome::Words("It is fine.");
    let approves = || vec![Outcome::Answer(approval())];
    let objects = || vec![Outcome::Answer(objection())];
    for (of_endpoint, of_model, expected) in [
        (nothing(), approves(), Ok(vec![])),
        (nothing(), objects(), Ok(vec!["fraud"])),
        (flagged(), approves(), Ok(vec!["hate_threatening"])),
        (nothing(), vec![lost(), lost()], Err(())),
        (flagged(), vec![lost(), lost()], Ok(vec!["hate_threatening"])),
        (vec![flags(&[])], objects(), Ok(vec!["fraud"])),
        (vec![flags(&[])], approves(), Err(())),
    ] {
        let (_stub, endpoint) = endpoint_alone([results(&of_endpoint)]).await;
        let dialect = Dialect::Anthropic;
        let stub = dialect.start(of_model.into_iter().map(|outcome| dialect.play(outcome))).await;
        let models = vec![model(dialect, &stub, TestClock::new())];
        let judges = Judges { endpoint: Some(endpoint), models };
        let moderator = Moderator::new(judges, HOLD, TestClock::new());
        let verdict = moderator.judge_until(&harmless(), None, after(60)).await;
        let rules = verdict
            .map(|verdict| reasons(verdict).into_iter().map(|reason| reason.0).collect::<Vec<_>>());
        let expected = expected.map(|rules| rules.into_iter().map(str::to_owned).collect());
        assert_eq!(rules.map_err(|_| ()), expected);
    }
}

#[tokio::test]
async fn the_endpoint_judges_each_field() {
    let nothing = || flags(&[]);
    let (stub, moderator) = endpoint([
        results(&[nothing(), nothing(), nothing(), nothing()]),
        results(&[nothing(), flags(&["hate/threatening", "violence"]), nothing(), nothing()]),
    ])
    .await;
    let item = harmless();
    assert_eq!(moderator.judge_until(&item, None, after(60)).await.unwrap(), Verdict::Approved);
    let found = reasons(moderator.judge_until(&item, None, after(60)).await.unwrap());
    let end = item.prompt_text.chars().count();
    let reason = |rule: &str| (rule.to_owned(), "promptText".to_owned(), 0, end);
    assert_eq!(found, [reason("hate_threatening"), reason("violence")]);
    let shown = &stub.seen()[0].body["input"];
    assert_eq!(*shown, json!([item.title, item.prompt_text, item.description, item.category]));
}

#[tokio::test]
async fn the_endpoint_sees_a_long_text_in_parts_and_says_which_one() {
    let text: String = (0..2_500).map(|number| format!("Grüße {number:05} ")).collect();
    assert_eq!(text.chars().count(), 30_000);
    let parts = 9;
    let mut all = vec![flags(&[]); parts + 3];
    all[3] = flags(&["illicit"]);
    let (stub, moderator) = endpoint([results(&all)]).await;
    let item = content("Greetings", &text);
    let found = reasons(moderator.judge_until(&item, None, after(60)).await.unwrap());
    assert_eq!(found, [("illicit".to_owned(), "promptText".to_owned(), 7_200, 11_200)]);
    let input = stub.seen()[0].body["input"].as_array().unwrap().clone();
    let part: String = text.chars().skip(7_200).take(4_000).collect();
    assert_eq!((input.len(), input[3].as_str().unwrap()), (parts + 3, part.as_str()));
}

#[tokio::test]
async fn a_flag_without_a_category_blocks_too() {
    let mut flagged = flags(&[]);
    flagged["flagged"] = json!(true);
    let (_stub, moderator) =
        endpoint([results(&[flagged, flags(&[]), flags(&[]), flags(&[])])]).await;
    let found = reasons(moderator.judge_until(&harmless(), None, after(60)).await.unwrap());
    assert_eq!(found, [("other".to_owned(), "title".to_owned(), 0, 11)]);
}

#[tokio::test]
async fn the_endpoint_is_asked_again_only_where_that_can_help() {
    let error = |status| Play::json(status, &json!({"error": {"message": "no", "code": null}}));
    let approved = || results(&[flags(&[]), flags(&[]), flags(&[]), flags(&[])]);
    for status in [429, 500, 503] {
        let (stub, moderator) = endpoint([error(status), error(status), approved()]).await;
        assert_eq!(
            moderator.judge_until(&harmless(), None, after(60)).await,
            Ok(Verdict::Approved)
        );
        assert_eq!(stub.seen().len(), 3);
        let (_stub, moderator) = endpoint([error(status), error(status), error(status)]).await;
        let verdict = moderator.judge_until(&harmless(), None, after(60)).await;
        assert_eq!(verdict, Err(EngineError::Unavailable { retry_after: None }));
    }
    for status in [400, 401, 403] {
        let (_stub, moderator) = endpoint([error(status)]).await;
        let verdict = moderator.judge_until(&harmless(), None, after(60)).await;
        let retry_after = Some(Duration::from_secs(300));
        assert_eq!(verdict, Err(EngineError::Unavailable { retry_after }), "{status}");
    }
}

#[tokio::test]
async fn an_answer_of_the_endpoint_that_is_not_complete_is_no_verdict() {
    let short = results(&[flags(&[])]);
    let page = Play::Reply(200, vec![("content-type", "text/html".to_owned())], b"<p>".to_vec());
    let vague = Play::json(200, &json!({"results": [{"categories": {}}]}));
    for play in [short, page, vague] {
        let (_stub, moderator) = endpoint([play]).await;
        let verdict = moderator.judge_until(&harmless(), None, after(60)).await;
        assert!(matches!(verdict, Err(EngineError::Unusable { .. })), "{verdict:?}");
    }
}

/// A moderator with these settings, and its `Debug` text.
async fn configured(variables: &[(&str, &str)]) -> (Moderator, String) {
    let lookup = |name: &str| {
        variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    };
    let config = EngineConfig::read(lookup).unwrap();
    let clock = TestClock::new();
    let keys = ProviderKeys::fetch(&config, &*clock).await.unwrap();
    let made = moderator(&config, &keys, clock, Arc::<Counting>::default()).unwrap();
    let shown = format!("{made:?}");
    (made, shown)
}

#[tokio::test]
async fn the_endpoint_is_used_at_openai_only_and_beside_the_model() {
    let openai = [("ENGINE", "openai"), ("OPENAI_MODEL", MODEL), ("OPENAI_API_KEY", KEY)];
    let (_, shown) = configured(&openai).await;
    let endpoint = "endpoint: Some(Moderations { url: \"https://api.openai.com/v1/moderations\"";
    assert!(shown.contains(endpoint) && shown.contains("models: [Model"), "{shown}");
    assert!(!shown.contains(KEY), "{shown}");
    let elsewhere = [openai[0], openai[1], ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")];
    let (_, shown) = configured(&elsewhere).await;
    assert!(shown.contains("endpoint: None, models: [Model"), "{shown}");
}

#[tokio::test]
async fn rules_alone_are_enough_and_still_block() {
    let (moderator, _) = configured(&[]).await;
    assert_eq!(moderator.judge_until(&harmless(), None, after(60)).await, Ok(Verdict::Approved));
    let verdict = moderator.judge_until(&secretive(), None, after(60)).await.unwrap();
    assert_eq!(reasons(verdict)[0].0, "secret");
}
