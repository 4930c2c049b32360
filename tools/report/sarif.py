"""Findings and missed remarks for editors and code hosts, as SARIF 2.1.0."""
import json
import os
from urllib.parse import quote

SCHEMA = ("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
          "sarif-schema-2.1.0.json")


def _location(file, line, column, function):
    location = {}
    if file:
        path = quote(os.path.normpath(file))
        uri = "file://" + path if os.path.isabs(file) else path
        physical = {"artifactLocation": {"uri": uri}}
        if line:
            physical["region"] = {"startLine": int(line)}
            if column:
                physical["region"]["startColumn"] = int(column)
        location["physicalLocation"] = physical
    if function:
        location["logicalLocations"] = [{"fullyQualifiedName": function}]
    return [location] if location else []


def _result(rule, level, text, locations):
    return {"ruleId": rule, "level": level, "message": {"text": text},
            "locations": locations}


def _of_finding(finding):
    text = "%s in kernel %s, block (%s), thread (%s), address %s" % (
        finding["text"] or finding["kind"], finding["demangled"],
        ", ".join("%d" % n for n in finding["block"]),
        ", ".join("%d" % n for n in finding["thread"]), finding["address"])
    result = _result("ferry-sim/" + finding["kind"], "error", text,
                     _location(finding["file"], finding["line"],
                               finding["column"], finding["function"]))
    if finding["count"] >= 1:
        result["occurrenceCount"] = int(finding["count"])
    return result


def _of_check(check):
    text = check["message"]
    if check["hint"]:
        text += "; hint: " + check["hint"]
    # Where the pointer is used says more than where the region begins.
    used = bool(check["used_line"])
    location = _location(check["used_file" if used else "file"],
                         check["used_line" if used else "line"], 0,
                         check["kernel"])
    level = "error" if check["severity"] == "error" else "note"
    result = _result("ferry-check/" + check["kind"], level, text, location)
    if check["times"] >= 1:
        result["occurrenceCount"] = int(check["times"])
    return result


def _of_remark(remark):
    name = remark.reason or remark.name
    return _result("%s/%s" % (remark.passname, name), "note", remark.text,
                   _location(remark.file, remark.line, remark.column,
                             remark.region))


def write(run, remarks, meanings, version):
    """The text of a SARIF file: one run, a rule for each name that occurs."""
    results = [_of_finding(f) for f in run.findings]
    results += [_of_check(c) for c in run.checks]
    results += [_of_remark(r) for r in remarks if r.kind == "Missed"]
    rules = []
    for name in sorted({result["ruleId"] for result in results}):
        rule = {"id": name}
        meaning = meanings.get(name.split("/", 1)[1])
        if meaning:
            rule["fullDescription"] = {"text": meaning}
        rules.append(rule)
    index = {rule["id"]: i for i, rule in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = index[result["ruleId"]]
    driver = {"name": "ferry-report", "version": version, "rules": rules}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [
        {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints",
         "results": results}]}, indent=1, ensure_ascii=False) + "\n"
