"""Tables of pointers that host and device change in turn.

A program is a mapped table of pointers, or of records with pointers, and a
random sequence of steps: kernels that read through the table, store into it and
swap in it; updates in both directions; maps, and changes by the host. Each step
is carried out on a model as well, which has the host's words and the device's:
a word is None or (side, array, offset), where the side says whose address it
is. Words are only moved where that means the same however the host's addresses
reach their arrays on the device.
"""

from records import LENGTH, RecordMaker

SIZE = 8  # elements of the table, and iterations of a kernel

# How a kernel gets the table, and the variables that have to be there for it.
HOLDERS = [
    ("T", []),
    ("H.T", ["Holder H{T, 5};"]),
    ("H.T", ["const Holder Held{T, 5}, &H = Held;"]),
    ("M->T", ["Holder Pointee{T, 5}, *M = &Pointee;",
              "#pragma omp target enter data map(to : M[0 : 1])"]),
]  # fmt: skip

LAUNCHES = ["forall(N, BODY);", "forallByReference(N, BODY);", "inOrder(N, BODY);",
            "byForwarding(N, BODY);", "byFirstprivate(N, BODY);", "notInlined(N, BODY);",
            "withNowait(N, BODY);", "throughLambda(N, BODY);"]  # fmt: skip


class Table(RecordMaker):
    """One SHAPE."""

    def __init__(self, rng, name, features):
        super().__init__(rng, name)
        self.features = features

    def emit(self):
        rng = self.rng
        self.lines += ["const int Device = 0;"]
        self.make_arrays()
        self.members = rng.choice([[""], [""], [".P"], [".P", ".Q"]])
        self.element = self.type_name("Element")
        fields = "".join(f" int *{m[1:]};" for m in self.members)
        self.types.append(
            f"struct {self.element} {{ long Number;{fields} }};"
            if fields.strip(" int*;") else f"using {self.element} = int *;"
        )  # fmt: skip
        self.types.append(f"struct Holder {{ {self.element} *T; long Number; }};")
        self.slots = [(k, m) for k in range(SIZE) for m in self.members]
        self.host = {s: None for s in self.slots}
        self.reads = 0
        body = self.steps()
        self.lines += [
            f"{self.element} Rows[N] = {{}}, *T = Rows;",
            f"Mapped<long> Out({max(1, self.reads)} * N, 3);",
            f"static long Want[{max(1, self.reads)} * N];",
            *body,
            "Out.expect([&](int I) { return Want[I]; });",
        ]
        shape = "\n".join(x if x.startswith("#") else "  " + x for x in self.lines)
        types = "\nnamespace {\nnamespace " + self.name + "Types {\n"
        types += "\n".join(self.types) + "\n}\n} // namespace\n"
        return (
            f"{types}SHAPE({self.name}) {{\n  using namespace {self.name}Types;\n"
            f"{shape}\n}}\n"
        )

    # --- The model ----------------------------------------------------------------

    def steps(self):
        rng = self.rng
        self.body = []
        for slot in self.slots:
            self.set_host(slot)
        self.holder, declared = rng.choice(HOLDERS)
        self.body += declared
        self.map()
        kinds = {self.read: 4, self.store: 3, self.swap: 2, self.update_to: 2,
                 self.update_from: 1, self.change_host: 1, self.map_again: 1,
                 self.count_up_and_down: 0.5, self.always_to: 0.4}  # fmt: skip
        for _ in range(rng.randint(5, 14)):
            rng.choices(list(kinds), list(kinds.values()))[0]()
        self.read()
        self.body.append("#pragma omp target exit data map(delete : T[0 : N])")
        if self.holder.startswith("M"):
            self.body.append("#pragma omp target exit data map(delete : M[0 : 1])")
        return self.body

    def pointer(self):
        """A word: an element of an array with room for an index of up to 3."""
        return "host", self.any_array(), self.rng.randint(0, LENGTH - 4)

    def text(self, word):
        if word is None:
            return "nullptr"
        side, array, offset = word
        if side == "host":
            return f"{array} + {offset}"
        return f"static_cast<int *>(omp_get_mapped_ptr({array}, Device)) + {offset}"

    def at(self, slot, table="T"):
        return f"{table}[{slot[0]}]{slot[1]}"

    def set_host(self, slot):
        word = None if self.chance(0.1) else self.pointer()
        self.host[slot] = word
        self.body.append(f"{self.at(slot)} = {self.text(word)};")

    def map(self):
        self.body.append("#pragma omp target enter data map(to : T[0 : N])")
        self.device = dict(self.host)
        self.attached = set()  # the host's words that a kernel has followed
        self.touched = set()  # all that may have been attached
        self.replaced = set()  # those that a kernel has written over

    def written(self, slot, word):
        self.device[slot] = word
        if slot in self.touched:
            self.replaced.add(slot)
        self.attached.discard(slot)

    def some_range(self):
        low = self.rng.randrange(SIZE)
        return low, self.rng.randint(low + 1, SIZE)

    def of(self, low, high):
        return [s for s in self.slots if low <= s[0] < high]

    def launch(self, statement, results=False):
        listed = self.rng.choice(["=", "=", "&"])
        name = self.fresh("Body")
        self.body.append(f"auto {name} = [{listed}](int I) {{ {statement} }};")
        self.body.append(self.rng.choice(LAUNCHES).replace("BODY", name))

    # --- Steps of kernels ---------------------------------------------------------

    def read(self):
        """Every element, or one of them, at an index."""
        rng = self.rng
        result = f"Q{self.reads}"
        self.body.append(f"long *{result} = Out + {self.reads} * N;")
        one = rng.randrange(SIZE) if self.chance(0.2) else None
        shift, member = rng.randint(0, 3), rng.choice(self.members)
        at = f"{self.holder}[{'I' if one is None else one}]{member}"
        self.launch(f"{result}[I] = {at} ? {at}[{shift}] : -7;")
        for k in range(SIZE):
            word = self.device[(k if one is None else one, member)]
            want = f"{word[1]}.at({word[2] + shift})" if word else "-7"
            self.body.append(f"Want[{self.reads * SIZE + k}] = {want};")
        for slot, word in self.device.items():
            if word and word[0] == "host":
                self.touched.add(slot)
                if slot[1] == member and one in (None, slot[0]):
                    self.attached.add(slot)
        self.reads += 1

    def store(self):
        low, high = self.some_range()
        member = self.rng.choice(self.members)
        at = f"{self.holder}[I]{member}"
        if self.chance(0.15):
            self.launch(f"if (I >= {low} && I < {high}) {at} = nullptr;")
            words = [None] * SIZE
        else:
            array, offset = self.any_array(), self.rng.randint(0, LENGTH - 4 - SIZE)
            pointer = self.fresh("P")
            self.body.append(f"int *{pointer} = {array};")
            self.launch(f"if (I >= {low} && I < {high}) {at} = {pointer} + I + {offset};")
            words = [("device", array, k + offset) for k in range(SIZE)]
        for k in range(low, high):
            self.written((k, member), words[k])

    def is_movable(self, slot):
        """Whether it is known what bits the device has there."""
        word = self.device[slot]
        return word is None or word[0] == "device" or slot in self.attached

    def swap(self):
        movable = [s for s in self.slots if self.is_movable(s)]
        if len(movable) < 2:
            return
        a, b = self.rng.sample(movable, 2)
        x, y = self.at(a, self.holder), self.at(b, self.holder)
        self.launch(f"if (I == 2) {{ int *W = {x}; {x} = {y}; {y} = W; }}")
        first, second = (
            w and ("device", *w[1:]) for w in (self.device[a], self.device[b])
        )
        self.written(a, second)
        self.written(b, first)

    # --- Steps of the host --------------------------------------------------------

    def copied_to(self, low, high):
        for slot in self.of(low, high):
            self.device[slot] = self.host[slot]
            self.attached.discard(slot)

    def change_some(self, low, high):
        for slot in self.of(low, high):
            if self.chance(0.6):
                self.set_host(slot)

    def update_to(self):
        low, high = self.some_range()
        self.change_some(low, high)
        self.body.append(f"#pragma omp target update to(T[{low} : {high - low}])")
        self.copied_to(low, high)

    def always_to(self):
        low, high = self.some_range()
        self.change_some(low, high)
        section = f"T[{low} : {high - low}]"
        self.body.append(f"#pragma omp target enter data map(always, to : {section})")
        self.body.append(f"#pragma omp target exit data map(release : {section})")
        self.copied_to(low, high)

    def update_from(self):
        """Not of words that were attached first and written to then:
        libomptarget keeps the host's."""
        low, high = self.some_range()
        slots = self.of(low, high)
        if self.replaced.intersection(slots):
            return
        self.body.append(f"#pragma omp target update from(T[{low} : {high - low}])")
        for slot in slots:
            self.host[slot] = self.device[slot]
            name = self.at(slot)
            self.body.append(f'check::pointer("{name}", {name}, {self.text(self.host[slot])});')

    def change_host(self):
        """Where the device has a word of its own, which stays."""
        slots = [s for s in self.slots if (self.device[s] or ("",))[0] == "device"]
        if slots:
            self.set_host(self.rng.choice(slots))

    def map_again(self):
        self.body.append("#pragma omp target exit data map(delete : T[0 : N])")
        if self.chance(0.5):
            self.body.append(f"Mapped<long> {self.fresh('Between')}(N);")
        self.change_some(0, SIZE)
        self.map()

    def count_up_and_down(self):
        self.body.append("#pragma omp target enter data map(to : T[0 : N])")
        self.read()
        self.body.append("#pragma omp target exit data map(release : T[0 : N])")
