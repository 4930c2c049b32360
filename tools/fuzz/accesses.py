"""Arrays of a random kernel and the elements that it accesses.

The index of an access is a text that is an expression in C and in Python. From
the ranges of the variables in it follows how long the array has to be for each
case, and arrays are made no longer than that: so an access that the program
does not make is found.
"""

from dataclasses import dataclass, field

SCALARS = {"unsigned char": ("b", 1), "short": ("h", 2), "unsigned short": ("h", 2),
           "int": ("i", 4), "unsigned": ("i", 4), "long": ("l", 8),
           "unsigned long": ("l", 8), "float": ("f", 4), "double": ("d", 8)}  # fmt: skip
LONGEST = 40000  # elements of an array


class Range:
    """The integers from low to high; what arithmetic on them can give."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    @staticmethod
    def of(value):
        return value if isinstance(value, Range) else Range(value, value)

    def __add__(self, other):
        other = Range.of(other)
        return Range(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        other = Range.of(other)
        return Range(self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        other = Range.of(other)
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Range(min(ends), max(ends))

    def __truediv__(self, number):
        """C's division; of numbers that are not negative."""
        return Range(self.low // number, self.high // number)

    def __mod__(self, other):
        m = Range.of(other).high
        if self.low == self.high:
            return Range(self.low % m, self.low % m)
        return Range(0, min(self.high, m - 1))

    def __radd__(self, other):
        return Range.of(other) + self

    def __rsub__(self, other):
        return Range.of(other) - self

    def __rmul__(self, other):
        return Range.of(other) * self


def least(a, b):
    a, b = Range.of(a), Range.of(b)
    return Range(min(a.low, b.low), min(a.high, b.high))


def most(a, b):
    a, b = Range.of(a), Range.of(b)
    return Range(max(a.low, b.low), max(a.high, b.high))


def evaluate(text, values):
    return Range.of(eval(text, {"least": least, "most": most}, values))


@dataclass
class Access:
    """An index, and the variables around it: (name, lowest, highest)."""

    index: str
    scope: list

    def range(self, parameters):
        """The elements accessed, or None where there are none."""
        values = {name: Range.of(v) for name, v in parameters.items()}
        for name, low, high in self.scope:
            low, high = evaluate(low, values).low, evaluate(high, values).high
            if low > high:
                return None
            values[name] = Range(low, high)
        return evaluate(self.index, values)


@dataclass
class ElementType:
    """A scalar or a record."""

    name: str
    size: int
    fields: list  # (name, scalar, offset); of a scalar one without a name

    @property
    def layout(self):
        return " ".join(SCALARS[t][0] + str(offset) for _, t, offset in self.fields)


def scalar(name):
    return ElementType(name, SCALARS[name][1], [("", name, 0)])


def record(name, types, aligned):
    """A record of scalars, and its definition."""
    fields, offset, align = [], 0, 16 if aligned else 1
    for k, t in enumerate(types):
        size = SCALARS[t][1]
        offset = (offset + size - 1) // size * size
        fields.append((f"m{k}", t, offset))
        offset += size
        align = max(align, size)
    size = (offset + align - 1) // align * align
    members = " ".join(f"{t} {n};" for n, t, _ in fields)
    text = f"struct {f'alignas({align}) ' if aligned else ''}{name} {{ {members} }};\n"
    text += f'static_assert(sizeof({name}) == {size}, "");'
    return ElementType(name, size, fields), text


@dataclass
class Array:
    name: str
    type: ElementType
    written: bool = False
    view: bool = False
    restrict: bool = False
    slack: int = 0  # elements before the first that is accessed
    fill: str = ""  # a call that fills it, in place of random values
    accesses: list = field(default_factory=list)
    # The array that this one is a part of, and where, for each case or None.
    inside: "Array" = None
    shifts: list = None

    def hull(self, case, parameters):
        """The least and the greatest element of all accesses, and 0."""
        ranges = [a.range(parameters) for a in self.accesses]
        ranges = [r for r in ranges if r] + [Range(0, 0)]
        return min(r.low for r in ranges), max(r.high for r in ranges)

    def shift(self, case):
        return self.shifts[case] if self.inside else None
