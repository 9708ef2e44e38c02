"""Holds the translated template against the code that it deploys.

Linters know CloudFormation; they do not know which variables a function reads, which names the
table's keys have or how long an attempt may take. Those are read from the Rust sources here, so
that neither side can change alone.
"""

import json
import re
import sys
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path

import folded
from conditions import Deployment
from findings import check, prove

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "/v1"

# Managed policies that a role may have, each with the reason.
MANAGED = {
    "AWSLambdaBasicExecutionRole": "SAM gives it to every role that it makes; it only writes logs",
}
# Routes that the OpenAPI document does not have, and the function behind them.
EXTRA_ROUTES = {
    "$default": "system",  # unknown paths, in the service's own envelope
    "ANY /v1/openapi.json": "system",  # the document does not describe itself
    "ANY /v1/docs": "system",  # nor pages
    "ANY /v1/docs/{file}": "system",
    "ANY /v1/workbench": "system",
    "ANY /v1/workbench/{file}": "system",
    # Beside the versioned paths, which are all that the document describes.
    "ANY /.well-known/oauth-protected-resource": "system",
    "ANY /.well-known/oauth-protected-resource/v1": "system",
    # Tools describe themselves, in the protocol's own way.
    "ANY /v1/mcp": "mcp",
    "ANY /.well-known/oauth-protected-resource/v1/mcp": "mcp",
}
# What Lambda does in a function's name with a queue that feeds it (AWS, "Creating and configuring an Amazon SQS event
# source mapping").
POLLING = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]
# What no function reads: a change of it ends the instances that hold secrets of before. A changed description may not.
RESTARTING = "SECRETS_REVISION"
# What the AWS SDK reads, and with which functions do not take the roots that they bring along.
ROOTS = "SSL_CERT_FILE"
# What a developer's machine gives instead: secrets themselves, and how its S3 is addressed.
ON_A_MACHINE = {"SERVER_SECRET", "SERVER_SECRET_PREVIOUS", "S3_PATH_STYLE"}
# What is signed here and sent by others, in the name of the function that signed it.
PRESIGNED = ["uploads\ts3:PutObject\tBucket/uploads/*"]

# What functions run at once on an account that has asked AWS for nothing (AWS, "Lambda quotas"; docs/deploy.md says
# what to do on a new one, whose limit is still lower).
ACCOUNT_CONCURRENCY = 1_000
SMALL_ACCOUNT_CONCURRENCY = 10

# --- the code ------------------------------------------------------------------------------------


def source(path):
    return (ROOT / path).read_text(encoding="utf-8")


def found(path, pattern):
    """All that `pattern` finds in a source; it must find something, else the proof is outdated."""
    matches = re.findall(pattern, source(path))
    if not matches:
        sys.exit(f"{path} has nothing like {pattern!r} any more: adapt {Path(__file__).name}")
    return matches


def seconds(path, pattern):
    return int(found(path, pattern + r"Duration::from_secs\(([\d_]+)\)")[0].replace("_", ""))


def sources_of(folder):
    return "".join(p.read_text(encoding="utf-8") for p in sorted((ROOT / folder).rglob("*.rs")))


# --- the template --------------------------------------------------------------------------------

template = folded.load(sys.argv[1])
resources = template["Resources"]


def of_type(kind):
    return {name: r["Properties"] for name, r in resources.items() if r["Type"] == kind}


def target(value, attribute=None):
    """The resource that a Ref, or a GetAtt of `attribute`, names."""
    if attribute is None:
        return value.get("Ref") if isinstance(value, dict) else None
    got = value.get("Fn::GetAtt") if isinstance(value, dict) else None
    return got[0] if got and got[1] == attribute else None


def sub(value):
    """The text of a Sub; its form with variables of its own is not used here."""
    text = value.get("Fn::Sub") if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""


def listed(value):
    return value if isinstance(value, list) else [value]


functions = of_type("AWS::Lambda::Function")
binaries = {
    name: resources[name].get("Metadata", {}).get("BuildProperties", {}).get("Binary")
    for name in functions
}
queues = of_type("AWS::SQS::Queue")
mappings = of_type("AWS::Lambda::EventSourceMapping")
uploads = found("lib/store/src/uploads/files.rs", r'UPLOADS_PREFIX: &str = "(\w+)/"')


def functions_are_the_folders():
    folders = Counter(p.parts[-3] for p in ROOT.glob("functions/*/src/main.rs"))
    deployed = Counter(binaries.values())
    check(deployed == folders, f"functions: deployed {dict(deployed)}, in folders {dict(folders)}")
    for name in functions:
        method = resources[name].get("Metadata", {}).get("BuildMethod")
        check(method == "rust-cargolambda", f"{name}: BuildMethod is {method}")
        # By a parameter, a program could be built for one processor and deployed for another.
        processor = functions[name].get("Architectures")
        check(processor in (["arm64"], ["x86_64"]), f"{name}: built and deployed for {processor}, each time anew")


