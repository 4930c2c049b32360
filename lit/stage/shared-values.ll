; What a block's threads have in common is read from shared memory no more.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-shared-values,verify %t.ll | FileCheck %s

declare i32 @__kmpc_get_hardware_thread_id_in_block()
declare void @__kmpc_barrier_simple_spmd(ptr, i32)
declare i64 @llvm.smin.i64(i64, i64)

@object = internal addrspace(3) global [16 x i8] poison
@kept = internal addrspace(3) global i64 poison
@zeroed = internal addrspace(3) global i64 zeroinitializer
@visible = addrspace(3) global i64 poison
@shown = internal addrspace(3) global i64 poison
@counted = internal addrspace(3) global i64 poison
@helped = internal addrspace(3) global i64 poison
@begin = internal addrspace(3) global i64 undef
@end = internal addrspace(3) global i64 undef
@moved = internal addrspace(3) global i64 undef
@other = internal addrspace(3) global i64 undef
@own = internal addrspace(3) global i64 undef
@open = internal addrspace(3) global i64 undef
@skipped = internal addrspace(3) global i64 undef
@numbered = internal addrspace(3) global i64 undef
@late = internal addrspace(3) global i32 undef
@dead = internal addrspace(3) global i64 undef
@private = internal addrspace(3) global i64 undef

; All that the kernel stores there is a parameter, whoever stores it, and when.
; CHECK-NOT: @object
; CHECK-LABEL: define void @__omp_offloading_1_2_words_l3(
; CHECK:         call void @llvm.nvvm.barrier
; CHECK-NEXT:    store i64 %n, ptr %a
; CHECK-NEXT:    store ptr %a, ptr %a
; CHECK-NEXT:    ret void
define void @__omp_offloading_1_2_words_l3(ptr %a, i64 %n) #0 {
  store i64 %n, ptr addrspacecast (ptr addrspace(3) @object to ptr)
  store ptr %a, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @object, i64 8)
  call void @llvm.nvvm.barrier0()
  %k = load i64, ptr addrspace(3) @object
  store i64 %k, ptr %a
  %p = load ptr, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @object, i64 8) to ptr)
  store ptr %p, ptr %a
  ret void
}

