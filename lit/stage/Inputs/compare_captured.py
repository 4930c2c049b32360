"""Compares kernels over what closures capture with those over plain arrays.

Reads a report of ferry-sim. Of each kind ("product", "heat"), every kernel may
load at most 1.02 times the sectors of the plain one, and launches copy nothing.
"""

import json
import sys

kernels = json.load(open(sys.argv[1]))["kernels"]
for kind in ("product", "heat"):
    found = {k["name"]: k for k in kernels if kind in k["name"]}
    plain = [k for name, k in found.items() if kind + "Plain" in name]
    if len(found) != 4 or len(plain) != 1:
        sys.exit(f"{kind}: {len(found)} kernels: {sorted(found)}")
    least = plain[0]["global_load_sectors"]
    for name, kernel in found.items():
        if kernel["global_load_sectors"] > 1.02 * least:
            sys.exit(f"{name}: {kernel['global_load_sectors']} sectors, plain {least}")
