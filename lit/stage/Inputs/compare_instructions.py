"""Runs a program, and the same with -off behind its name, on the simulated GPU: its output must
be the same, and the instructions that one kernel takes at most so many times the other's.

    compare_instructions.py SIMULATOR PROGRAM ARGUMENTS... --most RATIO --copies N --machine RATIO
        [--conflicts N]

N: requests that store to shared memory. --machine is the same of machine instructions, by the
simulator's estimate. No bank may be in conflict, but for so many times as --conflicts says, where
the first of the arguments, the steps of a row, is a multiple of 16: what is unrolled.
"""

import argparse
import json
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("simulator")
parser.add_argument("program")
parser.add_argument("arguments", nargs="*")
parser.add_argument("--most", type=float, required=True)
parser.add_argument("--copies", type=int, required=True)
parser.add_argument("--machine", type=float)
parser.add_argument("--conflicts", type=int, default=0)
asked = parser.parse_args()


def run(name):
    report = name + ".json"
    command = [asked.simulator, "--strict", "--quiet", "--json", report, "--", name]
    output = subprocess.run([*command, *asked.arguments], check=True, capture_output=True, text=True)
    with open(report) as text:
        return output.stdout, json.load(text)["totals"]


def ratio(count):
    return count(staged) / count(plain)


(plain_output, plain), (output, staged) = run(asked.program + "-off"), run(asked.program)
instructions = ratio(lambda totals: totals["thread_instructions"])
machine = ratio(lambda totals: sum(totals["warp_instructions"].values()))
copies = staged["shared_store_requests"]
conflicts = staged["shared_bank_conflicts"]
print(f"instructions {instructions:.3f}, of the machine {machine:.3f}")
print(f"copies {copies}, conflicts {conflicts}")
if output != plain_output or not output:
    sys.exit("the results differ")
if instructions > asked.most:
    sys.exit(f"{instructions:.3f} times the instructions, {asked.most} are allowed")
if asked.machine and machine > asked.machine:
    sys.exit(f"{machine:.3f} times the machine instructions, {asked.machine} are allowed")
if copies != asked.copies:
    sys.exit(f"{asked.copies} requests that store to shared memory were expected")
if conflicts > asked.conflicts and int(asked.arguments[0]) % 16 == 0:
    sys.exit(f"{conflicts} bank conflicts")
