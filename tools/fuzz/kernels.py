"""Random kernels that read arrays in loops, for tools/fuzz/stage.

A program is a list of kernels. Each is a function with a target region in one
of the ways to write a loop over threads, and a body of bodies.py; it is
launched for several cases: sizes, strides, trip counts, arrays that are apart
or parts of one another. All arrays are printed as checksums after each case.
"""

import functools
import random
import re

import bodies
import results

KERNELS = 2  # of one seed
SIZES = [0, 1, 31, 32, 33, 37, 61, 97, 127, 128, 129, 131, 192, 251, 256, 300, 389]
EDGES = [(0, 5), (1, 1), (5, 7), (8, 16), (11, 13), (16, 16), (17, 9), (31, 3), (3, 64), (20, 20), (4, 64), (9, 70), (33, 65), (18, 131)]
# Planes, rows and columns.
SOLIDS = [(2, 17, 65), (3, 33, 31), (5, 16, 64), (1, 20, 70), (4, 9, 33), (2, 40, 40), (7, 8, 64), (3, 5, 7), (2, 64, 64), (1, 1, 1), (0, 3, 3)]

COMBINED = "#pragma omp target teams distribute parallel for"

# How the threads' loop is written: LOOP is a loop over T around the body, BODY
# the body alone in braces, in a lambda for FORALL.
WAYS_COMBINED = {
    f"{COMBINED}CLAUSES\nLOOP": 10,
    f"{COMBINED} simdCLAUSES\nLOOP": 0.7,
    "#pragma omp target\n#pragma omp teams distribute parallel forCLAUSES\nLOOP": 1,
    "#pragma omp target teams loop\nLOOP": 0.5,
    "forall(N, FORALL);": 4,
    "forallLimit<LIMIT>(N, FORALL);": 2,
    "forallCyclic(N, FORALL);": 1,
}
WAYS_MIXED = {
    "#pragma omp target teams distributeTEAMS\n"
    "for (INDEX C = 0; C < N; C += CHUNK) {\n"
    "#pragma omp parallel forTHREADS\n"
    "for (INDEX T = C; T < least<INDEX>(N, C + CHUNK); ++T) BODY\n}": 3,
    "#pragma omp target parallel forTHREADS\nLOOP": 2,
    "#pragma omp target teamsTEAMS\n{\nINDEX Base = 0;\n"
    "#pragma omp distribute parallel forTHREADS\n"
    "for (INDEX T = Base; T < N; ++T) BODY\n}": 1,
    "#pragma omp target\n#pragma omp parallelTHREADS\n{\n#pragma omp forSCHEDULE\nLOOP\n}": 1,
    "forallSplit(N, static_cast<INDEX>(CHUNK), FORALL);": 1.5,
    "#pragma omp target teams distributeTEAMS\nLOOP": 0.3,
}
WAYS_COLLAPSED = {
    f"{COMBINED} collapse(2)CLAUSES\nNEST": 4,
    "forallCollapsed(N, W, FORALL);": 2,
}
WAYS_PLANES = {
    f"{COMBINED} collapse(3)CLAUSES\nNEST": 4,
    "forallPlanes(L, N, W, FORALL);": 2,
    "forall(L * N * W, FLAT);": 2,
}
LIMITS = [7, 16, 32, 33, 50, 64, 64, 96, 128, 128, 192, 256, 512, 1024]


def combined_only(seed):
    """A file with other constructs makes all its kernels harder to read."""
    return seed % 2 == 1


def enlarge(size, scale):
    """A launch of so many times as many iterations, in all directions alike."""
    return tuple(round(n * scale ** (1 / len(size))) for n in size)


