; Each thread walks along a row of its own: the rows come through shared memory,
; a tile at a time.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=PLAIN
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FULL
; RUN: cat %S/Inputs/nvptx.ll %s | sed s/sm_90/sm_70/ | %opt -S -passes=ferry-stage,verify | \
; RUN:   FileCheck %s --check-prefix=SYNC

; REMARK: remark: {{.*}} staged 1 load through 18432 bytes of shared memory of the block, in tiles of 32 iterations; 8.0 instead of 32.0 sectors for an iteration of a warp
; REMARK-NEXT: remark: {{.*}} a row for each thread, 32 words of 8 bytes, padded by 16 bytes

; Rows of 17 words for 128 threads, or of 33 for 64.
; CHECK: @ferry.tile = internal addrspace(3) global [18432 x i8] poison, align 16
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK-NOT:   __ferry_stage_
; Where all rows are short, nobody meets. Else all threads of the block do,
; those outside of the matrix as well. What is short depends on the number of
; warps: 1056 are 8 for each multiprocessor of an H100, the rows of 8448 all that
; they read at a time, and 126720 steps of 8 bytes in 32 rows what their first levels
; have room for.
; Nobody meets, too, where the block does not consist of whole warps.
; CHECK:       entry:
; CHECK:         %[[WARPS:.*]] = mul i32 %{{.*}}, %{{.*}}
; CHECK-NEXT:    %[[FEW:.*]] = icmp ult i32 %[[WARPS]], 1056
; CHECK-NEXT:    %[[ROWS:.*]] = call i32 @llvm.umin.i32(i32 %[[WARPS]], i32 8448)
; CHECK-NEXT:    %[[LENGTH:.*]] = call i32 @llvm.umin.i32(i32 %{{.*}}, i32 126720)
; CHECK-NEXT:    %[[STEPS:.*]] = mul nuw nsw i32 %[[ROWS]], %[[LENGTH]]
; CHECK-NEXT:    %[[THRASHES:.*]] = icmp {{(samesign )?}}ugt i32 %[[STEPS]], 126719
; CHECK-NEXT:    %[[REST:.*]] = and i32 %{{.*}}, 31
; CHECK-NEXT:    %[[LACK:.*]] = icmp ne i32 %[[REST]], 0
; CHECK-NEXT:    %[[MANY:.*]] = select i1 %[[THRASHES]], i32 16, i32 32
; CHECK-NEXT:    %[[LEAST:.*]] = select i1 %[[FEW]], i32 64, i32 %[[MANY]]
; Where these are many, rows no multiple of 64 bytes apart have to be longer.
; CHECK:         %[[BANKS:.*]] = and i32 %{{.*}}, 7{{$}}
; CHECK-NEXT:    %[[SAME:.*]] = icmp eq i32 %[[BANKS]], 0
; CHECK-NEXT:    %[[LEAST1:.*]] = select i1 %[[SAME]], i32 %[[LEAST]], i32 64
; Rows that do not begin at multiples of 16 bytes have to be longer in few warps.
; CHECK:         %[[PLACE:.*]] = and i32 %{{.*}}, 1{{$}}
; CHECK-NEXT:    %[[APT:.*]] = icmp eq i32 %[[PLACE]], 0
; CHECK-NEXT:    %[[LONGER:.*]] = select i1 %[[FEW]], i32 126, i32 64
; CHECK-NEXT:    %[[LEAST2:.*]] = select i1 %[[APT]], i32 %[[LEAST1]], i32 %[[LONGER]]
; CHECK-NEXT:    %[[SHORT:.*]] = icmp {{(samesign )?(ugt|ult)}} i32 %[[LEAST2]]
; CHECK:         %[[NOBODY:.*]] = or i1 %[[SHORT]], %[[LACK]]
; CHECK:         br i1 %[[NOBODY]], label %ferry.start.plain, label %ferry.enter
; What is the same whenever threads have met is computed before.
; CHECK:       ferry.enter:
; CHECK-NEXT:    %first = mul
; CHECK:         br label %ferry.go
; CHECK:       ferry.start:
; CHECK-NEXT:    br i1 %in, label %ferry.all, label %ferry.leave
; The loop reads the tile.
; CHECK:       loop:
; CHECK-NOT:   load double, ptr %
; CHECK:         %[[V:.*]] = load double, ptr addrspace(3) %{{.*}}, align 8
; CHECK-NEXT:    fadd double %{{.*}}, %[[V]]
; CHECK:         br i1 %{{.*}}, label %ferry.tiled, label %loop
; CHECK:       end:
; CHECK:         store double
; CHECK:       ferry.all:
; CHECK:         call void @llvm.nvvm.bar.warp.sync(
; CHECK-NEXT:    %[[WANTED:.*]] = call noundef i1 @llvm.nvvm.vote.any.sync(
; CHECK:         br i1 %[[WANTED]], label %ferry.meet, label %exit
; While a tile is read the next one is under way, where the block has few
; warps.
; CHECK-DAG:     call void @llvm.nvvm.cp.async.ca.shared.global.8(
; CHECK-DAG:     call void @llvm.nvvm.cp.async.ca.shared.global.16(
; CHECK-DAG:     call void @llvm.nvvm.cp.async.commit.group()
; CHECK-DAG:     call void @llvm.nvvm.cp.async.wait.group(i32 0)
; CHECK-DAG:     call void @llvm.nvvm.cp.async.wait.group(i32 1)

; Tiles that the whole warp reads in full have a loop of their own, which LLVM
; unrolls.
; FULL:       loop.whole:
; FULL:         load double, ptr addrspace(3) %{{.*}}, align 8
; FULL:         br i1 %{{.*}}, label %ferry.full.tiled, label %loop.whole, !llvm.loop ![[UNROLL:[0-9]+]]
; FULL:       ![[UNROLL]] = distinct !{![[UNROLL]], ![[FULL:[0-9]+]]}
; FULL:       ![[FULL]] = !{!"llvm.loop.unroll.full"}

; Older GPUs copy through registers, many words for one wait.
; SYNC-NOT:   cp.async
; SYNC-LABEL: define void @__omp_offloading_1_2_k_l3(
; SYNC-COUNT-16: load i64, ptr addrspace(1) %{{.*}}, align 8
; SYNC-COUNT-16: store i64 %{{.*}}, ptr addrspace(3) %{{.*}}, align 8
; SYNC-NOT:   cp.async

; The loop as it was is the other version.
; FALLBACK:      loop.fallback:
; FALLBACK:        %v.fallback = load double, ptr %p.fallback, align 8
; FALLBACK-NEXT:   %sum.next.fallback = fadd double %{{.*}}, %v.fallback
; FALLBACK:        br i1 %more.fallback, label %loop.fallback, label %ferry.finished

; For short rows it is as it was, with what is around it.
; PLAIN:      begin.plain:
; PLAIN-NEXT:   %first.plain = mul {{(nuw nsw )?}}i64 {{%i, %m(.fr)?|%m(.fr)?, %i}}
; PLAIN-NEXT:   %row.plain = getelementptr double, ptr %a, i64 %first.plain
; PLAIN-NEXT:   br label %[[LOOP:.*]]
; PLAIN:      end.plain:
; PLAIN-NEXT:   %q.plain = getelementptr double, ptr %sums, i64 %i
; PLAIN-NEXT:   store double %sum.next.{{.*}}, ptr %q.plain
; PLAIN-NEXT:   br label %exit
; PLAIN:      ferry.start.plain:
; PLAIN-NEXT:   br i1 %in, label %begin.plain, label %exit
; PLAIN:      [[LOOP]]:
; PLAIN-COUNT-2: phi
; PLAIN-NEXT:   getelementptr
; PLAIN-NEXT:   load double
; PLAIN-NEXT:   fadd
; PLAIN-NEXT:   add nuw nsw
; PLAIN-NEXT:   icmp ult i64 %{{.*}}, %m
; PLAIN-NEXT:   br i1 %{{.*}}, label %[[LOOP]], label %end.plain

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
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
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
