"""What the pictures of a page show, as plain data.

Nothing here is markup: templates/charts.html draws it.
"""
import math

import gain
from reading import UNITS
from words import count, percent, rate, seconds, size

LABELS = {"l1": "L1 and shared memory", "shared": "Shared memory",
          "l2": "L2", "dram": "DRAM", "issue": "Instruction issue",
          "fp32": "FP32", "fp64": "FP64", "int": "Integer",
          "latency": "Latency", "launch": "Launch",
          "link": "Link to the host"}
COLOURS = 6
SECTOR = 32


def label(unit):
    return LABELS.get(unit, unit)


def program_bar(run, order):
    """Parts of the program's time, the longest kernels first; order is the
    kernels' indices in that order. x and width are of 100."""
    parts = []
    for rank, index in enumerate(order[:COLOURS]):
        kernel = run.kernels[index]
        parts.append((kernel["demangled"], kernel["time"]["seconds"],
                      "#k%d" % index, "c%d" % rank))
    rest = order[COLOURS:]
    if rest:
        parts.append(("Other kernels: %d" % len(rest),
                      sum(run.kernels[i]["time"]["seconds"] for i in rest),
                      "#kernels", "rest"))
    parts.append(("Copies to the device", run.time["h2d_seconds"], "#copies",
                  "h2d"))
    parts.append(("Copies from the device", run.time["d2h_seconds"], "#copies",
                  "d2h"))
    total = sum(part[1] for part in parts)
    bar, x = [], 0
    for name, length, link, colour in parts:
        share = gain.ratio(length, total)
        bar.append({"name": name, "seconds": seconds(length),
                    "share": percent(share), "link": link, "colour": colour,
                    "x": x, "width": 100 * share})
        x += 100 * share
    return bar


def speed_of_light(time):
    """Each unit's fraction of its peak; least and most follow from the range
    of the time."""
    least, most = time["range"]
    rows = []
    for unit in UNITS + (["link"] if "link" in time["units"] else []):
        part = time["units"][unit]
        busy = part * time["seconds"]
        rows.append({"label": label(unit), "part": min(1, part),
                     "text": percent(part),
                     "low": min(1, gain.ratio(busy, most)),
                     "high": min(1, gain.ratio(busy, least)),
                     "limiter": unit == time["limiter"]})
    return rows


# --- Roofline ---------------------------------------------------------------------

class _Axis:
    """Logarithmic, over whole powers of ten."""

    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = math.ceil(math.log10(max(values)) + 1e-9)
        if self.low == self.high:
            self.high += 1
        self.begin, self.end = begin, end

    def at(self, value):
        part = ((math.log10(value) - self.low) / (self.high - self.low))
        return self.begin + part * (self.end - self.begin)

    def ticks(self, unit):
        return [{"at": self.at(10.0 ** e), "text": _power(e) + unit}
                for e in range(self.low, self.high + 1)]