; A part of a parameter, one of two values, what begins as zero, what others
; see, and what is not loaded and stored alone.
; CHECK-LABEL: define void @__omp_offloading_1_2_left_l3(
; CHECK-COUNT-6: load {{.*}} addrspace(3)
; CHECK-LABEL: define internal void @helper(
; CHECK:         load
define void @__omp_offloading_1_2_left_l3(ptr %a, i64 %n, i64 %m) #0 {
  store i64 %n, ptr addrspace(3) @kept
  %half = load i32, ptr addrspace(3) @kept
  store i32 %half, ptr %a
  store i64 %n, ptr addrspace(3) @zeroed
  %zero = load i64, ptr addrspace(3) @zeroed
  store i64 %zero, ptr %a
  store i64 %n, ptr addrspace(3) @visible
  %seen = load i64, ptr addrspace(3) @visible
  store i64 %seen, ptr %a
  store i64 %n, ptr addrspace(3) @shown
  store ptr addrspacecast (ptr addrspace(3) @shown to ptr), ptr %a
  %changed = load i64, ptr addrspace(3) @shown
  store i64 %changed, ptr %a
  store i64 %n, ptr addrspace(3) @counted
  store i64 %m, ptr addrspace(3) @counted
  %one = load i64, ptr addrspace(3) @counted
  store i64 %one, ptr %a
  store i64 %n, ptr addrspace(3) @helped
  call void @helper(ptr %a)
  %after = load i64, ptr addrspace(3) @helped
  store i64 %after, ptr %a
  ret void
}
define internal void @helper(ptr %a) {
  %k = load i64, ptr addrspace(3) @helped
  store i64 %k, ptr %a
  ret void
}

; The first thread stores the bounds of each of the block's parts. What it
; computes for that all do then.
; CHECK-LABEL: define void @__omp_offloading_1_2_parts_l3(
; CHECK:       loop:
; CHECK:         %b = mul i64 %part, %n
; CHECK:         %e = add i64 %b, %n
; CHECK-NEXT:    %least = call i64 @llvm.smin.i64(i64 %e, i64 %m)
; CHECK-NEXT:    br i1 %is.first
; CHECK:       share:
; CHECK-NEXT:    br label %work
; CHECK:         call void @llvm.nvvm.barrier
; CHECK-NEXT:    store i64 %b, ptr %a
; CHECK-NEXT:    store i64 %least, ptr %a
define void @__omp_offloading_1_2_parts_l3(ptr %a, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is.first = icmp eq i32 %tid, 0
  br i1 %is.first, label %fill, label %go
fill:
  store i64 0, ptr addrspace(3) @begin
  br label %go
go:
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %part = phi i64 [ 0, %go ], [ %next, %work ]
  %b = mul i64 %part, %n
  br i1 %is.first, label %share, label %work
share:
  store i64 %b, ptr addrspace(3) @begin
  %e = add i64 %b, %n
  %least = call i64 @llvm.smin.i64(i64 %e, i64 %m)
  store i64 %least, ptr addrspace(3) @end
  br label %work
work:
  call void @llvm.nvvm.barrier0()
  %from = load i64, ptr addrspace(3) @begin
  store i64 %from, ptr %a
  %to = load i64, ptr addrspace(3) @end
  store i64 %to, ptr %a
  call void @llvm.nvvm.barrier0()
  %next = add i64 %part, 1
  %more = icmp ult i64 %next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; As OpenMPOpt writes it.
; CHECK-LABEL: define void @__omp_offloading_1_2_calls_l3(
; CHECK:         call void @__kmpc_barrier_simple_spmd(
; CHECK-NEXT:    store i64 %b, ptr %a
define void @__omp_offloading_1_2_calls_l3(ptr %a, i64 %n) #0 {
entry:
  %b = mul i64 %n, %n
  %tid = call i32 @__kmpc_get_hardware_thread_id_in_block()
  %is.other = icmp ne i32 %tid, 0
  br i1 %is.other, label %work, label %share
share:
  store i64 %b, ptr addrspace(3) @moved
  br label %work
work:
  call void @__kmpc_barrier_simple_spmd(ptr null, i32 %tid)
  %from = load i64, ptr addrspace(3) @moved
  store i64 %from, ptr %a
  ret void
}

; Another store on the way, a thread's own value, and a load that is not behind
; a barrier.
; CHECK-LABEL: define void @__omp_offloading_1_2_left_parts_l3(
; CHECK-COUNT-3: load i64, ptr addrspace(3)
define void @__omp_offloading_1_2_left_parts_l3(ptr %a, i64 %n) #0 {
entry:
  %b = mul i64 %n, %n
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %is.first = icmp eq i32 %tid, 0
  br i1 %is.first, label %share, label %work
share:
  store i64 %b, ptr addrspace(3) @other
  store i64 %wide, ptr addrspace(3) @own
  store i64 %b, ptr addrspace(3) @open
  br label %work
work:
  %early = load i64, ptr addrspace(3) @open
  store i64 %early, ptr %a
  call void @llvm.nvvm.barrier0()
  br i1 %is.first, label %again, label %behind
again:
  store i64 %n, ptr addrspace(3) @other
  br label %behind
behind:
  %from = load i64, ptr addrspace(3) @other
  store i64 %from, ptr %a
  %its = load i64, ptr addrspace(3) @own
  store i64 %its, ptr %a
  ret void
}

; A branch that threads may pass over before the barrier.
; CHECK-LABEL: define void @__omp_offloading_1_2_skipped_l3(
; CHECK:         load i64, ptr addrspace(3) @skipped
define void @__omp_offloading_1_2_skipped_l3(ptr %a, i64 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is.first = icmp eq i32 %tid, 0
  br label %loop
loop:
  %b = phi i64 [ 0, %entry ], [ %next, %work ]
  %odd = trunc i64 %b to i1
  br i1 %odd, label %work, label %ask
ask:
  br i1 %is.first, label %share, label %work
share:
  store i64 %b, ptr addrspace(3) @skipped
  br label %work
work:
  call void @llvm.nvvm.barrier0()
  %before = load i64, ptr addrspace(3) @skipped
  store i64 %before, ptr %a
  call void @llvm.nvvm.barrier0()
  %next = add i64 %b, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What the first thread computes of its own number, or has behind a loop that
; others leave later.
; CHECK-LABEL: define void @__omp_offloading_1_2_differs_l3(
; CHECK:         load i64, ptr addrspace(3) @numbered
; CHECK:         load i32, ptr addrspace(3) @late
define void @__omp_offloading_1_2_differs_l3(ptr %a, i64 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is.first = icmp eq i32 %tid, 0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %tid
  br i1 %more, label %loop, label %ask
ask:
  br i1 %is.first, label %share, label %work
share:
  %own = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %own to i64
  %number = add i64 %wide, %n
  store i64 %number, ptr addrspace(3) @numbered
  store i32 %i.next, ptr addrspace(3) @late
  br label %work
work:
  call void @llvm.nvvm.barrier0()
  %its = load i64, ptr addrspace(3) @numbered
  store i64 %its, ptr %a
  %last = load i32, ptr addrspace(3) @late
  store i32 %last, ptr %a
  ret void
}

; Code that nobody comes to: a load of what it stores itself.
; CHECK-LABEL: define void @__omp_offloading_1_2_unreachable_l3(
; CHECK:         load i64, ptr addrspace(3) @dead
define void @__omp_offloading_1_2_unreachable_l3() #0 {
entry:
  ret void
ask:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is.first = icmp eq i32 %tid, 0
  %own = load i64, ptr addrspace(3) @dead
  br i1 %is.first, label %share, label %work
share:
  store i64 %own, ptr addrspace(3) @dead
  br label %work
work:
  call void @llvm.nvvm.barrier0()
  br label %ask
}

; A parameter of which each thread has its own.
; CHECK-LABEL: define void @__omp_offloading_1_2_byval_l3(
; CHECK:         load i64, ptr addrspace(3) @private
define void @__omp_offloading_1_2_byval_l3(ptr %a, ptr byval(i64) %s) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  store i64 %wide, ptr %s
  %b = load i64, ptr %s
  %is.first = icmp eq i32 %tid, 0
  br i1 %is.first, label %share, label %work
share:
  store i64 %b, ptr addrspace(3) @private
  br label %work
work:
  call void @llvm.nvvm.barrier0()
  %its = load i64, ptr addrspace(3) @private
  store i64 %its, ptr %a
  ret void
}
