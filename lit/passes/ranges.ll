; What is accessed through a pointer, from the first byte to the last: as an
; expression, in the plan, and as the function that computes it at the launch.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-access-paths>' | FileCheck %s --check-prefix=PATHS
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll

; PATHS:      argument 0: read
; PATHS-NEXT:   [+0] written, bytes (sext64(i32 argument 0[+16]) * -8) to ((sext64(i32 argument 0[+16]) * -8) + 7){{$}}
; A range from 0 on costs the launch nothing.
; PATHS-NEXT:   [+8] written{{$}}

; PLAN:      by value
; PLAN:        +0: dereferenced bytes (sext64(i32 argument 0[+16]) * -8) to ((sext64(i32 argument 0[+16]) * -8) + 7){{$}}
; PLAN-NEXT:   +8: dereferenced{{$}}

; The first slot has range 1, the second one none.
; CHECK: @ferry.slots = private unnamed_addr constant [2 x
; CHECK-SAME: { i64 0, {{.*}}, i32 1, i32 1 }
; CHECK-SAME: { i64 8, {{.*}}, i32 1, i32 0 }
; CHECK: @ferry.plan = private unnamed_addr constant
; CHECK-SAME: ptr @ferry.ranges }

; CHECK-LABEL: define void @run(
; CHECK: %ferry.sources = alloca [2 x ptr]
; CHECK: store ptr %f, ptr %[[ROOT:[0-9]+]]
; CHECK: store ptr %f, ptr %[[ARGUMENT:[0-9]+]]
; CHECK-NEXT: call ptr @__ferry_launch_begin(

; CHECK-LABEL: define private void @ferry.ranges(ptr %0, ptr %1)
; CHECK:         [[F:%[0-9]+]] = load ptr, ptr %{{[0-9]+}}
; CHECK-NEXT:    [[NULL:%[0-9]+]] = icmp eq ptr [[F]], null
; CHECK:         [[PLACE:%[0-9]+]] = getelementptr i8, ptr [[F]], i64 16
; CHECK-NEXT:    [[SAFE:%[0-9]+]] = select i1 [[NULL]], ptr @ferry.zero, ptr [[PLACE]]
; CHECK-NEXT:    load i32, ptr [[SAFE]], align 1
; CHECK-NOT:     br
; CHECK:         call { i64, i1 } @llvm.smul.with.overflow.i64(
; CHECK:         [[FIRST:%[0-9]+]] = select i1 [[UNKNOWN:%[0-9]+]], i64 0, i64
; CHECK:         store i64 [[FIRST]], ptr
; CHECK:         [[LAST:%[0-9]+]] = select i1 [[UNKNOWN]], i64 -1, i64
; CHECK:         store i64 [[LAST]], ptr
; CHECK-NEXT:    ret void

@text = private constant [211 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22p\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22q\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %p = load ptr, ptr %f
  %f.q = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %f.q
  %f.n = getelementptr i8, ptr %f, i64 16
  %n = load i32, ptr %f.n
  %wide = sext i32 %n to i64
  %back = sub nsw i64 0, %wide
  %a = getelementptr double, ptr %p, i64 %back
  store double 0.0, ptr %a
  store double 0.0, ptr %q
  ret void
}
