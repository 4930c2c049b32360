; In the task of a `nowait` construct the offload arrays lead to the frame that
; created it, which may be gone. The host fallback's argument leads to the task's
; own copy, and is what counts, if it is there when the launch is made.
; RUN: sed 's/call void @__omp_offloading_1_2_run_l2(ptr %%f)/call void @__omp_offloading_1_2_run_l2(ptr %%unused)/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s -DSOURCE=%%unused
; RUN: sed 's/call void @__omp_offloading_1_2_run_l2(ptr %%f)/%%late = getelementptr i8, ptr %%f, i64 0\n  call void @__omp_offloading_1_2_run_l2(ptr %%late)/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s -DSOURCE=null

; CHECK: store ptr [[SOURCE]], ptr %[[S:[0-9]+]]
; CHECK-NEXT: call ptr @__ferry_launch_begin(
