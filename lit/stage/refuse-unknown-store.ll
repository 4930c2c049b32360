; The loop writes where data tell it to.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK: remark: {{.*}} not staged: the loop writes where a check at run time cannot tell [unknown-store]
; PLAN:  left (unknown-store):  store double %v, ptr %target

; A stencil that writes before it reads.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll | sed -e 's/^  %above =/  store double 0.0, ptr %c\n&/' > %t.stencil.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.stencil.ll | FileCheck %s --check-prefix=STENCIL
; STENCIL-NOT: stencil in tiles
; STENCIL:     left (unknown-store):  %above = load double{{.*}}  ; the iteration writes before it reads this
; STENCIL:     left (unknown-store):  %below = load double

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
  %index = fptoui double %v to i64
  %target = getelementptr double, ptr %sums, i64 %index
  store double %v, ptr %target
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
