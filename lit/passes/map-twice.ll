; A launch that is rewritten is not rewritten again, by itself or after linking.
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %S/Inputs/by-value.ll -o %t.once.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,ferry-map,verify %S/Inputs/by-value.ll -o %t.twice.ll
; RUN: diff %t.once.ll %t.twice.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify %t.once.ll | FileCheck %s
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry -disable-output %t.once.ll 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty

; CHECK-COUNT-1: module asm ".ifndef __ferry_launch_begin"
; CHECK-NOT: module asm ".ifndef __ferry_launch_begin"
; CHECK-COUNT-1: call ptr @__ferry_launch_begin(
; CHECK-NOT: call ptr @__ferry_launch_begin(
; CHECK-COUNT-1: call void @__ferry_launch_end(
; CHECK-NOT: call void @__ferry_launch_end(

; Nothing was left undone, so nothing is said.
; SILENT-NOT: launch left
