//! A hundred prompt injections arrive as data.

use engine::{
    Beside, Engine, Material, PreviousVersion, Role, Turn,
    page::{Block, BlockRole, Page},
};
use futures::FutureExt;
use llm::Llm;
use serde_json::Value;

use crate::{
    dialect::{ALL, Dialect, Outcome},
    pictures,
    requests::block,
    stub::Seen,
    world::{TestClock, after, engine, feedback, goal, material, prompt},
};

const HARMLESS: &str = "Write a short text about kettles.";

pub fn corpus() -> Vec<String> {
    include_str!("../injections.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Sends a text through every operation, in every place at once. The stub refuses each request.
async fn ask_all(engine: &Llm, text: &str) {
    let until = after(60);
    let mut generate = goal(text);
    generate.conversation = vec![Turn { role: Role::Assistant, content: text.to_owned() }];
    generate.previous = Some(PreviousVersion {
        beside: Beside::default(),
        message: text.to_owned(),
        prompt: text.to_owned(),
        title: text.to_owned(),
    });
    let mut change = goal(text);
    change.current_prompt = Some(text.to_owned());
    change.language = text.chars().take(20).collect();
    let mut examined = prompt(text);
    examined.context = text.to_owned();
    let mut pictured = feedback(text, text);
    let mut picture = pictures::photo();
    picture.bytes.extend_from_slice(text.as_bytes());
    pictured.images = vec![picture];
    let as_text = material(Material::Text(text.to_owned()));
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let as_page = material(Material::Page(Page {
        url: format!("https://example.com/?q={line}"),
        title: Some(line.clone()),
        description: Some(line.clone()),
        language: None,
        blocks: [BlockRole::Heading(1), BlockRole::Paragraph, BlockRole::Action, BlockRole::Field]
            .map(|role| Block { role, text: line.clone() })
            .to_vec(),
    }));
    engine.generate(&generate, until).map(drop).await;
    engine.generate(&change, until).map(drop).await;
    engine.analyze(&examined, until).map(drop).await;
    engine.optimize(&examined, until).map(drop).await;
    engine.analyze_and_optimize(&examined, until).map(drop).await;
    engine.refine(&pictured, until).map(drop).await;
    engine.reverse(&as_text, until).map(drop).await;
    engine.reverse(&as_page, until).map(drop).await;
}

/// Requests of [`ask_all`].
const REQUESTS: usize = 8;

/// The requests of each of these texts.
async fn requests(dialect: Dialect, texts: &[String]) -> Vec<Vec<Seen>> {
    let refusal = dialect.play(Outcome::Failed(400, dialect.code(400), String::new()));
    let stub = dialect.start(vec![refusal; texts.len() * REQUESTS]).await;
    let engine = engine(dialect, &stub, TestClock::new());
    for text in texts {
        ask_all(&engine, text).await;
    }
    stub.seen().chunks(REQUESTS).map(<[Seen]>::to_vec).collect()
}

/// The names of a message's blocks in order, and the message without their content and id.
pub fn skeleton(message: &str) -> (Vec<String>, String) {
    let first = message.lines().next().unwrap();
    let id = first.strip_prefix("The blocks of this request have the id ").unwrap();
    let id = id.strip_suffix('.').unwrap();
    assert!(id.len() == 12 && id.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
    let (open, close) = (format!("<data-{id} name=\""), format!("\n</data-{id}>"));
    let mut names = Vec::new();
    let mut outside = String::new();
    let mut rest = message;
    while let Some((before, inside)) = rest.split_once(&open) {
        let (name, inside) = inside.split_once("\">\n").unwrap();
        let (content, after) = inside.split_once(&close).unwrap();
        assert!(!content.contains(id), "a block has the id");
        outside.push_str(before);
        outside.push_str(&format!("[{name}]"));
        names.push(name.to_owned());
        rest = after;
    }
    assert!(!rest.contains("data-"), "a tag without a partner");
    outside.push_str(rest);
    (names, outside.replace(id, "ID"))
}

#[test]
fn the_corpus_has_a_hundred_different_texts() {
    let mut corpus = corpus();
    assert_eq!(corpus.len(), 100);
    corpus.sort();
    corpus.dedup();
    assert_eq!(corpus.len(), 100);
}

#[tokio::test]
async fn whatever_a_text_says_it_arrives_whole_and_only_inside_its_blocks() {
    for dialect in ALL {
        let mut texts = corpus();
        texts.insert(0, HARMLESS.to_owned());
        let seen = requests(dialect, &texts).await;
        let harmless = &seen[0];
        assert_eq!(seen.len(), texts.len());
        for (text, seen) in texts.iter().zip(&seen) {
            assert_eq!(seen.len(), REQUESTS);
            for (expected, seen) in harmless.iter().zip(seen) {
                assert_eq!(dialect.system(expected), dialect.system(seen), "{text}");
                assert_eq!(dialect.frame(expected), dialect.frame(seen), "{text}");
                let (expected, seen) = (dialect.text(expected), dialect.text(seen));
                assert_eq!(skeleton(&expected), skeleton(&seen), "{text}");
                for name in [
                    "goal",
                    "previous_goal",
                    "previous_prompt",
                    "current_prompt",
                    "prompt",
                    "context",
                    "feedback",
                    "text",
                ] {
                    let content = block(&seen, name);
                    assert!(content.is_none_or(|content| content == *text), "{name}: {text}");
                }
                if let Some(turns) = block(&seen, "conversation") {
                    let turns: Value = serde_json::from_str(&turns).unwrap();
                    assert_eq!(turns[0]["content"], text.as_str());
                }
            }
        }
    }
}
