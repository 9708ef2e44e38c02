"""Holds the roles of infra/github.yaml against what is done with them.

The role of a workflow: against the calls of the installed SAM, those of infra/deploy, and those of the operator's tool,
which operator_calls.py has recorded. It may do nothing else. The role of CloudFormation: against what AWS's schemas say
that making, reading, changing, tagging and removing each resource needs. The boundary: against the roles of functions.
"""

import ast
import json
import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import boto3
import samcli
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER
from findings import check, prove
from samtranslator.yaml_helper import yaml_parse

ROOT = Path(__file__).resolve().parents[2]
STACK, ACCOUNT, REGION = "prompt-workflow-dev", "123456789012", "us-east-1"
HERE = {"AWS::Partition": "aws", "AWS::AccountId": ACCOUNT, "AWS::Region": REGION, "Stack": STACK}

# --- what SAM, and the scripts, call ------------------------------------------------------------

# Where `sam deploy` calls AWS, and what its clients are called there.
CALLING = {
    "lib/deploy/deployer.py": ("cloudformation", "self._client"),
    "lib/utils/managed_cloudformation_stack.py": ("cloudformation", "cloudformation_client"),
    "lib/package/s3_uploader.py": ("s3", "self.s3"),
}
# Operations of S3 that have another name as a permission (AWS, "Service Authorization Reference").
PERMISSIONS = {"s3:HeadObject": "s3:GetObject", "s3:ListObjectsV2": "s3:ListBucket"}
# Calls of these files that `sam deploy` of an environment does not make.
NOT_CALLED = {
    "cloudformation:CreateStack": "`sam sync` alone",
    "cloudformation:UpdateStack": "`sam sync`, and an old bucket for artifacts, which is made anew by hand",
    "cloudformation:RollbackStack": "--on-failure DELETE alone",
    "cloudformation:DeleteStack": "--on-failure DELETE alone",
    "s3:DeleteObject": "`sam delete` alone",
    "s3:GetObjectTagging": "versions of code that is signed",
}
# What the role needs besides calls.
BESIDES = {
    "iam:PassRole": "the execution role is handed to CloudFormation",
    "s3:PutObject": "the transfer manager of boto3 sends what s3_uploader.py uploads",
    "s3:ListBucket": "without it S3 says 403 of an artifact that is not there yet",
    "s3:GetBucketLocation": "clients of S3 may ask where a bucket is before they use it",
}

# --- what CloudFormation calls ------------------------------------------------------------------

