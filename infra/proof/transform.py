"""Translates a SAM template into the plain CloudFormation that a deployment would create."""

import json
import sys

import boto3
from samtranslator.public.exceptions import InvalidDocumentException
from samtranslator.public.parser import Parser
from samtranslator.public.translator import Translator
from samtranslator.yaml_helper import yaml_parse

# Where `sam package` would have put the code.
PACKAGED = "s3://packaged/code.zip"


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        template = yaml_parse(file.read())
    for name, resource in template["Resources"].items():
        if resource["Type"] != "AWS::Serverless::Function":
            continue
        # Cargo builds what belongs to the folder that it is called in: elsewhere it does not know the binary.
        binary = resource.get("Metadata", {}).get("BuildProperties", {}).get("Binary")
        if resource["Properties"].get("CodeUri") != f"functions/{binary}":
            sys.exit(f"{name}: CodeUri is not functions/{binary}, where its binary is")
        resource["Properties"]["CodeUri"] = PACKAGED
    # No names of managed policies are to be looked up: the template uses none.
    translator = Translator({}, Parser(), boto_session=boto3.Session())
    try:
        plain = translator.translate(template, parameter_values={})
    except InvalidDocumentException as error:
        sys.exit("\n".join([error.message, *(cause.message for cause in error.causes)]))
    json.dump(plain, sys.stdout, indent=1)


main(*sys.argv[1:])
