"""Matrix multiplication by size, with staging and without: what the poster on
prefetching to shared memory plots."""

import statistics

from common import number

FOLDER = "matmul/"
PLAIN = ["rows", "elements", "lambda"]
SIZES = {"sim": [64, 100, 128, 200, 256, 400, 512], "gpu": [256, 512, 1000, 2000, 4000]}
SMOKE = {"sim": [40], "gpu": [40]}
BY_HAND = "elements, by hand"
TEXT = (
    "Double precision; one thread computes a row of the product (`rows`) or an element "
    "(`elements`; `lambda`, the same as a lambda), with Ferry and with `-ferry-stage=off`. "
    f"`{BY_HAND}` is `elements` against tiles of 16 x 16 in OpenMP's team memory "
    "([tiled.cpp](examples/matmul/tiled.cpp)). The poster plots a speed-up over the size on a GPU, "
    "with no figures that could stand here; its kernels are of the kind of `rows`. "
)
SIMULATED = (
    "Sectors and instructions are counted by the simulated GPU, without its model of caches and "
    "time: how much faster a GPU is, follows from neither alone."
)


def section(cases, options):
    text = TEXT + SIMULATED
    if not options.gpu:
        text += " There was no GPU to measure the speed-up on."
    yield f"## Matrix multiplication by size\n\n{text}", None
    sizes = SMOKE if options.smoke else SIZES
    rows = [row for n in sizes["sim"] for row in counted(cases, n)]
    yield "Simulated GPU", table(rows)
    if options.plots:
        import paper_plots

        paper_plots.by_size(rows, "sectors without / with staging", cases.plot("matmul"))
    if options.gpu:
        rows = [row for n in sizes["gpu"] for row in times(cases, options, n)]
        yield "Time on the GPU", gpu_table(rows)
        if options.plots:
            paper_plots.by_size(rows, "time without / with staging", cases.plot("matmul-gpu"))


def counted(cases, n):
    """Rows of what one multiplication loads, before and after, and executes."""

    def count(program, variant, by):
        path = cases.build(FOLDER + program, "sim", by)
        return cases.case(
            f"count {program} {n} {variant} by {by}",
            [path],
            [],
            lambda run: cases.simulate(run, path, n, f"--only=matmul-{variant}"),
        )

    before = {variant: count("matmul", variant, "off") for variant in PLAIN}
    after = {variant: count("matmul", variant, "ferry") for variant in PLAIN}
    pairs = [(variant, before[variant], after[variant]) for variant in PLAIN]
    pairs.append((BY_HAND, before["elements"], count("tiled", "tiled", "off")))
    rows = []
    for kernel, plain, better in pairs:
        row = {"kernel": kernel, "n": n}
        if plain and better:
            row["sectors"] = plain["global_load_sectors"], better["global_load_sectors"]
            row["ratio"] = row["sectors"][0] / row["sectors"][1]
            row["least"] = plain["least_global_load_sectors"]
            row["instructions"] = better["thread_instructions"] / plain["thread_instructions"]
            row["conflicts"] = better["shared_bank_conflicts"]
        rows.append(row)
    return rows


def times(cases, options, n):
    """Rows of the medians of seconds on the GPU, and of ratios within a round."""
    built = {
        (program, by): cases.build(FOLDER + program, "gpu", by)
        for program, by in [("matmul", "off"), ("matmul", "ferry"), ("tiled", "off")]
    }

    def measure(run):
        bench = f"--bench={options.repeats}"
        return [
            [cases.bench(run, path, n, bench) for path in built.values()]
            for _ in range(options.rounds)
        ]

    key = f"time gpu matmul {n}"
    rounds = cases.case(key, built.values(), [options.rounds, options.repeats], measure) or []
    pairs = {
        **{v: [(r[0][f"matmul-{v}"], r[1][f"matmul-{v}"]) for r in rounds] for v in PLAIN},
        BY_HAND: [(r[0]["matmul-elements"], r[2]["matmul-tiled"]) for r in rounds],
    }
    rows = []
    for kernel, seconds in pairs.items():
        row = {"kernel": kernel, "n": n}
        if seconds:
            row["seconds"] = [statistics.median(column) for column in zip(*seconds)]
            row["ratio"] = statistics.median(plain / better for plain, better in seconds)
        rows.append(row)
    return rows


def table(rows):
    head = ["n", "kernel", "sectors, off", "staged", "off / staged", "least for a block, off"]
    head += ["instructions, staged / off", "bank conflicts"]
    cells = []
    for row in rows:
        values = ["over the limit", *[""] * 5]
        if "ratio" in row:
            values = [*map(number, row["sectors"]), f"{row['ratio']:.2f}", number(row["least"])]
            values += [f"{row['instructions']:.2f}", number(row["conflicts"])]
        cells.append([str(row["n"]), row["kernel"], *values])
    return head, cells


def gpu_table(rows):
    head = ["n", "kernel", "ms, off", "staged", "speed-up"]
    cells = []
    for row in rows:
        values = ["over the limit", "", ""]
        if "ratio" in row:
            values = [*(f"{1e3 * s:.3f}" for s in row["seconds"]), f"{row['ratio']:.2f}"]
        cells.append([str(row["n"]), row["kernel"], *values])
    return head, cells
