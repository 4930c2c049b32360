"""many.py RUN N: the run with its kernels again and again, N in all."""
import copy
import json
import sys

with open(sys.argv[1]) as file:
    run = json.load(file)
kernels, lines = run["kernels"], run["lines"]
run["kernels"], run["lines"] = [], []
for number in range(int(sys.argv[2])):
    kernel = copy.deepcopy(kernels[number % len(kernels)])
    name = kernel["name"]
    kernel["name"] = kernel["name"].replace("_l10", "_l%d" % number)
    for line in lines:
        if line["kernels"] == [name]:
            moved = copy.deepcopy(line)
            moved["kernels"] = [kernel["name"]]
            moved["line"] += 100 * number
            run["lines"].append(moved)
    run["kernels"].append(kernel)
json.dump(run, sys.stdout)
