; Code with `declare variant` may be other code on the device.
; RUN: cat %S/Inputs/launch.ll %s | %opt -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s

; CHECK: launch of __omp_offloading_1_2_run_l2: unknown-uses
; CHECK: +0: dereferenced end
; CHECK: +8: dereferenced end

@text = private constant [227 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22a\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22b\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2,\22variants\22:true}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %f.b = getelementptr i8, ptr %f, i64 8
  %b = load ptr, ptr %f.b
  store i64 0, ptr %b
  ret void
}
