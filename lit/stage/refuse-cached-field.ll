; A loop over records that reads one of their fields only in a branch: that reads the
; sectors anyway.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
;
; CHECK: remark: {{.*}} not staged: it is not read in every iteration [conditional]
; CHECK: remark: {{.*}} not staged: the first-level cache keeps what the loads of a record share [cached-record]
;
; A field in another sector is none of them.
; RUN: sed "s/record, i64 8/record, i64 64/" %t.ll | %opt -disable-output -passes=ferry-stage -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=FAR
; FAR: remark: {{.*}} staged 1 load

define void @__omp_offloading_1_2_k_l3(ptr noalias %a, ptr noalias %b, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr [16 x i8], ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %again ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %again ]
  %record = getelementptr [16 x i8], ptr %row, i64 %j
  %x = load double, ptr %record, align 8
  %some = fcmp ogt double %x, 0.0
  br i1 %some, label %then, label %again
then:
  %py = getelementptr i8, ptr %record, i64 8
  %y = load double, ptr %py, align 8
  br label %again
again:
  %add = phi double [ 1.0, %loop ], [ %y, %then ]
  %sum.next = fadd double %sum, %add
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %exit
exit:
  %out = getelementptr double, ptr %b, i64 %i
  store double %sum.next, ptr %out
  ret void
}
