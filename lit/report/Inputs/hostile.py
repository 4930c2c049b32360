"""hostile.py RUN.json FOLDER: writes a run, records and sources into the folder
in which each text is an attack on a page, a terminal or a file system."""
import json
import os
import sys

ATTACKS = [
    "<script>alert(1)</script>", "</script><script>alert(2)</script>",
    "\"><img src=x onerror=alert(3)>", "' onmouseover='alert(4)",
    "</style><style>body{display:none}</style>", "javascript:alert(5)",
    "{{ 7 * 191 }}{% for x in y %}", "<!--", "]]><svg onload=alert(6)>",
    "&lt;b&gt;&amp;", "\x1b[31mred\x1b]0;title\x07", "\u202eright to left",
    "a\x00b", "\ud800", "`$(touch owned)`", "<a href=http://x/>y</a>",
    "%s%n{0}", "</textarea></title></bdi></code></details>"]
ALL = "".join(ATTACKS)

with open(sys.argv[1]) as file:
    run = json.load(file)
names = {}
for number, kernel in enumerate(run["kernels"]):
    names[kernel["name"]] = kernel["name"] + ALL
    kernel["name"] += ALL
    kernel["demangled"] = ALL + str(number)
    kernel["file"] = ALL + ".cpp"
    kernel["occupancy_limit"] = ALL
    kernel["time"]["limiter"] = ALL
for line in run["lines"]:
    line["kernels"] = [names[name] for name in line["kernels"]]
    if line["file"]:
        line["file"] = "<i>.cpp"
run["device"]["name"] = run["device"]["architecture"] = ALL
run["time"]["limiter"] = ALL
run["errors"] = [ALL]
run["findings"] = [{
    "kind": ALL, "text": ALL, "kernel": ALL, "demangled": ALL, "file": ALL,
    "line": 1, "column": 1, "function": ALL, "block": [0, 0, 0],
    "thread": [0, 0, 0], "address": ALL, "count": 1}]
# What a report names, but the folder does not hold.
for name in ("/etc/passwd", "../secret.cpp", "link.cpp", "fifo.cpp"):
    run["lines"].append(dict(run["lines"][1], file=name, line=1))

folder = sys.argv[2]
os.makedirs(os.path.join(folder, "src"))
with open(os.path.join(folder, "run.json"), "w") as file:
    json.dump(run, file)
with open(os.path.join(folder, "secret.cpp"), "w") as file:
    file.write("the secret\n")
os.symlink("../secret.cpp", os.path.join(folder, "src", "link.cpp"))
os.mkfifo(os.path.join(folder, "src", "fifo.cpp"))
with open(os.path.join(folder, "src", "<i>.cpp"), "wb") as file:
    for number in range(60):
        attack = ATTACKS[number % len(ATTACKS)].encode("utf-8", "replace")
        file.write(b"\xff\t" + attack + b"\r\n")


def quoted(text):
    return json.dumps(text.replace("\ud800", ""))


with open(os.path.join(folder, "remarks.yaml"), "w") as file:
    for kind in ("Passed", "Missed", "Analysis"):
        file.write("--- !%s\nPass: %s\nName: %s\nFunction: %s\n"
                   "DebugLoc: { File: '<i>.cpp', Line: 26, Column: 14 }\n"
                   "Args:\n  - String: %s\n  - Reason: %s\n...\n"
                   % (kind, quoted("ferry-" + ALL), quoted(ALL),
                      quoted(run["kernels"][0]["name"]), quoted(ALL),
                      quoted(ALL)))
