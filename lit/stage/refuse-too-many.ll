; Nine loops with barriers between them: the last one is left.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR

; CHECK-COUNT-8: remark: {{.*}} staged 1 load
; CHECK: remark: {{.*}} not staged: more is gained elsewhere in the kernel, and its code would grow too much [too-many]

; IR:      {{^}}loop8:
; IR:        load i32, ptr addrspace(3)
; IR:      {{^}}loop9:
; IR:        load i32, ptr %p9
; IR-NOT:  loop9.fallback

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
  br i1 %more5, label %loop5, label %begin6
begin6:
  call void @llvm.nvvm.barrier0()
  br label %loop6
loop6:
  %j6 = phi i64 [ 0, %begin6 ], [ %j6.next, %loop6 ]
  %sum6 = phi i32 [ %sum5.next, %begin6 ], [ %sum6.next, %loop6 ]
  %p6 = getelementptr i32, ptr %row, i64 %j6
  %v6 = load i32, ptr %p6
  %odd6 = mul i32 %sum6, 13
  %sum6.next = add i32 %odd6, %v6
  %j6.next = add nuw nsw i64 %j6, 1
  %more6 = icmp ult i64 %j6.next, %m
  br i1 %more6, label %loop6, label %begin7
begin7:
  call void @llvm.nvvm.barrier0()
  br label %loop7
loop7:
  %j7 = phi i64 [ 0, %begin7 ], [ %j7.next, %loop7 ]
  %sum7 = phi i32 [ %sum6.next, %begin7 ], [ %sum7.next, %loop7 ]
  %p7 = getelementptr i32, ptr %row, i64 %j7
  %v7 = load i32, ptr %p7
  %odd7 = mul i32 %sum7, 15
  %sum7.next = add i32 %odd7, %v7
  %j7.next = add nuw nsw i64 %j7, 1
  %more7 = icmp ult i64 %j7.next, %m
  br i1 %more7, label %loop7, label %begin8
begin8:
  call void @llvm.nvvm.barrier0()
  br label %loop8
loop8:
  %j8 = phi i64 [ 0, %begin8 ], [ %j8.next, %loop8 ]
  %sum8 = phi i32 [ %sum7.next, %begin8 ], [ %sum8.next, %loop8 ]
  %p8 = getelementptr i32, ptr %row, i64 %j8
  %v8 = load i32, ptr %p8
  %odd8 = mul i32 %sum8, 17
  %sum8.next = add i32 %odd8, %v8
  %j8.next = add nuw nsw i64 %j8, 1
  %more8 = icmp ult i64 %j8.next, %m
  br i1 %more8, label %loop8, label %begin9
begin9:
  call void @llvm.nvvm.barrier0()
  br label %loop9
loop9:
  %j9 = phi i64 [ 0, %begin9 ], [ %j9.next, %loop9 ]
  %sum9 = phi i32 [ %sum8.next, %begin9 ], [ %sum9.next, %loop9 ]
  %p9 = getelementptr i32, ptr %row, i64 %j9
  %v9 = load i32, ptr %p9
  %odd9 = mul i32 %sum9, 19
  %sum9.next = add i32 %odd9, %v9
  %j9.next = add nuw nsw i64 %j9, 1
  %more9 = icmp ult i64 %j9.next, %m
  br i1 %more9, label %loop9, label %end
end:
  call void @llvm.nvvm.barrier0()
  %q = getelementptr i32, ptr %sums, i64 %i
  store i32 %sum9.next, ptr %q
  ret void
}
