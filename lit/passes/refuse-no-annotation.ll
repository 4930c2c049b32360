; Without the front end's description the code alone decides. That is enough for
; pointers by value; references and `this` look like pointers.
; RUN: sed '/^@llvm.global.annotations/,/^  {.*hot/d' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-analysis=ferry -o %t.ll 2>&1 | FileCheck -DLLVM=%llvm_version %s --check-prefix=REMARK
; RUN: FileCheck -DLLVM=%llvm_version %s --input-file=%t.ll

; REMARK: remark: {{.*}}the region is not described: compile with -fplugin=libferry-clang-[[LLVM]].so too, which finds references and 'this' [no-annotation]
; REMARK: remark: {{.*}}'argument 0+0' carried over: translated in the device's copy

; CHECK: %ferry.args = call ptr @__ferry_launch_begin(

; Where the code is not visible either, nothing is known. Clang's own entries,
; which do for plain pointers, have to stay.
; RUN: sed -e '/^@llvm.global.annotations/,/^  {.*hot/d' -e 's/call void @body(ptr %%copy, i32 0)/call void @elsewhere(ptr %%this)/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -o %t.hidden.ll
; RUN: FileCheck -DLLVM=%llvm_version %s --check-prefix=HIDDEN --input-file=%t.hidden.ll
; HIDDEN-NOT: @ferry.types = private unnamed_addr constant [1 x i64]
; HIDDEN: call i32 @__tgt_target_kernel(
