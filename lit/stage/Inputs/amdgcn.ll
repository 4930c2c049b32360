; What tests of staging for an AMD GPU begin with; see nvptx.ll.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@__omp_offloading_1_2_k_l3_kernel_environment = weak_odr addrspace(1) constant { { i8, i8, i8, i32, i32, i32, i32, i32, i32 }, ptr, ptr } { { i8, i8, i8, i32, i32, i32, i32, i32, i32 } { i8 0, i8 0, i8 2, i32 1, i32 256, i32 0, i32 0, i32 0, i32 0 }, ptr null, ptr null }

declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "kernel" "omp_target_thread_limit"="256" "target-cpu"="gfx90a" }
