; Five loops with barriers between them: the last one is left.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR

; CHECK-COUNT-4: remark: {{.*}} staged 1 load
; CHECK: remark: {{.*}} not staged: more is gained elsewhere in the kernel, and its code would grow too much [too-many]

; IR:      {{^}}loop4:
; IR:        load i32, ptr addrspace(3)
; IR:      {{^}}loop5:
; IR:        load i32, ptr %p5
; IR-NOT:  loop5.own

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  br label %begin1
begin1:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr i32, ptr %a, i64 %first
  br label %loop1
loop1:
  %j1 = phi i64 [ 0, %begin1 ], [ %j1.next, %loop1 ]
  %sum1 = phi i32 [ 0, %begin1 ], [ %sum1.next, %loop1 ]
  %p1 = getelementptr i32, ptr %row, i64 %j1
  %v1 = load i32, ptr %p1
  %odd1 = mul i32 %sum1, 3
  %sum1.next = add i32 %odd1, %v1
  %j1.next = add nuw nsw i64 %j1, 1
  %more1 = icmp ult i64 %j1.next, %m
  br i1 %more1, label %loop1, label %begin2
begin2:
  call void @llvm.nvvm.barrier0()
  br label %loop2
loop2:
  %j2 = phi i64 [ 0, %begin2 ], [ %j2.next, %loop2 ]
  %sum2 = phi i32 [ %sum1.next, %begin2 ], [ %sum2.next, %loop2 ]
  %p2 = getelementptr i32, ptr %row, i64 %j2
  %v2 = load i32, ptr %p2
  %odd2 = mul i32 %sum2, 5
  %sum2.next = add i32 %odd2, %v2
  %j2.next = add nuw nsw i64 %j2, 1
  %more2 = icmp ult i64 %j2.next, %m
  br i1 %more2, label %loop2, label %begin3
begin3:
  call void @llvm.nvvm.barrier0()
  br label %loop3
loop3:
  %j3 = phi i64 [ 0, %begin3 ], [ %j3.next, %loop3 ]
  %sum3 = phi i32 [ %sum2.next, %begin3 ], [ %sum3.next, %loop3 ]
  %p3 = getelementptr i32, ptr %row, i64 %j3
  %v3 = load i32, ptr %p3
  %odd3 = mul i32 %sum3, 7
  %sum3.next = add i32 %odd3, %v3
  %j3.next = add nuw nsw i64 %j3, 1
  %more3 = icmp ult i64 %j3.next, %m
  br i1 %more3, label %loop3, label %begin4
begin4:
  call void @llvm.nvvm.barrier0()
  br label %loop4
loop4:
  %j4 = phi i64 [ 0, %begin4 ], [ %j4.next, %loop4 ]
  %sum4 = phi i32 [ %sum3.next, %begin4 ], [ %sum4.next, %loop4 ]
  %p4 = getelementptr i32, ptr %row, i64 %j4
  %v4 = load i32, ptr %p4
  %odd4 = mul i32 %sum4, 9
  %sum4.next = add i32 %odd4, %v4
  %j4.next = add nuw nsw i64 %j4, 1
  %more4 = icmp ult i64 %j4.next, %m
  br i1 %more4, label %loop4, label %begin5
begin5:
  call void @llvm.nvvm.barrier0()
  br label %loop5
loop5:
  %j5 = phi i64 [ 0, %begin5 ], [ %j5.next, %loop5 ]
  %sum5 = phi i32 [ %sum4.next, %begin5 ], [ %sum5.next, %loop5 ]
  %p5 = getelementptr i32, ptr %row, i64 %j5
  %v5 = load i32, ptr %p5
  %odd5 = mul i32 %sum5, 11
  %sum5.next = add i32 %odd5, %v5
  %j5.next = add nuw nsw i64 %j5, 1
  %more5 = icmp ult i64 %j5.next, %m
  br i1 %more5, label %loop5, label %end
end:
  call void @llvm.nvvm.barrier0()
  %q = getelementptr i32, ptr %sums, i64 %i
  store i32 %sum5.next, ptr %q
  ret void
}
