"""Says what one translated template has and another has not, resource by resource.

    compare_templates.py <before> <after>    template.json of two folders that transform.py has written

Nested templates are compared as if they stood in the template that nests them: a resource that only moved is the
same. Fails if anything differs.
"""

import json
import sys

import folded


def sides(path):
    template = folded.load(path)
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::CloudWatch::Dashboard":
            body = resource["Properties"]["DashboardBody"]
            body["Fn::Sub"] = folded.dashboard(body["Fn::Sub"])
    return template


def differences(before, after, where=""):
    """Each place in which two values differ, with both."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(set(before) | set(after)):
            yield from differences(before.get(key), after.get(key), f"{where}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after)):
            yield from differences(one, other, f"{where}[{index}]")
    elif before != after:
        yield f"{where.lstrip('.')}: {json.dumps(before)} -> {json.dumps(after)}"


def main(*paths):
    before, after = map(sides, paths)
    moved_from, moved_to = before.pop("Folded"), after.pop("Folded")
    findings = 0
    for section in sorted(set(before) | set(after)):
        old, new = before.get(section, {}), after.get(section, {})
        if not isinstance(old, dict):
            old, new = {section: old}, {section: new}
        same = [name for name in old if name in new and old[name] == new[name]]
        print(f"{section}: {len(old)} before, {len(new)} after, {len(same)} the same")
        if section == "Resources":
            moved = {name: (moved_from.get(name), moved_to.get(name)) for name in same}
            for way in sorted({way for way in moved.values() if way[0] != way[1]}, key=str):
                names = [name for name in moved if moved[name] == way]
                print(f"  {len(names)} of them moved from {way[0] or 'outside'} to {way[1] or 'outside'}")
        for name in [*old, *(name for name in new if name not in old)]:
            if name in same:
                continue
            findings += 1
            what = "lost" if name not in new else "added" if name not in old else "changed"
            print(f"  {what}: {name}")
            for difference in differences(old[name], new[name]) if what == "changed" else ():
                print(f"    {difference}")
    return findings > 0


sys.exit(main(*sys.argv[1:]))
