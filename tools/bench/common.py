"""What the measurements of this folder share: options, tables, JSON."""

import argparse
import json
import os

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))


def option_parser(description, rounds=None):
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--compiler", default=os.path.join(ROOT, "build", "bin", "ferry-clang++")
    )
    if rounds:
        parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    return parser


def parse(parser):
    """The options, once it is certain that they make sense."""
    options = parser.parse_args()
    if not os.access(options.compiler, os.X_OK):
        parser.error(f"no compiler at {options.compiler}: run `tools/ferry build` first")
    for name, value in vars(options).items():
        numbers = value if isinstance(value, list) else [value]
        if any(type(n) is int and n < 1 for n in numbers):
            parser.error(f"--{name} has to be at least 1")
    return options


def number(value):
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def table_text(head, rows):
    """Markdown; every cell is a text."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def print_table(head, rows):
    print(table_text(head, rows))


def write_json(path, figures):
    if path:
        with open(path, "w") as out:
            json.dump(figures, out, indent=2)
            out.write("\n")
