; An atomic update near the loop tells other threads something.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK: remark: {{.*}} not staged: threads may wait for each other around the loop, by a barrier or an atomic [synchronizes]
; So does one by whose result a thread waits, or that keeps it.
; RUN: sed 's/seq_cst/monotonic/' %t.ll > %t.update.ll
; RUN: sed 's/^  br label %exit/%is = fcmp oeq double %old, 1.0\n  br i1 %is, label %exit, label %end/' %t.update.ll > %t.waits.ll
; RUN: %opt -disable-output -passes=verify %t.waits.ll
; RUN: sed '/^entry:/{n;s/^/  %kept = alloca double\n/};s/^  br label %exit/store double %old, ptr %kept\n  br label %exit/' %t.update.ll > %t.kept.ll
; RUN: for how in waits kept; do %opt -disable-output -passes=ferry-stage %t.$how.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark || exit 1; done
; An update that nothing depends on is no obstacle, nor one that gives a place.
; RUN: %opt -S -passes=ferry-stage,verify %t.update.ll | FileCheck %s --check-prefix=STAGED
; RUN: sed 's/^  br label %exit/%at = fptoui double %old to i64\n  %where = getelementptr double, ptr %%sums, i64 %at\n  store double %old, ptr %where\n  br label %exit/' %t.update.ll > %t.place.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.place.ll | FileCheck %s --check-prefix=STAGED
; STAGED: @ferry.tile =

; PLAN:  left (synchronizes):  %old = atomicrmw fadd ptr %q, double %sum.next

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
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
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  %old = atomicrmw fadd ptr %q, double %sum.next seq_cst
  br label %exit
exit:
  ret void
}
