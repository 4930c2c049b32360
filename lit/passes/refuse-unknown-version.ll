; The argument block is that of another libomptarget.
; RUN: sed 's/store i32 3, ptr %%block.version/store i32 2, ptr %%block.version/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/store i32 3, ptr %%block.version/store i32 4, ptr %%block.version/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:

; REMARK: remark: {{.*}}launch left as it is: the launch's argument block has an unknown version [unknown-version]

; LEFT: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
; LEFT: {{(call|invoke)}} i32 @__tgt_target_kernel(
