"""How often patterns are in the PTX of each staged kernel that calls a check.

staged_code.py PTX PATTERN...
"""

import re
import sys

path, *patterns = sys.argv[1:]
with open(path) as file:
    text = file.read()
# From one function to the next.
for part in re.split(r"^(?=\.(?:weak |visible )?\.(?:entry|func))", text, flags=re.M):
    entry = re.match(r"\S* ?\.entry (\w+)", part)
    if not entry or entry[1].endswith("_unstaged"):
        continue
    name = re.search(r"Quotients|LoopsILi\d", entry[1])
    counts = (f"{len(re.findall(p, part))} of {p}" for p in patterns)
    print(f"{name[0] if name else entry[1]}:", ", ".join(counts))
