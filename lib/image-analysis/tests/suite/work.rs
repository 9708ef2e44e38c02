//! The work that hostile metadata cause, in steps of a budget.

use crate::files;

use std::fmt::Write as _;

use files::*;
use image::ImageFormat;
use image_analysis::recover;
use serde_json::{Map, Value, json};

/// Most steps for each byte of a text.
const PER_BYTE: f64 = 150.0;

/// A text of about so many entries, and the name of its field.
type Hostile = fn(usize) -> (&'static str, String);

/// Four times as many entries take four times the work, and the work for a byte never grows.
fn grows_in_proportion(hostile: &[(&str, Hostile)]) {
    for (name, make) in hostile {
        let of = |entries| {
            let (field, text) = make(entries);
            let file = itxt_chunk(&plain(ImageFormat::Png), field, &text, false);
            let ((), steps) = budget::measured(|| drop(recover(&file)));
            (steps as f64, steps as f64 / text.len() as f64)
        };
        let (small, large, largest) = (of(1_000), of(4_000), of(50_000));
        println!("{name}: {small:?}, {large:?}, {largest:?} steps, and for a byte");
        assert!((1.0..PER_BYTE).contains(&small.1), "{name}: {} steps for a byte", small.1);
        assert!(large.0 <= 4.4 * small.0, "{name}: {} steps, then {}", small.0, large.0);
        assert!(largest.1 <= 1.1 * small.1, "{name}: {} steps a byte, then {}", small.1, largest.1);
    }
}

fn node(class: &str, inputs: Value) -> Value {
    json!({"class_type": class, "inputs": inputs})
}

/// A graph that ran: a sampler with its texts and a saved picture, and other nodes, which may replace these.
fn ran(nodes: impl IntoIterator<Item = (String, Value)>) -> (&'static str, String) {
    let basic = json!({
        "sampler": node("KSampler", json!({"steps": 20, "positive": ["text", 0], "latent_image": ["c0", 0]})),
        "text": node("CLIPTextEncode", json!({"text": "a lion"})),
        "saved": node("SaveImage", json!({"images": ["sampler", 0]})),
    });
    let Value::Object(mut map) = basic else { unreachable!() };
    map.extend(nodes);
    ("prompt", Value::Object(map).to_string())
}

/// Nodes of which each is linked to the next.
fn chain(entries: usize, of: impl Fn(Value) -> Value) -> Vec<(String, Value)> {
    let next = |at: usize| json!([format!("c{}", at + 1), 0]);
    (0..entries).map(|at| (format!("c{at}"), of(next(at)))).collect()
}

fn reroutes(entries: usize) -> Vec<(String, Value)> {
    chain(entries, |next| node("Reroute", json!({"a": next})))
}

fn drawn(nodes: &[Value], links: &[Value]) -> (&'static str, String) {
    ("workflow", json!({"nodes": nodes, "links": links}).to_string())
}

/// As many pictures as nodes that each of them is behind.
fn pictures(entries: usize) -> (&'static str, String) {
    let class = "save preview videocombine output";
    let ends = (0..entries / 2).map(|at| (format!("e{at}"), node(class, json!({"a": ["c0", 0]}))));
    ran(ends.chain(reroutes(entries / 2)))
}

/// A picture behind each of many nodes.
fn pictures_on_the_way(entries: usize) -> (&'static str, String) {
    let end = |at: usize| node("SaveImage", json!({"images": [format!("c{at}"), 0]}));
    let ends = (0..entries / 2).map(|at| (format!("e{at}"), end(at)));
    ran(ends.chain(reroutes(entries / 2)))
}

fn switches(entries: usize) -> (&'static str, String) {
    let switch = |at: usize| json!({"select": ["flag", 0], "input1": [format!("c{}", at + 1), 0], "input2": ["text", 0]});
    let switches = (0..entries).map(|at| (format!("c{at}"), node("Switch", switch(at))));
    ran(switches.chain([("flag".to_owned(), node("PrimitiveInt", json!({"value": 1})))]))
}

fn circles(entries: usize) -> (&'static str, String) {
    let mut nodes = reroutes(entries);
    for (at, (_, node)) in nodes.iter_mut().enumerate() {
        node["inputs"]["b"] = json!([format!("c{}", at / 2), 0]);
        node["inputs"]["c"] = json!(["c0", 0]);
    }
    ran(nodes)
}

/// Fifty conditions, each with many links to the next: their number to the power of 50 without a bound.
fn forks(entries: usize) -> (&'static str, String) {
    let fork = |at: usize| {
        let next = if at == 49 { "end".to_owned() } else { format!("f{}", at + 1) };
        let links =
            (0..entries / 50).map(|link| (format!("conditioning_{link}"), json!([next, 0])));
        node("ConditioningCombine", Value::Object(links.collect()))
    };
    let end = [
        ("end".to_owned(), node("CLIPTextEncode", json!({"text": "a lion"}))),
        ("text".to_owned(), node("Reroute", json!({"": ["f0", 0]}))),
    ];
    ran((0..50).map(|at| (format!("f{at}"), fork(at))).chain(end))
}

/// Many conditions, whose places are changed eighty times.
fn places(entries: usize) -> (&'static str, String) {
    let links = (0..entries).map(|at| (format!("conditioning_{at}"), json!(["encoded", 0])));
    let place = |next| node("ConditioningSetArea", json!({"conditioning": next}));
    ran(chain(80, place).into_iter().chain([
        ("c80".to_owned(), node("ConditioningCombine", Value::Object(links.collect()))),
        ("encoded".to_owned(), node("CLIPTextEncode", json!({"text": "a lion"}))),
        ("text".to_owned(), node("Reroute", json!({"": ["c0", 0]}))),
    ]))
}

/// A long text, which is changed eighty times.
fn changes(entries: usize) -> (&'static str, String) {
    let change = |next| node("StringTrim", json!({"string": next, "mode": "Both"}));
    let long = node("PrimitiveString", json!({"value": "x".repeat(20 * entries)}));
    ran(chain(80, change).into_iter().chain([
        ("c80".to_owned(), long),
        ("text".to_owned(), node("CLIPTextEncode", json!({"text": ["c0", 0]}))),
    ]))
}

/// Many links to a node with many inputs.
fn links_to_one(entries: usize) -> (&'static str, String) {
    let fan = |names: &str, value: &Value| -> Map<String, Value> {
        (0..entries / 2).map(|at| (format!("{names}{at}"), value.clone())).collect()
    };
    let many = fan("conditioning_", &json!(["wide", 0]));
    let wide = fan("x", &json!(1));
    ran([
        ("text".to_owned(), node("ConditioningCombine", Value::Object(many))),
        ("wide".to_owned(), node("Wide", Value::Object(wide))),
    ])
}

fn samplers(entries: usize) -> (&'static str, String) {
    let sampler = |at: usize| json!({"steps": 1, "positive": ["text", 0], "latent_image": [format!("c{}", at + 1), 0]});
    ran((0..entries).map(|at| (format!("c{at}"), node("KSampler", sampler(at)))))
}

/// A long class, and many nodes that are behind it.
fn classes(entries: usize) -> (&'static str, String) {
    let long = ("c0".to_owned(), node(&"x".repeat(20 * entries), json!({})));
    let end = || node("SaveImage", json!({"images": ["c0", 0]}));
    ran((0..entries).map(|at| (format!("e{at}"), end())).chain([long]))
}

/// Values that are set and got one behind the other, and many inputs that are linked to the last.
fn set_and_got(entries: usize) -> (&'static str, String) {
    let inputs: Vec<Value> = (0..entries).map(|_| json!({"name": "a", "link": 0})).collect();
    let mut nodes = vec![json!({"id": "sampler", "type": "KSampler", "inputs": inputs})];
    let mut links = vec![json!([0, "g0", 0, "sampler", 0, "X"])];
    for at in 0..entries / 2 {
        let value = at.to_string();
        links.push(json!([at + 1, format!("g{}", at + 1), 0, "s", 0, "X"]));
        nodes.push(json!({"id": format!("g{at}"), "type": "GetNode", "widgets_values": [value]}));
        nodes.push(json!({"id": format!("s{at}"), "type": "SetNode", "widgets_values": [value],
            "inputs": [{"link": at + 1}]}));
    }
    drawn(&nodes, &links)
}

/// Many links out of a bypassed node with many inputs.
fn bypassed(entries: usize) -> (&'static str, String) {
    let inputs = |kind: &str| -> Vec<Value> {
        (0..entries / 2).map(|at| json!({"name": "a", "type": kind, "link": at})).collect()
    };
    let nodes = [
        json!({"id": 0, "type": "KSampler", "inputs": inputs("X")}),
        json!({"id": 1, "type": "Upscale", "mode": 4, "inputs": inputs("Y")}),
    ];
    let links: Vec<Value> = (0..entries / 2).map(|at| json!([at, 1, 0, 0, 0, "X"])).collect();
    drawn(&nodes, &links)
}

#[test]
fn the_work_for_a_graph_is_in_proportion_to_its_size() {
    grows_in_proportion(&[
        ("pictures", pictures),
        ("pictures on the way", pictures_on_the_way),
        ("switches", switches),
        ("circles", circles),
        ("forks", forks),
        ("places", places),
        ("changes", changes),
        ("links to one", links_to_one),
        ("samplers", samplers),
        ("classes", classes),
        ("set and got", set_and_got),
        ("bypassed", bypassed),
    ]);
}

fn blank_lines(entries: usize) -> (&'static str, String) {
    ("parameters", format!("a lion{}Steps: 20", "\n".repeat(20 * entries)))
}

fn lines_of_settings(entries: usize) -> (&'static str, String) {
    ("parameters", "Steps: 1, A: [1, B: {, C: \"x\n".repeat(entries))
}

fn settings_that_never_end(entries: usize) -> (&'static str, String) {
    ("parameters", format!("Steps: 1, {}", "A: [\"x, B: [\",\", ".repeat(entries)))
}

fn broken_json(entries: usize) -> (&'static str, String) {
    ("prompt", format!("{{\"a\": [NaN{}}}", ",0".repeat(5 * entries)))
}

/// An XMP packet with an element.
fn packet(attributes: &str, content: &str) -> (&'static str, String) {
    ("XML:com.adobe.xmp", format!("<a{attributes}>{content}</a>"))
}

fn attributes(entries: usize) -> (&'static str, String) {
    let list = (0..entries).fold(String::new(), |mut list, at| {
        let _ = write!(list, " a{at}=\"\"");
        list
    });
    packet(&list, "")
}

fn namespaces(entries: usize) -> (&'static str, String) {
    let (mut list, mut content) = (String::new(), String::new());
    for at in 0..entries / 2 {
        let _ = write!(list, " xmlns:a{at}=\"{at}\"");
        let _ = write!(content, "<b xmlns:b{at}=\"\"/>");
    }
    packet(&list, &content)
}

fn sections(entries: usize) -> (&'static str, String) {
    packet("", &"<![CDATA[ten letters]]>".repeat(entries))
}

fn comments(entries: usize) -> (&'static str, String) {
    packet("", &format!("{}{}", "<!--</a>-->".repeat(entries), "<a>".repeat(entries)))
}

#[test]
fn the_work_for_other_texts_is_in_proportion_to_their_length() {
    grows_in_proportion(&[
        ("blank lines", blank_lines),
        ("lines of settings", lines_of_settings),
        ("settings that never end", settings_that_never_end),
        ("broken JSON", broken_json),
        ("attributes", attributes),
        ("namespaces", namespaces),
        ("sections", sections),
        ("comments", comments),
    ]);
}

#[test]
fn a_packet_that_nests_deeper_than_the_parser_s_stack_is_left_out() {
    // Neither the value of an attribute nor a comment ends an element.
    for open in ["<a x=\"/>\">", "<!--</a>--><a>", "<?x </a>?><a>", "<a><![CDATA[</a>]]>"] {
        let packet = format!("{}{}", open.repeat(19_000), "</a>".repeat(19_000));
        let png = itxt_chunk(&plain(ImageFormat::Png), "XML:com.adobe.xmp", &packet, true);
        assert_eq!(recover(&png), None);
        let with_prompt = text_chunk(&png, "prompt", &ran([]).1);
        assert_eq!(recover(&with_prompt).expect("a prompt").prompt, "a lion");
    }
}

#[test]
fn directories_and_values_of_exif_that_overlap_cost_no_more_than_the_block() {
    for make in [overlapping_directories, overlapping_values] {
        for count in [1_000, 4_000, 16_000] {
            let block = make(count);
            let file = with_chunk(&plain(ImageFormat::Png), b"eXIf", &block);
            let (found, steps) = budget::measured(|| recover(&file));
            assert_eq!(found, None);
            assert!(steps < 20 * block.len() as u64, "{steps} steps for {} bytes", block.len());
        }
    }
}

/// The prompt of a graph with so many further nodes, or with another name of a class.
fn prompt_of(nodes: impl IntoIterator<Item = (String, Value)>) -> Option<String> {
    let (name, text) = ran(nodes);
    recover(&itxt_chunk(&plain(ImageFormat::Png), name, &text, true)).map(|found| found.prompt)
}

#[test]
fn a_graph_beyond_the_bounds_is_not_read() {
    let nodes = |count: usize| (0..count - 3).map(|at| (format!("n{at}"), node("Note", json!({}))));
    let class = |length: usize| [("n".to_owned(), node(&"x".repeat(length), json!({})))];
    let id = |length: usize| [("x".repeat(length), node("Note", json!({})))];
    let inputs = |count: usize| {
        let inputs: Map<String, Value> =
            (0..count - 5).map(|at| (at.to_string(), json!(1))).collect();
        [("n".to_owned(), node("Note", Value::Object(inputs)))]
    };
    let samplers = |count: usize| {
        let sampler =
            |at: usize| (format!("s{at}"), node("KSampler", json!({"positive": "a lion"})));
        (0..count - 1).map(sampler)
    };
    let lion = Some("a lion".to_owned());
    assert_eq!((prompt_of(nodes(10_000)), prompt_of(nodes(10_001))), (lion.clone(), None));
    assert_eq!((prompt_of(class(256)), prompt_of(class(257))), (lion.clone(), None));
    assert_eq!((prompt_of(id(256)), prompt_of(id(257))), (lion.clone(), None));
    assert_eq!((prompt_of(inputs(100_000)), prompt_of(inputs(100_001))), (lion.clone(), None));
    assert_eq!((prompt_of(samplers(128)), prompt_of(samplers(129))), (lion, None));
}

#[test]
fn a_picture_has_at_most_four_megabytes_of_text_and_half_a_million_values() {
    let (name, graph) = ran([]);
    let after = |other: String| {
        let png = itxt_chunk(&plain(ImageFormat::Png), name, &graph, true);
        // The chunk that is added last comes first.
        recover(&itxt_chunk(&png, "other", &other, true)).is_some()
    };
    let most = (4 << 20) - graph.len();
    assert!(after("x".repeat(most)));
    assert!(!after("x".repeat(most + 1)));
    assert!(after(format!("{{\"a\": [{}0]}}", "0,".repeat(499_900))));
    assert!(!after(format!("{{\"a\": [{}0]}}", "0,".repeat(499_990))));
}

#[test]
fn a_prompt_whose_settings_would_be_longer_than_a_file_s_texts_is_not_given() {
    let id = "i".repeat(250);
    let listed = |count: usize| {
        let links = (0..count).map(|at| (format!("conditioning_{at}"), json!([id, 0])));
        let encoded = node("CLIPTextEncode", json!({"text": "x".repeat(300)}));
        let all = node("ConditioningCombine", Value::Object(links.collect()));
        prompt_of([("text".to_owned(), all), (id.clone(), encoded)])
    };
    assert_eq!((listed(6_000), listed(9_000)), (Some("x".repeat(300)), None));
}

#[test]
fn all_that_is_inflated_counts_together() {
    let (name, graph) = ran([]);
    let after = |chunks: usize, megabytes: usize| {
        let long = [b"x\0\0".as_slice(), &zlib(&vec![b'x'; megabytes << 20])].concat();
        let png = itxt_chunk(&plain(ImageFormat::Png), name, &graph, true);
        // The chunk that is added last comes first.
        let png = (0..chunks).fold(png, |png, _| with_chunk(&png, b"zTXt", &long));
        let (found, steps) = budget::measured(|| recover(&png));
        assert!(steps < 30 << 20, "{steps} steps");
        found.map(|found| found.prompt)
    };
    assert_eq!(after(1, 3), Some("a lion".to_owned()));
    assert_eq!((after(2, 5), after(20, 7)), (None, None));
}
