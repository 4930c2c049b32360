; The loop of ranges-nvptx.ll as Clang emits it for AMD GPUs, where variables are
; in an address space of their own: the range is the same.
;
;   struct Row { double *Data; int First; };
;   #pragma omp target teams distribute parallel for
;     for (int I = 0; I < N; ++I)
;       R.Data[R.First + I] = 0;
;
; RUN: %opt -disable-output '-passes=print<ferry-access-paths>' %s 2>&1 | FileCheck %s

; CHECK:      argument 1: read
; CHECK-NEXT:   [+0] written, bytes (sext64(i32 argument 1[+8]) * 8) to ((signed32((sext64(i32 argument 1[+8]) + unsigned64((zext64(trunc32(i64 argument 0)) + -1)))) * 8) + 7){{$}}

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

%struct.Row = type { ptr, i32 }

define weak_odr protected amdgpu_kernel void @__omp_offloading_1_2_run_l3(ptr noalias noundef %0, i64 noundef %1, ptr noundef nonnull align 8 dereferenceable(16) %2) {
  %4 = alloca ptr, align 8, addrspace(5)
  %5 = alloca i64, align 8, addrspace(5)
  %6 = alloca ptr, align 8, addrspace(5)
  %7 = alloca i64, align 8, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = addrspacecast ptr addrspace(5) %4 to ptr
  %11 = addrspacecast ptr addrspace(5) %5 to ptr
  %12 = addrspacecast ptr addrspace(5) %6 to ptr
  %13 = addrspacecast ptr addrspace(5) %7 to ptr
  %14 = addrspacecast ptr addrspace(5) %8 to ptr
  %15 = addrspacecast ptr addrspace(5) %9 to ptr
  store ptr %0, ptr %10, align 8
  store i64 %1, ptr %11, align 8
  store ptr %2, ptr %12, align 8
  %16 = load ptr, ptr %12, align 8
  %17 = call i32 @__kmpc_target_init(ptr null, ptr %0)
  %18 = icmp eq i32 %17, -1
  br i1 %18, label %19, label %23

19:
  %20 = call i32 @__kmpc_global_thread_num(ptr null)
  %21 = load i32, ptr %11, align 4
  store i32 %21, ptr %13, align 4
  %22 = load i64, ptr %13, align 8
  store i32 0, ptr %14, align 4
  store i32 %20, ptr %15, align 4
  call void @__omp_offloading_1_2_run_l3_teams(ptr %15, ptr %14, i64 %22, ptr %16)
  call void @__kmpc_target_deinit()
  ret void

23:
  ret void
}

