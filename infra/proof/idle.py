"""Computes what a deployment costs in a month in which nobody calls it, from the template and the prices of
infra/tables.md.

    idle.py <template.json> [--write]    fails if the table in docs/costs.md is another one, or writes it
"""

import re
import sys
import tomllib
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import folded
from conditions import Deployment

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/costs.md"
HEAD = "| each month | `Watch=none` | `Watch=basic` | `Watch=full` |"
# Lambda polls a queue over five connections, and each call waits for 20 s (AWS, "Using Lambda with Amazon SQS").
POLLS = Decimal(5 * 3 * 60 * 24 * 30) / 1_000_000
# Most metrics on a dashboard of the cheaper kind.
SMALL = 50
# Most that a developer's stack may cost within what AWS takes nothing for.
DEV_MOST = Decimal(2)

tables = (ROOT / "infra/tables.md").read_text(encoding="utf-8")


def prices(name):
    """The price of a thing for a month, and how many of it are free."""
    row = re.search(rf"(?m)^\| {name} \| ([\d.]+) \| (\d+) \|$", tables)
    return Decimal(row[1]), int(row[2])


def counted(watch):
    """What there is of each thing."""
    template = folded.load(sys.argv[1], Watch=watch)
    resources = Deployment(template).resources()

    def of(kind):
        return [r["Properties"] for r in resources.values() if r["Type"] == kind]

    alarms = [alarm.get("Metrics", [{"MetricStat": alarm}]) for alarm in of("AWS::CloudWatch::Alarm")]
    metrics = [[one for one in alarm if "MetricStat" in one] for alarm in alarms]
    boards = [folded.dashboard(board["DashboardBody"]["Fn::Sub"]) for board in of("AWS::CloudWatch::Dashboard")]
    shown = [sum(len(w["properties"].get("metrics", [])) for w in board["widgets"]) for board in boards]
    return {
        "metrics in alarms": sum(map(len, metrics)),
        "secrets": len(of("AWS::SecretsManager::Secret")),
        "millions of polls of empty queues, by Lambda": POLLS * len(of("AWS::Lambda::EventSourceMapping")),
        "dashboards of up to 50 metrics": sum(rows <= SMALL for rows in shown),
        "larger dashboards": sum(rows > SMALL for rows in shown),
    }


def cost(counts, with_free):
    total = Decimal(0)
    for name, count in counts.items():
        price, free = prices(name)
        total += price * max(0, count - (free if with_free else 0))
    return total.quantize(Decimal("0.01"), ROUND_HALF_UP)


def main():
    levels = {watch: counted(watch) for watch in ("none", "basic", "full")}
    rows = [HEAD, "|---|---|---|---|"]
    for name in levels["full"]:
        rows.append(f"| {name} | {' | '.join(f'{float(counts[name]):g}' for counts in levels.values())} |")
    rows.append(f"| $ at list prices | {' | '.join(str(cost(c, False)) for c in levels.values())} |")
    rows.append(f"| $ after the free tier | {' | '.join(str(cost(c, True)) for c in levels.values())} |")
    table = "\n".join(rows) + "\n"
    page = PAGE.read_text(encoding="utf-8")
    there = re.search(re.escape(HEAD) + r"\n(?:\|.*\n)*", page)
    if "--write" in sys.argv:
        PAGE.write_text(page.replace(there[0], table), encoding="utf-8")
    elif there[0] != table:
        sys.exit(f"docs/costs.md has another table (infra/proof/costs.sh --write corrects it):\n{table}")
    config = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    watch = dict(o.split("=", 1) for o in config["dev"]["deploy"]["parameters"]["parameter_overrides"].split())["Watch"]
    if cost(levels[watch], True) > DEV_MOST:
        sys.exit(f"dev costs ${cost(levels[watch], True)} a month, more than ${DEV_MOST}")
    print(f"  idle, dev costs ${cost(levels[watch], True)} a month")


main()