# The names of what a type makes, as in a deployment; those of another type which stands behind.
ARNS = {
    "AWS::ApiGatewayV2": ["apigateway:{r}::/apis", "apigateway:{r}::/apis/a", "apigateway:{r}::/domainnames/d",
                          "apigateway:{r}::/tags/t"],
    "AWS::Budgets::Budget": ["budgets::{a}:budget/{s}"],
    "AWS::CloudFormation::Stack": ["cloudformation:{r}:{a}:stack/{s}-Monitoring-X/id"],
    "AWS::CloudWatch::Alarm": ["cloudwatch:{r}:{a}:alarm:{s}-Monitoring-X"],
    "AWS::CloudWatch::Dashboard": ["cloudwatch::{a}:dashboard/{s}"],
    "AWS::DynamoDB::Table": ["dynamodb:{r}:{a}:table/{s}-Table-X"],
    "AWS::IAM::Role": ["iam::{a}:role/{s}-Role-X"],
    "AWS::Lambda::EventSourceMapping": ["lambda:{r}:{a}:event-source-mapping:id"],
    "AWS::Lambda::Function": ["lambda:{r}:{a}:function:{s}-F-X", "iam::{a}:role/{s}-Role-X",
                              "s3:::aws-sam-cli-managed-default-x/{s}/code"],
    "AWS::Lambda::Permission": ["lambda:{r}:{a}:function:{s}-F-X"],
    "AWS::Logs": ["logs:{r}:{a}:log-group:/aws/lambda/{s}/f:*"],
    "AWS::S3": ["s3:::{s}-bucket-x"],
    "AWS::SQS": ["sqs:{r}:{a}:{s}-queue"],
    "AWS::SecretsManager::Secret": ["secretsmanager:{r}:{a}:secret:ServerSecret-x"],
}  # fmt: skip
# Permissions of the schemas that are none of IAM's (AWS, "Service Authorization Reference"): names of operations, whose
# permission is that of putting the same, or mistakes.
NO_PERMISSIONS = [
    "s3:DeleteBucketTagging", "s3:DeleteBucketCors", "s3:DeleteBucketEncryption", "s3:DeleteBucketLifecycle",
    "s3:DeleteBucketReplication", "s3:DeleteBucketAnalyticsConfiguration", "s3:DeleteBucketMetricsConfiguration",
    "s3:PutBucketReplication", "s3:REST.PUT.OBJECT", "s3:GetObjectMetadata",
]  # fmt: skip
# Permissions that CloudFormation asks for only if a property is set; no resource of the type sets it.
OF_PROPERTIES = {
    "AWS::ApiGatewayV2::Api": {"BodyS3Location": ["s3:getObject"]},
    "AWS::ApiGatewayV2::Integration": {"CredentialsArn": ["iam:PassRole"]},
    "AWS::CloudFormation::Stack": {
        "RoleARN": ["iam:PassRole"],
        "StackPolicyBody": ["cloudformation:SetStackPolicy"],
        "EnableTerminationProtection": ["cloudformation:UpdateTerminationProtection"],
    },
    "AWS::DynamoDB::Table": {
        "ContributorInsightsSpecification": ["dynamodb:UpdateContributorInsights"],
        "ImportSourceSpecification": ["dynamodb:DescribeImport", "dynamodb:ImportTable", "logs:*", "s3:*"],
        "KinesisStreamSpecification": ["dynamodb:*KinesisStreamingDestination", "kinesis:*"],
        "Replicas": ["dynamodb:*Replica", "dynamodb:*Item", "dynamodb:Query", "dynamodb:Scan",
                     "iam:CreateServiceLinkedRole"],
        "ResourcePolicy": ["dynamodb:*ResourcePolicy"],
        "SSESpecification": ["kms:*"],
    },
    "AWS::Lambda::EventSourceMapping": {"KmsKeyArn": ["kms:*"]},
    "AWS::Lambda::Function": {
        "CapacityProviderConfig": ["lambda:PassCapacityProvider", "lambda:PutFunctionScalingConfig",
                                   "lambda:PublishVersion"],
        "CodeSigningConfigArn": ["lambda:*CodeSigningConfig"],
        "FileSystemConfigs": ["elasticfilesystem:*", "s3files:*"],
        "KmsKeyArn": ["kms:*"],
        "Layers": ["lambda:GetLayerVersion"],
        "RuntimeManagementConfig": ["lambda:PutRuntimeManagementConfig", "lambda:AssociateRuntimeAlias"],
        "VpcConfig": ["ec2:*"],
    },
    "AWS::Logs::LogGroup": {
        "BearerTokenAuthenticationEnabled": ["logs:PutBearerTokenAuthentication"],
        "DataProtectionPolicy": ["logs:PutDataProtectionPolicy", "logs:DeleteDataProtectionPolicy", "firehose:*"],
        "DeletionProtectionEnabled": ["logs:PutLogGroupDeletionProtection"],
        "FieldIndexPolicies": ["logs:*IndexPolicy"],
        "KmsKeyId": ["logs:*KmsKey"],
        "ResourcePolicyDocument": ["logs:DeleteResourcePolicy"],
    },
    "AWS::S3::Bucket": {
        "AbacStatus": ["s3:PutBucketAbac"],
        "AccelerateConfiguration": ["s3:PutAccelerateConfiguration"],
        "AccessControl": ["s3:Put*Acl"],
        "AnalyticsConfigurations": ["s3:PutAnalyticsConfiguration"],
        "IntelligentTieringConfigurations": ["s3:PutIntelligentTieringConfiguration"],
        "InventoryConfigurations": ["s3:PutInventoryConfiguration"],
        "LoggingConfiguration": ["s3:PutBucketLogging"],
        "MetadataConfiguration": ["s3:*MetadataAnnotationTable*", "s3:*MetadataInventoryTable*",
                                  "s3:*MetadataJournalTable*"],
        "MetadataTableConfiguration": ["s3:*BucketMetadataTableConfiguration", "s3tables:*"],
        "MetricsConfigurations": ["s3:PutMetricsConfiguration"],
        "ObjectLockConfiguration": ["s3:*ObjectLockConfiguration"],
        "ReplicationConfiguration": ["s3:PutReplicationConfiguration", "iam:PassRole"],
        "WebsiteConfiguration": ["s3:*BucketWebsite"],
    },
    "AWS::SecretsManager::Secret": {"ReplicaRegions": ["secretsmanager:*Region*"]},
}  # fmt: skip
# Permissions that the role does not have, although properties are set: each with the reason.
WITHHELD = {
    "AWS::ApiGatewayV2::DomainName": {
        "apigateway:*Certificate*Domain": "who shows a certificate is changed by hand",
        "s3:GetObject*": "the trust store is read in the name of whoever changes it by hand",
    },
    "AWS::Budgets::Budget": {"billing:GetBillingViewData": "the budget is of the account, not of a view of its bill"},
    "AWS::DynamoDB::Table": {"dynamodb:DeleteTable": "what holds data is removed by hand"},
    "AWS::IAM::Role": {"iam:DeleteRolePermissionsBoundary": "a role of a function has always the boundary"},
    "AWS::Lambda::Function": {"s3:GetObjectVersion": "artifacts are named by their content, not by versions"},
    "AWS::S3::Bucket": {
        "s3:DeleteBucket": "what holds data is removed by hand",
        "s3:DeleteObject": "what holds data is removed by hand",
    },
    "AWS::SecretsManager::Secret": {"secretsmanager:DeleteSecret": "what holds data is removed by hand"},
}