class Kernel:
    """`scale`: the iterations of its launches by what is usual; their accesses, which
    are those of longer loops as well, grow by its power 1.5."""

    def __init__(self, seed, number, scale=1):
        self.name = f"s{seed}_k{number}"
        self.rng = rng = random.Random(f"{seed}/{number}")
        ways = dict(WAYS_COMBINED)
        if not combined_only(seed):
            ways.update(WAYS_MIXED)
        self.collapsed = rng.random() < 0.22
        # Drawn from elsewhere: seeds without planes make the kernels they made before.
        solid = random.Random(f"{seed}/{number}/planes")
        self.planes = self.collapsed and solid.random() < 0.35
        self.constant = self.planes and solid.random() < 0.3
        if self.collapsed:
            ways = WAYS_PLANES if self.planes else WAYS_COLLAPSED
        self.way = rng.choices(list(ways), list(ways.values()))[0]
        self.index = rng.choices(["int", "long", "unsigned", "unsigned long"], [6, 4, 1, 0.5])[0]
        # The first case is never an empty one.
        if self.planes:
            self.sizes = [rng.choice(SOLIDS[:-2])] + [rng.choice(SOLIDS) for _ in range(2)]
            if self.constant:
                self.sizes = self.sizes[:1] * 3
        elif self.collapsed:
            self.sizes = [rng.choice(EDGES[3:])] + [rng.choice(EDGES) for _ in range(2)]
        else:
            self.sizes = [(rng.choice(SIZES[6:]),)] + [(rng.choice(SIZES),) for _ in range(2)]
        self.sizes = [enlarge(size, scale) for size in self.sizes]
        self.body = bodies.Body(rng, self.name, self.index, self.sizes, scale**1.5)
        self.body.write()
        self.result = results.draw(self.name, self.way, self.body)
        self.text = self.write()

    # --- The kernel -------------------------------------------------------------

    def clauses(self, *kinds):
        rng, text = self.rng, ""
        ways = {
            "teams": ["num_teams(1)", "num_teams(3)", "num_teams(8)"],
            "limit": [f"thread_limit({rng.choice(LIMITS)})"],
            "threads": [f"num_threads({rng.choice(LIMITS)})"],
            "schedule": ["schedule(static)", "schedule(static, 1)", "schedule(static, 4)",
                         "schedule(static, 33)", "schedule(dynamic, 5)"],
            "distribute": ["dist_schedule(static)", "dist_schedule(static, 16)", "dist_schedule(static, 100)"],
        }  # fmt: skip
        likely = {"limit": 0.4, "teams": 0.2, "threads": 0.12, "schedule": 0.12, "distribute": 0.08}
        for kind in kinds:
            if rng.random() < likely[kind]:
                text += " " + rng.choice(ways[kind])
        return text

    def loops(self):
        """The loop over T, in several directions."""
        t = self.index
        ways = [f"for ({t} T = 0; T < N; ++T) BODY"] * 5
        ways += [f"for ({t} X = 2; X < N + 2; ++X) {{ const {t} T = X - 2; BODY }}",
                 f"for ({t} X = 0; X < N * 2; X += 2) {{ const {t} T = X / 2; BODY }}"]  # fmt: skip
        if self.body.signed:
            ways += [f"for ({t} T = N - 1; T >= 0; --T) BODY"]
        return self.rng.choice(ways)

    def launch(self):
        rng, t, way = self.rng, self.index, self.way
        result = self.result
        inside = "\n".join(result.lines if result else self.body.lines)
        linear = f"const {t} T = I * W + J;\n" if self.collapsed else ""
        arguments = f"{t} I, {t} J" if self.collapsed else f"{t} T"
        skip = "return" if "FORALL" in way or "FLAT" in way else "continue"
        nest = f"for ({t} I = 0; I < N; ++I)\nfor ({t} J = 0; J < W; ++J) BODY"
        if self.planes:
            linear = f"const {t} T = (P * N + I) * W + J;\n"
            arguments = f"{t} P, {t} I, {t} J"
            nest = f"for ({t} P = 0; P < L; ++P)\n{nest}"
        flat = f"[=]({t} X) {{ const {t} P = X / (N * W), I = X % (N * W) / W, J = X % W; BODY }}"
        if result:
            way = result.clauses_in(way)
            arguments += f", {result.type} &{results.NAME}"
        texts = {
            "FORALL": f"[=]({arguments}) BODY", "FLAT": flat, "NEST": nest, "LOOP": self.loops(),
            "CLAUSES": self.clauses("teams", "limit", "threads", "schedule", "distribute"),
            "TEAMS": self.clauses("teams", "limit"), "THREADS": self.clauses("threads"),
            "SCHEDULE": self.clauses("schedule"), "LIMIT": str(rng.choice(LIMITS)),
            "CHUNK": str(rng.choice([16, 32, 50, 64, 128])), "INDEX": t,
            "BODY": f"{{\n{linear}{inside}\n}}", "SKIP": skip,
        }  # fmt: skip
        for name, text in texts.items():
            way = way.replace(name, text)
        if result:
            way = results.in_whole_warps(way)
        if self.constant:
            for name, number in zip("LNW", self.sizes[0]):
                way = re.sub(rf"\b{name}\b", str(number), way)
        return way

    def parameter_list(self):
        items = []
        for a in self.body.arrays:
            type = a.type.name if a.written else f"const {a.type.name}"
            if a.view:
                items.append(f"View<{type}> {a.name}")
            else:
                items.append(f"{type} *{'__restrict ' if a.restrict else ''}{a.name}")
        return ", ".join(items + [f"{self.index} {p}" for p in self.body.parameters])

    # --- The cases ----------------------------------------------------------------

    def case(self, number):
        body, name = self.body, f"{self.name}_c{number}"
        values = body.values(number)
        made, arguments, reports, hulls = [], [], [], {}
        for a in body.arrays:
            low, high = a.hull(number, values)
            whole, shift = a, a.shift(number)
            if shift is not None:
                whole, low, high = a.inside, low + shift, high + shift
            least, greatest = hulls.get(whole.name, (0, 0))
            hulls[whole.name] = min(least, low), max(greatest, high)
        for k, a in enumerate(body.arrays):
            whole, shift = a, a.shift(number)
            if shift is not None:
                whole = a.inside
            low, high = hulls[whole.name]
            base = whole.slack - low
            at = f"{whole.name}.at<{a.type.name}>({base + (shift or 0)})"
            arguments.append(f"{{{at}}}" if a.view else at)
            if whole is a:
                made.append(f'Array {a.name}("{a.type.layout}", {a.type.size}, {base + high + 1}, {k + 1});')
                made += [f"{a.name}.{a.fill};"] if a.fill else []
                made.append(f"{a.name}.send();")
                reports.append(f'{a.name}.report("{name}", "{a.name}", {str(a.written).lower()});')
        arguments += [str(v[number]) for v in body.parameters.values()]
        call = f"{self.name}({', '.join(arguments)})"
        call = f'report("{name}", "{results.NAME}", {call})' if self.result else call
        lines = made + [f"{call};"] + reports
        return f'if (wanted("{name}")) {{\n' + "\n".join(lines) + "\n}"

    def write(self):
        result = self.result
        type = result.type if result else "void"
        lines = [self.launch()]
        if result:
            lines = [f"{type} {results.NAME} = 5;", *lines, f"return {results.NAME};"]
        return "\n".join(
            [*self.body.types,
             f"[[gnu::noinline]] static {type} {self.name}({self.parameter_list()}) {{", *lines, "}",
             f"static Test {self.name}_test([] {{",
             *(self.case(c) for c in self.body.cases), "});\n"]
        )  # fmt: skip


