; The closure is handed to code that is not visible: its whole layout is carried
; over, and what it refers to may be written.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-missed=ferry -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK-NOT: left
; REMARK: remark: {{.*}}the region's code is not all visible; every captured pointer is carried over [unknown-uses]
; REMARK-DAG: remark: {{.*}}'f.a' carried over
; REMARK-DAG: remark: {{.*}}'f.r' carried over
; REMARK-DAG: remark: {{.*}}'f.r.b' carried over

; PLAN: launch of __omp_offloading_1_2_run_l2: unknown-uses
; PLAN-NEXT: entry 0: object 0
; PLAN-NEXT: object 0: variable, 24 bytes, align 8, written
; PLAN-NEXT: +0: dereferenced end unseen
; PLAN-NEXT: +16: dereferenced end unseen -> object 1
; PLAN-NEXT: object 1: variable, 16 bytes, align 8, written
; PLAN-NEXT: +8: dereferenced end unseen

@text = private constant [286 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22a\22,\22offset\22:0},{\22align\22:8,\22kind\22:\22reference\22,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22b\22,\22offset\22:8}],\22name\22:\22r\22,\22offset\22:16,\22size\22:16}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  call void @elsewhere(ptr %f)
  ret void
}
