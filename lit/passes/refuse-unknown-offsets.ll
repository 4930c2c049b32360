; The kernel reads a captured object at offsets that are not constant: a GPU
; finds it in memory.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; Where there are no parameters there is nothing to say.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -ferry-parameters=false -disable-output -passes=ferry-map -pass-remarks-missed=ferry 2>&1 | count 0

; CHECK: remark: {{.*}}'f.a' carried over
; CHECK: remark: {{.*}}'f' stays in memory, not in parameters: the kernel reads it at offsets that are not constant, or hands its address on [unknown-offsets]

@text = private constant [170 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22a\22,\22offset\22:0}],\22name\22:\22f\22,\22size\22:80}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %a = load ptr, ptr %f
  %i = load i64, ptr %a
  %n = getelementptr i64, ptr %f, i64 %i
  %v = load i64, ptr %n
  store i64 %v, ptr %a
  ret void
}
