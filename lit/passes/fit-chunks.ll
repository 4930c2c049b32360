; ferry-fit-chunks has kernels ask how large the blocks are, if an iteration of
; their loop has a loop: in the same function, in one that it calls, or in one
; whose address it hands on.
;
; REQUIRES: nvptx-registered-target
; RUN: %opt -passes=ferry-fit-chunks -S %s | FileCheck %s
; It is part of the pipeline, and can be left out.
; RUN: %opt '-passes=default<O2>' -S %s | FileCheck %s
; RUN: %opt '-passes=default<O2>' -ferry-fit-chunks=false -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt '-passes=default<O0>' -S %s | FileCheck %s --check-prefix=OFF

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: define {{.*}}@__omp_offloading_short({{.*}} [[LIMITED:#[0-9]+]]
; OFF: define {{.*}}@__omp_offloading_short({{.*}} [[LIMITED:#[0-9]+]]
define void @__omp_offloading_short(i32 %n) #0 {
entry:
  br label %chunks
chunks:
  %c = phi i32 [ 0, %entry ], [ %c.next, %chunks ]
  call void @__kmpc_parallel(ptr @short_iterations, i32 %n)
  %c.next = add i32 %c, 1
  %more = icmp slt i32 %c.next, %n
  br i1 %more, label %chunks, label %exit
exit:
  ret void
}

; CHECK: define {{.*}}@__omp_offloading_nested({{.*}} [[ASKS:#[0-9]+]]
; OFF: define {{.*}}@__omp_offloading_nested({{.*}} [[LIMITED]]
define void @__omp_offloading_nested(i32 %n) #0 {
entry:
  br label %chunks
chunks:
  %c = phi i32 [ 0, %entry ], [ %c.next, %chunks ]
  call void @__kmpc_parallel(ptr @nested_iterations, i32 %n)
  %c.next = add i32 %c, 1
  %more = icmp slt i32 %c.next, %n
  br i1 %more, label %chunks, label %exit
exit:
  ret void
}

; CHECK: define {{.*}}@__omp_offloading_called({{.*}} [[ASKS]]
; OFF: define {{.*}}@__omp_offloading_called({{.*}} [[LIMITED]]
define void @__omp_offloading_called(i32 %n) #0 {
entry:
  br label %chunks
chunks:
  %c = phi i32 [ 0, %entry ], [ %c.next, %chunks ]
  call void @__kmpc_parallel(ptr @calling_iterations, i32 %n)
  %c.next = add i32 %c, 1
  %more = icmp slt i32 %c.next, %n
  br i1 %more, label %chunks, label %exit
exit:
  ret void
}

; The index of two loops is divided: staging has tiles for that, which in small
; launches pay where copies are asynchronous.
; RUN: sed 's/sm_80/sm_75/' %s | %opt -passes=ferry-fit-chunks -S | FileCheck %s --check-prefix=OLDER
; CHECK: define {{.*}}@__omp_offloading_divided({{.*}} [[ASKS]]
; OLDER: define {{.*}}@__omp_offloading_called({{.*}} [[ASKS:#[0-9]+]]
; OLDER: define {{.*}}@__omp_offloading_divided({{.*}} [[LIMITED:#[0-9]+]]
; OLDER: attributes [[LIMITED]] = {{.*}}"omp_target_thread_limit"="128"
; OLDER: attributes [[ASKS]] =
; OLDER-NOT: omp_target_thread_limit
define void @__omp_offloading_divided(i32 %n) #0 {
entry:
  br label %chunks
chunks:
  %c = phi i32 [ 0, %entry ], [ %c.next, %chunks ]
  call void @__kmpc_parallel(ptr @dividing_iterations, i32 %n)
  %c.next = add i32 %c, 1
  %more = icmp slt i32 %c.next, %n
  br i1 %more, label %chunks, label %exit
exit:
  ret void
}

define void @dividing_iterations(i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = sdiv i32 %i, 17
  call void @short_iterations(i32 %row)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @short_iterations(i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @use(i32 %i)
  ; Whatever loops the device runtime has, they are not the program's.
  call void @__kmpc_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @nested_iterations(i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %walk
walk:
  %k = phi i32 [ 0, %loop ], [ %k.next, %walk ]
  call void @use(i32 %k)
  %k.next = add i32 %k, 1
  %walks = icmp slt i32 %k.next, %i
  br i1 %walks, label %walk, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @calling_iterations(i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @short_iterations(i32 %i)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @__kmpc_barrier() noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @use(i32 %i)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 1000000
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare void @use(i32)
declare void @__kmpc_parallel(ptr, i32)

; CHECK: attributes [[LIMITED]] = {{.*}}"omp_target_thread_limit"="128"
; CHECK-NOT: omp_target_thread_limit
; CHECK: attributes [[ASKS]] =
; CHECK-NOT: omp_target_thread_limit
; OFF: attributes [[LIMITED]] = {{.*}}"omp_target_thread_limit"="128"
attributes #0 = { "kernel" "omp_target_thread_limit"="128" "target-cpu"="sm_80" }

!llvm.module.flags = !{!0, !1}
!0 = !{i32 7, !"openmp", i32 51}
!1 = !{i32 7, !"openmp-device", i32 51}
