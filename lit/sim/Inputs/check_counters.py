#!/usr/bin/env python3
# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the counters in a report of ferry-sim with what they must be.

A kernel's function is called SHAPE_NUMBER_NUMBER..., for example copy_8_3_1.
There is a function of the same name below, which lists what every warp of the
kernel accesses, or gives the counters as a formula. What an access costs is
computed here from the definitions alone:

- a request to global memory moves the 32-byte sectors that its lanes touch;
- shared memory has 32 banks of 4 bytes; accesses of 8 bytes are served by
  halves of the warp, of 16 bytes by quarters; a bank that is asked for several
  words at once needs a wavefront for each.
"""

import argparse
import json
import re
import sys

WARP = 32


def sectors(addresses, size):
    """The sectors of one request."""
    return {b // 32 for a in addresses for b in (a, a + size - 1)}


def conflicts(addresses, size):
    """The wavefronts of one request beyond one for each part of the warp."""
    lanes_at_once = {8: 16, 16: 8}.get(size, WARP)
    extra = 0
    for first in range(0, len(addresses), lanes_at_once):
        words = set()
        for a in addresses[first : first + lanes_at_once]:
            words |= set(range(a // 4, (a + size - 1) // 4 + 1))
        banks = [sum(w % 32 == b for w in words) for b in range(32)]
        extra += max(banks) - 1
    return extra


class Counts:
    """Counters of a kernel, from the accesses of its warps."""

    def __init__(self, blocks, threads):
        self.counters = {"blocks": blocks, "threads_per_block": threads}
        self.blocks, self.threads = blocks, threads
        self.distinct = {}
        for name in ("load", "store"):
            self.counters["global_%s_requests" % name] = 0
            self.counters["global_%s_sectors" % name] = 0
            self.counters["least_global_%s_sectors" % name] = 0
            self.counters["shared_%s_requests" % name] = 0
        self.counters["shared_bank_conflicts"] = 0
        self.counters["barriers"] = 0
        self.counters["global_atomics"] = 0

    def warps(self):
        """(block, threads of the warp) of every warp."""
        for block in range(self.blocks):
            for first in range(0, self.threads, WARP):
                yield block, range(first, min(first + WARP, self.threads))

    def add(self, name, number=1):
        self.counters[name] += number

    def memory(self, what, block, addresses, size, array=0, times=1):
        """Requests to global memory. Arrays do not share sectors."""
        if not addresses:
            return
        touched = sectors(addresses, size)
        self.add("global_%s_requests" % what, times)
        self.add("global_%s_sectors" % what, times * len(touched))
        seen = self.distinct.setdefault((what, block, array), set())
        new = touched - seen
        self.add("least_global_%s_sectors" % what, len(new))
        seen |= new

    def shared(self, what, addresses, size, times=1):
        if not addresses:
            return
        self.add("shared_%s_requests" % what, times)
        self.add("shared_bank_conflicts", times * conflicts(addresses, size))


# --- Kernels that move data ---------------------------------------------------


def copy(size, stride, offset, blocks=8, threads=128):
    """out[i] = in[i * stride + offset]"""
    c = Counts(blocks, threads)
    for block, warp in c.warps():
        i = [block * threads + t for t in warp]
        c.memory("load", block, [(k * stride + offset) * size for k in i], size)
        c.memory("store", block, [k * size for k in i], size, array=1)
    if offset == 0 and threads % WARP == 0:  # the closed form
        each = min(WARP, max(1, stride * size))
        warps = c.counters["global_load_requests"]
        assert c.counters["global_load_sectors"] == warps * each
    return c.counters


def scatter(size, stride):
    """out[i * stride] = in[i]"""
    c = Counts(4, 64)
    for block, warp in c.warps():
        i = [block * 64 + t for t in warp]
        c.memory("load", block, [k * size for k in i], size)
        c.memory("store", block, [k * stride * size for k in i], size, array=1)
    return c.counters


def parallel_copy(size, stride):
    """The same loop in a combined construct, which has barriers of its own."""
    want = copy(size, stride, 0)
    del want["barriers"]
    return want


def pieces(size, align):
    """Elements that are aligned to less than their size, or have more than 8
    bytes but are no vector, are read and written piece by piece."""
    piece = min(align, 8)
    c = Counts(2, 32)
    for block, warp in c.warps():
        for k in range(0, size, piece):
            at = [(block * 32 + t) * size + k for t in warp]
            tile = [t * size + k for t in warp]
            c.memory("load", block, at, piece)
            c.shared("store", tile, piece)
            c.shared("load", tile, piece)
            c.memory("store", block, at, piece, array=1)
    c.add("barriers", 2)
    return c.counters


def permute(factor):
    """out[i] = in[i ^ factor], of doubles"""
    c = Counts(4, 128)
    for block, warp in c.warps():
        i = [block * 128 + t for t in warp]
        c.memory("load", block, [(k ^ factor) * 8 for k in i], 8)
        c.memory("store", block, [k * 8 for k in i], 8, array=1)
    return c.counters


def tail(threads):
    """A block whose last warp is not full."""
    return copy(4, 1, 0, 3, threads)


def some_lanes(lanes):
    """Only the first lanes of each warp read and write a double."""
    c = Counts(2, 64)
    for block, warp in c.warps():
        i = [block * 64 + t for t in warp][:lanes]
        c.memory("load", block, [k * 8 for k in i], 8)
        c.memory("store", block, [k * 8 for k in i], 8, array=1)
    return c.counters


def broadcast(size):
    """All threads of a block read in[block], then in[0]."""
    c = Counts(5, 96)
    for block, warp in c.warps():
        c.memory("load", block, [block * size] * len(warp), size)
        c.memory("load", block, [0] * len(warp), size)
        i = [block * 96 + t for t in warp]
        c.memory("store", block, [k * size for k in i], size, array=1)
    return c.counters


def again(rounds):
    """The same floats are read several times: the least does not grow."""
    c = Counts(2, 64)
    for block, warp in c.warps():
        i = [(block * 64 + t) * 4 for t in warp]
        c.memory("load", block, i, 4, times=rounds)
        c.memory("store", block, i, 4, array=1, times=rounds)
    return c.counters


def rows(columns):
    """Each thread walks along its row of doubles."""
    c = Counts(2, 64)
    for block, warp in c.warps():
        row = [block * 64 + t for t in warp]
        for k in range(columns):
            c.memory("load", block, [(r * columns + k) * 8 for r in row], 8)
        c.memory("store", block, [r * 8 for r in row], 8, array=1)
    return c.counters


# --- Matrices -----------------------------------------------------------------


def multiply(n):
    """c[i][j] = sum of a[i][k] * b[k][j], of doubles; n: a multiple of 32"""
    warps, threads = n * n // WARP, 128
    blocks, of_b = n * n // threads, n * n * 8 // 32
    lines = max(1, threads // n)  # of a, in one block
    return {
        "blocks": blocks,
        "threads_per_block": threads,
        # A warp's lanes read one number of a and 32 successive ones of b.
        "global_load_requests": warps * n * 2,
        "global_load_sectors": warps * n * (1 + 8),
        "least_global_load_sectors": blocks
        * (lines * n * 8 // 32 + of_b * min(n, threads) // n),
        "global_store_requests": warps,
        "global_store_sectors": warps * 8,
        "least_global_store_sectors": warps * 8,
        "shared_bank_conflicts": 0,
        "global_atomics": 0,
    }


def parallel_multiply(n):
    """The same nest in a combined construct."""
    return multiply(n)


def tiled_multiply(n, tile):
    """With tiles of both matrices in shared memory, tile x tile threads."""
    threads = tile * tile
    c = Counts((n // tile) ** 2, threads)
    across = n // tile
    for block, warp in c.warps():
        bi, bj = block // across * tile, block % across * tile
        at = [(t // tile, t % tile) for t in warp]
        for k0 in range(0, n, tile):
            a = [((bi + i) * n + k0 + j) * 8 for i, j in at]
            b = [((k0 + i) * n + bj + j) * 8 for i, j in at]
            c.memory("load", block, a, 8)
            c.memory("load", block, b, 8, array=1)
            c.shared("store", [t * 8 for t in warp], 8, times=2)
            for k in range(tile):
                c.shared("load", [(i * tile + k) * 8 for i, _ in at], 8)
                c.shared("load", [(k * tile + j) * 8 for _, j in at], 8)
            if warp[0] == 0:
                c.add("barriers", 2)
        out = [((bi + i) * n + bj + j) * 8 for i, j in at]
        c.memory("store", block, out, 8, array=2)
    return c.counters


def transpose(size, pad):
    """A warp transposes tiles of 32 x 32 in rows of 32 + pad elements."""
    tiles = 4
    c = Counts(tiles, WARP)
    for block, warp in c.warps():
        for k in range(32):
            c.memory("load", block, [(k * 32 + t) * size for t in warp], size)
            c.memory(
                "store", block, [(k * 32 + t) * size for t in warp], size, array=1
            )
            c.shared("store", [(k * (32 + pad) + t) * size for t in warp], size)
            c.shared("load", [(t * (32 + pad) + k) * size for t in warp], size)
        c.add("barriers")
    if size == 4:  # the closed form
        assert c.counters["shared_bank_conflicts"] == (0 if pad else tiles * 32 * 31)
    return c.counters


def naive_transpose(n):
    """out[j][i] = in[i][j] of floats, rows read, columns written."""
    c = Counts(n, n)
    for block, warp in c.warps():
        c.memory("load", block, [(block * n + t) * 4 for t in warp], 4)
        c.memory("store", block, [(t * n + block) * 4 for t in warp], 4, array=1)
    return c.counters


# --- Shared memory ------------------------------------------------------------


def banks(size, stride):
    """Each lane of a warp writes and reads element lane * stride."""
    c = Counts(1, WARP)
    for block, warp in c.warps():
        c.shared("store", [t * stride * size for t in warp], size)
        c.shared("load", [t * stride * size for t in warp], size)
        c.memory("store", block, [t * size for t in warp], size)
    c.add("barriers")
    return c.counters


def banks_read(size, divisor):
    """Lanes read element lane / divisor: neighbours share one."""
    c = Counts(1, WARP)
    for block, warp in c.warps():
        c.shared("store", [t * size for t in warp], size)
        c.shared("load", [t // divisor * size for t in warp], size)
        c.memory("store", block, [t * size for t in warp], size)
    c.add("barriers")
    assert c.counters["shared_bank_conflicts"] == 0
    return c.counters


def async_copy(size, copied):
    """An asynchronous copy is a load and a shared store, where it starts."""
    c = Counts(1, 64)
    for block, warp in c.warps():
        active = [t * size for t in warp if t < copied]
        c.memory("load", block, active, size)
        c.shared("store", active, size)
        c.memory("load", block, [(63 - t) * size for t in warp], size)
        c.memory("store", block, [t * size for t in warp], size, array=1)
        c.shared("load", [t % copied * size for t in warp], size)
        c.memory("store", block, [(64 + t) * size for t in warp], size, array=1)
    c.add("barriers")
    return c.counters


def async_part(size, last):
    """The last thread's copy reads fewer bytes, which are in the same sector."""
    c = Counts(1, 64)
    for block, warp in c.warps():
        each = [t * size for t in warp]
        c.memory("load", block, each, size)
        c.shared("store", each, size)
        c.shared("load", each, size)
        c.memory("store", block, each, size, array=1)
    return c.counters


