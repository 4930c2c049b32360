; Rows that begin at offsets in memory may be anywhere, and then each thread
; would walk its own, with the shared memory taken in vain. Pointers in a table
; are taken to be equally far apart, and what all threads read is one number.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: sed 's/%first = load i64, ptr %where/%first = load i64, ptr %offsets/' %t.ll > %t.common.ll
; RUN: %opt -S -passes=ferry-stage %t.common.ll -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=KEPT
; RUN: sed -e 's/%first = load i64, ptr %where/%first = load ptr, ptr %where/' \
; RUN:   -e 's/getelementptr double, ptr %a, i64 %here/getelementptr double, ptr %first, i64 4/' -e '/%here =/d' %t.ll > %t.table.ll
; RUN: %opt -S -passes=ferry-stage %t.table.ll -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=KEPT

; CHECK: remark: {{.*}} not staged: the rows of neighbouring threads begin where numbers in memory say, and need not be equally far apart [scattered-row]
; KEPT: remark: {{.*}} staged 1 load

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %offsets, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %far = mul nuw nsw i64 %i, %m
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %where = getelementptr i64, ptr %offsets, i64 %i
  %first = load i64, ptr %where
  %here = add i64 %first, %far
  %row = getelementptr double, ptr %a, i64 %here
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %less = icmp ult i64 %j.next, %m
  br i1 %less, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
