; A virtual base is found through a table in host memory, whether the code that
; needs it is visible or not.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK: remark: {{.*}}'f.Base' left as it is: a virtual base class is found through host memory [virtual-base]

; PLAN: left: f.Base: virtual-base
; PLAN: +8: dereferenced
; PLAN-NOT: +0:

@text = private constant [217 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22virtual\22,\22name\22:\22Base\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22data\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  call void @elsewhere(ptr %f)
  ret void
}
