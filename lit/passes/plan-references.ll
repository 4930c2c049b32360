; References to variables: one that is written, one that is only read, one to a const
; record that holds a pointer.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s

; CHECK:      launch of __omp_offloading_1_2_run_l2:{{$}}
; CHECK-NEXT:   entry 0: object 0{{$}}
; CHECK-NEXT:   object 0: variable, 24 bytes, align 8{{$}}
; CHECK-NEXT:     +0: dereferenced -> object 1{{$}}
; CHECK-NEXT:     +8: dereferenced -> object 2{{$}}
; CHECK-NEXT:     +16: dereferenced -> object 3{{$}}
; CHECK-NEXT:   object 1: variable, 8 bytes, align 8, written{{$}}
; CHECK-NEXT:   object 2: variable, 8 bytes, align 8{{$}}
; CHECK-NEXT:   object 3: variable, 16 bytes, align 8{{$}}
; CHECK-NEXT:     +8: dereferenced{{$}}
; CHECK-NOT:  {{.}}

@text = private constant [394 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22align\22:8,\22kind\22:\22reference\22,\22name\22:\22sum\22,\22offset\22:0,\22size\22:8},{\22align\22:8,\22kind\22:\22reference\22,\22name\22:\22scale\22,\22offset\22:8,\22size\22:8},{\22align\22:8,\22const\22:true,\22kind\22:\22reference\22,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22data\22,\22offset\22:8}],\22name\22:\22view\22,\22offset\22:16,\22size\22:16}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %sum = load ptr, ptr %f
  %f.scale = getelementptr i8, ptr %f, i64 8
  %scale = load ptr, ptr %f.scale
  %f.view = getelementptr i8, ptr %f, i64 16
  %view = load ptr, ptr %f.view
  %view.data = getelementptr i8, ptr %view, i64 8
  %data = load ptr, ptr %view.data
  %v = load i64, ptr %data
  %s = load i64, ptr %scale
  %m = mul i64 %v, %s
  %old = atomicrmw add ptr %sum, i64 %m monotonic
  ret void
}
