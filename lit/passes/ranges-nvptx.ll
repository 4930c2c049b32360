; A loop as Clang emits it for NVIDIA GPUs: the teams take chunks of as many
; iterations as a block has threads, each thread one of them. Its range is that
; of the source's loop, from the first iteration to the last.
;
;   struct Row { double *Data; int First; };
;   #pragma omp target teams distribute parallel for
;     for (int I = 0; I < N; ++I)
;       R.Data[R.First + I] = 0;
;
; RUN: %opt -disable-output '-passes=print<ferry-access-paths>' %s 2>&1 | FileCheck %s

; CHECK:      argument 1: read
; CHECK-NEXT:   [+0] written, bytes (sext64(i32 argument 1[+8]) * 8) to ((signed32((sext64(i32 argument 1[+8]) + unsigned64((zext64(trunc32(i64 argument 0)) + -1)))) * 8) + 7){{$}}

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Row = type { ptr, i32 }

define weak_odr protected void @__omp_offloading_1_2_run_l3(ptr noalias noundef %0, i64 noundef %1, ptr noundef nonnull align 8 dereferenceable(16) %2) {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i64 %1, ptr %5, align 8
  store ptr %2, ptr %6, align 8
  %10 = load ptr, ptr %6, align 8
  %11 = call i32 @__kmpc_target_init(ptr null, ptr %0)
  %12 = icmp eq i32 %11, -1
  br i1 %12, label %13, label %17

13:
  %14 = call i32 @__kmpc_global_thread_num(ptr null)
  %15 = load i32, ptr %5, align 4
  store i32 %15, ptr %7, align 4
  %16 = load i64, ptr %7, align 8
  store i32 0, ptr %8, align 4
  store i32 %14, ptr %9, align 4
  call void @__omp_offloading_1_2_run_l3_teams(ptr %9, ptr %8, i64 %16, ptr %10)
  call void @__kmpc_target_deinit()
  ret void

17:
  ret void
}

define internal void @__omp_offloading_1_2_run_l3_teams(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2, ptr noundef nonnull align 8 dereferenceable(16) %3) {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i64, align 8
  %20 = alloca [4 x ptr], align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i64 %2, ptr %7, align 8
  store ptr %3, ptr %8, align 8
  %21 = load ptr, ptr %8, align 8
  %22 = load i32, ptr %7, align 4
  store i32 %22, ptr %11, align 4
  %23 = load i32, ptr %11, align 4
  %24 = sub nsw i32 %23, 0
  %25 = sdiv i32 %24, 1
  %26 = sub nsw i32 %25, 1
  store i32 %26, ptr %12, align 4
  store i32 0, ptr %13, align 4
  %27 = load i32, ptr %11, align 4
  %28 = icmp slt i32 0, %27
  br i1 %28, label %29, label %89

29:
  store i32 0, ptr %14, align 4
  %30 = load i32, ptr %12, align 4
  store i32 %30, ptr %15, align 4
  store i32 1, ptr %16, align 4
  store i32 0, ptr %17, align 4
  %31 = call i32 @__kmpc_get_hardware_num_threads_in_block()
  %32 = load ptr, ptr %5, align 8
  %33 = load i32, ptr %32, align 4
  call void @__kmpc_distribute_static_init_4(ptr null, i32 %33, i32 91, ptr %17, ptr %14, ptr %15, ptr %16, i32 1, i32 %31)
  %34 = load i32, ptr %15, align 4
  %35 = load i32, ptr %12, align 4
  %36 = icmp sgt i32 %34, %35
  br i1 %36, label %37, label %39

37:
  %38 = load i32, ptr %12, align 4
  br label %41

39:
  %40 = load i32, ptr %15, align 4
  br label %41

41:
  %42 = phi i32 [ %38, %37 ], [ %40, %39 ]
  store i32 %42, ptr %15, align 4
  %43 = load i32, ptr %14, align 4
  store i32 %43, ptr %9, align 4
  br label %44

44:
  %45 = load i32, ptr %9, align 4
  %46 = load i32, ptr %12, align 4
  %47 = add nsw i32 %46, 1
  %48 = icmp slt i32 %45, %47
  br i1 %48, label %49, label %85

49:
  %50 = load i32, ptr %14, align 4
  %51 = zext i32 %50 to i64
  %52 = load i32, ptr %15, align 4
  %53 = zext i32 %52 to i64
  %54 = load i32, ptr %7, align 4
  store i32 %54, ptr %19, align 4
  %55 = load i64, ptr %19, align 8
  %56 = getelementptr inbounds [4 x ptr], ptr %20, i64 0, i64 0
  %57 = inttoptr i64 %51 to ptr
  store ptr %57, ptr %56, align 8
  %58 = getelementptr inbounds [4 x ptr], ptr %20, i64 0, i64 1
  %59 = inttoptr i64 %53 to ptr
  store ptr %59, ptr %58, align 8
  %60 = getelementptr inbounds [4 x ptr], ptr %20, i64 0, i64 2
  %61 = inttoptr i64 %55 to ptr
  store ptr %61, ptr %60, align 8
  %62 = getelementptr inbounds [4 x ptr], ptr %20, i64 0, i64 3
  store ptr %21, ptr %62, align 8
  %63 = load ptr, ptr %5, align 8
  %64 = load i32, ptr %63, align 4
  call void @__kmpc_parallel_51(ptr null, i32 %64, i32 1, i32 -1, i32 -1, ptr @__omp_offloading_1_2_run_l3_parallel, ptr null, ptr %20, i64 4)
  br label %65

65:
  %66 = load i32, ptr %9, align 4
  %67 = load i32, ptr %16, align 4
  %68 = add nsw i32 %66, %67
  store i32 %68, ptr %9, align 4
  %69 = load i32, ptr %14, align 4
  %70 = load i32, ptr %16, align 4
  %71 = add nsw i32 %69, %70
  store i32 %71, ptr %14, align 4
  %72 = load i32, ptr %15, align 4
  %73 = load i32, ptr %16, align 4
  %74 = add nsw i32 %72, %73
  store i32 %74, ptr %15, align 4
  %75 = load i32, ptr %15, align 4
  %76 = load i32, ptr %12, align 4
  %77 = icmp sgt i32 %75, %76
  br i1 %77, label %78, label %80

78:
  %79 = load i32, ptr %12, align 4
  br label %82

80:
  %81 = load i32, ptr %15, align 4
  br label %82

82:
  %83 = phi i32 [ %79, %78 ], [ %81, %80 ]
  store i32 %83, ptr %15, align 4
  %84 = load i32, ptr %14, align 4
  store i32 %84, ptr %9, align 4
  br label %44

85:
  br label %86

86:
  %87 = load ptr, ptr %5, align 8
  %88 = load i32, ptr %87, align 4
  call void @__kmpc_distribute_static_fini(ptr null, i32 %88)
  br label %89

89:
  ret void
}

