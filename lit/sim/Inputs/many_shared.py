# Device code with as many functions as the argument says that each have 64 KiB
# of shared memory of their own, and one kernel that calls them all.
import sys

number = int(sys.argv[1])
print('target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"')
print('target triple = "nvptx64-nvidia-cuda"')
for f in range(number):
    print("@s%d = internal addrspace(3) global [65536 x i8] undef" % f)
    print("define void @f%d() noinline {" % f)
    print("  store volatile i8 0, ptr addrspace(3) @s%d\n  ret void\n}" % f)
print("define void @kernel() {")
for f in range(number):
    print("  call void @f%d()" % f)
print("  ret void\n}")
print('!nvvm.annotations = !{!0}\n!0 = !{ptr @kernel, !"kernel", i32 1}')
