"""Two runs side by side."""
import re

from words import count, percent, seconds, size, times


def _place(name):
    # Device and inode numbers of the source file, and what Ferry appends.
    name = re.sub(r"^__omp_offloading_[0-9a-f]+_[0-9a-f]+_", "", name)
    return re.split(r"_ferry_[0-9a-f]|_debug__|_omp_outlined", name)[0]


def _words(demangled):
    return re.sub(r" at [^ {}]*:\d+|, line \d+", "", demangled)


KEYS = [lambda k: k["name"], lambda k: _place(k["name"]),
        lambda k: k["demangled"], lambda k: _words(k["demangled"])]


def pairs(before, after):
    """The kernels of two runs: (one, other), None where there is no match. They
    match by name, or else by what is left of names when lines have moved, if
    that fits one kernel of each only."""
    left, right = list(before.kernels), list(after.kernels)
    found = []
    for key in KEYS:
        for one in list(left):
            mine = [k for k in left if key(k) == key(one)]
            others = [k for k in right if key(k) == key(one)]
            if len(mine) == 1 and len(others) == 1:
                found.append((one, others[0]))
                left.remove(one)
                right.remove(others[0])
    found += [(one, None) for one in left] + [(None, other) for other in right]
    return sorted(found, key=lambda pair: -max(
        k["time"]["seconds"] for k in pair if k))


def _hits(level):
    hits, asked = level
    return lambda k: k[hits] / k[asked] if k[asked] else 0


def _counter(name):
    return lambda k: k[name]


ROWS = [
    ("Predicted time", lambda k: k["time"]["seconds"], seconds),
    ("Launches", _counter("launches"), count),
    ("Global loads, sectors", _counter("global_load_sectors"), count),
    ("of these at least", _counter("least_global_load_sectors"), count),
    ("Global stores, sectors", _counter("global_store_sectors"), count),
    ("Passes of L1", _counter("l1_wavefronts"), count),
    ("Hits in L1", _hits(("l1_hit_sectors", "l1_sectors")), percent),
    ("Read from L2, sectors", _counter("l2_read_sectors"), count),
    ("Hits in L2", _hits(("l2_read_hit_sectors", "l2_read_sectors")), percent),
    ("Read from DRAM", _counter("dram_read_bytes"), size),
    ("Written to DRAM", _counter("dram_write_bytes"), size),
    ("Bank conflicts", _counter("shared_bank_conflicts"), count),
    ("Barriers", _counter("barriers"), count),
    ("Divergent branches", _counter("divergent_branches"), count),
    ("Thread instructions", _counter("thread_instructions"), count),
]
OF_KERNEL = [("Occupancy", _counter("occupancy"), percent),
             ("Registers", _counter("registers"), count)]
OF_PROGRAM = [("Copies to the device", _counter("h2d_bytes"), size),
              ("Copies from the device", _counter("d2h_bytes"), size)]


def _table(one, other, rows):
    return [{"name": name, "before": text(value(one)),
             "after": text(value(other)),
             "ratio": times(value(one), value(other))}
            for name, value, text in rows if value(one) or value(other)]


def compare(before, after):
    """Tables of both runs: of the program, then of each pair of kernels; a
    kernel of one run only has no table."""
    program = _table(dict(before.totals, time=before.time),
                     dict(after.totals, time=after.time), ROWS + OF_PROGRAM)
    tables = [{"name": "Program", "rows": program, "only": ""}]
    for one, other in pairs(before, after):
        name = (one or other)["demangled"]
        if one and other:
            tables.append({"name": name, "only": "",
                           "rows": _table(one, other, ROWS + OF_KERNEL)})
        else:
            only = before.title if one else after.title
            tables.append({"name": name, "rows": [], "only": only})
    return tables
