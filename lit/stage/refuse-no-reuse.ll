; Both operands of the nest depend on i alone.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll | sed -e 's/%b.at = add i64 %b.begin, %j/%b.at = add i64 %k, %i/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [no-reuse]
; CHECK-NOT: staged {{[0-9]}}
; PLAN:  left (no-reuse):  %va = load double, ptr %pa, align 8  ; no operand that the iterations of a column share
