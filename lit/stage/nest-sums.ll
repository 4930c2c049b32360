; A sum over two loops is taken as one over all their steps.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.ll | FileCheck %s
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll | FileCheck %s --check-prefix=PLAN
; PLAN:      nest in tiles of up to 64 x 64 iterations, 4 x 8 a thread, 16 steps at a time
; PLAN:      by row:  %va = load double
; PLAN-NEXT: by column:  %vb = load double

; As many steps as both loops have, which are numbers of 32 bits.
; CHECK-DAG: %[[INNER:.*]] = call i64 @llvm.umax.i64(i64 %inner, i64 1)
; CHECK-DAG: %[[OUTER:.*]] = call i64 @llvm.umax.i64(i64 %outer, i64 1)
; CHECK:     %[[STEPS:.*]] = mul i64 %{{.*}}, %{{.*}}
; CHECK:     icmp ult i64 {{.*}}, 4294967296
; A thread asks of its first place whether the second step of the outer loop
; begins where the first ends; else it reads element by element.
; CHECK:     ferry.tile.begin:
; CHECK:     icmp ule i64 %[[STEPS]], %[[INNER]]
; CHECK:     urem i32
; CHECK:     ferry.panel:
; CHECK:     br i1 {{.*}}, label %ferry.copy.regular{{[0-9]*}}, label %ferry.copy

; The first array is not read as by one loop.
; RUN: sed -e 's/%a.first = mul i64 %a.row, %inner/%a.first = mul i64 %a.row, %width/' %t.ll > %t.apart.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.apart.ll | FileCheck %s --check-prefix=APART
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage=always %t.apart.ll | FileCheck %s --check-prefix=PLAN
; APART-NOT: nest in tiles
; APART:     left (little-gain):  %va = load double{{.*}}  ; operands that two loops do not read as one would

; Sums that the outer loop changes, and what it does besides.
; RUN: sed -e 's/%all.next = phi double .*/%all.next = fadd double %%sum.next, 1.0/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=CHANGED
; CHANGED: left (nest-shape):  %sum = phi double {{.*}} ; a sum that the loop around the innermost one changes
; RUN: sed -e 's/%%sum = phi double . %all,/%%sum = phi double [ 0.0,/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=ANEW
; ANEW: left (nest-shape):  %sum = phi double {{.*}} ; a sum that the loop around the innermost one changes
; RUN: sed -e 's/^  %first.step =/  %read = load double, ptr %a\n&/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=READS
; READS: left (nest-shape):  %read = load double{{.*}} ; an access to memory around the innermost loop
; RUN: sed -e 's/^  store double .all.next, ptr .pc/  %used = uitofp i64 %first.step to double\n  store double %used, ptr %%pc/' %t.ll | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=USED
; USED: left (nest-shape):  %first.step = mul i64 {{.*}} ; a value of the loop around the innermost one
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare double @llvm.fmuladd.f64(double, double, double)
declare i64 @llvm.umin.i64(i64, i64)

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %b, ptr %c, i64 %rows, i64 %width, i64 %outer, i64 %inner) #1 {
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
  %index = phi i64 [ %index.next, %after ], [ %first, %distribute ]
  %i = udiv i64 %index, %width
  %i.begin = mul i64 %i, %width
  %j = sub i64 %index, %i.begin
  %a.begin = mul i64 %i, %outer
  br label %around
around:
  %k = phi i64 [ 0, %iteration ], [ %k.next, %behind ]
  %all = phi double [ 0.0, %iteration ], [ %all.next, %behind ]
  %a.row = add i64 %a.begin, %k
  %a.first = mul i64 %a.row, %inner
  %first.step = mul i64 %k, %inner
  br label %walk
walk:
  %l = phi i64 [ 0, %around ], [ %l.next, %walk ]
  %sum = phi double [ %all, %around ], [ %sum.next, %walk ]
  %a.at = add i64 %a.first, %l
  %pa = getelementptr inbounds double, ptr %a, i64 %a.at
  %va = load double, ptr %pa
  %step = add i64 %first.step, %l
  %b.begin = mul i64 %step, %width
  %b.at = add i64 %b.begin, %j
  %pb = getelementptr inbounds double, ptr %b, i64 %b.at
  %vb = load double, ptr %pb
  %sum.next = call double @llvm.fmuladd.f64(double %va, double %vb, double %sum)
  %l.next = add nuw nsw i64 %l, 1
  %l.more = icmp ult i64 %l.next, %inner
  br i1 %l.more, label %walk, label %behind
behind:
  %all.next = phi double [ %sum.next, %walk ]
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %outer
  br i1 %k.more, label %around, label %after
after:
  %pc = getelementptr inbounds double, ptr %c, i64 %index
  store double %all.next, ptr %pc
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
