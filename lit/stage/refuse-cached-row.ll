; The index of a row's largest element: what is there is read again in each step,
; through the first-level cache, of which tiles would take a part. Where the
; element's value is kept as well, the row is staged.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: sed 's/load double, ptr %again/fadd double %v, 0.0/' %t.ll > %t.kept.ll
; RUN: %opt -S -passes=ferry-stage %t.kept.ll -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=KEPT

; CHECK-DAG: remark: {{.*}} [not-affine]
; CHECK-DAG: remark: {{.*}} not staged: where the loop reads depends on what it has read, so it needs the first-level cache [cached-row]
; KEPT: remark: {{.*}} staged 1 load

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %indices, i64 %n, i64 %m) #0 {
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
  %most = phi i64 [ 0, %begin ], [ %most.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %again = getelementptr double, ptr %row, i64 %most
  %w = load double, ptr %again
  %more = fcmp ogt double %v, %w
  %most.next = select i1 %more, i64 %j, i64 %most
  %j.next = add nuw nsw i64 %j, 1
  %less = icmp ult i64 %j.next, %m
  br i1 %less, label %loop, label %end
end:
  %q = getelementptr i64, ptr %indices, i64 %i
  store i64 %most.next, ptr %q
  br label %exit
exit:
  ret void
}
