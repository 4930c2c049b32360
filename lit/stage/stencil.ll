; A stencil: the block takes tiles of it, and copies what they read, with its
; halo, to shared memory.
; RUN: cat %S/Inputs/nvptx.ll %S/Inputs/stencil.ll > %t.async.ll
; RUN: sed 's/sm_90/sm_75/' %t.async.ll > %t.in.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.async.ll -o %t.ll -pass-remarks=ferry \
; RUN:   2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=ON
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.async.ll | FileCheck %s --check-prefix=PLAN
; Small launches are left as they were, unless all that is correct is staged.
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.in.ll -o %t.always.ll
; RUN: FileCheck %s --input-file=%t.always.ll --check-prefixes=CHECK,SYNC
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.async.ll | FileCheck %s --check-prefixes=CHECK,ASYNC
; Where an unsigned index would wrap, and where not all iterations read, a tile is
; left as it was.
; RUN: sed 's/%below.wide = sext i32 %below.at/%below.less = add i32 %below.at, -1 %below.wide = zext i32 %below.less/; s/-1 %/-1\n  %/' %t.in.ll > %t.unsigned.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.unsigned.ll | FileCheck %s --check-prefix=UNSIGNED
; RUN: sed 's/  br label %body/  %within = icmp ne i32 %i, 7 br i1 %within, label %body, label %next/; s/7 br/7\n  br/' %t.in.ll > %t.guard.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.guard.ll | FileCheck %s --check-prefixes=GUARD,GUARD%llvm_version
; What nobody uses does not matter.
; RUN: sed 's/  br label %body/  %unused = sub i64 %index, %i.begin2 br label %body/; s/%i.begin2 br/%i.begin2\n  br/; s/  %i = trunc/  %i.begin2 = mul i64 %i.wide, %rows\n  %i = trunc/' %t.in.ll > %t.dead.ll
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.dead.ll | llvm-as | %opt -S | FileCheck %s --check-prefixes=CHECK,SYNC
; REMARK: remark: {{.*}} staged 4 loads through 9360 bytes of shared memory of the block, for tiles of up to 16 x 64 iterations; 9.6 instead of 24.6 sectors that the block needs for 32 iterations; predicted for NVIDIA H100 80GB HBM3: {{[0-9.]+}} instead of {{[0-9.]+}} clocks of a multiprocessor for an iteration of a warp, limited by dram instead of l2
; PLAN:      stencil in tiles of up to 16 x 64 iterations, 9360 bytes; sectors that the block needs for 32 iterations: 24.6, staged 9.6
; PLAN-NEXT:   field: 4 loads, rows 0 to 2, columns 0 to 1
; PLAN-NEXT:   predicted for NVIDIA H100 80GB HBM3: {{[0-9.]+}} clocks (l2), staged {{[0-9.]+}} (dram)

; What is asked first: enough iterations, and as many columns as a tile has.
; ON:         before:
; ON:            %[[ENOUGH:.*]] = icmp sgt i64 %total, 655359
; ON-NEXT:       br i1 %[[ENOUGH]], label %ferry.choice, label %ferry.plain.loops, !prof
; ON:          ferry.choice:
; ON-NEXT:       %[[WIDE:.*]] = icmp sgt i64 %{{.*}}, 63
; ON-NEXT:       br i1 %[[WIDE]], label %ferry.choice{{[0-9]*}}, label %ferry.plain.loops, !prof

