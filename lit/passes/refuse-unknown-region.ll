; The launch does not name a region of this module.
; RUN: sed '/@__tgt_target_kernel(ptr @ident/s/@.__omp_offloading_1_2_run_l2.region_id/null/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/@.__omp_offloading_1_2_run_l2.region_id/@region/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/@__tgt_target_kernel(ptr @ident/s/ptr @.__omp_offloading_1_2_run_l2.region_id/ptr %%p/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:

; REMARK: remark: {{.*}}launch left as it is: the launch does not name a target region of this module [unknown-region]

; LEFT: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
; LEFT: {{(call|invoke)}} i32 @__tgt_target_kernel(
