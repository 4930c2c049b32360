# Checks the range of the time of register-range.cpp, on a V100: 80
# multiprocessors of 64 warps, 65,536 registers given out by 256 to a warp, warps
# by four.
import json
import math
import sys


def waves(kernel, registers):
    of_warp = -(-min(max(registers, 1), 255) * 32 // 256) * 256
    by_registers = 65536 // of_warp // 4 * 4
    warps = kernel["block"][0] // 32
    resident = max(min(64 // warps, by_registers // warps, -(-kernel["blocks"] // 80)), 1)
    return -(-kernel["blocks"] // (80 * resident)), resident * warps


with open(sys.argv[1]) as file:
    kernels = json.load(file)["kernels"]
assert len(kernels) == 3
ends = set()
for kernel in kernels:
    time, registers = kernel["time"], kernel["registers"]
    assert kernel["registers_from"] == "estimate", kernel
    assert time["limiter"] == "latency", time
    assumed, resident = waves(kernel, registers)
    assert kernel["resident_warps"] == resident, (registers, resident, kernel["resident_warps"])
    launch, waiting = (time["units"][u] * time["seconds"] for u in ("launch", "latency"))
    counts = [waves(kernel, r)[0] for r in (registers * 3 // 4, registers, registers * 4 // 3 + 8)]
    for end, count in ((0, min(counts)), (1, max(counts))):
        want = launch + waiting * count / assumed
        assert math.isclose(time["range"][end], want, rel_tol=1e-6), (registers, counts, time)
        if count != assumed:
            ends.add(end)
# Each end is another time once.
assert ends == {0, 1}, ends
