; Where an iteration writes, its index is not negative, and LLVM extends it without
; a sign. In a tile the address of a thread's first iteration is computed whether or
; not that comes to it, and those below are so many rows behind: so there it has one.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll > %t.one.ll
; RUN: sed 's/  %above.wide = sext i32 %above.at/  %above.less = add nsw i32 %above.at, -1\n  %above.wide = sext i32 %above.less/' %t.one.ll > %t.less.ll
; RUN: sed 's/  %%pc = .*/  %reached = icmp sgt i32 %above.at, 0\n  br i1 %reached, label %out, label %next\nout:\n  %out.wide = zext nneg i32 %above.less to i64\n  %%pc = getelementptr inbounds double, ptr %c, i64 %out.wide/' %t.less.ll > %t.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.ll | FileCheck %s
; The same of a sum that is written as an or.
; RUN: sed 's/add nsw i32 %above.at, -1/or disjoint i32 %above.at, 1/' %t.ll > %t.or.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.or.ll | FileCheck %s --check-prefix=OR

; CHECK:      ferry.copied:
; CHECK:        %[[LESS:.*]] = add i32 %{{.*}}, -1
; CHECK-NEXT:   %[[WIDE:.*]] = sext i32 %[[LESS]] to i64
; CHECK-NEXT:   getelementptr double, ptr %c, i64 %[[WIDE]]

; OR:         ferry.copied:
; OR:           %[[MORE:.*]] = add i32 %{{.*}}, 1
; OR-NEXT:      %[[WIDE:.*]] = sext i32 %[[MORE]] to i64
; OR-NEXT:      getelementptr double, ptr %c, i64 %[[WIDE]]
