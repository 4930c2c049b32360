; The innermost loop has 63 iterations, and a tile 64 columns; of 64 it has enough.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil-planes.ll | sed -e 's/i64 %width\([,)]\)/i64 %w\1/; s/i64 \(.*\), %width/i64 \1, 63/; s/i64 %w,/i64 %width,/' > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: sed 's/, 63$/, 64/' %t.ll | %opt -S -passes=ferry-stage -ferry-stage=always | FileCheck %s --check-prefix=TILED

; CHECK: remark: {{.*}} not staged: the innermost loop has fewer iterations than a tile has columns [narrow-grid]
; PLAN:  left (narrow-grid):  %above = load double
; TILED: ferry.tiles