define internal void @__omp_offloading_1_2_run_l3_teams(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2, ptr noundef nonnull align 8 dereferenceable(16) %3) {
  %5 = alloca ptr, align 8, addrspace(5)
  %6 = alloca ptr, align 8, addrspace(5)
  %7 = alloca i64, align 8, addrspace(5)
  %8 = alloca ptr, align 8, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = alloca i32, align 4, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = alloca i32, align 4, addrspace(5)
  %13 = alloca i32, align 4, addrspace(5)
  %14 = alloca i32, align 4, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = alloca i32, align 4, addrspace(5)
  %17 = alloca i32, align 4, addrspace(5)
  %18 = alloca i32, align 4, addrspace(5)
  %19 = alloca i64, align 8, addrspace(5)
  %20 = alloca [4 x ptr], align 8, addrspace(5)
  %21 = addrspacecast ptr addrspace(5) %5 to ptr
  %22 = addrspacecast ptr addrspace(5) %6 to ptr
  %23 = addrspacecast ptr addrspace(5) %7 to ptr
  %24 = addrspacecast ptr addrspace(5) %8 to ptr
  %25 = addrspacecast ptr addrspace(5) %9 to ptr
  %26 = addrspacecast ptr addrspace(5) %10 to ptr
  %27 = addrspacecast ptr addrspace(5) %11 to ptr
  %28 = addrspacecast ptr addrspace(5) %12 to ptr
  %29 = addrspacecast ptr addrspace(5) %13 to ptr
  %30 = addrspacecast ptr addrspace(5) %14 to ptr
  %31 = addrspacecast ptr addrspace(5) %15 to ptr
  %32 = addrspacecast ptr addrspace(5) %16 to ptr
  %33 = addrspacecast ptr addrspace(5) %17 to ptr
  %34 = addrspacecast ptr addrspace(5) %18 to ptr
  %35 = addrspacecast ptr addrspace(5) %19 to ptr
  %36 = addrspacecast ptr addrspace(5) %20 to ptr
  store ptr %0, ptr %21, align 8
  store ptr %1, ptr %22, align 8
  store i64 %2, ptr %23, align 8
  store ptr %3, ptr %24, align 8
  %37 = load ptr, ptr %24, align 8
  %38 = load i32, ptr %23, align 4
  store i32 %38, ptr %27, align 4
  %39 = load i32, ptr %27, align 4
  %40 = sub nsw i32 %39, 0
  %41 = sdiv i32 %40, 1
  %42 = sub nsw i32 %41, 1
  store i32 %42, ptr %28, align 4
  store i32 0, ptr %29, align 4
  %43 = load i32, ptr %27, align 4
  %44 = icmp slt i32 0, %43
  br i1 %44, label %45, label %105

45:
  store i32 0, ptr %30, align 4
  %46 = load i32, ptr %28, align 4
  store i32 %46, ptr %31, align 4
  store i32 1, ptr %32, align 4
  store i32 0, ptr %33, align 4
  %47 = call i32 @__kmpc_get_hardware_num_threads_in_block()
  %48 = load ptr, ptr %21, align 8
  %49 = load i32, ptr %48, align 4
  call void @__kmpc_distribute_static_init_4(ptr null, i32 %49, i32 91, ptr %33, ptr %30, ptr %31, ptr %32, i32 1, i32 %47)
  %50 = load i32, ptr %31, align 4
  %51 = load i32, ptr %28, align 4
  %52 = icmp sgt i32 %50, %51
  br i1 %52, label %53, label %55

53:
  %54 = load i32, ptr %28, align 4
  br label %57

55:
  %56 = load i32, ptr %31, align 4
  br label %57

57:
  %58 = phi i32 [ %54, %53 ], [ %56, %55 ]
  store i32 %58, ptr %31, align 4
  %59 = load i32, ptr %30, align 4
  store i32 %59, ptr %25, align 4
  br label %60

60:
  %61 = load i32, ptr %25, align 4
  %62 = load i32, ptr %28, align 4
  %63 = add nsw i32 %62, 1
  %64 = icmp slt i32 %61, %63
  br i1 %64, label %65, label %101

65:
  %66 = load i32, ptr %30, align 4
  %67 = zext i32 %66 to i64
  %68 = load i32, ptr %31, align 4
  %69 = zext i32 %68 to i64
  %70 = load i32, ptr %23, align 4
  store i32 %70, ptr %35, align 4
  %71 = load i64, ptr %35, align 8
  %72 = getelementptr inbounds [4 x ptr], ptr %36, i64 0, i64 0
  %73 = inttoptr i64 %67 to ptr
  store ptr %73, ptr %72, align 8
  %74 = getelementptr inbounds [4 x ptr], ptr %36, i64 0, i64 1
  %75 = inttoptr i64 %69 to ptr
  store ptr %75, ptr %74, align 8
  %76 = getelementptr inbounds [4 x ptr], ptr %36, i64 0, i64 2
  %77 = inttoptr i64 %71 to ptr
  store ptr %77, ptr %76, align 8
  %78 = getelementptr inbounds [4 x ptr], ptr %36, i64 0, i64 3
  store ptr %37, ptr %78, align 8
  %79 = load ptr, ptr %21, align 8
  %80 = load i32, ptr %79, align 4
  call void @__kmpc_parallel_51(ptr null, i32 %80, i32 1, i32 -1, i32 -1, ptr @__omp_offloading_1_2_run_l3_parallel, ptr null, ptr %36, i64 4)
  br label %81

81:
  %82 = load i32, ptr %25, align 4
  %83 = load i32, ptr %32, align 4
  %84 = add nsw i32 %82, %83
  store i32 %84, ptr %25, align 4
  %85 = load i32, ptr %30, align 4
  %86 = load i32, ptr %32, align 4
  %87 = add nsw i32 %85, %86
  store i32 %87, ptr %30, align 4
  %88 = load i32, ptr %31, align 4
  %89 = load i32, ptr %32, align 4
  %90 = add nsw i32 %88, %89
  store i32 %90, ptr %31, align 4
  %91 = load i32, ptr %31, align 4
  %92 = load i32, ptr %28, align 4
  %93 = icmp sgt i32 %91, %92
  br i1 %93, label %94, label %96

94:
  %95 = load i32, ptr %28, align 4
  br label %98

96:
  %97 = load i32, ptr %31, align 4
  br label %98

98:
  %99 = phi i32 [ %95, %94 ], [ %97, %96 ]
  store i32 %99, ptr %31, align 4
  %100 = load i32, ptr %30, align 4
  store i32 %100, ptr %25, align 4
  br label %60

101:
  br label %102

102:
  %103 = load ptr, ptr %21, align 8
  %104 = load i32, ptr %103, align 4
  call void @__kmpc_distribute_static_fini(ptr null, i32 %104)
  br label %105

105:
  ret void
}

