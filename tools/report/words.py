"""Figures, and text from programs, as text to be shown."""
import re


def count(value):
    return "{:,}".format(int(round(value)))


def percent(fraction):
    """Of a fraction; two digits are as much as the model is worth."""
    value = 100 * fraction
    if value and value < 0.1:
        return "< 0.1 %"
    return "%.1f %%" % value if value < 10 else "%.0f %%" % value


def seconds(value):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1:
            return "%.3g %s" % (value * factor, unit)
    return "%.3g ns" % (value * 1e9) if value else "0 s"


def size(value):
    """Of bytes."""
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= factor:
            return "%.3g %s" % (value / factor, unit)
    return "%d B" % value


def rate(value):
    """Of operations in a second."""
    for unit, factor in (("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if value >= factor:
            return "%.3g %s operations/s" % (value / factor, unit)
    return "%.3g operations/s" % value


def times(before, after):
    """How many times as much."""
    if not before:
        return "1.00" if not after else "-"
    return "%.2f" % (after / before)


def triple(values):
    return " x ".join(count(v) for v in values)


# What would move text about, or stand for a command of a terminal.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f"
                     "\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def clean(value):
    """Text from a program with what cannot be seen written as \\u202e; of a
    list or an object, of all that is in it."""
    if isinstance(value, str):
        return _UNSEEN.sub(lambda m: "\\u%04x" % ord(m.group()), value)
    if isinstance(value, list):
        return [clean(v) for v in value]
    if isinstance(value, dict):
        return {clean(k): clean(v) for k, v in value.items()}
    return value
