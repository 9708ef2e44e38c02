"""A translated template as if what it nests stood in it.

A nested template sees the outer one through its parameters. Here each parameter is replaced by what is passed for
it, so that a reference names the same resource wherever it stands. Whether and how much is watched is decided by the
parameter Watch, so that each answer to it makes another template.
"""

import json
import re
import sys
from pathlib import Path

from conditions import Deployment

NESTED = "AWS::CloudFormation::Stack"


def as_text(value):
    """A value as it stands in the text of a Sub."""
    if isinstance(value, str):
        return value
    ((function, argument),) = value.items()
    if function == "Fn::Sub":
        return argument
    if function == "Fn::If":
        return as_text(argument[2])
    return "${" + (argument if function == "Ref" else ".".join(argument)) + "}"


def put(value, given):
    """A value with what is given in place of references; an attribute's name is `Resource.Attribute`."""
    if isinstance(value, list):
        return [put(one, given) for one in value]
    if not isinstance(value, dict):
        return value
    function, argument = next(iter(value.items()), (None, None))
    name = ".".join(argument) if function == "Fn::GetAtt" else argument
    if function in ("Ref", "Fn::GetAtt") and name in given:
        return given[name]
    if function == "Fn::Sub":
        text, own = (argument, {}) if isinstance(argument, str) else argument
        known = given | put(own, given)
        known = {f"${{{name}}}": as_text(one) for name, one in known.items() if f"${{{name}}}" in text}
        return {"Fn::Sub": re.sub(r"\$\{[^}]+\}", lambda m: known.get(m[0], m[0]), text)}
    if function == "Fn::Join" and isinstance(argument[1], dict) and argument[1].get("Ref") in given:
        # A list that is a parameter was itself joined, with commas.
        return {"Fn::Sub": argument[0].join(map(as_text, put(argument[1], given)["Fn::Join"][1]))}
    return {key: put(one, given) for key, one in value.items()}


def load(path, **given):
    """A template with what it nests, with the given parameters; `Folded` says which resource came from where."""
    template = json.loads(Path(path).read_text(encoding="utf-8"))
    template["Folded"] = {}
    deployment = Deployment(template, **given) if "Parameters" in template else None
    for stack, resource in list(template["Resources"].items()):
        if resource["Type"] != NESTED:
            continue
        url, passed = resource["Properties"]["TemplateURL"], resource["Properties"].get("Parameters", {})
        if "Condition" in resource and not deployment.holds(resource["Condition"]):
            del template["Resources"][stack]
            continue
        # A choice is made by the given parameters: what is passed is then a name.
        passed = {name: deployment.value(one) if "Fn::If" in one else one for name, one in passed.items()}
        watch = {"Watch": deployment.value(passed["Watch"])} if "Watch" in passed else {}
        nested = load(Path(path).parent / url)
        nested["Resources"] = Deployment(nested, **watch).resources()
        nested.pop("Conditions", None)
        declared = nested.get("Parameters", {})
        if set(passed) != set(declared):
            sys.exit(f"{stack}: what is passed and what {url} declares differ by {sorted(set(passed) ^ set(declared))}")
        if "AWS::StackName" in json.dumps(nested):
            sys.exit(f"{url}: AWS::StackName is the nested stack's own: pass the outer one's name")
        del template["Resources"][stack]
        outputs = {f"{stack}.Outputs.{n}": o["Value"] for n, o in put(nested.get("Outputs", {}), passed).items()}
        template = put(template, outputs)
        for section in ("Resources", "Conditions"):
            for name, inner in put(nested.get(section, {}), passed).items():
                if template.setdefault(section, {}).setdefault(name, inner) != inner:
                    sys.exit(f"{url}: {name} means something else in the template that nests it")
        template["Folded"] |= nested["Folded"] | {name: stack for name in nested["Resources"]}
    return template


def dashboard(text):
    """A dashboard's body; in a row of metrics "." stands for what is there in the row before."""
    body = json.loads(text)
    for widget in body["widgets"]:
        before = []
        for row in widget["properties"].get("metrics", []):
            row[:] = before = [before[i] if cell == "." else cell for i, cell in enumerate(row)]
    return body
