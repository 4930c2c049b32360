"""Random record types, their instances and the uses of them."""

from dataclasses import dataclass, field

LENGTH = 24  # of each mapped array, as in prelude.h
COUNT = 8  # iterations of each kernel
WORDS = 64  # elements of Bits


@dataclass
class Leaf:
    """One use of an object. `read` and `effect` hold ROOT where the object's
    name goes, and I for the iteration."""

    read: str = ""  # an expression of type long, or nothing
    model: str = ""  # its value on the host
    effect: str = ""  # a statement, run by each iteration
    check: str = ""  # run on the host afterwards
    mapped: bool = False  # needs a translated pointer


@dataclass
class Object:
    """A variable that closures can capture."""

    name: str
    leaves: list
    host_checks: list = field(default_factory=list)
    by_value: bool = True
    by_reference: bool = True


@dataclass
class Member:
    """A member of a record type. `make(maker)` gives (initializer, leaves,
    host checks), in which ROOT stands for the member."""

    declare: str  # with NAME in it
    make: object


@dataclass
class Record:
    name: str
    bases: list
    members: list  # of (name, Member)
    attributes: str
    copyable_to_device: bool  # holds no reference


def under(path, leaves):
    """The leaves of a part, seen from the whole; `path` holds ROOT."""
    put = lambda text: text.replace("ROOT", path)
    return [
        Leaf(put(x.read), x.model, put(x.effect), x.check, x.mapped)
        for x in leaves
    ]


