"""Bodies of random kernels: loop nests, accesses, branches, stores.

Nothing here is undefined or a race: a statement that writes has arrays of its
own, and a thread reads no element that another one writes, whether the arrays
are apart or parts of one. Integers are computed without a sign, real numbers
stay small and finite.
"""

import random
from contextlib import contextmanager

from accesses import record, scalar
from scope import TRIPS, Scope, around


class Body(Scope):
    """The statements of a kernel."""

    # --- Statements that only read --------------------------------------------

    def reads(self, count):
        for _ in range(count):
            array = self.pooled()
            values = self.read(self.access(array, self.some_index(array)), array)
            self.add(values)
            if self.chance(0.03):
                self.say(f"if (bits({values[0][0]}) % 61 == 7) break;")

    def nest(self):
        """Loops of one to three levels with reads inside."""
        rng = self.rng
        depth = rng.choices([1, 2, 3], [6, 3, 1])[0]
        trips, left = [], self.budget()
        for level in range(depth):
            root = [max(1, round(m ** (1 / (depth - level)))) for m in left]
            trips.append(self.trip(root))
            left = [max(1, m // max(1, t)) for m, t in zip(left, self.at_most(trips[-1]))]

        def level(k):
            with self.loop(trips[k]):
                if k + 1 < depth:
                    if self.chance(0.2):
                        self.reads(1)
                    level(k + 1)
                    return
                with self.maybe(0.12):
                    self.reads(rng.choice([1, 1, 2, 3]))
                if counter:
                    with self.within((counter, "0", f"{trips[0]} - 1")):
                        self.store(self.array(written=True), f"T * {width} + {counter}")
                    self.say(f"++{counter};")

        # Each iteration may store into the thread's part of another array.
        counter = self.fresh("C") if depth == 1 and self.chance(0.12) else None
        if counter:
            width = self.parameter("S", self.at_most(trips[0]))
            self.say(f"{self.index} {counter} = 0;")
        level(0)

    def walk(self):
        """Rows one behind the other that are long enough for tiles to pay, one or two of
        them, and maybe what all threads have in common."""
        rng = self.rng
        trip = self.parameter("K", [rng.choice([t for t in TRIPS if 31 <= t <= m] or [m]) for m in self.budget()])
        width = self.parameter("S", [t + rng.choice([0, 0, 1, 4, 8]) for t in self.at_most(trip)])
        with self.loop(trip, below=True) as k:
            places = [f"T * {width} + {k}"] * rng.choice([1, 1, 2]) + [k] * self.chance(0.3)
            for place in places:
                array = self.pooled()
                self.add(self.read(self.access(array, place if self.fits(array, place) else k), array))

    def group(self):
        """Straight-line reads at constant distances."""
        rng = self.rng
        size = rng.randint(2, 17)
        offsets = rng.choice([list(range(size)), rng.sample(range(20), size)])
        base = self.rng.choice([f"T * {max(offsets) + 1}", f"T * {self.stride()}", "T"])
        array = self.pooled()
        for k in offsets:
            self.add(self.read(self.access(array, f"{base} + {k}"), array)[:2])

    def stencil(self):
        """Neighbours, left out or clamped or wrapped at the ends."""
        rng = self.rng
        offsets = rng.choice([[-1, 0, 1], [-2, -1, 0, 1, 2], [0, 1], [-1, 1], [0, 3], [-3, 0]])
        far = max(map(abs, offsets))
        array, kind = self.pooled(), rng.choice(["guard", "guard", "clamp", "wrap"])
        count = self.all
        if kind == "guard":
            with self.block(f"if (T >= {far} && T < {count} - {far})" if self.signed
                            else f"if (T >= {far} && T + {far} < {count})"):  # fmt: skip
                with self.within(("T", str(far), f"{count} - 1 - {far}")):
                    for k in offsets:
                        self.add(self.read(self.access(array, around("T", k)), array)[:2])
            return
        for k in offsets:
            index = around("T", k)
            if kind == "clamp" and k < 0:
                index = f"(most<{self.index}>(T, {-k}) - {-k})"
            elif kind == "clamp":
                index = f"least<{self.index}>(T + {k}, {count} - 1)"
            else:
                index = f"({around(f'T + {count} * 4', k)}) % ({count})"
            self.add(self.read(self.plain_access(array, index), array)[:2])

    def plain_access(self, array, index):
        """An access whose text has template arguments, which Python has not."""
        self.access(array, index.replace(f"<{self.index}>", ""))
        return f"{array.name}[{index}]"

    def square(self):
        """Neighbours in two dimensions, or a matrix product's row and column."""
        if not self.collapsed:
            return self.nest()
        if self.chance(0.6):
            return self.product()
        array = self.pooled()
        test = "I >= 1 && J >= 1 && I + 1 < N && J + 1 < W"
        with self.block(f"if ({test})"):
            with self.within(("I", "1", "N - 2"), ("J", "1", "W - 2")):
                for i, j in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]:
                    index = f"{around('(I', i)}) * W + {around('J', j)}"
                    self.add(self.read(self.access(array, index), array)[:2])
        return None

    def product(self):
        """A row of one matrix and a column of another, each stored by rows or by
        columns, and maybe what depends on the step alone."""
        trip = self.trip(self.budget())
        length = self.parameter("L", self.at_most(trip)) if self.chance(0.5) else trip
        to = self.element_of_sums() if self.sums_in_memory() else None
        with self.loop(trip) as k:
            places = [self.element(k, length, "I", "N") if self.chance(0.3) else self.element("I", "N", k, length),
                      self.element("J", "W", k, length) if self.chance(0.3) else self.element(k, length, "J", "W")]  # fmt: skip
            if self.chance(0.2):
                places.append(self.rng.choice([k, f"{k} * 2", f"{length} - 1 - {k}"]))
            arrays = [self.pooled() for _ in places]
            if not all(self.fits(array, place) for array, place in zip(arrays, places)):
                return self.add([("T", "int")])
            read = [self.read(self.access(array, place), array)[0] for array, place in zip(arrays, places)]
            self.add(read, to)
        return None

    def sums_in_memory(self):
        """Whether a product's sums are elements of an array. Drawn from elsewhere:
        other kernels are those that their seeds made before."""
        return random.Random(f"{self.prefix}/{len(self.lines)}").random() < 0.4

    def element_of_sums(self):
        """The thread's element of an array, perhaps set to something, and its type."""
        type = self.rng.choice(self.sums)[1]
        sums = self.array(scalar(type), written=True)
        place = self.access(sums, "T")
        if self.chance(0.5):
            self.say(f"{place} = {self.rng.choice(['0', self.result(type)])};")
        return place, type

    def element(self, row, rows, column, columns):
        """The index of an element of a matrix; perhaps each plane has its own."""
        row = f"(P * {rows} + {row})" if self.planes and self.chance(0.7) else row
        return f"{row} * {columns} + {column}"

    def neighbours(self):
        """Elements around the own one of a field, in the interior or everywhere."""
        rng = self.rng
        array, far = self.pooled(), rng.choice([1, 1, 2, 3])
        pitch = rng.choice(["W", "W", "W", f"(W + {far})", "150",
                            self.parameter("Pitch", [w + rng.choice([0, 1, 7]) for w in self.parameters["W"]])])  # fmt: skip
        near = range(-far, far + 1)
        offsets = rng.sample([(i, j) for i in near for j in near], rng.randint(2, 7))
        edge = rng.choice([1, far, far])
        guarded = self.chance(0.4)
        inner = [("I", str(edge), f"N - 1 - {edge}"), ("J", str(edge), f"W - 1 - {edge}")] if guarded else []
        test = f"I >= {edge} && J >= {edge} && I + {edge} < N && J + {edge} < W"
        if self.planes:
            rows = rng.choice(["N", "N", "(N + 1)", "70"])
            others = self.chance(0.6)
            if guarded and others:
                inner.append(("P", str(edge), f"L - 1 - {edge}"))
                test += f" && P >= {edge} && P + {edge} < L"
        self.say(f"if ({test}) {{" if guarded else "{")
        with self.within(*inner):
            for i, j in offsets:
                index = f"{around('(I', i)}) * {pitch} + {around('J', j)}"
                if self.planes:
                    plane = around("(P", rng.choice([-1, 0, 0, 1]) if others else 0)
                    index = f"({plane}) * {rows} + {around('I', i)}) * {pitch} + {around('J', j)}"
                if self.fits(array, index):
                    self.add(self.read(self.access(array, index), array)[:2])
        self.say("}")

    def left_out(self):
        """A walk without one of its steps, as in Jacobi's iteration."""
        rng = self.rng
        with self.loop(self.trip(self.budget())) as k:
            step = rng.choice(["T", "T", f"T + {rng.randint(1, 70)}", "T % 64",
                               str(rng.choice([0, 1, 31, 63, 100]))])  # fmt: skip
            with self.block(f"if ({k} != {step})"):
                self.reads(rng.choice([1, 2, 2, 3]))
            if self.chance(0.2):
                self.reads(1)

    def pointer_walk(self):
        """A pointer that runs over a row."""
        array = self.pooled()
        array.view = False
        trip, base = self.trip(self.budget()), f"T * {self.stride()}"
        if not self.fits(array, f"{base} + 100"):
            base = "T"
        self.access(array, base)
        pointer, k = self.fresh("P"), self.fresh("k")
        type = f"const {array.type.name} *"
        self.say(f"{{ {type}{pointer} = {array.name} + ({base});")
        if self.chance(0.5):
            self.say(f"for ({self.index} {k} = 0; {k} < {trip}; ++{k}, ++{pointer}) {{")
        else:
            self.say(f"for ({type}End = {pointer} + {trip}; {pointer} != End; ++{pointer}) {{")
        with self.within((k, "0", f"{trip} - 1")):
            self.access(array, f"{base} + {k}")
            self.add(self.read(f"(*{pointer})", array)[:3])
        self.say("} }")

    def sparse(self):
        """Rows whose ends are in an array, perhaps with columns."""
        rng = self.rng
        a, b = rng.randint(1, 9), rng.randint(0, 9)
        m = rng.choice([t for t in (1, 2, 4, 9, 17, 33) if t <= min(self.budget())] or [1])
        totals = [sum((k * a + b) % m for k in range(n)) for n in self.threads]
        total = self.parameter("Total", totals, hidden=True)
        ends = self.array(scalar("int"), fill=f"rows({a}, {b}, {m})")
        ends.view, ends.slack = False, 0
        k = self.fresh("k")
        self.say(f"for ({self.index} {k} = {self.access(ends, 'T')}; {k} < "
                 f"({self.index}){self.access(ends, 'T + 1')}; ++{k}) {{")  # fmt: skip
        with self.within((k, "0", f"{total} - 1")):
            array = self.pooled()
            values = self.read(self.access(array, k), array)
            if self.chance(0.4):
                length = rng.choice([1, 50, 200])
                column = self.array(scalar("int"), fill=f"indices({rng.randint(1, 60)}, 3, {length})")
                index = self.access(column, k)
                with self.within(("Column", "0", str(length - 1))):
                    other = self.pooled()
                    self.access(other, "Column")
                    values += self.read(f"{other.name}[{index}]", other)
            self.add(values)
        self.say("}")

    def scattered(self):
        """Rows that begin where an array says."""
        length = self.rng.choice([1, 20, 200])
        start = self.array(scalar("int"), fill=f"indices({self.rng.randint(1, 60)}, 1, {length})")
        begin = self.fresh("B")
        self.say(f"const {self.index} {begin} = {self.access(start, 'T')};")
        with self.within((begin, "0", str(length - 1))):
            with self.loop(self.trip(self.budget())) as k:
                array = self.pooled()
                self.add(self.read(self.access(array, f"{begin} + {k}"), array))

    def local(self):
        """A few elements that a thread keeps."""
        array, size = self.pooled(), self.rng.choice([2, 3, 4, 8])
        name = self.fresh("V")
        if not array.type.fields[0][0]:
            self.say(f"{array.type.name} {name}[{size}];")
            with self.block(f"for (int R = 0; R < {size}; ++R)"), self.within(("R", "0", f"{size} - 1")):
                self.say(f"{name}[R] = {self.access(array, f'T * {size} + R')};")
            with self.block(f"for (int R = 0; R < {size}; ++R)"):
                self.add([(f"{name}[(R + 1) % {size}]", array.type.name)])

    def call(self):
        """A function that is not inlined."""
        array = self.pooled()
        if array.type.fields[0][0]:
            return
        array.view = False
        trip = self.trip(self.budget())
        base = self.access(array, "T")
        with self.within(("R", "0", f"{trip} - 1")):
            self.access(array, "T + R")
        self.add([(f"notInlined(&{base}, {trip})", "unsigned long")])

    # --- Statements that write ------------------------------------------------

    def pair(self, type=None):
        """Two arrays, the second of which may be a part of the first."""
        first = self.array(type or scalar(self.element_type(records=False).name), written=True)
        second = self.array(first.type, written=True)
        return first, second

    def overlap(self, first, second, shifts):
        """Lets `second` be a part of `first`, for each case where it may be."""
        second.inside, second.shifts = first, shifts
        second.slack = 0

    def records(self, most):
        """An array of records of two fields to `most`."""
        kinds = ["double", "float", "unsigned", "short"]
        types = [self.rng.choice(kinds) for _ in range(self.rng.randint(2, most))]
        made, text = record(f"{self.prefix}_{self.fresh('Record')}", types, False)
        self.types.append(text)
        return self.array(made, written=True)

    def change(self, to, value, type):
        self.say(f"{to} = {self.rng.choice([f'next({value})', f'next({value})', self.result(type)])};")

    def own_rows(self):
        """Each thread reads and writes its own row or column, ahead or behind."""
        rng = self.rng
        trip = self.trip([min(m, 40) for m in self.budget()])
        read, write, shift = rng.randint(0, 3), rng.randint(0, 3), rng.choice([0, 0, 1, 2])
        first, second = self.pair()
        how = rng.choice(["same", "apart", "maybe", "maybe"])
        k = self.fresh("k")
        if self.chance(0.2) and not self.collapsed:
            def place(offset):
                return f"({k} + {offset}) * N + T"
            shifts = [shift * n for n in self.parameters["N"]]
        else:
            longest = [t + max(read, write + shift) for t in self.at_most(trip)]
            width = self.parameter("S", [n + rng.choice([0, 0, 1, 5]) for n in longest])
            def place(offset):
                return f"T * {width} + {k} + {offset}"
            shifts = [shift] * len(self.cases)
        if how == "same":
            self.arrays.remove(second)
            second = first
        elif how == "maybe":
            self.overlap(first, second, [rng.choice([None, s]) for s in shifts])
        head = f"for ({self.index} {k} = 0; {k} < {trip}; ++{k})"
        if self.signed and self.chance(0.3):
            head = f"for ({self.index} {k} = {trip} - 1; {k} >= 0; --{k})"
        with self.block(head), self.within((k, "0", f"{trip} - 1")):
            value, to = self.access(first, place(read)), self.access(second, place(write))
            with self.maybe(0.2):
                self.change(to, value, first.type.name)
            if self.chance(0.6):
                self.add([(value, first.type.name)])

    def beside(self):
        """All read the front of an array, each writes an element behind it."""
        first, second = self.pair(self.element_type())
        with self.loop(self.trip(self.budget())):
            self.add(self.read(self.access(first, self.some_index(first)), first))
        ends = []
        for case in self.cases:
            ends.append(first.hull(case, self.values(case))[1] + 1)
        self.overlap(first, second, [self.rng.choice([None, e, e]) for e in ends])
        self.store(second, "T")

    def between(self):
        """Reads of the even elements, stores into the odd ones."""
        first, second = self.pair()
        how = self.rng.choice(["same", "maybe"])
        if how == "same":
            self.arrays.remove(second)
            second = first
        else:
            self.overlap(first, second, [self.rng.choice([None, 0]) for _ in self.cases])
        stride = self.stride()
        with self.loop(self.trip(self.budget())) as k:
            if self.fits(first, f"2 * (T * {stride} + {k})"):
                self.add(self.read(self.access(first, f"2 * (T * {stride} + {k})"), first))
        self.store(second, "2 * T + 1")

    def fields(self):
        """One field of many records is read, another of its own is written."""
        rng = self.rng
        array = self.records(5)
        made = array.type
        read, write = rng.sample(made.fields, 2)
        place = rng.choice(["before", "inside", "after"])
        own = self.access(array, "T")

        def change():
            self.say(f"{own}.{write[0]} = next({own}.{write[0]});")

        if place == "before":
            change()
        stride = self.stride()
        with self.loop(self.trip(self.budget())) as k:
            index = rng.choice([f"T * {stride} + {k}", f"{k}", f"T + {k}"])
            if not self.fits(array, index):
                index = k
            self.add([(f"{self.access(array, index)}.{read[0]}", read[1])])
            if place == "inside":
                change()
        if place == "after":
            change()

    def own_fields(self):
        """Each thread reads fields of its own records and writes one, ahead or behind."""
        rng = self.rng
        array = self.records(4)
        made = array.type
        trip = self.trip([min(m, 40) for m in self.budget()])
        reads = [(rng.choice(made.fields), rng.randint(0, 3)) for _ in range(rng.choice([1, 1, 2, 3]))]
        write, to = rng.choice(made.fields), rng.randint(0, 3)
        if self.chance(0.5):
            # What is written is read later on, by way of another field's stream.
            ahead = rng.randint(1, 2)
            reads, to = [(rng.choice(made.fields), 0), (write, ahead)], ahead + 1
        furthest = max(to, *(ahead for _, ahead in reads))
        width = self.parameter("S", [t + furthest for t in self.at_most(trip)])
        with self.loop(trip, below=True) as k:
            for field, ahead in reads:
                element = self.access(array, f"T * {width} + {k} + {ahead}")
                self.add([(f"{element}.{field[0]}", field[1])])
            own = self.access(array, f"T * {width} + {k} + {to}")
            self.say(f"{own}.{write[0]} = {self.result(write[1])};")

    def written_before(self):
        """A thread writes its row, then reads it."""
        array = self.array(scalar(self.element_type(records=False).name), written=True)
        trip = self.trip([min(m, 40) for m in self.budget()])
        width = self.parameter("S", self.at_most(trip))
        k = self.fresh("k")
        with self.block(f"for ({self.index} {k} = 0; {k} < {trip}; {k} += 2)"):
            with self.within((k, "0", f"{trip} - 1")):
                element = self.access(array, f"T * {width} + {k}")
                self.change(element, element, array.type.name)
        k = self.fresh("k")
        with self.block(f"for ({self.index} {k} = 0; {k} < {trip}; ++{k})"):
            with self.within((k, "0", f"{trip} - 1")):
                self.add([(self.access(array, f"T * {width} + {k}"), array.type.name)])

    def counted(self):
        """An atomic update."""
        array = self.array(scalar("unsigned"), written=True)
        array.slack = 0
        self.say("#pragma omp atomic")
        self.say(f"{self.access(array, 'T % 3')} += unsigned(bits({self.sums[0][0]}));")

    # --- Branches and the whole -----------------------------------------------

    def condition(self):
        """Something that holds for some threads, or for all or none."""
        rng = self.rng
        m = rng.choice([2, 3, 5, 33])
        ways = [f"T % {m} == 1", f"T / {m} % 2 == 0", "T < N / 2", f"T >= {m}"]
        if self.chance(0.3):
            flag = self.parameter("Flag", [rng.choice([0, 1, 1]) for _ in self.cases])
            ways = [flag, f"N > {m * 10}", "N < 100000"]
        elif self.chance(0.15):
            array = self.array(scalar("unsigned char"))
            ways = [f"({self.access(array, 'T')} & 3) != 0"]
        return rng.choice(ways)

    @contextmanager
    def maybe(self, probability):
        """What is within happens under a condition, or always."""
        taken = self.chance(probability)
        if taken:
            self.say(f"if ({self.condition()}) {{")
        yield
        if taken:
            self.say("}")

    def statement(self):
        kinds = {self.nest: 10, self.group: 3, self.stencil: 1.5, self.square: 1, self.left_out: 1, self.pointer_walk: 1,
                 self.sparse: 1, self.scattered: 0.7, self.local: 0.5, self.call: 0.3,
                 self.own_rows: 2, self.own_fields: 1, self.beside: 1.2, self.between: 0.7, self.fields: 1,
                 self.written_before: 0.7, self.counted: 0.3}  # fmt: skip
        if self.collapsed:
            kinds[self.square] = 8
            kinds[self.neighbours] = 4
        self.rng.choices(list(kinds), list(kinds.values()))[0]()

    def write(self):
        """All statements. SKIP ends the thread's iteration."""
        rng = self.rng
        for name, type in self.sums:
            self.say(f"{type} {name} = 1;")
        if self.chance(0.12):
            self.say(f"if ({self.condition()}) {self.sums[0][0]} += 3;")
        if self.chance(0.1):
            self.say(f"if ({self.condition()}) SKIP;")
        # Iterations with loops are never taken as stencils.
        statement = self.neighbours if self.collapsed and self.chance(0.4) else self.statement
        if self.scale > 1 and not self.collapsed and self.chance(0.5):
            statement = self.walk
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            with self.maybe(0.2):
                statement()
            if self.chance(0.04):
                self.say(f"if ({self.condition()}) SKIP;")
        out = self.array(written=True)
        with self.maybe(0.2):
            self.store(out, rng.choice(["T", "T", "T", "T * 2 + 1", f"T * {self.stride()}"]))
