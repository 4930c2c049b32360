"""Runs a program, and the same with -off behind its name, on the simulated GPU: its output must
be the same, and the instructions that one kernel takes at most so many times the other's.

    compare_instructions.py SIMULATOR PROGRAM ARGUMENTS... --most RATIO --copies N

N: requests that store to shared memory. No bank may be in conflict where the first of the
arguments, the steps of a row, is a multiple of 16: what is unrolled.
"""

import json
import subprocess
import sys

split = sys.argv.index("--most")
simulator, program, *arguments = sys.argv[1:split]
most, copies = float(sys.argv[split + 1]), int(sys.argv[split + 3])


def run(name):
    report = name + ".json"
    command = [simulator, "--strict", "--quiet", "--no-time", "--json", report, "--", name]
    output = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True)
    with open(report) as text:
        return output.stdout, json.load(text)["totals"]


(plain_output, plain), (output, staged) = run(program + "-off"), run(program)
ratio = staged["thread_instructions"] / plain["thread_instructions"]
conflicts = staged["shared_bank_conflicts"]
print(f"instructions {ratio:.3f}, copies {staged['shared_store_requests']}, conflicts {conflicts}")
if output != plain_output or not output:
    sys.exit("the results differ")
if ratio > most:
    sys.exit(f"{ratio:.3f} times the instructions, {most} are allowed")
if staged["shared_store_requests"] != copies:
    sys.exit(f"{copies} requests that store to shared memory were expected")
if conflicts and int(arguments[0]) % 16 == 0:
    sys.exit(f"{conflicts} bank conflicts")
