; A host function that the kernel calls through the closure. The pointer beside it
; is carried over.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK: remark: {{.*}}'f.call' left as it is: a host function's address means nothing on the device [function-pointer]

; PLAN: launch of __omp_offloading_1_2_run_l2:{{$}}
; PLAN-NEXT: left: f.call: function-pointer
; PLAN: object 0: variable, 24 bytes
; PLAN-NEXT: +8: dereferenced{{$}}
; PLAN-NOT: +0

@text = private constant [218 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22function\22,\22name\22:\22call\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22data\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %call = load ptr, ptr %f, align 8
  call void %call()
  %a = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %a, align 8
  store i64 0, ptr %data, align 8
  ret void
}
