; A short row that an outer loop reads again and again is copied once, if it fits.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK

; REMARK: remark: {{.*}} staged 1 load through 33792 bytes {{.*}} in tiles of 32 iterations

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; Whether the row has at most 32 words is looked at before.
; CHECK:       {{^}}begin.split:
; CHECK:         %[[LONG:.*]] = icmp ugt i64 %{{.*}}, 32
; CHECK:         br i1 %[[LONG]], label %outer.divergent, label %ferry.{{want|all}}
; Both loops are done within one meeting.
; CHECK:       {{^}}outer:
; CHECK:       {{^}}loop:
; CHECK:         load double, ptr addrspace(3)
; CHECK:         br i1 %{{.*}}, label %loop, label %outer.latch
; CHECK:       {{^}}outer.latch:
; CHECK:         br i1 %again, label %outer, label %ferry.finished

; FALLBACK:      {{^}}outer.fallback:
; FALLBACK:      {{^}}loop.fallback:
; FALLBACK:        load double, ptr %p.fallback
; FALLBACK:      {{^}}outer.latch.fallback:

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %y, i64 %n, i64 %times, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first
  br label %outer
outer:
  %t = phi i64 [ 0, %begin ], [ %t.next, %outer.latch ]
  %sum.outer = phi double [ 0.0, %begin ], [ %sum.next, %outer.latch ]
  br label %loop
loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %sum = phi double [ %sum.outer, %outer ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %outer.latch
outer.latch:
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %times
  br i1 %again, label %outer, label %end
end:
  %q = getelementptr double, ptr %y, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
