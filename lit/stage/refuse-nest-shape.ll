; The nest writes before its innermost loop.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll | sed -e 's/^  %a.begin =/  store double 0.0, ptr %c\n&/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [nest-shape]
; CHECK-NOT: staged {{[0-9]}}
