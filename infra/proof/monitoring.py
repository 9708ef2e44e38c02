"""Holds alarms, dashboard and counted log lines against what is deployed.

An alarm on a metric that nobody emits is silent for ever, and no linter sees it. So every function, queue and
table must be watched, by dimensions that name it, and every log line that is counted must be one that the code
writes. With less than Watch=full only what is said to be watched is, and costs no more than that.
"""

import json
import re
import sys
from pathlib import Path

import folded
from findings import check, prove

ROOT = Path(__file__).resolve().parents[2]
# Most metrics that one alarm may evaluate (CloudWatch, "Alarms based on metric math").
METRICS_MAX = 10
# Most metrics on a dashboard that AWS takes nothing for (CloudWatch, "Pricing").
DASHBOARD_FREE = 50
# Metrics that every function has on the dashboard; alarms watch the first two.
OF_FUNCTIONS = ["Errors", "Throttles", "Duration", "ConcurrentExecutions"]
OF_API = ["Count", "4xx", "5xx", "Latency"]
OF_TABLE = [
    "ConsumedReadCapacityUnits",
    "ConsumedWriteCapacityUnits",
    "ReadThrottleEvents",
    "WriteThrottleEvents",
]
# Dimensions of services that are emitted; with others an alarm would wait for ever.
DIMENSIONS = {
    "AWS/ApiGateway": [{"ApiId"}],
    "AWS/DynamoDB": [{"TableName"}, {"TableName", "GlobalSecondaryIndexName"}],
    "AWS/Lambda": [{"FunctionName"}],
    "AWS/SQS": [{"QueueName"}],
}

template, basic, none = (folded.load(sys.argv[1], Watch=watch) for watch in ("full", "basic", "none"))
resources = template["Resources"]


def of_type(kind, of=template):
    return {name: r["Properties"] for name, r in of["Resources"].items() if r["Type"] == kind}


def named(value):
    """A dimension's value: the name of the resource that it refers to, or its text."""
    if isinstance(value, dict):
        return value.get("Ref") or value["Fn::GetAtt"][0]
    return value


