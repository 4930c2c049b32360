"""Reads what ferry-sim --json has written, and checks its form.

What a file holds is data of a program that nobody vouches for: all that the
other modules rely on is checked here, once.
"""
import json
import math
import os

from problem import Problem
from words import clean

NUMBER, TEXT, OBJECT, LIST = "a number", "a text", "an object", "a list"
COUNTERS = """launches blocks threads_per_block h2d_copies h2d_bytes d2h_copies
d2h_bytes allocations global_load_requests global_load_sectors
least_global_load_sectors global_store_requests global_store_sectors
least_global_store_sectors global_atomics global_atomic_sectors
shared_load_requests shared_load_wavefronts shared_store_requests
shared_store_wavefronts shared_atomics shared_bank_conflicts barriers branches
divergent_branches thread_instructions""".split()
TIMED = """l1_wavefronts l1_sectors l1_hit_sectors l2_read_sectors
l2_read_hit_sectors l2_write_sectors dram_read_bytes dram_write_bytes""".split()
PIPES = ["fp32", "fp64", "int", "memory", "other"]
UNITS = ["l1", "shared", "l2", "dram", "issue", "fp32", "fp64", "int",
         "latency", "launch"]
ACCESS = """threads global_requests global_sectors least_global_sectors
shared_requests shared_wavefronts shared_bank_conflicts l1_wavefronts l1_sectors
l1_hit_sectors""".split()
BRANCH = ["threads", "branches", "divergent_branches"]
# A run of thousands of kernels has a few megabytes.
MOST_BYTES = 256 << 20


class Run:
    """A run: the checked JSON's parts, by the names of docs/simulator.md.

    lines is None without --per-line; lines without "kernels" are given the
    kernel if there is only one, else an empty list.
    """

    def __init__(self, data, title):
        self.title = title
        self.device = data["device"]
        self.totals = data["totals"]
        self.time = data["time"]
        self.kernels = data["kernels"]
        self.findings = data["findings"]
        self.errors = data.get("errors", [])
        self.checks = []  # findings of ferry-check, see read_checks
        self.sampled = data.get("sample_blocks", 0)
        self.lines = data.get("lines")
        for line in self.lines or []:
            only = [self.kernels[0]["name"]] if len(self.kernels) == 1 else []
            line.setdefault("kernels", only)

    def lines_of(self, kernel):
        """The lines that this kernel, and no other, has reached."""
        return [line for line in self.lines or []
                if line["kernels"] == [kernel["name"]]]


class _Checker:
    """Looks up values, and complains by the place where one is wrong."""

    def __init__(self, file, writer="`ferry-sim --json`"):
        self.file = file
        self.writer = writer

    def fail(self, where, what):
        raise Problem("'%s' is not what this version of %s "
                      "writes: %s %s" % (self.file, self.writer, where, what))

    def get(self, parent, key, kind, where):
        if key not in parent:
            self.fail(where, "has no '%s'" % key)
        self.check(parent[key], kind, "%s '%s'" % (where, key))
        return parent[key]

    def check(self, value, kind, where):
        right = {
            NUMBER: lambda: isinstance(value, (int, float))
            and not isinstance(value, bool) and 0 <= value < 1e300,
            TEXT: lambda: isinstance(value, str),
            OBJECT: lambda: isinstance(value, dict),
            LIST: lambda: isinstance(value, list),
        }[kind]()
        if not right:
            self.fail(where, "is not %s" % kind)

    def numbers(self, parent, keys, where):
        for key in keys:
            self.get(parent, key, NUMBER, where)

    def texts(self, parent, keys, where):
        for key in keys:
            self.get(parent, key, TEXT, where)

    def several(self, parent, key, kind, where, count=None):
        values = self.get(parent, key, LIST, where)
        for value in values:
            self.check(value, kind, "an element of %s '%s'" % (where, key))
        if count is not None and len(values) != count:
            self.fail("%s '%s'" % (where, key), "has not %d parts" % count)
        return values

    def time(self, parent, where):
        time = self.get(parent, "time", OBJECT, where)
        self.numbers(time, ["seconds"], where)
        self.texts(time, ["limiter"], where)
        units = self.get(time, "units", OBJECT, where)
        self.numbers(units, UNITS, "'units' of " + where)
        self.several(time, "range", NUMBER, where, 2)
        return time

    def counters(self, parent, where):
        self.numbers(parent, COUNTERS + TIMED, where)
        pipes = self.get(parent, "warp_instructions", OBJECT, where)
        self.numbers(pipes, PIPES, where)

    def kernel(self, kernel):
        where = "a kernel"
        self.texts(kernel, ["name", "demangled", "file", "occupancy_limit"],
                   where)
        self.numbers(kernel, ["line", "static_shared_bytes",
                              "dynamic_shared_bytes", "occupancy",
                              "resident_warps", "registers", "l1_bytes"], where)
        self.several(kernel, "grid", NUMBER, where, 3)
        self.several(kernel, "block", NUMBER, where, 3)
        self.counters(kernel, where)
        self.time(kernel, where)

    def line(self, line):
        self.texts(line, ["file", "access"], "a line")
        keys = BRANCH if line["access"] == "branch" else ACCESS
        self.numbers(line, ["line"] + keys, "a line")
        if "kernels" in line:
            self.several(line, "kernels", TEXT, "a line")

    def finding(self, finding):
        self.texts(finding, ["kind", "text", "demangled", "file", "function",
                             "address"], "a finding")
        self.numbers(finding, ["line", "column", "count"], "a finding")
        self.several(finding, "block", NUMBER, "a finding", 3)
        self.several(finding, "thread", NUMBER, "a finding", 3)

    def report(self, data):
        where = "the report"
        self.check(data, OBJECT, where)
        device = self.get(data, "device", OBJECT, where)
        self.texts(device, ["name", "architecture"], "'device'")
        self.numbers(device, ["multiprocessors", "devices"], "'device'")
        kernels = self.several(data, "kernels", OBJECT, where)
        if not kernels:
            raise Problem("'%s' holds no kernel: nothing was launched, so "
                          "there is nothing to report" % self.file)
        totals = self.get(data, "totals", OBJECT, where)
        if "time" not in data and "l1_wavefronts" not in totals:
            raise Problem("'%s' has no times: run ferry-sim again without "
                          "--no-time" % self.file)
        time = self.time(data, where)
        self.numbers(time, ["kernel_seconds", "h2d_seconds", "d2h_seconds"],
                     "'time'")
        self.counters(totals, "'totals'")
        for kernel in kernels:
            self.kernel(kernel)
        for finding in self.several(data, "findings", OBJECT, where):
            self.finding(finding)
        if "lines" in data:
            for line in self.several(data, "lines", OBJECT, where):
                self.line(line)
        if "errors" in data:
            self.several(data, "errors", TEXT, where)
        if "sample_blocks" in data:
            self.numbers(data, ["sample_blocks"], where)


