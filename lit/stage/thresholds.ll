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
; A launch has to gain 1.2 times; less or more asks for fewer or more iterations.
; RUN: %opt -S -passes=ferry-stage -ferry-stage-stencil-launch-gain=1 %t.stencil.ll | FileCheck %s --check-prefix=ANY
; RUN: %opt -S -passes=ferry-stage -ferry-stage-stencil-launch-gain=1.3 %t.stencil.ll | FileCheck %s --check-prefix=LARGE
; ANY:   icmp sgt i64 %total, 524287
; LARGE: icmp sgt i64 %total, 786431

; Where the stencil is guarded, a grid has more rows and columns.
; RUN: sed -e 's/^  br label %body/  %inside = icmp sgt i32 %i, 0\n  br i1 %inside, label %body, label %next/' %t.stencil.ll > %t.guarded.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.guarded.ll | FileCheck %s --check-prefix=GUARDED
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-stencil-guarded-rows=77 -ferry-stage-stencil-guarded-columns=99 %t.guarded.ll | FileCheck %s --check-prefix=FEWER
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-stencil-guarded-columns=1 %t.guarded.ll | FileCheck %s --check-prefix=TILE
; GUARDED: launched where {{.*}} and i64 argument 2 >= 256 and (i64 argument 2 * (i64 argument 1 + -128)) >= 0
; FEWER:   launched where {{.*}} and i64 argument 2 >= 99 and (i64 argument 2 * (i64 argument 1 + -77)) >= 0
; TILE:    launched where {{.*}} and i64 argument 2 >= 64 and

; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil-planes.ll | sed 's/%before.row = add i32 %above.begin/%before.row = add i32 %own.begin/; s/%before.left.p, i64 8/%before.left.p, i64 0/' > %t.walk.ll
; 1.87 times the time.
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-walk-gain=1.8 %t.walk.ll | FileCheck %s --check-prefix=WALK
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-walk-gain=1.9 %t.walk.ll | FileCheck %s --check-prefix=NOWALK
; WALK:   walk through planes
; NOWALK: left (little-gain):  %above = load double
; RUN: %opt -S -passes=ferry-stage -ferry-stage-walk-launch-gain=1 %t.walk.ll | FileCheck %s --check-prefix=WALKANY
; RUN: %opt -S -passes=ferry-stage -ferry-stage-walk-launch-gain=1.3 %t.walk.ll | FileCheck %s --check-prefix=WALKLARGE
; WALKANY:   select i1 %{{.*}}, i64 %{{.*}}, i64 1064960
; WALKLARGE: select i1 %{{.*}}, i64 %{{.*}}, i64 1523712
