; A product of numbers of 64 bits, which a T4 has two units for: it waits for them
; however they get what they read. With 32 bits it does not.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll | sed 's/sm_90/sm_75/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: sed -e 's/fmuladd.f64/fmuladd.f32/g; s/double/float/g' %t.ll > %t.float.ll
; RUN: %opt -disable-output -passes=ferry-stage %t.float.ll -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=STAGED
; RUN: %opt -disable-output -passes=ferry-stage -ferry-stage=always %t.ll -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=STAGED

; CHECK-NOT: staged {{[0-9]}}
; CHECK: remark: {{.*}} not staged: {{.*}} [little-gain]
; CHECK-NOT: staged {{[0-9]}}
; STAGED: remark: {{.*}} staged 2 loads
