; A program that is compiled for devices of several kinds: what its kernels read
; of captured objects are no parameters, and all the rest is as ever.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN
; Where they are turned off there is nothing to say.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -ferry-parameters=false -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=OFF

; REMARK: remark: {{.*}}captured objects are sent to the device's memory{{.*}} [several-targets]
; REMARK: remark: {{.*}}'f.a' carried over

; PLAN: launch of __omp_offloading_1_2_run_l2: several-targets
; PLAN-NEXT: by value
; OFF: launch of __omp_offloading_1_2_run_l2:{{$}}

@text = private constant [309 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22a\22,\22offset\22:0},{\22align\22:8,\22kind\22:\22reference\22,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22b\22,\22offset\22:8}],\22name\22:\22r\22,\22offset\22:16,\22size\22:16}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2,\22several_targets\22:true}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %a = load ptr, ptr %f
  store i64 0, ptr %a
  ret void
}
