; Rows of 8 elements are read on into those of other threads, or are short; rows of
; 32 are as long as a tile.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: sed 's/i64 %i, 8/i64 %i, 32/' %t.ll > %t.longer.ll
; RUN: %opt -S -passes=ferry-stage %t.longer.ll -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=KEPT

; CHECK: remark: {{.*}} not staged: the rows of neighbouring threads overlap, or are too short for copies to pay: 8 iterations at most, 15 needed [overlapping-row]
; KEPT: remark: {{.*}} staged 1 load

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, 8
  %row = getelementptr double, ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}

declare i64 @llvm.umin.i64(i64, i64)