def sum_of_block(kind, threads):
    """A tree in shared memory. 0: the first threads add the upper half;
    1: every 2d-th thread adds its neighbour; 2: as 1, with the first threads"""
    blocks = 3
    c = Counts(blocks, threads)
    for block, warp in c.warps():
        c.shared("store", [t * 4 for t in warp], 4)
        d, rounds = (threads // 2, 0) if kind == 0 else (1, 0)
        while 0 < d < threads:
            if kind == 0:
                pairs = [(t, t + d) for t in warp if t < d]
            elif kind == 1:
                pairs = [(t, t + d) for t in warp if t % (2 * d) == 0]
            else:
                pairs = [(2 * d * t, 2 * d * t + d) for t in warp if 2 * d * t < threads]
            c.shared("load", [a * 4 for a, _ in pairs], 4)
            c.shared("load", [b * 4 for _, b in pairs], 4)
            c.shared("store", [a * 4 for a, _ in pairs], 4)
            rounds += 1
            d = d // 2 if kind == 0 else d * 2
        if warp[0] == 0:
            c.add("barriers", rounds + 1)
            c.shared("load", [0], 4)
            c.memory("store", block, [block * 4], 4)
    return c.counters


# --- Control flow, barriers, atomics ------------------------------------------


def nested_loops(outer, most):
    """The inner loop of thread t runs 1 + t % most times, each with a load. Its
    branch sends lanes apart when some leave and others stay."""
    c = Counts(2, 64)
    c.counters["divergent_branches"] = 0
    for block, warp in c.warps():
        i = [block * 64 + t for t in warp]
        for j in range(outer):
            for k in range(most):
                active = [n for n in i if k <= n % most]
                stay = [n for n in active if k < n % most]
                c.memory(
                    "load", block, [((j * most + k) * 128 + n) * 8 for n in active], 8
                )
                if 0 < len(stay) < len(active):
                    c.add("divergent_branches")
        c.memory("store", block, [n * 8 for n in i], 8, array=1)
    return c.counters


def uniform_loops(trips):
    """Loops and branches that all lanes of a warp take alike."""
    c = Counts(2, 64)
    for block, warp in c.warps():
        i = [(block * 64 + t) * 4 for t in warp]
        if warp[0] == 32:
            for k in range(trips):
                c.memory("load", block, [a + k * 512 for a in i], 4)
        c.memory("store", block, i, 4, array=1)
    c.counters["divergent_branches"] = 0
    return c.counters


def barriers(number, threads):
    c = Counts(6, threads)
    c.add("barriers", 6 * number)
    for block, warp in c.warps():
        out = [(block * threads + t) * 4 for t in warp]
        c.memory("store", block, out, 4, times=number)
    return c.counters


def atomics(size, stride):
    """Every thread adds to out[i * stride] once; stride 0: all to one place."""
    c = Counts(3, 64)
    for block, warp in c.warps():
        c.add("global_atomics")
    c.counters["global_atomic_sectors"] = sum(
        len(sectors([(b * 64 + t) * stride * size for t in w], size))
        for b, w in c.warps()
    )
    return c.counters


def launches(number):
    """A kernel that is launched several times."""
    c = {k: v * number for k, v in copy(4, 1, 0, 2, 32).items()}
    c["threads_per_block"] = 32
    c["launches"] = number
    return c


# --- The comparison -----------------------------------------------------------


def expected(kernel):
    name = re.fullmatch(r"__omp_offloading_[0-9a-f]+_[0-9a-f]+_(.+)_l\d+", kernel)
    shape = name and re.fullmatch(r"([a-z_]+?)((?:_\d+)+)", name[1])
    function = shape and globals().get(shape[1])
    if not function:
        sys.exit("error: nothing is known about kernel " + kernel)
    return name[1], function(*map(int, shape[2][1:].split("_")))


def differences(where, counters, want):
    for name, value in want.items():
        if counters.get(name) != value:
            yield "%s: %s is %s, expected %s" % (where, name, counters.get(name), value)


def load(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    report.pop("seconds", None)  # the only number that may differ
    return report


def without_order(report):
    """The report without what depends on the order in which threads come."""
    of_order = {"time", "l1_hit_sectors", "l2_read_sectors", "l2_read_hit_sectors"}
    of_order |= {"dram_read_bytes", "dram_write_bytes", "occupancy", "occupancy_limit"}
    of_order |= {"resident_warps", "l1_bytes", "code_bytes"}  # of --blocks-per-sm
    if isinstance(report, list):
        return [without_order(entry) for entry in report]
    if isinstance(report, dict):
        return {k: without_order(v) for k, v in report.items() if k not in of_order}
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json")
    parser.add_argument("--kernels", type=int, help="number that must be there")
    parser.add_argument("--total", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--equal", metavar="JSON", help="another run's report")
    parser.add_argument(
        "--other-order", action="store_true", help="that run's threads came in another order"
    )
    arguments = parser.parse_args()
    report, wrong = load(arguments.json), []
    if arguments.equal:
        other = load(arguments.equal)
        if arguments.other_order:
            report, other = without_order(report), without_order(other)
        for mine, its in zip(report["kernels"], other["kernels"]):
            wrong += differences(mine["name"], mine, its)
        if report != other:
            wrong.append("the reports differ")
    if arguments.kernels is not None:
        launched = [k for k in report["kernels"] if k["launches"]]
        if len(launched) != arguments.kernels:
            wrong.append("%d kernels were launched" % len(launched))
        for kernel in launched:
            name, want = expected(kernel["name"])
            wrong += differences(name, kernel, want)
    totals = (total.split("=") for total in arguments.total)
    wrong += differences(
        "totals", report["totals"], {name: int(value) for name, value in totals}
    )
    for finding in report["findings"]:
        wrong.append("finding: %(kind)s in %(kernel)s" % finding)
    print("\n".join(wrong) or "the counters are as expected")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
