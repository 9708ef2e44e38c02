"""Scans translated templates with checkov, and lets pass only what policy.toml names with its reason."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ALLOWED = Path(__file__).with_name("policy.toml")
# Fewer than that, and checkov did not understand the template.
LEAST_PASSED = 100


def scan(checkov: str, templates: tuple) -> dict:
    """Checkov's report. Nothing is downloaded: its own checks need no account."""
    done = subprocess.run(
        [checkov, "--file", *templates, "--framework", "cloudformation", "--compact", "--skip-download",
         "--output", "json"],
        capture_output=True,
        text=True,
    )
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"checkov failed with {done.returncode}:\n{done.stdout}{done.stderr}")


def main(checkov: str, *templates: str) -> None:
    allowed = tomllib.loads(ALLOWED.read_text(encoding="utf-8"))
    report = scan(checkov, templates)
    summary = report["summary"]
    findings = []
    if summary["parsing_errors"] or summary["passed"] < LEAST_PASSED:
        findings.append(f"checkov did not read the template: {summary}")
    if summary["skipped"]:
        findings.append(f"{summary['skipped']} findings are suppressed elsewhere: {ALLOWED.name} is the place")
    used = set()
    for failed in report["results"]["failed_checks"]:
        check, resource = failed["check_id"], failed["resource"].rsplit(".", 1)[-1]
        entry = allowed.get(check)
        if entry and any(re.fullmatch(name, resource) for name in entry.get("resources", [".*"])):
            used.add(check)
        else:
            findings.append(f"{check} {resource}: {failed['check_name']}")
    findings += [f"{check}: nothing is found any more, remove it from {ALLOWED.name}" for check in allowed.keys() - used]
    findings += [f"{check}: has no reason" for check, entry in allowed.items() if len(entry.get("reason", "")) < 40]
    for finding in sorted(findings):
        print(f"  {finding}", file=sys.stderr)
    if findings:
        sys.exit(f"{len(findings)} findings")
    print(f"  {summary['passed']} checks passed, {summary['failed']} findings of {len(used)} kinds have their reason")


main(*sys.argv[1:])
