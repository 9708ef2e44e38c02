//! Words, categories and models, over everything that an item says.

use std::collections::BTreeSet;

use acceptance::{Account, World};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

use super::{created, page, published, titles};

struct Item {
    title: &'static str,
    description: &'static str,
    category: &'static str,
    text: &'static str,
    models: &'static [&'static str],
}

const LIBRARY: [Item; 7] = [
    Item {
        title: "Crème brûlée for two",
        description: "A dessert",
        category: "Cooking",
        text: "Scale the recipe to {{people}} people.",
        models: &["Universal"],
    },
    Item {
        title: "Straßenkarte",
        description: "Eine Karte für Radfahrer",
        category: "Reisen",
        text: "Zeichne eine Karte von {{stadt}}.",
        models: &["Midjourney V8.1", "FLUX.2"],
    },
    Item {
        title: "京都の旅行計画",
        description: "三日間",
        category: "旅行",
        text: "{{都市}}で三日間の計画を立ててください。",
        models: &["Universal", "Claude Opus 5.5"],
    },
    Item {
        title: "Cook for a crowd",
        description: "Portions and times",
        category: "Cooking",
        text: "Plan a dinner for {{guests}} guests.",
        models: &["Claude Opus 5.5"],
    },
    Item {
        title: "서울 여행",
        description: "짧은 여행",
        category: "여행",
        text: "서울에서 이틀을 계획해 주세요.",
        models: &["GPT-6.2 Sol"],
    },
    Item {
        title: "План поездки",
        description: "На выходные",
        category: "Путешествия",
        text: "Составь план поездки в {{город}}.",
        models: &["Qwen 4 Max", "FLUX.2"],
    },
    Item {
        title: "แผนเที่ยวเชียงใหม่",
        description: "สำหรับวันหยุด",
        category: "ท่องเที่ยว",
        text: "วางแผนเที่ยว{{เมือง}}สามวัน",
        models: &["GPT-6.2 Sol"],
    },
];

impl Item {
    fn body(&self) -> Value {
        json!({
            "title": self.title,
            "description": self.description,
            "promptText": self.text,
            "category": self.category,
            "recommendedModels": self.models,
        })
    }
}

async fn found(account: &Account, query: &str) -> BTreeSet<String> {
    let page = page(account, query).await;
    let titles: BTreeSet<_> = titles(&page).into_iter().map(ToOwned::to_owned).collect();
    assert_eq!(page["total"], titles.len(), "{query}");
    titles
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[tokio::test]
async fn every_word_must_be_there_and_the_last_one_may_be_a_beginning() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for item in &LIBRARY {
        created(&account, &item.body()).await;
        published(&account, &item.body()).await;
    }
    let rows: [(&str, &[&str]); 21] = [
        ("creme brulee", &["Crème brûlée for two"]),
        ("CRÈME", &["Crème brûlée for two"]),
        ("brul", &["Crème brûlée for two"]),
        ("brul for", &[]),
        ("dessert recipe", &["Crème brûlée for two"]),
        ("recipe dess", &["Crème brûlée for two"]),
        ("cook", &["Crème brûlée for two", "Cook for a crowd"]),
        ("cooking", &["Crème brûlée for two", "Cook for a crowd"]),
        ("cook plan", &["Cook for a crowd"]),
        ("strassenkarte", &["Straßenkarte"]),
        ("KARTE für rad", &["Straßenkarte"]),
        ("旅行", &["京都の旅行計画"]),
        ("京都 計画", &["京都の旅行計画"]),
        ("都京", &[]),
        ("여행", &["서울 여행"]),
        ("поезд", &["План поездки"]),
        ("เชียงใหม่", &["แผนเที่ยวเชียงใหม่"]),
        ("วันหยุด แผน", &["แผนเที่ยวเชียงใหม่"]),
        ("ไหม", &[]),
        ("...", &[]),
        ("🚀", &[]),
    ];
    for (words, expected) in rows {
        let expected: BTreeSet<_> = expected.iter().map(|title| (*title).to_owned()).collect();
        let query = format!("scope=community&query={}", encoded(words));
        assert_eq!(found(&account, &query).await, expected, "{words}");
        let page = page(&account, &format!("query={}", encoded(words))).await;
        assert_eq!(page["total"], 2 * expected.len(), "{words}");
    }
}

#[tokio::test]
async fn filters_narrow_each_other() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for item in &LIBRARY {
        published(&account, &item.body()).await;
    }
    let models = encoded("Claude Opus 5.5,FLUX.2");
    let rows: [(String, &[&str]); 8] = [
        ("category=Cooking".to_owned(), &["Crème brûlée for two", "Cook for a crowd"]),
        ("category=cooking".to_owned(), &[]),
        (format!("category={}", encoded("旅行")), &["京都の旅行計画"]),
        ("models=FLUX.2".to_owned(), &["Straßenkarte", "План поездки"]),
        (
            format!("models={models}"),
            &["Straßenkarte", "京都の旅行計画", "Cook for a crowd", "План поездки"],
        ),
        (format!("models={models}&category=Cooking"), &["Cook for a crowd"]),
        (format!("models={models}&query=plan"), &["Cook for a crowd"]),
        ("models=Universal&category=Cooking&query=crowd".to_owned(), &[]),
    ];
    for (query, expected) in rows {
        let expected: BTreeSet<_> = expected.iter().map(|title| (*title).to_owned()).collect();
        for scope in ["my", "community"] {
            for sort in ["recent", "top"] {
                let query = format!("{query}&scope={scope}&sort={sort}");
                assert_eq!(found(&account, &query).await, expected, "{query}");
            }
        }
    }
}
