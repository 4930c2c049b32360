; Three fields of a record in a straight line.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll

; CHECK: remark: {{.*}} not staged: the first-level cache keeps what the loads of a record share [cached-record]

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %y, i64 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %body, label %exit
body:
  %r = getelementptr [5 x double], ptr %a, i64 %i
  %v0 = load double, ptr %r
  %p1 = getelementptr double, ptr %r, i64 1
  %v1 = load double, ptr %p1
  %s1 = fadd double %v0, %v1
  %p4 = getelementptr double, ptr %r, i64 4
  %v4 = load double, ptr %p4
  %s4 = fadd double %s1, %v4
  %q = getelementptr double, ptr %y, i64 %i
  store double %s4, ptr %q
  br label %exit
exit:
  ret void
}
