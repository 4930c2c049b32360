; All that the iteration reads is in one row.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll | sed -e 's/add i32 %i, [12]$/add i32 %i, 0/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [no-neighbours]
; CHECK-NOT: staged {{[0-9]}}
; PLAN:  left (no-neighbours):  %own = load double
