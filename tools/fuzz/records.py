"""Random record types, their instances and the uses of them."""

from dataclasses import dataclass, field

import mixed

LENGTH = 24  # of each mapped array, as in prelude.h
COUNT = 8  # iterations of each kernel
WORDS = 64  # elements of Bits
# Functions that take a reference, which a packed member cannot be bound to.
BY_REFERENCE = ("sumBackwards", "sumOfRange", "firstsOf")


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

    def range_table_member(self):
        """A pointer to a mapped table of ranges."""
        size = self.rng.randint(1, 4)

        def make(maker):
            name = maker.fresh("Ranges")
            values, totals = [], []
            for _ in range(size):
                begin = maker.rng.randint(0, LENGTH)
                end = maker.rng.choice([LENGTH, maker.rng.randint(begin, LENGTH)])
                array = maker.any_array()
                values.append(f"{{{array} + {begin}, {array} + {end}}}")
                totals.append(f"sumOf({array}, {begin}, {end})")
            maker.lines.append(
                f"Range {name}Objects[] = {{{', '.join(values)}}}, "
                f"*{name} = {name}Objects;"
            )
            maker.map_object(name, size)
            at = f"ROOT[I % {size}]"
            leaf = Leaf(
                f"sum({at}.Begin, {at}.End)",
                mixed.cases(f"I % {size}", totals),
                mapped=True,
            )
            return name, [leaf], [("ROOT", name)]

        return Member("const Range *NAME", make)

    def nodes_member(self):
        """Pointers to mapped records, by constant and by variable indices."""
        size = self.rng.randint(2, 3)

        def make(maker):
            names, numbers, models = [], [], []
            for _ in range(size):
                name, array = maker.fresh("Node"), maker.any_array()
                number = maker.rng.randint(1, 50)
                maker.lines.append(
                    f"Node {name}Object = {{{number}, {array} + 1}}, "
                    f"*{name} = &{name}Object;"
                )
                maker.map_object(name, 1)
                names.append(name)
                numbers.append(str(number))
                models.append(f"long({array}.at(I + 1))")
            k, at = maker.rng.randrange(size), f"I % {size}"
            leaves = [
                Leaf(f"ROOT[{k}]->Number", numbers[k], mapped=True),
                Leaf(f"ROOT[{at}]->Number", mixed.cases(at, numbers), mapped=True),
                Leaf(f"long(ROOT[{k}]->P[I])", models[k], mapped=True),
                Leaf(f"long(ROOT[{at}]->P[I])", mixed.cases(at, models), mapped=True),
            ]
            return f"{{{', '.join(names)}}}", leaves, []

        return Member(f"const Node *NAME[{size}]", make)

    def mixed_member(self):
        """Arrays of pointers, ranges and numbers side by side: one record, an
        array of them, or a pointer to a mapped table of them."""
        kind = self.rng.choice(["record", "record", "array", "table"])
        size = 1 if kind == "record" else self.rng.randint(1, 3)
        shape = mixed.make_type(self)

        def make(maker):
            values = [mixed.make_values(maker, shape, LENGTH) for _ in range(size)]
            texts = [mixed.initializer(shape, v) for v in values]
            at = f"I % {size}"
            root = "ROOT" if kind == "record" else f"ROOT[{at}]"
            leaves = [
                Leaf(read.replace("ROOT", root),
                     mixed.cases(at, [model(v) for v in values]), mapped=True)
                for read, model in shape.reads
            ]  # fmt: skip
            maker.rng.shuffle(leaves)
            del leaves[4:]
            k = maker.rng.randrange(size)
            for part, name, _ in shape.parts:
                if part == "number":
                    one = "ROOT" if kind == "record" else f"ROOT[{k}]"
                    leaves.append(maker.bits_leaf(
                        f"{one}.{name}.Number", f"bits({values[k][name]}.Host)"))  # fmt: skip
            if kind == "table":
                name = maker.fresh("Mixed")
                maker.lines.append(
                    f"{shape.name} {name}Objects[] = {{{', '.join(texts)}}}, "
                    f"*{name} = {name}Objects;"
                )
                maker.map_object(name, size)
                return name, leaves, [("ROOT", name)]
            text = texts[0] if kind == "record" else f"{{{', '.join(texts)}}}"
            return text, leaves, []

        extent = {"record": "NAME", "array": f"NAME[{size}]", "table": "*NAME"}[kind]
        const = "const " if kind == "table" else ""
        return Member(f"{const}{shape.name} {extent}", make)

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
        kinds = {"pointer": 5, "scalar": 3, "range": 1.5, "union": 1, "array": 1,
                 "mixed": 1.5, "nodes": 0.4, "ranges": 0.4}  # fmt: skip
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
            "ranges": self.range_table_member,
            "nodes": self.nodes_member,
            "mixed": self.mixed_member,
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
            if packed:
                own = [x for x in own
                       if not any(f in x.read for f in BY_REFERENCE)]
            texts.append(text)
            leaves += under(f"ROOT.{name}", own)
            checks += [(p.replace("ROOT", f"ROOT.{name}"), v)
                       for p, v in own_checks]
        return f"{record.name}{{{', '.join(texts)}}}", leaves, checks
