"""Translates a SAM template, and those that it nests, into the plain CloudFormation that a deployment would create.

    transform.py <template> <folder>    writes <folder>/template.json, and what it nests beside it by its own path
"""

import json
import sys
from pathlib import Path

import boto3
from samtranslator.metrics.metrics import Metrics
from samtranslator.public.exceptions import InvalidDocumentException
from samtranslator.public.parser import Parser
from samtranslator.public.translator import Translator
from samtranslator.yaml_helper import yaml_parse

# Where `sam package` would have put the code.
PACKAGED = "s3://packaged/code.zip"
# One for all templates: the translator complains of what a forgotten one has counted.
METRICS = Metrics()


def translated(path: Path) -> dict:
    template = yaml_parse(path.read_text(encoding="utf-8"))
    for name, resource in template["Resources"].items():
        if resource["Type"] != "AWS::Serverless::Function":
            continue
        # Cargo builds what belongs to the folder that it is called in: elsewhere it does not know the binary.
        binary = resource.get("Metadata", {}).get("BuildProperties", {}).get("Binary")
        if resource["Properties"].get("CodeUri") != f"functions/{binary}":
            sys.exit(f"{name}: CodeUri is not functions/{binary}, where its binary is")
        resource["Properties"]["CodeUri"] = PACKAGED
    # No names of managed policies are to be looked up: the template uses none.
    translator = Translator({}, Parser(), boto_session=boto3.Session(), metrics=METRICS)
    try:
        return translator.translate(template, parameter_values={})
    except InvalidDocumentException as error:
        sys.exit("\n".join([error.message, *(cause.message for cause in error.causes)]))


def write(source: Path, target: Path) -> None:
    plain = translated(source)
    for resource in plain["Resources"].values():
        if resource["Type"] == "AWS::CloudFormation::Stack":
            path = Path(resource["Properties"]["TemplateURL"])
            resource["Properties"]["TemplateURL"] = str(path.with_suffix(".json"))
            write(source.parent / path, target.parent / path.with_suffix(".json"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(plain, indent=1), encoding="utf-8")


write(Path(sys.argv[1]), Path(sys.argv[2], "template.json"))
