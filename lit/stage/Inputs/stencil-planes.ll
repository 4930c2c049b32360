; c = a sum of elements of a around (p + 1, i + 1, j), for i < %rows and
; j < %width, as Clang emits it for distribute parallel for collapse(3) and 32-bit
; indices. That of the plane before, (p, i, j + 1), no other one is above.
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i64 @llvm.umin.i64(i64, i64)

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %c, i64 %planes, i64 %rows, i64 %width, i32 %pitch, i32 %distance) #1 {
entry:
  %size = mul nuw nsw i64 %rows, %width
  %total = mul nuw nsw i64 %planes, %size
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
  %p.wide = udiv i64 %index, %size
  %p.begin = mul i64 %p.wide, %size
  %in.plane = sub i64 %index, %p.begin
  %i.wide = udiv i64 %in.plane, %width
  %i.begin = mul i64 %i.wide, %width
  %j.wide = sub i64 %in.plane, %i.begin
  %p = trunc i64 %p.wide to i32
  %i = trunc i64 %i.wide to i32
  %j = trunc i64 %j.wide to i32
  br label %body
body:
  %own.p.number = add i32 %p, 1
  %plane.begin = mul i32 %own.p.number, %distance
  %above.begin = mul i32 %i, %pitch
  %above.row = add i32 %above.begin, %plane.begin
  %above.at = add i32 %above.row, %j
  %above.wide = sext i32 %above.at to i64
  %above.p = getelementptr inbounds double, ptr %a, i64 %above.wide
  %above = load double, ptr %above.p
  %own.i = add i32 %i, 1
  %own.begin = mul i32 %own.i, %pitch
  %own.row = add i32 %own.begin, %plane.begin
  %own.at = add i32 %own.row, %j
  %own.wide = sext i32 %own.at to i64
  %own.p = getelementptr inbounds double, ptr %a, i64 %own.wide
  %own = load double, ptr %own.p
  %right.p = getelementptr i8, ptr %own.p, i64 8
  %right = load double, ptr %right.p
  %below.i = add i32 %i, 2
  %below.begin = mul i32 %below.i, %pitch
  %below.row = add i32 %below.begin, %plane.begin
  %below.at = add i32 %below.row, %j
  %below.wide = sext i32 %below.at to i64
  %below.p = getelementptr inbounds double, ptr %a, i64 %below.wide
  %below = load double, ptr %below.p
  %before.begin = mul i32 %p, %distance
  %before.row = add i32 %above.begin, %before.begin
  %before.at = add i32 %before.row, %j
  %before.wide = sext i32 %before.at to i64
  %before.left.p = getelementptr inbounds double, ptr %a, i64 %before.wide
  %before.p = getelementptr i8, ptr %before.left.p, i64 8
  %before.value = load double, ptr %before.p
  %sum.1 = fadd double %above, %own
  %sum.2 = fadd double %right, %below
  %sum.3 = fadd double %sum.1, %sum.2
  %sum.next = fadd double %sum.3, %before.value
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
