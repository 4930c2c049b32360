; Running sums: each step adds to the element behind the one that it reads. What
; an iteration has read already it may write (aliasing.cpp).
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll

; CHECK: remark: {{.*}} not staged: an iteration writes what the next ones read [written-ahead]

define void @__omp_offloading_1_2_k_l3(ptr %a, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %w = fadd double %v, 1.0
  %j.next = add nuw nsw i64 %j, 1
  %q = getelementptr double, ptr %row, i64 %j.next
  store double %w, ptr %q
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
