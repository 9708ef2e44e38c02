"""Refuses ways around the types of a generated client in what is written by hand: casts, `Any`, ignored findings, and
strings that index a dictionary.

escapes.py <file>...
"""

import ast
import sys
from pathlib import Path


def escape(node: ast.AST) -> str | None:
    """What a node escapes by."""
    match node:
        case ast.Name(id="Any") | ast.Attribute(attr="Any"):
            return "Any"
        case ast.Call(func=ast.Name(id="cast") | ast.Attribute(attr="cast")):
            return "a cast"
        case ast.Subscript(slice=ast.Constant(value=str())):
            return "an index into a dictionary"
        case _:
            return None


found = []
for file in sys.argv[1:]:
    tree = ast.parse(Path(file).read_text(), file, type_comments=True)
    found += [f"{file}:{ignored.lineno}: an ignored finding" for ignored in tree.type_ignores]
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and (what := escape(node)):
            found.append(f"{file}:{node.lineno}: {what}")
sys.exit("\n".join(found) or 0)
