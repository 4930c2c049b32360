#!/usr/bin/env python3
# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints, for each function of an LLVM module, the variables that a debugger
finds there: those with a location in memory that is not lost."""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
names = dict(re.findall(r'^(!\d+) = !DILocalVariable\(name: "([^"]*)"', text, re.M))
function = ""
for line in text.splitlines():
    if line.startswith("define "):
        function = re.search(r"@([^(]*)\(", line).group(1)
    found = re.search(r"#dbg_declare\(ptr[^%]* (%[\w.]+), (!\d+),", line)
    if found and found.group(2) in names:
        print(f"{function}: {names[found.group(2)]}")
