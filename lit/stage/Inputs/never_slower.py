"""Whether staging costs anything, from the reports of two runs of a program that launches each
of its kernels once: built without staging, and with it.

    never_slower.py plain.json staged.json --kernels N --fewer M

No kernel may take more than 1.02 times the predicted time, nor more than 1.1 times the
instructions where it does not load at least a tenth of the sectors less. M kernels at least do.
"""

import argparse
import json
import sys

TIME, INSTRUCTIONS, SECTORS = 1.02, 1.1, 0.9


def kernels(path):
    with open(path, encoding="utf-8") as file:
        return {k["name"].removesuffix("_unstaged"): k for k in json.load(file)["kernels"]}


parser = argparse.ArgumentParser()
parser.add_argument("plain")
parser.add_argument("staged")
parser.add_argument("--kernels", type=int, required=True)
parser.add_argument("--fewer", type=int, required=True)
asked = parser.parse_args()
plain, staged = kernels(asked.plain), kernels(asked.staged)
if len(plain) != asked.kernels or plain.keys() != staged.keys():
    sys.exit(f"{len(plain)} and {len(staged)} kernels")
fewer = slower = 0
for name, kernel in staged.items():
    time = kernel["time"]["seconds"] / plain[name]["time"]["seconds"]
    instructions, sectors = (
        kernel[counter] / plain[name][counter] for counter in ("thread_instructions", "global_load_sectors")
    )
    fewer += sectors <= SECTORS
    if time > TIME or (instructions > INSTRUCTIONS and sectors > SECTORS):
        slower += 1
        print(f"{kernel['demangled']}: {time:.3f} times the time, {instructions:.3f} the instructions, {sectors:.3f} the sectors")
if fewer < asked.fewer:
    print(f"{fewer} kernels load fewer sectors, {asked.fewer} were expected")
sys.exit(slower > 0 or fewer < asked.fewer)