@functools.lru_cache(maxsize=100)
def kernels_of(seed, scale):
    return [Kernel(seed, k, scale) for k in range(KERNELS)]


def case_names(seed, scale):
    return [f"{k.name}_c{c}" for k in kernels_of(seed, scale) for c in k.body.cases]


def is_dynamic(name, scale):
    """Whether threads ask for the next iterations of the kernel of that name."""
    seed, number = re.fullmatch(r"s(\d+)_k(\d+)", name).groups()
    return "schedule(dynamic" in kernels_of(int(seed), scale)[int(number)].text


def program_of(seeds, scale):
    """The files of a program: {name: text}."""
    files, main = {}, "#define FERRY_FUZZ_MAIN\n"
    for name, combined in [("combined", True), ("mixed", False)]:
        own = [s for s in seeds if combined_only(s) == combined]
        if own:
            texts = [k.text for s in own for k in kernels_of(s, scale)]
            files[f"{name}.cpp"] = f'{main}#include "kernels.h"\n\n' + "\n".join(texts)
            main = ""
    return files


def flags_of(seed):
    """How a program whose first seed is this one is compiled."""
    rng = random.Random(f"{seed}/flags")
    flags = [rng.choices(["-O3", "-O2"], [3, 1])[0]]
    flags += [f"--offload-arch={rng.choice(['sm_70', 'sm_80', 'sm_90', 'sm_90'])}"]
    flags += ["-g"] if rng.random() < 0.2 else []
    flags += ["-foffload-lto"] if rng.random() < 0.15 else []
    budget = rng.choice([2048, 8192, 16384])
    flags += ["-mllvm", f"-ferry-stage-max-bytes={budget}"] if rng.random() < 0.15 else []
    return flags
