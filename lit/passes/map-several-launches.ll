; Two launches of one kernel, and one that is refused: each has its own plan and
; workspace, and the runtime comes once.
; RUN: sed -n '/^  %%rc = call/p' %S/Inputs/by-value.ll | sed 's/%%rc/%%again/' > %t.again
; RUN: sed -n '/^  %%rc = call/p' %S/Inputs/by-value.ll | sed 's/%%rc/%%refused/; s/region_id, ptr %%block/region_id, ptr %%p/' > %t.refused
; RUN: sed -e '/^  %%rc = call/{r %t.again' -e 'r %t.refused' -e '}' %S/Inputs/by-value.ll | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll

; REMARK: launch left as it is: {{.*}} [unreadable-arrays]
; REMARK-NOT: left

; CHECK-COUNT-1: module asm ".ifndef __ferry_launch_begin"
; CHECK-NOT: module asm ".ifndef __ferry_launch_begin"
; CHECK-DAG: @ferry.plan = private
; CHECK-DAG: @ferry.plan.{{[0-9]+}} = private
; CHECK-LABEL: define void @run(
; CHECK-DAG: %ferry.workspace = alloca
; CHECK-DAG: %ferry.workspace[[#]] = alloca
; CHECK: [[A1:%ferry.args[0-9]*]] = call ptr @__ferry_launch_begin({{.*}}, ptr [[W1:%ferry.workspace[0-9]*]],
; CHECK-NEXT: %rc = call i32 @__tgt_target_kernel({{.*}}, ptr [[A1]])
; CHECK-NEXT: call void @__ferry_launch_end(ptr [[W1]], i32 %rc)
; CHECK: [[A2:%ferry.args[0-9]*]] = call ptr @__ferry_launch_begin({{.*}}, ptr [[W2:%ferry.workspace[0-9]*]],
; CHECK-NEXT: %again = call i32 @__tgt_target_kernel({{.*}}, ptr [[A2]])
; CHECK-NEXT: call void @__ferry_launch_end(ptr [[W2]], i32 %again)
; CHECK: %refused = call i32 @__tgt_target_kernel({{.*}}, ptr %p)
