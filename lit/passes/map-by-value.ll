; A closure by value: the calls around the launch, the plan, and what stays.
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %S/Inputs/by-value.ll -o %t.ll
; RUN: FileCheck %s --check-prefixes=CHECK,LLVM%llvm_version --input-file=%t.ll --implicit-check-not=ferry.region

; The launch runtime comes as assembly, in a section group, and exports nothing.
; CHECK:      module asm ".ifndef __ferry_launch_begin"
; CHECK:      module asm ".section .text.ferry_launch,\22axG\22,@progbits,__ferry_launch_begin,comdat"
; CHECK-NEXT: module asm "{{.*}}.hidden{{.*}}__ferry_launch_begin
; CHECK:      module asm "{{.*}}.hidden{{.*}}__ferry_launch_end
; CHECK:      module asm ".endif"

; The fields are those of runtime/include/ferry/LaunchPlan.h. One root: entry 0,
; kept as entry 0, object 0.
; CHECK: @ferry.roots = private unnamed_addr constant [1 x { i32, i32, i32, i32 }] zeroinitializer, align 8
; One variable of 24 bytes, aligned to 8, with one slot.
; CHECK: @ferry.objects = private unnamed_addr constant [1 x
; CHECK-SAME: { i64 0, i64 24, i32 8, i32 1, i32 0, i32 1 }
; The slot: a pointer at 0 that is dereferenced, with neither child nor partner.
; CHECK: @ferry.slots = private unnamed_addr constant [1 x
; CHECK-SAME: { i64 0,{{.*}} i32 -1, i32 -1, i32 1, i32 0 }
; The entries that Clang made for the captured pointers are not kept. One that
; does nothing has the closure sent without a detour.
; CHECK: @ferry.entries = private unnamed_addr constant [2 x i32] zeroinitializer
; CHECK: @ferry.types = private unnamed_addr constant [2 x i64] [i64 673, i64 281474976710912]
; CHECK: @ferry.plan = private unnamed_addr constant
; CHECK-SAME: { i32 1, i32 1, i32 1, i32 2,
; CHECK-SAME: ptr @ferry.roots, ptr @ferry.objects, ptr @ferry.slots, ptr null, ptr @ferry.entries, ptr @ferry.types, ptr null }, align 8

; Annotations that are not Ferry's stay.
; CHECK: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
; CHECK-SAME: { ptr @run, ptr @hot, ptr @file, i32 1, ptr null }], section "llvm.metadata"

; CHECK-LABEL: define void @run(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %ferry.workspace = alloca [[[WS:[0-9]+]] x i8], align 16
; CHECK-NEXT:    %ferry.sources = alloca [1 x ptr]
; The program's own arrays are still filled, for the device may not be there.
; CHECK:         store ptr @types, ptr %block.types
; LLVM19:     call void @llvm.lifetime.start.p0(i64 [[WS]], ptr %ferry.workspace)
; LLVM22:     call void @llvm.lifetime.start.p0(ptr %ferry.workspace)
; LLVM19-NEXT:     call void @llvm.lifetime.start.p0(i64 8, ptr %ferry.sources)
; LLVM22-NEXT:     call void @llvm.lifetime.start.p0(ptr %ferry.sources)
; CHECK-NEXT:    %[[S:.*]] = getelementptr inbounds [1 x ptr], ptr %ferry.sources, i64 0, i64 0
; The closure is taken from the host fallback's argument.
; CHECK-NEXT:    store ptr %f, ptr %[[S]]
; CHECK-NEXT:    %ferry.args = call ptr @__ferry_launch_begin(ptr @ferry.plan, ptr @ident, i64 -1, ptr %block, ptr %ferry.sources, ptr %ferry.workspace, i64 [[WS]])
; CHECK-NEXT:    %rc = call i32 @__tgt_target_kernel(ptr @ident, i64 -1, i32 -1, i32 0, ptr @.__omp_offloading_1_2_run_l2.region_id, ptr %ferry.args)
; CHECK-NEXT:    call void @__ferry_launch_end(ptr %ferry.workspace, i32 %rc)
; LLVM19-NEXT:     call void @llvm.lifetime.end.p0(i64 8, ptr %ferry.sources)
; LLVM22-NEXT:     call void @llvm.lifetime.end.p0(ptr %ferry.sources)
; LLVM19-NEXT:     call void @llvm.lifetime.end.p0(i64 [[WS]], ptr %ferry.workspace)
; LLVM22-NEXT:     call void @llvm.lifetime.end.p0(ptr %ferry.workspace)
; The host fallback has the original closure.
; CHECK:       omp_offload.failed:
; CHECK-NEXT:    call void @__omp_offloading_1_2_run_l2(ptr %f)

; CHECK: declare hidden ptr @__ferry_launch_begin(ptr, ptr, i64, ptr, ptr, ptr, i64)
; CHECK: declare hidden void @__ferry_launch_end(ptr, i32)

; The host version of the kernel is not changed, only looked at.
; RUN: llvm-extract -S --func=__omp_offloading_1_2_run_l2 --func=body %S/Inputs/by-value.ll -o - | sed '/^; ModuleID/d; /^source_filename/d' > %t.before
; RUN: sed '/^module asm/d' %t.ll | llvm-extract -S --func=__omp_offloading_1_2_run_l2 --func=body - -o - | sed '/^; ModuleID/d; /^source_filename/d' > %t.after
; RUN: diff %t.before %t.after

; An asynchronous launch needs the detour: libomptarget keeps a copy there.
; RUN: sed 's/store i64 0, ptr %%block.flags/store i64 1, ptr %%block.flags/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=NOWAIT
; RUN: sed 's/store i64 0, ptr %%block.flags/store i64 undef, ptr %%block.flags/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=NOWAIT
; RUN: sed '/store i64 0, ptr %%block.flags/d' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=NOWAIT
; NOWAIT: @ferry.types = private unnamed_addr constant [1 x i64] [i64 673]
