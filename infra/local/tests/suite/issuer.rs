//! The development server as an authorization server.

use crate::server;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use server::{Server, folder};

struct Asked {
    server: Server,
    http: Client,
    runtime: tokio::runtime::Runtime,
}

impl Asked {
    fn start(options: &[&str]) -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        Self { server: Server::start(options), http: Client::new(), runtime }
    }

    fn oauth(&self, name: &str) -> &str {
        self.server.banner["oauth"][name].as_str().expect("text")
    }

    fn api(&self, path: &str) -> String {
        format!("{}{path}", self.server.banner["baseUrl"].as_str().expect("text"))
    }

    fn send(&self, request: RequestBuilder) -> (u16, Value) {
        self.runtime.block_on(async {
            let answer = request.send().await.expect("an answer");
            let status = answer.status().as_u16();
            let body = answer.bytes().await.expect("a body");
            (status, serde_json::from_slice(&body).unwrap_or_default())
        })
    }

    fn get(&self, url: &str) -> Value {
        self.send(self.http.get(url)).1
    }

    /// Asks for a token with a body in the form of a form.
    fn token(&self, form: &str) -> RequestBuilder {
        self.http
            .request(Method::POST, self.oauth("tokenUrl"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(form.to_owned())
    }

    fn granted(&self, form: &str) -> Value {
        let (id, secret) = (self.oauth("clientId"), self.oauth("clientSecret"));
        let (status, body) = self.send(self.token(form).basic_auth(id, Some(secret)));
        assert_eq!(status, 200, "{body}");
        body
    }

    fn call(&self, token: &Value, path: &str) -> (u16, Value) {
        let token = token["access_token"].as_str().expect("a token");
        self.send(self.http.get(self.api(path)).bearer_auth(token))
    }
}

#[test]
fn its_tokens_open_the_api_as_far_as_they_were_asked_to() {
    let mut asked = Asked::start(&["--ephemeral", "--port", "0"]);
    let all = asked.granted("grant_type=client_credentials");
    assert_eq!(all["token_type"], "Bearer");
    let (status, answer) = asked.call(&all, "/capabilities");
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["data"]["credential"]["issuer"], asked.oauth("issuer"));
    assert_eq!(answer["data"]["scopes"].as_array().map(Vec::len), Some(18));
    assert_eq!(answer["data"]["plan"], "free");
    let narrow = asked.granted("grant_type=client_credentials&scope=usage%3Aread");
    assert_eq!(asked.call(&narrow, "/usage").0, 200);
    assert_eq!(asked.call(&narrow, "/history").0, 403);
    asked.server.stop();
}

#[test]
fn it_is_found_from_the_api() {
    let mut asked = Asked::start(&["--ephemeral", "--port", "0"]);
    let origin = asked.api("").replace("/v1", "");
    let resource = asked.get(&format!("{origin}/.well-known/oauth-protected-resource/v1"));
    assert_eq!(resource["authorization_servers"], json!([asked.oauth("issuer")]));
    for address in [
        format!("{origin}/oauth/.well-known/openid-configuration"),
        format!("{origin}/.well-known/oauth-authorization-server/oauth"),
    ] {
        let metadata = asked.get(&address);
        assert_eq!(metadata["issuer"], asked.oauth("issuer"));
        assert_eq!(metadata["token_endpoint"], asked.oauth("tokenUrl"));
        let keys = asked.get(metadata["jwks_uri"].as_str().expect("an address"));
        assert_eq!(keys["keys"][0]["crv"], "P-256");
        assert_eq!(keys["keys"][0]["d"], Value::Null, "the public half alone");
    }
    asked.server.stop();
}

#[test]
fn it_gives_nothing_to_others_and_nothing_else() {
    let mut asked = Asked::start(&["--ephemeral", "--port", "0"]);
    let (id, secret) = (asked.oauth("clientId").to_owned(), asked.oauth("clientSecret").to_owned());
    let good = "grant_type=client_credentials";
    let posted = format!("{good}&client_id={id}&client_secret={secret}");
    assert_eq!(asked.send(asked.token(&posted)).0, 200);
    for (request, status, error) in [
        (asked.token(good), 401, "invalid_client"),
        (asked.token(good).basic_auth(&id, Some("wrong")), 401, "invalid_client"),
        (asked.token(good).basic_auth("wrong", Some(&secret)), 401, "invalid_client"),
        (asked.token("").basic_auth(&id, Some(&secret)), 400, "unsupported_grant_type"),
        (
            asked.token("grant_type=password&username=a").basic_auth(&id, Some(&secret)),
            400,
            "unsupported_grant_type",
        ),
        (
            asked.token(&format!("{good}&scope=everything")).basic_auth(&id, Some(&secret)),
            400,
            "invalid_scope",
        ),
        (
            asked
                .token(&format!("{good}&resource=https://a.example"))
                .basic_auth(&id, Some(&secret)),
            400,
            "invalid_target",
        ),
    ] {
        let (given, body) = asked.send(request);
        assert_eq!((given, &body["error"]), (status, &json!(error)));
    }
    asked.server.stop();
}

#[test]
fn what_its_client_has_made_outlives_a_change_of_the_port() {
    let folder = folder("issuer-moves");
    let options = ["--port", "0", "--data-dir", folder.as_str()];
    let mut asked = Asked::start(&options);
    let token = asked.granted("grant_type=client_credentials");
    let bearer = token["access_token"].as_str().expect("a token").to_owned();
    let preset = json!({"name": "n", "promptText": "{{a}}", "values": {"a": "1"}});
    let request = asked.http.post(asked.api("/prompt-presets")).bearer_auth(bearer).json(&preset);
    let (status, made) = asked.send(request);
    assert_eq!(status, 200, "{made}");
    let path = format!("/prompt-presets/{}", made["data"]["id"].as_str().expect("an id"));
    let first = asked.oauth("issuer").to_owned();
    asked.server.stop();
    // Nobody else gets the port meanwhile.
    let authority = first.trim_start_matches("http://").trim_end_matches("/oauth").to_owned();
    let _taken = std::net::TcpListener::bind(authority).expect("the port");
    let mut asked = Asked::start(&options);
    assert_ne!(asked.oauth("issuer"), first);
    let token = asked.granted("grant_type=client_credentials");
    assert_eq!(asked.call(&token, &path).0, 200);
    let (_, answer) = asked.call(&token, "/capabilities");
    assert_eq!(answer["data"]["credential"]["issuer"], asked.oauth("issuer"));
    asked.server.stop();
}

#[test]
fn client_and_key_outlive_a_restart() {
    let folder = folder("issuer");
    let options = ["--port", "0", "--data-dir", folder.as_str()];
    let seen = || {
        let mut asked = Asked::start(&options);
        let keys = asked.get(&format!("{}/keys", asked.oauth("issuer")));
        let secret = asked.oauth("clientSecret").to_owned();
        asked.server.stop();
        (keys, secret)
    };
    assert_eq!(seen(), seen());
}
