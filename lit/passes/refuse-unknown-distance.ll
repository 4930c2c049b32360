; The accesses begin at a number that lies behind a plain pointer: it may be
; device memory, so the launch does not read it.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK: remark: {{.*}}'f.p' is looked up where it points: the accesses may begin at a distance from the pointer that cannot be read at the launch [unknown-distance]

; PLAN: launch of __omp_offloading_1_2_run_l2:
; PLAN-NEXT: looked up where it points: f.p: unknown-distance
; PLAN: +0: dereferenced{{$}}

; IR-NOT: @ferry.ranges

@text = private constant [211 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22p\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22n\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %p = load ptr, ptr %f
  %f.n = getelementptr i8, ptr %f, i64 8
  %n = load ptr, ptr %f.n
  %distance = load i64, ptr %n
  %q = getelementptr i8, ptr %p, i64 %distance
  store i8 0, ptr %q
  ret void
}
