"""Published measurements of real GPUs as data: model.json, read and checked, and
how a figure of one of its cases is predicted.

  sources  NAME: {title, address}
  gpus     NAME: a description as `ferry-sim --gpu FILE` takes it, of GPUs that
           are not built in
  cases    name       what it is called, once for each GPU
           gpu        built in, or of `gpus`
           source     of `sources`, and in `place` where in it
           measured   what exactly was measured
           seen       calibration: the model's makers have looked at it;
                      unseen: compared only after the model was finished
           run        {kernel, arguments, sample}: a kernel of model.cpp, its
                      arguments, and how many blocks are simulated (all if not
                      given)
           against    the version that a speed_up is against, likewise
           items      what the rates are of, for a run; `unit` is for the reader
           figures    [{what, published, reason}]: `what` is one of FIGURES, and
                      `reason` a likely one for a miss
"""

import glob
import json
import os
import re

import common

HERE = os.path.dirname(os.path.realpath(__file__))
CASES = os.path.join(HERE, "model.json")
SOURCE = os.path.join(HERE, "model.cpp")
SOURCES = [SOURCE, *sorted(glob.glob(os.path.join(HERE, "kernels", "*.h")))]
BUILT_IN = os.path.join(common.ROOT, "tools", "sim", "gpu")
LIMITERS = ["l1", "l2", "dram", "issue", "fp32", "fp64", "int", "shared", "latency", "launch"]


class Malformed(Exception):
    """Cases that make no sense; the text says where."""


class NotReported(Exception):
    """The simulator has not reported what a figure needs."""


# --- Figures -----------------------------------------------------------------


def part(counters, *names):
    for name in names:
        if name not in counters:
            raise NotReported(f"ferry-sim reports no '{name}'")
        counters = counters[name]
    return counters


def seconds(kernel):
    return part(kernel, "time", "seconds")


def share(kernel, hits, all_of_them):
    hits, total = part(kernel, hits), part(kernel, all_of_them)
    if not total:
        raise NotReported(f"there are no {all_of_them}")
    return 100 * hits / total


def factor(most):
    def within(predicted, published):
        return published / most <= predicted <= published * most

    return f"within a factor of {most}", within


def points(most):
    return f"within {most} points", lambda predicted, published: abs(predicted - published) <= most


# What is compared: unit, when a prediction holds, and how it is made from the
# counters of the kernel, of the one that it is compared with, and `items`. The
# tolerances are what models of this kind reach: caches within 10 points, bytes
# within 18 %, times that a bandwidth or a latency limits within 35 %, ratios of
# two versions within 1.5.
FIGURES = {
    "speed_up": ("", factor(1.5), lambda one, other, items: seconds(other) / seconds(one)),
    "limiter": (
        "",
        ("the same", lambda predicted, published: predicted == published),
        lambda one, other, items: part(one, "time", "limiter"),
    ),
    "l1_hit_percent": ("%", points(10), lambda one, other, items: share(one, "l1_hit_sectors", "l1_sectors")),
    "l2_read_hit_percent": (
        "%",
        points(10),
        lambda one, other, items: share(one, "l2_read_hit_sectors", "l2_read_sectors"),
    ),
    "occupancy_percent": ("%", points(10), lambda one, other, items: 100 * occupancy(one)),
    "wavefronts_per_load": (
        "",
        factor(1.2),
        lambda one, other, items: part(one, "l1_wavefronts") / part(one, "global_load_requests"),
    ),
    "dram_bytes_per_item": ("bytes", factor(1.18), lambda one, other, items: part(one, "dram_read_bytes") / items),
    "nanoseconds_per_item": ("ns", factor(1.35), lambda one, other, items: 1e9 * seconds(one) / items),
    "items_per_nanosecond": ("", factor(1.35), lambda one, other, items: items / seconds(one) / 1e9),
}
# What the target is about: four in five of those that were not seen hold.
TARGET = ["speed_up", "limiter"]


def occupancy(kernel):
    found = part(kernel, "occupancy")
    return part(found, "fraction") if isinstance(found, dict) else found


# --- Reading -----------------------------------------------------------------


