; Which pointers of its arguments a kernel uses, and how. The kernel is followed
; through the functions that OpenMP's constructs are outlined to.
; RUN: %opt -disable-output '-passes=print<ferry-access-paths>' %s | FileCheck %s

; CHECK:      access paths of __omp_offloading_1_2_run_l2:
; CHECK-NEXT:   argument 0: read{{$}}
; CHECK-NEXT:     [+0] read{{$}}
; CHECK-NEXT:     [+8] written{{$}}
; CHECK-NEXT:     [+16] read, from 8{{$}}
; CHECK-NEXT:       [+8] read, written, from 16{{$}}
; CHECK-NEXT:     [+24] escapes{{$}}
; CHECK-NEXT:     [+32] compared{{$}}
; CHECK-NEXT:     [+40] called{{$}}
; CHECK-NEXT:     [+48 + i * 8 (i < 4)] written{{$}}
; CHECK-NEXT:   argument 2: written{{$}}
; CHECK-NOT: argument

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%record = type { i64, ptr }
%closure = type { ptr, ptr, ptr, ptr, ptr, ptr, [4 x ptr] }

@.__omp_offloading_1_2_run_l2.region_id = weak constant i8 0
@ident = private constant i8 0
@other = external global ptr

declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)
declare void @__kmpc_fork_teams(ptr, i32, ptr, ...)
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @elsewhere(ptr)
declare void @use(i1)

define void @run(ptr %block) {
  %rc = call i32 @__tgt_target_kernel(ptr @ident, i64 -1, i32 0, i32 0, ptr @.__omp_offloading_1_2_run_l2.region_id, ptr %block)
  ret void
}

define internal void @__omp_offloading_1_2_run_l2(ptr %f, i64 %n, ptr %out) noinline {
  store i64 0, ptr %out
  call void (ptr, i32, ptr, ...) @__kmpc_fork_teams(ptr @ident, i32 2, ptr @teams, i64 %n, ptr %f)
  ret void
}

define internal void @teams(ptr noalias %gtid, ptr noalias %btid, i64 %n, ptr %f) noinline optnone {
  %f.addr = alloca ptr
  store ptr %f, ptr %f.addr
  %g = load ptr, ptr %f.addr
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @ident, i32 2, ptr @parallel, i64 %n, ptr %g)
  ret void
}

define internal void @parallel(ptr noalias %gtid, ptr noalias %btid, i64 %n, ptr %f) noinline optnone {
  call void @body(ptr %f, i64 %n)
  ret void
}

define linkonce_odr void @body(ptr %this, i64 %i) {
  %a = load ptr, ptr %this
  %x = load i64, ptr %a
  %this.b = getelementptr %closure, ptr %this, i32 0, i32 1
  %b = load ptr, ptr %this.b
  store i64 %x, ptr %b
  %this.c = getelementptr %closure, ptr %this, i32 0, i32 2
  %c = load ptr, ptr %this.c
  %c.p = getelementptr %record, ptr %c, i32 0, i32 1
  %p = load ptr, ptr %c.p
  %p2 = getelementptr i64, ptr %p, i64 2
  %old = load i64, ptr %p2
  %new = add i64 %old, %x
  store i64 %new, ptr %p2
  %this.d = getelementptr %closure, ptr %this, i32 0, i32 3
  %d = load ptr, ptr %this.d
  call void @elsewhere(ptr %d)
  %this.e = getelementptr %closure, ptr %this, i32 0, i32 4
  %e = load ptr, ptr %this.e
  %o = load ptr, ptr @other
  %same = icmp eq ptr %e, %o
  call void @use(i1 %same)
  %this.g = getelementptr %closure, ptr %this, i32 0, i32 5
  %g = load ptr, ptr %this.g
  call void %g()
  %this.h = getelementptr %closure, ptr %this, i32 0, i32 6, i64 %i
  %h = load ptr, ptr %this.h
  store i64 0, ptr %h
  ret void
}
