"""check_sarif.py FILE [RULE LEVEL URI LINE COLUMN]...: what SARIF 2.1.0 requires
of the parts that are used, and exactly the given results."""
import json
import re
import sys

from checks import fail, same


def only(where, value, required, optional=()):
    if not isinstance(value, dict):
        fail("%s is no object" % where)
    missing = set(required) - set(value)
    unknown = set(value) - set(required) - set(optional)
    if missing or unknown:
        fail("%s lacks %r, has %r" % (where, sorted(missing), sorted(unknown)))


def message(where, value):
    only(where, value, ["text"])
    if not isinstance(value["text"], str) or not value["text"]:
        fail("%s has no text" % where)


def natural(where, value, least):
    if type(value) is not int or value < least:
        fail("%s is %r" % (where, value))


with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)
only("the log", log, ["version", "runs"], ["$schema"])
same("version", log["version"], "2.1.0")
same("schema", log["$schema"].rsplit("/", 1)[1], "sarif-schema-2.1.0.json")
found = []
for run in log["runs"]:
    only("a run", run, ["tool", "results"], ["columnKind"])
    if run["columnKind"] not in ("utf16CodeUnits", "unicodeCodePoints"):
        fail("columnKind is %r" % run["columnKind"])
    only("tool", run["tool"], ["driver"])
    driver = run["tool"]["driver"]
    only("driver", driver, ["name"], ["version", "rules"])
    rules = driver["rules"]
    ids = [rule["id"] for rule in rules]
    same("rules that occur twice", len(ids), len(set(ids)))
    for rule in rules:
        only("a rule", rule, ["id"], ["fullDescription"])
        if "fullDescription" in rule:
            message("a description", rule["fullDescription"])
    for result in run["results"]:
        only("a result", result, ["message", "ruleId", "ruleIndex", "level",
                                  "locations"], ["occurrenceCount"])
        message("a message", result["message"])
        natural("ruleIndex", result["ruleIndex"], 0)
        same("rule", ids[result["ruleIndex"]], result["ruleId"])
        if result["level"] not in ("none", "note", "warning", "error"):
            fail("level is %r" % result["level"])
        natural("occurrenceCount", result.get("occurrenceCount", 1), 1)
        for location in result["locations"]:
            only("a location", location, [],
                 ["physicalLocation", "logicalLocations"])
            for logical in location.get("logicalLocations", []):
                only("a logical location", logical, ["fullyQualifiedName"])
            physical = location.get("physicalLocation")
            if physical is None:
                continue
            only("a physical location", physical, ["artifactLocation"],
                 ["region"])
            uri = physical["artifactLocation"]["uri"]
            if not re.fullmatch(r"(?:[A-Za-z0-9._~/:()!$&'*+,;=@-]"
                                r"|%[0-9A-F]{2})+", uri):
                fail("%r is no URI" % uri)
            region = physical.get("region", {"startLine": 1})
            only("a region", region, ["startLine"], ["startColumn"])
            natural("startLine", region["startLine"], 1)
            natural("startColumn", region.get("startColumn", 1), 1)
            found.append([result["ruleId"], result["level"], uri,
                          str(region["startLine"]),
                          str(region.get("startColumn", 1))])
if len(sys.argv) > 2:
    words = sys.argv[2:]
    same("results", found, [words[i:i + 5] for i in range(0, len(words), 5)])
