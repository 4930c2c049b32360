"""The tables of `paper` as plots, by Debian's matplotlib."""

import matplotlib

matplotlib.use("svg")
# The same bytes from the same figures.
matplotlib.rcParams["svg.hashsalt"] = "ferry"
import matplotlib.pyplot as plt  # noqa: E402


def ratios(rows, compared, path):
    """For each kernel the columns' times by that of the base, over the size."""
    kernels = list(dict.fromkeys(row["kernel"] for row in rows if "seconds" in row))
    columns = [c for c in compared.columns if c != compared.base]
    across = min(4, len(kernels)) or 1
    down = -(-len(kernels) // across) or 1
    size = (3 * across, 2.6 * down)
    figure, axes = plt.subplots(
        down, across, figsize=size, sharey=True, squeeze=False, layout="constrained"
    )
    for plot in axes.flat[len(kernels) :]:
        plot.set_axis_off()
    for plot, kernel in zip(axes.flat, kernels):
        own = [row for row in rows if row["kernel"] == kernel and "seconds" in row]
        for column, marker in zip(columns, "os^Dv"):
            plot.plot([r["n"] for r in own], [r[column] for r in own], marker=marker, label=column)
        plot.axhline(1, color="gray", linewidth=0.8)
        plot.set(title=kernel, xscale="log", xlabel="n")
        sizes = [r["n"] for r in own]
        plot.set_xticks(sizes, labels=map(str, sizes))
        plot.minorticks_off()
    axes[0][0].set_ylim(bottom=0)
    axes[0][0].set_ylabel(f"time / {compared.base}")
    axes[0][0].legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def stages(counts, path):
    """For each size and stage the sectors loaded, by the least possible."""
    names = list(next(iter(counts.values())))
    figure, plot = plt.subplots(figsize=(8, 3), layout="constrained")
    width = 0.8 / len(counts)
    for number, (n, of) in enumerate(counts.items()):
        places = [p + number * width for p, name in enumerate(names) if of[name]]
        known = [c for c in of.values() if c]
        ratios = [c["global_load_sectors"] / c["least_global_load_sectors"] for c in known]
        plot.bar(places, ratios, width, label=f"n = {n}")
    plot.set_xticks([p + 0.4 - width / 2 for p in range(len(names))], labels=names, rotation=20)
    plot.set_ylabel("sectors / least")
    plot.axhline(1, color="gray", linewidth=0.8)
    plot.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def by_size(rows, what, path):
    """For each kernel how much staging gains, over the size."""
    figure, plot = plt.subplots(figsize=(5, 3), layout="constrained")
    for kernel, marker in zip(dict.fromkeys(row["kernel"] for row in rows), "os^D"):
        own = [row for row in rows if row["kernel"] == kernel and "ratio" in row]
        plot.plot([r["n"] for r in own], [r["ratio"] for r in own], marker=marker, label=kernel)
    plot.axhline(1, color="gray", linewidth=0.8)
    plot.set(xlabel="n", ylabel=what)
    plot.set_ylim(bottom=0)
    plot.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
