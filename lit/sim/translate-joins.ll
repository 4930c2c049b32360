; Lanes that a branch sends apart meet at its immediate post-dominator.
;
; RUN: %files/sim/ferry-sim-translate --arch sm_90 --emit-llvm -o - %s | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.activemask()

; CHECK-LABEL: define {{.*}}void @divergent(
; CHECK-NOT: ferry_sim_join
; CHECK: zext i1 %c to i64
; CHECK-NOT: ferry_sim_join
; CHECK: {{^}}then:
; CHECK-NOT: ferry_sim_join
; CHECK: {{^}}end:
; CHECK: call void @ferry_sim_join(i32 2)
; CHECK: store i32 5
; CHECK-NOT: ferry_sim_join
; CHECK: ret void
define void @divergent(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, 7
  br i1 %c, label %then, label %end
then:
  store i32 3, ptr addrspace(1) %p, align 4
  br label %end
end:
  store i32 5, ptr addrspace(1) %p, align 4
  ret void
}

; All lanes of a warp agree on what depends on the block or the arguments.
; CHECK-LABEL: define {{.*}}void @uniform(
; CHECK-NOT: ferry_sim_join
; CHECK-NOT: zext i1
; CHECK: ret void
define void @uniform(ptr addrspace(1) %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp slt i32 %b, %n
  br i1 %c, label %then, label %end
then:
  store i32 3, ptr addrspace(1) %p, align 4
  br label %end
end:
  store i32 5, ptr addrspace(1) %p, align 4
  ret void
}

; A function's arguments can differ, a kernel's cannot.
; CHECK-LABEL: define internal void @function(
; CHECK: {{^}}end:
; CHECK: call void @ferry_sim_join(
; CHECK: ret void
define void @function(ptr addrspace(1) %p, i32 %n) noinline {
entry:
  %c = icmp slt i32 %n, 7
  br i1 %c, label %then, label %end
then:
  store i32 3, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}
define void @caller(ptr addrspace(1) %p, i32 %n) {
  call void @function(ptr addrspace(1) %p, i32 %n)
  ret void
}

; A generic pointer may lead to memory of the lane's own, a global one does not.
; CHECK-LABEL: define {{.*}}void @loads(
; CHECK-NOT: zext i1 %alike
; CHECK: zext i1 %differ to i64
; CHECK: ret void
define void @loads(ptr addrspace(1) %p, ptr addrspace(1) %pp) {
entry:
  %g = load ptr, ptr addrspace(1) %pp, align 8
  %a = load i32, ptr addrspace(1) %p, align 4
  %alike = icmp slt i32 %a, 7
  br i1 %alike, label %first, label %next
first:
  store i32 3, ptr addrspace(1) %p, align 4
  br label %next
next:
  %b = load i32, ptr %g, align 4
  %differ = icmp slt i32 %b, 7
  br i1 %differ, label %second, label %end
second:
  store i32 4, ptr addrspace(1) %p, align 4
  br label %end
end:
  store i32 5, ptr addrspace(1) %p, align 4
  ret void
}

; Each lane's variables have addresses of their own.
; CHECK-LABEL: define {{.*}}void @variables(
; CHECK: zext i1 %differ to i64
; CHECK: ret void
define void @variables(ptr addrspace(1) %p) {
entry:
  %v = alloca i32, align 4
  %a = ptrtoint ptr %v to i64
  %differ = icmp slt i64 %a, 4096
  br i1 %differ, label %then, label %end
then:
  store i32 3, ptr addrspace(1) %p, align 4
  br label %end
end:
  store i32 5, ptr addrspace(1) %p, align 4
  ret void
}

; Nothing is left to do together at a kernel's end.
; CHECK-LABEL: define {{.*}}void @at_end(
; CHECK: zext i1 %c to i64
; CHECK-NOT: ferry_sim_join
; CHECK: ret void
define void @at_end(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, 7
  br i1 %c, label %then, label %end
then:
  store i32 3, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

; A loop that each lane leaves at its own time, and a branch in it: the inner
; meeting point comes first.
; CHECK-LABEL: define {{.*}}void @loop(
; CHECK: {{^}}head:
; CHECK-NOT: ferry_sim_join
; CHECK: {{^}}latch:
; CHECK: call void @ferry_sim_join(i32 [[#INNER:]])
; CHECK: {{^}}end:
; CHECK: call void @ferry_sim_join(i32 [[#INNER+1]])
; CHECK: ret void
define void @loop(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %odd = trunc i32 %t to i1
  br i1 %odd, label %then, label %latch
then:
  store i32 3, ptr addrspace(1) %q, align 4
  br label %latch
latch:
  store i32 4, ptr addrspace(1) %p, align 4
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, %t
  br i1 %c, label %head, label %end
end:
  store i32 5, ptr addrspace(1) %p, align 4
  ret void
}

; Nothing between the branch and its post-dominator is counted.
; CHECK-LABEL: define {{.*}}void @silent(
; CHECK-NOT: ferry_sim_join
; CHECK: ret void
define void @silent(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, 7
  br i1 %c, label %then, label %end
then:
  %u = mul i32 %t, %t
  br label %end
end:
  %v = phi i32 [ %t, %entry ], [ %u, %then ]
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}

; Which lanes are active is asked where they have met.
; CHECK-LABEL: define {{.*}}void @asks(
; CHECK: call void @ferry_sim_join(
; CHECK: call i32 @ferry_sim_llvm_nvvm_activemask()
; CHECK: ret void
define void @asks(ptr addrspace(1) %p) {
  %m = call i32 @llvm.nvvm.activemask()
  store i32 %m, ptr addrspace(1) %p, align 4
  ret void
}

; Paths with ends of their own never meet.
; CHECK-LABEL: define internal void @two_ends(
; CHECK-NOT: ferry_sim_join
; CHECK: {{^}}declare
define void @two_ends(ptr addrspace(1) %p, i32 %n) noinline {
entry:
  %c = icmp slt i32 %n, 7
  br i1 %c, label %a, label %b
a:
  store i32 3, ptr addrspace(1) %p, align 4
  ret void
b:
  store i32 5, ptr addrspace(1) %p, align 4
  ret void
}
define void @caller_of_two_ends(ptr addrspace(1) %p, i32 %n) {
  call void @two_ends(ptr addrspace(1) %p, i32 %n)
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9}
!0 = !{ptr @divergent, !"kernel", i32 1}
!1 = !{ptr @uniform, !"kernel", i32 1}
!2 = !{ptr @caller, !"kernel", i32 1}
!3 = !{ptr @at_end, !"kernel", i32 1}
!4 = !{ptr @loop, !"kernel", i32 1}
!5 = !{ptr @silent, !"kernel", i32 1}
!6 = !{ptr @asks, !"kernel", i32 1}
!7 = !{ptr @caller_of_two_ends, !"kernel", i32 1}
!8 = !{ptr @loads, !"kernel", i32 1}
!9 = !{ptr @variables, !"kernel", i32 1}
