"""Random programs of nested records and closures for tools/fuzz/shapes.

A program is a list of kernels. For each kernel the generator makes

  arrays     mapped on the device and poisoned on the host, some side by side;
  records    of scalars, pointers, ranges, unions, arrays, bases, references,
             other records, and pointers to records and tables that are mapped;
  closures   over these objects and over each other, by value and by reference;
  a launch   in one of the constructs and passing modes.

An object is made together with its leaves: the expressions by which a kernel
may use it. A leaf knows its value as an expression over Mapped<T>::at(), which
is the plain model the kernel's results are compared with. A kernel uses some of
the leaves of some of the objects.
"""

import random
from dataclasses import dataclass, field

LENGTH = 24  # of each mapped array
COUNT = 8  # iterations of each kernel

PRELUDE = """\
// Seeds {seeds} of tools/fuzz/shapes.
#include "check.h"
#include "forall.h"

namespace {{
constexpr int N = {count}, Length = {length};
using Word = unsigned long;
template <class T> Word bits(T P) {{ return reinterpret_cast<Word>(P); }}

struct Range {{
  const int *Begin, *End;
}};
union PointerFirst {{
  const int *P;
  Word Number;
}};
union NumberFirst {{
  Word Number;
  const int *P;
}};
int constantFunction(int V) {{ return V; }}

inline long sum(const int *Begin, const int *End) {{
  long Sum = 0;
  for (const int *P = Begin; P != End; ++P)
    Sum += *P;
  return Sum;
}}
inline long sumBackwards(const Range &R) {{
  long Sum = 0;
  for (const int *P = R.End; P != R.Begin;)
    Sum += *--P;
  return Sum;
}}
[[gnu::noinline]] long sumNotInlined(Range R) {{ return sum(R.Begin, R.End); }}
[[gnu::noinline]] long readNotInlined(const int *P, int I) {{ return P[I]; }}
template <class T> long sumOf(const Mapped<T> &A, int From, int To) {{
  long Sum = 0;
  for (int I = From; I < To; ++I)
    Sum += long(A.at(I));
  return Sum;
}}

template <class F> void byForwarding(int Count, F &&Body) {{
#pragma omp target teams distribute parallel for simd
  for (int I = 0; I < Count; ++I)
    Body(I);
}}
template <class F> void byMapTo(int Count, F Body) {{
#pragma omp target parallel for map(to : Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}}
template <class F> void byMapToFrom(int Count, F Body) {{
#pragma omp target map(tofrom : Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}}
template <class F> void byFirstprivate(int Count, F Body) {{
#pragma omp target teams distribute firstprivate(Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}}
template <class F> [[gnu::noinline]] void notInlined(int Count, const F &Body) {{
#pragma omp target teams loop
  for (int I = 0; I < Count; ++I)
    Body(I);
}}
template <class F> void withNowait(int Count, F Body) {{
#pragma omp target nowait firstprivate(Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
#pragma omp taskwait
}}
template <class F> void throughLambda(int Count, const F &Body) {{
  forall(Count, [&](int I) {{ Body(I); }});
}}
template <class F> struct Member {{
  F Body;
  void run(int Count) const {{
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Body(I);
  }}
}};
template <class F> void asMember(int Count, const F &Body) {{
  Member<F>{{Body}}.run(Count);
}}
template <class F> struct Boxed {{
  char Before;
  F Body;
  long After;
  void operator()(int I) const {{ Body(I); }}
}};
template <class F> struct Inherited : Range, F {{
  Inherited(F Body) : Range(), F(Body) {{}}
}};
template <class F> struct Repeated {{
  F Bodies[2];
  void operator()(int I) const {{ Bodies[I % 2](I); }}
}};
}} // namespace
"""

# How a body is launched: as a statement, with BODY for the closure.
LAUNCHES = [
    "forall(N, BODY);",
    "forallByReference(N, BODY);",
    "inOrder(N, BODY);",
    "byForwarding(N, BODY);",
    "byMapTo(N, BODY);",
    "byMapToFrom(N, BODY);",
    "byFirstprivate(N, BODY);",
    "notInlined(N, BODY);",
    "withNowait(N, BODY);",
    "throughLambda(N, BODY);",
    "asMember(N, BODY);",
    "#pragma omp target teams distribute parallel for\n"
    "  for (int I = 0; I < N; ++I)\n    BODY(I);",
    "#pragma omp target parallel for map(to : BODY)\n"
    "  for (int I = 0; I < N; ++I)\n    BODY(I);",
    "#pragma omp target nowait\n"
    "  for (int I = 0; I < N; ++I)\n    BODY(I);\n"
    "#pragma omp taskwait",
]

