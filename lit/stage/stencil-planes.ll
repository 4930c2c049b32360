; A stencil in three dimensions: a tile is one of a plane, of which the loads in
; several rows are staged; that of another plane is left where it is.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil-planes.ll > %t.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage=always %t.ll | FileCheck %s --check-prefix=PLAN
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.ll | FileCheck %s
; A second load of the other plane, in another row: another field.
; RUN: sed 's/  %%sum.1 = fadd/  %far.row = add i32 %below.begin, %before.begin\n  %far.at = add i32 %far.row, %j\n  %far.wide = sext i32 %far.at to i64\n  %far.p = getelementptr inbounds double, ptr %a, i64 %far.wide\n  %far = load double, ptr %far.p\n&/; s/%%sum.3, %before.value/%%sum.3, %far/' %t.ll > %t.two.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage=always %t.two.ll | FileCheck %s --check-prefix=TWO
; Rows that are not equally far apart in all planes.
; RUN: sed 's/%own.p.number, %distance/%own.p.number, %i/' %t.ll > %t.skew.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.skew.ll | FileCheck %s --check-prefix=LEFT
; An iteration waits for the element of the other plane, longer on an H100 than
; tiles of floats save; doubles gain nothing anywhere.
; RUN: sed 's/double/float/; s/align 8/align 4/' %t.ll > %t.float.ll
; RUN: sed 's/sm_90/sm_80/' %t.float.ll | %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 | FileCheck %s --check-prefix=FLOAT
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.float.ll 2>&1 | FileCheck %s --check-prefix=WAITS
; What one plane has read comes from memory again for the next if planes are too
; large for the second level, and of tiles' borders more.
; RUN: sed 's/sm_90/sm_70/; s/, %%size$/, 2000000/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 | FileCheck %s --check-prefix=WAITS

; WAITS:     left (little-gain):  %above
; FLOAT:     stencil in tiles of up to 16 x 64 iterations, 4752 bytes
; PLAN:      stencil in tiles of up to 16 x 64 iterations, 9360 bytes
; PLAN-NEXT:   field: 4 loads, rows 0 to 2, columns 0 to 1
; PLAN-NOT:    field
; TWO:       stencil in tiles of up to 16 x 64 iterations
; TWO-NEXT:    field: 4 loads, rows 0 to 2, columns 0 to 1
; TWO-NEXT:    field: 2 loads, rows 0 to 1, columns 0 to 0
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
