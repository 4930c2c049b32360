; A matrix product with a thread for each element: the block takes tiles of it,
; and brings the rows and columns that a tile needs through shared memory. From
; sm_80 on it copies those of the next steps meanwhile.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/product.ll > %t.async.ll
; RUN: sed 's/sm_90/sm_75/' %t.async.ll > %t.in.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.in.ll -o %t.ll -pass-remarks=ferry \
; RUN:   2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll --check-prefixes=CHECK,LLVM%llvm_version
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=STEP
; RUN: %opt -S -passes=ferry-stage,verify %t.async.ll -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=ASYNC
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=STEP
; With room for one of each tile only they are copied at once.
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage-max-bytes=24831 %t.async.ll \
; RUN:   | FileCheck %s --check-prefixes=CHECK,LLVM%llvm_version
; REMARK: remark: {{.*}} staged 2 loads through 12416 bytes of shared memory of the block, for tiles of up to 64 x 32 iterations, 16 steps at a time

; 16 steps of 64 rows, padded by one element, and of 32 columns.
; CHECK-DAG: @ferry.tile = internal addrspace(3) global [8320 x i8] poison, align 16
; CHECK-DAG: @ferry.tile{{.+}} = internal addrspace(3) global [4096 x i8] poison, align 16
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK-NOT:   __ferry_stage_
; The rows are as many as the columns go into the whole, exactly.
; CHECK:       %[[ROWS:.*]] = udiv i64 %total,
; CHECK:       %[[WHOLE:.*]] = mul i64 %[[ROWS]], %width
; CHECK:       icmp eq i64 %[[WHOLE]], %total
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
; CHECK:       ferry.copy.element:
; CHECK:         load double, ptr %
; CHECK:         store double %{{.*}}, ptr addrspace(3) %
; CHECK:       call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; CHECK-NEXT:  br label %ferry.step
; What is beyond the end is not written.
; CHECK:       br i1 %{{.*}}, label %ferry.post{{.*}}, label %ferry.finished
; CHECK:       ferry.post:
; CHECK:         store double

; A thread reads 4 rows and 4 columns for 16 elements of the product.
; STEP:          ferry.step:
; STEP-COUNT-8:    load double, ptr addrspace(3)
; STEP-NOT:        load
; STEP-COUNT-16:   call double @llvm.fmuladd.f64(
; STEP-NOT:        call double
; STEP:            br i1 %{{.*}}, label %ferry.step, label %ferry.panel.next
; STEP:          ferry.panel.next:
; STEP-NEXT:       call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}

; Two tiles of rows and two of columns. The first ones are copied before the
; first panel; in a panel the next ones, before it waits for its own.
; ASYNC-DAG:   @ferry.tile = internal addrspace(3) global [16640 x i8] poison, align 16
; ASYNC-DAG:   @ferry.tile{{.+}} = internal addrspace(3) global [8192 x i8] poison, align 16
; ASYNC:       ferry.tile.begin:
; ASYNC-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.8(
; ASYNC:         call void @llvm.nvvm.cp.async.commit.group()
; ASYNC:         br label %ferry.panel
; ASYNC:       ferry.panel:
; ASYNC:         xor i64 %{{.*}}, 1
; ASYNC-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.8(
; ASYNC:         call void @llvm.nvvm.cp.async.commit.group()
; ASYNC-NEXT:    call void @llvm.nvvm.cp.async.wait.group(i32 1)
; ASYNC-NEXT:    call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; ASYNC-NEXT:    br label %ferry.step
; ASYNC-NOT:   call void @llvm.nvvm.cp.async
