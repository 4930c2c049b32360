# Which tests are not run with which LLVM, and why: for each feature that this
# LLVM may lack (lit.cfg.py adds them), the reason that is printed, and the tests.
# Parts of tests stand in %if <feature> %{ ... %}.
import fnmatch

import lit.formats
import lit.Test

LEFT_OUT = [
    (
        "device-runtime",
        "this LLVM has no OpenMP device runtime for GPUs",
        [
            # Programs for the simulated GPU.
            "check/simulator.cpp",
            "plugin/parameters-left.cpp",
            "sim/*.c",
            "sim/*.cpp",
            "sim/build-*.test",
            "sim/errors-*.test",
            "sim/fuzz-stage.test",
            "sim/gpu-descriptions.test",
            "sim/repeatable.test",
            "sim/report-*.test",
            "report/sim.test",
            "stage/*.cpp",
            "tools/bench-gpu*.test",
            "tools/bench-model.test",
            "tools/bench-paper.test",
            "tools/bench-sim.test",
            "tools/bench-staging.test",
            "tools/example-rows.test",
            "tools/example-tutorial.test",
            # The runtime's file on Clang's command line.
            "tools/wrapper-nvptx.test",
        ],
    ),
    (
        "llvm-19",
        "the sources are formatted by clang-format 19",
        ["tools/style.test"],
    ),
    (
        "llvm-19",
        "memory spaces have other numbers in Debian's omp.h 22 than in the libomp that it comes with, 19",
        ["tutorial/allocators.cpp"],
    ),
]


class ShTest(lit.formats.ShTest):
    """Tests of shell commands, but for those that are left out."""

    def execute(self, test, lit_config):
        path = "/".join(test.path_in_suite)
        for feature, reason, tests in LEFT_OUT:
            if feature not in test.config.available_features and any(
                fnmatch.fnmatch(path, pattern) for pattern in tests
            ):
                return lit.Test.Result(lit.Test.UNSUPPORTED, reason)
        return super().execute(test, lit_config)
