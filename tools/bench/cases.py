"""Measurements of the examples that may be stopped and taken up again: what was
built, how it is run, and what is known already."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import common

EXAMPLES = os.path.join(common.ROOT, "docs", "examples")

# How a program is compiled for each device.
DEVICES = {
    "host": ["-O3", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu"],
    "gpu": ["-O3", "-fopenmp", "--offload-arch=native"],
    "sim": ["-O3", "-fopenmp", "--ferry-sim"],
}
# And by whom.
COMPILERS = {
    "ferry": [],
    "clang": ["--ferry-off"],
    "off": ["-mllvm", "-ferry-stage=off"],
    "whole": ["-mllvm", "-ferry-map-whole-layout"],
}


class OverLimit(Exception):
    """A case took longer than it may."""


class Cases:
    """Cases have a key, a text. What they found is kept in `<folder>/<name>.json`
    and used again as long as programs and options are the same."""

    def __init__(self, name, folder, compiler, limit, fresh=False):
        self.folder, self.compiler, self.limit = folder, compiler, limit
        os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
        self.name, self.path = name, os.path.join(folder, name + ".json")
        self.known = {}
        if not fresh and os.path.exists(self.path):
            with open(self.path) as text:
                self.known = json.load(text)["cases"]
        self.used, self.late, self.digests = {}, [], {}
        # For what programs leave behind, more so if they are killed.
        self.scratch = tempfile.TemporaryDirectory(dir=folder)
        self.simulator = os.path.join(os.path.dirname(compiler), "ferry-sim")

    def plot(self, of):
        return os.path.join(self.folder, f"{self.name}-{of}.svg")

    def build(self, program, device, by):
        """The path of docs/examples/<program>.cpp as a program."""
        source = os.path.join(EXAMPLES, program + ".cpp")
        return self.compile(
            f"{os.path.basename(program)}-{device}-{by}",
            [*COMPILERS[by], *DEVICES[device], source],
            [os.path.join(EXAMPLES, "example.h"), *files(os.path.dirname(source))],
        )

    def compile(self, name, arguments, sources):
        """The path of the program that the compiler makes of its arguments, which
        name some of the sources; built again if any of it, or Ferry, has changed."""
        path = os.path.join(self.folder, "bin", name)
        if path in self.digests:
            return path
        command = [self.compiler, *arguments, "-o", path]
        digest = self.digests[path] = self.digest(sources, command)
        if os.path.exists(path) and read(path + ".digest") == digest:
            return path
        say(f"building {os.path.relpath(path, self.folder)}")
        if subprocess.run(command, env=self.environment()).returncode:
            sys.exit(f"error: {name} cannot be compiled")
        with open(path + ".digest", "w") as out:
            out.write(digest)
        return path

    def digest(self, sources, command):
        """Of all that a program is made of: sources, command, Ferry."""
        digest = hashlib.sha256(repr(command).encode())
        for path in sources:
            digest.update(read(path).encode())
        for path in files(os.path.join(os.path.dirname(os.path.dirname(self.compiler)), "lib")):
            state = os.stat(path)
            digest.update(f"{path} {state.st_size} {state.st_mtime_ns}".encode())
        return digest.hexdigest()[:16]

    def environment(self):
        return dict(os.environ, OMP_TARGET_OFFLOAD="MANDATORY", TMPDIR=self.scratch.name)

    def case(self, key, programs, options, measure):
        """What `measure(run)` returns, JSON, or None if it takes too long. `run`
        is subprocess.run, but for failures, which end everything."""
        stamp = [*(self.digests[p] for p in programs), *options]
        if self.known.get(key, {}).get("stamp") != stamp:
            say(f"{key}: ", end="")
            start = time.monotonic()
            try:
                found = measure(lambda *command: self.run(command, start + self.limit))
            except OverLimit:
                say(f"over the limit of {self.limit} s")
                self.late.append(key)
                return None
            say(f"{time.monotonic() - start:.1f} s")
            self.known[key] = {"stamp": stamp, "found": found}
            self.save({})
        self.used[key] = self.known[key]
        return self.known[key]["found"]

    def run(self, command, end):
        child = subprocess.Popen(
            command,
            env=self.environment(),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            output, errors = child.communicate(timeout=max(0.01, end - time.monotonic()))
        except BaseException as reason:
            # What the child has started goes with it.
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            if isinstance(reason, subprocess.TimeoutExpired):
                raise OverLimit from None
            raise
        if child.returncode:
            why = errors.strip()
            sys.exit(f"error: {' '.join(command)} ended with {child.returncode}: {why}")
        return output

    def bench(self, run, program, *arguments):
        """Seconds of each variant of one run with --bench."""
        lines = run(program, *map(str, arguments)).splitlines()
        return {name: float(seconds) for name, _, seconds, _ in map(str.split, lines)}

    def simulate(self, run, program, *arguments):
        """The totals of one run by ferry-sim, without caches and time."""
        return self.report(run, ["--no-time"], program, *arguments)["totals"]

    def report(self, run, options, program, *arguments):
        """What ferry-sim reports of one run with these options of its own."""
        report = os.path.join(self.scratch.name, "report.json")
        options = ["--quiet", "--json", report, *options]
        run(self.simulator, *options, "--", program, *map(str, arguments))
        with open(report) as text:
            return json.load(text)

    def count_run(self, run, program, *arguments):
        """The totals of one run of a variant: those of two less those of one."""
        one = self.simulate(run, program, *arguments)
        two = self.simulate(run, program, *arguments, "--bench=1")
        return {name: two[name] - one[name] for name in two}

    def save(self, more):
        """Everything known, and what was made of it; whole or not at all."""
        with open(self.path + ".new", "w") as out:
            json.dump({**more, "cases": self.known}, out, indent=1)
            out.write("\n")
        os.replace(self.path + ".new", self.path)


def files(folder):
    return sorted(os.path.join(f, name) for f, _, names in os.walk(folder) for name in names)


def read(path):
    """The text of a file, nothing if there is none."""
    try:
        with open(path) as text:
            return text.read()
    except FileNotFoundError:
        return ""


def say(what, end="\n"):
    print(what, end=end, file=sys.stderr, flush=True)
