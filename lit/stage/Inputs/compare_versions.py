"""Which version of each kernel a program launched, from the reports of two runs: built
without staging, and with it.

    compare_versions.py plain.json staged.json --kernels N [--memory RATIO]

Of a kernel that is launched by a function called ...Unstaged, all that is counted has
to be the same, down to registers; one of ...Staged uses shared memory, and one of
...Walked keeps what it has loaded; one of ...Declined is the staged kernel, which
finds out itself that it does not pay. With --memory such a kernel reads memory at most as much as the plain kernel by RATIO.
"""

import argparse
import json
import sys

from compare_reports import differences


def kernels(path):
    with open(path, encoding="utf-8") as file:
        return {k["name"]: k for k in json.load(file)["kernels"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plain")
    parser.add_argument("staged")
    parser.add_argument("--kernels", type=int, required=True)
    parser.add_argument("--memory", type=float, default=0)
    arguments = parser.parse_args()
    plain, staged = kernels(arguments.plain), kernels(arguments.staged)
    failed = len(plain) != arguments.kernels or len(staged) != arguments.kernels
    if failed:
        print(f"{len(plain)} and {len(staged)} kernels")
    for name, kernel in staged.items():
        before = plain[name.removesuffix("_unstaged")]
        if "Unstaged" not in name:
            staged_so = (
                kernel["global_load_requests"] < before["global_load_requests"]
                if "Walked" in name
                else kernel["static_shared_bytes"]
            )
            if "Declined" in name:
                staged_so = kernel["global_load_requests"] == before["global_load_requests"]
            if "_unstaged" in name or not staged_so:
                print(f"{name}: is not staged")
                failed = True
            if kernel["dram_read_bytes"] * arguments.memory > before["dram_read_bytes"]:
                print(f"{name}: reads {kernel['dram_read_bytes']} bytes of memory, plain {before['dram_read_bytes']}")
                failed = True
            continue
        other = differences(before, kernel)
        if "_unstaged" not in name or other:
            print(f"{name}: differs from the kernel without staging in {other}")
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
