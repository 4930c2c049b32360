; A stencil that also sums up, over the iterations of a thread.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll | sed -e 's/^  %index = phi/  %all = phi double [ %all.next, %next ], [ 0.0, %distribute ]\n&/; s/^  %index.next =/  %all.next = fadd double %all, %own\n&/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [reduction]
; CHECK-NOT: staged {{[0-9]}}
; PLAN:  left (reduction):  %all = phi double [ %all.next, %next ], [ 0.000000e+00, %distribute ]  ; a value from iteration to iteration

; By a clause: said at the loads, of a stencil and of a nest, and of nothing else.
; RUN: sed -e 's/ferry_free_schedule/ferry_reduction/' %t.ll > %t.clause.ll
; RUN: %opt -S -passes=ferry-stage %t.clause.ll -o %t.clause.after.ll
; RUN: %opt -S -passes=verify %t.clause.ll | diff - %t.clause.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.clause.ll | FileCheck %s --check-prefix=STENCIL
; RUN: %opt -disable-output -passes='print<ferry-iteration-space>' %t.clause.ll 2>&1 | FileCheck %s --check-prefix=SPACE
; SPACE: none, a sum over a thread's iterations:  %index = phi
; STENCIL:      left (reduction):  %above = load double{{.*}}  ; each thread sums up over its iterations
; STENCIL-NEXT: left (reduction):  %own = load double
; STENCIL-NEXT: left (reduction):  %right = load double
; STENCIL-NEXT: left (reduction):  %below = load double
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll | sed -e 's/^  %index = phi/  %all = phi double [ %all.next, %after ], [ 0.0, %distribute ]\n&/; s/^  %index.next =/  %all.next = fadd double %all, %%sum.next\n&/; s/ferry_free_schedule/ferry_reduction/' > %t.product.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.product.ll | FileCheck %s --check-prefix=PRODUCT
; PRODUCT:      left (reduction):  %va = load double{{.*}}  ; each thread sums up over its iterations
; PRODUCT-NEXT: left (reduction):  %vb = load double
; What gains nothing by tiles is not said to.
; RUN: sed -e 's/%b.at = add i64 %b.begin, %j/%b.at = add i64 %k, %i/' %t.product.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=OTHER
; OTHER-NOT: (reduction)
; OTHER:     left (no-reuse)
