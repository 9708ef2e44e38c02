"""One set of features for every selection of packages.

Cargo enables a library's features as the selected packages ask for them, and compiles it again where another
selection asks for others. Every package therefore depends on lib/workspace-hack, which asks for all features that any
selection would lack. (cargo-hakari does the same; it has to be compiled first.)

features.py          fails unless `cargo build -p <any>` uses what `cargo build --workspace` has compiled
features.py --write  writes lib/workspace-hack/Cargo.toml
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "lib/workspace-hack/Cargo.toml"
HEAD = """# Written by infra/proof/features.py --write: the features that selections of packages would not agree on.
[package]
name = "workspace-hack"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
publish.workspace = true

[lib]
test = false
doctest = false

"""
# It may depend on no package of ours.
ALONE = {"domain", "workspace-hack"}


def tree(kinds, *selection):
    """The features of each package of a selection: {(name, version): {sets}}"""
    listed = subprocess.run(
        ["cargo", "tree", "--locked", "-e", kinds, "--prefix", "none", "-f", "{p}\t{f}", *selection],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    found = {}
    for line in filter(None, listed.replace(" (*)", "").splitlines()):
        package, _, features = line.partition("\t")
        name, version, *path = package.split(" ", 2)
        if not path or path == ["(proc-macro)"]:  # those of ours have a path
            found.setdefault((name, version.lstrip("v")), set()).add(features)
    return found


def members():
    metadata = subprocess.run(
        ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    return [package["name"] for package in json.loads(metadata)["packages"]]


def disagreements(kinds):
    """What a selection would compile otherwise than the whole workspace."""
    whole, found = tree(kinds, "--workspace"), {}
    for member in set(members()) - ALONE:
        for package, sets in tree(kinds, "-p", member).items():
            if not sets <= whole[package]:
                found.setdefault(package, set()).add(member)
    return whole, found


def table(heading, whole, packages):
    lines = [heading]
    for name, version in sorted(packages):
        features = sorted({one for of in whole[name, version] for one in of.split(",") if one})
        key = f"{name}-{version}".replace(".", "_").replace("+", "_")
        lines.append(
            f'{key} = {{ package = "{name}", version = "{version}", default-features = false, '
            f"features = {json.dumps(features)} }}"
        )
    return "\n".join(lines) + "\n"


def manifest(*tables):
    MANIFEST.write_text("\n".join([HEAD.rstrip("\n") + "\n", *tables, "[lints]\nworkspace = true\n"]))
    subprocess.run(["cargo", "update", "--quiet", "--workspace"], cwd=ROOT, check=True)


def write():
    target, host = set(), set()
    manifest()
    # What is added has dependencies of its own.
    for _ in range(6):
        run, found = disagreements("normal,dev,no-proc-macro")
        built, others = disagreements("all")
        if not found and not others:
            return
        target |= set(found)
        host |= set(others) - set(found)
        manifest(table("[dependencies]", run, target), table("[build-dependencies]", built, host))


if "--write" in sys.argv:
    write()
_, found = disagreements("all")
for (name, version), by in sorted(found.items()):
    print(f"  {name} {version} would be compiled again for {', '.join(sorted(by))}", file=sys.stderr)
if found:
    sys.exit(f"{len(found)} packages: run infra/proof/features.py --write")
print(f"features proof: {len(members())} packages agree")
