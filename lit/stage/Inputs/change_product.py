"""Writes product.ll with one thing changed, in many ways, and prints them.

change_product.py product.ll folder
"""

import os
import sys

CHANGES = {
    # What is changed: a part of the code, and what takes its place.
    "schedule": (",ferry_free_schedule", ""),
    "length-of-walk": ("%k.next, %steps", "%k.next, %i"),
    "last-iteration": ("i64 %upper.far, i64 %last", "i64 %upper.far, i64 %total"),
    "length-of-chunk": ("i64 %begin, 127", "i64 %begin, 63"),
    "end-of-iterations": ("ugt i64 %index.next, %upper", "uge i64 %index.next, %upper"),
    "begin-of-iterations": ("ugt i64 %first, %upper", "ugt i64 %first, %last"),
    "thread-in-iteration": ("ptr %c, i64 %index", "ptr %c, i64 %thread"),
    "chunk-in-iteration": ("ptr %c, i64 %index", "ptr %c, i64 %upper"),
    "length-depends-on-block": ("%k.next, %steps", "%k.next, %block.wide"),
    "row-depends-on-column": ("%a.at = add i64 %a.begin", "%a.at = add i64 %index"),
    "column-depends-on-row": ("i64 %b.begin, %j", "i64 %b.begin, %index"),
    "rows-only": ("%b.at = add i64 %b.begin, %j", "%b.at = add i64 %k, %i"),
    "far-apart": ("%b.begin = mul i64 %k", "%b.begin = mul i64 %j"),
    "store-in-walk": ("  %k.next =", "  store double 0.0, ptr %c\n  %k.next ="),
    "barrier-in-walk": ("  %k.next =", "  call void @llvm.nvvm.barrier0()\n  %k.next ="),
    "store-before": ("  %a.begin =", "  store double 0.0, ptr %c\n  %a.begin ="),
    "barrier-after": ("  %index.next =", "  call void @llvm.nvvm.barrier0()\n  %index.next ="),
    "store-in-chunk": ("  %lower.next =", "  store double 0.0, ptr %c\n  %lower.next ="),
    "volatile": ("store double %sum.next", "store volatile double %sum.next"),
}

with open(sys.argv[1], encoding="utf-8") as file:
    product = file.read()
for name, (old, new) in CHANGES.items():
    if product.count(old) != 1:
        sys.exit(f"{name}: '{old}' is not in {sys.argv[1]}, or several times")
    with open(os.path.join(sys.argv[2], name + ".ll"), "w", encoding="utf-8") as file:
        file.write(product.replace(old, new))
    print(name)
