; Host pointers need no translation.
; RUN: sed -e 's/\\22line\\22:2}/\\22line\\22:2,\\22unified_shared_memory\\22:true}/' -e 's/\[[0-9]* x i8\] c"ferry/[247 x i8] c"ferry/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:

; REMARK: remark: {{.*}}launch left as it is: host pointers are valid on the device under 'requires unified_shared_memory' [unified-shared-memory]

; LEFT: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
; LEFT: {{(call|invoke)}} i32 @__tgt_target_kernel(
