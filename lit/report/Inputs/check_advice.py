"""check_advice.py SOURCE: each rule of ferry-report fires where it should, and
no longer when the counters are mended; the predicted gains are plausible.

SOURCE is Ferry's source folder.
"""
import copy
import os
import sys

from checks import fail, same

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(sys.argv[1], "tools", "report"))
import advice  # noqa: E402
import reading  # noqa: E402
import remarks  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
GPUS = os.path.join(sys.argv[1], "tools", "sim", "gpu")


def case(name):
    run = reading.read_run(os.path.join(HERE, name + ".json"))
    records = remarks.read_remarks([os.path.join(HERE, name + ".yaml")])
    return advice.Case(run, records, reading.find_gpu(run, GPUS))


def places(rule, of):
    return [(one.file, one.line) for one in rule(of)]


def mended(of, change, **where):
    """A case in which the lines or kernels that fit are changed."""
    result = copy.deepcopy(of)
    things = (result.run.lines if "access" in where else result.run.kernels)
    found = [t for t in things if all(t[k] == v for k, v in where.items())]
    if not found:
        fail("nothing is %r" % where)
    for thing in found:
        thing.update(change)
    return result


def at(line, file="defects.cpp"):
    return [(file, line)]


DEFECTS, GENERIC, CLEAN = case("defects"), case("generic"), case("clean")
ROWS = case("rows-off")

# --- Nothing to say of a clean kernel -------------------------------------------
for rule in advice.RULES:
    same(rule.__name__ + " of clean", places(rule, CLEAN), [])

# --- Each rule, what it fires at, and the edge where it does not -----------------
rule = advice.uncoalesced
same("uncoalesced", places(rule, DEFECTS), at(16) + at(25))
same("uncoalesced rows", places(rule, ROWS), at(26, "rows.cpp"))
same("in staged rows", places(rule, case("rows-on")), [])
# The longest accesses, side by side, and one sector more for each request.
for sectors, expected in ((512, []), (544, []), (1024, at(16))):
    line = {"global_sectors": sectors, "l1_wavefronts": 160}
    same("%d sectors" % sectors,
         places(rule, mended(DEFECTS, line, access="load", line=16))[:-1],
         expected)
# A row for each thread beside one word for all of them.
beside = {"threads": 131072, "global_requests": 4096, "global_sectors": 67584}
same("a row beside what all read",
     places(rule, mended(DEFECTS, beside, access="load", line=25)),
     at(16) + at(25))
for passes, expected in ((4, at(16) + at(25)), (3, at(16))):
    same("%d passes" % passes,
         places(rule, mended(DEFECTS, {**beside, "l1_wavefronts": passes * 4096},
                             access="load", line=25)), expected)
same("few threads", places(rule, mended(
    DEFECTS, {"threads": 100, "global_sectors": 100, "global_requests": 32},
    access="load", line=16)), at(25))

rule = advice.atomics_on_one_address
same("atomics", places(rule, DEFECTS), at(59))
for change in ({"global_sectors": 128}, {"l1_wavefronts": 40},
               {"threads": 32, "l1_wavefronts": 32}):
    same("atomics with %r" % change, places(rule, mended(
        DEFECTS, change, access="atomic", line=59)), [])

rule = advice.bank_conflicts
same("conflicts", places(rule, DEFECTS), at(78))
for conflicts, expected in ((0, []), (1000, []), (1100, at(78))):
    same("%d conflicts" % conflicts, places(rule, mended(
        DEFECTS, {"shared_bank_conflicts": conflicts}, access="load",
        line=78)), expected)

rule = advice.divergence
same("divergence", places(rule, DEFECTS), at(48))
for change in ({"divergent_branches": 8}, {"branches": 128}, {"line": 45},
               {"line": 0}):
    same("divergence with %r" % change, places(rule, mended(
        DEFECTS, change, access="branch", line=48)), [])
same("divergence of the runtime's", places(rule, mended(
    DEFECTS, {"shared_requests": 4, "line": 48}, access="load", line=47)), [])

rule = advice.one_active_thread
same("one thread", places(rule, DEFECTS), at(35))
same("one thread, generic", places(rule, GENERIC), at(10, "generic.cpp"))
same("all threads", places(rule, mended(
    DEFECTS, {"threads": 4096 * 32}, access="load", line=39)), [])
same("one thread of one", places(rule, mended(
    DEFECTS, {"threads_per_block": 1}, line=35)), [])
# Lines of which it is not known which kernel reached them tell nothing.
same("lines of others", places(rule, mended(
    DEFECTS, {"kernels": []}, access="load", line=39)), [])

