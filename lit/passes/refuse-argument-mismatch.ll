; The kernel does not take what the launch gives.
; RUN: sed -e 's/noundef nonnull align 8 dereferenceable(24) %%f) noinline/%%f, i64 %%more) noinline/' -e 's/call void @__omp_offloading_1_2_run_l2(ptr %%f)/call void @__omp_offloading_1_2_run_l2(ptr %%f, i64 0)/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/i64 673,/i64 641,/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:

; REMARK: remark: {{.*}}launch left as it is: the launch's arguments do not match its kernel's parameters [argument-mismatch]

; LEFT: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
; LEFT: {{(call|invoke)}} i32 @__tgt_target_kernel(