def check(value, where, required, optional=()):
    """That an object has these members, of these types, and no others."""
    if not isinstance(value, dict):
        raise Malformed(f"{where} is no object")
    types = {**required, **dict(optional)}
    for name, found in value.items():
        if name not in types:
            raise Malformed(f"{where} has '{name}', which is none of {', '.join(types)}")
        if not isinstance(found, types[name]) or isinstance(found, bool):
            raise Malformed(f"{where}: '{name}' has the wrong type")
    for name in required:
        if name not in value:
            raise Malformed(f"{where} has no '{name}'")


def check_run(run, where):
    check(run, where, {"kernel": str, "arguments": dict}, {"sample": int})
    for name, value in run["arguments"].items():
        if type(value) is not int or value < 0:
            raise Malformed(f"{where}: argument '{name}' is no whole number of at least 0")
    if run.get("sample", 1) < 1:
        raise Malformed(f"{where}: 'sample' has to be at least 1")


def check_figure(figure, where, case):
    check(figure, where, {"what": str, "published": (int, float, str)}, {"reason": str})
    what, published = figure["what"], figure["published"]
    if what not in FIGURES:
        raise Malformed(f"{where}: '{what}' is none of {', '.join(FIGURES)}")
    if what == "limiter" and published not in LIMITERS:
        raise Malformed(f"{where}: the limiter '{published}' is none of {', '.join(LIMITERS)}")
    if what != "limiter" and not (isinstance(published, (int, float)) and published > 0):
        raise Malformed(f"{where}: 'published' has to be a number above 0")
    if what == "speed_up" and "against" not in case:
        raise Malformed(f"{where}: a speed_up needs 'against'")
    if "item" in what and "items" not in case:
        raise Malformed(f"{where}: {what} needs 'items'")


def check_case(case, where, data):
    texts = dict.fromkeys(["name", "gpu", "source", "place", "measured", "seen"], str)
    check(case, where, {**texts, "run": dict, "figures": list}, {"against": dict, "items": int, "unit": str})
    if case["source"] not in data["sources"]:
        raise Malformed(f"{where}: there is no source '{case['source']}'")
    if case["seen"] not in ["calibration", "unseen"]:
        raise Malformed(f"{where}: 'seen' is '{case['seen']}', neither calibration nor unseen")
    for name in ["run", "against"]:
        if name in case:
            check_run(case[name], f"{where}: '{name}'")
    for figure in case["figures"]:
        check_figure(figure, f"{where}: a figure", case)


def key(case):
    """What a case is called, with its GPU."""
    return f"{case['gpu']}: {case['name']}"


def load(path):
    """The data of a file of cases. Malformed if it cannot be read or makes no
    sense."""
    data = read_json(path)
    check(data, "the file", {"sources": dict, "gpus": dict, "cases": list})
    for name, source in data["sources"].items():
        check(source, f"source '{name}'", {"title": str, "address": str})
    names = set()
    for number, case in enumerate(data["cases"]):
        name = case.get("name", number + 1) if isinstance(case, dict) else number + 1
        check_case(case, f"case '{name}'", data)
        if key(case) in names:
            raise Malformed(f"there are two cases '{key(case)}'")
        names.add(key(case))
        architecture(data, case["gpu"])
    return data


def architecture(data, gpu):
    """The architecture of a GPU that the data describes or that is built in."""
    described = data["gpus"].get(gpu) or built_in(gpu)
    if not re.fullmatch(r"sm_\d+", str(described.get("architecture"))):
        raise Malformed(f"the GPU '{gpu}' has no 'architecture' like sm_80")
    return described["architecture"]


def read_json(path):
    try:
        with open(path) as text:
            return json.load(text)
    except OSError as error:
        raise Malformed(error.strerror) from None
    except ValueError as error:
        raise Malformed(f"no JSON: {error}") from None


def built_in(name):
    known = sorted(os.path.splitext(file)[0] for file in os.listdir(BUILT_IN) if file.endswith(".json"))
    if name not in known:
        raise Malformed(f"the GPU '{name}' is neither described nor one of {', '.join(known)}")
    return read_json(os.path.join(BUILT_IN, name + ".json"))


def arguments(run):
    """A run as arguments of model.cpp's program."""
    unchecked = ["check=0"] if "sample" in run else []
    return [run["kernel"], *(f"{name}={value}" for name, value in run["arguments"].items()), *unchecked]
