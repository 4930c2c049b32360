"""Implicit mapping of what lambdas capture, against mapping by hand and no
lambda at all, in the kernels of the paper of 2018 (Truby et al., LLVM-HPC)."""

import statistics

FOLDER = "paper2018/"
KERNELS = {
    "forall": ["add", "dot", "count"],
    "lulesh_arrays": ["lagrange", "gradients", "viscosity", "soundspeed"],
    "lulesh_domain": ["lagrange", "gradients", "viscosity", "soundspeed"],
    "tealeaf": ["calc-w", "calc-p", "cg"],
}
# By program and device. On the simulator one is enough: its figures are exact.
SIZES = {
    "forall": {"host": [1000, 100000], "gpu": [100000, 10000000], "sim": 1000},
    "lulesh_arrays": {"host": [4, 12, 32], "gpu": [16, 45, 90], "sim": 8},
    "lulesh_domain": {"host": [4, 12, 32], "gpu": [16, 45, 90], "sim": 8},
    "tealeaf": {"host": [16, 64, 160], "gpu": [250, 1000, 4000], "sim": 48},
}
SMOKE = {
    "forall": {"host": [10], "gpu": [10], "sim": 10},
    "lulesh_domain": {"host": [2], "gpu": [2], "sim": 2},
}
COUNTED = {
    "copies to the device": lambda c: c["h2d_copies"],
    "bytes to the device": lambda c: c["h2d_bytes"],
    "sectors": lambda c: c["global_load_sectors"] + c["global_store_sectors"],
}


class Compared:
    """Columns of a table: each a variant of a program, built by someone. Without a
    program it is that of the row."""

    def __init__(self, programs, columns, base):
        self.programs, self.columns, self.base = programs, columns, base


# Explicit mapping is measured as it was then, with Clang alone.
CLOSURES = Compared(
    ["forall", "lulesh_arrays", "tealeaf"],
    {
        "explicit": (None, "clang", "explicit"),
        "plain": (None, "clang", "plain"),
        "clang": (None, "clang", "lambda"),
        "ferry": (None, "ferry", "lambda"),
    },
    "explicit",
)
DOMAIN = Compared(
    ["lulesh_domain"],
    {
        "arrays": ("lulesh_arrays", "ferry", "lambda"),
        "value": ("lulesh_domain", "ferry", "value"),
        "reference": ("lulesh_domain", "ferry", "reference"),
        "this": ("lulesh_domain", "ferry", "this"),
        "every pointer": ("lulesh_domain", "whole", "value"),
    },
    "arrays",
)


class Measurement:
    def __init__(self, cases, compared, options):
        self.cases, self.compared, self.options = cases, compared, options
        self.sizes = SMOKE if options.smoke else SIZES
        self.programs = [p for p in compared.programs if p in self.sizes]

    def names(self, program):
        """For each column a program, who builds it, a variant."""
        return {c: (p or program, by, v) for c, (p, by, v) in self.compared.columns.items()}

    def times(self, device):
        """Rows: kernel, size, seconds in the base column, ratios of the others."""
        return [
            row
            for program in self.programs
            for size in self.sizes[program][device]
            for row in self.times_of(program, size, device)
        ]

    def times_of(self, program, size, device):
        names = self.names(program)
        wanted = sorted({(p, by) for p, by, _ in names.values()})
        built = {w: self.cases.build(FOLDER + w[0], device, w[1]) for w in wanted}

        def measure(run):
            # In turn, so that a machine that slows down slows down all.
            bench = f"--bench={self.options.repeats}"
            return [
                [[*w, self.cases.bench(run, path, size, bench)] for w, path in built.items()]
                for _ in range(self.options.rounds)
            ]

        found = self.cases.case(
            f"time {device} {program} {size}: {', '.join(self.compared.columns)}",
            built.values(),
            [self.options.rounds, self.options.repeats],
            measure,
        )
        rounds = [{(p, by): times for p, by, times in round} for round in found or []]
        return [self.ratios(kernel, size, rounds, names) for kernel in KERNELS[program]]

    def ratios(self, kernel, size, rounds, names):
        def time(round, column):
            program, by, variant = names[column]
            return round[program, by][f"{kernel}-{variant}"]

        row, base = {"kernel": kernel, "n": size}, self.compared.base
        if rounds:
            row["seconds"] = statistics.median(time(r, base) for r in rounds)
            for column in names:
                row[column] = statistics.median(time(r, column) / time(r, base) for r in rounds)
        return row

    def counts(self):
        """Rows: kernel, size, and for each column what one launch does."""
        rows = []
        for program in self.programs:
            size = self.sizes[program]["sim"]
            for kernel in KERNELS[program]:
                counts = {
                    column: self.count(p, by, f"{kernel}-{variant}", size)
                    for column, (p, by, variant) in self.names(program).items()
                }
                rows.append({"kernel": kernel, "n": size, "counts": counts})
        return rows

    def count(self, program, by, variant, size):
        path = self.cases.build(FOLDER + program, "sim", by)

        def measure(run):
            totals = self.cases.count_run(run, path, size, f"--only={variant}")
            return {name: total / totals["launches"] for name, total in totals.items()}

        found = self.cases.case(f"count {program} {size} {variant} by {by}", [path], [], measure)
        return found and {name: value(found) for name, value in COUNTED.items()}
