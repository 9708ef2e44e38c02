//! The output of a start: everything that a first request needs.

use engine::EngineIdentity;
use serde_json::json;

use local::{issuer::Issuer, pages::Addresses};

use crate::options::Options;

/// How a model is put behind the service, with the rules where the model fails.
const WITH_A_MODEL: &str =
    "ENGINE=openai,rules OPENAI_MODEL=… OPENAI_API_KEY=… cargo run (docs/engines.md)";

/// Prints the banner to standard output.
pub fn show(
    options: &Options,
    base_url: &str,
    pages: &Addresses,
    api_key: &str,
    issuer: &Issuer,
    engine: &EngineIdentity,
) {
    let Addresses { workbench, docs } = pages;
    let (client_id, client_secret) = issuer.client();
    let data = match options.folder() {
        Some(folder) => folder.display().to_string(),
        None => "not kept (--ephemeral)".to_owned(),
    };
    if options.json {
        let banner = json!({
            "baseUrl": base_url,
            "workbenchUrl": workbench,
            "docsUrl": docs,
            "apiKey": api_key,
            "pid": std::process::id(),
            "plan": options.plan,
            "unlimited": options.unlimited,
            "dataDir": options.folder(),
            "engine": engine,
            "oauth": {
                "issuer": issuer.url(),
                "tokenUrl": issuer.token_url(),
                "clientId": client_id,
                "clientSecret": client_secret,
            },
        });
        println!("{banner}");
        return;
    }
    let limits = if options.unlimited {
        "\n  Limits      LIFTED (--unlimited): no rate, credit or concurrency limits"
    } else {
        ""
    };
    let engine = match &engine.model {
        Some(model) => format!("{}, {model}", engine.name),
        None => format!("{}; for a language model: {WITH_A_MODEL}", engine.name),
    };
    println!(
        "\
Prompt Workflow Service

  Address   {workbench}
  API       {base_url}
  Docs      {docs}
  API key   {api_key}
  Plan      {plan}, all scopes{limits}
  OAuth     {token_url}, client {client_id}:{client_secret}
  Data      {data}
  Engine    {engine}

Try it:

  curl -s {base_url}/prompts/generate \\
    -H 'Authorization: Bearer {api_key}' \\
    -H 'Content-Type: application/json' \\
    -H \"Idempotency-Key: $(date +%s%N)\" \\
    -d '{{\"message\": \"Write a cold email that offers our payroll software to dental clinics\"}}'

Press Ctrl-C to stop; --log info shows every request, --help all options.",
        plan = options.plan,
        token_url = issuer.token_url(),
    );
}
