; Ends of ranges, tables, records behind pointers, pointers off their array.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s

; CHECK:      launch of __omp_offloading_1_2_run_l2:{{$}}
; CHECK-NEXT:   entry 0: object 0{{$}}
; CHECK-NEXT:   object 0: variable, 64 bytes, align 8{{$}}
; CHECK-NEXT:     +0: dereferenced of slot 1{{$}}
; CHECK-NEXT:     +8: end of slot 0{{$}}
; CHECK-NEXT:     +16: dereferenced -> object 1{{$}}
; CHECK-NEXT:     +24: dereferenced -> object 2{{$}}
; CHECK-NEXT:     +32: dereferenced from 8000{{$}}
; CHECK-NEXT:     +40: dereferenced from -16{{$}}
; Not used, but the lambda's own.
; CHECK-NEXT:     +48: dereferenced end unseen{{$}}
; CHECK-NEXT:     +56: dereferenced end unseen{{$}}
; CHECK-NEXT:   object 1: table{{$}}
; CHECK-NEXT:     +0 + i * 8: dereferenced{{$}}
; CHECK-NEXT:   object 2: record, bytes 8 to 16{{$}}
; CHECK-NEXT:     +8: dereferenced{{$}}
; CHECK-NOT:  {{.}}

@text = private constant [496 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22begin\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22end\22,\22offset\22:8},{\22kind\22:\22pointer\22,\22name\22:\22rows\22,\22offset\22:16},{\22kind\22:\22pointer\22,\22name\22:\22record\22,\22offset\22:24},{\22kind\22:\22pointer\22,\22name\22:\22above\22,\22offset\22:32},{\22kind\22:\22pointer\22,\22name\22:\22below\22,\22offset\22:40},{\22kind\22:\22pointer\22,\22name\22:\22unused\22,\22offset\22:48},{\22kind\22:\22pointer\22,\22name\22:\22unused2\22,\22offset\22:56}],\22name\22:\22f\22,\22size\22:64}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
entry:
  %begin = load ptr, ptr %f
  %f.end = getelementptr i8, ptr %f, i64 8
  %end = load ptr, ptr %f.end
  %f.rows = getelementptr i8, ptr %f, i64 16
  %rows = load ptr, ptr %f.rows
  %f.record = getelementptr i8, ptr %f, i64 24
  %record = load ptr, ptr %f.record
  %f.above = getelementptr i8, ptr %f, i64 32
  %above = load ptr, ptr %f.above
  %f.below = getelementptr i8, ptr %f, i64 40
  %below = load ptr, ptr %f.below
  br label %test

test:
  %p = phi ptr [ %begin, %entry ], [ %next, %body ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %out, label %body

body:
  %x = load i64, ptr %p
  %row.at = getelementptr ptr, ptr %rows, i64 %x
  %row = load ptr, ptr %row.at
  store i64 %x, ptr %row
  %next = getelementptr i8, ptr %p, i64 8
  br label %test

out:
  %record.p = getelementptr i8, ptr %record, i64 8
  %q = load ptr, ptr %record.p
  store i64 0, ptr %q
  %above.p = getelementptr i8, ptr %above, i64 8000
  store i64 0, ptr %above.p
  %below.p = getelementptr i8, ptr %below, i64 -16
  store i64 0, ptr %below.p
  ret void
}
