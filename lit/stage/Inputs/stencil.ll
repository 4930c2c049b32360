; c = a sum of elements of a around (i + 1, j), for i < %rows and j < %width, as
; Clang emits it for distribute parallel for collapse(2) and 32-bit indices.
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i64 @llvm.umin.i64(i64, i64)

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %c, i64 %rows, i64 %width, i32 %pitch) #1 {
entry:
  %total = mul nuw nsw i64 %rows, %width
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
  %index = phi i64 [ %index.next, %next ], [ %first, %distribute ]
  %i.wide = udiv i64 %index, %width
  %i.begin = mul i64 %i.wide, %width
  %j.wide = sub i64 %index, %i.begin
  %i = trunc i64 %i.wide to i32
  %j = trunc i64 %j.wide to i32
  br label %body
body:
  %above.begin = mul i32 %i, %pitch
  %above.at = add i32 %above.begin, %j
  %above.wide = sext i32 %above.at to i64
  %above.p = getelementptr inbounds double, ptr %a, i64 %above.wide
  %above = load double, ptr %above.p
  %own.i = add i32 %i, 1
  %own.begin = mul i32 %own.i, %pitch
  %own.at = add i32 %own.begin, %j
  %own.wide = sext i32 %own.at to i64
  %own.p = getelementptr inbounds double, ptr %a, i64 %own.wide
  %own = load double, ptr %own.p
  %right.p = getelementptr i8, ptr %own.p, i64 8
  %right = load double, ptr %right.p
  %below.i = add i32 %i, 2
  %below.begin = mul i32 %below.i, %pitch
  %below.at = add i32 %below.begin, %j
  %below.wide = sext i32 %below.at to i64
  %below.p = getelementptr inbounds double, ptr %a, i64 %below.wide
  %below = load double, ptr %below.p
  %sum.1 = fadd double %above, %own
  %sum.2 = fadd double %right, %below
  %sum.next = fadd double %sum.1, %sum.2
  %pc = getelementptr inbounds double, ptr %c, i64 %index
  store double %sum.next, ptr %pc
  br label %next
next:
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
