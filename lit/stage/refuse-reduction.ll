; A stencil that also sums up, over the iterations of a thread.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll | sed -e 's/^  %index = phi/  %all = phi double [ %all.next, %next ], [ 0.0, %distribute ]\n&/; s/^  %index.next =/  %all.next = fadd double %all, %own\n&/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [reduction]
; CHECK-NOT: staged {{[0-9]}}
; PLAN:  left (reduction):  %all = phi double [ %all.next, %next ], [ 0.000000e+00, %distribute ]  ; a value from iteration to iteration