def roles_allow_what_functions_do_and_no_more():
    roles = of_type("AWS::IAM::Role")
    owners = sorted(str(target(function["Role"], "Arn")) for function in functions.values())
    check(owners == sorted(roles), f"not each function has a role of its own: {owners}, there are {sorted(roles)}")
    for name, role in roles.items():
        for arn in role.get("ManagedPolicyArns", []):
            check(str(arn).split("/")[-1] in MANAGED, f"{name}: managed policy {arn}")
    for name in functions:
        needed, allowed = needed_by(name), allowed_to(name)
        for action, resource in sorted(needed - allowed):
            check(False, f"{name}: may not {action} on {resource}, as it does")
        for action, resource in sorted(allowed - needed):
            check(False, f"{name}: may {action} on {resource}, but no test sees it do so (tests/calls.tsv)")
    for kind in ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy"):
        check(not of_type(kind), f"{kind} escapes this proof: write the policy at its function")


def called_by(name):
    """What a function calls, as the tests have seen it: pairs of an action and a resource, by its name."""
    code = sources_of(f"functions/{binaries[name]}/src")
    # What is linked into a function is called by it.
    linked = {binaries[name]} | {crate.replace("_", "-") for crate in re.findall(r"^use (\w+)::", code, re.MULTILINE)}
    rows = [row.split("\t") for row in source("tests/calls.tsv").splitlines() + PRESIGNED]
    return {(action, resource) for function, action, resource in rows if function in linked}


def needed_by(name):
    """What a function does: pairs of an action and a resource, by its name in the template."""
    code = sources_of(f"functions/{binaries[name]}/src")
    needed = called_by(name)
    if any(action == "s3:GetObject" for action, _ in needed):
        # Without it S3 says 403 of an object that is gone, and that looks like an outage.
        needed.add(("s3:ListBucket", "Bucket"))
    needed |= {(action, queue) for queue in fed_by(binaries[name]) for action in POLLING}
    # No test sees the calls for secrets, and those to models.
    if "SERVER_SECRET_ID" in read_by(name)[0]:
        needed.add(("secretsmanager:GetSecretValue", target(functions[name]["Environment"]["Variables"].get("SERVER_SECRET_ID"))))
    if re.search(r"\bllm::(connect|moderator)\(", code):
        keys = re.findall(r'_API_KEY_SECRET": {"Fn::If": \["\w+", {"Ref": "(\w+)"}', json.dumps(functions[name]["Environment"]))
        needed |= {("secretsmanager:GetSecretValue", key) for key in keys}
        needed.add(("bedrock:InvokeModel", "BedrockModelArns"))
    return needed


def allowed_to(name):
    """What a function's role allows, in the same terms; with other terms it is something that nobody needs."""
    allowed = set()
    for policy in of_type("AWS::IAM::Role").get(target(functions[name]["Role"], "Arn"), {}).get("Policies", []):
        for statement in map(if_wanted, listed(policy["PolicyDocument"]["Statement"])):
            plain = set(statement) - {"Sid"} == {"Effect", "Action", "Resource"} and statement["Effect"] == "Allow"
            check(plain, f"{name}/{statement.get('Sid', '?')}: only Action and Resource are read here")
            resources_of = map(resource_named, listed(statement.get("Resource", [])))
            allowed |= set(product(listed(statement.get("Action", [])), resources_of))
    return allowed


# What stands before the name of a table and of a bucket. Another one than the stack's may be in its place.
BEFORE_NAMES = {
    "Table": "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/",
    "Bucket": "arn:${AWS::Partition}:s3:::",
}


def named_without_a_choice(value):
    """Names of the stack's own table and bucket in whose place no other one can be."""
    if isinstance(value, list):
        return [name for one in value for name in named_without_a_choice(one)]
    if isinstance(value, str):
        return [name for name in BEFORE_NAMES if re.search(r"\$\{" + name + r"(\.Arn)?\}", value)]
    if not isinstance(value, dict) or any(value == choice_of(name) for name in BEFORE_NAMES):
        return []
    own = listed(value.get("Ref") or value.get("Fn::GetAtt") or "")[0]
    return [own] if own in BEFORE_NAMES else named_without_a_choice(list(value.values()))


def choice_of(name):
    return {"Fn::If": [f"HasExisting{name}", {"Ref": f"Existing{name}"}, {"Ref": name}]}


def another_table_and_bucket_may_be_in_place_of_the_own():
    written = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for section in ("Resources", "Outputs"):
        for name, one in written[section].items():
            for own in named_without_a_choice(one):
                check(False, f"{name}: uses {own}, whatever Existing{own} says")


