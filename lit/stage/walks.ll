; A stencil in three dimensions, of which what one plane has read is read of the
; next as well: threads walk through the planes and keep it.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil-planes.ll | sed 's/%before.row = add i32 %above.begin/%before.row = add i32 %own.begin/; s/%before.left.p, i64 8/%before.left.p, i64 0/' > %t.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll | FileCheck %s --check-prefix=PLAN
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.ll | FileCheck %s
; With guards each iteration finds out whether the last one has it.
; RUN: sed 's/^  br label %%body/  %inside = icmp ult i32 %%p, 100\n  br i1 %inside, label %body, label %next/' %t.ll > %t.guard.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.guard.ll | FileCheck %s --check-prefix=GUARD
; What an iteration has read decides whether it reads the plane before.
; RUN: sed 's/^  %%before.begin = /  %%reads = fcmp ogt double %below, 0.0\n  br i1 %%reads, label %before.plane, label %next\nbefore.plane:\n&/' %t.ll > %t.late.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.late.ll | FileCheck %s --check-prefix=LEFT
; It writes before it reads it.
; RUN: sed 's/^  %%before.begin = /  store double 0.0, ptr %c\n&/' %t.ll > %t.written.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.written.ll | FileCheck %s --check-prefix=LEFT
; Planes that are not equally far apart in all columns.
; RUN: sed 's/%%p, %distance/%%p, %j/; s/%own.p.number, %distance/%own.p.number, %j/' %t.ll > %t.skew.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.skew.ll | FileCheck %s --check-prefix=LEFT
; Only where it pays: not in a launch that never has enough iterations, nor if a
; thread would have to keep too much, nor for rows shorter than a tile's.
; RUN: sed 's/, %%rows, %%width$/, 64, 64/; s/%%planes, %%size/32, 4096/; s/, %%size$/, 4096/; s/, %%width$/, 64/; s/%%total/131072/; s/^  131072 = .*//' %t.ll > %t.small.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.small.ll | FileCheck %s --check-prefix=SMALL
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-walk-kept-words=1 %t.ll | FileCheck %s --check-prefix=SMALL
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-walk-kept-words=2 %t.ll | FileCheck %s --check-prefix=PLAN
; RUN: sed 's/, %%width$/, 31/' %t.ll | %opt -S -passes=ferry-stage,verify -ferry-stage=always | FileCheck %s --check-prefix=LEFT

; PLAN:      walk through planes, of tiles of up to 4 x 32 iterations; 1 of 5 loads kept from plane to plane;
; PLAN-NEXT:   field: 5 loads, planes -1 to 0, rows 0 to 2, columns 0 to 1
; SMALL-NOT: walk through planes
; LEFT-NOT:  ferry.walk

; CHECK:       ferry.walk.begin:
; CHECK:         %[[BEFORE:.*]] = load double
; CHECK:         br label %ferry.walk
; CHECK:       ferry.walk:
; CHECK:         %[[KEPT:.*]] = phi double [ %[[BEFORE]], %ferry.walk.begin ], [ %[[OWN:.*]], %ferry.walk ]
; CHECK-NEXT:    %[[ABOVE:.*]] = load double
; CHECK-NEXT:    %[[OWN]] = load double
; CHECK:         %[[RIGHT:.*]] = load double
; CHECK-NEXT:    %[[BELOW:.*]] = load double
; CHECK-NOT:     load
; CHECK:         fadd double %[[ABOVE]], %[[OWN]]
; CHECK:         fadd double %{{.*}}, %[[KEPT]]
; CHECK:         store double

; GUARD:       ferry.walk:
; GUARD:         %[[LAST:.*]] = phi double [ poison, %ferry.walk.begin ], [ %[[FOR_NEXT:.*]], %ferry.walk.next ]
; GUARD:         %[[HAVE:.*]] = phi i32 [ 0, %ferry.walk.begin ], [ %[[FOLLOWING:.*]], %ferry.walk.next ]
; GUARD:         br i1 %{{.*}}, label %ferry.walk.read, label %ferry.walk.{{plain|next}}
; GUARD:       ferry.walk.next:
; GUARD:         %[[FOR_NEXT]] = phi double [ %[[OWN:.*]], %ferry.walk.filled ], [ poison, %ferry.walk{{(.plain)?}} ]
; GUARD:         %[[FOLLOWING]] = phi i32 [ 1, %ferry.walk.filled ], [ 0, %ferry.walk{{(.plain)?}} ]
; GUARD:       ferry.walk.read:
; GUARD:         %[[HAS:.*]] = icmp eq i32 %[[HAVE]], 1
; GUARD:         br i1 %[[HAS]], label %ferry.walk.filled, label %ferry.walk.fill
; GUARD:       ferry.walk.fill:
; GUARD:         %[[FILLED:.*]] = load double
; GUARD:       ferry.walk.filled:
; GUARD:         phi double [ %[[LAST]], %ferry.walk.read ], [ %[[FILLED]], %ferry.walk.fill ]
; GUARD:         %[[OWN]] = load double
