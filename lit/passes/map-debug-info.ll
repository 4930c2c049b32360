; Debug information stays correct, and remarks point at the construct: Clang gives
; the launch no location, the annotation has it.
; RUN: sed 's/^define void @run(.*personality ptr @__gxx_personality_v0/& !dbg !4/' %S/Inputs/by-value.ll | cat - %s > %t.in.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-analysis=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
; RUN: FileCheck %s --input-file=%t.ll

; REMARK: remark: a.cpp:2:1: 'f.p' carried over: translated in the device's copy
; REMARK: remark: a.cpp:2:1: the data behind 'f.p' has to be mapped when the region is entered

; CHECK: define void @run({{.*}} !dbg ![[SP:[0-9]+]] {
; CHECK: = call ptr @__ferry_launch_begin(
; CHECK-NOT: !dbg
; CHECK: call void @__ferry_launch_end(
; CHECK: ![[SP]] = distinct !DISubprogram(name: "run"

; A launch with a location gives it to the calls around it.
; RUN: sed 's/^  %%rc = call .*/&, !dbg !7/' %t.in.ll > %t.located.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks=ferry %t.located.ll -o %t.out.ll 2>&1 | FileCheck %s --check-prefix=LOCATED
; RUN: FileCheck %s --check-prefix=CALLS --input-file=%t.out.ll

; LOCATED: remark: a.cpp:5:3: 'f.p' carried over

; CALLS: call ptr @__ferry_launch_begin({{.*}}), !dbg ![[L:[0-9]+]]
; CALLS-NEXT: call i32 @__tgt_target_kernel({{.*}}), !dbg ![[L]]
; CALLS-NEXT: call void @__ferry_launch_end({{.*}}), !dbg ![[L]]
; CALLS: ![[L]] = !DILocation(line: 5, column: 3

; Without debug information a remark names no place.
; RUN: %opt -ferry-map-host-evidence -disable-output -passes=ferry-map,verify -pass-remarks=ferry %S/Inputs/by-value.ll 2>&1 | FileCheck %s --check-prefix=NOWHERE
; NOWHERE: remark: <unknown>:0:0: 'f.p' carried over

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cpp", directory: "dir")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "run", scope: !1, file: !1, line: 1, type: !2, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocation(line: 5, column: 3, scope: !4)
