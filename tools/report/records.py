"""Writes optimisation records again, with what a run has shown."""
import re

from problem import Problem
from reading import read_text
from remarks import kernel_of, read_documents, same_file

# What stands before the parts of a remark.
ARGS = "Args:\n"


def _threads(lines):
    return int(sum(line["threads"] for line in lines))


def _hotness(run, remark, kernel, lines):
    """How often threads access memory or branch on a remark's line; of a region
    as a whole, and where that is not known of a line, in its kernel."""
    if lines and remark.passname != "ferry-map":
        return _threads(lines)
    return _threads(run.lines_of(kernel)) if kernel else 0


def _part(key, value):
    return "  - %-16s '%s'\n" % (key + ":", value)


def _added(run, remark):
    """The hotness of a remark, and the parts that are added to it."""
    kernel = kernel_of(run.kernels, remark)
    lines = [line for line in run.lines or [] if line["line"] == remark.line
             and same_file(line["file"], remark.file)]
    accesses = [line for line in lines if line["access"] != "branch"]
    sectors, least = (int(sum(line[key] for line in accesses)) for key in
                      ("global_sectors", "least_global_sectors"))
    parts = ""
    if kernel:
        parts += (_part("String", "; the kernel takes about ")
                  + _part("KernelSeconds", "%.6g" % kernel["time"]["seconds"])
                  + _part("String", " s"))
    if sectors:
        parts += (_part("String", "; the line takes ")
                  + _part("Sectors", sectors) + _part("String", " sectors, ")
                  + _part("LeastSectors", least) + _part("String", " at least"))
    return _hotness(run, remark, kernel, lines), parts


def write(run, paths):
    """The records in these files, one behind the other, as text. A remark of a
    line or kernel that the run has reached has a Hotness, and more parts."""
    result = ""
    for path in paths:
        text = read_text(path)
        # Each record begins with its kind and ends with a line of dots.
        texts = re.findall(r"^--- !.*?^\.\.\.$\n?", text, re.M | re.S)
        remarks = read_documents(path)
        if len(texts) != len(remarks):
            raise Problem("'%s' has records that are not written as LLVM writes "
                          "them" % path)
        for one, remark in zip(texts, remarks):
            hotness, parts = _added(run, remark)
            # A record that has a hotness has all of it.
            if hotness and "\nHotness:" not in one and ARGS in one:
                one = one.replace(ARGS, "Hotness:         %d\n%s"
                                  % (hotness, ARGS), 1)
                one = one[:one.rindex("...")] + parts + "...\n"
            result += one
    return result
