"""Compares the times that a remark predicts with those of the simulator.

compare_price.py remarks plain.json staged.json iterations: exit 1 if one of a
kernel's two times is off by more than a quarter.
"""

import json
import re
import sys

REMARK = re.compile(r"predicted for (.+?): ([\d.]+) instead of ([\d.]+) clocks")


def clocks(path, iterations):
    """Of a multiprocessor, for an iteration of a warp."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    (kernel,) = report["kernels"]
    launch = kernel["time"]["units"]["launch"] * kernel["time"]["seconds"]
    seconds = (kernel["time"]["seconds"] - launch) / kernel["launches"]
    ghz = {"NVIDIA A100-SXM4-80GB": 1.41, "NVIDIA H100 80GB HBM3": 1.755}
    device = report["device"]
    clock = ghz[device["name"]] * 1e9
    return device["name"], seconds * clock * device["multiprocessors"] / (iterations / 32)


with open(sys.argv[1], encoding="utf-8") as file:
    (said,) = set(REMARK.findall(file.read()))
bad = False
for path, predicted in ((sys.argv[2], said[2]), (sys.argv[3], said[1])):
    name, simulated = clocks(path, int(sys.argv[4]))
    bad |= name != said[0] or not 0.75 < float(predicted) / simulated < 1.25
    print(f"{name}: {predicted} predicted, {simulated:.1f} simulated")
sys.exit(bad)
