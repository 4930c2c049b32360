; The closure is handed on, and nothing tells whether its union holds the pointer.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK: remark: {{.*}}'f.u.p' left as it is: whether this member of the union is the one in use is not visible [union-member]

; PLAN: launch of __omp_offloading_1_2_run_l2: unknown-uses
; PLAN-NEXT: left: f.u.p: union-member
; PLAN: +8: dereferenced
; PLAN-NOT: +0:

@text = private constant [229 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22u.p\22,\22offset\22:0,\22union\22:true},{\22kind\22:\22pointer\22,\22name\22:\22data\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  call void @elsewhere(ptr %f)
  ret void
}
