"""Compares how much code the launches of code.cpp come to."""

import json
import sys


def kernel(case):
    with open(f"{sys.argv[1]}.{case}") as file:
        (only,) = json.load(file)["kernels"]
    return only


found = {case: kernel(case) for case in sys.argv[2:]}
code = {case: found[case]["code_bytes"] for case in found}
part = code["first"] - code["none"]
# 100 instructions of 16 bytes, as estimated, and a few more.
assert 1600 <= part <= 1700, code
assert code["second"] == code["each"] == code["first"], code
assert code["both"] == code["none"] + 2 * part, code
assert code["later"] == code["none"], code


# 30 clocks for a line of 128 bytes, beside what the instructions take.
def latency(case):
    time = found[case]["time"]
    return time["units"]["latency"] * time["seconds"] * 1.38e9


assert latency("first") - latency("none") > part / 128 * 30, code