def listed(value):
    return value if isinstance(value, list) else [value]


def assigned(value):
    """A name of github.yaml in a deployment."""
    text = value.get("Fn::Sub", str(value)) if isinstance(value, dict) else value
    return re.sub(r"\$\{([^}]+)\}", lambda found: HERE[found[1]], text)


def allowed_to(role):
    """What a role allows: pairs of an action and a resource, each with wildcards."""
    policies = made["Resources"][role]["Properties"]["Policies"]
    statements = [one for policy in policies for one in policy["PolicyDocument"]["Statement"]]
    return {(a, assigned(r)) for s in statements for a in listed(s["Action"]) for r in listed(s["Resource"])}


def called_by_sam():
    """The permissions of the calls in SAM's sources."""
    called = set()
    for path, (service, name) in CALLING.items():
        client = boto3.client(service, region_name=REGION)
        for node in ast.walk(ast.parse(Path(samcli.__file__).parent.joinpath(path).read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func).startswith(name + ".")):
                continue
            method = ast.unparse(node.func).removeprefix(name + ".")
            if method == "get_waiter":
                operation = client.get_waiter(ast.literal_eval(node.args[0])).config.operation
            else:
                method = ast.literal_eval(node.args[0]) if method == "get_paginator" else method
                operation = client.meta.method_to_api_mapping.get(method)
            # What is no operation sends nothing: `meta.endpoint_url.…`.
            called |= {f"{service}:{operation}"} if operation else set()
    return {PERMISSIONS.get(action, action) for action in called}


def called_by_scripts():
    """The permissions of the AWS CLI's commands in infra/deploy, and in the output that these evaluate."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "infra/deploy").glob("*.sh")]
    texts.append(json.dumps(template["Outputs"]["Operator"]))
    command = re.compile(r"^[^#\n]*\baws ([a-z]+) ([a-z-]+) --", re.MULTILINE)
    commands = {found for text in texts for found in command.findall(text)}
    # What a message tells somebody to do is done with that somebody's rights.
    commands.discard(("cloudformation", "delete-stack"))
    return {f"{service}:{''.join(word.capitalize() for word in words.split('-'))}" for service, words in commands}


def a_workflow_may_do_what_a_deployment_does():
    allowed = {action for action, _ in allowed_to("DeployRole")}
    of_sam = called_by_sam()
    recorded = set((ROOT / "infra/deploy/calls.txt").read_text(encoding="utf-8").split())
    needed = (of_sam - NOT_CALLED.keys()) | called_by_scripts() | recorded | BESIDES.keys()
    for action in sorted(needed - allowed):
        check(False, f"DeployRole: may not {action}, as a deployment does")
    for action in sorted(allowed - needed):
        check(False, f"DeployRole: may {action}, but a deployment does not")
    for action in sorted(NOT_CALLED.keys() - of_sam):
        check(False, f"{action}: SAM does not call it any more, remove it from NOT_CALLED")


def needed_for(kind):
    """What CloudFormation needs for a type; what the operator may list is no part of that."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema
    needed = [handler["permissions"] for verb, handler in schema["handlers"].items() if verb != "list"]
    needed.append(schema.get("tagging", {}).get("permissions", []))
    return {one for permissions in needed for one in permissions}


