#!/usr/bin/env python3
"""summary.py REPORT STATUS: the closing lines of a test run.

REPORT is the JSON file of `lit -o`, STATUS lit's own exit status. Prints which
tests were not run and why, then "N passed, N failed". The exit status is 0 only
if something passed and nothing failed.
"""
import json
import re
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    report, status = sys.argv[1], int(sys.argv[2])
    try:
        with open(report) as file:
            tests = json.load(file)["tests"]
    except OSError:
        tests = []

    passed = [t for t in tests if t["code"] in PASSED]
    not_run = [t for t in tests if t["code"] in NOT_RUN]
    failed = len(tests) - len(passed) - len(not_run)
    for test in not_run:
        why = re.sub(r"\s+", " ", test["output"] or "").strip()
        print("not run: %s (%s)" % (test["name"], why))
    if status and not failed:
        print("lit ended with status %d before it could finish" % status)
        failed = 1
    print("%d passed, %d failed" % (len(passed), failed))
    return 0 if passed and not failed else 1


sys.exit(main())
