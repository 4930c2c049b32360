#!/usr/bin/env python3
"""Prints Ferry's annotations of a source file.

Usage: annotations.py <compile command>

For every annotated function, in the order of the module:

  <function>[ as <name in kernels>]: line <line>:<column>[ #<index>][ <flags>]
    <argument> <name>: <flags>, <size> bytes, align <alignment>
      +<offset> <kind> <name> <flags>[: <size> bytes, align <alignment>]
      | +<offset> ...           what the reference leads to, or an array holds
"""
import json
import re
import subprocess
import sys


def words(o, *flags):
    return "".join(" " + f for f in flags if o.get(f.replace(" ", "_")))


def extent(o):
    return "%d bytes, align %d" % (o["size"], o["align"])


def show(items, depth):
    for i in items:
        text = "+%d %s %s" % (i["offset"], i["kind"], i["name"] or "-")
        text += words(i, "union", "const", "recursive")
        if "size" in i:
            text += ": " + extent(i)
        if "count" in i:
            text += ": %d, stride %d" % (i["count"], i["stride"])
        print("    " + "| " * depth + text)
        show(i.get("layout", []), depth + 1)


run = subprocess.run(
    sys.argv[1:]
    + ["--offload-host-only", "-S", "-emit-llvm", "-Xclang"]
    + ["-disable-llvm-passes", "-o", "-"],
    stdout=subprocess.PIPE,
    text=True,
)
if run.returncode:
    sys.exit(run.returncode)
strings = {}
for name, text in re.findall(r'^(@[\w.]+) = .* c"(ferry\.region:.*)\\00"', run.stdout, re.M):
    raw = re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m.group(1), 16)), text)
    strings[name] = json.loads(raw.encode("latin-1").decode()[len("ferry.region:"):])
table = re.search(r"^@llvm\.global\.annotations = .*$", run.stdout, re.M)
for function, name in re.findall(
    r"\{ ptr (@[^,]+), ptr (@[\w.]+), ptr", table.group(0) if table else ""
):
    if name not in strings:
        print("%s: another annotation" % function[1:])
        continue
    region = strings[name]
    print(
        function[1:]
        + (" as " + region["function"] if "function" in region else "")
        + ": line %d:%d" % (region["line"], region["column"])
        + (" #%d" % region["index"] if region["index"] else "")
        + words(region, "unified shared memory")
    )
    for c in region["captures"]:
        kind = words(c, "lambda", "pointer", "const").strip() or "record"
        print("  %d %s: %s, %s" % (c["argument"], c["name"], kind, extent(c)))
        show(c.get("layout", []), 0)
