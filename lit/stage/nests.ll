; A matrix product with a thread for each element: the block takes tiles of it,
; and brings the rows and columns that a tile needs through shared memory. From
; sm_80 on it copies those of the next steps meanwhile. On an H100 larger tiles
; are the other version, where there are enough of them.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll > %t.async.ll
; RUN: sed 's/sm_90/sm_70/' %t.async.ll > %t.in.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.in.ll -o %t.ll -pass-remarks=ferry \
; RUN:   2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll --check-prefixes=CHECK,LLVM%llvm_version
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=STEP
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=TOGETHER
; RUN: sed 's/sm_90/sm_80/' %t.async.ll | %opt -S -passes=ferry-stage,verify -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=ASYNC
; RUN: %opt -S -passes=ferry-stage,verify %t.async.ll \
; RUN:   | FileCheck %s --check-prefix=VERSIONS
; With room for one panel only, of the fewest steps for the smallest block, they
; are copied at once.
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage-max-bytes=1600 %t.async.ll \
; RUN:   | FileCheck %s --check-prefix=SMALL
; An index that may wrap is not taken for neighbours in memory unseen.
; RUN: sed -e 's/%b.at = add i64 %b.begin, %j/%j.up = add i64 %j, 1\n%j.16 = trunc i64 %j.up to i16\n%j.64 = zext i16 %j.16 to i64\n%b.at = add i64 %b.begin, %j.64/' \
; RUN:   %t.in.ll | %opt -S -passes=ferry-stage,verify | FileCheck %s --check-prefix=WRAPS%llvm_version
; Chunks may be as long as the block is, and no other way.
; RUN: sed -e 's/%begin = shl nuw nsw i64 %block.wide, 7/%asked = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n%chunk = zext nneg i32 %asked to i64\n%begin = mul nuw nsw i64 %block.wide, %chunk/' \
; RUN:   -e 's/shl nuw nsw i64 %blocks.wide, 7/mul nuw nsw i64 %blocks.wide, %chunk/' \
; RUN:   -e 's/%chunk.end = or disjoint i64 %begin, 127/%most = add nsw i64 %chunk, -1\n%chunk.end = add nuw nsw i64 %most, %begin/' %t.in.ll > %t.asked.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.asked.ll | FileCheck %s --check-prefix=ASKED
; RUN: sed 's/%chunk, -1/%chunk, -2/' %t.asked.ll | %opt -S -passes=ferry-stage \
; RUN:   | FileCheck %s --check-prefix=OTHER
; ASKED: br i1 %{{.*}}, label %ferry.tiles, label %distribute
; OTHER-NOT: ferry.tiles
; Whether an iteration is beyond the chunk may be asked either way round.
; RUN: sed -e 's/%none = icmp ugt i64 %first, %upper/%none = icmp ult i64 %upper, %first/' \
; RUN:   -e 's/%done = icmp ugt i64 %index.next, %upper/%done = icmp ult i64 %upper, %index.next/' %t.in.ll \
; RUN:   | %opt -S -passes=ferry-stage,verify | FileCheck %s --check-prefix=ASKED
; REMARK: remark: {{.*}} staged 2 loads through 12544 bytes of shared memory of the block, for tiles of up to 64 x 32 iterations, 4 x 4 a thread, 16 steps at a time; predicted for Tesla V100-SXM2-16GB: 1.0 instead of 4.0 clocks of a multiprocessor for an iteration of a warp, limited by fp64 instead of l2

; Through registers, all of a panel is read before any of it is written, without
; a branch for what only some threads have.
; TOGETHER:         ferry.copy.chunks:
; TOGETHER-NOT:     store
; TOGETHER-COUNT-4: load <4 x i32>
; TOGETHER-COUNT-4: store <4 x i32>
; TOGETHER:         ferry.copy.chunks{{[0-9]+}}:
; TOGETHER-NEXT:    br i1 {{.*}}, label %[[DONE:.*]], label %[[ALL:.*]]
; TOGETHER:         {{^}}[[ALL]]:
; TOGETHER-NOT:     br i1
; TOGETHER:         br label %[[DONE]]

; 64 rows of 16 steps, 16 bytes more for each four of them; 16 steps of 32
; columns.
; CHECK: @ferry.tile = internal addrspace(3) global [12544 x i8] poison, align 16
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK-NOT:   __ferry_stage_
; The total is the product of rows and columns, so it is not divided.
; CHECK:       %total = mul nuw nsw i64 %rows, %width
; CHECK-NOT:   udiv i64
; CHECK-NOT:   icmp eq ptr
; CHECK:       br i1 %{{.*}}, label %ferry.tiles, label %distribute
; The loop as it was is the other version.
; CHECK:       walk:
; CHECK:         load double, ptr %pa
; CHECK:         load double, ptr %pb
; CHECK:         br i1 %k.more, label %walk, label %after
; Tiles are dealt out to blocks that have a chunk at least.
; CHECK:       ferry.tiles:
; LLVM19:        %[[NUMBER:.*]] = {{.*}}call{{.*}} i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; LLVM19:        %[[BLOCKS:.*]] = zext nneg i32 %[[NUMBER]] to i64
; LLVM19:        call i64 @llvm.umin.i64(i64 %[[BLOCKS]], i64 %{{.*}})
; 22 sees that the kernel has that number already.
; LLVM22:        call i64 @llvm.umin.i64(i64 %blocks.wide, i64 %{{.*}})
; A thread copies 16 bytes of a row where they are aligned, else element by
; element.
; CHECK:       ferry.copy.chunks:
; CHECK-COUNT-4: load <4 x i32>, ptr %{{.*}}, align 16
; CHECK:       ferry.copy.places:
; CHECK-COUNT-8: load double, ptr %{{.*}}, align 8
; What is beyond the end is not written.
; CHECK:       br i1 %{{.*}}, label %ferry.post{{.*}}, label %ferry.finished
; CHECK:       ferry.post:
; CHECK:         store double

