"""Looks at what `sam build` has made: for each function a program that Lambda could start, and nested templates."""

import re
import struct
import sys
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

# What a function may have, unpacked (Lambda, "Deployment package size").
LIMIT = 250 * 1024 * 1024
# e_machine (System V ABI, its supplements).
MACHINES = {"x86_64": 62, "arm64": 183}
# Of the runtime provided.al2023.
GLIBC = 34


def problem(bootstrap: Path, processor: str) -> str | None:
    if not bootstrap.is_file():
        return "no bootstrap"
    program = bootstrap.read_bytes()
    if program[:5] != b"\x7fELF\x02":
        return "no 64-bit ELF"
    machine = struct.unpack_from("<H", program, 18)[0]
    if machine != MACHINES[processor]:
        return f"for the machine {machine}"
    # One that Cargo alone has linked is for the C library of this machine.
    glibc = max((int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", program)), default=0)
    if processor == "arm64" and glibc > GLIBC:
        return f"needs glibc 2.{glibc}, Lambda has 2.{GLIBC}"
    if not bootstrap.stat().st_mode & 0o111:
        return "not executable"
    total = sum(path.stat().st_size for path in bootstrap.parent.rglob("*"))
    return f"{total} bytes, {LIMIT} are allowed" if total > LIMIT else None


def main(folder: str, processor: str, *wanted: str) -> None:
    template = yaml_parse((Path(folder) / "template.yaml").read_text(encoding="utf-8"))
    functions = [n for n, r in template["Resources"].items() if r["Type"] == "AWS::Serverless::Function"]
    failed = False
    for name in wanted or functions:
        bootstrap = Path(folder, name, "bootstrap")
        wrong = problem(bootstrap, processor)
        # What would be uploaded is what was built.
        if template["Resources"][name]["Properties"].get("CodeUri") != name:
            wrong = wrong or "the built template names other code"
        size = f"{bootstrap.stat().st_size / 1e6:.1f} MB" if bootstrap.is_file() else ""
        print(f"  {name}: {wrong or size}")
        failed |= wrong is not None
    for name, resource in template["Resources"].items():
        if resource["Type"] == "AWS::CloudFormation::Stack":
            nested = Path(folder, resource["Properties"]["TemplateURL"])
            built = nested.is_file() and "Resources" in yaml_parse(nested.read_text(encoding="utf-8"))
            print(f"  {name}: {'nested' if built else 'its template is not there'}")
            failed |= not built
    if failed:
        sys.exit("not everything was built")


main(*sys.argv[1:])
