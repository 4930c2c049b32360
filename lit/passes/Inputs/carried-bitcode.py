"""Writes to standard output the bitcode that PTX on standard input carries."""

import base64
import re
import sys

text = sys.stdin.read()
size = [int(n) for n in re.findall(r"^//\.ferry\.bc (\d+) [0-9a-f]+$", text, re.M)]
bitcode = base64.b64decode("".join(re.findall(r"^//\.ferry\.bc: (.*)$", text, re.M)))
if size != [len(bitcode)]:
    sys.exit(f"{len(bitcode)} bytes, expected one module of {size}")
sys.stdout.buffer.write(bitcode)
