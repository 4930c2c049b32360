"""Compares what remarks of staging predict with what ferry-sim does.

    compare_predicted.py remarks.txt plain.json staged.json --gpu a100.json --iterations N

The remarks of a program, one launch of each of its kernels without staging, and
with it. N iterations of the loops that remarks are about are done in each
launch. The kernel with a remark is the one whose line is the last before the
remark's. Times are compared as clocks of a multiprocessor for an iteration of a
warp, without what each launch takes beside. Sectors are those that loads ask the
first level for, or, where it is said what a block needs, those that the first level
asks the second one for; with --sectors each remark has to name some.
"""

import argparse
import json
import re
import sys

WARP = 32
WITHIN = 0.25

# The line, sectors staged and plain, what these are of, clocks staged and plain.
REMARK = re.compile(
    r":(\d+):\d+: remark: staged [^;\n]*"
    r"(?:; ([\d.]+) instead of ([\d.]+) sectors ([^;\n]*))?"
    r"; predicted for [^\n]*?: ([\d.]+) instead of ([\d.]+) clocks"
)
# Which counter tells of such sectors.
COUNTERS = {
    "for an iteration of a warp": "global_load_sectors",
    "that the block needs for 32 iterations": "l2_read_sectors",
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("remarks")
    parser.add_argument("plain")
    parser.add_argument("staged")
    parser.add_argument("--iterations", type=int, required=True)
    parser.add_argument("--gpu", required=True, help="its description")
    parser.add_argument("--sectors", action="store_true")
    options = parser.parse_args()
    with open(options.remarks, encoding="utf-8") as file:
        said = REMARK.findall(file.read())
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
        _, sectors_staged, sectors_plain, of, clocks_staged, clocks_plain = mine[0]
        if options.sectors and not of:
            print(f"line {plain['line']}: nothing is said of sectors")
            wrong += 1
        for kernel, what, said_clocks, said_sectors in (
            (plain, "plain", clocks_plain, sectors_plain),
            (staged, "staged", clocks_staged, sectors_staged),
        ):
            time = kernel["time"]
            seconds = time["seconds"] * (1 - time["units"]["launch"])
            figures = [("clocks", said_clocks, seconds * clocks)]
            if of:
                figures.append(("sectors", said_sectors, kernel[COUNTERS[of]]))
            for unit, figure, total in figures:
                simulated = total * WARP / options.iterations
                good = abs(float(figure) / simulated - 1) <= WITHIN
                print(f"line {plain['line']}, {what}: said {figure} {unit}, simulated {simulated:.2f}"
                      + ("" if good else ", too far apart"))
                wrong += not good
    sys.exit(wrong > 0 or not said)


if __name__ == "__main__":
    main()
