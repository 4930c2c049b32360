; Launches that are odd but can be rewritten: what the pass reads is known, and
; what it does not know it leaves to run time. The IR stays correct.
;
; Sizes that are not a constant array of the right length.
; RUN: sed 's/^@sizes = .*/@sizes = private constant [2 x i64] [i64 24, i64 0]/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s
; RUN: sed 's/^@sizes = .*/@sizes = private global [3 x i64] zeroinitializer/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s
; RUN: sed 's/^@sizes = .*/@sizes = private constant [3 x i32] zeroinitializer/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s
; RUN: sed 's/store ptr @sizes/store ptr null/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s
; RUN: sed 's/store ptr @sizes/store ptr undef/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s

; The result is not used, or is used by a phi.
; RUN: sed -e 's/%%bad = icmp ne i32 %%rc, 0/%%bad = icmp ne i32 0, 0/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s

; The argument block is where its fields are stored, whatever way leads there.
; RUN: sed 's/%%block.num = .*/%%block.num = getelementptr i8, ptr %%block, i64 4/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s
; RUN: sed 's/%%block.version = .*/%%block.version = getelementptr i8, ptr %%block.num.x, i64 -4/; s/%%block = alloca.*/&\n  %%block.num.x = getelementptr i8, ptr %%block, i64 4/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s

; CHECK: call ptr @__ferry_launch_begin(
; CHECK-NEXT: call i32 @__tgt_target_kernel(
; CHECK-NEXT: call void @__ferry_launch_end(

; Without a host version, or without a call of it, the offload arrays have the
; closure.
; RUN: sed '/call void @__omp_offloading/d' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=ARRAYS
; RUN: sed -e '/call void @__omp_offloading/d' -e '/^define internal/,/^}/d' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=ARRAYS
; RUN: sed 's/call void @__omp_offloading_1_2_run_l2(ptr %%f)/call void @__omp_offloading_1_2_run_l2(ptr %%f, i32 0)/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=ARRAYS

; A host version without a body: the whole layout is carried over.
; RUN: sed -e '/^define internal/,/^}/d' -e '$a declare void @__omp_offloading_1_2_run_l2(ptr)' %S/Inputs/by-value.ll > %t.bodiless.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %t.bodiless.ll | FileCheck %s --check-prefix=ARRAYS
; RUN: %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-access-paths>,print<ferry-launch-plan>' %t.bodiless.ll | FileCheck %s --check-prefix=BODILESS

; ARRAYS: store ptr null, ptr %{{[0-9]+}}
; ARRAYS-NEXT: call ptr @__ferry_launch_begin(

; BODILESS-NOT: access paths of
; BODILESS: launch of __omp_offloading_1_2_run_l2: unknown-uses
; BODILESS: object 0: variable, 24 bytes
; BODILESS-NEXT: +0: dereferenced end
; BODILESS-NEXT: +8: dereferenced end

; Types say that nothing is an argument: nothing to do, whatever is described.
; RUN: sed -e 's/i64 673,/i64 128,/' -e 's/noundef nonnull align 8 dereferenceable(24) %%f) noinline/) noinline/' -e '/%%f.addr/d' -e 's/ptr align 8 %%this/ptr align 8 %%copy/' -e 's/@__omp_offloading_1_2_run_l2(ptr %%f)/@__omp_offloading_1_2_run_l2()/;s/@__omp_offloading_1_2_run_l2(ptr )/@__omp_offloading_1_2_run_l2()/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=NOTHING

; NOTHING-NOT: __ferry_launch

; Annotations that describe another argument, none, or one that is an integer.
; RUN: sed 's/argument\\22:0/argument\\22:7/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=NOTHING
; RUN: sed 's/i64 673,/i64 800,/; s/ptr noundef nonnull align 8 dereferenceable(24) %%f) noinline/i64 %%f) noinline/; /store ptr %%f, ptr %%f.addr/d; s/run_l2(ptr %%f)/run_l2(i64 0)/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=NOTHING

; The printers see what ferry-map does not touch: another host, 32 bits.
; RUN: sed 's/^target datalayout.*/target datalayout = "e-p:32:32"/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-access-paths>,print<ferry-launch-plan>' | FileCheck %s --check-prefix=PRINT
; RUN: sed '/^target/d' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-access-paths>,print<ferry-launch-plan>' | FileCheck %s --check-prefix=PRINT

; PRINT: access paths of __omp_offloading_1_2_run_l2:
; PRINT: launch of __omp_offloading_1_2_run_l2:
