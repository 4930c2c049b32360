"""nest_times.py GPUS OUT STEPS COMPILE SIMULATE: builds a product of so many
steps for two GPUs, of both types, as it is and in tiles, and compares the times that its
remark promises with those that are simulated. A line for each time; the exit
status is 1 if one is more than 25 % from the other. GPUS: the folder of their
descriptions, OUT: what names of files begin with."""

import json
import math
import re
import subprocess
import sys

GPUS, OUT, STEPS, COMPILE, SIMULATE = sys.argv[1:]
PROMISE = re.compile(r"([\d.]+) instead of ([\d.]+) clocks of a multiprocessor")


def run(command):
    return subprocess.run(command, shell=True, check=True, capture_output=True, text=True)


def clocks(program, gpu, model):
    """Of a multiprocessor, for a step of 32 iterations."""
    run(f"{SIMULATE} --gpu {gpu} --json {program}.json -- {program}")
    with open(f"{program}.json") as text:
        seconds = json.load(text)["kernels"][0]["time"]["seconds"]
    each = model["clock_ghz"] * 1e9 * model["multiprocessors"]
    return (seconds - model["launch_us"] * 1e-6) * each / (math.prod(map(int, STEPS.split("*"))) / 32)


def main():
    right = True
    for gpu in ["a100", "h100"]:
        with open(f"{GPUS}/{gpu}.json") as text:
            model = json.load(text)
        for real in ["double", "float"]:
            program = f"{OUT}.{gpu}.{real}"
            build = f"{COMPILE} -DREAL={real} --offload-arch={model['architecture']} -Rpass=ferry-stage -o {program}"
            remark = PROMISE.search(run(build).stderr)
            run(f"{build}.plain -mllvm -ferry-stage=off")
            for name, promised in [(program, remark[1]), (f"{program}.plain", remark[2])]:
                found = clocks(name, gpu, model)
                print(f"{name}: {promised} promised, {found:.2f} found")
                right = right and abs(float(promised) - found) <= 0.25 * found
    return 0 if right else 1


sys.exit(main())