rule = advice.too_few_blocks
same("few blocks", places(rule, ROWS), 2 * at(10, "rows.cpp"))
for blocks, expected in ((131, 2), (132, 0), (0, 0)):
    same("%d blocks" % blocks, len(places(rule, mended(
        ROWS, {"blocks": blocks}, line=10))), expected)

rule = advice.repeated_transfers
same("transfers", places(rule, DEFECTS), at(88))
for change in ({"launches": 1}, {"h2d_copies": 1, "d2h_copies": 1},
               {"h2d_bytes": 64, "d2h_bytes": 64}):
    same("transfers with %r" % change, places(rule, mended(
        DEFECTS, change, line=88)), [])
slow = copy.deepcopy(DEFECTS)
slow.run.time["seconds"] = 1
same("transfers that do not matter", places(rule, slow), [])

rule = advice.generic_mode
same("generic", places(rule, GENERIC), at(10, "generic.cpp"))
same("generic's kernel", [one.kernel for one in rule(GENERIC)],
     [GENERIC.run.kernels[0]["name"]])

rule = advice.staging_refused
same("refused", places(rule, DEFECTS), at(25))
same("refused where it does not matter", places(rule, mended(
    DEFECTS, {"global_sectors": 16384}, access="load", line=25)), [])

# At the condition that the load has moved to, and further away.
for line, expected in ((23, at(25)), (20, []), (26, [])):
    moved = copy.deepcopy(DEFECTS)
    for remark in moved.remarks:
        remark.line = line
    same("refused at line %d" % line, places(rule, moved), expected)
same("refused in another kernel", places(rule, mended(
    moved, {"kernels": []}, access="load", line=25)), [])

rule = advice.closure_in_memory
same("objects in memory", places(rule, DEFECTS), [])
KEPT = copy.deepcopy(DEFECTS)
KEPT.remarks = [remarks.Remark("Missed", {
    "Pass": "ferry-map", "Function": kernel["name"],
    "Args": [{"Pointer": "Loop"}, {"Reason": "written-object"}]})
    for kernel in KEPT.run.kernels]
same("objects in memory of all kernels", places(rule, KEPT),
     [("defects.cpp", kernel["line"]) for kernel in KEPT.run.kernels])
for one, kernel in zip(rule(KEPT), KEPT.run.kernels):
    copied = kernel["h2d_copies"] >= kernel["launches"]
    link = kernel["launches"] * KEPT.gpu["link_us"] * 1e-6
    same("gain at line %d" % kernel["line"], one.saved, link if copied else None)
KEPT.remarks[0].reason = "linked-structure"
same("objects with other reasons", len(rule(KEPT)), len(KEPT.run.kernels) - 1)
KEPT.remarks[0].reason = "written-object"

# --- Lines that do not say which kernels reached them ------------------------------
OF_LINES = {"uncoalesced", "atomics-on-one-address", "bank-conflicts",
            "one-active-thread"}
for name, expected in (("generic", {"one-active-thread"}), ("defects", set())):
    data = reading.parse_json(os.path.join(HERE, name + ".json"))
    for line in data["lines"]:
        del line["kernels"]
    run = reading.Run(data, name)
    gains = {one.rule for one in advice.advise(advice.Case(run))
             if one.saved is not None}
    same("rules that predict a gain for " + name, gains & OF_LINES, expected)

# --- Gains ------------------------------------------------------------------------
for of in (DEFECTS, GENERIC, ROWS):
    for one in advice.advise(of):
        of_kernel = next(k for k in of.run.kernels if k["name"] == one.kernel)
        limit = of_kernel["time"]["seconds"]
        if one.rule == "repeated-transfers":
            limit = of.run.time["h2d_seconds"] + of.run.time["d2h_seconds"]
        if one.saved is not None and not 0 <= one.saved <= limit:
            fail("%s saves %g of %g s" % (one.rule, one.saved, limit))
# What staging has made of it: at least half of that, and no more.
saved = advice.uncoalesced(ROWS)[0].saved
really = (ROWS.run.kernels[0]["time"]["seconds"]
          - case("rows-on").run.kernels[0]["time"]["seconds"])
if not really / 2 <= saved <= really:
    fail("predicted %g s, were %g s" % (saved, really))

# All rules are asked.
same("rules", {one.rule for of in (DEFECTS, GENERIC, KEPT)
               for one in advice.advise(of)},
     {rule.__name__.replace("_", "-") for rule in advice.RULES})

# The greatest gain first, and of a line only one among the best.
found = advice.advise(DEFECTS)
gains = [one.saved or 0 for one in found]
same("order", gains, sorted(gains, reverse=True))
best = advice.best(found)
same("number of the best", len(best), 5)
same("rules at line 25", [one.rule for one in found if one.line == 25],
     ["staging-refused", "uncoalesced"])
same("best at line 25", [one.rule for one in best if one.line == 25],
     ["staging-refused"])
