; -ferry-map-whole-layout: the code is not looked at.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -ferry-map-whole-layout -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=WHOLE
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -ferry-map-whole-layout -S -passes=ferry-map,verify | FileCheck %s --check-prefix=MAP
; MAP: @ferry.slots = private unnamed_addr constant [3 x

; CHECK: object 0: variable, 24 bytes, align 8{{$}}
; CHECK-NEXT: +8: dereferenced{{$}}
; CHECK-NOT: {{.}}

; WHOLE: launch of __omp_offloading_1_2_run_l2: unknown-uses
; WHOLE: object 0: variable, 24 bytes, align 8, written
; WHOLE-NEXT: +0: dereferenced end unseen{{$}}
; WHOLE-NEXT: +8: dereferenced end{{$}}
; WHOLE-NEXT: +16: dereferenced end unseen{{$}}

@text = private constant [254 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:false,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22a\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22b\22,\22offset\22:8},{\22kind\22:\22pointer\22,\22name\22:\22c\22,\22offset\22:16}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %f.b = getelementptr i8, ptr %f, i64 8
  %b = load ptr, ptr %f.b
  store i64 0, ptr %b
  ret void
}
