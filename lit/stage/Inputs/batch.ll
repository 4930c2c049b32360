; c[z] = a[z] * b[z], for z < %depth, i < %rows and j < %width, as Clang emits
; it for distribute parallel for collapse(3).
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare double @llvm.fmuladd.f64(double, double, double)
declare i64 @llvm.umin.i64(i64, i64)

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %b, ptr %c, i64 %depth, i64 %rows, i64 %width, i64 %steps) #1 {
entry:
  %area = mul nuw nsw i64 %rows, %width
  %total = mul nuw nsw i64 %depth, %area
  %last = add nsw i64 %total, -1
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %block.wide = zext nneg i32 %block to i64
  %begin = shl nuw nsw i64 %block.wide, 7
  %some = icmp ult i64 %begin, %total
  br i1 %some, label %before, label %exit
before:
  %blocks.wide = zext nneg i32 %blocks to i64
  %stride = shl nuw nsw i64 %blocks.wide, 7
  %chunk.end = or disjoint i64 %begin, 127
  %end = call i64 @llvm.umin.i64(i64 %chunk.end, i64 %last)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread = zext nneg i32 %tid to i64
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %threads = zext nneg i32 %ntid to i64
  br label %distribute
distribute:
  %upper = phi i64 [ %end, %before ], [ %upper.next, %latch ]
  %lower = phi i64 [ %begin, %before ], [ %lower.next, %latch ]
  call void @llvm.nvvm.barrier0()
  %first = add nuw nsw i64 %lower, %thread
  %none = icmp ugt i64 %first, %upper
  br i1 %none, label %latch, label %iteration
iteration:
  %index = phi i64 [ %index.next, %after ], [ %first, %distribute ]
  %z = udiv i64 %index, %area
  %z.begin = mul i64 %z, %area
  %ij = sub i64 %index, %z.begin
  %i = udiv i64 %ij, %width
  %i.begin = mul i64 %i, %width
  %j = sub i64 %ij, %i.begin
  %z.rows = mul i64 %z, %rows
  %a.row = add i64 %z.rows, %i
  %a.begin = mul i64 %a.row, %steps
  %b.row = mul i64 %z, %steps
  br label %walk
walk:
  %k = phi i64 [ 0, %iteration ], [ %k.next, %walk ]
  %sum = phi double [ 0.0, %iteration ], [ %sum.next, %walk ]
  %a.at = add i64 %a.begin, %k
  %pa = getelementptr inbounds double, ptr %a, i64 %a.at
  %va = load double, ptr %pa
  %b.k = add i64 %b.row, %k
  %b.begin = mul i64 %b.k, %width
  %b.at = add i64 %b.begin, %j
  %pb = getelementptr inbounds double, ptr %b, i64 %b.at
  %vb = load double, ptr %pb
  %sum.next = call double @llvm.fmuladd.f64(double %va, double %vb, double %sum)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %steps
  br i1 %k.more, label %walk, label %after
after:
  %pc = getelementptr inbounds double, ptr %c, i64 %index
  store double %sum.next, ptr %pc
  %index.next = add nuw nsw i64 %index, %threads
  %done = icmp ugt i64 %index.next, %upper
  br i1 %done, label %latch, label %iteration
latch:
  call void @llvm.nvvm.barrier0()
  %lower.next = add nuw nsw i64 %lower, %stride
  %upper.far = add nuw nsw i64 %upper, %stride
  %upper.next = call i64 @llvm.umin.i64(i64 %upper.far, i64 %last)
  %more = icmp ult i64 %lower.next, %total
  br i1 %more, label %distribute, label %exit
exit:
  ret void
}

attributes #1 = { "kernel" "llvm.assume"="omp_no_openmp,ferry_free_schedule" "omp_target_thread_limit"="128" "target-cpu"="sm_90" }
