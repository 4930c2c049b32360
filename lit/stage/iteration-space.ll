; The iterations in two or three dimensions that nests and stencils are looked for in, or
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

; Planes: by products, remainders and powers of two, and what may be a factor but
; for bits that are not used.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/batch.ll > %t.batch.ll
; RUN: %opt -disable-output -passes='print<ferry-iteration-space>' %t.batch.ll | FileCheck %s --check-prefix=PLANES
; RUN: sed -e 's/%ij = sub i64 %index, %z.begin/%ij = urem i64 %index, %area/; s/%j = sub i64 %ij, %i.begin/%j = urem i64 %index, %width/' %t.batch.ll | \
; RUN:   %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=PLANES
; RUN: sed -e 's/\(%i.begin = mul i64 %i, %\)width/\1steps/; s/\(%z.begin = mul i64 %z, %\)area/\1rows/; s/%b.at = add i64 %b.begin, %j/%low = shl i64 %j, 32\n  %b.at = ashr i64 %low, 32/' %t.batch.ll | \
; RUN:   %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefixes=PLANES,FACTORS
; PLANES:         index: i64 %index
; PLANES-NEXT:    iterations of a plane: i64 %area
; FACTORS-NEXT:   a plane in 64 bits: i64 %rows
; PLANES-NEXT:    width: i64 %width
; FACTORS-NEXT:   the width in 32 bits: i64 %steps
; PLANES-NEXT:    height: i64 %rows
; PLANES-NEXT:    p: i64 %z
; PLANES-NEXT:    in the plane: i64 %ij
; PLANES-NEXT:    i: i64 %i
; PLANES-NEXT:    j: i64 %j
; PLANES-NOT:     {{.}}
; The rows of all planes, and what is left of their number by the rows of one.
; RUN: sed -e 's/%ij = sub i64 %index, %z.begin/%row = udiv i64 %index, %width/; s/%i = udiv i64 %ij, %width/%i = urem i64 %row, %rows/; s/%j = sub i64 %ij, %i.begin/%j = urem i64 %index, %width/' %t.batch.ll > %t.flat.ll
; RUN: %opt -disable-output -passes='print<ferry-iteration-space>' %t.flat.ll | FileCheck %s --check-prefix=ALLROWS
; ALLROWS:        iterations of a plane: i64 %area
; ALLROWS-NEXT:   width: i64 %width
; ALLROWS-NEXT:   the height in 64 bits: i64 %rows
; ALLROWS-NEXT:   height: i64 %rows
; ALLROWS-NEXT:   p: i64 %z
; ALLROWS-NEXT:   i: i64 %i
; ALLROWS-NEXT:   j: i64 %j
; ALLROWS-NOT:    {{.}}
; RUN: sed -e 's/udiv i64 %index, %area/lshr i64 %index, 12/; s/%ij = sub i64 %index, %z.begin/%ij = and i64 %index, 4095/; s/udiv i64 %ij, %width/lshr i64 %ij, 6/; s/%i.begin = mul i64 %i, %width/%i.begin = and i64 %index, 4032/' %t.batch.ll > %t.powers.ll
; RUN: %opt -disable-output -passes='print<ferry-iteration-space>' %t.powers.ll | FileCheck %s --check-prefix=POWERS
; RUN: sed -e 's/%i.begin = and i64 %index, 4032/%i.begin = shl i64 %i, 6/' %t.powers.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=POWERS
; RUN: sed -e 's/%index, %area/%index, 4096/; s/%z, %area/%z, -4096/; s/%ij = sub/%ij = add/; s/%ij, %width/%ij, 64/; s/%i, %width/%i, 4294967232/; s/%j = sub/%j = add/; s/%b.at = add i64 %b.begin, %j/%low = shl i64 %j, 32\n  %b.at = ashr i64 %low, 32/' %t.batch.ll | \
; RUN:   %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=POWERS
; POWERS:         iterations of a plane: i64 4096
; POWERS-NEXT:    width: i64 64
; POWERS-NEXT:    p: i64 %z
; POWERS-NEXT:    in the plane: i64 %ij
; POWERS-NEXT:    i: i64 %i
; POWERS-NEXT:    j: i64 %j

; What is left is no j for: another mask, another factor whose bits are used, a
; width that does not divide the plane, or is less than that of tiles. Then a
; plane is a row.
; RUN: sed -e 's/4032/4064/' %t.powers.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=NOPLANES
; RUN: sed -e 's/lshr i64 %ij, 6/lshr i64 %ij, 3/; s/4032/4088/' %t.powers.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=NOPLANES
; RUN: sed -e 's/lshr i64 %ij, 6/udiv i64 %ij, 65/; s/%i.begin = and i64 %index, 4032/%i.begin = mul i64 %i, 65/' %t.powers.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=NOPLANES
; RUN: sed -e 's/%index, %area/%index, 4096/; s/%z, %area/%z, -4096/; s/%ij = sub/%ij = add/; s/%ij, %width/%ij, 64/; s/%i, %width/%i, 4294967232/; s/%j = sub/%j = add/' %t.batch.ll | %opt -disable-output -passes='print<ferry-iteration-space>' | FileCheck %s --check-prefix=NOPLANES
; NOPLANES:       width: i64 4096
; NOPLANES-NEXT:  i: i64 %z
; NOPLANES-NEXT:  j: i64 %ij
; NOPLANES-NOT:   {{.}}

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
