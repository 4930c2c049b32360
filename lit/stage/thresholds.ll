; The hidden options for what has to be gained.
; RUN: cat %S/Inputs/nvptx.ll %S/rows.ll > %t.rows.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-row-gain=3.9 %t.rows.ll | FileCheck %s --check-prefix=STAGED
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-row-gain=4.1 %t.rows.ll | FileCheck %s --check-prefix=ROW
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-max-places=0 %t.rows.ll | FileCheck %s --check-prefix=PLACES
; STAGED: sectors for an iteration of a warp: 32.0, staged 8.0
; ROW:    left (long-step):  %v = load double
; PLACES: left (too-many):  br i1 %more

; A tile that holds all of a row.
; RUN: cat %S/Inputs/nvptx.ll %S/whole-rows.ll | sed 's/%j.next, %m$/%j.next, 16/' > %t.whole.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-max-whole-iterations=16 %t.whole.ll | FileCheck %s --check-prefix=WHOLE
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-max-whole-iterations=15 %t.whole.ll | FileCheck %s --check-prefix=LONG
; WHOLE-NOT: left (
; LONG:      left (no-budget):  br i1 %more, {{.*}} may have 15 iterations

; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll > %t.nest.ll
; 7.4 times the time.
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-nest-gain=7 %t.nest.ll | FileCheck %s --check-prefix=PANELS
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-nest-gain=8 %t.nest.ll | FileCheck %s --check-prefix=NEST
; PANELS: nest in tiles
; NEST:   left (little-gain):  %va = load double

; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll > %t.stencil.ll
; 1.44 times the time.
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-stencil-gain=1.4 %t.stencil.ll | FileCheck %s --check-prefix=TILES
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-stencil-gain=1.45 %t.stencil.ll | FileCheck %s --check-prefix=STENCIL
; TILES:   stencil in tiles
; STENCIL: left (little-gain):  %above = load double
; RUN: %opt -S -passes=ferry-stage %t.stencil.ll | FileCheck %s --check-prefixes=DEFAULT
; RUN: %opt -S -passes=ferry-stage -ferry-stage-stencil-iterations=777 %t.stencil.ll | FileCheck %s --check-prefix=ITERATIONS
; DEFAULT:    icmp sgt i64 %total, 655359
; ITERATIONS: icmp sgt i64 %total, 776
