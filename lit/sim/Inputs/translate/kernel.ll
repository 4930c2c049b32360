; A kernel that calls a function from elsewhere.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @helper()

define void @kernel(ptr addrspace(1) %p) {
  %v = call i32 @helper()
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
