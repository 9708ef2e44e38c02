"""Looks at what `sam build` has made: for each function a program that Lambda could start, and nested templates."""

import struct
import sys
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

# What a function may have, unpacked (Lambda, "Deployment package size").
LIMIT = 250 * 1024 * 1024
# e_machine of x86_64 (System V ABI, AMD64 supplement).
X86_64 = 62


def problem(bootstrap: Path) -> str | None:
    if not bootstrap.is_file():
        return "no bootstrap"
    with bootstrap.open("rb") as file:
        head = file.read(20)
    if head[:5] != b"\x7fELF\x02":
        return "no 64-bit ELF"
    machine = struct.unpack_from("<H", head, 18)[0]
    if machine != X86_64:
        return f"for the machine {machine}"
    if not bootstrap.stat().st_mode & 0o111:
        return "not executable"
    total = sum(path.stat().st_size for path in bootstrap.parent.rglob("*"))
    return f"{total} bytes, {LIMIT} are allowed" if total > LIMIT else None


def main(folder: str, *wanted: str) -> None:
    template = yaml_parse((Path(folder) / "template.yaml").read_text(encoding="utf-8"))
    functions = [n for n, r in template["Resources"].items() if r["Type"] == "AWS::Serverless::Function"]
    failed = False
    for name in wanted or functions:
        bootstrap = Path(folder, name, "bootstrap")
        wrong = problem(bootstrap)
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
