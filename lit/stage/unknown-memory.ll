; A pointer of unknown origin may lead to shared or local memory: looked at at run
; time.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK

; REMARK: remark: {{.*}} staged 1 load through 18432 bytes

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}begin.split:
; CHECK:         %[[GLOBAL:.*]] = call i1 @llvm.nvvm.isspacep.global(ptr %row)
; CHECK-NEXT:    br i1 %[[GLOBAL]], label %ferry.{{want|all}}, label %loop.divergent
; CHECK:       {{^}}loop:
; CHECK:         load double, ptr addrspace(3)
; FALLBACK: {{^}}loop.fallback:
; FALLBACK:   load double, ptr %p.fallback

define void @__omp_offloading_1_2_k_l3(i64 %address, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %a = inttoptr i64 %address to ptr
  %row = getelementptr double, ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