WRAPPERS = [
    "Boxed<decltype(BODY)> NAME{'x', BODY, 5};",
    "Inherited<decltype(BODY)> NAME(BODY);",
    "Repeated<decltype(BODY)> NAME{{BODY, BODY}};",
]


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
    """A member of a record type. `make(kernel)` gives (initializer, leaves,
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


class Kernel:
    """One SHAPE: its types, objects, closures and launch."""

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

    def pointer(self):
        """A pointer member: its value, its leaves, its host checks."""
        rng = self.rng
        kind = rng.choices(
            ["mapped", "null", "unmapped", "write", "function", "double"],
            [10, 1.5, 2, 2 if self.writable else 0, 0.5, 1],
        )[0]
        if kind == "null":
            leaf = Leaf("(ROOT ? 100 : 7)", "7")
            deref = Leaf("(ROOT ? long(ROOT[I]) : 3)", "3")
            return "int *NAME", "nullptr", [rng.choice([leaf, deref])], []
        if kind == "unmapped":
            where = self.fresh("Unmapped")
            self.lines.append(f"static int {where}[4];")
            at = f"{where} + {rng.randint(0, 4)}"
            leaf = self.bits_leaf("bits(ROOT)", f"bits({at})")
            return "int *NAME", at, [leaf], [("ROOT", at)]
        if kind == "function":
            leaf = self.bits_leaf("bits(ROOT)", "bits(constantFunction)")
            return "int (*NAME)(int)", "constantFunction", [leaf], []
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
            return "int *NAME", value, [leaf], [("ROOT", value)]
        if kind == "double" and any(t == "double" for _, t in self.arrays):
            array, declare = self.any_array("double"), "double *NAME"
        else:
            array = self.any_array()
            declare = rng.choice(
                ["int *NAME", "const int *NAME", "const int *const NAME",
                 "const volatile int *NAME"]
            )
        offset = rng.choice([0, 0, rng.randint(0, LENGTH - 1)])
        value = f"{array} + {offset}"
        return declare, value, self.reads(array, offset, declare), [("ROOT", value)]

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
        return Member(declare, lambda kernel: (str(value), [leaf], []))

    def pointer_member(self):
        declare, value, leaves, checks = self.pointer()
        return Member(declare, lambda kernel: (value, leaves, checks))

    def range_member(self):
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
        return Member("Range NAME", lambda kernel: (value, [leaf], []))

    def union_member(self):
        array = self.any_array()
        if self.chance(0.7):
            value = f"{{{array} + 2}}"
            leaf = Leaf("long(ROOT.P[I])", f"long({array}.at(I + 2))", mapped=True)
            return Member("PointerFirst NAME", lambda kernel: (value, [leaf], []))
        # A number that is also the address of a mapped array.
        value = f"{{bits({array}.Host)}}"
        leaf = self.bits_leaf("ROOT.Number", f"bits({array}.Host)")
        return Member("NumberFirst NAME", lambda kernel: (value, [leaf], []))

    def array_member(self, depth):
        rng = self.rng
        size = rng.randint(1, 4)
        if self.chance(0.4):
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
                lambda kernel: (f"{{{value}}}", [leaf], []),
            )
        # Records of one type, each with leaves of its own.
        record = self.record(depth + 1, references=False)

        def make(kernel):
            texts, leaves, checks = [], [], []
            for k in range(size):
                text, own, own_checks = kernel.instance(record)
                texts.append(text)
                leaves += under(f"ROOT[{k}]", own)
                checks += [(p.replace("ROOT", f"ROOT[{k}]"), v)
                           for p, v in own_checks]
            return "{" + ", ".join(texts) + "}", leaves, checks

        return Member(f"{record.name} NAME[{size}]", make)

    def record_member(self, depth, references):
        record = self.record(depth + 1, references)
        return Member(f"{record.name} NAME", lambda k: k.instance(record))

    def pointed_record_member(self, depth):
        """A pointer to a record that is mapped on its own."""
        record = self.record(depth + 1, references=False)

        def make(kernel):
            text, leaves, _ = kernel.instance(record)
            name = kernel.fresh("Pointee")
            kernel.lines.append(f"{record.name} {name}Object = {text}, "
                                f"*{name} = &{name}Object;")
            kernel.map_object(name, 1)
            return name, under("(*ROOT)", leaves), [("ROOT", name)]

        return Member(f"{record.name} *NAME", make)

    def table_member(self):
        """A pointer to a mapped table of pointers."""
        size = self.rng.randint(1, 4)
        names = [self.any_array() for _ in range(size)]

        def make(kernel):
            name = kernel.fresh("Table")
            values = ", ".join(f"{n} + {k}" for k, n in enumerate(names))
            kernel.lines.append(
                f"const int *{name}Rows[] = {{{values}}}, **{name} = {name}Rows;"
            )
            kernel.map_object(name, size)
            k = kernel.rng.randrange(size)
            leaves = [
                Leaf(f"long(ROOT[{k}][I])", f"long({names[k]}.at(I + {k}))",
                     mapped=True)
            ]
            if kernel.chance(0.4):
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

            def make(kernel):
                name = kernel.fresh("Referred")
                kernel.lines.append(f"int {name} = {value};")
                return name, [leaf], []

            return Member("int &NAME", make)
        if self.chance(0.4):
            array = self.any_array()
            leaf = Leaf("long(ROOT[I])", f"long({array}.at(I + 1))", mapped=True)

            def make(kernel):
                name = kernel.fresh("Referred")
                kernel.lines.append(f"const int *{name} = {array} + 1;")
                return name, [leaf], [(name, f"{array} + 1")]

            return Member("const int *&NAME", make)
        record = self.record(depth + 1, references=True)

        def make(kernel):
            text, leaves, _ = kernel.instance(record)
            name = kernel.fresh("Referred")
            kernel.lines.append(f"{record.name} {name} = {text};")
            kernel.checks.append(f'check::absent("{name}", {name});')
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
                   for k in range(rng.randint(1, 5 - depth))]
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

    # --- Objects --------------------------------------------------------------

    def make_object(self):
        rng = self.rng
        kind = rng.choices(["record", "pointer", "scalar"], [5, 2, 1])[0]
        name = self.fresh("X")
        if kind == "scalar":
            value = rng.randint(1, 50)
            self.lines.append(f"long {name} = {value};")
            return Object(name, [Leaf("ROOT", str(value))])
        if kind == "pointer":
            declare, value, leaves, _ = self.pointer()
            self.lines.append(f"{declare.replace('NAME', name)} = {value};")
            return Object(name, leaves)
        record = self.record()
        text, leaves, checks = self.instance(record)
        const = rng.choice(["", "const "])
        self.lines.append(f"{const}{record.name} {name} = {text};")
        for path, value in checks:
            if "ROOT" in path and self.chance(0.3):
                path = path.replace("ROOT", name)
                self.checks.append(self.host_check(path, value))
        self.checks.append(f'check::absent("{name}", {name});')
        return Object(name, leaves)

    # --- Closures -------------------------------------------------------------

    def uses(self, objects):
        """Some leaves of some objects: (object, leaf) pairs."""
        pairs = [(o, x) for o in objects for x in o.leaves]
        self.rng.shuffle(pairs)
        picked = pairs[: self.rng.randint(1, 6)]
        if not any(x.mapped for _, x in picked):
            picked += [p for p in pairs if p[1].mapped][:1]
        return picked

    def captures(self, names):
        """A capture list for the variables, and what each is called inside."""
        rng = self.rng
        inside = {n: n for n in names}
        kind = rng.choice(["=", "&", "mixed", "mixed", "init"])
        if kind in "=&":
            return kind, inside
        items = []
        for n in names:
            by_reference = self.chance(0.4)
            if kind == "init" and self.chance(0.5):
                inside[n] = f"Inner{n}"
                items.append(f"{'&' if by_reference else ''}{inside[n]} = {n}")
            else:
                items.append(f"{'&' if by_reference else ''}{n}")
        return ", ".join(items), inside

    def body(self, objects, inside):
        """Statements and the sum of the uses, for a closure over `objects`."""
        statements, terms, model = [], [], []
        for o, leaf in objects:
            root = inside[o.name]
            if leaf.effect:
                effect = leaf.effect.replace("ROOT", root)
                statements.append(effect.replace("B[", f"{inside['B']}["))
                self.checks.append(leaf.check)
            if leaf.read:
                factor = self.rng.randint(1, 5)
                terms.append(f"{factor} * {leaf.read.replace('ROOT', root)}")
                model.append(f"{factor} * ({leaf.model})")
        return statements, terms, model

    @staticmethod
    def once(pairs):
        """Each effect may be used by one closure only."""
        for o, leaf in pairs:
            if leaf.effect:
                o.leaves.remove(leaf)

    def closure(self, objects, inner):
        """A closure that returns a sum of uses and of inner closures. Gives its
        name and its model."""
        pairs = self.uses(objects)
        self.once(pairs)
        called = [c for c in inner if self.chance(0.7)]
        names = {o.name for o, _ in pairs} | {c for c, _ in called}
        if any(x.effect for _, x in pairs):
            names.add("B")
        listed, inside = self.captures(sorted(names))
        inside.setdefault("B", "B")
        statements, terms, model = self.body(pairs, inside)
        terms += [f"{inside[c]}(I)" for c, _ in called]
        model += [m for _, m in called]
        name = self.fresh("C")
        argument = self.rng.choice(["int I", "int I", "auto I"])
        text = " ".join(statements)
        self.lines.append(
            f"auto {name} = [{listed}]({argument}) {{ {text} "
            f"return {' + '.join(terms) or '0'} + 0l; }};"
        )
        return name, "(" + (" + ".join(model) or "0") + ")"

    def emit(self):
        rng = self.rng
        device = rng.choice([0, 0, 1, 3])
        self.lines += [
            f"const int Device = {device};",
            "omp_set_default_device(Device);",
        ]
        self.make_arrays()
        self.lines += [
            "Mapped<long> Out(N, 3);",
            "Mapped<Word> Bits(64, 4);",
            "Word WantBits[64], *B = Bits;",
            "for (int I = 0; I < 64; ++I)",
            "  WantBits[I] = Bits.at(I);",
        ]
        objects = [self.make_object() for _ in range(rng.randint(1, 3))]
        if self.words > 64:
            raise OverflowError
        inner = []
        for _ in range(rng.randint(1, 3)):
            inner.append(self.closure(objects, inner))
        top, model = self.closure(objects, inner)

        self.lines.append("long *Q = Out, Sum = 0;")
        listed = rng.choice(["=", "&", f"Q, {top}", f"&Q, {top}", f"Q, &{top}"])
        self.lines.append(
            f"auto Body = [{listed}](int I) {{ Q[I] = {top}(I); }};"
        )
        body = "Body"
        if self.chance(0.3):
            body = "Wrapped"
            wrapper = rng.choice(WRAPPERS)
            self.lines.append(
                wrapper.replace("BODY", "Body").replace("NAME", body)
            )
        launch = rng.choice(LAUNCHES)
        self.lines += launch.replace("BODY", body).split("\n")
        if self.chance(0.25):
            # The same sum once more, in a variable that comes back.
            self.lines.append(f"inOrder(N, [&](int I) {{ Sum += {top}(I); }});")
            self.lines.append("long WantSum = 0;")
            self.lines.append(
                f"for (int I = 0; I < N; ++I) WantSum += {model};"
            )
            self.checks.append('check::equal("Sum", Sum, WantSum);')
            self.checks.append('check::absent("Sum", Sum);')
        self.lines += self.cleanup
        self.lines += self.checks
        self.lines += [
            f"Out.expect([&](int I) {{ return {model}; }});",
            "Bits.expect([&](int I) { return WantBits[I]; });",
        ]
        shape = "\n".join(
            line if line.startswith("#") else "  " + line for line in self.lines
        )
        return (
            "\nnamespace {\n" + "\n".join(self.types) + "\n} // namespace\n\n"
            f"SHAPE({self.name}) {{\n{shape}\n}}\n"
        )


def kernels_of(seed):
    """The text of a seed's kernels: the same for one seed for ever."""
    rng = random.Random(f"ferry shapes {seed}")
    texts = []
    for k in range(rng.randint(2, 4)):
        while True:
            try:
                texts.append(Kernel(rng, f"seed{seed}_kernel{k}").emit())
                break
            except OverflowError:
                pass
    return "".join(texts)


def level_of(seed):
    """The optimisation level and debug flags that the seed is compiled with."""
    rng = random.Random(f"ferry level {seed}")
    return [rng.choice(["-O0", "-O1", "-O2", "-O3"])] + (
        ["-g"] if rng.random() < 0.25 else []
    )


def program_of(seeds):
    text = PRELUDE.format(
        seeds=", ".join(map(str, seeds)), count=COUNT, length=LENGTH
    )
    for seed in seeds:
        text += kernels_of(seed)
    return text + (
        "\nint main(int Argc, char **Argv) { return check::run(Argc, Argv); }\n"
    )