functions = of_type("AWS::Lambda::Function")
queues = of_type("AWS::SQS::Queue")
dead = {q["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0] for q in queues.values() if "RedrivePolicy" in q}
alarms = of_type("AWS::CloudWatch::Alarm")
indexes = [
    (table, index["IndexName"])
    for table, properties in of_type("AWS::DynamoDB::Table").items()
    for index in properties.get("GlobalSecondaryIndexes", [])
]
operator = (ROOT / "infra/admin/src/target.rs").read_text(encoding="utf-8")
custom = set()


def metrics_of(alarm):
    """What an alarm evaluates: namespace, metric and dimensions of each."""
    for one in [q["MetricStat"]["Metric"] for q in alarm.get("Metrics", []) if "MetricStat" in q] or [alarm]:
        namespace = one["Namespace"]
        dimensions = {d["Name"]: named(d["Value"]) for d in one.get("Dimensions", [])}
        yield (json.dumps(namespace) if isinstance(namespace, dict) else namespace), one["MetricName"], dimensions


def everything_is_watched():
    watched = set()
    for name, alarm in alarms.items():
        metrics = list(metrics_of(alarm))
        check(len(metrics) <= METRICS_MAX, f"{name}: evaluates {len(metrics)} metrics")
        for namespace, metric, dimensions in metrics:
            known = DIMENSIONS.get(namespace, [set()])
            check(set(dimensions) in known, f"{name}: {namespace} has no metric by {sorted(dimensions)}")
            watched.add((metric, *dimensions.values()))
            if namespace not in DIMENSIONS:
                custom.add((namespace, metric))
        check(len(set(map(str, metrics))) == len(metrics), f"{name}: the same metric twice")
        words = alarm.get("AlarmDescription", "")
        # Two sentences at least: what is wrong, and what to do.
        check(60 < len(words) <= 1024 and ". " in words, f"{name}: does not say what to do")
        for queue in re.findall(r"--queue ([\w-]+?)[).,]", words):
            check(f'("{queue}", ' in operator, f"{name}: the operator's tool knows no queue {queue}")
        for kind in ("AlarmActions", "OKActions"):
            check("AlarmTopicArn" in json.dumps(alarm.get(kind)), f"{name}: {kind} tell nobody")
        check(alarm.get("TreatMissingData") == "notBreaching", f"{name}: is raised by silence")
    wanted = {(metric, f) for metric in OF_FUNCTIONS[:2] for f in functions}
    fed = {named(mapping["FunctionName"]) for mapping in of_type("AWS::Lambda::EventSourceMapping").values()}
    wanted |= {("RecursiveInvocationsDropped", f) for f in fed}
    wanted |= {("ApproximateNumberOfMessagesVisible", q) for q in dead}
    wanted |= {("ApproximateAgeOfOldestMessage", q) for q in set(queues) - dead}
    wanted |= {("5xx", api) for api in of_type("AWS::ApiGatewayV2::Api")}
    for throttles in OF_TABLE[2:]:
        wanted |= {(throttles, table) for table in of_type("AWS::DynamoDB::Table")}
        wanted |= {(throttles, *index) for index in indexes}
    for missing in sorted(wanted - watched):
        check(False, f"no alarm for {' of '.join(missing)}")


def less_is_watched_if_wanted():
    watched = {(m, *d.values()) for alarm in of_type("AWS::CloudWatch::Alarm", basic).values() for _, m, d in metrics_of(alarm)}
    wanted = {("5xx", api) for api in of_type("AWS::ApiGatewayV2::Api")}
    wanted |= {("ApproximateNumberOfMessagesVisible", q) for q in dead}
    check(watched == wanted, f"Watch=basic: watches {sorted(watched)}, not {sorted(wanted)}")
    for kind in ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard"):
        check(not of_type(kind, none), f"Watch=none: has {sorted(of_type(kind, none))}")


def the_budget_tells_whom_alarms_tell():
    budgets = of_type("AWS::Budgets::Budget")
    check(len(budgets) == 1, f"one budget bounds an account, not {list(budgets)}")
    for name, budget in budgets.items():
        told = [s for n in budget["NotificationsWithSubscribers"] for s in n["Subscribers"]]
        right = told and all(one == {"SubscriptionType": "SNS", "Address": {"Ref": "AlarmTopicArn"}} for one in told)
        check(right, f"{name}: tells {told}")


def backlogs_are_longer_than_one_attempt():
    for name, alarm in alarms.items():
        for _, metric, dimensions in metrics_of(alarm):
            if metric == "ApproximateAgeOfOldestMessage":
                visible = queues[dimensions["QueueName"]]["VisibilityTimeout"]
                check(alarm["Threshold"] > visible, f"{name}: raised by a message that is tried a second time")


def counted_lines_are_written():
    """Each `$.field = "text"` of a filter, and each field, is one of the code's log lines."""
    folders = ["lib/llm/src", "lib/webhook-delivery/src", "functions/deliveries/src", "lib/sqs-consumer/src"]
    sources = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.rs"))]
    lines = "".join(path.read_text(encoding="utf-8") for path in sources)
    logged = re.findall(r"(?s)tracing::(?:warn|error)!\((.*?)\);", lines)
    emitted = set()
    for name, filtered in of_type("AWS::Logs::MetricFilter").items():
        pattern = filtered["FilterPattern"]
        check(len(pattern) <= 1024, f"{name}: its pattern is too long")
        for field, text in re.findall(r'\$\.(\w+) !?= "([^"]*)"', pattern):
            if field == "message":
                writing = [one for one in logged if f'"{text}"' in one]
                check(writing, f"{name}: nobody logs {text!r}")
                for one in writing:
                    # Beside the text there would be another member of the same name.
                    twice = re.search(r"(?:^|,)\s*[%?]?message\s*[,=]", one.split('"')[0])
                    check(not twice, f"{name}: {text!r} is logged beside a field named message")
            else:
                check(f'#[error("{text}")]' in lines, f"{name}: no error is called {text!r}")
        for field in set(re.findall(r"\$\.(\w+)", pattern)) - {"message"}:
            fields = [re.findall(r"[\w]+", one.split('"')[0]) for one in logged]
            check(any(field in names for names in fields), f"{name}: no line has {field}")
        for made in filtered["MetricTransformations"]:
            emitted.add((json.dumps(made["MetricNamespace"]), made["MetricName"]))
    check(custom == emitted, f"alarms watch {sorted(custom)}, log lines make {sorted(emitted)}")
    # Whoever may ask a provider has a log in which failures are counted.
    asking = {
        name
        for name, role in of_type("AWS::IAM::Role").items()
        if "bedrock:InvokeModel" in json.dumps(role.get("Policies", []))
    }
    logs = {
        f["LoggingConfig"]["LogGroup"]["Ref"] for f in functions.values() if f["Role"]["Fn::GetAtt"][0] in asking
    }
    filtered = {
        f["LogGroupName"]["Ref"]
        for f in of_type("AWS::Logs::MetricFilter").values()
        if any(made["MetricName"] == "ProviderFailures" for made in f["MetricTransformations"])
    }
    check(logs == filtered, f"providers are asked with {sorted(logs)}, counted in {sorted(filtered)}")


def dashboards_show_everything():
    of_queues = {("ApproximateAgeOfOldestMessage", q) for q in set(queues) - dead}
    of_queues |= {("ApproximateNumberOfMessagesVisible", q) for q in dead}
    wanted = of_queues | {(metric, f) for metric in OF_FUNCTIONS[:2] for f in functions}
    wanted |= {(metric, api) for metric in OF_API for api in of_type("AWS::ApiGatewayV2::Api")}
    wanted |= {(metric, table) for metric in OF_TABLE[2:] for table in of_type("AWS::DynamoDB::Table")}
    wanted |= {(metric, *index) for metric in OF_TABLE[2:] for index in indexes}
    wanted |= {(metric,) for _, metric in custom}
    metrics = dashboard_shows("Watch=basic", basic, wanted)
    check(metrics <= DASHBOARD_FREE, f"Watch=basic: {metrics} metrics on the dashboard, {DASHBOARD_FREE} are free")
    wanted |= {(metric, f) for metric in OF_FUNCTIONS for f in functions}
    wanted |= {("ApproximateNumberOfMessagesVisible", q) for q in queues}
    wanted |= {(metric, table) for metric in OF_TABLE for table in of_type("AWS::DynamoDB::Table")}
    wanted |= {(metric, *index) for metric in OF_TABLE for index in indexes}
    dashboard_shows("Watch=full", template, wanted)


def dashboard_shows(name, watching, wanted):
    """Checks one dashboard; how many metrics it has."""
    boards = of_type("AWS::CloudWatch::Dashboard", watching)
    check(len(boards) == 1, f"{name}: one page is enough, not {list(boards)}")
    rows = 0
    for board in boards.values():
        text = board["DashboardBody"]["Fn::Sub"]
        referred = re.findall(r"\$\{([\w:]+)(?:\.\w+)?\}", text)
        for reference in set(referred) - set(resources) - {"AWS::Region", "AWS::StackName"}:
            check(False, f"{name}: {reference} is nothing here")
        try:
            widgets = folded.dashboard(text)["widgets"]
        except json.JSONDecodeError as error:
            check(False, f"{name}: is not JSON: {error}")
            continue
        shown, covered = set(), set()
        for widget in widgets:
            x, y, width, height = (widget[key] for key in ("x", "y", "width", "height"))
            cells = {(column, row) for column in range(x, x + width) for row in range(y, y + height)}
            check(x + width <= 24 and not cells & covered, f"{name}: widgets overlap at {x}, {y}")
            covered |= cells
            rows += len(widget["properties"].get("metrics", []))
            for _, metric, *dimensions in [list(m) for m in widget["properties"].get("metrics", [])]:
                values = [v for v in dimensions if isinstance(v, str)][1::2]
                shown.add((metric, *(re.sub(r"^\$\{(\w+)(\.\w+)?\}$", r"\1", v) for v in values)))
            seen = re.findall(r"\$\{(\w+)\.Arn\}", json.dumps(widget["properties"].get("alarms", [])))
            there = set(of_type("AWS::CloudWatch::Alarm", watching))
            check(widget["type"] != "alarm" or set(seen) == there, f"{name}: alarms shown are {seen}")
            read = re.findall(r"SOURCE '\$\{(\w+)\}'", widget["properties"].get("query", ""))
            logs = {f["LoggingConfig"]["LogGroup"]["Ref"] for f in functions.values()}
            check(widget["type"] != "log" or set(read) == logs, f"{name}: logs shown are {read}")
        kinds = {widget["type"] for widget in widgets}
        check(kinds == {"alarm", "metric", "log"}, f"{name}: has {sorted(kinds)}")
        for missing in sorted(wanted - shown):
            check(False, f"{name}: does not show {' of '.join(missing)}")
    return rows


prove(
    everything_is_watched,
    less_is_watched_if_wanted,
    the_budget_tells_whom_alarms_tell,
    backlogs_are_longer_than_one_attempt,
    counted_lines_are_written,
    dashboards_show_everything,
)