def read_text(path, most=MOST_BYTES):
    """The text of a file, bytes that are no UTF-8 replaced. A Problem if it
    cannot be read or is larger than most bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise Problem("cannot read '%s': %s" % (path, error.strerror)) from None
    if len(data) > most:
        raise Problem("'%s' has more than %d bytes" % (path, most))
    return data.decode("utf-8", "replace")


def parse_json(path):
    """The value that a file holds. A Problem if it is no JSON."""
    def refuse(word):
        raise ValueError("it holds " + word)

    try:
        return json.loads(read_text(path), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Problem("'%s' is not JSON: %s"
                      % (path, str(error) or "nested too deeply")) from None


def read_run(path, title=None):
    """A Run from the file that ferry-sim --json has written."""
    data = clean(parse_json(path))
    _Checker(path).report(data)
    return Run(data, clean(title or os.path.basename(path)))


CHECK_TEXTS = "file kernel pointer used_file message nearest hint".split()
CHECK_NUMBERS = "line launch used_line".split()


def read_checks(paths):
    """The findings in files of ferry-check's (FERRY_CHECK_FILE), as
    dictionaries that have all of CHECK_TEXTS and CHECK_NUMBERS."""
    found = []
    for path in paths:
        data = clean(parse_json(path))
        if not isinstance(data, dict) or data.get("ferry_check") != 1:
            raise Problem("'%s' is not what this version of ferry-check writes "
                          "(FERRY_CHECK_FILE)" % path)
        checker = _Checker(path, "ferry-check")
        for one in checker.several(data, "findings", OBJECT, "the report"):
            one = {**dict.fromkeys(CHECK_TEXTS, ""),
                   **dict.fromkeys(CHECK_NUMBERS, 0), **one}
            checker.texts(one, ["kind", "severity"] + CHECK_TEXTS, "a finding")
            checker.numbers(one, ["device", "times"] + CHECK_NUMBERS,
                            "a finding")
            found.append(one)
    return found


GPU_NUMBERS = """multiprocessors clock_ghz l2_tb_s dram_tb_s fp32_lanes
fp64_lanes int_lanes issue_per_clock link_gb_s link_us""".split()


def read_gpu(path):
    """A description of a GPU with all of GPU_NUMBERS."""
    data = parse_json(path)
    right = isinstance(data, dict) and isinstance(data.get("name"), str)
    for key in GPU_NUMBERS:
        value = data.get(key) if right else None
        right = (isinstance(value, (int, float)) and not isinstance(value, bool)
                 and math.isfinite(value) and value > 0)
    if not right:
        raise Problem("'%s' is not a whole description of a GPU "
                      "(docs/simulator.md)" % path)
    return data


def find_gpu(run, folder):
    """The built-in description of the GPU that the run names, or None."""
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.endswith(".json"):
            gpu = read_gpu(os.path.join(folder, name))
            if gpu["name"] == run.device["name"]:
                return gpu
    return None
