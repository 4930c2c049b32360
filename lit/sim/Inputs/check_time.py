# Checks what a report says of time: check_time.py REPORT [KERNEL=LIMITER]...
#
# With --sampled FULL the report is one of a sample, and each of its kernels must
# be what the full report has, within 5 %.
import argparse
import json
import math
import re
import sys

UNITS = "l1 l2 dram issue fp32 fp64 int shared latency launch".split()
parser = argparse.ArgumentParser()
parser.add_argument("report")
parser.add_argument("--kernels", type=int)
parser.add_argument("--sampled", metavar="FULL")
parser.add_argument("limiters", nargs="*")
options = parser.parse_intermixed_args()
wrong = []


def check_numbers(what, value):
    if isinstance(value, dict):
        for key, inner in value.items():
            check_numbers(what + "." + key, inner)
    elif isinstance(value, list):
        for inner in value:
            check_numbers(what, inner)
    elif isinstance(value, (int, float)) and not (math.isfinite(value) and value >= 0):
        wrong.append("%s is %r" % (what, value))


def check_time(what, time, units):
    least, most = time["range"]
    if not least <= time["seconds"] <= most:
        wrong.append("%s: %r is not in %r" % (what, time["seconds"], time["range"]))
    if not set(time["units"]) <= set(units) or time["limiter"] not in units:
        wrong.append("%s: units %r, limiter %r" % (what, list(time["units"]), time["limiter"]))
    if any(fraction > 1 + 1e-9 for fraction in time["units"].values()):
        wrong.append("%s: more than everything: %r" % (what, time["units"]))


def check_sample(kernel, full):
    if not 0 < kernel["sampled_blocks"] < full["blocks"]:
        wrong.append("%s: sampled %d blocks" % (kernel["demangled"], kernel["sampled_blocks"]))
    values = [(name, kernel[name], full[name]) for name in full if type(full[name]) is int]
    values.append(("seconds", kernel["time"]["seconds"], full["time"]["seconds"]))
    for name, is_now, want in values:
        if name in ("line", "barriers"):
            continue
        # Hits are told as rates.
        whole = full[name.replace("_hit", "")] if name.endswith("hit_sectors") else want
        if abs(is_now - want) > 0.05 * whole:
            wrong.append("%s: %s is %r, not %r" % (kernel["demangled"], name, is_now, want))


with open(options.report) as file:
    report = json.load(file)
check_numbers("report", report)
check_time("program", report["time"], UNITS + ["link"])
limiters = dict(word.split("=") for word in options.limiters)
for kernel in report["kernels"]:
    name = re.split("[(,]", kernel["demangled"])[0]
    check_time(name, kernel["time"], UNITS)
    if not 0 < kernel["occupancy"] <= 1:
        wrong.append("%s: occupancy %r" % (name, kernel["occupancy"]))
    limiter = limiters.pop(name, kernel["time"]["limiter"])
    if kernel["time"]["limiter"] != limiter:
        wrong.append("%s is limited by %s, not %s" % (name, kernel["time"]["limiter"], limiter))
if limiters:
    wrong.append("no such kernels: %s" % " ".join(limiters))
if options.kernels is not None and len(report["kernels"]) != options.kernels:
    wrong.append("%d kernels" % len(report["kernels"]))
if options.sampled:
    with open(options.sampled) as file:
        for kernel, full in zip(report["kernels"], json.load(file)["kernels"]):
            check_sample(kernel, full)
sys.exit("\n".join(wrong) or None)
