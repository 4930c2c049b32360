"""What the programs of this folder share: seeds, options, running commands."""

import argparse
import re
import shutil
import subprocess
import sys

TIME_LIMIT = 300  # seconds for one command


def seed_range(text):
    match = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not A:B or A")
    first = int(match[1])
    last = int(match[2]) if match[2] else first + 1
    if first >= last:
        raise argparse.ArgumentTypeError(f"'{text}' holds no seed")
    return range(first, last)


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)


def option_parser(description):
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=seed_range, required=True, metavar="A:B",
                        help="seeds A to B-1, or one seed A")  # fmt: skip
    parser.add_argument("--compiler", default="ferry-clang++", metavar="PATH",
                        help="the compiler (default: ferry-clang++)")  # fmt: skip
    parser.add_argument("--jobs", type=positive, default=1, metavar="N",
                        help="programs at a time (default: 1)")  # fmt: skip
    parser.add_argument("--batch", type=positive, default=1, metavar="N",
                        help="seeds in one program, which is compiled with the "
                        "first one's flags (default: 1)")  # fmt: skip
    parser.add_argument("--print", action="store_true", help="print the program and stop")
    return parser


def require(tool, compiler, folder):
    """Ends the program where the compiler or the folder cannot be used."""
    if not shutil.which(compiler):
        sys.exit(f"{tool}: error: no compiler at '{compiler}'")
    if folder:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            sys.exit(f"{tool}: error: cannot use '{folder}': {error.strerror}")


def batches(options):
    seeds, size = list(options.seeds), options.batch
    return [seeds[k : k + size] for k in range(0, len(seeds), size)]


def run(command, **more):
    """The exit status, and the standard output and error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              errors="replace", timeout=TIME_LIMIT, **more)  # fmt: skip
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", f"no end after {TIME_LIMIT} seconds"


def first_error(text):
    lines = [x for x in text.splitlines() if re.search(r"\berror: |PLEASE submit", x)]
    return lines[0][:200] if lines else "the compiler does not say why"