def resource_named(value):
    for own, before in BEFORE_NAMES.items():
        if sub(value).startswith(before + "${" + own + "}"):
            return own + sub(value).removeprefix(before + "${" + own + "}")
    # Of these two kinds it is a Ref that names the ARN.
    by_ref = target(value) in {*of_type("AWS::SecretsManager::Secret"), "BedrockModelArns"}
    return target(value) if by_ref else target(value, "Arn") or json.dumps(value)


def fed_by(binary):
    """The queues that feed a function."""
    fed = [m for m in mappings.values() if binaries.get(target(m["FunctionName"])) == binary]
    return {target(m["EventSourceArn"], "Arn") for m in fed} & set(queues)


def if_wanted(value):
    """What stands where a condition holds."""
    return value["Fn::If"][1] if isinstance(value, dict) and "Fn::If" in value else value


def lets_the_bucket_tell(statement):
    """Whether a statement only lets buckets of this account put messages into a queue."""
    account = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
    return (
        statement.get("Principal") == {"Service": "s3.amazonaws.com"}
        and statement.get("Action") == "sqs:SendMessage"
        and statement.get("Condition") == account
    )


def resource_policies_demand_tls_and_allow_only_the_bucket():
    kinds = {"AWS::S3::BucketPolicy": "AWS::S3::Bucket", "AWS::SQS::QueuePolicy": "AWS::SQS::Queue"}
    for policy_kind, kind in kinds.items():
        covered = set()
        for name, policy in of_type(policy_kind).items():
            for statement in listed(policy["PolicyDocument"]["Statement"]):
                told = lets_the_bucket_tell(statement)
                check(statement["Effect"] == "Deny" or told, f"{name}: allows something")
                condition = statement.get("Condition", {}).get("Bool", {})
                if condition.get("aws:SecureTransport") == "false":
                    covered |= {resource_named(r) for r in listed(statement["Resource"])}
        check(set(of_type(kind)) <= covered, f"{kind} without TLS: {set(of_type(kind)) - covered}")


def quoted(path):
    """The variables that a source names in its code. What `sam local` alone gives is not deployed."""
    lines = [line for line in source(path).splitlines() if not line.lstrip().startswith("//")]
    return set(re.findall(r'"([A-Z][A-Z0-9_]{2,})"', "\n".join(lines))) - ON_A_MACHINE


def engine_variables():
    return set(re.findall(r"`([A-Z_]+)`", " ".join(found("lib/llm/src/config.rs", r"/// \| (`.*?) \|"))))


def read_by(name):
    """The variables that a function's code reads: those that it must have, and those that it may have."""
    main = source(f"functions/{binaries[name]}/src/main.rs")
    behind_api = "Config::read(" in main.replace("EngineConfig::read(", "")
    check(behind_api or "Storage::read(" in main, f"{name}: reads its variables in a way that is not known here")
    names = dict(found("lib/edge/src/runtime/storage.rs", r'Self::(\w+) => "(\w+)"'))
    storage = quoted("lib/edge/src/runtime/storage.rs") - set(names.values())
    must = storage | {names[resource] for resource in re.findall(r"\bResource::(\w+)", main)}
    if behind_api or "ServerSecret::read(" in main:
        must |= quoted("lib/edge/src/runtime/server_secret.rs")
    if behind_api:
        must |= quoted("lib/edge/src/runtime/config.rs")
    must |= quoted(f"functions/{binaries[name]}/src/main.rs")
    if "outbound_ports::read(" in main:
        must |= quoted("lib/edge/src/runtime/outbound_ports.rs")
    if "read_identity(" in main:
        must |= {"ENGINE"} | {variable for variable in engine_variables() if variable.endswith("_MODEL")}
    if "read_prices(" in main:
        must |= {"MODEL_PRICES"}
    may = engine_variables() if "EngineConfig::read(" in main else set()
    return must, must | may


def resources_used_by(name):
    """The variables of the resources that a function calls, with what each must name."""
    queues_of = {
        "OPERATIONS_QUEUE_URL": fed_by("processor"),
        "LIBRARY_QUEUE_URL": fed_by("library-indexer"),
        "DELIVERIES_QUEUE_URL": fed_by("deliveries"),
        "SLOW_DELIVERIES_QUEUE_URL": fed_by("deliveries"),
    }
    named = {"OperationsQueue": "OPERATIONS_QUEUE_URL", "LibraryQueue": "LIBRARY_QUEUE_URL",
             "DeliveriesQueue": "DELIVERIES_QUEUE_URL", "SlowDeliveriesQueue": "SLOW_DELIVERIES_QUEUE_URL",
             "Bucket": "BUCKET_NAME", "Table": "TABLE_NAME"}  # fmt: skip
    called = {resource.split("/")[0] for _, resource in called_by(name)}
    used = {named[resource] for resource in called if resource in named}
    targets = {"TABLE_NAME": set(of_type("AWS::DynamoDB::Table")), "BUCKET_NAME": set(of_type("AWS::S3::Bucket"))}
    return {variable: (targets | queues_of)[variable] for variable in used}