define internal void @__omp_offloading_1_2_run_l3_parallel(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4, ptr noundef nonnull align 8 dereferenceable(16) %5) {
  %7 = alloca ptr, align 8, addrspace(5)
  %8 = alloca ptr, align 8, addrspace(5)
  %9 = alloca i64, align 8, addrspace(5)
  %10 = alloca i64, align 8, addrspace(5)
  %11 = alloca i64, align 8, addrspace(5)
  %12 = alloca ptr, align 8, addrspace(5)
  %13 = alloca i32, align 4, addrspace(5)
  %14 = alloca i32, align 4, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = alloca i32, align 4, addrspace(5)
  %17 = alloca i32, align 4, addrspace(5)
  %18 = alloca i32, align 4, addrspace(5)
  %19 = alloca i32, align 4, addrspace(5)
  %20 = alloca i32, align 4, addrspace(5)
  %21 = alloca i32, align 4, addrspace(5)
  %22 = alloca i32, align 4, addrspace(5)
  %23 = addrspacecast ptr addrspace(5) %7 to ptr
  %24 = addrspacecast ptr addrspace(5) %8 to ptr
  %25 = addrspacecast ptr addrspace(5) %9 to ptr
  %26 = addrspacecast ptr addrspace(5) %10 to ptr
  %27 = addrspacecast ptr addrspace(5) %11 to ptr
  %28 = addrspacecast ptr addrspace(5) %12 to ptr
  %29 = addrspacecast ptr addrspace(5) %13 to ptr
  %30 = addrspacecast ptr addrspace(5) %14 to ptr
  %31 = addrspacecast ptr addrspace(5) %15 to ptr
  %32 = addrspacecast ptr addrspace(5) %16 to ptr
  %33 = addrspacecast ptr addrspace(5) %17 to ptr
  %34 = addrspacecast ptr addrspace(5) %18 to ptr
  %35 = addrspacecast ptr addrspace(5) %19 to ptr
  %36 = addrspacecast ptr addrspace(5) %20 to ptr
  %37 = addrspacecast ptr addrspace(5) %21 to ptr
  %38 = addrspacecast ptr addrspace(5) %22 to ptr
  store ptr %0, ptr %23, align 8
  store ptr %1, ptr %24, align 8
  store i64 %2, ptr %25, align 8
  store i64 %3, ptr %26, align 8
  store i64 %4, ptr %27, align 8
  store ptr %5, ptr %28, align 8
  %39 = load ptr, ptr %28, align 8
  %40 = load i32, ptr %27, align 4
  store i32 %40, ptr %31, align 4
  %41 = load i32, ptr %31, align 4
  %42 = sub nsw i32 %41, 0
  %43 = sdiv i32 %42, 1
  %44 = sub nsw i32 %43, 1
  store i32 %44, ptr %32, align 4
  store i32 0, ptr %33, align 4
  %45 = load i32, ptr %31, align 4
  %46 = icmp slt i32 0, %45
  br i1 %46, label %47, label %82

47:
  store i32 0, ptr %34, align 4
  %48 = load i32, ptr %32, align 4
  store i32 %48, ptr %35, align 4
  %49 = load i64, ptr %25, align 8
  %50 = trunc i64 %49 to i32
  %51 = load i64, ptr %26, align 8
  %52 = trunc i64 %51 to i32
  store i32 %50, ptr %34, align 4
  store i32 %52, ptr %35, align 4
  store i32 1, ptr %36, align 4
  store i32 0, ptr %37, align 4
  %53 = load ptr, ptr %23, align 8
  %54 = load i32, ptr %53, align 4
  call void @__kmpc_for_static_init_4(ptr null, i32 %54, i32 33, ptr %37, ptr %34, ptr %35, ptr %36, i32 1, i32 1)
  %55 = load i32, ptr %34, align 4
  store i32 %55, ptr %29, align 4
  br label %56

56:
  %57 = load i32, ptr %29, align 4
  %58 = sext i32 %57 to i64
  %59 = load i64, ptr %26, align 8
  %60 = icmp ule i64 %58, %59
  br i1 %60, label %61, label %78

61:
  %62 = load i32, ptr %29, align 4
  %63 = mul nsw i32 %62, 1
  %64 = add nsw i32 0, %63
  store i32 %64, ptr %38, align 4
  %65 = getelementptr inbounds %struct.Row, ptr %39, i32 0, i32 0
  %66 = load ptr, ptr %65, align 8
  %67 = getelementptr inbounds %struct.Row, ptr %39, i32 0, i32 1
  %68 = load i32, ptr %67, align 8
  %69 = load i32, ptr %38, align 4
  %70 = add nsw i32 %68, %69
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds double, ptr %66, i64 %71
  store double 0.000000e+00, ptr %72, align 8
  br label %73

73:
  br label %74

74:
  %75 = load i32, ptr %29, align 4
  %76 = load i32, ptr %36, align 4
  %77 = add nsw i32 %75, %76
  store i32 %77, ptr %29, align 4
  br label %56

78:
  br label %79

79:
  %80 = load ptr, ptr %23, align 8
  %81 = load i32, ptr %80, align 4
  call void @__kmpc_for_static_fini(ptr null, i32 %81)
  br label %82

82:
  ret void
}

declare i32 @__kmpc_target_init(ptr, ptr)
declare i32 @__kmpc_get_hardware_num_threads_in_block()
declare void @__kmpc_distribute_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)
declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)
declare void @__kmpc_for_static_fini(ptr, i32)
declare void @__kmpc_parallel_51(ptr, i32, i32, i32, i32, ptr, ptr, ptr, i64)
declare void @__kmpc_distribute_static_fini(ptr, i32)
declare i32 @__kmpc_global_thread_num(ptr)
declare void @__kmpc_target_deinit()

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"openmp-device", i32 51}
