; A list is told by the pointer that leads back to the record's own type, and
; recursion by a call that stays.
; RUN: %opt -disable-output '-passes=print<ferry-access-paths>' %s | FileCheck %s

; CHECK:      access paths of __omp_offloading_1_2_list_l2:
; CHECK-NEXT:   argument 0: read{{$}}
; CHECK-NEXT:     [+0] read, written, cyclic
; CHECK:      access paths of __omp_offloading_1_2_tree_l9:
; CHECK-NEXT:   argument 0: read{{.*}}
; CHECK-NEXT:     [+0] {{.*}}escapes

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.__omp_offloading_1_2_list_l2.region_id = weak constant i8 0
@.__omp_offloading_1_2_tree_l9.region_id = weak constant i8 0
@ident = private constant i8 0

declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)

define void @list(ptr %block) {
  %rc = call i32 @__tgt_target_kernel(ptr @ident, i64 -1, i32 0, i32 0, ptr @.__omp_offloading_1_2_list_l2.region_id, ptr %block)
  ret void
}

define void @tree(ptr %block) {
  %rc = call i32 @__tgt_target_kernel(ptr @ident, i64 -1, i32 0, i32 0, ptr @.__omp_offloading_1_2_tree_l9.region_id, ptr %block)
  ret void
}

define internal void @__omp_offloading_1_2_list_l2(ptr %f) {
entry:
  %cursor = alloca ptr
  %head = load ptr, ptr %f
  store ptr %head, ptr %cursor
  br label %test

test:
  %node = load ptr, ptr %cursor
  %end = icmp eq ptr %node, null
  br i1 %end, label %done, label %body

body:
  store i64 0, ptr %node
  %node.next = getelementptr i8, ptr %node, i64 8
  %next = load ptr, ptr %node.next
  store ptr %next, ptr %cursor
  br label %test

done:
  ret void
}

define internal void @__omp_offloading_1_2_tree_l9(ptr %f) {
  %root = load ptr, ptr %f
  call void @visit(ptr %root)
  ret void
}

define internal void @visit(ptr %node) {
  %end = icmp eq ptr %node, null
  br i1 %end, label %done, label %body

body:
  store i64 0, ptr %node
  %node.left = getelementptr i8, ptr %node, i64 8
  %left = load ptr, ptr %node.left
  call void @visit(ptr %left)
  br label %done

done:
  ret void
}
