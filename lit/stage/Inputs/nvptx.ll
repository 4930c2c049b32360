; What the tests of staging begin with: an NVIDIA GPU, the environment that says
; that the kernel runs in SPMD mode, and what kernels call.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__omp_offloading_1_2_k_l3_kernel_environment = weak_odr constant { { i8, i8, i8, i32, i32, i32, i32, i32, i32 }, ptr, ptr } { { i8, i8, i8, i32, i32, i32, i32, i32, i32 } { i8 0, i8 0, i8 2, i32 1, i32 128, i32 0, i32 0, i32 0, i32 0 }, ptr null, ptr null }

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0() convergent

attributes #0 = { "kernel" "omp_target_thread_limit"="128" "target-cpu"="sm_90" }
