; Clang's text for an unknown location is one that libomptarget takes long to take
; apart: the launch gets a shorter one that says the same. Known ones stay.
; RUN: sed 's/i32 0, ptr null }$/i32 22, ptr @name }\n@name = private constant [23 x i8] c";unknown;unknown;0;0;;\\00"/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s
; RUN: sed 's/i32 0, ptr null }$/i32 22, ptr @name }\n@name = private constant [23 x i8] c";source.cpp;f;190;10;;\\00"/' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify | FileCheck %s --check-prefix=KNOWN
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %S/Inputs/by-value.ll | FileCheck %s --check-prefix=KNOWN

; CHECK-DAG: [[TEXT:@.*]] = private unnamed_addr constant [9 x i8] c";;;0;0;;\00"
; CHECK-DAG: [[LOCATION:@.*]] = private unnamed_addr constant { i32, i32, i32, i32, ptr } { i32 0, i32 2, i32 0, i32 8, ptr [[TEXT]] }
; CHECK: call i32 @__tgt_target_kernel(ptr [[LOCATION]],
; KNOWN: call i32 @__tgt_target_kernel(ptr @ident,
