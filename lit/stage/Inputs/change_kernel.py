"""Writes a kernel with one thing changed, in many ways, and prints them.

change_kernel.py product|stencil|load kernel.ll folder
"""

import os
import sys

# What is changed: a part of the code, and what takes its place.
PRODUCT = {
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
STENCIL = {
    "schedule": (",ferry_free_schedule", ""),
    "no-rows": ("%i = trunc i64 %i.wide", "%i = trunc i64 %rows"),
    "no-columns": ("%j = trunc i64 %j.wide", "%j = trunc i64 %rows"),
    "columns-far-apart": ("%j = trunc i64 %j.wide to i32", "%j.near = trunc i64 %j.wide to i32\n  %j = mul i32 %j.near, 2"),
    "store-before": ("body:\n", "body:\n  store double 0.0, ptr %c\n"),
    "store-above": ("  br label %body\n", "  store double 0.0, ptr %c\n  br label %body\n"),
    "barrier": ("  %index.next =", "  call void @llvm.nvvm.barrier0()\n  %index.next ="),
    "guard-from-memory": ("  br label %body\n", "  %f = load i1, ptr %c\n  br i1 %f, label %body, label %next\n"),
    "guard-may-trap": ("  br label %body\n", "  %q = udiv i32 %pitch, %j\n  %f = icmp eq i32 %q, 3\n  br i1 %f, label %body, label %next\n"),
    "thread-in-iteration": ("ptr %c, i64 %index", "ptr %c, i64 %thread"),
    "volatile": ("%below = load double", "%below = load volatile double"),
}
# One of the four loads is left.
LOAD = {
    "row-squared": ("mul i32 %i, %pitch", "mul i32 %i, %i"),
    "other-row-step": ("mul i32 %i, %pitch", "mul i32 %i, 100"),
    "other-array": ("%below.p = getelementptr inbounds double, ptr %a", "%below.p = getelementptr inbounds double, ptr %c"),
    "half-an-element": ("i8, ptr %own.p, i64 8", "i8, ptr %own.p, i64 4"),
    "far-row": ("%below.i = add i32 %i, 2", "%below.i = add i32 %i, 10"),
    "far-column": ("i8, ptr %own.p, i64 8", "i8, ptr %own.p, i64 80"),
    "other-type": ("%below = load double, ptr %below.p", "%below.f = load float, ptr %below.p\n  %below = fpext float %below.f to double"),
    "store-before": ("  %below = load", "  store double 0.0, ptr %c\n  %below = load"),
}

with open(sys.argv[2], encoding="utf-8") as file:
    kernel = file.read()
for name, (old, new) in {"product": PRODUCT, "stencil": STENCIL, "load": LOAD}[sys.argv[1]].items():
    if kernel.count(old) != 1:
        sys.exit(f"{name}: '{old}' is not in {sys.argv[2]}, or several times")
    with open(os.path.join(sys.argv[3], name + ".ll"), "w", encoding="utf-8") as file:
        file.write(kernel.replace(old, new))
    print(name)
