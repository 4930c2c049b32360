"""Records in which arrays of pointers, ranges and numbers lie side by side.

What a kernel reads of them is indexed by its iteration, or chosen by it, so
that which words it follows depends on where the arrays begin and end. All
instances of one type are read by the same expressions.
"""

from dataclasses import dataclass, field


@dataclass
class MixedType:
    name: str
    parts: list  # of (kind, name, size)
    reads: list = field(default_factory=list)  # of (expression, model(values))


def cases(index, models):
    """The model whose number is `index`, an expression in I."""
    picked = "".join(f"{index} == {k} ? ({m}) : " for k, m in enumerate(models))
    return f"({picked}0)"


def make_type(maker):
    """A new type of two to six parts, of which one is an array."""
    rng = maker.rng
    kinds = ["array"] + rng.choices(
        ["array", "range", "number", "pointer", "cells"], [3, 3, 3, 1, 1],
        k=rng.randint(1, 5),
    )  # fmt: skip
    rng.shuffle(kinds)
    sizes = [rng.choice([2, 2, 3, 4]) for _ in kinds]
    if maker.chance(0.05):
        sizes[kinds.index("array")] = 150  # too many for slots of their own
    parts = [(k, f"p{i}", n) for i, (k, n) in enumerate(zip(kinds, sizes))]
    mixed = MixedType(maker.type_name("Mixed"), parts)
    text = ""
    for kind, name, size in parts:
        text += {
            "array": f"  const int *{name}[{size}];\n",
            "range": f"  Range {name};\n",
            "number": f"  NumberFirst {name};\n",
            "pointer": f"  const int *{name};\n",
            "cells": f"  Cell {name}[{size}];\n",
        }[kind]
    maker.types.append(f"struct {mixed.name} {{\n{text}}};")
    for part in parts:
        mixed.reads += part_reads(maker, *part)
    mixed.reads += choices(parts)
    return mixed


def element(pointer, index="I"):
    """The model of `pointer`, of (array, offset), at `index`."""
    array, offset = pointer
    return f"long({array}.at({index} + {offset}))"


def total(ends):
    array, begin, end = ends
    return f"sumOf({array}, {begin}, {end})"


def part_reads(maker, kind, name, size):
    """Expressions and their models for a part; the model takes the values of
    an instance, by name."""
    k = maker.rng.randrange(size)
    at = f"I % {size}"
    if kind == "array":
        return [
            (f"long(ROOT.{name}[{at}][I])",
             lambda v: cases(at, [element(p) for p in v[name]])),
            (f"long(ROOT.{name}[{k}][I])", lambda v: element(v[name][k])),
            (f"firstsOf(ROOT.{name})",
             lambda v: "(" + " + ".join(element(p, "0") for p in v[name]) + ")"),
        ]  # fmt: skip
    if kind == "range":
        return [
            (f"sum(ROOT.{name}.Begin, ROOT.{name}.End)",
             lambda v: total(v[name])),
            (f"(ROOT.{name}.End - ROOT.{name}.Begin)",
             lambda v: str(v[name][2] - v[name][1])),
        ]  # fmt: skip
    if kind == "pointer":
        return [(f"long(ROOT.{name}[I])", lambda v: element(v[name]))]
    if kind == "cells":
        column = f"I / {size} % 2"
        return [
            (f"long(ROOT.{name}[{at}].P[{column}][I])",
             lambda v: cases(at, [cases(column, [element(p) for p in cell])
                                  for cell in v[name]])),
        ]  # fmt: skip
    return []


def choices(parts):
    """Reads of one of two ranges, and of one of two arrays."""
    reads = []
    ranges = [name for kind, name, _ in parts if kind == "range"]
    arrays = [(name, size) for kind, name, size in parts if kind == "array"]
    if len(ranges) > 1:
        first, last = ranges[0], ranges[-1]
        reads.append(
            (f"sumOfRange(I % 2 ? ROOT.{first} : ROOT.{last})",
             lambda v: cases("I % 2", [total(v[last]), total(v[first])]))
        )  # fmt: skip
    if len(arrays) > 1:
        (a, n), (b, m) = arrays[0], arrays[-1]
        at = f"I / 2 % {min(n, m)}"
        reads.append(
            (f"long((I % 2 ? ROOT.{a} : ROOT.{b})[{at}][I])",
             lambda v: cases("I % 2", [
                 cases(at, [element(p) for p in v[x][:min(n, m)]])
                 for x in (b, a)]))
        )  # fmt: skip
    return reads


def make_values(maker, mixed, length):
    """What the parts of an instance hold, by name."""
    rng = maker.rng

    def pointer():
        return maker.any_array(), rng.randint(0, 3)

    def ends():
        begin = rng.randint(0, length)
        return maker.any_array(), begin, rng.choice([length, rng.randint(begin, length)])

    values = {}
    for kind, name, size in mixed.parts:
        values[name] = {
            "array": lambda: [pointer() for _ in range(size)],
            "range": ends,
            "number": maker.any_array,
            "pointer": pointer,
            "cells": lambda: [[pointer(), pointer()] for _ in range(size)],
        }[kind]()
    return values


def initializer(mixed, values):
    texts = []
    for kind, name, _ in mixed.parts:
        value = values[name]
        put = lambda pointers: ", ".join(f"{a} + {k}" for a, k in pointers)
        texts.append(
            {
                "array": lambda: f"{{{put(value)}}}",
                "range": lambda: f"{{{value[0]} + {value[1]}, {value[0]} + {value[2]}}}",
                "number": lambda: f"{{bits({value}.Host)}}",
                "pointer": lambda: put([value]),
                "cells": lambda: "{"
                + ", ".join(
                    f"{{{{{put(cell)}}}, {{bits({cell[0][0]}.Host)}}}}" for cell in value
                )
                + "}",
            }[kind]()
        )
    return f"{mixed.name}{{{', '.join(texts)}}}"
