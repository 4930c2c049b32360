# The GoogleTest binaries: every executable in build/unit whose name ends in
# "Tests". lit runs them in shards and counts each test by itself.
import os

import lit.formats

config.name = "Ferry-Unit"
config.test_source_root = os.path.join(config.ferry_build_dir, "unit")
config.test_exec_root = config.test_source_root
config.suffixes = []
config.test_format = lit.formats.GoogleTest(".", "Tests")
