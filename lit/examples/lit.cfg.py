# The programs of docs/examples, each a test without a word in it: what is done
# with every one stands here, and docs/testing.md says what it must do. Loaded
# after ../lit.cfg.py.
import os

import left_out

config.name = "Ferry-Examples"
config.test_source_root = os.path.join(config.ferry_source_dir, "docs", "examples")
config.test_exec_root = os.path.join(config.ferry_build_dir, "examples")
config.suffixes = [".cpp"]
# These stand in README.md, and have tests of their own in lit/tools.
config.excludes = ["forall", "rows"]

# What --bench prints: name, size, seconds, checksum.
number = "-?[0-9.]+(e[-+][0-9]+)?"
bench_line = f"[a-z0-9-]+ [0-9]+ {number} {number}"

config.test_format = left_out.ShTest(
    preamble_commands=[
        "rm -rf %t && mkdir -p %t",
        # On the host device: at its own size, as a benchmark, and called wrong.
        "%ferry_clangxx -O2 -Wall -Wextra -Werror %offload %s -o %t/host",
        "%t/host",
        "%t/host --bench=1 > %t/bench && test -s %t/bench",
        f"not grep -Evx '{bench_line}' %t/bench",
        "not %t/host nonsense 2>&1 | grep '^usage: '",
        "not %t/host --only=nonsense 2>&1 | grep '^usage: '",
        # It makes no mistake in mapping.
        "%ferry_clangxx --ferry-check -O1 %offload %s -o %t/checked && "
        "env FERRY_CHECK=error %t/checked && env FERRY_CHECK=error,stale %t/checked",
        # On the simulated GPU.
        "%if device-runtime %{ %sim_cxx -O3 %s -o %t/sim && "
        "%ferry_sim --strict --quiet -- %t/sim %}",
    ]
)

# For the last line of a program that needs Ferry, as a RUN line.
config.substitutions.insert(
    0,
    (
        "%wrong_without_ferry",
        "%ferry_clangxx --ferry-off -O2 %offload %s -o %t/off && "
        "not --crash %t/off || not %t/off 2>&1 | grep WRONG",
    ),
)