def cloudformation_may_keep_every_resource():
    allowed, used = allowed_to("ExecutionRole"), set()
    kinds = {}
    for resource in [*template["Resources"].values(), *nested["Resources"].values()]:
        kinds.setdefault(resource["Type"], set()).update(resource.get("Properties", {}))
    for kind, properties in sorted(kinds.items()):
        names = next((names for start, names in ARNS.items() if kind.startswith(start)), [])
        names = ["arn:aws:" + name.format(a=ACCOUNT, r=REGION, s=STACK) for name in names]
        spared = [one for unset, them in OF_PROPERTIES.get(kind, {}).items() if unset not in properties for one in them]
        spared += [*WITHHELD.get(kind, {}), *NO_PERMISSIONS]
        for action in sorted(needed_for(kind)):
            given = [a for a, r in allowed if fnmatchcase(action, a) and any(fnmatchcase(name, r) for name in names)]
            excused = [one for one in spared if fnmatchcase(action, one)]
            used |= {(kind, one) for one in excused} | {one for one in excused if one in NO_PERMISSIONS}
            check(given or excused, f"ExecutionRole: {kind} needs {action}")
    for kind, excused in WITHHELD.items():
        for one in excused:
            check((kind, one) in used, f"{kind}: nothing needs {one} any more, remove it from WITHHELD")
    for one in NO_PERMISSIONS:
        check(one in used, f"{one}: no schema has it any more, remove it from NO_PERMISSIONS")


def functions_do_no_more_than_the_boundary_allows():
    boundary = made["Resources"]["Boundary"]["Properties"]["PolicyDocument"]["Statement"]
    bounded = {action for statement in boundary for action in listed(statement["Action"])}
    # What the managed policy that SAM gives to every role is there for.
    done = {"logs:CreateLogStream", "logs:PutLogEvents"}
    for name, resource in template["Resources"].items():
        if resource["Type"] != "AWS::IAM::Role":
            continue
        own = resource["Properties"].get("PermissionsBoundary", {}).get("Fn::If", [None] * 2)
        check(own[1] == {"Ref": "PermissionsBoundary"}, f"{name}: has no boundary")
        done |= set(re.findall(r'"([a-z0-9]+:[A-Z]\w+)"', json.dumps(resource["Properties"]["Policies"])))
    check(bounded == done, f"Boundary: allows {sorted(bounded - done)} too many, lacks {sorted(done - bounded)}")
    for statement in made["Resources"]["ExecutionRole"]["Properties"]["Policies"][0]["PolicyDocument"]["Statement"]:
        giving = {"iam:CreateRole", "iam:PutRolePolicy", "iam:AttachRolePolicy", "iam:PutRolePermissionsBoundary"}
        condition = statement.get("Condition", {}).get("StringEquals", {}).get("iam:PermissionsBoundary")
        free = giving & set(listed(statement["Action"])) if condition != {"Ref": "Boundary"} else set()
        check(not free, f"{statement['Sid']}: {sorted(free)} without the boundary")


made = yaml_parse((ROOT / "infra/github.yaml").read_text(encoding="utf-8"))
template = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
nested = json.loads(Path(sys.argv[1]).parent.joinpath("infra/watch.json").read_text(encoding="utf-8"))
prove(
    a_workflow_may_do_what_a_deployment_does,
    cloudformation_may_keep_every_resource,
    functions_do_no_more_than_the_boundary_allows,
)
