# Fails unless the reports have the same kernels with the same device counters.
import json
import sys


def device_counters(path):
    with open(path) as file:
        report = json.load(file)
    host = ("h2d_", "d2h_", "d2d_", "allocat", "frees", "synchron", "memset")
    return [
        {k: v for k, v in kernel.items() if not k.startswith(host)}
        for kernel in report["kernels"]
    ]


first = device_counters(sys.argv[1])
assert first, "no kernels in " + sys.argv[1]
for path in sys.argv[2:]:
    assert device_counters(path) == first, path + " differs from " + sys.argv[1]
