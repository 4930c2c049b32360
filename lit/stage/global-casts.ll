; Addresses that are cast to global ones at the load, as LLVM 22 does: the walk is
; seen all the same, and what is not staged has its cast as before.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 \
; RUN:   | FileCheck %s --check-prefix=PLAN
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes='print<ferry-stage-accesses>,print<ferry-stage-plan>,verify' \
; RUN:   -o %t.printed.ll 2>&1 | FileCheck %s --check-prefix=ACCESSES
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=verify | diff - %t.printed.ll
; RUN: cat %S/Inputs/nvptx.ll %s | sed -e 's/nsw i64 .i, .m/nsw i64 0, 8/' > %t.left.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.left.ll -o %t.after.ll
; RUN: %opt -S -passes=verify %t.left.ll | diff - %t.after.ll

; PLAN: row: {{.*}} + %a) + k * 8, 8 bytes in words of 8, 1 load
; PLAN-NEXT: tiles of
; ACCESSES: Accesses of kernel
; ACCESSES: row: {{.*}} + %a) + k * 8, 8 bytes in words of 8, 1 load

; REMARK: remark: {{.*}} staged 1 load through
; CHECK: load double, ptr addrspace(3)
; CHECK: store double %{{.*}}, ptr addrspace(1) %

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %y, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %p.global = addrspacecast ptr %p to ptr addrspace(1)
  %v = load double, ptr addrspace(1) %p.global
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %y, i64 %i
  %q.global = addrspacecast ptr %q to ptr addrspace(1)
  store double %sum.next, ptr addrspace(1) %q.global
  br label %exit
exit:
  ret void
}