; In four steps a thread reads 4 rows and 4 columns each, 16 bytes at a time,
; for 16 elements of the product.
; STEP:          ferry.steps:
; STEP:            load <2 x double>, ptr addrspace(3) %{{.*}}, align 16
; STEP-NOT:        br i1
; STEP-COUNT-64:   call double @llvm.fmuladd.f64(
; STEP-NOT:        call double
; STEP:            br i1 %{{.*}}, label %ferry.steps, label %ferry.stepped

; Two panels. The first one is copied before the loop over panels; there a
; thread waits for its part of one before it begins to copy the next one. Tiles
; of 2 x 2 elements a thread come first in the code.
; ASYNC:       @ferry.tile = internal addrspace(3) global [25088 x i8] poison, align 16
; ASYNC:       ferry.copy.chunks:
; ASYNC-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.16(
; ASYNC:       ferry.copy.places:
; ASYNC-COUNT-4: call void @llvm.nvvm.cp.async.ca.shared.global.8(
; ASYNC:       call void @llvm.nvvm.cp.async.commit.group()
; ASYNC-NEXT:  br label %ferry.panel
; ASYNC:       ferry.panel:
; ASYNC:         call void @llvm.nvvm.cp.async.wait.group(i32 0)
; ASYNC-NEXT:    call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; ASYNC-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.16(
; ASYNC:         call void @llvm.nvvm.cp.async.commit.group()
; What is left behind whole panels.
; ASYNC:       ferry.rest.some:
; ASYNC:         call void @llvm.nvvm.cp.async.wait.group(i32 0)
; ASYNC-NEXT:    call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; ASYNC-NOT:   call void @llvm.nvvm.cp.async
; ASYNC:       ferry.step{{[0-9]*}}:

; Launches whose steps do not make up for what choosing a version takes have the
; loop at once. The larger tiles are asked for first, by how many of them each of 132
; multiprocessors has.
; VERSIONS:      %[[ALL:.*]] = mul i64 %total, %{{.*}}
; VERSIONS-NEXT: icmp ugt i64 %[[ALL]], 32767999
; VERSIONS-NEXT: icmp ugt i64 %steps, 30
; VERSIONS:      br i1 %{{.*}}, label %ferry.choice, label %distribute
; VERSIONS:      ferry.choice:
; All versions are compared for the same part of a large product.
; VERSIONS:      call i64 @llvm.umin.i64(i64 %rows, i64 8192)
; VERSIONS:      udiv i32 %{{.*}}, 132
; VERSIONS:      udiv i32 %{{.*}}, 132
; VERSIONS:      br i1 %{{.*}}, label %ferry.tiles{{[0-9]+}}, label %ferry.otherwise
; VERSIONS:      ferry.otherwise:
; VERSIONS:        br i1 %{{.*}}, label %ferry.tiles, label %distribute
; Tests take tiles wherever they can.
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.async.ll | FileCheck %s --check-prefix=ALWAYS
; A value from step to step may become a constant.
; RUN: sed 's/^  \x25sum = phi .*/&\n  \x25flag = phi double [ 0.0, \x25iteration ], [ 1.0, \x25walk ]/; s/double \x25sum)/double \x25both)/; s/^  \x25sum.next = call/  \x25both = fadd double \x25sum, \x25flag\n&/' %t.async.ll > %t.constant.ll
; RUN: grep 'phi double .* 1.0' %t.constant.ll && %opt -passes=ferry-stage,verify -disable-output %t.constant.ll -pass-remarks=ferry 2>&1 | grep 'staged 2 loads'
; ALWAYS-NOT:    ferry.choice
; ALWAYS:        label %ferry.tiles, label %distribute

; SMALL:       @ferry.tile = internal addrspace(3) global [1600 x i8]
; SMALL-NOT:   call void @llvm.nvvm.cp.async

; WRAPS19:   icmp eq ptr
; 22 compares what is added to the pointers.
; WRAPS22:   and i64 %{{.*}}, 65535
; WRAPS22:   icmp eq i64 %
; WRAPS22:   and i1 %
; WRAPS22:   icmp eq i64 %
; WRAPS22:   and i1 %
