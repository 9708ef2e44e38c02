//! The development server as its user starts it.

use crate::server;

use std::process::{Command, Stdio};

use server::{Server, folder};

#[test]
fn a_start_prints_what_a_first_call_needs_and_the_call_works() {
    let folder = folder("banner");
    let mut server = Server::start(&["--port", "0", "--data-dir", &folder]);
    assert_eq!(server.banner["pid"], server.child.id());
    assert_eq!(server.banner["plan"], "max");
    let answer = server.generate("first", "A packing list for Iceland");
    assert_eq!(answer["data"]["engine"]["kind"], "rules", "{answer}");
    server.stop();
}

#[test]
fn the_curl_line_of_the_banner_works_when_pasted() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
        .args(["--ephemeral", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let text = server::read_until(&mut child, "Press Ctrl-C");
    assert!(text.lines().count() <= 24, "more than a screen:\n{text}");
    let line = text.split("Try it:").nth(1).expect("a line to try");
    let line = line.split("Press Ctrl-C").next().expect("the line alone");
    let output = Command::new("sh").args(["-c", line]).output().expect("a shell");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(answer["data"]["prompt"].is_string(), "{answer}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn key_and_data_outlive_a_restart() {
    let folder = folder("restart");
    let options = ["--port", "0", "--data-dir", folder.as_str()];
    let mut first = Server::start(&options);
    let made = first.generate("same-key", "A packing list for Iceland");
    let key = first.banner["apiKey"].clone();
    first.stop();
    let mut second = Server::start(&options);
    assert_eq!(second.banner["apiKey"], key);
    let again = second.generate("same-key", "A packing list for Iceland");
    assert_eq!(again["data"], made["data"]);
    assert_eq!(second.get("/usage")["data"]["credits"]["used"], 1);
    second.stop();
}

#[test]
fn a_plan_is_chosen_at_the_start() {
    let folder = folder("plan");
    for plan in ["free", "pro_plus"] {
        let options = ["--port", "0", "--data-dir", folder.as_str(), "--plan", plan];
        let mut server = Server::start(&options);
        assert_eq!(server.get("/usage")["data"]["plan"], plan);
        server.stop();
    }
}

#[test]
fn unlimited_lifts_every_cap_and_says_so() {
    let mut server =
        Server::start(&["--ephemeral", "--port", "0", "--plan", "free", "--unlimited"]);
    assert_eq!(server.banner["unlimited"], true);
    assert_eq!(server.banner["engine"]["name"], "rules");
    for number in 0..40 {
        let answer = server.generate(&format!("key-{number}"), "A haiku");
        assert!(answer["data"]["prompt"].is_string(), "{answer}");
    }
    server.stop();
}

#[test]
fn a_folder_or_port_in_use_is_told_in_one_sentence() {
    let folder = folder("in-use");
    let mut server = Server::start(&["--port", "0", "--data-dir", &folder]);
    let port = server
        .base_url()
        .split(':')
        .nth(2)
        .expect("a port")
        .split('/')
        .next()
        .expect("it")
        .to_owned();
    for options in [
        ["--port", "0", "--data-dir", folder.as_str()],
        ["--port", port.as_str(), "--data-dir", &format!("{folder}-other")],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
            .args(options)
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(said.trim().lines().count(), 1, "{said}");
        assert!(said.contains("in use"), "{said}");
        assert!(output.stdout.is_empty());
    }
    server.stop();
}

#[test]
fn several_servers_run_side_by_side() {
    let mut servers: Vec<_> =
        (0..3).map(|_| Server::start(&["--ephemeral", "--port", "0"])).collect();
    let mut keys = std::collections::BTreeSet::new();
    for server in &mut servers {
        assert_eq!(server.get("/usage")["data"]["credits"]["used"], 0);
        server.generate("k", "A haiku");
        assert!(keys.insert(server.banner["apiKey"].to_string()));
    }
    for mut server in servers {
        server.stop();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_it_cleanly_within_a_second() {
    let folder = folder("interrupt");
    let mut server = Server::start(&["--port", "0", "--data-dir", &folder]);
    server.generate("k", "A haiku");
    let asked = std::time::Instant::now();
    let pid = server.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
    assert!(sent.success());
    let status = server.child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    assert!(asked.elapsed().as_millis() < 1_000, "{:?}", asked.elapsed());
}

#[cfg(unix)]
#[test]
fn an_operation_in_the_queue_outlives_an_interrupt() {
    let folder = folder("interrupted-queue");
    let options = ["--port", "0", "--data-dir", folder.as_str()];
    let mut server = Server::start(&options);
    let id = server.generate_later("k", "A haiku");
    // Right behind the banner and the call, while the processor may be at work.
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    assert!(server.child.wait().expect("it ends").success());
    let mut server = Server::start(&options);
    let began = std::time::Instant::now();
    loop {
        let operation = server.get(&format!("/operations/{id}"));
        match operation["data"]["status"].as_str() {
            Some("PENDING" | "RUNNING") => {
                assert!(began.elapsed().as_secs() < 60, "{operation}");
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            status => {
                assert_eq!(status, Some("SUCCEEDED"), "{operation}");
                break;
            }
        }
    }
    server.stop();
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_enter_a_data_folder() {
    use std::os::unix::fs::PermissionsExt;
    let (new, old, printed) = (folder("private"), folder("opened"), folder("printed"));
    std::fs::create_dir_all(&old).expect("a folder");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&old, open).expect("it is ours");
    for folder in [&new, &old] {
        Server::start(&["--port", "0", "--data-dir", folder]).stop();
    }
    let print = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
        .args(["aws", "--print", "--data-dir", &printed])
        .output()
        .expect("it runs");
    assert!(print.status.success());
    let mode =
        |path: &str| std::fs::metadata(path).expect("it exists").permissions().mode() & 0o777;
    for folder in [new, old, printed] {
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&format!("{folder}/identity.json")), 0o600);
        assert_eq!(mode(&format!("{folder}/access-key.json")), 0o600);
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for options in [
        ["--log", "info,=x="].as_slice(),
        &["--plan", "gold"],
        &["--port", "70000"],
        &["--ephemeral", "--data-dir", "x"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
            .args(options)
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(options[0]), "{options:?}");
    }
}

#[test]
fn a_damaged_identity_is_told_by_its_file() {
    let folder = folder("damaged");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(format!("{folder}/identity.json"), "{").expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
        .args(["--port", "0", "--data-dir", &folder])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("identity.json"));
}

#[test]
fn help_names_every_option() {
    let output = Command::new(env!("CARGO_BIN_EXE_prompt-workflow"))
        .arg("--help")
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    for option in
        ["--port", "--data-dir", "--ephemeral", "--plan", "--unlimited", "--log", "--json"]
    {
        assert!(text.contains(option), "{option} in {text}");
    }
}

#[test]
fn the_log_has_requests_and_never_prompts_or_keys() {
    let folder = folder("log");
    let mut server =
        Server::start(&["--port", "0", "--data-dir", &folder, "--log", "trace,hyper=off"]);
    let answer = server.generate("idempotency-secret", "A haiku about xylophonists");
    let key = server.banner["apiKey"].as_str().expect("a key").to_owned();
    server.get("/operations");
    let log = server.log();
    let request = answer["requestId"].as_str().expect("an id");
    let line = log.lines().find(|line| line.contains(request)).expect("the request is logged");
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(line["route"], "/v1/prompts/generate");
    assert_eq!(line["status"], 200);
    assert!(line["account"].as_str().is_some_and(|id| id.starts_with("acct_")));
    assert!(line["duration_ms"].is_number());
    let secret = key.rsplit('_').nth(1).expect("a secret");
    let ours: Vec<_> = log.lines().filter(|line| is_ours(line)).collect();
    assert!(!ours.is_empty());
    for line in ours {
        for hidden in ["xylophonists", secret, "idempotency-secret"] {
            assert!(!line.contains(hidden), "{hidden} in {line}");
        }
    }
}

/// Whether a crate of this workspace logged the line; libraries are not asked to trace in
/// production.
fn is_ours(line: &str) -> bool {
    let line: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    let target = line["target"].as_str().unwrap_or_default();
    ["edge", "store", "workflow", "processor", "engine", "local", "prompt_workflow"]
        .iter()
        .any(|name| target.starts_with(name))
}