def variables_are_those_that_are_read():
    minimum = int(found("lib/edge/src/secrets.rs", r"MIN_LEN: usize = (\d+)")[0])
    # Who asks engines has all of their settings.
    engine = set()
    for name in functions:
        engine |= set(functions[name]["Environment"]["Variables"]) & engine_variables()
    for name, function in functions.items():
        variables = function.get("Environment", {}).get("Variables", {})
        # What has no value is not deployed: `sam local` gives it one.
        variables = {k: v for k, v in variables.items() if v != {"Ref": "AWS::NoValue"}}
        must, may = read_by(name)
        must |= may & engine
        restarts = variables.pop(RESTARTING, None) == {"Ref": "SecretsRevision"}
        check(restarts, f"{name}: no secret's revision restarts it")
        roots = variables.pop(ROOTS, {}).get("Fn::If", [None])[0]
        check(roots == "TrustsSystem" and f'"{ROOTS}"' in source("lib/aws-secrets/src/environment.rs"),
              f"{name}: no parameter gives it the system's roots")  # fmt: skip
        check(must <= set(variables), f"{name}: lacks {sorted(must - set(variables))}")
        check(set(variables) <= may, f"{name}: does not read {sorted(set(variables) - may)}")
        for variable, value in variables.items():
            check("{{resolve:" not in json.dumps(value), f"{name}: {variable} shows a secret")
        base = json.dumps(variables.get("BASE_URL", "${Api.ApiEndpoint}" + PREFIX))
        check("${Api.ApiEndpoint}" + PREFIX in base, f"{name}: BASE_URL is {base}")
        if "SERVER_SECRET_ID" in variables:
            secret = of_type("AWS::SecretsManager::Secret").get(target(variables["SERVER_SECRET_ID"]), {})
            length = secret.get("GenerateSecretString", {}).get("PasswordLength", 0)
            check(length >= minimum, f"{name}: SERVER_SECRET_ID names a secret of {length} characters, not {minimum}")
            accepts = target(variables.get("ACCEPT_PREVIOUS_SECRET"))
            check(accepts == "AcceptPreviousSecret", f"{name}: ACCEPT_PREVIOUS_SECRET is {accepts}")
        variables = Deployment(template).value(variables)
        used = resources_used_by(name)
        for variable, targets in used.items():
            check(target(variables.get(variable)) in targets, f"{name}: {variable} names another thing, or nothing")
        for variable in sorted({v for v in variables if v.endswith(("_QUEUE_URL", "_NAME"))} - used.keys()):
            check(False, f"{name}: has {variable}, but no test sees it call that (tests/calls.tsv)")
        lanes = [target(variables.get(v)) for v in used if v.endswith("DELIVERIES_QUEUE_URL")]
        check(len(set(lanes)) == len(lanes), f"{name}: knows one lane of deliveries under two names")


def ports_are_those_that_functions_read():
    """What the functions would refuse at their start is refused before anything is changed, and nothing else is."""
    pattern = template["Parameters"]["OutboundPorts"]["AllowedPattern"]
    cases = [line.split("\t") for line in source("lib/outbound/tests/suite/port_lists.tsv").splitlines() if line[0] != "#"]
    lists = found("lib/outbound/src/ports.rs", r"(?s)(?:BAD|SERVICE)_PORTS: \[u16; \d+\] = \[(.*?)\]")
    closed = {int(port) for ports in lists for port in ports.split(",") if port.strip()}
    cases += [("refused" if port in closed or port > 65_535 else "allowed", str(port)) for port in range(100_000)]
    for word, ports in cases:
        taken = re.fullmatch(pattern, ports) is not None
        check(taken == (word == "allowed"), f"OutboundPorts: {ports!r} is to be {word}")


def queues_are_patient_and_lose_nothing():
    dead = {}
    for name, queue in queues.items():
        redrive = queue.get("RedrivePolicy")
        if redrive:
            dead.setdefault(target(redrive["deadLetterTargetArn"], "Arn"), []).append(name)
    for name, queue in queues.items():
        if name in dead:
            allowed = queue.get("RedriveAllowPolicy", {})
            check(allowed.get("redrivePermission") == "byQueue", f"{name}: takes from every queue")
            arns = [sub(arn) for arn in allowed.get("sourceQueueArns", [])]
            owners = [sub(queues[owner].get("QueueName")) for owner in dead[name]]
            here = "arn:${AWS::Partition}:sqs:${AWS::Region}:${AWS::AccountId}:"
            exact = all(owners) and sorted(arns) == sorted(here + owner for owner in owners)
            check(exact, f"{name}: takes from {arns}, not {owners}")
            for owner in dead[name]:
                longer = queue["MessageRetentionPeriod"] > queues[owner]["MessageRetentionPeriod"]
                check(longer, f"{name}: keeps messages no longer than {owner}")
        else:
            check(queue.get("RedrivePolicy"), f"{name}: no dead-letter queue")
    for name in dead:
        check(name in queues, f"{dead[name]}: its dead-letter queue {name} does not exist")
    for name, mapping in mappings.items():
        queue = queues.get(target(mapping["EventSourceArn"], "Arn"), {})
        function = functions.get(target(mapping["FunctionName"]), {})
        visibility, timeout = queue.get("VisibilityTimeout", 30), function.get("Timeout", 3)
        # A message is hidden from the first moment of the window in which its batch is gathered.
        least = 6 * timeout + mapping.get("MaximumBatchingWindowInSeconds", 0)
        check(visibility >= least, f"{name}: visibility {visibility} s, its function and batches need {least} s")
        check(
            mapping.get("FunctionResponseTypes") == ["ReportBatchItemFailures"],
            f"{name}: one failure brings the whole batch back",
        )
        limit = mapping.get("ScalingConfig", {}).get("MaximumConcurrency")
        check(limit, f"{name}: may take all of the account's concurrency")


