//! The gateway in front of functions that run elsewhere.

use std::{
    process::{Child, Command, Stdio},
    str::FromStr as _,
};

use crate::server;

/// All functions of the API, where nothing answers.
const FUNCTIONS: [&str; 9] = [
    "system",
    "mcp",
    "prompts",
    "operations",
    "history",
    "presets",
    "uploads",
    "library",
    "webhooks",
];

struct Gateway {
    child: Child,
    origin: String,
}

impl Gateway {
    fn start() -> Self {
        let functions = FUNCTIONS.map(|name| format!("{name}=http://127.0.0.1:1")).join(",");
        let mut child = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
            .args(["gateway", "--port", "0", "--functions", &functions])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        let base_url = server::read_until(&mut child, "/v1");
        let origin = base_url.trim().strip_suffix("/v1").expect("the base address").to_owned();
        Self { child, origin }
    }

    /// The status of the answer to a request with a header.
    fn status(&self, method: &str, path: &str, header: (&'static str, &'static str)) -> u16 {
        let method = reqwest::Method::from_str(method).expect("a method");
        let request = reqwest::Client::new().request(method, format!("{}{path}", self.origin));
        let (name, value) = header;
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let sent = runtime.block_on(request.header(name, value).body("{}").send());
        sent.expect("an answer").status().as_u16()
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn no_web_page_invokes_a_function_and_any_may_call_the_api() {
    let gateway = Gateway::start();
    let invocation = "/2015-03-31/functions/system/invocations";
    let program = ("user-agent", "curl");
    // What is passed on fails: nobody answers there.
    assert_eq!(gateway.status("POST", invocation, program), 502);
    assert_eq!(gateway.status("GET", "/v1/usage", program), 500);
    for header in [("origin", "https://example.com"), ("origin", "null")] {
        assert_eq!(gateway.status("POST", invocation, header), 403, "{header:?}");
        assert_eq!(gateway.status("GET", "/v1/usage", header), 500, "{header:?}");
        assert_eq!(gateway.status("OPTIONS", "/v1/usage", header), 500, "{header:?}");
    }
    let rebound = ("host", "rebound.example");
    assert_eq!(gateway.status("POST", invocation, rebound), 403);
    assert_eq!(gateway.status("GET", "/v1/usage", rebound), 500);
}
