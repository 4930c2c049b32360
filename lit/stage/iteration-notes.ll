; Of a loop over a thread's iterations it is said how neighbouring threads read,
; once for each load, and not that no row is walked along.
;
; A stencil that the price leaves, in a kernel that also reads %w at its own
; element, by rows (%r), by columns (%s), and where an index in memory says (%g),
; and that updates %c.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll | sed -e 's/sm_90/sm_75/; s/(ptr %a, ptr %c,/& ptr %w, ptr %x,/; /ptr %c, i64 %index/r %S/Inputs/further-loads.ll' > %t.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll > %t.plan
; RUN: FileCheck %s --check-prefixes=TILES,OTHERS --implicit-check-not=left < %t.plan
; TILES:  left (little-gain):  %above = load double
; TILES:  left (little-gain):  %own = load double
; TILES:  left (little-gain):  %right = load double
; TILES:  left (little-gain):  %below = load double
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll

; Where which thread does which iteration is fixed, there are no tiles.
; RUN: sed 's/,ferry_free_schedule//' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefixes=FIXED,OTHERS --implicit-check-not=left
; FIXED:  left (already-coalesced):  %above = load double
; FIXED:  left (already-coalesced):  %own = load double
; FIXED:  left (already-coalesced):  %right = load double
; FIXED:  left (already-coalesced):  %below = load double

; With a reduction the loads of the stencil say so.
; RUN: sed -e 's/^  %index = phi/  %all = phi double [ %all.next, %next ], [ 0.0, %distribute ]\n&/; s/^  %index.next =/  %all.next = fadd double %all, %own\n&/; s/ferry_free_schedule/ferry_reduction/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefixes=REDUCED,OTHERS --implicit-check-not=left
; REDUCED: left (reduction):  %above = load double
; REDUCED: left (reduction):  %own = load double
; REDUCED: left (reduction):  %right = load double
; REDUCED: left (reduction):  %below = load double

; In a branch on what was read, tiles would read too early.
; RUN: sed -e 's/^  br label %body/  %f = load i1, ptr %c\n  br i1 %f, label %body, label %next/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefixes=BRANCH,OTHERS --implicit-check-not=left
; BRANCH: left (conditional):  %above = load double{{.*}}  ; whether it is read is known only in the iteration
; BRANCH: left (conditional):  %own = load double
; BRANCH: left (conditional):  %right = load double
; BRANCH: left (conditional):  %below = load double

; The other loads.
; OTHERS: left (already-coalesced):  %old = load double
; OTHERS: left (already-coalesced):  %w.own = load double
; OTHERS: left (shared-row):  %r = load double
; OTHERS: left (long-step):  %s = load double
; OTHERS: left (already-coalesced):  %at = load i64
; OTHERS: left (not-affine):  %g = load double
