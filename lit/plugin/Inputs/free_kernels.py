"""Prints the functions that launch kernels, of a device module on the standard
input, and whether the plugin noted that any thread may execute any iteration, perhaps
where there are several blocks, or that it might but for a reduction."""

import re
import sys

text = sys.stdin.read()
groups = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}$", text, re.MULTILINE))
kernel = re.compile(
    r"^define .*@__omp_offloading_\w+?__Z\d+([a-z]+)\w*_l\d+\(.* (#\d+)\b", re.MULTILINE
)
for name, group in kernel.findall(text):
    noted = groups[group]
    print(name, "dealt" if "ferry_dealt_schedule" in noted
          else "free" if "ferry_free_schedule" in noted
          else "reduced" if "ferry_reduction" in noted else "left")