def chains_of_messages_do_not_end():
    """Lambda drops a message whose chain of requests has come to one function some 16 times (AWS, "Lambda recursive
    loop detection"), unless the function allows it. So whoever may send to what feeds it, itself or through others,
    must allow it; and nobody else, since it is a guard."""
    sends = {
        name: {queue for action, queue in allowed_to(name) if action == "sqs:SendMessage"} for name in functions
    }
    feeds = {}
    for mapping in mappings.values():
        feeds.setdefault(target(mapping["EventSourceArn"], "Arn"), set()).add(target(mapping["FunctionName"]))
    for name, function in functions.items():
        reached, waiting = set(), [name]
        while waiting:
            after = {f for queue in sends[waiting.pop()] for f in feeds.get(queue, ())} - reached
            reached |= after
            waiting += after
        allowed = function.get("RecursiveLoop") == "Allow"
        check(allowed or name not in reached, f"{name}: may send to its own source; Lambda would drop its messages")
        check(not allowed or name in reached, f"{name}: allows a loop, but cannot send to its own source")


def sources_fit_into_their_account():
    """All sources of a function together fit into what is reserved for it, else Lambda throttles messages of the
    one for the sake of the other. And all of them leave callers half of what the account has; of the ten of a small
    account two."""
    shared = Counter(json.dumps(m.get("ScalingConfig")) for m in mappings.values() if "Concurrency\"}" in json.dumps(m))
    check(max(shared.values()) == 1, f"event sources share a bound: {dict(shared)}")
    for small, most in (("false", ACCOUNT_CONCURRENCY // 2), ("true", SMALL_ACCOUNT_CONCURRENCY - 2)):
        deployment = Deployment(template, SmallAccount=small)
        where = f"SmallAccount={small}"
        wanted, fed = Counter(), set()
        for name, mapping in mappings.items():
            if "Condition" in resources[name] and not deployment.holds(resources[name]["Condition"]):
                continue
            fed.add(target(mapping["EventSourceArn"], "Arn"))
            wanted[target(mapping["FunctionName"])] += int(deployment.value(mapping["ScalingConfig"]["MaximumConcurrency"]))
        for name, concurrency in wanted.items():
            reserved = int(deployment.value(functions[name]).get("ReservedConcurrentExecutions", concurrency))
            check(concurrency <= reserved, f"{where}: {name}: {reserved} reserved, its sources take {concurrency}")
        together = sum(wanted.values())
        check(together <= most, f"{where}: queues take {together} at once, more than {most}")
        # Nothing is sent to where nobody receives.
        for name, function in functions.items():
            variables = deployment.value(function["Environment"]["Variables"])
            sent = {target(value) for value in variables.values()} & set(queues)
            check(sent <= fed, f"{where}: {name} sends to {sorted(sent - fed)}, which feed nothing")


def deadlines_end_before_the_machine():
    call = seconds("lib/domain/src/operation.rs", r"CALL_DEADLINE: Duration = ")
    settling = seconds("lib/workflow/src/lib.rs", r"SETTLING: Duration = ")
    attempt = seconds("lib/workflow/src/lib.rs", r"Self::new\(")
    lease = seconds("lib/library-search/src/compaction.rs", r"LEASE: Duration = ")
    announcing = seconds("lib/store/src/webhooks/queue.rs", r"END_TIMEOUT: Duration = ")
    check(announcing < settling, f"an announcement may take {announcing} s, settling {settling} s")
    batch = seconds("functions/deliveries/src/lib.rs", r"BUDGET: Duration = ")
    postponing = seconds("lib/sqs-consumer/src/lib.rs", r"QUEUE_TIMEOUT: Duration = ")
    place = seconds("lib/store/src/webhooks/attempts.rs", r"PERMIT_TTL: Duration = ")
    start = seconds("lib/aws-secrets/src/lib.rs", r"START_BUDGET: Duration = ")
    # Lambda gives an initialization ten seconds (AWS, "Understanding the Lambda execution environment lifecycle").
    check(start <= 7, f"secrets may take {start} s of the ten that a function has to start")
    for name, function in functions.items():
        timeout = function["Timeout"]
        if binaries[name] == "deliveries":
            # A message that fails may be sent anew, in vain, and is then postponed.
            least = batch + 2 * postponing
            check(timeout > least, f"{name}: timeout {timeout} s, a batch may take {least} s")
            check(timeout < place, f"{name}: timeout {timeout} s, an attempt's place lasts {place} s")
        if binaries[name] == "processor":
            least = attempt + settling
            check(timeout > least, f"{name}: timeout {timeout} s, an attempt may take {least} s")
        elif binaries[name] == "library-indexer":
            indexer = "functions/library-indexer/src/lib.rs"
            work = seconds(indexer, r"const BUDGET: Duration = ") + seconds(indexer, r"POSTPONING_BUDGET: Duration = ")
            check(work < timeout, f"{name}: timeout {timeout} s, a batch may take {work} s")
            check(timeout < lease, f"{name}: timeout {timeout} s, a snapshot's lease is {lease} s")
        else:
            # API Gateway waits 30 s, and no longer.
            check(call < timeout < 30, f"{name}: timeout {timeout} s, a call may take {call} s")


def index_name():
    return found("lib/store/src/table/keys.rs", r'pub const LIST: &str = "(\w+)"')[0]


def listed_attributes():
    block = found("lib/store/src/table/keys.rs", r"(?s)LIST_ATTRIBUTES: \[&str; \d+\] = \[(.*?)\];")[0]
    return re.findall(r'"(\w+)"', block)


# What one index may hold beside its keys (DynamoDB, "Service, account, and table quotas").
PROJECTED_MAX = 20


def table_is_the_one_of_the_store():
    names = dict(found("lib/store/src/table/keys.rs", r'pub const (\w+): &str = "(\w+)"'))
    projection = found("lib/store/src/table/schema.rs", r"\.projection_type\(ProjectionType::(\w+)\)")[0].upper()

    def keys(hash_key, range_key):
        return [
            {"AttributeName": names[hash_key], "KeyType": "HASH"},
            {"AttributeName": names[range_key], "KeyType": "RANGE"},
        ]

    expected = {
        "KeySchema": keys("PK", "SK"),
        "GlobalSecondaryIndexes": [
            {
                "IndexName": names["LIST"],
                "KeySchema": keys("LIST_PK", "LIST_SK"),
                "Projection": {"ProjectionType": projection, "NonKeyAttributes": listed_attributes()},
            }
        ],
        "AttributeDefinitions": [
            {"AttributeName": names[name], "AttributeType": "S"}
            for name in ("PK", "SK", "LIST_PK", "LIST_SK")
        ],
        "TimeToLiveSpecification": {"AttributeName": names["TTL"], "Enabled": True},
        "BillingMode": "PAY_PER_REQUEST",
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
        # Without it the key is DynamoDB's own, which costs no calls of KMS.
        "SSESpecification": None,
        "DeletionProtectionEnabled": {"Ref": "DeletionProtection"},
    }
    tables = of_type("AWS::DynamoDB::Table")
    check(len(tables) == 1, f"one table is all that the store knows, not {list(tables)}")
    for name, table in tables.items():
        for key, value in expected.items():
            actual = table.get(key)
            check(actual == value, f"{name}: {key} is {actual}, should be {value}")
        for index in table.get("GlobalSecondaryIndexes", []):
            projected = len(index["Projection"].get("NonKeyAttributes", []))
            check(
                projected <= PROJECTED_MAX,
                f"{name}: index {index['IndexName']} holds {projected} attributes, more than {PROJECTED_MAX}",
            )


def bucket_is_private_and_forgets_in_time():
    kept = seconds("lib/domain/src/operation.rs", r"RESULT_RETENTION: Duration = ")
    for name, bucket in of_type("AWS::S3::Bucket").items():
        block = bucket.get("PublicAccessBlockConfiguration", {})
        check(list(block.values()) == [True] * 4, f"{name}: may be public")
        owned = "BucketOwnerEnforced" in json.dumps(bucket.get("OwnershipControls"))
        check(owned, f"{name}: has access lists")
        check("BucketEncryption" in bucket, f"{name}: not encrypted")
        versioned = bucket.get("VersioningConfiguration") == {"Status": "Enabled"}
        check(versioned, f"{name}: deleted objects cannot be restored")
        rules = bucket.get("LifecycleConfiguration", {}).get("Rules", [])
        rules = [rule for rule in rules if rule["Status"] == "Enabled"]
        versions = {r["Prefix"]: r["NoncurrentVersionExpiration"]["NoncurrentDays"] for r in rules if "Prefix" in r}
        forgotten = {"temporary/": 1, f"{uploads[0]}/": 1, "library/": 14, "durable/": 14}
        check(versions == forgotten, f"{name}: deleted objects are forgotten after {versions} days")
        markers = any(rule.get("ExpiredObjectDeleteMarker") for rule in rules)
        check(markers, f"{name}: what marks objects as deleted stays for ever")
        rules = [rule for rule in rules if "ExpirationInDays" in rule]
        expiring = {rule.get("Prefix"): rule["ExpirationInDays"] for rule in rules}
        # Nothing but temporary objects expires, and these not before their records.
        wanted = {"temporary/", f"{uploads[0]}/"}
        check(set(expiring) == wanted, f"{name}: what expires is {expiring}")
        days = expiring.get("temporary/", 0)
        check(days * 86_400 > kept, f"{name}: objects live {days} days, results {kept} s")
        lifetime = found("lib/domain/src/upload.rs", r"RETENTION: Duration = Duration::from_secs\((\d+) \* 3_600\)")
        days = expiring.get(f"{uploads[0]}/", 0)
        check(days * 24 == int(lifetime[0]), f"{name}: uploads live {days} days")
        told = bucket.get("NotificationConfiguration", {}).get("QueueConfigurations", [])
        told = [target(one["Queue"], "Arn") for one in told]
        fed = {
            target(s["EventSourceArn"], "Arn")
            for s in mappings.values()
            if binaries.get(target(s["FunctionName"])) == "upload-events"
        }
        check(set(told) == fed, f"{name}: tells {told}, upload-events is fed by {fed}")
        rules = bucket.get("CorsConfiguration", {}).get("CorsRules", [])
        puts = [rule for rule in rules if "PUT" in rule["AllowedMethods"]]
        headers = {"content-type", "if-none-match"}
        right = puts and all(headers <= set(rule["AllowedHeaders"]) for rule in puts)
        check(right, f"{name}: browsers cannot put files")


def durable_things_outlive_the_stack():
    for name, resource in resources.items():
        if resource["Type"].split("::")[1] in ("DynamoDB", "SecretsManager") or (
            resource["Type"] == "AWS::S3::Bucket"
        ):
            # What the first deployment made is removed with it if that fails: nothing is in it yet.
            for policy, kept in (("DeletionPolicy", "RetainExceptOnCreate"), ("UpdateReplacePolicy", "Retain")):
                check(resource.get(policy) == kept, f"{name}: {policy} is not {kept}")


def logs_end_and_say_nothing_secret():
    groups = of_type("AWS::Logs::LogGroup")
    for name, group in groups.items():
        check("RetentionInDays" in group, f"{name}: kept forever")
    used = {}
    for name, function in functions.items():
        config = function.get("LoggingConfig", {})
        used[name] = target(config.get("LogGroup"))
        check(used[name] in groups, f"{name}: no log group of its own")
        check(config.get("LogFormat") == "JSON", f"{name}: logs are not JSON")
        # Lambda's own filter, which lets INFO and above pass unless it is told otherwise.
        level = config.get("ApplicationLogLevel")
        check(level == "TRACE", f"{name}: Lambda drops log lines that LogLevel asks for: its filter is {level}")
        # Failures are WARN (AWS, "System log level event mapping"): an alarm sends its reader to them.
        level = config.get("SystemLogLevel")
        check(level == "WARN", f"{name}: logs Lambda's own lines from {level} on")
    check(len(set(used.values())) == len(used), f"log groups are shared: {used}")
    for name, stage in of_type("AWS::ApiGatewayV2::Stage").items():
        try:
            fields = json.loads(stage.get("AccessLogSettings", {}).get("Format", "{}"))
        except json.JSONDecodeError as error:
            fields = {}
            check(False, f"{name}: access logs are not JSON: {error}")
        check("$context.requestId" in fields.values(), f"{name}: access logs lack the request")
        for field in fields.values():
            secret = re.search(r"query|header|auth|cookie", field, re.IGNORECASE)
            check(not secret, f"{name}: access logs tell {field}")
        settings = stage.get("RouteSettings", {})
        limits = stage.get("DefaultRouteSettings", {})
        limited = [{"ThrottlingRateLimit", "ThrottlingBurstLimit"} <= set(one) for one in [limits, *settings.values()]]
        check(all(limited), f"{name}: no throttling of all callers together")
        # What asks models, and what costs storage without a key. A setting of a route that is not there is refused.
        costly = {one["RouteKey"]: route for route, one in of_type("AWS::ApiGatewayV2::Route").items()
                  if one["RouteKey"] in settings}  # fmt: skip
        check(set(settings) == set(costly) and len(costly) == 10, f"{name}: settings of {sorted(settings)}")
        waited = set(resources[name].get("DependsOn", []))
        check(waited == set(costly.values()), f"{name}: is not made after the routes {waited ^ set(costly.values())}")
        lower = all(one["ThrottlingRateLimit"] < limits["ThrottlingRateLimit"] for one in settings.values())
        check(lower, f"{name}: expensive routes have no lower setting")
        # Under another name paths would begin with it.
        bare = stage.get("StageName") == "$default"
        check(bare and stage.get("AutoDeploy"), f"{name}: not $default, or not deployed by itself")


def routes_are_the_operations():
    """A path goes, with all its methods, to the function whose sources declare it.

    With all of them, so that it is this function that answers a wrong one: 405 with Allow.
    """
    paths = json.loads(source("infra/openapi.json")).get("paths", {})
    if not paths:
        sys.exit("infra/openapi.json has no paths: generate it first, routes cannot be proved")
    owners = {}
    for folder in set(binaries.values()):
        _, *declared = sources_of(f"functions/{folder}/src").split("#[utoipa::path(")
        for declaration in declared:
            path = re.search(r'\bpath = "([^"]+)"', declaration)[1]
            other = owners.setdefault(path, folder)
            check(other == folder, f"{path}: both {other} and {folder} have it, a route cannot")
    for path, folder in owners.items():
        check(path in paths, f"{path}: functions/{folder} has it, the document does not")
    expected = dict(EXTRA_ROUTES)
    for path in paths:
        check(path in owners, f"{path}: no function's sources declare it")
        expected["ANY " + PREFIX + path.removesuffix("/")] = owners.get(path)

    integrations = of_type("AWS::ApiGatewayV2::Integration")
    deployed = {}
    for name, route in of_type("AWS::ApiGatewayV2::Route").items():
        integration = re.findall(r"^integrations/\$\{(\w+)\}$", sub(route.get("Target")))
        uri = integrations.get(*integration or [""], {}).get("IntegrationUri")
        check(route["RouteKey"] not in deployed, f"{name}: {route['RouteKey']} is routed twice")
        deployed[route["RouteKey"]] = binaries.get(target(uri, "Arn"))
    # What `cargo lambda watch` serves on a developer's machine.
    workspace = tomllib.loads(source("Cargo.toml"))["workspace"]
    watched = workspace["metadata"]["lambda"]["watch"]["router"]
    watched = {f"ANY {path}": function for path, function in watched.items()}
    watched["$default"] = watched.pop("ANY /{*rest}", None)
    for key in sorted(set(expected) | set(deployed) | set(watched)):
        goes, belongs, beside = deployed.get(key), expected.get(key), watched.get(key)
        check(goes == belongs, f"route {key}: goes to {goes}, the code has it in {belongs}")
        check(beside == belongs, f"route {key}: Cargo.toml's router has it in {beside}, the code in {belongs}")

    # An HTTP API cannot give its own errors the service's form, as a REST API can: clients have to be told.
    told = {
        "infra/openapi.json": json.loads(source("infra/openapi.json"))["info"]["description"],
        "docs/limits-and-errors.md": source("docs/limits-and-errors.md"),
    }
    for name, api in of_type("AWS::ApiGatewayV2::Api").items():
        check(api.get("ProtocolType") == "HTTP", f"{name}: another kind of API has other errors")
        for page, text in told.items():
            words = ("API Gateway", '`{"message": ', "413", "429", "500", "503", "504")
            said = any(all(word in part for word in words) for part in text.split("\n\n"))
            check(said, f"{page}: does not say which errors are API Gateway's own, and what they have")
        closed = api.get("DisableExecuteApiEndpoint") == {"Fn::If": ["HasDomain", True, False]}
        check(closed, f"{name}: answers under API Gateway's own address beside the domain")
    callable_ = {
        target(p["FunctionName"])
        for p in of_type("AWS::Lambda::Permission").values()
        if sub(p.get("SourceArn")).endswith(":${Api}/*")
        and p["Principal"] == "apigateway.amazonaws.com"
    }
    for name, integration in integrations.items():
        check(integration.get("PayloadFormatVersion") == "2.0", f"{name}: not payload format 2.0")
        called = target(integration["IntegrationUri"], "Arn")
        check(called in callable_, f"{name}: the API may not call {called}")
    for name, permission in of_type("AWS::Lambda::Permission").items():
        check("SourceArn" in permission, f"{name}: every API of every account may call it")


prove(
    functions_are_the_folders,
    roles_allow_what_functions_do_and_no_more,
    resource_policies_demand_tls_and_allow_only_the_bucket,
    another_table_and_bucket_may_be_in_place_of_the_own,
    variables_are_those_that_are_read,
    ports_are_those_that_functions_read,
    queues_are_patient_and_lose_nothing,
    chains_of_messages_do_not_end,
    sources_fit_into_their_account,
    deadlines_end_before_the_machine,
    table_is_the_one_of_the_store,
    bucket_is_private_and_forgets_in_time,
    durable_things_outlive_the_stack,
    logs_end_and_say_nothing_secret,
    routes_are_the_operations,
)
