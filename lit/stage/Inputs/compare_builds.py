"""What the kernels of two builds of a program take, from the reports of a run of each.

    compare_builds.py one.json other.json --of {instructions,time} --most RATIO --kernels N

Each of N kernels, which are paired by their lines, has to be staged in the other, and to take
there at most RATIO times what it takes in the one: machine instructions of warps, or predicted
time.
"""

import argparse
import json
import sys

FIGURES = {
    "instructions": lambda kernel: sum(kernel["warp_instructions"].values()),
    "time": lambda kernel: kernel["time"]["seconds"],
}


def kernels(path):
    with open(path, encoding="utf-8") as file:
        return sorted(json.load(file)["kernels"], key=lambda k: k["line"])


parser = argparse.ArgumentParser()
parser.add_argument("one")
parser.add_argument("other")
parser.add_argument("--of", choices=FIGURES, required=True)
parser.add_argument("--most", type=float, required=True)
parser.add_argument("--kernels", type=int, required=True)
asked = parser.parse_args()
builds = kernels(asked.one), kernels(asked.other)
if [len(build) for build in builds] != [asked.kernels] * 2:
    sys.exit(f"{len(builds[0])} and {len(builds[1])} kernels")
for pair in zip(*builds):
    if not pair[1]["static_shared_bytes"]:
        sys.exit(f"{pair[1]['name']}: is not staged")
    one, other = map(FIGURES[asked.of], pair)
    print(f"{pair[1]['name']}: {one} and {other}")
    if other > asked.most * one:
        sys.exit(f"{other / one:.3f} times as much, {asked.most} are allowed")
