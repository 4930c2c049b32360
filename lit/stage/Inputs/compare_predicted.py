"""Compares what remarks of staging predict with what ferry-sim does.

    compare_predicted.py remarks.txt plain.json staged.json --gpu a100.json --iterations N

The remarks of a program, one launch of each of its kernels without staging, and
with it. N iterations of the loops that remarks are about are done in each
launch. The kernel with a remark is the one whose line is the last before the
remark's. Times are compared as clocks of a multiprocessor for an iteration of a
warp, without what each launch takes beside.
"""

import argparse
import json
import re
import sys

WARP = 32
WITHIN = 0.25


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("remarks")
    parser.add_argument("plain")
    parser.add_argument("staged")
    parser.add_argument("--iterations", type=int, required=True)
    parser.add_argument("--gpu", required=True, help="its description")
    options = parser.parse_args()
    with open(options.remarks, encoding="utf-8") as file:
        said = re.findall(
            r":(\d+):\d+: remark: staged .*?; predicted for .*?: ([\d.]+) instead of ([\d.]+) clocks",
            file.read(),
        )
    reports = []
    for path in (options.plain, options.staged):
        with open(path, encoding="utf-8") as file:
            reports.append(json.load(file))
    with open(options.gpu, encoding="utf-8") as file:
        gpu = json.load(file)
    clocks = gpu["clock_ghz"] * 1e9 * gpu["multiprocessors"]
    wrong = 0
    for plain, staged in zip(*(sorted(r["kernels"], key=lambda k: k["line"]) for r in reports)):
        # Inlined parts of a kernel may be anywhere behind its line.
        lines = [k["line"] for k in reports[0]["kernels"]]
        mine = [
            s for s in said
            if plain["line"] == max((l for l in lines if l <= int(s[0])), default=0)
        ]
        if len(mine) != 1:
            print(f"line {plain['line']}: {len(mine)} remarks")
            wrong += 1
            continue
        for kernel, what, figure in ((plain, "plain", mine[0][2]), (staged, "staged", mine[0][1])):
            time = kernel["time"]
            seconds = time["seconds"] * (1 - time["units"]["launch"])
            simulated = seconds * clocks * WARP / options.iterations
            ratio = float(figure) / simulated
            good = abs(ratio - 1) <= WITHIN
            print(f"line {plain['line']}, {what}: said {figure}, simulated {simulated:.2f}"
                  + ("" if good else ", too far apart"))
            wrong += not good
    sys.exit(wrong > 0 or not said)


if __name__ == "__main__":
    main()
