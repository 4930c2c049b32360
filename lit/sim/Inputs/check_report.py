# Checks the JSON report of report.cpp.
import json
import sys

COUNTERS = """launches blocks threads_per_block h2d_copies h2d_bytes d2h_copies
d2h_bytes allocations global_load_requests global_load_sectors
least_global_load_sectors global_store_requests global_store_sectors
shared_load_requests shared_store_requests shared_bank_conflicts global_atomics
barriers divergent_branches thread_instructions""".split()

with open(sys.argv[1]) as file:
    report = json.load(file)
totals, kernels = report["totals"], report["kernels"]


def same(what, value, expected):
    if value != expected:
        sys.exit("%s is %r, not %r" % (what, value, expected))


same("architecture", report["device"]["architecture"][:3], "sm_")
same("findings", report["findings"], [])
same("errors", report["errors"], [])
same("kernels", [k["demangled"] for k in kernels],
     ["scale(int*, int), line 9", "main, line 19"])
same("lines", [(k["file"], k["line"]) for k in kernels],
     [("app.cpp", 9), ("app.cpp", 19)])
for name in COUNTERS:
    for entry in kernels + [totals]:
        same("type of " + name, type(entry[name]), int)
for name in totals:
    if name == "warp_instructions":
        continue
    values = [kernel[name] for kernel in kernels]
    same(name, totals[name], max(values) if name == "threads_per_block" else sum(values))

# 128 integers in 4 blocks of 32, sent and brought back twice.
scale = kernels[0]
for name, expected in {
    "launches": 2,
    "blocks": 8,
    "threads_per_block": 32,
    "h2d_copies": 2,
    "h2d_bytes": 1024,
    "d2h_copies": 2,
    "d2h_bytes": 1024,
    "global_store_requests": 8,
    "global_store_sectors": 32,
    "least_global_store_sectors": 32,
    "global_atomics": 0,
}.items():
    same("scale: " + name, scale[name], expected)

lines = {(e["file"], e["line"], e["access"]): e for e in report["lines"]}
same("number of lines", len(lines), len(report["lines"]))
same("order", list(lines), sorted(lines))
store = lines["app.cpp", 11, "store"]
same("threads", store["threads"], 256)
same("requests", store["global_requests"], 8)
same("sectors", store["global_sectors"], 32)
