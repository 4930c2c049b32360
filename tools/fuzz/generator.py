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
import re
from dataclasses import dataclass

from records import WORDS, Leaf, Object, RecordMaker
from tables import Table


DEVICES = 4  # of the host device's plugin; programs use some of them


@dataclass
class Features:
    """What programs have beyond the ordinary. A seed gives one program with
    each choice of them."""

    versions: bool = False  # the device's code is not the host's
    launches: int = 1  # of each body, some with captured objects mapped
    threads: int = 1  # of the host, that run each kernel at once
    tables: bool = False  # that kernels write, instead of closures
    wide: bool = False  # bodies of many words, some indexed by a variable
    written: bool = False  # bodies of which the kernel writes a part
    simulate: bool = False  # runs on simulated GPUs


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


# A body held many times over: more words than fit in a kernel's parameters.
WIDE_WRAPPERS = [
    "OneOfMany<decltype(BODY), COUNT> NAME(BODY);",
    "EachOfMany<decltype(BODY), COUNT> NAME(BODY);",
]

# A body that finds what it is called with in a part of itself that it has
# written: the rest is only read.
WRITTEN_WRAPPERS = [
    "WritesOne<decltype(BODY)> NAME(BODY);",
    "WritesAtIndex<decltype(BODY)> NAME(BODY);",
]

# A use by the device only: the host's version of the code does without it.
VERSIONS = [
    "(omp_is_initial_device() ? 0l : TERM)",
    "ON_DEVICE(TERM)",
    "(onDevice() ? TERM : -1l)",
]


