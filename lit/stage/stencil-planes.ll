; A stencil in three dimensions: a tile is one of a plane, of which the loads in
; several rows are staged; that of another plane is left where it is.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil-planes.ll > %t.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage=always %t.ll | FileCheck %s --check-prefix=PLAN
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.ll | FileCheck %s
; A second load of the other plane, in another row: another field.
; RUN: sed 's/  %%sum.1 = fadd/  %far.row = add i32 %below.begin, %before.begin\n  %far.at = add i32 %far.row, %j\n  %far.wide = sext i32 %far.at to i64\n  %far.left.p = getelementptr inbounds double, ptr %a, i64 %far.wide\n  %far.p = getelementptr i8, ptr %far.left.p, i64 8\n  %far = load double, ptr %far.p\n&/; s/%%sum.3, %before.value/%%sum.3, %far/' %t.ll > %t.two.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage=always %t.two.ll | FileCheck %s --check-prefix=TWO
; Rows that are not equally far apart in all planes.
; RUN: sed 's/%own.p.number, %distance/%own.p.number, %i/' %t.ll > %t.skew.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.skew.ll | FileCheck %s --check-prefix=LEFT
; Of the plane before, what another tile has copied would come from memory again.
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=MEMORY

; MEMORY:    left (little-gain):  %above
; PLAN:      stencil in tiles of up to 16 x 64 iterations, 9360 bytes
; PLAN-NEXT:   field: 4 loads, rows 0 to 2, columns 0 to 1
; PLAN-NOT:    field
; TWO:       stencil in tiles of up to 16 x 64 iterations
; TWO-NEXT:    field: 4 loads, rows 0 to 2, columns 0 to 1
; TWO-NEXT:    field: 2 loads, rows 0 to 2, columns 0 to 0
; LEFT-NOT:  ferry.tiles

; What is extended does not wrap in any plane: their number by their distance.
; CHECK:         %[[DISTANCE:.*]] = freeze i32 %distance
; CHECK:       before:
; CHECK:         sitofp i32 %[[DISTANCE]] to float
; CHECK:         fcmp olt float
; CHECK:         br i1 %{{.*}}, label %ferry.tiles, label %distribute
; CHECK:       ferry.iteration:
; CHECK:         load double, ptr addrspace(3) %
; CHECK:         load double, ptr addrspace(3) %
; CHECK:         load double, ptr addrspace(3) %
; CHECK:         load double, ptr addrspace(3) %
; CHECK:         load double, ptr %
; CHECK:         store double
