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

from records import WORDS, Leaf, Object, RecordMaker


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


class Kernel(RecordMaker):
    """One SHAPE: its types, objects, closures and launch."""

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
        rng = self.rng
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
            self.lines += [
                f"inOrder(N, [&](int I) {{ Sum += {top}(I); }});",
                "long WantSum = 0;",
                f"for (int I = 0; I < N; ++I) WantSum += {model};",
            ]
            self.checks.append('check::equal("Sum", Sum, WantSum);')
            self.checks.append('check::absent("Sum", Sum);')

    def emit(self):
        rng = self.rng
        self.lines += [
            f"const int Device = {rng.choice([0, 0, 1, 3])};",
            "omp_set_default_device(Device);",
        ]
        self.make_arrays()
        self.lines += [
            "Mapped<long> Out(N, 3);",
            f"Mapped<Word> Bits({WORDS}, 4);",
            f"Word WantBits[{WORDS}], *B = Bits;",
            f"for (int I = 0; I < {WORDS}; ++I)",
            "  WantBits[I] = Bits.at(I);",
        ]
        objects = [self.make_object() for _ in range(rng.randint(1, 3))]
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
            f"Out.expect([&](int I) {{ return {model}; }});",
            "Bits.expect([&](int I) { return WantBits[I]; });",
        ]
        if self.words > WORDS:
            raise OverflowError
        shape = "\n".join(
            line if line.startswith("#") else "  " + line for line in self.lines
        )
        return (
            "\nnamespace {\n" + "\n".join(self.types) + "\n} // namespace\n\n"
            f"SHAPE({self.name}) {{\n{shape}\n}}\n"
        )


def kernel_count(seed):
    return random.Random(f"ferry kernels {seed}").randint(2, 4)


def kernels_of(seed):
    """The text of a seed's kernels: the same for one seed for ever."""
    rng = random.Random(f"ferry shapes {seed}")
    texts = []
    for k in range(kernel_count(seed)):
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
    numbers = ", ".join(map(str, seeds))
    return (
        f'// Seeds {numbers} of tools/fuzz/shapes.\n#include "prelude.h"\n'
        + "".join(map(kernels_of, seeds))
        + "\nint main(int Argc, char **Argv) {"
        " return check::run(Argc, Argv); }\n"
    )