; 18 rows of 65 elements.
; CHECK:       @ferry.tile = internal addrspace(3) global [9360 x i8] poison, align 16
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK-NOT:   __ferry_stage_
; What is extended to 64 bits, rows * pitch + width + 2 * pitch, does not wrap.
; CHECK:       before:
; CHECK-DAG:     %[[PITCH:.*]] = sitofp i32 %{{.*}} to float
; CHECK-DAG:     %[[WIDTH:.*]] = sitofp i64 %{{width|[0-9]+}} to float
; CHECK-DAG:     %[[AREA:.*]] = fmul float %{{.*}}, %[[PITCH]]
; CHECK-DAG:     fmul float %{{.*}}, 2.000000e+00
; CHECK:         fcmp olt float %{{.*}}, 0x41DFF7CEE0000000
; CHECK-NOT:     icmp {{.*}} 524287
; CHECK:         br i1 %{{.*}}, label %ferry.tiles, label %distribute
; The loop as it was is the other version.
; CHECK:         %above = load double, ptr %above.p
; A tile waits for the last one's reads.
; CHECK:       ferry.tile.begin:
; CHECK:         call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; A warp copies a row: two elements each that all rows are read of.
; CHECK:       ferry.copy.element:
; SYNC:          %[[VALUE:.*]] = load double, ptr %
; SYNC-NEXT:     store double %[[VALUE]], ptr addrspace(3) %
; ASYNC:         call void @llvm.nvvm.cp.async.ca.shared.global.8(
; CHECK:       ferry.copy.element{{[0-9]+}}:
; SYNC:          load double, ptr %
; ASYNC:         call void @llvm.nvvm.cp.async.ca.shared.global.8(
; CHECK:       ferry.copied.sides:
; ASYNC-NEXT:    call void @llvm.nvvm.cp.async.commit.group()
; ASYNC-NEXT:    call void @llvm.nvvm.cp.async.wait.group(i32 0)
; CHECK-NEXT:    call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; CHECK-NOT:   ferry.column.done
; The next row's address is a step away.
; CHECK:         getelementptr i8, ptr %{{.*}}, i64 %
; What is right of them.
; CHECK:       ferry.copy.element{{[0-9]+}}:
; SYNC:          load double, ptr %
; ASYNC:         call void @llvm.nvvm.cp.async.ca.shared.global.8(
; An iteration reads shared memory only: the rows begin 520 bytes after each
; other.
; CHECK:       ferry.iteration:
; CHECK-NEXT:    load double, ptr addrspace(3) %
; CHECK-NEXT:    %[[OWN:.*]] = getelementptr i8, ptr addrspace(3) %[[AT:.*]], i64 520
; CHECK-NEXT:    load double, ptr addrspace(3) %[[OWN]]
; CHECK-NEXT:    %[[RIGHT:.*]] = getelementptr i8, ptr addrspace(3) %[[AT]], i64 528
; CHECK-NEXT:    load double, ptr addrspace(3) %[[RIGHT]]
; CHECK-NEXT:    %[[BELOW:.*]] = getelementptr i8, ptr addrspace(3) %[[AT]], i64 1040
; CHECK-NEXT:    load double, ptr addrspace(3) %[[BELOW]]
; CHECK-NOT:     load
; CHECK:         store double
; The next row has two of its four elements from this one.
; CHECK:       ferry.iteration{{[0-9]+}}:
; CHECK-COUNT-2: load double, ptr addrspace(3)
; CHECK-NOT:     load
; CHECK:         store double

; The least element is that of the first row, one before the first column.
; UNSIGNED:      ferry.tile.begin:
; UNSIGNED:        %[[YES:.*]] = icmp sgt i64 %{{.*}}, -1
; UNSIGNED-NEXT:   call void @llvm.nvvm.barrier{{0\(\)|\.cta\.sync\.aligned\.all\(i32 0\)}}
; UNSIGNED-NEXT:   br i1 %[[YES]], label %ferry.copy.fields, label %ferry.plain
; UNSIGNED:      ferry.iteration.plain:
; UNSIGNED-NOT:    addrspace(3)
; UNSIGNED:        store double
; UNSIGNED:      ferry.iteration{{[0-9]*}}:
; UNSIGNED:        load double, ptr addrspace(3)

; GUARD:         ferry.tile.begin:
; GUARD-NOT:     ferry.guard
; GUARD:           icmp ne i32 %{{.*}}, 7
; GUARD19:         %[[ALL:.*]] = call i32 @llvm.nvvm.barrier0.and(i32 %
; GUARD19:         icmp eq i32 %[[ALL]], 0
; GUARD19:         br i1 %{{.*}}, label %ferry.plain, label %ferry.copy.fields
; GUARD22:         %[[ALL:.*]] = call noundef i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %
; GUARD22:         br i1 %[[ALL]], label %ferry.copy.fields, label %ferry.plain
; GUARD:         ferry.iteration.plain:
; GUARD-NOT:       addrspace(3)
; GUARD:           store double
