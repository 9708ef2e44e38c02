"""Holds what `sam package` uploads against the templates: complete, and in YAML that CloudFormation reads.

    package.py <sam> <template> <nested template>...

CloudFormation knows neither anchors nor merges, and fetches nested templates from S3. A server on this machine
stands for S3 and keeps what is put there.
"""

import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import yaml
from samtranslator.yaml_helper import yaml_parse

# Sections that a template may have (CloudFormation, "Template sections").
SECTIONS = {"AWSTemplateFormatVersion", "Conditions", "Description", "Globals", "Mappings", "Metadata", "Outputs",
            "Parameters", "Resources", "Rules", "Transform"}  # fmt: skip
# Largest template that CloudFormation takes from S3, in bytes (CloudFormation, "Quotas").
LARGEST = 1_000_000
# What SAM replaces by an address in S3.
REPLACED = ("CodeUri", "TemplateURL")
uploaded = {}


class Bucket(BaseHTTPRequestHandler):
    def do_PUT(self):
        uploaded[self.path] = self.rfile.read(int(self.headers["content-length"]))
        self.answer(200)

    def do_HEAD(self):
        self.answer(200 if self.path in uploaded else 404)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def package(sam, template, folder):
    """The template as it would be deployed."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Bucket) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        out = Path(folder, "packaged.yaml")
        ran = subprocess.run(
            [sam, "package", "--template-file", template, "--s3-bucket", "packaged", "--output-template-file", out],
            env={**os.environ, "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "none",
                 "AWS_SECRET_ACCESS_KEY": "none"},
            capture_output=True,
            text=True,
        )  # fmt: skip
        server.shutdown()
    return out.read_text(encoding="utf-8") if ran.returncode == 0 else sys.exit(ran.stdout + ran.stderr)


def comparable(template):
    for resource in template["Resources"].values():
        for name in REPLACED:
            resource["Properties"].pop(name, None)
        # SAM notes under which name it packaged a resource.
        resource.get("Metadata", {}).pop("SamResourceId", None)
        if resource.get("Metadata") == {}:
            del resource["Metadata"]
    return template


def problem(source, text):
    if any(isinstance(token, (yaml.AnchorToken, yaml.AliasToken)) for token in yaml.scan(text)) or "<<:" in text:
        return "has anchors or merges"
    made = yaml_parse(text)
    if set(made) - SECTIONS:
        return f"has sections that CloudFormation refuses: {sorted(set(made) - SECTIONS)}"
    if len(text.encode()) > LARGEST:
        return f"is larger than {LARGEST} bytes"
    meant = yaml_parse(Path(source).read_text(encoding="utf-8"))
    return None if comparable(made) == comparable(meant) else "is not what was written"


def main(sam, template, *nested):
    with tempfile.TemporaryDirectory() as folder:
        text = package(sam, template, folder)
    made = yaml_parse(text)
    urls = {n: r["Properties"]["TemplateURL"] for n, r in made["Resources"].items() if "TemplateURL" in r["Properties"]}
    meant = yaml_parse(Path(template).read_text(encoding="utf-8"))["Resources"]
    findings = {template: problem(template, text)}
    for name, url in urls.items():
        source = Path(template).parent / meant[name]["Properties"]["TemplateURL"]
        body = uploaded.get("/packaged/" + url.rsplit("/", 1)[1])
        findings[source] = problem(source, body.decode()) if body else f"is not in S3 at {url}"
    if len(urls) != len(nested):
        findings["nested"] = f"{len(nested)} templates, {len(urls)} packaged"
    findings = [f"{source}: {finding}" for source, finding in findings.items() if finding]
    return "\n".join(findings) or None


sys.exit(main(*sys.argv[1:]))
