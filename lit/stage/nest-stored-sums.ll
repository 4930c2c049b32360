; A product whose sums are kept in memory: what each step writes is written once,
; behind all steps, and what is written before them not at all.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll > %t.sum.ll
; RUN: sed -e 's/^  %a.begin =/  %element = getelementptr inbounds double, ptr %c, i64 %index\n  store double 0.0, ptr %element\n&/' \
; RUN:   -e 's/^  %k.next =/  store double %%sum.next, ptr %element\n&/' \
; RUN:   -e '/^  .pc =/d' -e '/^  store double %%sum.next, ptr .pc/d' %t.sum.ll > %t.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.ll | FileCheck %s
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll | FileCheck %s --check-prefix=PLAN
; PLAN:      nest in tiles of up to
; PLAN:      by row:  %va = load double
; PLAN-NEXT: by column:  %vb = load double
; PLAN-NEXT: kept in memory:  store double %sum.next, ptr %element

; The loop as it was is the other version.
; CHECK:     iteration:
; CHECK:       store double 0.000000e+00, ptr %element
; CHECK:     walk:
; CHECK:       store double %sum.next, ptr %element
; CHECK:     ferry.tiles:
; CHECK-NOT: store double
; CHECK:     ferry.finish.one:
; CHECK-NOT: store double 0.0
; CHECK:       store double %{{.*}}, ptr %{{.*}}
; CHECK-NOT: store double
; CHECK:     ferry.finished:

; Or the sum is written behind the loop, where what was written before is not read
; first.
; RUN: sed -e '/^  store double %%sum.next, ptr %element/d' -e 's/^  %index.next =/  store double %%sum.next, ptr %element\n&/' %t.ll > %t.behind.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.behind.ll | FileCheck %s --check-prefix=BEHIND
; BEHIND:      nest in tiles of up to
; BEHIND-NOT:  kept in memory
; RUN: sed -e 's/^  store double %%sum.next, ptr %element/  %old = load double, ptr %element\n  store double %old, ptr %b\n&/' %t.behind.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=BEFORE

; What is written before is more than the steps write, or elsewhere; or is read.
; RUN: sed -e 's/store double 0.0, ptr %element/store i128 0, ptr %element/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=BEFORE
; RUN: sed -e 's/store double 0.0, ptr %element/store double 0.0, ptr %c/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=BEFORE
; BEFORE: left (nest-shape):  store {{.*}} ; a write before the innermost loop
; RUN: sed -e 's/^  store double 0.0, ptr %element/&\n  %read = load double, ptr %a/' -e 's/%%sum = phi double . 0.0/%%sum = phi double [ %read/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=READ
; READ: left (nest-shape):  %read = load double, ptr %a{{.*}} ; a read behind a write before the innermost loop

; A place for each step, or a volatile one.
; RUN: sed -e 's/store double %%sum.next, ptr %element/store double %%sum.next, ptr %%pa/' -e '/store double 0.0/d' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=STEP
; STEP: left (no-reuse):  store {{.*}} ; an access to memory that is no load
; RUN: sed -e 's/store double %%sum.next, ptr %element/store volatile double %%sum.next, ptr %element/' -e '/store double 0.0/d' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=VOLATILE
; VOLATILE: left (nest-shape):  store volatile {{.*}} ; nothing that each iteration may do by itself
