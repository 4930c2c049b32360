; An entry that is a member of one that is not there, or of one behind it.
; RUN: sed '/^@types/s/i64 281474976711440/i64 1125899906843408/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/^@types/s/i64 281474976711440/i64 -281474976709872/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:

; REMARK: remark: {{.*}}launch left as it is: the launch's offload arrays are not constants of the known form [unreadable-arrays]

; LEFT: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
; LEFT: {{(call|invoke)}} i32 @__tgt_target_kernel(
