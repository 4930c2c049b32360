# Checks the JSON report of report.cpp.
import json
import sys

# All names, as docs/simulator.md has them.
COUNTERS = """launches blocks threads_per_block
h2d_copies h2d_bytes d2h_copies d2h_bytes d2d_copies d2d_bytes memsets memset_bytes
allocations allocated_bytes frees synchronizations
global_load_requests global_load_sectors least_global_load_sectors
global_store_requests global_store_sectors least_global_store_sectors
global_atomics global_atomic_sectors
shared_load_requests shared_store_requests shared_atomics
shared_load_wavefronts shared_store_wavefronts shared_bank_conflicts
barriers branches divergent_branches thread_instructions
link_requests link_read_bytes link_write_bytes
l1_wavefronts l1_sectors l1_hit_sectors
l2_read_sectors l2_read_hit_sectors l2_write_sectors
dram_read_bytes dram_write_bytes""".split()
PIPES = "fp32 fp64 int memory other".split()
OF_KERNEL = """name demangled file line grid block static_shared_bytes dynamic_shared_bytes
occupancy occupancy_limit resident_warps registers registers_from l1_bytes code_bytes time""".split()
UNITS = "l1 l2 dram issue fp32 fp64 int shared latency launch".split()
TIME = "seconds limiter units range".split()
OF_PROGRAM = TIME + "kernel_seconds h2d_seconds d2h_seconds".split()
OF_ACCESS = """file line access kernels threads global_requests global_sectors least_global_sectors
link_requests link_sectors l1_wavefronts l1_sectors l1_hit_sectors
shared_requests shared_wavefronts shared_bank_conflicts""".split()
OF_BRANCH = "file line access kernels threads branches divergent_branches".split()
OF_REPORT = "device totals time kernels findings notes set_up lines errors seconds".split()

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


def names(what, entry, *expected):
    same("names of " + what, sorted(entry), sorted(sum(expected, [])))


names("the report", report, OF_REPORT)
names("the totals", totals, COUNTERS, ["warp_instructions"])
names("the program's time", report["time"], OF_PROGRAM)
names("the program's units", report["time"]["units"], UNITS, ["link"])
for kernel in kernels:
    names("a kernel", kernel, COUNTERS, ["warp_instructions"], OF_KERNEL)
    names("its time", kernel["time"], TIME)
    names("its units", kernel["time"]["units"], UNITS)
    names("pipes", kernel["warp_instructions"], PIPES)
    same("limit", kernel["occupancy_limit"], "grid")
    same("source of registers", kernel["registers_from"], "estimate")
for line in report["lines"]:
    names("a line", line, OF_BRANCH if line["access"] == "branch" else OF_ACCESS)
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
