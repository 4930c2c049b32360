; Loads at fixed places of a record, in a straight line: neighbouring records are
; copied whole, gaps included.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -ferry-stage=always -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll

; REMARK: remark: {{.*}} staged 3 loads through 5120 bytes {{.*}}; 40.0 instead of 96.0 sectors
; REMARK-NEXT: remark: {{.*}} a row for each thread, 5 words of 8 bytes{{$}}

; CHECK: @ferry.tile = internal addrspace(3) global [5120 x i8]
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; The fields that are read are at 0, 8 and 32 of the thread's record.
; CHECK:         %[[V0:.*]] = load double, ptr addrspace(3) %[[R:.*]], align 8
; CHECK-NEXT:    %[[P1:.*]] = getelementptr i8, ptr addrspace(3) %[[R]], i64 8
; CHECK-NEXT:    %[[V1:.*]] = load double, ptr addrspace(3) %[[P1]], align 8
; CHECK-NEXT:    %[[P4:.*]] = getelementptr i8, ptr addrspace(3) %[[R]], i64 32
; CHECK-NEXT:    %[[V4:.*]] = load double, ptr addrspace(3) %[[P4]], align 8

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %y, i64 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %body, label %exit
body:
  %r = getelementptr [5 x double], ptr %a, i64 %i
  %v0 = load double, ptr %r
  %p1 = getelementptr double, ptr %r, i64 1
  %v1 = load double, ptr %p1
  %s1 = fadd double %v0, %v1
  %p4 = getelementptr double, ptr %r, i64 4
  %v4 = load double, ptr %p4
  %s4 = fadd double %s1, %v4
  %q = getelementptr double, ptr %y, i64 %i
  store double %s4, ptr %q
  br label %exit
exit:
  ret void
}
