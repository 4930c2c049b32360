"""What is left of a random kernel's loop over threads: a reduction.

`lastprivate` is none of them: on GPUs Clang's gives what depends on the order of threads.
Every iteration gives what depends on it alone, and the operations give the same bits in
any order. They are drawn from a generator of their own, so kernels without them are
those that their seeds made before.
"""

import random
import re
from dataclasses import dataclass

OPERATIONS = {"+": "{0} += {1};", "^": "{0} ^= {1};", "max": "{0} = most<{2}>({0}, {1});"}
NAME = "Result"
CLAUSES = re.compile("CLAUSES|TEAMS|THREADS")
TYPES = {"unsigned long": "+^max", "unsigned": "+^max", "double": "max"}


@dataclass
class Result:
    """A variable of the function around the target region, which it returns."""

    type: str
    clause: str
    lines: list  # the body's, with what changes the variable

    def clauses_in(self, way):
        """The way to write the loop over threads, with the clause wherever one belongs."""
        lines = []
        for line in way.split("\n"):
            if CLAUSES.search(line):
                line += f" {self.clause}"
            if line.startswith("#pragma omp target"):
                line += f" map(tofrom : {NAME})"
            lines.append(line)
        return "\n".join(lines).replace("forall(N, ", f"{NAME} = forallReduced(N, {NAME}, ")


def in_whole_warps(text):
    """The kernel with parallel regions of whole warps: of others the device runtime's
    reductions ask all threads of a warp, and those that are not in the region wait."""
    return re.sub(r"(#pragma omp (?:target |distribute )?parallel .*num_threads\()(\d+)",
                  lambda m: m[1] + str(-(-int(m[2]) // 32) * 32), text)  # fmt: skip


def value(name, type):
    """Of the sum of that name, what a result of that type gets."""
    return f"real<double>({name})" if type == "double" else f"static_cast<{type}>(bits({name}))"


def draw(kernel, way, body):
    """A result for some kernels whose loop is written in that way, else None."""
    rng = random.Random(f"{kernel}/result")
    is_lambda = way.startswith("forall(N, ")
    if not (is_lambda or CLAUSES.search(way)) or rng.random() >= 0.2:
        return None
    type = "unsigned long" if is_lambda else rng.choice(list(TYPES))
    operation = "+" if is_lambda else rng.choice([o for o in OPERATIONS if o in TYPES[type]])

    def changed(sum):
        return OPERATIONS[operation].format(NAME, value(sum, type), type)

    names = [name for name, _ in body.sums]
    lines, inside = [], rng.choice([0, 0, 0.5, 1])
    for line in body.lines:
        lines.append(line)
        begun = re.match(r"(Sum\d+) ", line)
        if begun and rng.random() < inside:
            lines.append(changed(begun[1]))
    lines.append(changed(rng.choice(names)))
    return Result(type, f"reduction({operation} : {NAME})", lines)
