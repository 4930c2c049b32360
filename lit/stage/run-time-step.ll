; How far a thread goes in a step is known at run time only: forwards, by at most
; two elements, and all threads alike, or the loop is done as it was.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK

; REMARK: remark: {{.*}} staged 1 load through 17408 bytes

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}ferry.enter:
; CHECK-DAG:     %[[STEP:.*]] = shl i64 %step, 3
; CHECK-DAG:     %[[IN:.*]] = add i64 %[[STEP]], -17
; CHECK-DAG:     %[[OTHER:.*]] = icmp ult i64 %[[IN]], -16
; CHECK:         br i1 %[[OTHER]], label %loop.divergent, label %ferry.{{all|want}}
; CHECK:       {{^}}loop:
; CHECK:         load double, ptr addrspace(3)
; FALLBACK: {{^}}loop.fallback:
; FALLBACK:   load double, ptr %p.fallback

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %y, i64 %n, i64 %m, i64 %step) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %at = mul i64 %j, %step
  %p = getelementptr double, ptr %row, i64 %at
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %y, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
