use edge::runtime::{
    config::Config,
    storage::{Resource, Storage},
};
use regex::Regex;

fn read(issuers: &str) -> Result<Config, String> {
    read_for(issuers, "")
}

fn read_for(issuers: &str, audience: &str) -> Result<Config, String> {
    Config::read(&Resource::ALL, variables(issuers, audience)).map_err(|error| error.to_string())
}

fn variables<'a>(issuers: &'a str, audience: &'a str) -> impl Fn(&str) -> Option<String> + 'a {
    move |name| {
        let value = match name {
            "OAUTH_ISSUERS" => issuers,
            "OAUTH_AUDIENCE" => audience,
            "SERVER_SECRET" => "0123456789abcdef0123456789abcdef",
            "BASE_URL" => "https://api.example.com/v1",
            "TABLE_NAME"
            | "BUCKET_NAME"
            | "OPERATIONS_QUEUE_URL"
            | "LIBRARY_QUEUE_URL"
            | "DELIVERIES_QUEUE_URL"
            | "SLOW_DELIVERIES_QUEUE_URL" => "x",
            _ => return None,
        };
        Some(value.to_owned())
    }
}

const WRONG: [&str; 15] = [
    "http://issuer.example",
    "http://127.0.0.1:8080",
    "https://127.0.0.1",
    "https://localhost",
    "https://10.0.0.1",
    "https://[::1]",
    "https://169.254.169.254",
    "https://issuer.internal",
    "https://user:password@issuer.example",
    "https://issuer.example?tenant=1",
    "https://issuer.example#a",
    "issuer.example",
    "ftp://issuer.example",
    "https://good.example,nonsense",
    "https://good.example,http://issuer.example",
];

#[tokio::test]
async fn issuers_are_separated_by_commas_and_kept_as_they_are_written() {
    for (text, expected) in [
        ("https://issuer.example", vec!["https://issuer.example"]),
        (
            " https://a.example.com/ ,https://b.example.com/realms/x,",
            vec!["https://a.example.com/", "https://b.example.com/realms/x"],
        ),
    ] {
        let server = read(text).expect("good issuers").resource_server.expect("on");
        assert_eq!(server.issuers().collect::<Vec<_>>(), expected);
    }
    for none in ["", " ", ","] {
        assert!(read(none).expect("no issuers").resource_server.is_none());
    }
}

#[tokio::test]
async fn the_audience_is_the_api_or_what_is_said() {
    let audiences = |said: &str| {
        let config = read_for("https://issuer.example", said).expect("a good issuer");
        config.resource_server.expect("on").audiences().to_vec()
    };
    assert_eq!(audiences(""), ["https://api.example.com/v1"]);
    assert_eq!(audiences("urn:prompts"), ["https://api.example.com/v1", "urn:prompts"]);
}

#[tokio::test]
async fn functions_that_only_queues_call_do_not_mind_the_issuers() {
    Storage::read(&Resource::ALL, variables("nonsense", "")).expect("the rest is good");
    for queued in ["deliveries", "library-indexer", "processor", "upload-events"] {
        let main = format!("{}/../functions/{queued}/src/main.rs", env!("CARGO_MANIFEST_DIR"));
        let main = std::fs::read_to_string(main).expect("the function");
        assert!(main.contains("Storage::read("), "{queued}");
    }
}

/// Whether the template takes issuers that are written like this.
fn deploys(issuers: &str) -> bool {
    let template = include_str!("../../../template.yaml");
    let (_, parameter) = template.split_once("  OAuthIssuers:\n").expect("the parameter");
    let (_, pattern) = parameter.split_once("AllowedPattern: '").expect("a pattern");
    let (pattern, _) = pattern.split_once("'\n").expect("its end");
    Regex::new(&format!("^(?:{pattern})$")).expect("a pattern").is_match(issuers)
}

#[tokio::test]
async fn issuers_that_no_function_could_read_are_refused_at_deployment() {
    for wrong in WRONG.into_iter().filter(|wrong| !wrong.contains(".internal")) {
        assert!(!deploys(wrong), "{wrong}");
    }
    let many: Vec<_> = (0..11).map(|number| format!("https://i{number}.example.com")).collect();
    for right in [
        "",
        "https://issuer.example",
        "https://issuer.example:8443/realms/x",
        "https://a.example.com/,https://b.example.com/realms/x",
        "https://login.example.com/6f0c9a52-2a43/v2.0",
        &many[..10].join(","),
    ] {
        assert!(deploys(right) && read(right).is_ok(), "{right}");
    }
    assert!(!deploys(&many.join(",")));
}

#[tokio::test]
async fn a_deployment_trusts_public_https_servers_only() {
    for wrong in WRONG {
        let error = read(wrong).expect_err(wrong);
        assert!(error.starts_with("environment variable OAUTH_ISSUERS"), "{error}");
    }
    let many: Vec<_> = (0..11).map(|number| format!("https://i{number}.example.com")).collect();
    assert!(read(&many.join(",")).is_err());
    assert!(read(&many[..10].join(",")).is_ok());
}
