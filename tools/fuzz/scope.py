"""What bodies of random kernels are made of: arrays, values, indices, loops."""

import math
from contextlib import contextmanager

from accesses import LONGEST, SCALARS, Access, Array, record, scalar

STRIDES = [2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 17, 24, 32, 33]
# The last ones only in large launches.
TRIPS = [0, 1, 2, 3, 5, 7, 8, 11, 15, 16, 17, 23, 31, 32, 33, 40, 64, 65, 100, 128, 150, 256, 333, 512]


class Scope:
    """What statements of one thread, which is the iteration T (or I and J, or P, I and
    J) of all, are made of: values, arrays, indices and loops."""

    def __init__(self, rng, prefix, index, sizes, scale=1):
        """`scale`: of a launch, the most accesses by what is usual."""
        self.rng, self.prefix, self.index, self.scale = rng, prefix, index, scale
        self.signed = not index.startswith("unsigned")
        self.cases = range(len(sizes))
        self.types, self.lines, self.count = [], [], 0
        self.arrays, self.pool = [], []
        self.hidden = {}  # values that ranges depend on and the kernel does not get
        variables = ["T", "IJ", "PIJ"][len(sizes[0]) - 1]
        extents = ["N", "NW", "LNW"][len(sizes[0]) - 1]
        self.collapsed, self.planes = len(variables) > 1, len(variables) > 2
        self.parameters = {name: list(values) for name, values in zip(extents, zip(*sizes))}
        self.all = " * ".join(extents)  # iterations
        self.scope = [(v, "0", f"{e} - 1") for v, e in zip(variables, extents)]
        if self.collapsed:
            self.scope.append(("T", "0", f"{self.all} - 1"))
        self.threads = [max(1, math.prod(size)) for size in sizes]
        self.sums = []
        for _ in range(rng.choice([1, 1, 2])):
            self.sums.append(
                (self.fresh("Sum"), rng.choice(["unsigned long", "unsigned", "float", "double", "double"]))
            )

    # --- Small things ---------------------------------------------------------

    def chance(self, probability):
        return self.rng.random() < probability

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def say(self, text):
        self.lines.append(text)

    def values(self, case):
        return {n: v[case] for n, v in {**self.parameters, **self.hidden}.items()}

    def parameter(self, stem, values, hidden=False):
        name = self.fresh(stem)
        (self.hidden if hidden else self.parameters)[name] = list(values)
        return name

    @contextmanager
    def within(self, *variables):
        outer = self.scope
        self.scope = outer + list(variables)
        yield
        self.scope = outer

    @contextmanager
    def block(self, head):
        self.say(head + " {")
        yield
        self.say("}")

    # --- Arrays ---------------------------------------------------------------

    def element_type(self, records=True):
        rng = self.rng
        if records and self.chance(0.22):
            kinds = rng.choice([["float", "double"], ["unsigned", "double", "unsigned char"],
                                ["float"], ["double"], list(SCALARS)])  # fmt: skip
            types = [rng.choice(kinds) for _ in range(rng.randint(2, 6))]
            made, text = record(f"{self.prefix}_{self.fresh('Record')}", types, self.chance(0.15))
            if made.size <= 48:
                self.types.append(text)
                return made
        return scalar(rng.choice(["double"] * 5 + ["float"] * 4 + list(SCALARS)))

    def array(self, type=None, **more):
        type = type or self.element_type()
        slack = self.rng.choice([0, 0, 0, 1, 2, 3, 5])
        made = Array(self.fresh("A"), type, slack=slack, view=self.chance(0.15), **more)
        self.arrays.append(made)
        return made

    def pooled(self):
        """An array that nobody writes, new or one that is read elsewhere too."""
        if self.pool and self.chance(0.3):
            return self.rng.choice(self.pool)
        self.pool.append(self.array())
        self.pool[-1].restrict = not self.pool[-1].view and self.chance(0.1)
        return self.pool[-1]

    def access(self, array, index):
        """The element; remembers that it is accessed."""
        array.accesses.append(Access(index, self.scope))
        return f"{array.name}[{index}]"

    def fits(self, array, index):
        """Whether the array stays short enough with that access."""
        trial = Array("", array.type, accesses=[Access(index, self.scope)])
        for case in self.cases:
            low, high = trial.hull(case, self.values(case))
            if high - low > LONGEST * self.scale or (low < 0 and not self.signed):
                return False
        return True

    def read(self, element, array):
        """The values of one element: (expression, scalar type), some fields."""
        fields = array.type.fields
        if len(fields) == 1:
            return [(element + ("." + fields[0][0] if fields[0][0] else ""), fields[0][1])]
        picked = self.rng.sample(fields, self.rng.randint(1, len(fields)))
        if self.chance(0.2):
            name = self.fresh("E")
            self.say(f"const {array.type.name} {name} = {element};")
            element = name
        return [(f"{element}.{n}", t) for n, t, _ in picked]

    # --- Values ---------------------------------------------------------------

    def add(self, values, to=None):
        """Adds values to a sum, or to `to` of a name and a type, in an order that matters."""
        rng = self.rng
        name, type = to or rng.choice(self.sums)
        for k, (text, _) in enumerate(values):
            if type.startswith("unsigned"):
                self.say(rng.choice([f"{name} = {name} * 31 + bits({text});",
                                     f"{name} += bits({text}) * 7;",
                                     f"{name} ^= bits({text}) + {name} / 3;"]))  # fmt: skip
                continue
            text = f"real<{type}>({text})"
            other = f"real<{type}>({values[k - 1][0]})"
            factor = f"{type}({rng.choice(['0.3', '1.7', '3'])})"
            self.say(rng.choice([f"{name} += {text};", f"{name} += {text};",
                                 f"{name} += {text} * {factor};",
                                 f"{name} = {name} * {type}(0.75) - {text};",
                                 f"{name} += {text} * {other};",
                                 f"{name} = most<{type}>({name} * {type}(0.99), {text});"]))  # fmt: skip

    def result(self, type):
        """A value of that type from a sum."""
        name, sum_type = self.rng.choice(self.sums)
        wide = "unsigned long" if sum_type.startswith("unsigned") else "double"
        return f"convert<{type}>(({wide}){name})"

    def store(self, array, index):
        element = self.access(array, index)
        for name, type, _ in array.type.fields:
            dot = "." + name if name else ""
            self.say(f"{element}{dot} = {self.result(type)};")

    # --- Indices --------------------------------------------------------------

    def stride(self):
        if self.chance(0.4):
            return self.parameter("S", [self.rng.choice(STRIDES) for _ in self.cases])
        return str(self.rng.choice(STRIDES))

    def thread_term(self):
        """The part of an index that depends on the thread."""
        rng = self.rng
        if self.planes and self.chance(0.5):
            return rng.choice(["T", f"P * {self.stride()}", "P * N + I", "P * W + J", "P"])
        if self.collapsed and self.chance(0.7):
            return rng.choice(["I * W + J", f"I * {self.stride()}", f"J * {self.stride()}",
                               "I", "J", "", f"(I + J) * {self.stride()}", "T"])  # fmt: skip
        ways = ["", "T", f"T * {self.stride()}", f"T * {self.stride()}", f"T * {self.stride()}",
                f"(N - 1 - T) * {self.stride()}", "N - 1 - T", "T * 2"]  # fmt: skip
        if self.chance(0.1):
            ways = [f"T / 4 * {self.stride()}", f"T % 8 * {self.stride()}", "T / 32", "T % 5"]
        text = rng.choice(ways)
        return text.replace("N", self.all)

    def some_index(self, array):
        """An index that depends on the variables in scope."""
        rng = self.rng
        loops = [v for v in self.scope if v[0].startswith("k")]
        for _ in range(6):
            terms = [self.thread_term()]
            for depth, (name, low, high) in enumerate(reversed(loops)):
                ways = [name, name, name, name, f"{name} * 2", f"{name} * 3", ""]
                if depth:
                    ways = [f"{name} * {self.stride()}", f"{name} * {self.stride()}", name, ""]
                if self.chance(0.12):
                    ways = [f"{name} * {'W' if self.collapsed else 'N'}"]
                    ways += [f"({high} - {name})"] if "least" not in high else []
                if self.chance(0.05) and self.signed:
                    ways = [f"{name} * -1", f"{name} * -2"]
                terms.append(rng.choice(ways))
            if self.chance(0.3):
                terms.append(rng.choice(["1", "2", "3", "7", "16"]))
            rng.shuffle(terms)
            index = " + ".join(t for t in terms if t) or "0"
            if self.fits(array, index):
                return index
        return "T"

    # --- Loops ----------------------------------------------------------------

    def trip(self, most):
        """How often a loop runs: a text, at most `most[case]` each."""
        rng = self.rng
        if self.chance(0.3):
            fitting = [t for t in TRIPS if 0 < t <= min(min(most), 17)]
            if fitting:
                return str(rng.choice(fitting))
        return self.parameter(
            "K", [rng.choice([t for t in TRIPS if t <= m] or [1]) for m in most]
        )  # fmt: skip

    def at_most(self, trip):
        return [evaluate_trip(trip, self.values(c)) for c in self.cases]

    @contextmanager
    def loop(self, trip, below=False):
        """A loop of so many iterations; of some threads fewer, now and then. `below`: its
        counter is less than their number."""
        rng = self.rng
        k, t = self.fresh("k"), rng.choice([self.index] * 3 + ["long"] * self.signed)
        last = f"{trip} - 1"
        step = rng.choice(["2", "3", "5"])
        kinds = {"up": 9, "from": 1, "step": 1.5, "while": 0.7, "do": 0.5, "short": 1, "late": 0.7}
        if self.signed:
            kinds.update(down=2, uneven=0.7)
        if below:
            for kind in {"from", "step", "uneven"} & set(kinds):
                del kinds[kind]
        kind = rng.choices(list(kinds), list(kinds.values()))[0]
        low, high, tail = "0", last, ""
        if self.chance(0.06) and kind != "do":
            self.say(rng.choice(["#pragma clang loop unroll(disable)", "#pragma unroll 2"]))
        if kind == "up":
            head = f"for ({t} {k} = 0; {k} < {trip}; ++{k})"
        elif kind == "from":
            head = f"for ({t} {k} = 2; {k} < {trip} + 2; ++{k})"
            low, high = "2", f"{trip} + 1"
        elif kind == "step":
            head = f"for ({t} {k} = 0; {k} < {trip} * {step}; {k} += {step})"
            high = f"({last}) * {step}"
        elif kind == "uneven":
            head = f"for ({t} {k} = 0; {k} < {trip} * {step} - 1; {k} += {step})"
            high = f"({last}) * {step}"
        elif kind == "down":
            head = f"for ({t} {k} = {last}; {k} >= 0; --{k})"
        elif kind == "short":
            m = rng.choice([2, 3, 7])
            head = f"for ({t} {k} = 0; {k} < least<{t}>({trip}, T % {m} + {m}); ++{k})"
            high = f"least({trip}, T % {m} + {m}) - 1"
        elif kind == "late":
            head = f"for ({t} {k} = T % 3; {k} < {trip}; ++{k})"
            low = "T % 3"
        elif kind == "while":
            head = f"for ({t} {k} = 0, M{k} = {trip}; M{k} != 0; --M{k}, ++{k})"
        else:
            self.say(f"if ({trip} > 0) {{ {t} {k} = 0; do {{")
            tail = f"}} while (++{k} < {trip}); }}"
        if not tail:
            self.say(head + " {")
        with self.within((k, low, high)):
            yield k
        self.say(tail or "}")

    def budget(self):
        """Accesses of one thread, for each case."""
        most = TRIPS[-1] if self.scale > 1 else 100
        return [max(1, min(most, int(24000 * self.scale) // n)) for n in self.threads]


def around(name, offset):
    return name if not offset else f"{name} {'-' if offset < 0 else '+'} {abs(offset)}"


def evaluate_trip(trip, values):
    return int(trip) if trip.isdigit() else values[trip]
