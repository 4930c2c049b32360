; Without a device's object nobody knows what its code uses: what the host
; version uses and what the layout has are carried over.
; RUN: cat %S/Inputs/launch.ll %s | %opt -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=TRUSTED

; REMARK: remark: {{.*}} every captured pointer is carried over [no-device-evidence]
; CHECK: launch of __omp_offloading_1_2_run_l2: no-device-evidence
; CHECK: +0: dereferenced end
; CHECK-NEXT: +8: dereferenced end
; What a lambda itself captures by value is carried over in any case, what is
; within is not.
; TRUSTED: launch of __omp_offloading_1_2_run_l2:{{ *$}}
; TRUSTED: +8: dereferenced{{$}}
; TRUSTED-NOT: +0

@text = private constant [213 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22v.a\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22b\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %f.b = getelementptr i8, ptr %f, i64 8
  %b = load ptr, ptr %f.b
  store i64 0, ptr %b
  ret void
}