def _power(exponent):
    names = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T",
             15: "P"}
    base = 3 * (exponent // 3)
    if base not in names:
        return "1e%d" % exponent
    return "%d%s" % (10 ** (exponent - base), names[base])


def roofline(kernel, gpu):
    """The kernel on the GPU's roofs, for the arithmetic that keeps it busiest.
    None if the GPU is not described or the kernel calculates nothing.

    An operation is one thread's part of an instruction: a fused
    multiplication and addition is one, a thread that sits out is counted.
    """
    if not gpu:
        return None
    units, total = kernel["time"]["units"], kernel["time"]["seconds"]
    pipe = max(("fp64", "fp32", "int"), key=lambda name: units[name])
    work = kernel["warp_instructions"][pipe] * 32
    if not work or not total:
        return None
    clock = gpu["multiprocessors"] * gpu["clock_ghz"] * 1e9
    peak = gpu[pipe + "_lanes"] * clock
    l2_bytes = SECTOR * (kernel["l2_read_sectors"] + kernel["l2_write_sectors"])
    levels = [("DRAM", gpu["dram_tb_s"] * 1e12,
               kernel["dram_read_bytes"] + kernel["dram_write_bytes"]),
              ("L2", gpu["l2_tb_s"] * 1e12, l2_bytes)]
    points = [{"level": name, "x": work / moved, "y": work / total}
              for name, _, moved in levels if moved]
    if not points:
        return None
    xs = [p["x"] for p in points] + [peak / slope for _, slope, _ in levels]
    x_axis = _Axis([min(xs) / 3, max(xs) * 3], 62, 590)
    ys = [p["y"] for p in points] + [peak * 2]
    y_axis = _Axis([min(ys) / 2, max(ys)], 250, 24)
    first, last = 10.0 ** x_axis.low, 10.0 ** x_axis.high
    floor = 10.0 ** y_axis.low
    roofs = []
    for name, slope, _ in levels:
        begin = max(first, floor / slope)
        ridge = min(last, peak / slope)
        roofs.append({"name": name, "rate": size(slope) + "/s",
                      "x1": x_axis.at(begin), "y1": y_axis.at(begin * slope),
                      "x2": x_axis.at(ridge), "y2": y_axis.at(ridge * slope)})
    for point in points:
        point["text"] = "%s: %.3g operations per byte, %s" % (
            point["level"], point["x"], rate(point["y"]))
        point["cx"], point["cy"] = x_axis.at(point["x"]), y_axis.at(point["y"])
        point["label"] = point["level"]
    if len(points) == 2 and abs(points[0]["cx"] - points[1]["cx"]) < 45:
        points[0]["label"], points[1]["label"] = "DRAM, L2", ""
    ridge = min(r["x2"] for r in roofs)
    return {"pipe": label(pipe), "peak": y_axis.at(peak), "ridge": ridge,
            "peak_text": "%s: %s" % (label(pipe), rate(peak)),
            "share": percent(work / total / peak), "roofs": roofs,
            "points": points, "xticks": x_axis.ticks(""),
            "yticks": y_axis.ticks(""), "gpu": gpu["name"]}


# --- Memory -----------------------------------------------------------------------

def memory(kernel):
    """What goes between the threads, shared memory, the caches and DRAM: rows
    of (from, to, what)."""
    def hit(hits, asked):
        return "hits " + percent(hits / asked) if asked else "not read"

    requests = [count(kernel["global_load_requests"]) + " loads",
                count(kernel["global_store_requests"]) + " stores"]
    if kernel["global_atomics"]:
        requests.append(count(kernel["global_atomics"]) + " atomics")
    shared = [count(kernel["shared_load_requests"]) + " loads",
              count(kernel["shared_store_requests"]) + " stores"]
    if kernel["shared_atomics"]:
        shared.append(count(kernel["shared_atomics"]) + " atomics")
    conflicts = kernel["shared_bank_conflicts"]
    return {
        "l1": hit(kernel["l1_hit_sectors"], kernel["l1_sectors"]),
        "l2": hit(kernel["l2_read_hit_sectors"], kernel["l2_read_sectors"]),
        "conflicts": count(conflicts) + " conflicts",
        "requests": requests, "shared": shared,
        "uses_shared": any(kernel["shared_" + k] for k in (
            "load_requests", "store_requests", "atomics")),
        "sectors": [count(kernel["l2_read_sectors"]) + " read",
                    count(kernel["l2_write_sectors"]) + " written"],
        "bytes": [size(kernel["dram_read_bytes"]) + " read",
                  size(kernel["dram_write_bytes"]) + " written"],
        "loaded": "%s sectors loaded, %s at least (%s)" % (
            count(kernel["global_load_sectors"]),
            count(kernel["least_global_load_sectors"]),
            _ratio(kernel["global_load_sectors"],
                   kernel["least_global_load_sectors"])),
        "stored": "%s sectors stored, %s at least (%s)" % (
            count(kernel["global_store_sectors"]),
            count(kernel["least_global_store_sectors"]),
            _ratio(kernel["global_store_sectors"],
                   kernel["least_global_store_sectors"])),
    }


def _ratio(part, whole):
    return "ratio %.2f" % (part / whole) if whole else "no ratio"
