; The tiles of a product by the price: 4 x 8 elements for a thread where so many
; instructions limit, which the units for numbers of 64 bits do on an H100 only;
; of fewer steps, and for smaller blocks, where shared memory is short.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll > %t.ll
; RUN: sed -e 's/fmuladd.f64/fmuladd.f32/g; s/double/float/g' %t.ll > %t.float.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefixes=ALL,H100
; RUN: sed 's/sm_90/sm_80/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 | FileCheck %s --check-prefixes=ALL,A100
; RUN: sed 's/sm_90/sm_70/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 | FileCheck %s --check-prefixes=ALL,V100

; For a GPU of another kind, if it runs this code; else for the one of the
; architecture.
; RUN: sed 's/"fp64_lanes": 64/"fp64_lanes": 32/' %source/tools/sim/gpu/h100.json > %t.json
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-gpu=%t.json %t.ll 2>&1 | FileCheck %s --check-prefixes=ALL,A100
; RUN: for gpu in h100 h200 a100; do \
; RUN:   %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-gpu=$gpu %t.ll 2>&1 | FileCheck %s --check-prefixes=ALL,H100 || exit 1; done

; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.float.ll 2>&1 | FileCheck %s --check-prefixes=FLOAT
; RUN: sed 's/"128"/"1024"/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 | FileCheck %s --check-prefixes=BLOCK
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-max-bytes=20000 %t.ll 2>&1 | FileCheck %s --check-prefixes=LESS
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-max-bytes=2000 %t.ll 2>&1 | FileCheck %s --check-prefixes=LEAST

; H100:      nest in tiles of up to 64 x 64 iterations, 4 x 8 a thread, 16 steps at a time, 33280 bytes; limited by fp64
; H100-NEXT: nest in tiles of up to 64 x 32 iterations, 4 x 4 a thread, 16 steps at a time, 25088 bytes; limited by shared
; H100-NEXT: nest in tiles of up to 32 x 16 iterations, 2 x 2 a thread, 16 steps at a time, 12800 bytes; limited by shared
; A100-NOT:  4 x 8
; A100:      nest in tiles of up to 64 x 32 iterations, 4 x 4 a thread, 16 steps at a time, 25088 bytes; limited by fp64
; A100-NEXT: nest in tiles of up to 32 x 16 iterations, 2 x 2 a thread
; V100-NOT:  4 x 8
; V100:      nest in tiles of up to 64 x 32 iterations, 4 x 4 a thread, 16 steps at a time, 12544 bytes; limited by fp64
; FLOAT:      nest in tiles of up to 64 x 64 iterations, 4 x 8 a thread, 16 steps at a time, 16896 bytes
; FLOAT-NEXT: nest in tiles of up to 64 x 32 iterations, 4 x 4 a thread, 16 steps at a time, 12800 bytes
; FLOAT-NEXT: nest in tiles of up to 32 x 32 iterations, 2 x 4 a thread
; ALL-NEXT:  by row:  %va = load double
; ALL-NEXT:  by column:  %vb = load double
; H100-NEXT: predicted for NVIDIA H{{.*}}: 3.7 clocks (l1), staged 0.50 (fp64)
; A100-NEXT: predicted for {{.*}}: 3.7 clocks (l1), staged 1.0 (fp64)
; V100-NEXT: predicted for {{.*}}: 4.0 clocks (l2), staged 1.0 (fp64)
; BLOCK:      nest in tiles of up to 128 x 32 iterations, 4 x 4 a thread
; LESS:       8 steps at a time
; LEAST:      nest in tiles of up to 16 x 32 iterations, 4 x 4 a thread, 4 steps at a time, 1600 bytes
