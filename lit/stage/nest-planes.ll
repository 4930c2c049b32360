; Products of many matrices are taken in tiles where these are known to
; fill the smallest tiles of a block, which on a V100 are larger, but for a fifth;
; always, where that is asked for.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/batch.ll > %t.ll
; RUN: sed -e 's/%index, %area/%index, 3072/; s/%z, %area/%z, 3072/; s/%ij, %width/%ij, 48/; s/%i, %width/%i, 48/' %t.ll > %t.48.ll
; RUN: sed -e 's/3072/1152/; s/3072/1152/' %t.48.ll > %t.24.ll
; RUN: sed -e 's/3072/3136/; s/, 48/, 49/' %t.48.ll > %t.49.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.48.ll 2>&1 | FileCheck %s --check-prefix=TILED
; RUN: for f in %t.ll %t.24.ll %t.49.ll; do %opt -disable-output -passes='print<ferry-stage-plan>' $f 2>&1 | FileCheck %s --check-prefix=LEFT || exit 1; done
; RUN: sed 's/sm_90/sm_70/' %t.48.ll | %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 | FileCheck %s --check-prefix=LEFT
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage=always %t.ll 2>&1 | FileCheck %s --check-prefix=TILED
; TILED: nest in tiles of up to 32 x 16 iterations
; TILED: by row:  %va
; TILED: by column:  %vb
; LEFT: left (little-gain):  %va = load {{.*}}  ; planes that are not known to fill tiles

; Tiles are those of a plane, and it is asked whether the plane is as it was found.
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.ll | FileCheck %s
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK: icmp {{uge i64 %area, %width|ule i64 %width, %area}}
; CHECK: icmp ule i64 %area, %total
; CHECK: ferry.tile.number
