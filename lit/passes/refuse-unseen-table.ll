; A pointer to a record goes to code that is not visible: it is carried over, the
; pointers in the record are not. A pointer to numbers leaves nothing behind.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK: remark: {{.*}}forall<main::lambda at a.cpp:7>: 'f.grid' carried over: translated in the device's copy
; REMARK: remark: {{.*}}forall<main::lambda at a.cpp:7>: pointers behind 'f.grid' left as they are: not all code that uses them is visible [unseen-table]
; REMARK: remark: {{.*}}forall<main::lambda at a.cpp:7>: 'f.x' carried over: translated in the device's copy
; REMARK-NOT: left

; PLAN: launch of __omp_offloading_1_2_run_l2:{{$}}
; PLAN-NEXT: left behind: f.grid: unseen-table
; PLAN-NOT: left

@text = private constant [419 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22grid\22,\22offset\22:0,\22pointee\22:0},{\22kind\22:\22pointer\22,\22name\22:\22x\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2,\22name\22:\22forall<main::lambda at a.cpp:7>\22,\22types\22:[{\22size\22:24,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22cells\22,\22offset\22:8,\22pointee\22:1}]},{\22size\22:8,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22\22,\22offset\22:0}]}]}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %grid = load ptr, ptr %f
  %f.x = getelementptr i8, ptr %f, i64 8
  %x = load ptr, ptr %f.x
  call void @unseen(ptr %grid, ptr %x)
  ret void
}

declare void @unseen(ptr, ptr)
