; A pointer behind another one that the kernel reads as an integer: nothing is
; looked up for it. A number beside it is no pointer.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK: remark: {{.*}}: 'f.grid' carried over: translated in the device's copy
; REMARK: remark: {{.*}}: 'f.grid->cells' left as it is: the kernel reads it as an integer, from memory that the launch cannot read [read-as-integer]
; REMARK-NOT: left
; REMARK: remark: {{.*}}: 'f.grid->used' carried over: attached in the mapped object
; REMARK-NOT: left

; PLAN: launch of __omp_offloading_1_2_run_l2:{{$}}
; PLAN-NEXT: left: f.grid->cells: read-as-integer
; PLAN-NEXT: entry 0

@text = private constant [349 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22grid\22,\22offset\22:0,\22pointee\22:0}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2,\22name\22:\22forall<main::lambda at a.cpp:7>\22,\22types\22:[{\22size\22:24,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22cells\22,\22offset\22:8},{\22kind\22:\22pointer\22,\22name\22:\22used\22,\22offset\22:16}]}]}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %grid = load ptr, ptr %f
  %number = load i64, ptr %grid
  %cells.at = getelementptr i8, ptr %grid, i64 8
  %cells = load i64, ptr %cells.at
  %used.at = getelementptr i8, ptr %grid, i64 16
  %used = load ptr, ptr %used.at
  %sum = add i64 %number, %cells
  store i64 %sum, ptr %used
  ret void
}
