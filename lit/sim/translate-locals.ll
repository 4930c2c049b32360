; Local variables of a word and more are aligned as one: whether an access of a
; word is misaligned must not depend on where this machine's stack has them.
;
; RUN: %files/sim/ferry-sim-translate --arch sm_90 --emit-llvm -o - %s | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define {{.*}}void @locals(
; CHECK-DAG: alloca { i32, float }, align 8
; CHECK-DAG: alloca i32, align 4
; CHECK-DAG: alloca [2 x i64], align 16
define void @locals(ptr addrspace(1) %p) {
  %record = alloca { i32, float }, align 4
  %small = alloca i32, align 4
  %wide = alloca [2 x i64], align 16
  call void @use(ptr %record, ptr %small, ptr %wide)
  ret void
}

define internal void @use(ptr %a, ptr %b, ptr %c) noinline {
  store volatile i64 1, ptr %a
  store volatile i32 1, ptr %b
  store volatile i64 1, ptr %c
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @locals, !"kernel", i32 1}
