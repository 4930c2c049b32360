; Both operands of the nest depend on i alone.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll | sed -e 's/%b.at = add i64 %b.begin, %j/%b.at = add i64 %k, %i/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [no-reuse]
; CHECK-NOT: staged {{[0-9]}}