class Kernel(RecordMaker):
    """One SHAPE: its types, objects, closures and launches."""

    def __init__(self, rng, name, features):
        super().__init__(rng, name)
        self.features = features

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
            kind, declare = self.pointer_kind()
            value, leaves, _ = self.pointer(kind, declare)
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
                effect = effect.replace("B[", f"{inside['B']}[")
                if self.features.versions and self.chance(0.5):
                    effect = f"if (!omp_is_initial_device()) {{ {effect} }}"
                statements.append(effect)
                self.checks.append(leaf.check)
            if leaf.read:
                factor = self.rng.randint(1, 5)
                read = leaf.read.replace("ROOT", root)
                if self.features.versions and self.chance(0.6):
                    read = self.on_device_only(read)
                terms.append(f"{factor} * {read}")
                model.append(f"{factor} * ({leaf.model})")
        return statements, terms, model

    def on_device_only(self, read):
        if "readNotInlined(" in read:
            return read.replace("readNotInlined(", "readByVariant(")
        return self.rng.choice(VERSIONS).replace("TERM", read)

    @staticmethod
    def once(pairs):
        """Each effect may be used by one closure only."""
        for o, leaf in pairs:
            if leaf.effect:
                o.leaves.remove(leaf)

    def closure(self, objects, inner, last=False):
        """A closure that returns a sum of uses and of inner closures; the last
        one calls those that no other calls. Gives its name and its model."""
        pairs = self.uses(objects)
        self.once(pairs)
        called = [
            c for c in inner
            if self.chance(0.7) or (last and c[0] not in self.called)
        ]
        self.called.update(name for name, _ in called)
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

    def method(self):
        """An object whose member function launches a body that uses `this`."""
        rng = self.rng
        record = self.record(depth=1)
        text, leaves, _ = self.instance(record)
        pairs = self.uses([Object("this", leaves)])
        statements, terms, model = self.body(
            pairs, {"this": "(*this)", "B": "this->B"}
        )
        statements.append(f"Q2[I] = {' + '.join(terms) or '5'};")
        # Clang 19 crashes on *this in a target region.
        body = re.sub(
            r"static_cast<const (\w+) &>\(\(\*this\)\)\.",
            r"static_cast<const \1 *>(this)->",
            " ".join(statements),
        ).replace("(*this).", "this->")
        listed = rng.choice(["this", "*this", "&", "=, *this"])
        # Where the region itself is in a member function, Clang 19 maps no
        # bit-field, and crashes where it uses a reference.
        refused = any(x in text for text in self.types for x in (" : 5;", "&m"))
        if self.chance(0.4) and not refused:
            run = LAUNCHES[-3].replace("BODY(I);", f"{{ {body} }}")
        else:
            launch = rng.choice(LAUNCHES[:-3]).replace("BODY", "Body")
            run = f"auto Body = [{listed}](int I) {{ {body} }};\n  {launch}"
        name = self.type_name("Object")
        self.types.append(
            f"struct {name} : {record.name} {{\n  long *Q2;\n  Word *B;\n"
            f"  void run();\n}};\nvoid {name}::run() {{\n  {run}\n}}"
        )
        self.lines += [
            "Mapped<long> Out2(N, 5);",
            f"{name} M{{{text}, Out2, B}};",
            "M.run();",
            'check::absent("M", M);',
            f"Out2.expect([&](int I) {{ return {' + '.join(model) or '5'}; }});",
        ]

    def launch(self, top, model):
        """Launches a body that calls the closure, with a part of Out each."""
        rng, features = self.rng, self.features
        self.lines.append("long Sum = 0;")
        for k in range(features.launches):
            body, result = ("Body", "Q") if not k else (f"Body{k}", f"Q{k}")
            self.lines.append(f"long *{result} = Out + {k} * N;")
            listed = rng.choice(["=", "&", f"{result}, {top}", f"&{result}, {top}",
                                 f"{result}, &{top}"])
            self.lines.append(
                f"auto {body} = [{listed}](int I) {{ {result}[I] = {top}(I); }};"
            )
            mapped = self.mapped_for_a_launch(body) if k else []
            self.launch_body(body)
            for name in mapped:
                self.lines.append(f"#pragma omp target exit data map(delete : {name})")
        if self.chance(0.25):
            # The same sum once more, in a variable that comes back.
            self.lines += [
                f"inOrder(N, [&](int I) {{ Sum += {top}(I); }});",
                "long WantSum = 0;",
                f"for (int I = 0; I < N; ++I) WantSum += {model};",
            ]
            self.checks.append('check::equal("Sum", Sum, WantSum);')
            self.checks.append('check::absent("Sum", Sum);')

    def mapped_for_a_launch(self, body):
        """Maps some of the variables that bodies capture."""
        names = [x for x in (*self.variables, *self.called, body) if self.chance(0.3)]
        for name in names:
            self.lines.append(f"#pragma omp target enter data map(to : {name})")
        return names

    def wrap(self, wrapper, body, name):
        """Declares the wrapper of the body under that name, which it returns."""
        self.lines.append(wrapper.replace("BODY", body).replace("NAME", name))
        return name

    def launch_body(self, body):
        rng = self.rng
        if self.features.wide and self.chance(0.7):
            wrapper = rng.choice(WIDE_WRAPPERS).replace("COUNT", rng.choice(["40", "150"]))
            body = self.wrap(wrapper, body, f"Wide{body}")
        if self.features.written and self.chance(0.7):
            body = self.wrap(rng.choice(WRITTEN_WRAPPERS), body, f"Written{body}")
        if self.chance(0.3):
            body = self.wrap(rng.choice(WRAPPERS), body, body.replace("Body", "Wrapped"))
        launch = rng.choice(LAUNCHES)
        if self.features.simulate:
            # There each thread puts the address of its own copy of a captured
            # closure into the closure that all have: on a GPU it is the same in
            # all threads, on a simulated one it is not.
            launch = launch.replace(" map(to : BODY)", "")
        self.lines += launch.replace("BODY", body).split("\n")

    def emit(self):
        rng = self.rng
        self.lines += [
            f"const int Device = {rng.choice([0, 0, 1, 3])};",
            "omp_set_default_device(Device);",
        ]
        self.make_arrays()
        self.lines += [
            f"Mapped<long> Out({self.features.launches} * N, 3);",
            f"Mapped<Word> Bits({WORDS}, 4);",
            f"Word WantBits[{WORDS}], *B = Bits;",
            f"for (int I = 0; I < {WORDS}; ++I)",
            "  WantBits[I] = Bits.at(I);",
        ]
        objects = [self.make_object() for _ in range(rng.randint(1, 3))]
        self.variables = [o.name for o in objects]
        inner = []
        for _ in range(rng.randint(1, 3)):
            inner.append(self.closure(objects, inner))
        top, model = self.closure(objects, inner, last=True)
        self.launch(top, model)
        if self.chance(0.35):
            self.method()
        self.lines += self.cleanup
        self.lines += self.checks
        self.lines += [
            f"Out.expect([&](int I) {{ I %= N; return {model}; }});",
            "Bits.expect([&](int I) { return WantBits[I]; });",
        ]
        if self.words > WORDS:
            raise OverflowError
        shape = "\n".join(
            line if line.startswith("#") else "  " + line for line in self.lines
        )
        types = "\nnamespace {\n" + "\n".join(self.types) + "\n} // namespace\n\n"
        if self.features.threads == 1:
            return f"{types}SHAPE({self.name}) {{\n{shape}\n}}\n"
        shape = re.sub(r"^  static ", "  ", shape, flags=re.M)
        return (
            f"{types}static void {self.name}Thread() {{\n{shape}\n}}\n"
            f"SHAPE({self.name}) {{ inThreads({self.features.threads}, {self.name}Thread); }}\n"
        )


def kernel_count(seed):
    return random.Random(f"ferry kernels {seed}").randint(2, 4)


def kernels_of(seed, features):
    """The text of a seed's kernels: the same for one seed for ever."""
    rng = random.Random(f"ferry shapes {seed}")
    texts = []
    shape = Table if features.tables else Kernel
    for k in range(kernel_count(seed)):
        while True:
            try:
                texts.append(shape(rng, f"seed{seed}_kernel{k}", features).emit())
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


def program_of(seeds, features):
    numbers = ", ".join(map(str, seeds))
    return (
        f'// Seeds {numbers} of tools/fuzz/shapes.\n#include "prelude.h"\n'
        + "".join(kernels_of(seed, features) for seed in seeds)
        + "\nint main(int Argc, char **Argv) {"
        " return check::run(Argc, Argv); }\n"
    )
