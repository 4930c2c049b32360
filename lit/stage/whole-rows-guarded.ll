; A short row that an outer loop reads again and again if conditions hold that do
; not change in it. The second may be poison where the first does not hold.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.ll | FileCheck %s
; RUN: %opt -S -passes=ferry-stage,verify %t.ll | FileCheck %s --check-prefix=ASKED

; Whether it is worth it is asked first, of a length that may be poison.
; ASKED:       %[[TRIPS:.*]] = freeze i64 %m
; ASKED:       call i64 @llvm.umax.i64(i64 %[[TRIPS]], i64 1)
; ASKED:       select i1 %{{.*}}, i32 -1, i32 16
; ASKED:       icmp ugt i64 %{{.*}}, 32

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}begin:
; CHECK-NOT:     or i1
; CHECK:         %[[LONG:.*]] = icmp ugt i64 %{{.*}}, 32
; CHECK-NEXT:    %[[NOT:.*]] = xor i1 %first, true
; CHECK-NEXT:    %[[UNREAD:.*]] = select i1 %[[NOT]], i1 true, i1 %second
; CHECK-NEXT:    %[[ALONE:.*]] = select i1 %[[UNREAD]], i1 true, i1 %[[LONG]]
; CHECK-NEXT:    br i1 %[[ALONE]], label %outer.divergent, label %ferry.{{want|all}}

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %y, i64 %n, i64 %times, i64 %m, i1 %first, i1 %second) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %start = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %start
  br label %outer
outer:
  %t = phi i64 [ 0, %begin ], [ %t.next, %outer.latch ]
  %sum.outer = phi double [ 0.0, %begin ], [ %sum.after, %outer.latch ]
  br i1 %first, label %ask, label %outer.latch
ask:
  br i1 %second, label %outer.latch, label %walk
walk:
  br label %loop
loop:
  %j = phi i64 [ 0, %walk ], [ %j.next, %loop ]
  %sum = phi double [ %sum.outer, %walk ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %outer.latch
outer.latch:
  %sum.after = phi double [ %sum.outer, %outer ], [ %sum.outer, %ask ], [ %sum.next, %loop ]
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %times
  br i1 %again, label %outer, label %end
end:
  %q = getelementptr double, ptr %y, i64 %i
  store double %sum.after, ptr %q
  br label %exit
exit:
  ret void
}
