; A loop that writes: whether it writes into the row that it reads is looked at
; before, and then the thread does the loop as it was, alone.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK

; REMARK: remark: {{.*}} staged 1 load through 18432 bytes

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}ferry.enter:
; First and last byte of what is written, of what is read.
; CHECK-DAG:     %[[WRITTEN:.*]] = ptrtoint ptr %row.b to i64
; CHECK-DAG:     %[[READ:.*]] = ptrtoint ptr %row.a to i64
; CHECK-DAG:     %[[LAST:.*]] = add i64 %{{.*}}, -1
; CHECK-DAG:     %[[FAR:.*]] = mul i64 %[[LAST]], 8000
; CHECK-DAG:     %[[FARTHEST:.*]] = add i64 %[[FAR]], %[[WRITTEN]]
; CHECK-DAG:     %[[END:.*]] = add i64 %[[FARTHEST]], 8
; CHECK-DAG:     %[[ROW:.*]] = shl i64 %{{.*}}, 3
; CHECK-DAG:     %[[ROWEND:.*]] = add i64 %[[ROW]], %[[READ]]
; CHECK-DAG:     %[[READEND:.*]] = add i64 %[[ROWEND]], 8
; CHECK-DAG:     icmp ugt i64 %[[READEND]], %[[WRITTEN]]
; CHECK-DAG:     icmp ugt i64 %[[END]], %[[READ]]
; CHECK:         br i1 %{{.*}}, label %loop.divergent, label %ferry.{{want|all}}
; CHECK:       {{^}}loop:
; CHECK:         load double, ptr addrspace(3)
; CHECK:         store double %twice, ptr %q

; FALLBACK: {{^}}loop.fallback:
; FALLBACK:   load double, ptr %p.fallback
; FALLBACK:   store double %twice.fallback, ptr %q.fallback

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %b, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row.a = getelementptr double, ptr %a, i64 %first
  %row.b = getelementptr double, ptr %b, i64 %i
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %p = getelementptr double, ptr %row.a, i64 %j
  %v = load double, ptr %p
  %twice = fadd double %v, %v
  %at = mul nuw nsw i64 %j, 1000
  %q = getelementptr double, ptr %row.b, i64 %at
  store double %twice, ptr %q
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
