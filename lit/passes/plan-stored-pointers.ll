; Where kernels store pointers: behind a pointer, and in a record that is read
; as well. Numbers do not count.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s

; CHECK:      launch of __omp_offloading_1_2_run_l2:{{$}}
; CHECK-NEXT:   entry 0: object 0{{$}}
; CHECK-NEXT:   object 0: variable, 32 bytes, align 8{{$}}
; CHECK-NEXT:     +0: dereferenced pointers stored{{$}}
; CHECK-NEXT:     +8: dereferenced -> object 1{{$}}
; CHECK-NEXT:     +16: dereferenced -> object 2{{$}}
; CHECK-NEXT:     +24: dereferenced{{$}}
; CHECK-NEXT:   object 1: record, bytes 0 to 8, pointers stored{{$}}
; CHECK-NEXT:   object 2: record, bytes 8 to 24, pointers stored{{$}}
; CHECK-NEXT:     +8: dereferenced{{$}}
; CHECK-NOT:  {{.}}

@text = private constant [315 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22rows\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22swapped\22,\22offset\22:8},{\22kind\22:\22pointer\22,\22name\22:\22record\22,\22offset\22:16},{\22kind\22:\22pointer\22,\22name\22:\22numbers\22,\22offset\22:24}],\22name\22:\22f\22,\22size\22:32}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %rows = load ptr, ptr %f
  store ptr null, ptr %rows
  %f.swapped = getelementptr i8, ptr %f, i64 8
  %swapped = load ptr, ptr %f.swapped
  %old = atomicrmw xchg ptr %swapped, ptr null seq_cst
  %f.record = getelementptr i8, ptr %f, i64 16
  %record = load ptr, ptr %f.record
  %record.p = getelementptr i8, ptr %record, i64 8
  %p = load ptr, ptr %record.p
  store i64 0, ptr %p
  %record.q = getelementptr i8, ptr %record, i64 16
  store ptr null, ptr %record.q
  %f.numbers = getelementptr i8, ptr %f, i64 24
  %numbers = load ptr, ptr %f.numbers
  store i64 0, ptr %numbers
  ret void
}
