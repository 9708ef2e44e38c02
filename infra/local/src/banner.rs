//! What a start prints: all that a first call needs.

use serde_json::json;

use crate::options::Options;

/// Prints the banner to standard output.
pub fn show(options: &Options, base_url: &str, api_key: &str) {
    let data = match options.folder() {
        Some(folder) => folder.display().to_string(),
        None => "kept nowhere (--ephemeral)".to_owned(),
    };
    if options.json {
        let banner = json!({
            "baseUrl": base_url,
            "apiKey": api_key,
            "pid": std::process::id(),
            "plan": options.plan,
            "unlimited": options.unlimited,
            "dataDir": options.folder(),
        });
        println!("{banner}");
        return;
    }
    let caps = if options.unlimited {
        "\n  Caps      LIFTED (--unlimited): no rate, credit or concurrency limits"
    } else {
        ""
    };
    println!(
        "\
Prompt Workflow Service

  Address   {base_url}
  API key   {api_key}
  Plan      {plan}, all scopes{caps}
  Data      {data}

Try it:

  curl -s {base_url}/prompts/generate \\
    -H 'Authorization: Bearer {api_key}' \\
    -H 'Content-Type: application/json' \\
    -H \"Idempotency-Key: $(date +%s%N)\" \\
    -d '{{\"message\": \"Write a cold email that offers our payroll software to dental clinics\"}}'

Press Ctrl-C to stop; --log info shows every request, --help all options.",
        plan = options.plan,
    );
}
