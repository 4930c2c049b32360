; Annotations that cannot be read: a warning for each, and the region counts as not
; described. Whatever they say, they are taken out.
; RUN: cat %S/Inputs/launch.ll %s > %t.in.ll
; RUN: sed 's/region:{/region:[/' %t.in.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s "-DWHY="
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=GONE --input-file=%t.ll --implicit-check-not=ferry.region:
; RUN: sed 's/22line/22lime/' %t.in.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s "-DWHY='line' has to be a non-negative integer"
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=GONE --input-file=%t.ll --implicit-check-not=ferry.region:
; RUN: sed 's/22:24}\],/22:-4}],/' %t.in.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s "-DWHY='size' has to be a non-negative integer"
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=GONE --input-file=%t.ll --implicit-check-not=ferry.region:
; RUN: sed 's/22:8,\\22argument/22:3,\\22argument/' %t.in.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s "-DWHY=size or alignment of 'f'"
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=GONE --input-file=%t.ll --implicit-check-not=ferry.region:
; RUN: sed 's/offset\\22:8/offset\\22:9/;s/size\\22:24/size\\22:16/' %t.in.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s "-DWHY=member 'f.data' lies outside its object"
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=GONE --input-file=%t.ll --implicit-check-not=ferry.region:
; RUN: sed 's/pointer/printer/' %t.in.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s "-DWHY='printer' is not a kind of member"
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=GONE --input-file=%t.ll --implicit-check-not=ferry.region:
; RUN: sed 's/\[{\\22kind/{{\\22kind/' %t.in.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s "-DWHY="
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=GONE --input-file=%t.ll --implicit-check-not=ferry.region:
; RUN: sed 's/22line/22lime/' %t.in.ll | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck -DLLVM=%llvm_version %s --check-prefix=PLAN

; CHECK: warning: ferry: malformed region annotation: {{.*}}[[WHY]]{{.*}}; compile with the libferry-clang-[[LLVM]].so and the libferry-[[LLVM]].so of one version
; CHECK: remark: {{.*}}the region is not described{{.*}} [no-annotation]

; GONE: call ptr @__ferry_launch_begin(

; PLAN: error: malformed region annotation: 'line' has to be a non-negative integer
; PLAN: launch of __omp_offloading_1_2_run_l2: no-annotation

@text = private constant [173 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22data\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %a = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %a, align 8
  store i64 0, ptr %data, align 8
  ret void
}
