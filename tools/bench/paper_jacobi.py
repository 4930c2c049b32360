"""Jacobi's method in the stages of the tutorial of 2019 (Mattson et al.), and
its plain stage with staging."""

import statistics

from common import number

PROGRAM = "tutorial/jacobi"
# A row's name, the variant of the program, who builds it, and the seconds that
# the tutorial gives for it.
STAGES = [
    ("target", "target", "off", None),
    ("loops", "loops", "off", 131.94),
    ("data", "data", "off", 18.37),
    ("branchfree", "branchfree", "off", 13.74),
    ("coalesced", "coalesced", "off", 7.64),
    ("data, staged", "data", "ferry", None),
    ("lambda", "ferry", "off", None),
    ("lambda, staged", "ferry", "ferry", None),
]
BASE = "loops"
TUTORIAL = ["tutorial s", f"tutorial / {BASE}"]
SIZES = {"counted": [256, 500, 1000], "gpu": [1000, 4096]}
SMOKE = {"counted": [10], "gpu": [10]}
TEXT = (
    "One solve; `host` is time on the host device, all from copies to instructions is counted by "
    "the simulated GPU. The stages are the tutorial's: `target` is one thread in a target construct for "
    "each loop, `loops` shares the loops among all threads, `data` keeps the data on the device, "
    "`branchfree` has no test for the diagonal, and for `coalesced` the matrix was stored by "
    "columns by hand. `lambda` has the loops of `data` as lambdas with Ferry, which also runs "
    "with `-ferry-stage=off`, as do all rows but those called `staged`. The tutorial's seconds "
    "are of thousands of steps on an NVIDIA K20X with n = 4096, by Cray's compiler: compare the "
    "ratios. Its first row is `loops`. The host device has one thread and reads whole cache "
    "lines, so there `coalesced` is the wrong order, and nothing is staged."
)


def section(cases, options):
    yield f"## Jacobi's method, stage by stage\n\n{TEXT}", None
    sizes = SMOKE if options.smoke else SIZES
    plotted = {}
    for n in sizes["counted"]:
        seconds, counts = times(cases, options, n, "host", ["off"]), counted(cases, n)
        yield f"n = {n}{steps(counts)}: host device and simulated GPU", table(seconds, counts)
        plotted[n] = counts
    if options.plots:
        import paper_plots

        paper_plots.stages(plotted, cases.plot("jacobi"))
    if options.gpu:
        for n in sizes["gpu"]:
            yield f"n = {n}: GPU", gpu_table(times(cases, options, n, "gpu", ["off", "ferry"]))


def times(cases, options, n, device, builders):
    """Median seconds by builder and variant; of the ratios to BASE within a round too."""
    built = {by: cases.build(PROGRAM, device, by) for by in builders}

    def measure(run):
        bench = f"--bench={options.repeats}"
        return [
            {by: cases.bench(run, path, n, bench) for by, path in built.items()}
            for _ in range(options.rounds)
        ]

    key = f"time {device} jacobi {n}"
    rounds = cases.case(key, built.values(), [options.rounds, options.repeats], measure)
    found = {}
    for name, variant, by, _ in STAGES:
        if rounds and by in built:
            seconds = [r[by][f"jacobi-{variant}"] for r in rounds]
            base = [r["off"][f"jacobi-{BASE}"] for r in rounds]
            ratio = statistics.median(s / b for s, b in zip(seconds, base))
            found[name] = statistics.median(seconds), ratio
    return found


def counted(cases, n):
    """By the simulator, for each stage what one solve does."""
    counts = {}
    for name, variant, by, _ in STAGES:
        path = cases.build(PROGRAM, "sim", by)
        counts[name] = cases.case(
            f"count jacobi {n} {name}",
            [path],
            [],
            lambda run: cases.count_run(run, path, n, f"--only=jacobi-{variant}"),
        )
    return counts


def steps(counts):
    """Each step launches two kernels."""
    found = {c["launches"] // 2 for c in counts.values() if c}
    return f", {'-'.join(map(str, sorted(found)))} steps" if found else ""


def tutorial(seconds):
    first = next(s for name, _, _, s in STAGES if name == BASE)
    return [f"{seconds:.2f}", f"{seconds / first:.2f}"] if seconds else ["", ""]


def table(seconds, counts):
    head = ["stage", f"host / {BASE}", "copies to the device", "bytes to", "copies back"]
    head += ["bytes back", "sectors loaded", "least", "ratio", "instructions"] + TUTORIAL
    rows = []
    for name, _, _, theirs in STAGES:
        row = [name, f"{seconds[name][1]:.2f}" if name in seconds else ""]
        c = counts[name]
        if c:
            sectors, least = c["global_load_sectors"], c["least_global_load_sectors"]
            transfers = ["h2d_copies", "h2d_bytes", "d2h_copies", "d2h_bytes"]
            row += [number(c[t]) for t in transfers]
            row += [number(sectors), number(least), f"{sectors / least:.2f}"]
            row.append(number(c["thread_instructions"]))
        else:
            row += ["over the limit", *[""] * 7]
        rows.append(row + tutorial(theirs))
    return head, rows


def gpu_table(seconds):
    head = ["stage", "ms", f"GPU / {BASE}"] + TUTORIAL
    rows = []
    for name, _, _, theirs in STAGES:
        s = seconds.get(name)
        row = [name, *([f"{1e3 * s[0]:.3f}", f"{s[1]:.2f}"] if s else ["over the limit", ""])]
        rows.append(row + tutorial(theirs))
    return head, rows
