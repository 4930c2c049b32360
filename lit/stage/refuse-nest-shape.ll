; The nest writes before its innermost loop.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll | sed -e 's/^  %a.begin =/  store double 0.0, ptr %c\n&/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [nest-shape]
; CHECK-NOT: staged {{[0-9]}}
; PLAN:  left (nest-shape):  store double 0.000000e+00, ptr %c, align 8  ; a write before the innermost loop
