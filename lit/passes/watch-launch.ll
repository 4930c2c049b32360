; Launches that carry nothing over are as they were, but the launch runtime is
; told of maps that copy to the device what is mapped there.
;
; RUN: sed -e '/^@llvm.global.annotations/d' -e 's/^@types.*/@types = constant [3 x i64] [i64 37, i64 281474976710657, i64 281474976710657]/' %S/Inputs/launch.ll > %t.always
; RUN: cat %t.always %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s
; RUN: cat %t.always %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,ferry-map,verify | FileCheck %s
; RUN: sed 's/i64 37/i64 33/' %t.always | cat - %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=ONCE

; CHECK: module asm ".ifndef __ferry_launch_begin"
; CHECK-LABEL: define void @run(
; CHECK-NOT:  __ferry
; CHECK:      [[NUM:%.*]] = load i32, ptr
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %block, i64 16
; CHECK-NEXT: [[PTRS:%.*]] = load ptr, ptr [[AT]]
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %block, i64 24
; CHECK-NEXT: [[SIZES:%.*]] = load ptr, ptr [[AT]]
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %block, i64 32
; CHECK-NEXT: [[TYPES:%.*]] = load ptr, ptr [[AT]]
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %block, i64 48
; CHECK-NEXT: [[MAPPERS:%.*]] = load ptr, ptr [[AT]]
; CHECK-NEXT: call void @__ferry_data_begin(i64 -1, i32 [[NUM]], ptr [[PTRS]], ptr [[SIZES]], ptr [[TYPES]], ptr [[MAPPERS]], i32 0)
; CHECK-NEXT: call i32 @__tgt_target_kernel({{.*}}, ptr %block)
; CHECK-NOT:  call {{.*}}__ferry

; ONCE-NOT: __ferry

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %f.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %f.n
  call void @use(i64 %n)
  ret void
}
