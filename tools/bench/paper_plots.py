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
