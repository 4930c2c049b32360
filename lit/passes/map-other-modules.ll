; Modules without launches stay as they are, those for devices too.
; RUN: split-file %s %t
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %t/host.ll -o - | sed '/^; ModuleID/d' | diff - %t/host.expected
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %t/device.ll -o - | sed '/^; ModuleID/d; /^target datalayout/d' | diff - %t/device.expected
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %t/declared.ll | FileCheck %s --check-prefix=DECLARED

; An address that is taken is no launch.
; DECLARED: @table = global [1 x ptr] [ptr @__tgt_target_kernel]
; DECLARED-NOT: ferry

;--- host.ll
source_filename = "host"

define i32 @f() {
  ret i32 0
}
;--- host.expected
source_filename = "host"

define i32 @f() {
  ret i32 0
}
;--- device.ll
source_filename = "device"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @__omp_offloading_1_2_f_l3(ptr %f) {
  ret void
}
;--- device.expected
source_filename = "device"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @__omp_offloading_1_2_f_l3(ptr %f) {
  ret void
}
;--- declared.ll
source_filename = "declared"
@table = global [1 x ptr] [ptr @__tgt_target_kernel]
declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)
