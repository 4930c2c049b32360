; The iterations in two dimensions that nests and stencils are looked for in, or
; what is in the way.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll > %t.ll
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll > %t.stencil.ll
; RUN: %opt -disable-output -passes='print<ferry-iteration-space>' %t.ll | FileCheck %s --check-prefixes=SPACE,PRODUCT
; RUN: %opt -disable-output -passes='print<ferry-iteration-space>' %t.stencil.ll | FileCheck %s --check-prefixes=SPACE,STENCIL
; SPACE:        Iteration space of kernel '__omp_offloading_1_2_k_l3':
; SPACE-NEXT:     chunks: the loop at %distribute, iterations of the thread: that at %iteration
; SPACE-NEXT:     iterations of a chunk: i64 128
; SPACE-NEXT:     all iterations: i64 %total
; SPACE-NEXT:     index: i64 %index
; SPACE-NEXT:     width: i64 %width
; SPACE-NEXT:     height: i64 %rows
; PRODUCT-NEXT:   i: i64 %i
; PRODUCT-NEXT:   j: i64 %j
; STENCIL-NEXT:   i: i64 %i.wide
; STENCIL-NEXT:   j: i64 %j.wide
; SPACE-NOT:      {{.}}

; A power of two, by shifts; another factor; a condition.
; RUN: sed -e 's/udiv i64 %index, %width/lshr i64 %index, 6/; s/%j = sub i64 %index, %i.begin/%j = and i64 %index, 63/' %t.ll | \
; RUN:   %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=POWER
; POWER:          width: i64 64
; POWER-NEXT:     i: i64 %i
; POWER-NEXT:     j: i64 %j
; RUN: sed -e 's/\(%i.begin = mul i64 %i, %\)width/\1rows/; s/^before:/&\n  %any = icmp eq i64 %rows, 0/; s/br i1 %none,/%never = or i1 %any, %none\n  br i1 %never,/' %t.ll | \
; RUN:   %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=OTHER
; OTHER:          width: i64 %width
; OTHER-NEXT:     the width in 64 bits: i64 %rows
; OTHER:          j: i64 %j
; OTHER-NEXT:     unless: i1 %any

; RUN: sed 's/,ferry_free_schedule//' %t.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=FIXED
; FIXED:          which thread does which iteration is fixed
; FIXED-NEXT:     chunks

; RUN: sed 's/udiv i64 %index, %width/add i64 %index, %width/' %t.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=LINE
; LINE:           none, an index that is not divided by a width:  %index = phi
; RUN: sed 's/\(%lower, %\)thread/\1stride/' %t.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=THREAD
; THREAD:         none, an index that does not begin with the thread's number:  %index = phi
; RUN: sed 's/^latch:/&\n  store double 0.0, ptr %c/' %t.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=EFFECT
; EFFECT:         none, an effect between the iterations:  store double
; RUN: sed 's/\(%lower.next, %\)total/\1thread/' %t.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=TOTAL
; TOTAL:          none, a number of iterations that blocks may differ in:  br i1 %more
; RUN: cat %S/Inputs/nvptx.ll %S/rows.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=ROWS
; ROWS:           none, no loop in another