define internal void @__omp_offloading_1_2_run_l3_parallel(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4, ptr noundef nonnull align 8 dereferenceable(16) %5) {
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i64, align 8
  %12 = alloca ptr, align 8
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  store ptr %0, ptr %7, align 8
  store ptr %1, ptr %8, align 8
  store i64 %2, ptr %9, align 8
  store i64 %3, ptr %10, align 8
  store i64 %4, ptr %11, align 8
  store ptr %5, ptr %12, align 8
  %23 = load ptr, ptr %12, align 8
  %24 = load i32, ptr %11, align 4
  store i32 %24, ptr %15, align 4
  %25 = load i32, ptr %15, align 4
  %26 = sub nsw i32 %25, 0
  %27 = sdiv i32 %26, 1
  %28 = sub nsw i32 %27, 1
  store i32 %28, ptr %16, align 4
  store i32 0, ptr %17, align 4
  %29 = load i32, ptr %15, align 4
  %30 = icmp slt i32 0, %29
  br i1 %30, label %31, label %66

31:
  store i32 0, ptr %18, align 4
  %32 = load i32, ptr %16, align 4
  store i32 %32, ptr %19, align 4
  %33 = load i64, ptr %9, align 8
  %34 = trunc i64 %33 to i32
  %35 = load i64, ptr %10, align 8
  %36 = trunc i64 %35 to i32
  store i32 %34, ptr %18, align 4
  store i32 %36, ptr %19, align 4
  store i32 1, ptr %20, align 4
  store i32 0, ptr %21, align 4
  %37 = load ptr, ptr %7, align 8
  %38 = load i32, ptr %37, align 4
  call void @__kmpc_for_static_init_4(ptr null, i32 %38, i32 33, ptr %21, ptr %18, ptr %19, ptr %20, i32 1, i32 1)
  %39 = load i32, ptr %18, align 4
  store i32 %39, ptr %13, align 4
  br label %40

40:
  %41 = load i32, ptr %13, align 4
  %42 = sext i32 %41 to i64
  %43 = load i64, ptr %10, align 8
  %44 = icmp ule i64 %42, %43
  br i1 %44, label %45, label %62

45:
  %46 = load i32, ptr %13, align 4
  %47 = mul nsw i32 %46, 1
  %48 = add nsw i32 0, %47
  store i32 %48, ptr %22, align 4
  %49 = getelementptr inbounds %struct.Row, ptr %23, i32 0, i32 0
  %50 = load ptr, ptr %49, align 8
  %51 = getelementptr inbounds %struct.Row, ptr %23, i32 0, i32 1
  %52 = load i32, ptr %51, align 8
  %53 = load i32, ptr %22, align 4
  %54 = add nsw i32 %52, %53
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds double, ptr %50, i64 %55
  store double 0.000000e+00, ptr %56, align 8
  br label %57

57:
  br label %58

58:
  %59 = load i32, ptr %13, align 4
  %60 = load i32, ptr %20, align 4
  %61 = add nsw i32 %59, %60
  store i32 %61, ptr %13, align 4
  br label %40

62:
  br label %63

63:
  %64 = load ptr, ptr %7, align 8
  %65 = load i32, ptr %64, align 4
  call void @__kmpc_for_static_fini(ptr null, i32 %65)
  br label %66

66:
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
