; The launch runtime is told of directives that map and update data, before they
; take effect and once, and when those that update or unmap data are done.
;
; RUN: %opt -passes=ferry-map -S %s | FileCheck %s
; RUN: %opt -passes=ferry-map,ferry-map -S %s | FileCheck %s
; RUN: %opt -passes=ferry-map -S %s | FileCheck %s --check-prefix=RUNTIME

target triple = "x86_64-pc-linux-gnu"

; RUNTIME: module asm ".ifndef __ferry_launch_begin"

; CHECK-LABEL: define void @directives(
; CHECK-NEXT: call void @__ferry_data_begin(i64 -1, i32 1, ptr %p, ptr %s, ptr %t, ptr null, i32 0)
; CHECK-NEXT: call void @__tgt_target_data_begin_mapper(
; CHECK-NEXT: call void @__ferry_data_begin(i64 3, i32 2, ptr %p, ptr %s, ptr %t, ptr %m, i32 0)
; CHECK-NEXT: call void @__tgt_target_data_begin_nowait_mapper(
; CHECK-NEXT: [[UPDATE:%.*]] = call ptr @__ferry_update_begin(i64 -1, i32 1, ptr %p, ptr %s, ptr %t, ptr null, i32 1)
; CHECK-NEXT: call void @__tgt_target_data_update_mapper(
; CHECK-NEXT: call void @__ferry_update_end(ptr [[UPDATE]])
; CHECK-NEXT: call void @__ferry_data_begin(i64 -1, i32 1, ptr %p, ptr %s, ptr %t, ptr null, i32 1)
; CHECK-NEXT: call void @__tgt_target_data_update_nowait_mapper(
; CHECK-NEXT: [[END:%.*]] = call ptr @__ferry_update_begin(i64 -1, i32 1, ptr %p, ptr %s, ptr %t, ptr null, i32 0)
; CHECK-NEXT: call void @__tgt_target_data_end_mapper(
; CHECK-NEXT: call void @__ferry_update_end(ptr [[END]])
; CHECK-NEXT: ret void
define void @directives(ptr %id, ptr %b, ptr %p, ptr %s, ptr %t, ptr %m) {
  call void @__tgt_target_data_begin_mapper(ptr %id, i64 -1, i32 1, ptr %b, ptr %p, ptr %s, ptr %t, ptr null, ptr null)
  call void @__tgt_target_data_begin_nowait_mapper(ptr %id, i64 3, i32 2, ptr %b, ptr %p, ptr %s, ptr %t, ptr null, ptr %m, i32 0, ptr null, i32 0, ptr null)
  call void @__tgt_target_data_update_mapper(ptr %id, i64 -1, i32 1, ptr %b, ptr %p, ptr %s, ptr %t, ptr null, ptr null)
  call void @__tgt_target_data_update_nowait_mapper(ptr %id, i64 -1, i32 1, ptr %b, ptr %p, ptr %s, ptr %t, ptr null, ptr null, i32 0, ptr null, i32 0, ptr null)
  call void @__tgt_target_data_end_mapper(ptr %id, i64 -1, i32 1, ptr %b, ptr %p, ptr %s, ptr %t, ptr null, ptr null)
  ret void
}

; CHECK: declare hidden void @__ferry_data_begin(i64, i32, ptr, ptr, ptr, ptr, i32)
; CHECK: declare hidden ptr @__ferry_update_begin(i64, i32, ptr, ptr, ptr, ptr, i32)
; CHECK: declare hidden void @__ferry_update_end(ptr)

declare void @__tgt_target_data_begin_mapper(ptr, i64, i32, ptr, ptr, ptr, ptr, ptr, ptr)
declare void @__tgt_target_data_begin_nowait_mapper(ptr, i64, i32, ptr, ptr, ptr, ptr, ptr, ptr, i32, ptr, i32, ptr)
declare void @__tgt_target_data_update_mapper(ptr, i64, i32, ptr, ptr, ptr, ptr, ptr, ptr)
declare void @__tgt_target_data_update_nowait_mapper(ptr, i64, i32, ptr, ptr, ptr, ptr, ptr, ptr, i32, ptr, i32, ptr)
declare void @__tgt_target_data_end_mapper(ptr, i64, i32, ptr, ptr, ptr, ptr, ptr, ptr)
