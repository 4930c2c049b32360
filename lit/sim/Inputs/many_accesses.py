# Device code with as many stores as the argument says, in functions that are
# not too long.
import sys

number, each = int(sys.argv[1]), 1000
print('target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"')
print('target triple = "nvptx64-nvidia-cuda"')
kernels = range((number + each - 1) // each)
for kernel in kernels:
    print("define void @k%d(ptr addrspace(1) %%p) {" % kernel)
    for _ in range(min(each, number - kernel * each)):
        print("  store volatile i32 0, ptr addrspace(1) %p, align 4")
    print("  ret void\n}")
print("!nvvm.annotations = !{%s}" % ", ".join("!%d" % k for k in kernels))
for kernel in kernels:
    print('!%d = !{ptr @k%d, !"kernel", i32 1}' % (kernel, kernel))
