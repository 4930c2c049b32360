; What an iteration hands on to the next one through memory LLVM keeps in a
; register, in a version of the loop for which it asks whether another store
; changes it. Between tiles it does not ask: the loop's other row is left then.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.ll | FileCheck %s --check-prefix=STAGED
; Without another store, and with one that is known to be apart, it is staged.
; RUN: sed '/store double %v, ptr %other/d' %t.ll | %opt -S -passes=ferry-stage,verify | FileCheck %s --check-prefix=STAGED
; RUN: sed 's/^  %other = .*/  %other = getelementptr i8, ptr %at, i64 8000/' %t.ll | %opt -S -passes=ferry-stage,verify | FileCheck %s --check-prefix=STAGED

; CHECK: remark: {{.*}} not staged: an iteration writes what the next ones read [written-ahead]
; CHECK: remark: {{.*}} not staged: an iteration writes what the next ones read [written-ahead]
; STAGED: @ferry.tile =

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %b, ptr %c, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first
  %sums = getelementptr double, ptr %b, i64 %first
  %copies = getelementptr double, ptr %c, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %before = getelementptr double, ptr %sums, i64 %j
  %sum = load double, ptr %before
  %w = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %at = getelementptr double, ptr %sums, i64 %j.next
  store double %w, ptr %at
  %other = getelementptr double, ptr %copies, i64 %j
  store double %v, ptr %other
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
