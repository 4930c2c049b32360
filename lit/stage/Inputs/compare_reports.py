"""Compares the reports of two runs of a program: without staging, and with it.

    compare_reports.py plain.json staged.json --kernels N

What a kernel must do with global memory is in the name of the function that
launches it:

    ...Fewer        loads at most 60% of the sectors, and uses shared memory
    ...TwoThirds    loads at most two thirds, and uses shared memory
    ...Same         loads exactly as many sectors
    ...NoMore       loads at most as many sectors
    ...Short        loads exactly as many, with at most a quarter more
                    instructions
    ...Near         loads exactly as many, with at most a twentieth more
                    instructions
    ...Exact        is the same in all that is counted
    ...NoConflicts  has no bank conflicts either

    ...Tiled...     has its iterations in other blocks
    ...Walked...    too, and needs no shared memory
    ...Placed...    stores where the order of threads says

All others store to the same sectors in each block. The report has N kernels; one
that is also launched as it was, unstaged, counts once.
"""

import argparse
import json
import re
import sys

# How many times as many instructions are allowed.
MORE = {"Short": 1.25, "Near": 1.05}


COUNTED = ["global_load_sectors", "least_global_store_sectors", "shared_bank_conflicts", "thread_instructions"]


def kernels(path):
    """The kernels of a report, each with what its two versions did together."""
    with open(path, encoding="utf-8") as file:
        listed = json.load(file)["kernels"]
    found = {}
    for kernel in listed:
        same = found.setdefault(kernel["name"].removesuffix("_unstaged"), kernel)
        if same is not kernel:
            for counter in COUNTED:
                same[counter] += kernel[counter]
            same["static_shared_bytes"] = max(same["static_shared_bytes"], kernel["static_shared_bytes"])
    return found


def differences(plain, staged):
    """In which of what is the same where the same code is launched in the same way."""
    left_out = {"name", "demangled", "lines", "launches"}
    return [key for key, value in plain.items() if key not in left_out and staged[key] != value]


def errors(name, plain, staged):
    before, after = plain["global_load_sectors"], staged["global_load_sectors"]
    figures = f"{before} sectors, staged {after}"
    if "Fewer" in name or "TwoThirds" in name:
        if after > before * (0.6 if "Fewer" in name else 2 / 3):
            yield f"should load fewer: {figures}"
        if "Walked" not in name and staged["static_shared_bytes"] <= plain["static_shared_bytes"]:
            yield "has no more shared memory than before"
    elif any(way in name for way in ["Same", *MORE]) and after != before:
        yield f"should load as many: {figures}"
    elif "Exact" in name and (other := differences(plain, staged)):
        yield f"differs in {other}"
    elif "NoMore" in name and after > before:
        yield f"loads more: {figures}"
    if "Walked" in name and staged["static_shared_bytes"] != plain["static_shared_bytes"]:
        yield "has other shared memory than before"
    for way, most in MORE.items():
        if way in name and staged["thread_instructions"] > most * plain["thread_instructions"]:
            yield f"{staged['thread_instructions']} instructions instead of {plain['thread_instructions']}"
    if not re.search("Tiled|Walked|Placed", name) and staged["least_global_store_sectors"] != plain["least_global_store_sectors"]:
        yield "stores to other sectors"
    if "NoConflicts" in name and staged["shared_bank_conflicts"]:
        yield f"{staged['shared_bank_conflicts']} bank conflicts"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plain")
    parser.add_argument("staged")
    parser.add_argument("--kernels", type=int, required=True)
    arguments = parser.parse_args()
    plain, staged = kernels(arguments.plain), kernels(arguments.staged)
    failed = len(plain) != arguments.kernels or plain.keys() != staged.keys()
    if failed:
        print(f"{len(plain)} and {len(staged)} kernels")
    for name in sorted(plain.keys() & staged.keys()):
        for error in errors(name, plain[name], staged[name]):
            print(f"{plain[name]['demangled']}: {error}")
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
