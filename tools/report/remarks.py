"""Reads optimisation records: what Ferry's passes did and left, and why."""
import os
import re

from problem import Problem, needed
from reading import read_text
from words import clean

TYPES = ("Passed", "Missed", "Analysis", "AnalysisFPCommute",
         "AnalysisAliasing", "Failure")


class Remark:
    """One record. kind is one of TYPES; reason is a name of docs/refusals.md
    or docs/staging.md, or empty; region is the kernel's name without what
    Ferry and the compiler append."""

    def __init__(self, kind, fields):
        self.kind = kind
        self.passname = _text(fields.get("Pass"))
        self.name = _text(fields.get("Name"))
        place = fields.get("DebugLoc")
        place = place if isinstance(place, dict) else {}
        self.file = _text(place.get("File"))
        self.line = _number(place.get("Line"))
        self.column = _number(place.get("Column"))
        self.function = _text(fields.get("Function"))
        self.region = region_of(self.function)
        parts = fields.get("Args")
        parts = parts if isinstance(parts, list) else []
        pairs = [pair for part in parts if isinstance(part, dict)
                 for pair in part.items() if pair[0] != "DebugLoc"]
        self.text = "".join(_text(value) for _, value in pairs)
        self.reason = next((_text(v) for k, v in pairs if k == "Reason"), "")

    def of_kernel(self):
        """Whether the device's compilation has told it."""
        return self.region.startswith("__omp_offloading")

    def content(self):
        return (self.passname, self.kind, self.name, self.file, self.line,
                self.column, self.text)


def _text(value):
    # Nothing nested: aliases may make a small file endless.
    return clean(str(value)) if isinstance(value, (str, int, float)) else ""


def _number(value):
    return value if isinstance(value, int) and 0 <= value < 1 << 32 else 0


def region_of(name):
    """A kernel's name without the endings that differ between passes."""
    return re.split(r"_ferry_[0-9a-f]|_debug__|_omp_outlined|\.", name)[0]


def kernel_of(kernels, remark):
    """The kernel, of a run's, that a remark is about, or None. A function that
    the compiler has renamed has a number more at its end."""
    exact = [k for k in kernels if region_of(k["name"]) == remark.region]
    longer = [k for k in kernels if re.fullmatch(
        re.escape(region_of(k["name"])) + "[0-9]+", remark.region)]
    found = exact or longer
    return found[0] if len(found) == 1 else None


def _loader(yaml):
    # The C version is ten times as fast, and not everywhere.
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):
        """Safe: knows the tags of records, and no others."""

    for kind in TYPES:
        Loader.add_constructor(
            "!" + kind,
            lambda loader, node, kind=kind: (
                kind, loader.construct_mapping(node, deep=True)))
    return Loader


def read_documents(path):
    """The records in a file, in their order. A Problem if it is no such file."""
    yaml = needed("yaml", "python3-yaml")
    problem = "is not an optimisation record (made by -fsave-optimization-record)"
    try:
        documents = list(yaml.load_all(read_text(path), Loader=_loader(yaml)))
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        line = getattr(error, "problem_mark", None)
        where = ", line %d" % (line.line + 1) if line else ""
        raise Problem("'%s'%s %s" % (path, where, problem)) from None
    documents = [d for d in documents if d is not None]
    if not all(isinstance(d, tuple) for d in documents):
        raise Problem("'%s' %s" % (path, problem))
    return [Remark(*document) for document in documents]


def read_remarks(paths):
    """The records of Ferry's passes in these files, each once: host and device
    hold the same ones. A Problem for a file that is no such record."""
    remarks = {}
    for path in paths:
        for remark in read_documents(path):
            if remark.passname.startswith("ferry"):
                alike = remarks.setdefault(remark.content(), {})
                alike.setdefault(remark.region, remark)
    return [remark for alike in remarks.values() for remark in _kernels(alike)]


def _kernels(alike):
    """Of remarks that differ in the region: those of kernels, if any is."""
    kernels = [remark for remark in alike.values() if remark.of_kernel()]
    return kernels or list(alike.values())


def same_file(a, b):
    """Whether two names, perhaps seen from different folders, are one file's."""
    a, b = os.path.normpath(a), os.path.normpath(b)
    shorter, longer = sorted((a, b), key=len)
    return a == b or (longer.endswith(os.sep + shorter) and shorter != ".")


def read_meanings(folder):
    """What the reasons in remarks mean: name to text, from the pages of the
    documentation that lie in the folder."""
    meanings = {}
    page = os.path.join(folder, "staging.md")
    if os.path.exists(page):
        for name, text in re.findall(r"^\| `([a-z-]+)` \| (.+) \|$",
                                     read_text(page), re.M):
            meanings[name] = text
    page = os.path.join(folder, "refusals.md")
    if os.path.exists(page):
        for name, text in re.findall(r"^## ([a-z-]+)\n(.+?)\n(?:\n|\Z)",
                                     read_text(page) + "\n", re.M | re.S):
            meanings[name] = text
    return {name: _plain(text) for name, text in meanings.items()}


def _plain(text):
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "")