class RecordMaker:
    """Makes arrays, record types and their instances for one SHAPE."""

    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.types = []  # C++ text before the shape
        self.lines = []  # the shape's own statements
        self.cleanup = []
        self.checks = []
        self.numbers = {}
        self.arrays = []  # (name, element type)
        self.writable = []
        self.called = set()  # closures
        self.words = 0  # elements of Bits in use

    def fresh(self, prefix):
        self.numbers[prefix] = self.numbers.get(prefix, -1) + 1
        return f"{prefix}{self.numbers[prefix]}"

    def chance(self, probability):
        return self.rng.random() < probability

    def type_name(self, prefix):
        return f"{self.fresh(prefix)}_{self.name}"

    # --- Arrays ---------------------------------------------------------------

    def make_arrays(self):
        rng = self.rng
        ints, doubles = rng.randint(2, 4), rng.randint(0, 1)
        if self.chance(0.5):
            # Side by side on the host, mapped in another order.
            self.lines.append(f"static int Storage[{ints} * Length];")
            place = [f"Storage + {k} * Length" for k in range(ints)]
        else:
            place = ["nullptr"] * ints
        order = list(range(ints))
        rng.shuffle(order)
        for k in order:
            self.lines.append(
                f"Mapped<int> A{k}(Length, {k + 1}, Device, {place[k]});"
            )
            self.arrays.append((f"A{k}", "int"))
            if self.chance(0.3):
                gap = self.fresh("Gap")
                self.lines.append(f"Mapped<int> {gap}({rng.randint(1, 90)});")
        for k in range(doubles):
            self.lines.append(f"Mapped<double> D{k}(Length, {k + 6});")
            self.arrays.append((f"D{k}", "double"))
        for k in range(rng.randint(0, 2)):
            self.lines.append(f"Mapped<int> W{k}(Length, {k + 8});")
            self.writable.append(f"W{k}")

    def any_array(self, element="int"):
        return self.rng.choice([n for n, t in self.arrays if t == element])

    # --- Leaves ---------------------------------------------------------------

    def host_check(self, path, value):
        return f'check::pointer("{path}", {path}, {value});'

    def bits_leaf(self, expression, value):
        slot = self.words
        self.words += 1
        return Leaf(
            effect=f"if (I == 0) B[{slot}] = {expression};",
            check=f"WantBits[{slot}] = {value};",
        )

    def index(self, offset):
        """An index expression for a pointer to element `offset`, and the
        element it reaches, both without I."""
        low, high = -offset, LENGTH - COUNT - offset
        shift = self.rng.choice([0, 0, self.rng.randint(low, high)])
        shift = min(max(shift, low), high)
        return (f"I + {shift}" if shift >= 0 else f"I - {-shift}"), offset + shift

    def pointer_kind(self):
        """A kind of pointer and its declaration."""
        kinds = {"mapped": 10, "null": 1.5, "unmapped": 2, "write": 2,
                 "function": 0.5, "double": 1, "before": 0.4, "end": 0.4}
        kind = self.rng.choices(list(kinds), list(kinds.values()))[0]
        if kind == "function":
            return kind, "int (*NAME)(int)"
        if kind == "double" and any(t == "double" for _, t in self.arrays):
            return kind, "double *NAME"
        if kind in ("null", "unmapped", "write"):
            return kind, "int *NAME"
        if kind == "double":
            kind = "mapped"
        return kind, self.rng.choice(
            ["int *NAME", "const int *NAME", "const int *const NAME",
             "const volatile int *NAME"]
        )

    def pointer(self, kind, declare):
        """A pointer of that kind: its value, its leaves, its host checks."""
        rng = self.rng
        if kind == "write" and not self.writable:
            kind = "null"
        if kind == "null":
            leaf = Leaf("(ROOT ? 100 : 7)", "7")
            deref = Leaf("(ROOT ? long(ROOT[I]) : 3)", "3")
            return "nullptr", [rng.choice([leaf, deref])], []
        if kind == "unmapped":
            where = self.fresh("Unmapped")
            # Not at its edge, which may be the end of a mapped array.
            self.lines.append(f"static int {where}[12];")
            at = f"{where} + {rng.randint(4, 8)}"
            return at, [self.bits_leaf("bits(ROOT)", f"bits({at})")], [("ROOT", at)]
        if kind == "function":
            leaf = self.bits_leaf("bits(ROOT)", "bits(constantFunction)")
            return "constantFunction", [leaf], []
        if kind == "write":
            array = self.writable.pop()
            offset = rng.randint(0, LENGTH - COUNT)
            factor = rng.randint(2, 9)
            leaf = Leaf(
                effect=f"ROOT[I] = {factor} * I;",
                check=f"{array}.expect([&](int I) {{ int J = I - {offset}; "
                f"return J < 0 || J >= N ? {array}.at(I) : {factor} * J; }});",
                mapped=True,
            )
            value = f"{array} + {offset}"
            return value, [leaf], [("ROOT", value)]
        array = self.any_array("double" if kind == "double" else "int")
        if kind == "before":
            # Points before its array, by a constant that the accesses add.
            shift = rng.randint(1, 12)
            value = f"{array} - {shift}"
            model = f"long({array}.at(I))"
            leaf = Leaf(f"long(ROOT[I + {shift}])", model, mapped=True)
            return value, [leaf], [("ROOT", value)]
        if kind == "end":
            value = f"{array} + Length"
            model = f"long({array}.at(Length - 1 - I))"
            leaf = Leaf("long(ROOT[-1 - I])", model, mapped=True)
            return value, [leaf], [("ROOT", value)]
        offset = rng.choice([0, 0, rng.randint(0, LENGTH - 1)])
        value = f"{array} + {offset}"
        return value, self.reads(array, offset, declare), [("ROOT", value)]

    def reads(self, array, offset, declare):
        """The ways to read through a pointer to an element."""
        ways = []
        if offset <= LENGTH - COUNT or self.chance(0.3):
            index, element = self.index(offset)
            model = f"long({array}.at(I + {element}))"
            ways.append(Leaf(f"long(ROOT[{index}])", model, mapped=True))
            ways.append(
                Leaf(f"(ROOT ? long(ROOT[{index}]) : 9)", model, mapped=True)
            )
            if declare.startswith(("int", "const int")):
                ways.append(
                    Leaf(f"readNotInlined(ROOT, {index})", model, mapped=True)
                )
        else:
            ways.append(
                Leaf("long(*ROOT)", f"long({array}.at({offset}))", mapped=True)
            )
            ways.append(
                Leaf(
                    "long(ROOT[-I])",
                    f"long({array}.at({offset} - I))",
                    mapped=True,
                )
            )
        return [self.rng.choice(ways)]

    # --- Members --------------------------------------------------------------

    def scalar_member(self):
        rng = self.rng
        value = rng.randint(1, 7)
        declare = rng.choice(
            ["int NAME", "char NAME", "short NAME", "double NAME", "long NAME",
             "bool NAME", "unsigned NAME : 5", "const int NAME",
             "volatile long NAME", "float NAME"]
        )
        if declare.startswith("bool"):
            value = 1
        leaf = Leaf("long(ROOT)", str(value))
        return Member(declare, lambda maker: (str(value), [leaf], []))

    def pointer_member(self):
        kind, declare = self.pointer_kind()
        return Member(declare, lambda maker: maker.pointer(kind, declare))

    def range_member(self):
        return Member("Range NAME", RecordMaker.range)

    def range(self):
        array = self.any_array()
        begin = self.rng.randint(0, LENGTH)
        end = self.rng.choice([LENGTH, self.rng.randint(begin, LENGTH)])
        value = f"{{{array} + {begin}, {array} + {end}}}"
        total = f"sumOf({array}, {begin}, {end})"
        leaf = self.rng.choice(
            [
                Leaf("sum(ROOT.Begin, ROOT.End)", total, mapped=True),
                Leaf("sumBackwards(ROOT)", total, mapped=True),
                Leaf("sumNotInlined(ROOT)", total, mapped=True),
                Leaf("(ROOT.End - ROOT.Begin)", str(end - begin)),
            ]
        )
        return value, [leaf], []

    def union_member(self):
        array = self.any_array()
        if self.chance(0.7):
            value = f"{{{array} + 2}}"
            leaf = Leaf("long(ROOT.P[I])", f"long({array}.at(I + 2))", mapped=True)
            return Member("PointerFirst NAME", lambda maker: (value, [leaf], []))
        # A number that is also the address of a mapped array.
        value = f"{{bits({array}.Host)}}"
        leaf = self.bits_leaf("ROOT.Number", f"bits({array}.Host)")
        return Member("NumberFirst NAME", lambda maker: (value, [leaf], []))

    def array_member(self, depth):
        rng = self.rng
        size = rng.randint(1, 4)
        if depth > 3 or self.chance(0.4):
            # Pointers into mapped arrays, chosen by the iteration.
            names = [self.any_array() for _ in range(size)]
            cases = "".join(f"I % {size} == {k} ? {n}.at(I + {k}) : "
                            for k, n in enumerate(names))
            leaf = Leaf(
                f"long(ROOT[I % {size}][I])", f"long({cases}0)", mapped=True
            )
            value = ", ".join(f"{n} + {k}" for k, n in enumerate(names))
            return Member(
                f"const int *NAME[{size}]",
                lambda maker: (f"{{{value}}}", [leaf], []),
            )
        # Records of one type, each with leaves of its own.
        record = self.record(depth + 1, references=False)

        def make(maker):
            texts, leaves, checks = [], [], []
            for k in range(size):
                text, own, own_checks = maker.instance(record)
                texts.append(text)
                leaves += under(f"ROOT[{k}]", own)
                checks += [(p.replace("ROOT", f"ROOT[{k}]"), v)
                           for p, v in own_checks]
            return "{" + ", ".join(texts) + "}", leaves, checks

        return Member(f"{record.name} NAME[{size}]", make)

    def record_member(self, depth, references):
        record = self.record(depth + 1, references)
        return Member(f"{record.name} NAME", lambda maker: maker.instance(record))

    def pointed_record_member(self, depth):
        """A pointer to a record that is mapped on its own."""
        record = self.record(depth + 1, references=False)

        def make(maker):
            text, leaves, _ = maker.instance(record)
            name = maker.fresh("Pointee")
            maker.lines.append(f"{record.name} {name}Object = {text}, "
                                f"*{name} = &{name}Object;")
            maker.map_object(name, 1)
            return name, under("(*ROOT)", leaves), [("ROOT", name)]

        return Member(f"{record.name} *NAME", make)

    def table_member(self):
        """A pointer to a mapped table of pointers."""
        size = self.rng.randint(1, 4)
        names = [self.any_array() for _ in range(size)]

        def make(maker):
            name = maker.fresh("Table")
            values = ", ".join(f"{n} + {k}" for k, n in enumerate(names))
            maker.lines.append(
                f"const int *{name}Rows[] = {{{values}}}, **{name} = {name}Rows;"
            )
            maker.map_object(name, size)
            k = maker.rng.randrange(size)
            leaves = [
                Leaf(f"long(ROOT[{k}][I])", f"long({names[k]}.at(I + {k}))",
                     mapped=True)
            ]
            if maker.chance(0.4):
                cases = "".join(f"I % {size} == {j} ? {n}.at(I + {j}) : "
                                for j, n in enumerate(names))
                leaves = [
                    Leaf(f"long(ROOT[I % {size}][I])", f"long({cases}0)",
                         mapped=True)
                ]
            return name, leaves, [("ROOT", name)]

        return Member("const int **NAME", make)

    def reference_member(self, depth):
        """A reference to a variable of the shape."""
        if self.chance(0.4):
            value = self.rng.randint(1, 50)
            leaf = Leaf("long(ROOT)", str(value))

            def make(maker):
                name = maker.fresh("Referred")
                maker.lines.append(f"int {name} = {value};")
                return name, [leaf], []

            return Member("int &NAME", make)
        if self.chance(0.4):
            array = self.any_array()
            leaf = Leaf("long(ROOT[I])", f"long({array}.at(I + 1))", mapped=True)

            def make(maker):
                name = maker.fresh("Referred")
                maker.lines.append(f"const int *{name} = {array} + 1;")
                return name, [leaf], [(name, f"{array} + 1")]

            return Member("const int *&NAME", make)
        record = self.record(depth + 1, references=True)

        def make(maker):
            text, leaves, _ = maker.instance(record)
            name = maker.fresh("Referred")
            maker.lines.append(f"{record.name} {name} = {text};")
            maker.checks.append(f'check::absent("{name}", {name});')
            return name, leaves, []

        return Member(f"{record.name} &NAME", make)

    def map_object(self, name, size):
        self.lines.append(
            f"#pragma omp target enter data map(to : {name}[0 : {size}])"
        )
        self.cleanup.append(
            f"#pragma omp target exit data map(delete : {name}[0 : {size}])"
        )

    # --- Records --------------------------------------------------------------

    def member(self, depth, references):
        kinds = {"pointer": 5, "scalar": 3, "range": 1.5, "union": 1, "array": 1}
        if depth < 3:
            kinds.update(record=2, pointed=0.8, table=0.5)
            if references:
                kinds["reference"] = 1
        kind = self.rng.choices(list(kinds), list(kinds.values()))[0]
        return {
            "pointer": self.pointer_member,
            "scalar": self.scalar_member,
            "range": self.range_member,
            "union": self.union_member,
            "array": lambda: self.array_member(depth),
            "record": lambda: self.record_member(depth, references),
            "pointed": lambda: self.pointed_record_member(depth),
            "table": self.table_member,
            "reference": lambda: self.reference_member(depth),
        }[kind]()

    def record(self, depth=0, references=True):
        """A new record type."""
        rng = self.rng
        references = references and self.chance(0.5)
        bases = []
        if depth < 2 and self.chance(0.3):
            bases = [self.record(depth + 2, references)
                     for _ in range(rng.randint(1, 2))]
        members = [(f"m{k}", self.member(depth, references))
                   for k in range(rng.randint(1, max(1, 5 - depth)))]
        attributes = rng.choices(
            ["", "alignas(32) ", "__attribute__((packed)) "], [8, 1, 1]
        )[0]
        if attributes.startswith("__") and (references or bases):
            attributes = ""  # no reference may bind to a packed member
        name = self.type_name("Record")
        text = f"struct {attributes}{name}"
        if bases:
            text += " : " + ", ".join(b.name for b in bases)
        text += " {\n"
        for member_name, member in members:
            text += f"  {member.declare.replace('NAME', member_name)};\n"
        self.types.append(text + "};")
        return Record(name, bases, members, attributes, not references)

    def instance(self, record):
        """An initializer for a record, its leaves and its host checks."""
        texts, leaves, checks = [], [], []
        for base in record.bases:
            text, own, _ = self.instance(base)
            texts.append(text)
            leaves += under(f"static_cast<const {base.name} &>(ROOT)", own)
        packed = record.attributes.startswith("__")
        for name, member in record.members:
            text, own, own_checks = member.make(self)
            if packed:  # sumBackwards() takes a reference
                own = [x for x in own if "sumBackwards" not in x.read]
            texts.append(text)
            leaves += under(f"ROOT.{name}", own)
            checks += [(p.replace("ROOT", f"ROOT.{name}"), v)
                       for p, v in own_checks]
        return f"{record.name}{{{', '.join(texts)}}}", leaves, checks
