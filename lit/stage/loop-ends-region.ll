; The loop's exit is where the region ends, with a barrier of the program's own.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll

; REMARK: remark: {{.*}} staged 1 load through 18432 bytes

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}loop:
; CHECK:         load double, ptr addrspace(3)
; The barrier comes when all threads of the warp have done the loop.
; CHECK:       {{^}}exit:
; CHECK:         call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; CHECK-NEXT:    %q = getelementptr double, ptr %y, i64 %i
; CHECK-NEXT:    store double %result{{.*}}, ptr %q
; CHECK-NEXT:    ret void
; CHECK:       {{^}}ferry.all:
; CHECK:         br i1 %{{.*}}, label %ferry.meet, label %exit

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %y, i64 %n, i64 %m) #0 {
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
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %exit
exit:
  %result = phi double [ 1.0, %entry ], [ %sum.next, %loop ]
  call void @llvm.nvvm.barrier0()
  %q = getelementptr double, ptr %y, i64 %i
  store double %result, ptr %q
  ret void
}
