# Checks what unified-shared-memory.cpp must count of the host's memory:
# check_link.py REPORT
import json
import sys

KIB = 1024
# Requests, bytes read and written over the link, loads' and stores' sectors in
# all.
WANT = {
    "loads": (32, 8 * KIB, 0, 256, 256),
    "stores": (32, 0, 8 * KIB, 256, 256),
    # 16 doubles, every second one; as many of the device.
    "both": (1, 8 * 32, 0, 16, 8),
    "atomic": (2, 2 * 32, 2 * 32, 0, 0),
    "chain": (301, 300 * 32, 32, 300, 1),
    "device_alone": (0, 0, 0, 256, 256),
}
NAMES = ("link_requests", "link_read_bytes", "link_write_bytes", "global_load_sectors",
         "global_store_sectors")  # fmt: skip
LINK_RATE, LINK_SECONDS, LAUNCH_SECONDS = 16e9, 20e-6, 3e-6

with open(sys.argv[1]) as file:
    report = json.load(file)
wrong = []
kernels = {kernel["demangled"].split(",")[0]: kernel for kernel in report["kernels"]}
if set(kernels) != set(WANT):
    sys.exit("kernels: %s" % sorted(kernels))


def check(what, value, want):
    if abs(value - want) > 1e-6 * abs(want):
        wrong.append("%s is %r, not %r" % (what, value, want))


for name, want in WANT.items():
    kernel = kernels[name]
    for counter, number in zip(NAMES, want):
        check(name + "." + counter, kernel[counter], number)
    if "time" not in kernel:
        continue
    time = kernel["time"]
    busy = time["units"].get("link", 0) * time["seconds"]
    used = want[1] + want[2]
    check(name + ": seconds of the link", busy, LINK_SECONDS + used / LINK_RATE if used else 0)
    # Each load of the chain waits a tenth of a copy.
    limiter = "latency" if name == "chain" else "link" if used else time["limiter"]
    if time["limiter"] != limiter:
        wrong.append("%s is limited by %s" % (name, time["limiter"]))
    if name == "chain" and not 300 <= (time["seconds"] - LAUNCH_SECONDS) / 2e-6 < 320:
        wrong.append("the chain takes %r" % time["seconds"])
    caches = [kernel["dram_read_bytes"], kernel["l2_read_sectors"], kernel["l1_sectors"]]
    if name in ("atomic", "chain") and any(caches):
        wrong.append("%s: caches were used: %r" % (name, caches))

for counter, column in zip(NAMES[:3], range(3)):
    check("totals." + counter, report["totals"][counter], sum(w[column] for w in WANT.values()))
check("link_requests of lines", sum(line.get("link_requests", 0) for line in report["lines"]),
      sum(want[0] for want in WANT.values()))  # fmt: skip
check("link_sectors of lines", sum(line.get("link_sectors", 0) for line in report["lines"]),
      sum((want[1] + (want[2] if name != "atomic" else 0)) // 32 for name, want in WANT.items()))  # fmt: skip
sys.exit("\n".join(wrong) or None)
